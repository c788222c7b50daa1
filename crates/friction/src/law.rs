//! What a friction model sees of a contact, and what it answers.

use glamx::{DMat3, DVec2, DVec3};

use crate::set::Set;
use crate::surface::SurfacePoint;

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
    /// Velocity of B relative to A at the contact when the step begins, m/s, world axes: the
    /// result of the last step, or the approach of a new contact.
    pub slip: DVec3,
    /// The same at the end of the step if there were no friction, m/s, world axes; for sections that
    /// ask for it ([`Section::needs_free_slip`](crate::section::Section::needs_free_slip)), else if
    /// nothing touched.
    pub free_slip: DVec3,
    /// Normal force of the last step, newtons; `None` when the contact is new.
    pub last_load: Option<f64>,
    /// Length of the step, seconds.
    pub dt: f64,
}

impl ContactState<'_> {
    /// The slip in the contact plane.
    pub fn plane_slip(&self) -> DVec2 {
        self.frame.to_plane(self.slip)
    }

    /// The same contact with A and B exchanged.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        ContactState {
            frame: ContactFrame::from_normal(-self.frame.normal),
            surfaces: [self.surfaces[1], self.surfaces[0]],
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
