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
    /// As the `pressure` maps of the two surfaces say, multiplied; even where both are black all over the patch.
    Map,
}

/// How the load lies on one patch.
pub struct Pressing<'a> {
    /// By which rule.
    pub rule: PressureRule,
    /// Centre of the load from the centroid, metres.
    pub centre: DVec2,
    /// What the maps of the surfaces say of a place, from the centroid in metres; zero or more.
    pub map: &'a dyn Fn(DVec2) -> f64,
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
    /// An even spread under another pressure. `None` where the spread is as it is: under a load in its middle, or
    /// where no pressure has its centre there.
    pub fn new(pressing: &Pressing, outline: &Outline, even: &Spread) -> Option<Pressed> {
        let fine = |corners: &[DVec2], blocks| {
            Some(Spread::Cells(polygon_set(corners, round().ok()?, blocks).ok()?))
        };
        let even = match (pressing.rule, outline, even) {
            (_, Outline::Point, _) => return None,
            (PressureRule::Hertz, Outline::Disc(radius), Spread::Rings(_)) => {
                let rings = disc_set(*radius, Some(2.0), 1.0, RINGS).ok()?;
                return Some(Pressed {
                    spread: Spread::Rings(rings),
                    gyration2: 0.4 * radius * radius,
                });
            }
            (PressureRule::Linear, Outline::Disc(radius), Spread::Rings(_)) => {
                fine(&about(*radius), BLOCKS)?
            }
            (PressureRule::Map, Outline::Disc(radius), Spread::Rings(_) | Spread::Cells(_)) => {
                fine(&about(*radius), FINE_BLOCKS)?
            }
            (
                PressureRule::Hertz | PressureRule::Map,
                Outline::Polygon(corners),
                Spread::Cells(_),
            ) => fine(corners, FINE_BLOCKS)?,
            _ => even.clone(),
        };
        let (spread, _, gyration2) = weighed(pressing, outline, &even)?;
        Some(Pressed { spread, gyration2 })
    }
}

/// A spread with another share for each part, about the centre of the load; where that is from the centroid, and u.
pub(super) fn weighed(
    pressing: &Pressing,
    outline: &Outline,
    even: &Spread,
) -> Option<(Spread, DVec2, f64)> {
    let parts: Vec<Part> = match even {
        Spread::Cells(surface) => surface.parts().collect(),
        Spread::Points(points) => {
            points.points().map(|(place, share)| Part { place, share, spin_radius: 0.0 }).collect()
        }
        Spread::Rings(_) => return None,
    };
    let square =
        |parts: &[Part]| parts.iter().map(|p| p.share * p.place.length_squared()).sum::<f64>();
    // What parts have about their own middles stays.
    let own = (outline.gyration2() - square(&parts)).max(0.0);
    let shares: Vec<f64> = match pressing.rule {
        PressureRule::Linear => linear(&parts, pressing.centre)?,
        PressureRule::Hertz => {
            let part = |p: &Part| p.share * (1.0 - outline.gauge(p.place).powi(2)).max(0.0).sqrt();
            parts.iter().map(part).collect()
        }
        PressureRule::Map => {
            parts.iter().map(|p| p.share * (pressing.map)(p.place).max(0.0)).collect()
        }
    };
    let total: f64 = shares.iter().sum();
    if !(total > 0.0 && total.is_finite()) {
        return None;
    }
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
    Some((spread, middle, gyration2))
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
