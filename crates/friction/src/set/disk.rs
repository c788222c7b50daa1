//! Discs: isotropic Coulomb friction.

use glamx::DVec2;

use crate::FrictionError;
use crate::error::non_negative;

/// Isotropic Coulomb friction: forces of length at most μ per unit load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disk {
    radius: f64,
}

impl Disk {
    /// A disk with the coefficient `mu` as its radius.
    pub fn new(mu: f64) -> Result<Disk, FrictionError> {
        Ok(Disk { radius: non_negative("friction coefficient", mu)? })
    }

    /// No friction at all.
    pub const fn frictionless() -> Disk {
        Disk { radius: 0.0 }
    }

    /// The coefficient μ.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Nearest admissible force.
    #[inline]
    pub fn project(&self, force: DVec2, load: f64) -> DVec2 {
        let limit = self.radius * load;
        let length = force.length();
        if length <= limit { force } else { force * (limit / length) }
    }

    /// Largest force · direction.
    #[inline]
    pub fn support(&self, direction: DVec2, load: f64) -> f64 {
        self.radius * load * direction.length()
    }

    /// Force opposite to the slip.
    #[inline]
    pub fn traction(&self, slip: DVec2, load: f64) -> DVec2 {
        slip.normalize_or_zero() * (-self.radius * load)
    }
}
