//! The part of the contact plane within which the centre of pressure stays: an ellipse, or a convex polygon
//! (Bouchard et al. 2015, section 6.2).

use std::f64::consts::TAU;

use glamx::DVec2;

use crate::set::{Ellipse, Polygon};

/// Where the centre of pressure may be, about the middle of the contact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Patch {
    /// Half axes, metres. Of a polygon: half sides of the rectangle around it.
    pub(super) ellipse: Ellipse,
    /// The polygon that takes the ellipse's place, at least three corners.
    pub(super) hull: Option<Polygon>,
}

impl Patch {
    /// The point of the patch nearest to one in the plane (section 5.4).
    pub(super) fn nearest(&self, point: DVec2) -> DVec2 {
        match &self.hull {
            Some(hull) => hull.project(point, 1.0),
            None => self.ellipse.project(point, 1.0),
        }
    }

    /// Whether a point lies within.
    pub(super) fn holds(&self, point: DVec2) -> bool {
        self.nearest(point) == point
    }

    /// Size of the largest like patch about a point of it that it holds.
    pub(super) fn shrink(&self, point: DVec2) -> f64 {
        let used = match &self.hull {
            Some(hull) => edges(hull)
                .map(|[a, b]| {
                    let (here, middle) = ((b - a).perp_dot(point), (b - a).perp_dot(a));
                    // An edge through the middle leaves no room beyond it.
                    if middle < 0.0 {
                        here / middle
                    } else if here < 0.0 {
                        1.0
                    } else {
                        0.0
                    }
                })
                .fold(0.0, f64::max),
            None => {
                let at = self.ellipse.rotation().to_axes(point);
                let part = |x: f64, a: f64| if a > 0.0 { x / a } else { 0.0 };
                let half = self.ellipse.mu();
                part(at.x, half.x).hypot(part(at.y, half.y))
            }
        };
        (1.0 - used).max(0.0)
    }

    /// The point where p · g is least, and by how much it is below zero there.
    pub(super) fn lowest(&self, gradient: DVec2) -> (DVec2, f64) {
        let below = match &self.hull {
            Some(hull) => hull.support(-gradient, 1.0),
            None => self.ellipse.support(gradient, 1.0),
        };
        if !(below > 0.0) {
            return (DVec2::ZERO, 0.0);
        }
        let at = match &self.hull {
            Some(hull) => hull.traction(gradient, 1.0),
            None => self.ellipse.traction(gradient, 1.0),
        };
        (at, below)
    }

    /// A place of the boundary by an angle, once around in a whole turn, and how it changes with that.
    pub(super) fn boundary(&self, angle: f64) -> (DVec2, DVec2) {
        let Some(hull) = &self.hull else {
            let (axes, half) = (self.ellipse.rotation(), self.ellipse.mu());
            let place = |from: DVec2| axes.to_frame(from * half);
            return (place(DVec2::from_angle(angle)), place(DVec2::from_angle(angle).perp()));
        };
        let corners = hull.corners();
        let count = corners.len();
        let at = (angle / TAU).rem_euclid(1.0) * count as f64;
        let k = (at as usize).min(count - 1);
        let (a, b) = (corners[k], corners[(k + 1) % count]);
        (a + (b - a) * (at - k as f64), (b - a) * (count as f64 / TAU))
    }

    /// The angle of a place of the boundary, as [`Patch::boundary`] has it.
    pub(super) fn angle_of(&self, place: DVec2) -> f64 {
        let Some(hull) = &self.hull else {
            let (at, half) = (self.ellipse.rotation().to_axes(place), self.ellipse.mu());
            let part = |x: f64, a: f64| if a > 0.0 { x / a } else { 0.0 };
            return part(at.y, half.y).atan2(part(at.x, half.x));
        };
        let corners = hull.corners();
        let on = |k: usize| {
            let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
            let part = ((place - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            ((a + (b - a) * part).distance_squared(place), k as f64 + part)
        };
        let nearest = (0..corners.len()).map(on).min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map_or(0.0, |(_, at)| TAU * at / corners.len() as f64)
    }

    /// Places on the boundary that must be tried so that none of its parts is missed.
    pub(super) fn samples(&self) -> usize {
        self.hull.as_ref().map_or(SAMPLES, |hull| PER_EDGE * hull.corners().len())
    }
}

/// The edges of a polygon, counter-clockwise.
fn edges(hull: &Polygon) -> impl Iterator<Item = [DVec2; 2]> {
    let corners = hull.corners();
    (0..corners.len()).map(move |k| [corners[k], corners[(k + 1) % corners.len()]])
}

/// Of an ellipse, and of each edge of a polygon.
const SAMPLES: usize = 48;
const PER_EDGE: usize = 4;
