//! Boxes: four bounds along turned axes.

use glamx::DVec2;

use super::{Interval, Rotation};
use crate::FrictionError;

/// Four bounds along turned axes (Andrews 2021, Eq. 9): one [`Interval`] per axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoxSet {
    first: Interval,
    second: Interval,
    rotation: Rotation,
}

impl BoxSet {
    /// Bounds per unit load along the first and the second axis.
    pub fn new(first: Interval, second: Interval, rotation: Rotation) -> BoxSet {
        BoxSet { first, second, rotation }
    }

    /// The same coefficient four times.
    pub fn symmetric(mu: f64, rotation: Rotation) -> Result<BoxSet, FrictionError> {
        let side = Interval::symmetric(mu)?;
        Ok(BoxSet::new(side, side, rotation))
    }

    /// Bounds along the first axis.
    pub fn first(&self) -> Interval {
        self.first
    }

    /// Bounds along the second axis.
    pub fn second(&self) -> Interval {
        self.second
    }

    /// Where the first axis points.
    pub fn rotation(&self) -> Rotation {
        self.rotation
    }

    /// Corners per unit load, counter-clockwise.
    pub fn corners(&self) -> [DVec2; 4] {
        let (x, y) = (self.first, self.second);
        [(x.min(), y.min()), (x.max(), y.min()), (x.max(), y.max()), (x.min(), y.max())]
            .map(|(x, y)| self.rotation.to_frame(DVec2::new(x, y)))
    }

    /// Nearest admissible force.
    pub fn project(&self, force: DVec2, load: f64) -> DVec2 {
        let local = self.rotation.to_axes(force);
        let nearest =
            DVec2::new(self.first.project(local.x, load), self.second.project(local.y, load));
        if nearest == local { force } else { self.rotation.to_frame(nearest) }
    }

    /// Largest force · direction.
    pub fn support(&self, direction: DVec2, load: f64) -> f64 {
        let d = self.rotation.to_axes(direction);
        self.first.support(d.x, load) + self.second.support(d.y, load)
    }

    /// The corner (or, along an axis, the middle of no force across it) that opposes the slip.
    pub fn traction(&self, slip: DVec2, load: f64) -> DVec2 {
        let v = self.rotation.to_axes(slip);
        self.rotation
            .to_frame(DVec2::new(self.first.traction(v.x, load), self.second.traction(v.y, load)))
    }
}
