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

/// The golden section, and how often an interval is cut by it: to 1e-12 of itself.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
const GOLDEN_STEPS: usize = 58;

impl Overlap {
    /// Unit normal from A to B. Where the gradient vanishes (one body within the other, or a plate
    /// pierced symmetrically) it is the thinnest direction.
    pub fn normal(&self, rule: NormalRule) -> DVec3 {
        let share = match rule {
            NormalRule::Gradient => return self.gradient_normal(),
            NormalRule::Entered => {
                let side = self.entered(DVec3::ZERO, |_| 0.0, None);
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
        // How far it reaches is known across the gradient only; from there axes are seen along the normal.
        let known = normal.dot(self.gradient_normal()) >= ACROSS && self.reach[0] > 0.0;
        let ([t, b], mut variances) =
            self.axes(if known { self.gradient_normal() } else { normal });
        let u = t.reject_from_normalized(normal).normalize_or(t);
        let w = normal.cross(u);
        if known {
            variances = DVec2::new(self.variance(u), self.variance(w));
        }
        let sigma = variances.max(DVec2::ZERO).map(f64::sqrt);
        let seen = |at: DVec2| DVec2::new(u.dot(t * at.x + b * at.y), w.dot(t * at.x + b * at.y));
        let stretch = if known { self.stretch() } else { 3.0_f64.sqrt() };
        let half = match shape {
            PatchShape::Ellipse => sigma * 2.0,
            PatchShape::Reach | PatchShape::Hull if known => {
                let nearer = |k: usize| self.reach[k].min(self.reach[k + REACHES / 2]);
                DVec2::new(nearer(0), nearer(REACHES / 4))
            }
            PatchShape::Measured if known => {
                let flat = stretch.min(3.0_f64.sqrt());
                self.within(sigma * if stretch < RECTANGLE { flat } else { stretch })
            }
            _ => sigma * 3.0_f64.sqrt(),
        };
        EllipsePatch {
            centre: self.centroid,
            u,
            w,
            half,
            // Of a flat overlap; that of a ball's cap is thin at its edge, and so wider than its moments.
            spread: sigma * stretch.max(2.0),
            hull: (known && shape == PatchShape::Hull).then(|| self.outline.map(seen)),
        }
    }

    /// Axes of the plane across the volume gradient: the longer of the overlap's principal axes there, and
    /// n × it.
    pub fn plane(&self) -> [DVec3; 2] {
        self.axes(self.gradient_normal()).0
    }

    /// Mean squared distance from the centroid along a direction, m².
    fn variance(&self, along: DVec3) -> f64 {
        along.dot(self.second_moment * along) / self.volume
    }

    /// The same in the plane with another normal, and the variances along both.
    fn axes(&self, normal: DVec3) -> ([DVec3; 2], DVec2) {
        let frame = ContactFrame::from_normal(normal);
        let m = self.second_moment * (1.0 / self.volume);
        let entry = |a: DVec3, b: DVec3| a.dot(m * b);
        let (tt, tb, bb) =
            (entry(frame.t, frame.t), entry(frame.t, frame.b), entry(frame.b, frame.b));
        let (axis, variances) = principal(DMat2::from_cols_array(&[tt, tb, tb, bb]));
        ([frame.to_world(axis), frame.to_world(axis.perp())], variances)
    }

    /// Half axes no longer than these of the largest ellipse about the centroid that stays within the overlap's
    /// outline, whichever side is nearer: of a wedge, as under a body that leans, the centroid is nearer to the
    /// deep side, and an ellipse of its moments alone would reach beyond the edge there, by up to 15 % of a
    /// block's half width.
    ///
    /// With x and y the squares of its half axes, it is within the line at a distance h along (c, s) where
    /// c² x + s² y ≤ h². The largest x y has y as large as x lets it be, and is found along x.
    fn within(&self, most: DVec2) -> DVec2 {
        let lines: [[f64; 3]; REACHES / 2] = std::array::from_fn(|k| {
            let [cos, sin] = circle()[k];
            let nearer = self.reach[k].min(self.reach[k + REACHES / 2]);
            [cos * cos, sin * sin, nearer * nearer]
        });
        let full = most * most;
        let slack = 1.0 + 1e-12;
        if lines.iter().all(|[c, s, h]| c * full.x + s * full.y <= h * slack) {
            return most;
        }
        let widest = |x: f64| {
            let room =
                |[c, s, h]: &[f64; 3]| if *s > 0.0 { (h - c * x) / s } else { f64::INFINITY };
            lines.iter().map(room).fold(full.y, f64::min).max(0.0)
        };
        let (mut low, mut high) = (0.0, full.x.min(lines[0][2]));
        let product = |x: f64| x * widest(x);
        for _ in 0..GOLDEN_STEPS {
            let (a, b) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
            if product(a) < product(b) { low = a } else { high = b }
        }
        // What rounding and the search leave of a bound that is reached.
        let x = if product(high) >= product(low) { high } else { low };
        DVec2::new(x, widest(x)).map(f64::sqrt)
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
        let [t, b] = self.plane();
        let mut least = f64::INFINITY;
        for (k, [cos, sin]) in circle().into_iter().enumerate() {
            let along = t * cos + b * sin;
            let variance = self.variance(along);
            let half = 0.5 * (self.reach[k] + self.reach[k + REACHES / 2]);
            if variance > 0.0 {
                least = least.min(half / variance.sqrt());
            }
        }
        if least.is_finite() { least } else { 3.0_f64.sqrt() }
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
