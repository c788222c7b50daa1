//! The equations of Andrews 2021 as printed: every texel, every direction, one after the other.
//! For comparison, and for windows with a [`Manner`](super::Manner) of their own; it allocates and is slow.

use std::f64::consts::FRAC_2_PI;

use glamx::{DVec2, DVec3};

use super::facet::EDGE_ON;
use super::{Directions, Facet, OUTWARD, Outline, PatchView, RESISTS, Window};
use crate::surface::{MAX_SLOPE, Mask, Relief};

/// What [`Sampler::sample`](super::Sampler::sample) gives, in the window's axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// Texels that both surfaces cover.
    pub covered: usize,
    /// Those of them that touch.
    pub touching: usize,
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
    /// The mask, which is in `resists`.
    pub mask: f64,
    /// Where the surface is over the contact plane, metres along the normal, its own height
    /// included where that is known.
    pub height: f64,
}

/// Samples a patch.
pub fn sample(patch: &PatchView, directions: &Directions) -> Reference {
    let (n, manner) = (patch.window.resolution, &patch.window.manner);
    let texels = (0..n * n).filter_map(|i| match look(patch, i % n, i / n) {
        [Some(a), Some(b)] => Some([a, b]),
        _ => None,
    });
    let texels: Vec<[Seen; 2]> = texels.collect();
    let weights = manner.bed.map_or_else(
        || vec![1.0; texels.len()],
        |bed| {
            let heights: Vec<f64> = texels.iter().map(|[a, b]| a.height - b.height).collect();
            bed.press(&heights, patch.window.size.element_product() / (n * n) as f64)
        },
    );
    let count = directions.count();
    let mut result = Reference {
        covered: texels.len(),
        touching: weights.iter().filter(|w| **w > 0.0).count(),
        mu: vec![0.0; count],
        points: vec![DVec2::ZERO; count],
    };
    for ([a, b], weight) in texels.iter().zip(&weights) {
        for index in 0..count {
            let direction = directions.get(index);
            let d = patch.window.rotation.to_frame(direction);
            for seen in [a, b] {
                let along = seen.resists.dot(d).max(0.0);
                if manner.eight_bit {
                    let kept = seen.mask * in_eight_bits(along, seen.mask) * weight;
                    result.mu[index] += kept;
                    result.points[index] += direction * kept;
                } else if along > 0.0 {
                    result.mu[index] += along * weight;
                    result.points[index] += patch.window.rotation.to_axes(seen.resists) * *weight;
                }
            }
        }
    }
    let total: f64 = weights.iter().sum();
    let scale = if total > 0.0 { 1.0 / total } else { 0.0 };
    for k in 0..count {
        result.mu[k] *= scale;
        result.points[k] *= scale;
    }
    result
}

/// A coefficient of Eq. 5 as a channel of a picture holds it: of 256 values, the largest 1.
fn in_eight_bits(masked: f64, mask: f64) -> f64 {
    if mask > 0.0 { (255.0 * (masked / mask).min(1.0)).round() / 255.0 } else { 0.0 }
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
        let looked_up = match patch.sides[side].relief {
            Some(relief) if window.manner.filter => filtered(relief, facet, window, at),
            Some(relief) => looked_up(relief, facet.uv + facet.uv_from_plane * at),
            None => Looked::default(),
        };
        Some(facet_of(looked_up, side, facet, at))
    })
}

/// Eqs. 3 to 6 for one facet.
fn facet_of(looked_up: Looked, side: usize, facet: &Facet, at: DVec2) -> Seen {
    let Looked { slope: s, mask: k, height } = looked_up;
    let m = (facet.normal - facet.tangent * s.x - facet.bitangent * s.y).normalize();
    let normal = DVec3::Z * OUTWARD[side];
    let theta = m.dot(normal).clamp(-1.0, 1.0).acos();
    let projected = m - normal * m.dot(normal);
    // For small θ the arc cosine has lost its digits; the sine has them.
    let tangent = if theta < 0.5 { projected.length() / m.dot(normal) } else { theta.tan() };
    let tangent = if tangent < 0.0 { MAX_SLOPE } else { tangent.min(MAX_SLOPE) };
    let leaning = projected.normalize_or_zero().truncate();
    Seen {
        normal: m,
        resists: leaning * (RESISTS[side] * k * FRAC_2_PI * tangent),
        mask: k,
        height: facet.height + facet.rise.dot(at) + OUTWARD[side] * height,
    }
}

/// The first facet of a side at a point of the contact plane.
pub(super) fn seen<'a>(patch: &PatchView<'a>, side: usize, at: DVec2) -> Option<&'a Facet> {
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

/// What a relief is at a point of the surface.
#[derive(Debug, Clone, Copy, Default)]
struct Looked {
    slope: DVec2,
    mask: f64,
    /// Metres; zero where it is not known.
    height: f64,
}

/// Most places along a side of a texel of the window at which a filter looks.
const MOST_PLACES: f64 = 64.0;

/// The mean over what a texel of the window covers: one place for each texel of the map.
fn filtered(relief: &Relief, facet: &Facet, window: &Window, at: DVec2) -> Looked {
    let texels_per_metre = relief.map().texels_per_metre();
    let cell = window.size / window.resolution as f64;
    let [x, y] = [DVec2::X * cell.x, DVec2::Y * cell.y]
        .map(|side| facet.uv_from_plane * window.rotation.to_frame(side));
    let places =
        [x, y].map(|side| (side * texels_per_metre).length().ceil().clamp(1.0, MOST_PLACES));
    let middle = facet.uv + facet.uv_from_plane * at;
    let mut mean = Looked::default();
    for j in 0..places[1] as usize {
        for i in 0..places[0] as usize {
            let part = |k: usize, n: f64| (k as f64 + 0.5) / n - 0.5;
            let one = looked_up(relief, middle + x * part(i, places[0]) + y * part(j, places[1]));
            mean.slope += one.slope;
            mean.mask += one.mask;
            mean.height += one.height;
        }
    }
    let scale = 1.0 / (places[0] * places[1]);
    Looked { slope: mean.slope * scale, mask: mean.mask * scale, height: mean.height * scale }
}

/// Slope, mask and height at a point of the surface, bilinear.
fn looked_up(relief: &Relief, uv: DVec2) -> Looked {
    let map = relief.map();
    let (width, height) = map.dimensions();
    let at = uv / map.size() * DVec2::new(width as f64, height as f64) - 0.5;
    let (low, part) = (at.floor(), at - at.floor());
    let index = |i: f64, n: usize| match map.wrap() {
        crate::surface::Wrap::Repeat => i.rem_euclid(n as f64) as usize,
        crate::surface::Wrap::Clamp => i.clamp(0.0, n as f64 - 1.0) as usize,
    };
    let mut looked = Looked::default();
    for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        let weight_x = if dx == 0.0 { 1.0 - part.x } else { part.x };
        let weight_y = if dy == 0.0 { 1.0 - part.y } else { part.y };
        let texel = index(low.y + dy, height) * width + index(low.x + dx, width);
        looked.slope += map.slope_of(texel) * (weight_x * weight_y);
        let height = map.heights().map_or(0.0, |h| f64::from(h[texel]));
        looked.height += weight_x * weight_y * height;
        looked.mask += weight_x
            * weight_y
            * match relief.mask() {
                Mask::Constant(k) => *k,
                Mask::Texels(k) => f64::from(k[texel]),
            };
    }
    looked
}
