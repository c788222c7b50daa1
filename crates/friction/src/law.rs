//! What a friction model sees of a contact, and what it answers.

use glamx::{DMat3, DVec2, DVec3};

use crate::set::{Rotation, Set};
use crate::surface::SurfacePoint;
use crate::surface::patch::Sample;

/// The answer of a friction model for one contact and one step: all that a solver may need of it,
/// per unit load. A solver scales it with the load inside its loops.
///
/// With the load N, the friction f within the set and the slip u, f is in N·S, −ξ is normal to N·S
/// at f with ξ = u + (C/N) f + b, and the contact carries f − N D u in all.
#[derive(Debug, Clone, PartialEq)]
pub struct Law {
    /// S: admissible forces per unit load, in the contact frame.
    pub set: Set,
    /// What the load is.
    pub load: LoadRule,
    /// Bias, compliance and drag; `None` where the contact neither gives nor drags.
    pub rheology: Option<Box<Rheology>>,
}

/// What scales a law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LoadRule {
    /// The sum of the normal forces that load the contact.
    Normal,
    /// A number, newtons (in a contact problem, newton seconds), while any normal force that loads
    /// the contact pushes; always where there are none, as for joints.
    Constant(f64),
}

/// How a contact gives before it slips and what drags beside the slip, per unit load, in the rows
/// (t, b, spin) of its law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rheology {
    /// b: velocity with which what is bent pushes, (m/s, m/s, rad/s).
    pub bias: DVec3,
    /// C: symmetric and positive semi-definite, (m/s, m/s, rad/s) per unit of force over load.
    pub compliance: DMat3,
    /// D: viscous friction −N D u outside of the set; symmetric and positive semi-definite.
    pub drag: DMat3,
}

impl Rheology {
    /// The same in axes of the contact plane turned by `turn`: in which the direction `turn` points
    /// along the first axis.
    #[must_use]
    pub fn turned(&self, turn: Rotation) -> Rheology {
        let axis = turn.axis();
        let to_axes = DMat3::from_cols(
            DVec3::new(axis.x, -axis.y, 0.0),
            DVec3::new(axis.y, axis.x, 0.0),
            DVec3::Z,
        );
        let turned = |m: DMat3| to_axes * m * to_axes.transpose();
        Rheology {
            bias: to_axes * self.bias,
            compliance: turned(self.compliance),
            drag: turned(self.drag),
        }
    }
}

impl<S: Into<Set>> From<S> for Law {
    /// A law that grows with the normal force and neither gives nor drags.
    fn from(set: S) -> Law {
        Law { set: set.into(), load: LoadRule::Normal, rheology: None }
    }
}

/// The state of one contact, as far as friction is concerned.
#[derive(Debug, Clone, Copy)]
pub struct ContactState<'a> {
    /// Contact frame; the normal points from A to B.
    pub frame: ContactFrame,
    /// The two surfaces at the contact, A then B.
    pub surfaces: [SurfacePoint<'a>; 2],
    /// What both look like over the patch, for sections that ask for it
    /// ([`Section::sampled`](crate::section::Section::sampled)).
    pub sample: Option<Sample<'a>>,
    /// Velocity of B relative to A at the contact when the step begins, m/s, world axes: the
    /// result of the last step, or the approach of a new contact. Of a whole patch, at the centre of
    /// its load.
    pub slip: DVec3,
    /// The same at the end of the step if there were no friction, m/s, world axes; for sections that
    /// ask for it ([`Needs::free_slip`](crate::section::Needs::free_slip)), else if nothing touched.
    pub free_slip: DVec3,
    /// Normal force of the last step, newtons; `None` when the contact is new.
    pub last_load: Option<f64>,
    /// Area that the contact stands for, m²: of a whole patch all of it, of one of its points or of
    /// a vertex its share; zero where bodies touch at a line or a point.
    pub area: f64,
    /// Length of the step, seconds.
    pub dt: f64,
}

impl<'a> ContactState<'a> {
    /// A new contact at rest, without area or sample, in a step of `dt` seconds.
    pub fn new(frame: ContactFrame, surfaces: [SurfacePoint<'a>; 2], dt: f64) -> ContactState<'a> {
        ContactState {
            frame,
            surfaces,
            sample: None,
            slip: DVec3::ZERO,
            free_slip: DVec3::ZERO,
            last_load: None,
            area: 0.0,
            dt,
        }
    }

    /// The slip in the contact plane.
    pub fn plane_slip(&self) -> DVec2 {
        self.frame.to_plane(self.slip)
    }

    /// The same contact with A and B exchanged; its patch is to be sampled anew.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        ContactState {
            frame: ContactFrame::from_normal(-self.frame.normal),
            surfaces: [self.surfaces[1], self.surfaces[0]],
            sample: None,
            slip: -self.slip,
            free_slip: -self.free_slip,
            ..*self
        }
    }
}

/// A right-handed frame (normal, t, b) that is a function of the normal alone. Any such frame
/// jumps somewhere; therefore impulses that outlive a step are kept as world vectors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactFrame {
    /// Unit normal from A to B.
    pub normal: DVec3,
    /// First tangent.
    pub t: DVec3,
    /// Second tangent, normal × t.
    pub b: DVec3,
}

impl ContactFrame {
    /// The frame of a unit normal (Duff et al. 2017: no branch but the sign of z).
    #[inline]
    pub fn from_normal(normal: DVec3) -> ContactFrame {
        let sign = 1.0_f64.copysign(normal.z);
        let a = -1.0 / (sign + normal.z);
        let c = normal.x * normal.y * a;
        let t = DVec3::new(1.0 + sign * normal.x * normal.x * a, sign * c, -sign * normal.x);
        let b = DVec3::new(c, sign + normal.y * normal.y * a, -normal.y);
        ContactFrame { normal, t, b }
    }

    /// The same plane with another first tangent, a unit vector in it.
    #[must_use]
    pub fn with_first(&self, t: DVec3) -> ContactFrame {
        ContactFrame { normal: self.normal, t, b: self.normal.cross(t) }
    }

    /// In-plane coordinates of a world vector.
    #[inline]
    pub fn to_plane(&self, v: DVec3) -> DVec2 {
        DVec2::new(self.t.dot(v), self.b.dot(v))
    }

    /// World vector of in-plane coordinates.
    #[inline]
    pub fn to_world(&self, v: DVec2) -> DVec3 {
        self.t * v.x + self.b * v.y
    }
}
