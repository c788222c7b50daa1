//! The patch of a wrench: an ellipse in the contact plane, or a polygon.

use std::f64::consts::{PI, TAU};

use glamx::{DVec2, DVec3};

use crate::law::ContactFrame;

/// An ellipse in the contact plane, or the polygon that takes its place.
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
    /// Half axes along u and w of the ellipse with the moments of what touches, metres: uniform pressure over it
    /// resists spin as the pressure there does.
    pub spread: DVec2,
    /// Points whose convex hull is the patch, along u and w from the centre, metres.
    pub hull: Option<[DVec2; CORNERS]>,
}

/// Corners of an ellipse's outline, and points of a hull.
pub const CORNERS: usize = 32;

impl EllipsePatch {
    /// An ellipse with the moments of what touches.
    pub fn new(centre: DVec3, [u, w]: [DVec3; 2], half: DVec2) -> EllipsePatch {
        EllipsePatch { centre, u, w, half, spread: half, hull: None }
    }

    /// m².
    pub fn area(&self) -> f64 {
        let Some(hull) = &self.hull else { return PI * self.half.x * self.half.y };
        0.5 * (0..CORNERS).map(|k| hull[k].perp_dot(hull[(k + 1) % CORNERS])).sum::<f64>()
    }

    /// Corners on the ellipse about its middle, or of the hull, in the contact plane.
    pub fn corners(&self, frame: &ContactFrame) -> Vec<DVec2> {
        let corner = |k: usize| {
            let on_ellipse = || DVec2::from_angle(TAU * k as f64 / CORNERS as f64) * self.half;
            let at = self.hull.map_or_else(on_ellipse, |hull| hull[k]);
            frame.to_plane(self.u * at.x + self.w * at.y)
        };
        (0..CORNERS).map(corner).collect()
    }
}
