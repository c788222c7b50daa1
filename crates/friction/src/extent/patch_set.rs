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
    joined(spread, Exact::cells(pressure).spin_radius(), section)
}

/// The limit surface of a polygon under uniform pressure about its centroid, for any elliptical
/// section; corners in order, metres. Made of about `blocks` × `blocks` pieces of the polygon, with
/// the errors that [`cell_set`] has, but without a grid: cheap enough for a patch that changes in
/// every step.
pub fn polygon_set(
    corners: &[DVec2],
    section: Ellipse,
    blocks: usize,
) -> Result<LimitSurface, FrictionError> {
    let (spread, torque) = pieces(&[corners], blocks)?;
    joined(spread, torque, section)
}

/// The same of several polygons beside each other under one uniform pressure: a patch with holes, or in
/// several places.
pub fn pieces_set(
    polygons: &[Vec<DVec2>],
    section: Ellipse,
    blocks: usize,
) -> Result<LimitSurface, FrictionError> {
    let (spread, torque) = pieces(polygons, blocks)?;
    joined(spread, torque, section)
}

/// Place, area or share, root mean square radius.
pub(super) type Piece = (DVec2, f64, f64);

/// About `blocks` × `blocks` pieces of polygons about their common centroid, and their torque of pure spin per
/// unit load and coefficient.
pub(super) fn pieces(
    polygons: &[impl AsRef<[DVec2]>],
    blocks: usize,
) -> Result<(Vec<Piece>, f64), FrictionError> {
    let exact = Exact::polygons(polygons)?;
    let about = |corners: &[DVec2]| corners.iter().map(|c| *c - exact.centre()).collect();
    let polygons: Vec<Vec<DVec2>> = polygons.iter().map(|p| about(p.as_ref())).collect();
    let [low, high] = bounds(polygons.iter().flatten());
    let block = (high - low).element_product().sqrt() / blocks.clamp(1, MAX_BLOCKS) as f64;
    let across = ((high - low) / block).map(|w| w.round().clamp(1.0, MAX_BLOCKS as f64));
    let size = (high - low) / across;
    let mut sums = vec![Sums::default(); (across.x * across.y) as usize];
    let [mut strip, mut cell, mut rest] = [const { Vec::new() }; 3];
    for corners in &polygons {
        // Only cells that it reaches.
        let reach = bounds(corners.iter()).map(|p| (p - low) / size);
        let [from, past] = [reach[0].floor().max(DVec2::ZERO), reach[1].ceil().min(across)];
        for i in from.x as usize..past.x as usize {
            let left = low.x + size.x * i as f64;
            clip(corners, DVec2::X, left, &mut rest);
            clip(&rest, -DVec2::X, -left - size.x, &mut strip);
            for j in from.y as usize..past.y as usize {
                let bottom = low.y + size.y * j as f64;
                clip(&strip, DVec2::Y, bottom, &mut rest);
                clip(&rest, -DVec2::Y, -bottom - size.y, &mut cell);
                sums[i * across.y as usize + j]
                    .add(&cell, low + size * DVec2::new(i as f64, j as f64));
            }
        }
    }
    let full = size.element_product();
    Ok((sums.iter().filter_map(|sum| sum.piece(full)).collect(), exact.spin_radius()))
}

fn bounds<'a>(points: impl Iterator<Item = &'a DVec2>) -> [DVec2; 2] {
    let wider = |[low, high]: [DVec2; 2], at: &DVec2| [low.min(*at), high.max(*at)];
    points.fold([DVec2::INFINITY, DVec2::NEG_INFINITY], wider)
}

