//! Surfaces with a logo that stands out.

use super::Grid;
use crate::FrictionError;
use crate::error::{non_negative, positive};
use crate::surface::{SlopeMap, Wrap};

/// A logo that stands out by `depth` metres where `mask` is 1, with slopes about `edge` metres
/// wide where it changes. Texels of the mask are those of the grid, row 0 at v = 0. It does not
/// repeat.
pub fn emboss(grid: Grid, mask: &[f32], depth: f64, edge: f64) -> Result<SlopeMap, FrictionError> {
    let count = grid.count()?;
    if mask.len() != count {
        return Err(FrictionError::Shape(format!(
            "mask of {} values for {} x {} texels; expected one per texel",
            mask.len(),
            grid.width,
            grid.height
        )));
    }
    if let Some(i) = mask.iter().position(|m| !m.is_finite()) {
        return Err(FrictionError::Shape(format!("value {i} of the mask is {}", mask[i])));
    }
    non_negative("depth of the logo in metres", depth)?;
    positive("width of the logo's edges in metres", edge)?;
    let mut heights: Vec<f64> = mask.iter().map(|m| depth * f64::from(*m)).collect();
    // Two running means of half the width each: a smooth ramp of the whole width.
    let reach = (0.25 * edge / grid.texel).round() as usize;
    let (w, h) = (grid.width, grid.height);
    for _ in 0..2 {
        smooth(&mut heights, reach.min(w), h, w, |line, i| line * w + i);
        smooth(&mut heights, reach.min(h), w, h, |line, i| i * w + line);
    }
    SlopeMap::from_heights(w, h, &heights, grid.size(), Wrap::Clamp)
}

/// Running mean over `reach` neighbours to either side, in each of `lines` lines of `n` values.
/// Beyond an end lies its last value.
fn smooth(
    values: &mut [f64],
    reach: usize,
    lines: usize,
    n: usize,
    index: impl Fn(usize, usize) -> usize,
) {
    let mut line = vec![0.0; n];
    for number in 0..lines {
        for i in 0..n {
            line[i] = values[index(number, i)];
        }
        // Places are counted from `reach` before the line.
        let at = |i: usize| line[i.saturating_sub(reach).min(n - 1)];
        let mut sum: f64 = (0..=2 * reach).map(at).sum();
        for i in 0..n {
            values[index(number, i)] = sum / (2 * reach + 1) as f64;
            sum += at(i + 2 * reach + 1) - at(i);
        }
    }
}
