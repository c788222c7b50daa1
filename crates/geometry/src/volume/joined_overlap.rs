//! Several overlaps as one.

use std::f64::consts::TAU;

use asperity_friction::law::ContactFrame;
use glamx::{DMat3, DVec3};

use super::moments::outer;
use super::pieces::circle;
use super::{Overlap, REACHES};

impl Overlap {
    /// All overlaps of one pair together: the paper's single contact of a pair. None for none.
    ///
    /// Volume, moments and gradients are exact sums; the reach is that of the parts, each of them
    /// seen from the new plane.
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
            sides: Default::default(),
        };
        for part in parts {
            let away = part.centroid - near - mean;
            whole.second_moment += part.second_moment + outer(away, away) * part.volume;
            whole.gradient_linear += part.gradient_linear;
            whole.gradient_angular += part.gradient_angular + away.cross(part.gradient_linear);
            whole.surface += part.surface;
        }
        let frame = ContactFrame::from_normal(whole.gradient_normal());
        for part in parts {
            let own = ContactFrame::from_normal(part.gradient_normal());
            let away = part.centroid - near - mean;
            for (k, [cos, sin]) in circle().into_iter().enumerate() {
                let along = frame.t * cos + frame.b * sin;
                let flat = own.to_plane(along);
                let turn = flat.y.atan2(flat.x).rem_euclid(TAU) / TAU * REACHES as f64;
                for (k, sign) in [(k, 1.0), (k + REACHES / 2, -1.0)] {
                    let half = if sign > 0.0 { 0.0 } else { 0.5 * REACHES as f64 };
                    let way = sign * away.dot(along) + part.reach_at(turn + half);
                    whole.reach[k] = whole.reach[k].max(way);
                }
            }
        }
        Some(whole)
    }
}