/// The limit surface of a line along the first axis under uniform pressure, about its middle, made of
/// so many pieces; metres. Pure spin has its exact torque, a quarter of the length.
pub fn line_set(
    length: f64,
    section: Ellipse,
    pieces: usize,
) -> Result<LimitSurface, FrictionError> {
    positive("length", length)?;
    let pieces = pieces.clamp(1, MAX_BLOCKS);
    let piece = length / pieces as f64;
    let place = |i: usize| DVec2::new((i as f64 + 0.5) * piece - 0.5 * length, 0.0);
    let spread = (0..pieces).map(|i| (place(i), 1.0, piece / 12_f64.sqrt())).collect();
    joined(spread, 0.25 * length, section)
}

/// What of a polygon has at · normal ≥ offset.
fn clip(corners: &[DVec2], normal: DVec2, offset: f64, out: &mut Vec<DVec2>) {
    out.clear();
    let Some(mut last) = corners.last().copied() else { return };
    let mut depth = last.dot(normal) - offset;
    for &corner in corners {
        let next = corner.dot(normal) - offset;
        if (depth >= 0.0) != (next >= 0.0) {
            out.push(last + (corner - last) * (depth / (depth - next)));
        }
        if next >= 0.0 {
            out.push(corner);
        }
        (last, depth) = (corner, next);
    }
}

/// Area, first and second moments about an origin, of what of some polygons is in one place.
#[derive(Clone, Copy, Default)]
struct Sums {
    origin: DVec2,
    area: f64,
    moment: DVec2,
    square: f64,
}

impl Sums {
    /// Adds a polygon; `origin` is the same for all.
    fn add(&mut self, corners: &[DVec2], origin: DVec2) {
        self.origin = origin;
        let Some(first) = corners.first() else { return };
        // About a corner of its own, and then about the origin: no digits are lost far from it.
        let (mut area, mut moment, mut square) = (0.0, DVec2::ZERO, 0.0);
        for (i, corner) in corners.iter().enumerate() {
            let (p, q) = (*corner - *first, corners[(i + 1) % corners.len()] - *first);
            let twice = p.perp_dot(q);
            area += twice / 2.0;
            moment += (p + q) * (twice / 6.0);
            square += twice * (p.length_squared() + p.dot(q) + q.length_squared()) / 12.0;
        }
        let sense = 1.0_f64.copysign(area);
        let to = *first - origin;
        self.area += sense * area;
        self.moment += sense * (moment + to * area);
        self.square += sense * (square + 2.0 * to.dot(moment) + to.length_squared() * area);
    }

    /// Centroid, area and root mean square radius about the centroid, unless next to nothing of `full`.
    fn piece(&self, full: f64) -> Option<Piece> {
        let place = self.moment / self.area;
        let spread = self.square / self.area - place.length_squared();
        let sound = self.area > 1e-9 * full && spread > 0.0;
        sound.then(|| (self.origin + place, self.area, spread.sqrt()))
    }
}

/// Parts (place, share, root mean square radius) whose pure spin has just this torque.
fn joined(
    spread: Vec<Piece>,
    wanted: f64,
    section: Ellipse,
) -> Result<LimitSurface, FrictionError> {
    let total: f64 = spread.iter().map(|part| part.1).sum();
    // One factor for all parts: pure spin then has its exact torque. The torque grows with the factor
    // and is convex in it, so that Newton's method from above steps down to it and never past it.
    let mut factor = 1.0;
    for _ in 0..50 {
        let (mut torque, mut slope) = (0.0, 0.0);
        for (place, share, s) in &spread {
            let own = factor * s;
            let length = (place.length_squared() + own * own).sqrt();
            torque += share * length;
            slope += share * own * s / length;
        }
        let step = (torque / total - wanted) / (slope / total);
        let next = (factor - step).clamp(0.3, 1.0);
        if !((next - factor).abs() > 1e-15) {
            break;
        }
        factor = next;
    }
    let part =
        |(place, share, s): (DVec2, f64, f64)| Part { place, share, spin_radius: factor * s };
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

/// Most pieces of a polygon along a side.
pub(super) const MAX_BLOCKS: usize = 64;
/// Samples across a ring.
const SAMPLES: usize = 64;
