//! How the load lies on a patch where it is not even: linear, or as under Hertz's contact.

use glamx::{DMat3, DVec2, DVec3};

use super::spread::{about, round};
use super::{Outline, Spread, disc_set, polygon_set};
use crate::set::{LimitPolytope, LimitSurface, Part};

/// How the load lies on a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PressureRule {
    /// Pressure is linear over the patch and leans so that its centre is that of the load of the last step, as
    /// the normal forces of a rigid face on an even bed of springs. Where it would pull, it is zero.
    Linear,
    /// √(1 − s²), s the part of the way from the middle to the edge: Hertz's pressure of a disc.
    Hertz,
}

/// A spread that is not even.
#[derive(Debug, Clone)]
pub struct Pressed {
    /// What its limit surface is made of, about the centre of the load.
    pub spread: Spread,
    /// u, mean squared distance from that, m².
    pub gyration2: f64,
}

impl Pressed {
    /// An even spread under another pressure; `centre` is that of the load, from the centroid. `None` where the
    /// spread is as it is: under a load in its middle, or where no pressure has its centre there.
    pub fn new(
        rule: PressureRule,
        outline: &Outline,
        even: &Spread,
        centre: DVec2,
    ) -> Option<Pressed> {
        match (rule, outline) {
            (_, Outline::Point) => None,
            (PressureRule::Hertz, Outline::Disc(radius)) if matches!(even, Spread::Rings(_)) => {
                let rings = disc_set(*radius, Some(2.0), 1.0, RINGS).ok()?;
                Some(Pressed { spread: Spread::Rings(rings), gyration2: 0.4 * radius * radius })
            }
            (PressureRule::Linear, Outline::Disc(radius)) if matches!(even, Spread::Rings(_)) => {
                let cells = polygon_set(&about(*radius), round().ok()?, BLOCKS).ok()?;
                Pressed::weighed(rule, outline, &Spread::Cells(cells), centre)
            }
            (PressureRule::Hertz, Outline::Polygon(corners))
                if matches!(even, Spread::Cells(_)) =>
            {
                let cells = polygon_set(corners, round().ok()?, FINE_BLOCKS).ok()?;
                Pressed::weighed(rule, outline, &Spread::Cells(cells), centre)
            }
            _ => Pressed::weighed(rule, outline, even, centre),
        }
    }

    /// With another share for each part.
    fn weighed(
        rule: PressureRule,
        outline: &Outline,
        even: &Spread,
        centre: DVec2,
    ) -> Option<Pressed> {
        let parts: Vec<Part> = match even {
            Spread::Cells(surface) => surface.parts().collect(),
            Spread::Points(points) => points
                .points()
                .map(|(place, share)| Part { place, share, spin_radius: 0.0 })
                .collect(),
            Spread::Rings(_) => return None,
        };
        let square =
            |parts: &[Part]| parts.iter().map(|p| p.share * p.place.length_squared()).sum::<f64>();
        // What parts have about their own middles stays.
        let own = (outline.gyration2() - square(&parts)).max(0.0);
        let shares = match rule {
            PressureRule::Linear => linear(&parts, centre)?,
            PressureRule::Hertz => {
                let part =
                    |p: &Part| p.share * (1.0 - outline.gauge(p.place).powi(2)).max(0.0).sqrt();
                parts.iter().map(part).collect()
            }
        };
        let total: f64 = shares.iter().sum();
        let moment = parts.iter().zip(&shares).map(|(p, share)| p.place * *share).sum::<DVec2>();
        let middle = moment / total;
        let kept: Vec<Part> = parts
            .iter()
            .zip(&shares)
            .filter(|(_, share)| **share > LEAST * total)
            .map(|(p, share)| Part { place: p.place - middle, share: share / total, ..*p })
            .collect();
        let gyration2 = own + square(&kept);
        let spread = match even {
            Spread::Points(points) => {
                let section = crate::set::Polygon::from_points(points.corners()).ok()?;
                let places: Vec<(DVec2, f64)> = kept.iter().map(|p| (p.place, p.share)).collect();
                Spread::Points(LimitPolytope::new(&section, &places).ok()?)
            }
            _ => Spread::Cells(LimitSurface::from_parts(round().ok()?, &kept).ok()?),
        };
        Some(Pressed { spread, gyration2 })
    }
}

/// Shares a max(0, α + g·(ρ − c)) that add up to one and have their centre at c: the minimum of a convex function
/// of α and g that is quadratic from one set of loaded parts to the next.
fn linear(parts: &[Part], centre: DVec2) -> Option<Vec<f64>> {
    let row = |p: &Part| (p.place - centre).extend(1.0);
    let size = parts.iter().map(|p| p.place.length()).fold(0.0, f64::max);
    if centre.length() <= SAME * size {
        return None;
    }
    let unit = DVec3::new(1.0 / size, 1.0 / size, 1.0);
    let mut loaded: Vec<bool> = vec![true; parts.len()];
    for _ in 0..ROUNDS {
        let mut sum = DMat3::ZERO;
        for (p, _) in parts.iter().zip(&loaded).filter(|(_, loaded)| **loaded) {
            let q = row(p) * unit;
            sum += DMat3::from_cols(q * q.x, q * q.y, q * q.z) * p.share;
        }
        let tilt = sum.inverse() * DVec3::Z;
        if !tilt.is_finite() {
            return None;
        }
        let now: Vec<bool> = parts.iter().map(|p| tilt.dot(row(p) * unit) > 0.0).collect();
        if now == loaded {
            return Some(
                parts.iter().map(|p| p.share * tilt.dot(row(p) * unit).max(0.0)).collect(),
            );
        }
        loaded = now;
    }
    None
}

/// As for even spreads.
const RINGS: usize = 16;
const BLOCKS: usize = 6;
/// Where pressure falls to nothing at the edge.
const FINE_BLOCKS: usize = 12;
/// Parts that carry less than this part of the load carry nothing.
const LEAST: f64 = 1e-9;
/// Loads nearer to the middle than this part of the patch's size are there.
const SAME: f64 = 1e-9;
/// Which parts are loaded is found in two or three rounds.
const ROUNDS: usize = 30;
