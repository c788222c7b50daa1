//! Limit surfaces of polygonal sections, as sets that solvers take.

use glamx::DVec2;

use super::patch_set::{MAX_BLOCKS, pieces};
use crate::FrictionError;
use crate::error::positive;
use crate::set::{LimitPolytope, Polygon};

/// The limit surface of a polygonal patch under uniform pressure about its centroid, for a planar
/// section that is a polygon. The patch is about `blocks` × `blocks` points at the centroids of its
/// pieces, all moved out by the one factor that gives pure spin the exact torque of an isotropic
/// section; corners in order, metres.
pub fn polygon_polytope(
    corners: &[DVec2],
    section: &Polygon,
    blocks: usize,
) -> Result<LimitPolytope, FrictionError> {
    pieces_polytope(&[corners], section, blocks)
}

/// The same of several polygons beside each other under one uniform pressure.
pub fn pieces_polytope(
    polygons: &[impl AsRef<[DVec2]>],
    section: &Polygon,
    blocks: usize,
) -> Result<LimitPolytope, FrictionError> {
    let (spread, torque) = pieces(polygons, blocks)?;
    let points: Vec<(DVec2, f64)> = spread.into_iter().map(|(at, area, _)| (at, area)).collect();
    moved_out(points, torque, section)
}

/// The same of a line along the first axis, of so many points.
pub fn line_polytope(
    length: f64,
    section: &Polygon,
    points: usize,
) -> Result<LimitPolytope, FrictionError> {
    positive("length", length)?;
    let count = points.clamp(1, MAX_BLOCKS);
    let piece = length / count as f64;
    let place = |i: usize| (DVec2::new((i as f64 + 0.5) * piece - 0.5 * length, 0.0), 1.0);
    moved_out((0..count).map(place).collect(), 0.25 * length, section)
}

fn moved_out(
    mut points: Vec<(DVec2, f64)>,
    wanted: f64,
    section: &Polygon,
) -> Result<LimitPolytope, FrictionError> {
    let total: f64 = points.iter().map(|(_, share)| share).sum();
    let torque = points.iter().map(|(at, share)| at.length() * share).sum::<f64>() / total;
    // A single point has none, wherever it is moved.
    let factor = if torque > 0.0 { wanted / torque } else { 1.0 };
    for (at, _) in &mut points {
        *at *= factor;
    }
    LimitPolytope::new(section, &points)
}
