//! One wrench for a whole patch (Bouchard et al. 2015, section 5): the set of admissible forces and
//! torques of an elliptical patch, and Algorithm 1, which finds the one that acts.
//!
//! Wrenches are (f_n, f_t, f_b, τ_n, τ_t, τ_b) about the middle of the patch, on B, in the contact
//! frame with n × t = b. Twists are the velocities of B against A in the same order. The force acts
//! at the **centre of pressure** d = (−τ_b, τ_t)/f_n (section 5.3; the paper prints the opposite
//! sign), so that the rolling torque is d × f_n n.

mod algorithm;
mod block;
mod cone;
mod error;
mod patch;
mod rim;
mod spin;

use glamx::{DVec2, DVec3, Vec3Swizzles};

use crate::FrictionError;
use crate::set::{Ellipse, LimitSurface, Polygon, Set};
use patch::Patch;
use spin::ellipse_surface;

pub use block::Block;

/// Admissible wrenches of a patch, an ellipse or a convex polygon: f_n ≥ 0; (f_t, f_b) in f_n times a planar section;
/// the centre of pressure within the patch; the spin torque about it within a bound.
///
/// The set is not convex and slip does not determine the force: it brings the solution of its own
/// block, [`Wrench::solve`].
#[derive(Debug, Clone, PartialEq)]
pub struct Wrench {
    patch: Patch,
    section: Set,
    spin: SpinLaw,
    /// How a centre of pressure outside the patch is brought to its boundary.
    pub metric: Metric,
    /// Which way friction points while the contact slips.
    pub slip: Slip,
    /// Most rounds in which the force is found again once the spin torque is at its bound. Zero is
    /// the paper's algorithm: the torque is clamped and the force left as it was.
    pub rounds: usize,
    /// How a patch that rolls moves on; see [`Rolling`].
    pub rolling: Rolling,
    /// What a contact carries whose centre of pressure is at the boundary of the patch.
    pub rim: Rim,
    /// Algorithm 1 as printed, or with what it lacks.
    pub algorithm: Algorithm,
}

/// How the wrench of one contact is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// With what Algorithm 1 lacks: friction against the slip, forces found again beneath a spin torque at
    /// its bound, a contact where a side sinks in while the middle leaves, and less friction where it jams.
    #[default]
    Completed,
    /// Algorithm 1 as printed, its signs put right. Lines 5–22 are passed once; nothing acts where the
    /// normal force does not push.
    Printed,
}

/// What a contact carries whose centre of pressure is at the boundary of the patch (section 5.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rim {
    /// A force, as in the paper. The spin torque jumps to nothing as the centre of pressure reaches the
    /// boundary: several such contacts may have no solution together, and sweeps go in circles then.
    #[default]
    Free,
    /// A force, and a spin torque within the same bound as inside: nothing jumps. Bodies are held by more
    /// rows, and sweeps are slower where they are held many times over.
    Braked,
}

/// What bounds the spin torque about the centre of pressure.
#[derive(Debug, Clone, PartialEq)]
pub enum SpinLaw {
    /// The load at the corners of the rectangle around the ellipse (Eqs. 11–13). At the centre of a
    /// circle of radius R this is √2 μ f_n R, at its boundary about μ f_n R, or nothing: see [`Rim`].
    Corners,
    /// Coulomb–Contensou: sliding and spin coupled by the limit surface of the patch under uniform
    /// pressure. Off the middle, of the largest like ellipse about the centre of pressure that the
    /// patch holds. At the centre of a circle ⅔ μ f_n R.
    Contensou(LimitSurface),
    /// What uniform pressure carries without sliding, least and most per unit load in the middle; off the
    /// middle, by the same smaller ellipse. Not coupled with sliding. It fades to nothing at the boundary,
    /// so that nothing jumps there. See [`Wrench::uniform`].
    Uniform([f64; 2]),
    /// The patch does not resist spin.
    None,
}

/// How a centre of pressure outside the patch is brought to its boundary (section 5.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Metric {
    /// To the nearest point, as in the paper.
    #[default]
    Euclidean,
    /// To the point where a push takes most energy from the bodies, their inertia considered: the
    /// nearest wrench in the metric of W, exact without friction.
    Mass,
    /// To the point that comes down no less than any other of the patch once a contact there acts: Signorini's law
    /// for the whole patch, with friction. It does not jump.
    Signorini,
}

