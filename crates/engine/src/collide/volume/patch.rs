//! From moments to a contact: normal and patch (Bouchard et al. 2015, section 4.2, Appendix A).

use asperity_friction::law::ContactFrame;
use glamx::{DMat2, DSymmetricEigen3, DVec2, DVec3};

use super::{Overlap, REACHES};

/// Which direction is the contact normal.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum NormalRule {
    /// Where the volume falls fastest as B moves (the paper, section 4.2).
    #[default]
    Gradient,
    /// Along which the overlap is thinnest, in the sense of the gradient (section 6.1.2).
    Thinnest,
    /// So much of the thinnest direction, 0 to 1, and the rest of the gradient (section 6.1.2).
    Blend(f64),
}

/// How the second moment becomes half lengths of the patch. With the variance m = M/V along an
/// axis: Appendix A has a cuboid (√3 m) or an ellipsoid (√5 m) of the same moments. For a flat
/// overlap the latter is too large by 29 % for a square and by 12 % for a disc, so it is not here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PatchShape {
    /// By the area of the overlap as seen along the normal: up to 12.3 √(m_u m_w) it is a
    /// rectangle (12 for an exact one), above that an ellipse of that area (4π for a disc; more
    /// for the lens of a round body). Never longer than the overlap reaches.
    #[default]
    Measured,
    /// Half lengths √(3 m): the ellipse in the rectangle of the same moments.
    Rectangle,
    /// Half axes √(4 m): the flat ellipse of the same moments.
    Ellipse,
    /// Half lengths to where the overlap reaches (a k-DOP of 16 directions), along the axes of the
    /// second moment: for table legs.
    Reach,
}

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

impl Overlap {
    /// Unit normal from A to B. Where the gradient vanishes (one body within the other, or a plate
    /// pierced symmetrically) it is the thinnest direction.
    pub fn normal(&self, rule: NormalRule) -> DVec3 {
        let share = match rule {
            NormalRule::Gradient => return self.gradient_normal(),
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
        let reach = DVec2::new(self.reach_along(u), self.reach_along(w));
        let half = match shape {
            PatchShape::Rectangle => sigma * 3.0_f64.sqrt(),
            PatchShape::Ellipse => sigma * 2.0,
            PatchShape::Reach => reach,
            PatchShape::Measured => {
                let area = self.gradient_linear.dot(normal).abs();
                let ratio = area / (sigma.x * sigma.y);
                // Between 12 (rectangle) and 4π (ellipse).
                let rectangle = !(ratio > 6.0 + std::f64::consts::TAU);
                let factor = if rectangle { 3.0 } else { ratio / std::f64::consts::PI };
                (sigma * factor.sqrt()).min(reach)
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

    /// Half the extent along a direction, from the polygon of [`Overlap::reach`] around it.
    fn reach_along(&self, direction: DVec3) -> f64 {
        let frame = ContactFrame::from_normal(self.gradient_normal());
        let flat = frame.to_plane(direction);
        let step = std::f64::consts::TAU / REACHES as f64;
        let at = flat.y.atan2(flat.x).rem_euclid(std::f64::consts::TAU) / step;
        let one_way = |at: f64| {
            let (k, part) = (at.floor(), (at - at.floor()) * step);
            let k = k as usize % REACHES;
            let (p, q) = (self.reach[k], self.reach[(k + 1) % REACHES]);
            // The corner where the lines of two neighbouring directions meet.
            (p * (step - part).sin() + q * part.sin()) / step.sin()
        };
        0.5 * (one_way(at) + one_way(at + 0.5 * REACHES as f64))
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
