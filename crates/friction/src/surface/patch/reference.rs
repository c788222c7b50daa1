//! The equations of Andrews 2021 as printed: every texel, every direction, one after the other.
//! For comparison; it allocates and is slow.

use std::f64::consts::FRAC_2_PI;

use glamx::{DVec2, DVec3};

use super::facet::EDGE_ON;
use super::{Directions, Facet, OUTWARD, Outline, PatchView, RESISTS};
use crate::surface::{MAX_SLOPE, Mask, Relief};

/// What [`Sampler::sample`](super::Sampler::sample) gives, in the window's axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// Texels that both surfaces cover.
    pub covered: usize,
    /// μ(d) of each direction, without the ambient coefficient.
    pub mu: Vec<f64>,
    /// The sum of the slope vectors that resist each direction.
    pub points: Vec<DVec2>,
}

/// What a texel shows of a surface, in contact coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// Unit normal of the facet.
    pub normal: DVec3,
    /// The vector whose part along d, if positive, is the coefficient of Eq. 5 for motion of B
    /// along d, mask included. Zero on a smooth surface.
    pub resists: DVec2,
}

/// Samples a patch.
pub fn sample(patch: &PatchView, directions: &Directions) -> Reference {
    let n = patch.window.resolution;
    let count = directions.count();
    let mut result =
        Reference { covered: 0, mu: vec![0.0; count], points: vec![DVec2::ZERO; count] };
    for row in 0..n {
        for column in 0..n {
            let [Some(a), Some(b)] = look(patch, column, row) else { continue };
            result.covered += 1;
            for index in 0..count {
                let d = patch.window.rotation.to_frame(directions.get(index));
                for g in [a.resists, b.resists] {
                    result.mu[index] += g.dot(d).max(0.0);
                    if g.dot(d) > 0.0 {
                        result.points[index] += patch.window.rotation.to_axes(g);
                    }
                }
            }
        }
    }
    for k in 0..count {
        result.mu[k] /= result.covered.max(1) as f64;
        result.points[k] /= result.covered.max(1) as f64;
    }
    result
}

/// What texel (column, row) of the window shows of A and of B.
pub fn look(patch: &PatchView, column: usize, row: usize) -> [Option<Seen>; 2] {
    let window = &patch.window;
    let [at, decided_at] = [window.centre(column, row), window.decided_at(column, row)]
        .map(|place| window.rotation.to_frame(place));
    if !inside(patch, window.clip, decided_at) {
        return [None; 2];
    }
    [0, 1].map(|side| {
        let facet = seen(patch, side, decided_at)?;
        Some(facet_of(patch.sides[side].relief, side, facet, at))
    })
}

/// Eqs. 3 to 6 for one facet.
fn facet_of(relief: Option<&Relief>, side: usize, facet: &Facet, at: DVec2) -> Seen {
    let uv = facet.uv + facet.uv_from_plane * at;
    let (s, k) = relief.map_or((DVec2::ZERO, 0.0), |relief| looked_up(relief, uv));
    let m = (facet.normal - facet.tangent * s.x - facet.bitangent * s.y).normalize();
    let normal = DVec3::Z * OUTWARD[side];
    let theta = m.dot(normal).clamp(-1.0, 1.0).acos();
    let projected = m - normal * m.dot(normal);
    // For small θ the arc cosine has lost its digits; the sine has them.
    let tangent = if theta < 0.5 { projected.length() / m.dot(normal) } else { theta.tan() };
    let tangent = if tangent < 0.0 { MAX_SLOPE } else { tangent.min(MAX_SLOPE) };
    let leaning = projected.normalize_or_zero().truncate();
    Seen { normal: m, resists: leaning * (RESISTS[side] * k * FRAC_2_PI * tangent) }
}

/// The first facet of a side at a point of the contact plane.
fn seen<'a>(patch: &PatchView<'a>, side: usize, at: DVec2) -> Option<&'a Facet> {
    patch.sides[side].facets.iter().find(|facet| {
        facet.normal.z * OUTWARD[side] > EDGE_ON
            && (facet.height + facet.rise.dot(at)).abs() <= 0.5 * patch.window.depth
            && inside(patch, facet.outline, at)
    })
}

fn inside(patch: &PatchView, outline: Outline, at: DVec2) -> bool {
    match outline {
        Outline::Everything => true,
        Outline::Disc { centre, radius } => at.distance(centre) < radius,
        Outline::Polygon { first, count } => {
            let corner = |i: u32| patch.corners[(first + i % count) as usize];
            let sides = (0..count).map(|i| (corner(i + 1) - corner(i)).perp_dot(at - corner(i)));
            let (left, right) =
                sides.fold((true, true), |(l, r), s| (l && s >= 0.0, r && s <= 0.0));
            left || right
        }
    }
}

/// Slope and mask at a point of the surface, bilinear.
fn looked_up(relief: &Relief, uv: DVec2) -> (DVec2, f64) {
    let map = relief.map();
    let (width, height) = map.dimensions();
    let at = uv / map.size() * DVec2::new(width as f64, height as f64) - 0.5;
    let (low, part) = (at.floor(), at - at.floor());
    let index = |i: f64, n: usize| match map.wrap() {
        crate::surface::Wrap::Repeat => i.rem_euclid(n as f64) as usize,
        crate::surface::Wrap::Clamp => i.clamp(0.0, n as f64 - 1.0) as usize,
    };
    let (mut slope, mut mask) = (DVec2::ZERO, 0.0);
    for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        let weight_x = if dx == 0.0 { 1.0 - part.x } else { part.x };
        let weight_y = if dy == 0.0 { 1.0 - part.y } else { part.y };
        let texel = index(low.y + dy, height) * width + index(low.x + dx, width);
        slope += map.slope_of(texel) * (weight_x * weight_y);
        mask += weight_x
            * weight_y
            * match relief.mask() {
                Mask::Constant(k) => *k,
                Mask::Texels(k) => f64::from(k[texel]),
            };
    }
    (slope, mask)
}
