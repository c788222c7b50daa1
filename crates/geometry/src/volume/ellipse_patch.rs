//! From moments to a contact: normal and patch (Bouchard et al. 2015, section 4.2, Appendix A).

use asperity_friction::extent::{EllipsePatch, NormalRule, PatchShape};
use asperity_friction::law::ContactFrame;
use glamx::{DMat2, DSymmetricEigen3, DVec2, DVec3};

use super::pieces::circle;
use super::{Overlap, REACHES};

/// Stretches below this are taken for a rectangle's: 1.73, or up to 1.89 for a square whose sides
/// lie between two directions of [`Overlap::reach`]. A regular octagon has 1.95, a disc 2.
const RECTANGLE: f64 = 1.92;

/// Cosine of the angle between normal and gradient up to which the reach is taken as across the normal.
const ACROSS: f64 = 0.9;

impl Overlap {
    /// Unit normal from A to B. Where the gradient vanishes (one body within the other, or a plate
    /// pierced symmetrically) it is the thinnest direction.
    pub fn normal(&self, rule: NormalRule) -> DVec3 {
        let share = match rule {
            NormalRule::Gradient => return self.gradient_normal(),
            NormalRule::Entered => {
                let side = self.entered(DVec3::ZERO, |_| 0.0);
                return side.map_or_else(|| self.gradient_normal(), |side| side.normal);
            }
            NormalRule::Thinnest => 1.0,
            NormalRule::Blend(share) if share.is_finite() => share.clamp(0.0, 1.0),
            NormalRule::Blend(_) => 0.0,
        };
        let steepest = self.gradient_normal();
        let thinnest = self.thinnest();
        let thinnest = if thinnest.dot(steepest) < 0.0 { -thinnest } else { thinnest };
        steepest.lerp(thinnest, share).normalize_or(steepest)
    }

    /// The patch in the plane with this normal, through the centroid.
    pub fn patch(&self, normal: DVec3, shape: PatchShape) -> EllipsePatch {
        let frame = ContactFrame::from_normal(normal);
        let m = self.second_moment * (1.0 / self.volume);
        let entry = |a: DVec3, b: DVec3| a.dot(m * b);
        let (tt, tb, bb) =
            (entry(frame.t, frame.t), entry(frame.t, frame.b), entry(frame.b, frame.b));
        let (axis, variances) = principal(DMat2::from_cols_array(&[tt, tb, tb, bb]));
        let (u, w) = (frame.to_world(axis), frame.to_world(axis.perp()));
        let sigma = DVec2::new(variances.x.max(0.0).sqrt(), variances.y.max(0.0).sqrt());
        let half = match shape {
            PatchShape::Rectangle => sigma * 3.0_f64.sqrt(),
            PatchShape::Ellipse => sigma * 2.0,
            // How far it reaches is known across the gradient only.
            PatchShape::Reach if normal.dot(self.gradient_normal()) < ACROSS => {
                sigma * 3.0_f64.sqrt()
            }
            PatchShape::Reach => DVec2::new(self.reach_along(u), self.reach_along(w)),
            PatchShape::Measured => {
                let stretch = self.stretch();
                let flat = stretch.min(3.0_f64.sqrt());
                sigma * if stretch < RECTANGLE { flat } else { stretch }
            }
        };
        EllipsePatch { centre: self.centroid, u, w, half }
    }

    /// Against the gradient.
    pub(super) fn gradient_normal(&self) -> DVec3 {
        let steepness = self.gradient_linear.length();
        if steepness > 1e-12 * self.surface {
            return self.gradient_linear / -steepness;
        }
        self.thinnest()
    }

    /// The direction of the smallest second moment.
    fn thinnest(&self) -> DVec3 {
        let scale =
            self.second_moment.to_cols_array().into_iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        if !(scale > 0.0 && scale.is_finite()) {
            return DVec3::Y;
        }
        let eigen = DSymmetricEigen3::new(self.second_moment * (1.0 / scale));
        let least = eigen.eigenvalues.min_position();
        eigen.eigenvectors.col(least).normalize_or(DVec3::Y)
    }

    /// The smallest ratio of half the extent to the standard deviation over all directions.
    fn stretch(&self) -> f64 {
        let frame = ContactFrame::from_normal(self.gradient_normal());
        let mut least = f64::INFINITY;
        for (k, [cos, sin]) in circle().into_iter().enumerate() {
            let along = frame.t * cos + frame.b * sin;
            let variance = along.dot(self.second_moment * along) / self.volume;
            let half = 0.5 * (self.reach[k] + self.reach[k + REACHES / 2]);
            if variance > 0.0 {
                least = least.min(half / variance.sqrt());
            }
        }
        if least.is_finite() { least } else { 3.0_f64.sqrt() }
    }

    /// Half the extent along a direction, from the polygon of [`Overlap::reach`] around it.
    fn reach_along(&self, direction: DVec3) -> f64 {
        let frame = ContactFrame::from_normal(self.gradient_normal());
        let flat = frame.to_plane(direction);
        let step = std::f64::consts::TAU / REACHES as f64;
        let at = flat.y.atan2(flat.x).rem_euclid(std::f64::consts::TAU) / step;
        0.5 * (self.reach_at(at) + self.reach_at(at + 0.5 * REACHES as f64))
    }

    /// How far the polygon of [`Overlap::reach`] extends in a direction, counted in its steps.
    pub(super) fn reach_at(&self, at: f64) -> f64 {
        let step = std::f64::consts::TAU / REACHES as f64;
        let (k, part) = (at.floor(), (at - at.floor()) * step);
        let k = k as usize % REACHES;
        let (p, q) = (self.reach[k], self.reach[(k + 1) % REACHES]);
        // The corner where the lines of two neighbouring directions meet.
        (p * (step - part).sin() + q * part.sin()) / step.sin()
    }
}

/// The longer axis of a symmetric matrix and both eigenvalues, the larger first.
fn principal(m: DMat2) -> (DVec2, DVec2) {
    let (a, b, c) = (m.x_axis.x, m.x_axis.y, m.y_axis.y);
    let (mean, half) = (0.5 * (a + c), 0.5 * (a - c));
    let radius = half.hypot(b);
    // Round within rounding: the axes of the frame.
    if radius <= 1e-12 * mean.abs() {
        return (DVec2::X, DVec2::new(a, c));
    }
    let angle = 0.5 * b.atan2(half);
    (DVec2::from_angle(angle), DVec2::new(mean + radius, mean - radius))
}
