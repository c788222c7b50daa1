//! The patch of a wrench: an ellipse in the contact plane.

use std::f64::consts::{PI, TAU};

use glamx::{DVec2, DVec3};

use crate::law::ContactFrame;

/// An ellipse in the contact plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EllipsePatch {
    /// World.
    pub centre: DVec3,
    /// Unit vector of the longer axis, world.
    pub u: DVec3,
    /// Unit vector of the shorter axis, n × u.
    pub w: DVec3,
    /// Half lengths along u and w, metres.
    pub half: DVec2,
}

/// Corners of an ellipse's outline.
const CORNERS: usize = 32;

impl EllipsePatch {
    /// m².
    pub fn area(&self) -> f64 {
        PI * self.half.x * self.half.y
    }

    /// Corners on the ellipse about its middle, in the contact plane.
    pub fn corners(&self, frame: &ContactFrame) -> Vec<DVec2> {
        let corner = |k: usize| {
            let at = DVec2::from_angle(TAU * k as f64 / CORNERS as f64) * self.half;
            frame.to_plane(self.u * at.x + self.w * at.y)
        };
        (0..CORNERS).map(corner).collect()
    }
}
