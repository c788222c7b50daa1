//! Teeth, ridges and threads painted with given slopes.

use std::f64::consts::TAU;

use super::Grid;
use crate::FrictionError;
use crate::error::{non_negative, positive};
use crate::surface::{SlopeMap, Wrap};
use glamx::DVec2;

/// Teeth across u, painted: facets `widths` texels wide that climb with the first slope and fall
/// with the second (both tan θ, not negative). Slopes and widths are free: a net slope is what
/// makes the two senses differ.
pub fn sawtooth(
    grid: Grid,
    slopes: [f64; 2],
    widths: [usize; 2],
) -> Result<SlopeMap, FrictionError> {
    let count = grid.count()?;
    non_negative("climbing slope", slopes[0])?;
    non_negative("falling slope", slopes[1])?;
    let pitch = whole_teeth(grid, widths)?;
    let slope = |i: usize| {
        let climbs = i % grid.width % pitch < widths[0];
        [if climbs { slopes[0] } else { -slopes[1] } as f32, 0.0]
    };
    let slopes = (0..count).map(slope).collect();
    SlopeMap::new(grid.width, grid.height, slopes, grid.size(), Wrap::Repeat)
}

/// Teeth across u as a height field: over the first of `widths` texels they climb by `depth`
/// metres, over the second they fall by as much.
pub fn sawtooth_heights(
    grid: Grid,
    depth: f64,
    widths: [usize; 2],
) -> Result<SlopeMap, FrictionError> {
    let count = grid.count()?;
    non_negative("depth of the teeth in metres", depth)?;
    let pitch = whole_teeth(grid, widths)?;
    let height = |i: usize| {
        let at = i % grid.width % pitch;
        match at.checked_sub(widths[0]) {
            None => depth * at as f64 / widths[0] as f64,
            Some(beyond) => depth - depth * beyond as f64 / widths[1] as f64,
        }
    };
    let heights: Vec<f64> = (0..count).map(height).collect();
    SlopeMap::from_heights(grid.width, grid.height, &heights, grid.size(), Wrap::Repeat)
}

/// Round ridges across u, `count` of them over the width, `slope` steep at most.
pub fn ridges(grid: Grid, count: usize, slope: f64) -> Result<SlopeMap, FrictionError> {
    let texels = grid.count()?;
    non_negative("steepest slope", slope)?;
    if count == 0 || 4 * count > grid.width {
        return Err(FrictionError::Shape(format!(
            "{count} ridges over {} texels; expected at least one, and four texels for each",
            grid.width
        )));
    }
    let waves = TAU * count as f64 / grid.width as f64;
    let phase = |i: usize| waves * ((i % grid.width) as f64 + 0.5);
    let slopes = (0..texels).map(|i| [(slope * phase(i).cos()) as f32, 0.0]).collect();
    let depth = slope * grid.texel / waves;
    let heights: Vec<f64> = (0..texels).map(|i| depth * phase(i).sin()).collect();
    let map = SlopeMap::new(grid.width, grid.height, slopes, grid.size(), Wrap::Repeat)?;
    map.with_heights(&heights)
}

/// A screw thread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thread {
    /// Advance per turn, metres.
    pub pitch: f64,
    /// Radius of the cylinder it is painted on, metres.
    pub radius: f64,
    /// Slopes of its flanks across the thread: the one that climbs along growing v, then the one
    /// that falls. They have the same width, so that different slopes leave a net slope.
    pub flanks: [f64; 2],
    /// Right-handed: turning about v advances along v.
    pub right_handed: bool,
}

/// A thread on the side of a cylinder whose u runs once around and whose v runs along the axis:
/// `turns` turns, in `around` × `along` texels.
pub fn threads(
    thread: Thread,
    turns: usize,
    around: usize,
    along: usize,
) -> Result<SlopeMap, FrictionError> {
    let Thread { pitch, radius, flanks, right_handed } = thread;
    positive("pitch of the thread in metres", pitch)?;
    positive("radius of the thread in metres", radius)?;
    non_negative("slope of the climbing flank", flanks[0])?;
    non_negative("slope of the falling flank", flanks[1])?;
    let texels = Grid { width: around, height: along, texel: 1.0 }.count()?;
    if turns == 0 || 4 * turns > along {
        return Err(FrictionError::Shape(format!(
            "{turns} turns in {along} texels; expected at least one, and four texels for each"
        )));
    }
    let hand = if right_handed { 1.0 } else { -1.0 };
    let across = DVec2::new(-hand * pitch / (TAU * radius), 1.0).normalize();
    let slope = |i: usize| {
        let u = ((i % around) as f64 + 0.5) / around as f64;
        let v = ((i / around) as f64 + 0.5) / along as f64;
        let phase = (turns as f64 * v - hand * u).rem_euclid(1.0);
        let s = across * if phase < 0.5 { flanks[0] } else { -flanks[1] };
        [s.x as f32, s.y as f32]
    };
    let slopes = (0..texels).map(slope).collect();
    let size = DVec2::new(TAU * radius, turns as f64 * pitch);
    SlopeMap::new(around, along, slopes, size, Wrap::Repeat)
}

/// The pitch in texels, of which the width must be a multiple.
fn whole_teeth(grid: Grid, widths: [usize; 2]) -> Result<usize, FrictionError> {
    let pitch = widths[0].saturating_add(widths[1]);
    if widths.contains(&0) || !grid.width.is_multiple_of(pitch) {
        return Err(FrictionError::Shape(format!(
            "teeth of {} + {} texels over a width of {}; expected at least one texel a facet and a whole number of teeth",
            widths[0], widths[1], grid.width
        )));
    }
    Ok(pitch)
}
