//! The plane across a contact normal, with coordinates in it.

use glamx::{DVec2, DVec3};

/// The plane through `origin` across a contact normal.
pub(crate) struct ContactPlane {
    origin: DVec3,
    pub(crate) normal: DVec3,
    x: DVec3,
    y: DVec3,
    /// Lengths below this are rounding, metres.
    pub(crate) eps: f64,
}

impl ContactPlane {
    /// For things of a size, in metres.
    pub(crate) fn new(origin: DVec3, normal: DVec3, size: f64) -> ContactPlane {
        let (x, y) = normal.any_orthonormal_pair();
        ContactPlane { origin, normal, x, y, eps: 1e-9 * size }
    }

    /// Coordinates of a point, seen along the normal.
    pub(crate) fn flat(&self, p: DVec3) -> DVec2 {
        let d = p - self.origin;
        DVec2::new(d.dot(self.x), d.dot(self.y))
    }

    /// The point of the plane with these coordinates.
    pub(crate) fn space(&self, q: DVec2) -> DVec3 {
        self.origin + self.x * q.x + self.y * q.y
    }

    /// Moves a point along the normal onto another plane, given by a point and its normal.
    pub(crate) fn onto(&self, (origin, normal): (DVec3, DVec3), p: DVec3) -> DVec3 {
        p + self.normal * (normal.dot(origin - p) / normal.dot(self.normal))
    }
}
