//! The equations of Andrews 2021 as printed: every texel, every direction, one after the other.
//! For comparison; it allocates and is slow.

use std::f64::consts::FRAC_2_PI;

use glamx::{DVec2, DVec3};

use super::facet::EDGE_ON;
use super::{Directions, Facet, OUTWARD, Outline, Patch, RESISTS};
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

/// Samples a patch.
pub fn sample(patch: &Patch, directions: &Directions) -> Reference {
    let n = patch.window.resolution;
    let count = directions.count();
    let mut result =
        Reference { covered: 0, mu: vec![0.0; count], points: vec![DVec2::ZERO; count] };
    for row in 0..n {
        for column in 0..n {
            let local = patch.window.centre(column, row);
            let at = patch.window.rotation.to_frame(local);
            let seen = [0, 1].map(|side| seen(patch, side, at));
            if let (true, [Some(a), Some(b)]) = (inside(patch, patch.window.clip, at), seen) {
                result.covered += 1;
                add(patch, 0, a, at, directions, &mut result);
                add(patch, 1, b, at, directions, &mut result);
            }
        }
    }
    for k in 0..count {
        result.mu[k] /= result.covered.max(1) as f64;
        result.points[k] /= result.covered.max(1) as f64;
    }
    result
}

/// Adds one facet's Eq. 5 for all directions.
fn add(
    patch: &Patch,
    side: usize,
    facet: &Facet,
    at: DVec2,
    directions: &Directions,
    result: &mut Reference,
) {
    let Some(relief) = patch.sides[side].relief else { return };
    let (s, k) = looked_up(relief, facet.uv + facet.uv_from_plane * at);
    let m = (facet.normal - facet.tangent * s.x - facet.bitangent * s.y).normalize();
    let normal = DVec3::Z * OUTWARD[side];
    let theta = m.dot(normal).clamp(-1.0, 1.0).acos();
    // For small θ the arc cosine has lost its digits; the sine has them.
    let projected = m - normal * m.dot(normal);
    let tangent = if theta < 0.5 { projected.length() / m.dot(normal) } else { theta.tan() };
    let tangent = if tangent < 0.0 { MAX_SLOPE } else { tangent.min(MAX_SLOPE) };
    let leaning = projected.normalize_or_zero();
    for index in 0..directions.count() {
        let d = directions.get(index);
        let world = patch.window.rotation.to_frame(d).extend(0.0);
        let along = RESISTS[side] * leaning.dot(world);
        result.mu[index] += k * along.max(0.0) * FRAC_2_PI * tangent;
        if along > 0.0 {
            let g = leaning.truncate() * (RESISTS[side] * k * FRAC_2_PI * tangent);
            result.points[index] += patch.window.rotation.to_axes(g);
        }
    }
}

/// The first facet of a side at a point of the contact plane.
fn seen<'a>(patch: &Patch<'a>, side: usize, at: DVec2) -> Option<&'a Facet> {
    patch.sides[side].facets.iter().find(|facet| {
        facet.normal.z * OUTWARD[side] > EDGE_ON
            && (facet.height + facet.rise.dot(at)).abs() <= 0.5 * patch.window.depth
            && inside(patch, facet.outline, at)
    })
}

fn inside(patch: &Patch, outline: Outline, at: DVec2) -> bool {
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
