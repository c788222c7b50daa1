//! Intervals: one row between two bounds.

use crate::FrictionError;
use crate::error::finite;

/// One row: forces in [`min`, `max`] per unit load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    min: f64,
    max: f64,
}

impl Interval {
    /// Bounds with `min` ≤ 0 ≤ `max`, so that no force is always admissible.
    pub fn new(min: f64, max: f64) -> Result<Interval, FrictionError> {
        finite("interval minimum", min)?;
        finite("interval maximum", max)?;
        if min > 0.0 || max < 0.0 {
            return Err(FrictionError::Shape(format!(
                "interval [{min}, {max}] does not hold zero; expected minimum <= 0 <= maximum"
            )));
        }
        Ok(Interval { min, max })
    }

    /// Friction in the plane: forces in [−μ, μ].
    pub fn symmetric(mu: f64) -> Result<Interval, FrictionError> {
        crate::error::non_negative("friction coefficient", mu)?;
        Ok(Interval { min: -mu, max: mu })
    }

    /// Lower bound per unit load, ≤ 0.
    pub fn min(&self) -> f64 {
        self.min
    }

    /// Upper bound per unit load, ≥ 0.
    pub fn max(&self) -> f64 {
        self.max
    }

    /// Nearest admissible force.
    #[inline]
    pub fn project(&self, force: f64, load: f64) -> f64 {
        force.max(self.min * load).min(self.max * load)
    }

    /// Largest force · direction.
    #[inline]
    pub fn support(&self, direction: f64, load: f64) -> f64 {
        load * if direction > 0.0 { self.max * direction } else { self.min * direction }
    }

    /// Force that opposes the slip.
    #[inline]
    pub fn traction(&self, slip: f64, load: f64) -> f64 {
        if slip > 0.0 {
            self.min * load
        } else if slip < 0.0 {
            self.max * load
        } else {
            0.0
        }
    }
}