/// A patch that rolls: it moves on over both surfaces, and its rim comes down on what is ahead.
///
/// The paper holds the rim like a hinge, so that a rolling ball would hop over the rim of its own patch
/// with the speed ω a. What the rim of a curved body comes down by is where the patch will be next: a
/// depth that grows inwards with slope 4D/a from nothing at the rim, D being the mean depth.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rolling {
    /// Velocity of the patch against both surfaces, in (t, b), m/s; zero where it is at rest on one of
    /// them, as of a block that slides or tips.
    pub velocity: DVec2,
    /// Mean depth of the overlap, metres.
    pub depth: f64,
}

/// Which way friction points while the contact slips (section 5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Slip {
    /// Along the projection of the force that would hold: the paper's, one solve.
    Projected,
    /// Against the slip: the projection is repeated until it is.
    #[default]
    Opposed,
}

/// A force and a torque, or a velocity and a spin, with components (n, t, b).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Screw {
    /// Force, or velocity.
    pub linear: DVec3,
    /// Torque about the middle of the patch, or angular velocity.
    pub angular: DVec3,
}

impl Wrench {
    /// Semi-axes of the patch in metres (zero leaves a line or a point), a planar section, and the
    /// paper's spin law.
    pub fn new(patch: Ellipse, section: Set) -> Result<Wrench, FrictionError> {
        let planar = section.dim() == 2 && !matches!(section, Set::Free(_));
        if !planar {
            return Err(FrictionError::Shape(format!(
                "the section of a wrench is a set of shape {} with {} rows; expected a bounded \
                 planar one, such as a disk",
                section.name(),
                section.dim()
            )));
        }
        Ok(Wrench {
            patch: Patch { ellipse: patch, hull: None },
            section,
            spin: SpinLaw::Corners,
            metric: Metric::default(),
            slip: Slip::default(),
            rounds: ROUNDS,
            rolling: Rolling::default(),
            rim: Rim::default(),
            algorithm: Algorithm::default(),
        })
    }

    /// The same with Coulomb–Contensou friction. The section must be a disk or an ellipse; without
    /// friction, or where the patch is a line or a point, nothing resists spin.
    pub fn contensou(mut self) -> Result<Wrench, FrictionError> {
        let section = match &self.section {
            Set::Disk(s) => Ellipse::new(s.radius(), s.radius(), self.patch().rotation())?,
            Set::Ellipse(s) => *s,
            other => {
                return Err(FrictionError::Shape(format!(
                    "a section of shape {} has no limit surface; expected a disk or an ellipse, or \
                     the spin law of the corners",
                    other.name()
                )));
            }
        };
        let flat = self.patch().mu().min_element() <= 0.0 || section.mu().min_element() <= 0.0;
        self.spin = if flat {
            SpinLaw::None
        } else {
            SpinLaw::Contensou(ellipse_surface(self.patch(), section)?)
        };
        Ok(self)
    }

    /// The same with the spin torque of uniform pressure, not coupled with sliding
    /// ([`SpinLaw::Uniform`]); for every section.
    #[must_use]
    pub fn uniform(self) -> Wrench {
        let over = *self.patch();
        self.uniform_over(&over)
    }

    /// The same where the pressure is that of uniform pressure over another ellipse: one with the moments of
    /// what touches, which the largest ellipse within a square or a ring has not.
    #[must_use]
    pub fn uniform_over(mut self, over: &Ellipse) -> Wrench {
        self.spin = SpinLaw::Uniform(self.drilling(over));
        self
    }

    /// The same with a polygon as its patch (section 6.2): the hull of these points about the middle, metres. Points
    /// without a hull, as on a line, or with a hull that does not hold the middle, leave the ellipse.
    #[must_use]
    pub fn with_hull(mut self, points: &[DVec2]) -> Wrench {
        let hull = Polygon::from_points(points).ok();
        self.patch.hull = hull.filter(|hull| hull.corners().len() > 2);
        self
    }

    /// The same by Algorithm 1 as printed.
    #[must_use]
    pub fn printed(self) -> Wrench {
        let (algorithm, slip, rounds) = (Algorithm::Printed, Slip::Projected, 0);
        Wrench { algorithm, slip, rounds, rim: Rim::Free, rolling: Rolling::default(), ..self }
    }

    /// The same with another spin law.
    #[must_use]
    pub fn with_spin(self, spin: SpinLaw) -> Wrench {
        Wrench { spin, ..self }
    }

    /// The patch: semi-axes in metres. Of a polygon: half sides of the rectangle around it.
    pub fn patch(&self) -> &Ellipse {
        &self.patch.ellipse
    }

