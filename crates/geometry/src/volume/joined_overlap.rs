//! Several overlaps as one.

use glamx::{DMat3, DVec2, DVec3};

use super::moments::outer;
use super::pieces::circle;
use super::{Overlap, REACHES};

impl Overlap {
    /// All overlaps of one pair together: the paper's single contact of a pair. None for none.
    ///
    /// Volume, moments and gradients are exact sums; the reach is that of the corners of their outlines, seen
    /// from the new plane.
    pub fn joined(parts: &[Overlap]) -> Option<Overlap> {
        if let [one] = parts {
            return Some(*one);
        }
        let volume: f64 = parts.iter().map(|o| o.volume).sum();
        if !(volume > 0.0) {
            return None;
        }
        // From one of them, so that a place far from the origin costs no digits.
        let near = parts[0].centroid;
        let mean = parts.iter().map(|o| (o.centroid - near) * o.volume).sum::<DVec3>() / volume;
        let mut whole = Overlap {
            volume,
            centroid: near + mean,
            second_moment: DMat3::ZERO,
            gradient_linear: DVec3::ZERO,
            gradient_angular: DVec3::ZERO,
            surface: 0.0,
            reach: [0.0; REACHES],
            outline: [DVec2::ZERO; REACHES],
            sides: Default::default(),
        };
        for part in parts {
            let away = part.centroid - near - mean;
            whole.second_moment += part.second_moment + outer(away, away) * part.volume;
            whole.gradient_linear += part.gradient_linear;
            whole.gradient_angular += part.gradient_angular + away.cross(part.gradient_linear);
            whole.surface += part.surface;
        }
        let ([t, b], circle) = (whole.plane(), circle());
        for part in parts {
            let ([own_t, own_b], away) = (part.plane(), part.centroid - near - mean);
            for corner in part.outline {
                let at = away + own_t * corner.x + own_b * corner.y;
                whole.extend([t.dot(at), b.dot(at)], &circle);
            }
        }
        Some(whole)
    }
}
