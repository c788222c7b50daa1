//! Circles of directions, along which the separation of solids is searched.

use glamx::DVec3;

/// Unit vectors `middle + x cos t + y sin t`.
pub(super) struct Circle {
    pub(super) middle: DVec3,
    pub(super) x: DVec3,
    pub(super) y: DVec3,
}

/// One of the vectors of a circle, and how it changes with the angle.
#[derive(Clone, Copy)]
pub(super) struct OnCircle {
    pub(super) normal: DVec3,
    pub(super) slope: DVec3,
}

impl Circle {
    #[inline]
    pub(super) fn at(&self, t: f64) -> OnCircle {
        let (sin, cos) = t.sin_cos();
        OnCircle {
            normal: self.middle + self.x * cos + self.y * sin,
            slope: self.y * cos - self.x * sin,
        }
    }

    /// The most of its vectors along another one, between two of them less than half a turn apart.
    #[inline]
    pub(super) fn most(&self, way: DVec3, [from, to]: [&OnCircle; 2]) -> f64 {
        if from.slope.dot(way) > 0.0 && to.slope.dot(way) < 0.0 {
            return self.middle.dot(way) + self.x.dot(way).hypot(self.y.dot(way));
        }
        from.normal.dot(way).max(to.normal.dot(way))
    }
}
