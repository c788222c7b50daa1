//! Rough and brushed surfaces, and wood, by random numbers.

use std::f64::consts::{FRAC_PI_2, TAU};

use super::Grid;
use crate::FrictionError;
use crate::error::{non_negative, positive};
use crate::random::Rng;
use crate::surface::{SlopeMap, Wrap};
use glamx::DVec2;

/// Independent heights with a Gaussian distribution of mean deviation `ra` = R_a metres (Andrews
/// 2021, section 5.1, which has texels of 1 mm).
///
/// R_a is the mean of |h|, so the standard deviation is σ = R_a √(π/2). Slopes are central
/// differences: along any direction they deviate by σ / (√2 · texel).
pub fn gaussian_roughness(grid: Grid, ra: f64, seed: u64) -> Result<SlopeMap, FrictionError> {
    let count = grid.count()?;
    let sigma = non_negative("roughness R_a in metres", ra)? * FRAC_PI_2.sqrt();
    let mut rng = Rng::new(seed);
    let heights: Vec<f64> = (0..count).map(|_| sigma * rng.gaussian()).collect();
    SlopeMap::from_heights(grid.width, grid.height, &heights, grid.size(), Wrap::Repeat)
}

/// Independent slopes with Gaussian distributions of these deviations along u and v (Fig. 8). No
/// height field has them.
pub fn gaussian_slopes(grid: Grid, sigma: DVec2, seed: u64) -> Result<SlopeMap, FrictionError> {
    let count = grid.count()?;
    non_negative("deviation of slopes along u", sigma.x)?;
    non_negative("deviation of slopes along v", sigma.y)?;
    let mut rng = Rng::new(seed);
    let slopes = (0..count)
        .map(|_| [(sigma.x * rng.gaussian()) as f32, (sigma.y * rng.gaussian()) as f32])
        .collect();
    SlopeMap::new(grid.width, grid.height, slopes, grid.size(), Wrap::Repeat)
}

/// Brushed metal: scratches about `length` metres long along u, of roughness `ra` metres.
pub fn brushed(grid: Grid, ra: f64, length: f64, seed: u64) -> Result<SlopeMap, FrictionError> {
    let mut heights = scratches(grid, length, &mut Rng::new(seed))?;
    scale_to(&mut heights, non_negative("roughness R_a in metres", ra)?);
    SlopeMap::from_heights(grid.width, grid.height, &heights, grid.size(), Wrap::Repeat)
}

/// Sawn wood: rings about `ring` metres apart that wander about the direction u, and fibres in
/// between, of roughness `ra` metres together.
pub fn wood(grid: Grid, ra: f64, ring: f64, seed: u64) -> Result<SlopeMap, FrictionError> {
    let mut rng = Rng::new(seed);
    positive("distance of rings in metres", ring)?;
    let mut heights = scratches(grid, 8.0 * ring, &mut rng)?;
    scale_to(&mut heights, 0.4);
    let size = grid.size();
    // A whole number of rings, so that they meet at the edges.
    let rings = (size.y / ring).round().max(1.0);
    let waves: Vec<[f64; 4]> = (1..=4)
        .map(|k| {
            let k = f64::from(k);
            [k, (k * 0.5).floor(), rng.uniform(0.0, TAU), 0.35 * rings.sqrt() / k]
        })
        .collect();
    for (i, height) in heights.iter_mut().enumerate() {
        let u = (i % grid.width) as f64 / grid.width as f64;
        let v = (i / grid.width) as f64 / grid.height as f64;
        let wander: f64 =
            waves.iter().map(|[k, l, at, size]| size * (TAU * (k * u + l * v) + at).sin()).sum();
        // Steep on one side, as early and late wood wear.
        let phase = (rings * v + wander).rem_euclid(1.0);
        *height += phase.powi(4);
    }
    scale_to(&mut heights, non_negative("roughness R_a in metres", ra)?);
    SlopeMap::from_heights(grid.width, grid.height, &heights, grid.size(), Wrap::Repeat)
}

/// Independent heights, smoothed along u by two running means of `length` metres.
fn scratches(grid: Grid, length: f64, rng: &mut Rng) -> Result<Vec<f64>, FrictionError> {
    let count = grid.count()?;
    positive("length of scratches in metres", length)?;
    let mut heights: Vec<f64> = (0..count).map(|_| rng.gaussian()).collect();
    let span = ((length / grid.texel).round().max(1.0) as usize).min(grid.width);
    let mut sums = vec![0.0; 2 * grid.width + 1];
    for row in heights.chunks_exact_mut(grid.width) {
        for _ in 0..2 {
            for i in 0..2 * row.len() {
                sums[i + 1] = sums[i] + row[i % row.len()];
            }
            for i in 0..row.len() {
                row[i] = (sums[i + span] - sums[i]) / span as f64;
            }
        }
    }
    Ok(heights)
}

/// Moves heights to a mean of zero and scales them to a mean deviation of `ra`.
fn scale_to(heights: &mut [f64], ra: f64) {
    let count = heights.len() as f64;
    let mean = heights.iter().sum::<f64>() / count;
    let deviation = heights.iter().map(|h| (h - mean).abs()).sum::<f64>() / count;
    let factor = if deviation > 0.0 { ra / deviation } else { 0.0 };
    for h in heights {
        *h = (*h - mean) * factor;
    }
}