    /// Corners of the patch where it is a polygon, counter-clockwise, metres; none for an ellipse.
    pub fn hull(&self) -> Option<&[DVec2]> {
        self.patch.hull.as_ref().map(Polygon::corners)
    }

    /// The planar section.
    pub fn section(&self) -> &Set {
        &self.section
    }

    /// The spin law.
    pub fn spin(&self) -> &SpinLaw {
        &self.spin
    }

    /// Length that relates torques to forces, metres; one for a point.
    pub fn radius(&self) -> f64 {
        let radius = self.patch().mu().max_element();
        if radius > 0.0 { radius } else { 1.0 }
    }

    /// Moves a wrench to an admissible one: each part to the nearest in turn, the normal force
    /// first, then friction, the centre of pressure and the spin torque about it. Nothing where the
    /// normal force does not push.
    pub fn project(&self, wrench: &mut [f64]) {
        let at = Screw::from_rows(wrench);
        let load = at.linear.x;
        let out = if load > 0.0 {
            let inside = self.patch.nearest(at.cop());
            let about = at.spin_about(at.cop());
            let (friction, spin) = self.limit(at.linear.yz(), about, load, inside);
            Screw::at(DVec3::new(load, friction.x, friction.y), spin, inside)
        } else {
            Screw::default()
        };
        out.write(wrench);
    }

    /// How fast the boundary of the patch may come down at a point of it, m/s.
    pub fn descent(&self, at: DVec2) -> f64 {
        let distance2 = at.length_squared();
        if distance2 > 0.0 {
            self.rolling.velocity.dot(at).max(0.0) * 4.0 * self.rolling.depth / distance2
        } else {
            0.0
        }
    }

    /// How far a wrench is from each bound, as forces (torques in units of [`Wrench::radius`]):
    /// pull, friction, centre of pressure, spin.
    pub fn violations(&self, wrench: &[f64]) -> [f64; 4] {
        let at = Screw::from_rows(wrench);
        let load = at.linear.x.max(0.0);
        let pull = (-at.linear.x).max(0.0);
        if load == 0.0 {
            let torque = at.angular.length() / self.radius();
            return [pull, at.linear.yz().length(), torque, 0.0];
        }
        let mut friction = at.linear.yz().to_array();
        self.section.project(&mut friction, load);
        let cop = at.cop();
        let inside = self.patch.nearest(cop);
        let (_, spin) = self.limit(at.linear.yz(), at.spin_about(cop), load, inside);
        [
            pull,
            (at.linear.yz() - DVec2::from(friction)).length(),
            load * (cop - inside).length() / self.radius(),
            (at.spin_about(cop) - spin).abs() / self.radius(),
        ]
    }
}

impl Screw {
    /// From six rows.
    pub fn from_rows(rows: &[f64]) -> Screw {
        Screw { linear: DVec3::from_slice(rows), angular: DVec3::from_slice(&rows[3..]) }
    }

    /// Into six rows.
    pub fn write(&self, rows: &mut [f64]) {
        rows[..3].copy_from_slice(&self.linear.to_array());
        rows[3..6].copy_from_slice(&self.angular.to_array());
    }

    /// The wrench of a force at a point of the plane and a spin torque about it (Eq. 7 with its
    /// sign put right: τ = p × f).
    pub fn at(force: DVec3, spin: f64, point: DVec2) -> Screw {
        let arm = DVec3::new(0.0, point.x, point.y);
        Screw { linear: force, angular: arm.cross(force) + DVec3::X * spin }
    }

    /// Centre of pressure of a wrench, (−τ_b, τ_t)/f_n.
    pub fn cop(&self) -> DVec2 {
        DVec2::new(-self.angular.z, self.angular.y) / self.linear.x
    }

    /// Torque of a wrench about the normal through a point of the plane.
    pub fn spin_about(&self, point: DVec2) -> f64 {
        self.angular.x - point.perp_dot(self.linear.yz())
    }

    /// A twist about a point of the plane (Eq. 2).
    #[must_use]
    pub fn moved(&self, point: DVec2) -> Screw {
        Screw { linear: self.velocity_at(point), angular: self.angular }
    }

    /// Velocity of a twist at a point of the plane.
    pub fn velocity_at(&self, point: DVec2) -> DVec3 {
        self.linear + self.angular.cross(DVec3::new(0.0, point.x, point.y))
    }
}

/// Rounds at most; a few do where sliding and spin are hardly coupled.
const ROUNDS: usize = 200;
