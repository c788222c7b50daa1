//! Limit surfaces as sets that solvers take.

use glamx::DVec2;

use super::shapes::profile;
use super::{Exact, Pressure};
use crate::FrictionError;
use crate::error::positive;
use crate::set::{Ellipse, LimitSurface, Part};

/// The limit surface of a pressure distribution, per unit load, for any elliptical section. Cells
/// are joined to about `blocks` × `blocks` parts, so that a projection stays cheap; 6 keep
/// the power of friction within 0.5 % for the shapes of the paper. Forces are off by more where the
/// centre of rotation is within a part: 1.4 % at worst for a square, 4 % for two bars apart.
///
/// What a part carries about its own middle is not lost by joining: its spin radius is its root mean
/// square radius, times the one factor that gives pure spin its exact torque.
pub fn cell_set(
    pressure: &Pressure,
    section: Ellipse,
    blocks: usize,
) -> Result<LimitSurface, FrictionError> {
    let places: Vec<(DVec2, f64)> = pressure.iter().collect();
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for (at, _) in &places {
        (low, high) = (low.min(*at), high.max(*at));
    }
    let half = DVec2::splat(0.5 * pressure.cell());
    (low, high) = (low - half, high + half);
    let blocks = blocks.clamp(1, super::MAX_SIDE);
    // Square blocks over the loaded area, and never smaller than cells.
    let area = (high - low).element_product();
    let block = (area.sqrt() / blocks as f64).max(pressure.cell());
    let across = ((high - low) / block).map(|w| w.round().max(1.0));
    let mut sums = vec![(DVec2::ZERO, 0.0, 0.0); (across.x * across.y) as usize];
    let number = |at: DVec2| {
        let i = ((at - low) / (high - low) * across).floor().min(across - DVec2::ONE);
        (i.y * across.x + i.x) as usize
    };
    for (at, share) in &places {
        let sum = &mut sums[number(*at)];
        sum.0 += *at * *share;
        sum.1 += share;
        sum.2 += share * at.length_squared();
    }
    let own = pressure.cell() * pressure.cell() / 6.0;
    let spread: Vec<(DVec2, f64, f64)> = sums
        .into_iter()
        .filter(|(_, share, _)| *share > 0.0)
        .map(|(moment, share, square)| {
            let place = moment / share;
            let spread = (square / share - place.length_squared()).max(0.0) + own;
            (place, share, spread.sqrt())
        })
        .collect();
    // One factor for all parts: pure spin then has its exact torque.
    let torque = |factor: f64| -> f64 {
        spread.iter().map(|(place, share, s)| share * place.length().hypot(factor * s)).sum()
    };
    let wanted = Exact::cells(pressure).spin_radius();
    let (mut low, mut high) = (0.3, 1.0);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if torque(middle) < wanted { low = middle } else { high = middle }
    }
    let part = |(place, share, s): (DVec2, f64, f64)| Part { place, share, spin_radius: low * s };
    let parts: Vec<Part> = spread.into_iter().map(part).collect();
    LimitSurface::from_parts(section, &parts)
}

/// The limit surface of a disc under uniform pressure, or of Eq. 44's with an exponent, as rings:
/// exactly round, with the exact torque of pure spin. Radius in metres; 16 rings keep
/// forces within 0.2 % of the exact surface.
pub fn disc_set(
    radius: f64,
    exponent: Option<f64>,
    mu: f64,
    rings: usize,
) -> Result<LimitSurface, FrictionError> {
    positive("radius", radius)?;
    if let Some(k) = exponent {
        positive("exponent k", k)?;
    }
    let rings = rings.clamp(1, 1000);
    let list: Vec<(f64, f64)> = (0..rings)
        .map(|i| {
            let (mut share, mut moment) = (0.0, 0.0);
            for k in 0..SAMPLES {
                let q = (i as f64 + (k as f64 + 0.5) / SAMPLES as f64) / rings as f64;
                let w = q * exponent.map_or(1.0, |k| profile(q, k));
                share += w;
                moment += w * q;
            }
            (radius * moment / share, share)
        })
        .collect();
    LimitSurface::from_rings(mu, &list)
}

/// Samples across a ring.
const SAMPLES: usize = 64;
