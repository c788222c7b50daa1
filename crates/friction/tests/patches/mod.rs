//! Patches without any order, for tests of everyone who samples patches.

use asperity_friction::random::Rng;
use asperity_friction::set::Rotation;
use asperity_friction::surface::patch::{Facet, Outline, Window};
use asperity_friction::surface::{Mask, Relief, SlopeMap, Wrap};
use glamx::{DMat2, DMat3, DQuat, DVec2, DVec3};

/// A patch and everything it refers to.
pub(crate) struct RandomPatch {
    pub(crate) reliefs: [Relief; 2],
    pub(crate) window: Window,
    pub(crate) corners: Vec<DVec2>,
    pub(crate) facets: [Vec<Facet>; 2],
}

pub(crate) fn random_patch(rng: &mut Rng) -> RandomPatch {
    let reliefs = [rough(rng), rough(rng)];
    let width = rng.log_uniform(0.003, 0.3);
    let rotation = Rotation::from_angle(rng.uniform(-3.2, 3.2));
    let resolution = 1 + rng.index(40);
    let mut window = Window::about_point(width, resolution, 0.01 * width * rng.unit(), rotation);
    let mut corners = Vec::new();
    let facets = [0, 1].map(|side| facets(rng, side, width, &mut corners));
    if rng.chance(0.2) {
        window.clip = Outline::Disc { centre: DVec2::ZERO, radius: 0.3917 * width };
    }
    RandomPatch { reliefs, window, corners, facets }
}

/// Slopes without any order: no two texels tie.
pub(crate) fn rough(rng: &mut Rng) -> Relief {
    let (width, height) = (1 + rng.index(40), 1 + rng.index(40));
    let slopes = (0..width * height).map(|_| [rng.gaussian() as f32, rng.gaussian() as f32]);
    let slopes = slopes.collect();
    let size = DVec2::new(rng.log_uniform(0.01, 0.2), rng.log_uniform(0.01, 0.2));
    let wrap = if rng.chance(0.5) { Wrap::Repeat } else { Wrap::Clamp };
    let map = SlopeMap::new(width, height, slopes, size, wrap).unwrap();
    let mask = match rng.index(3) {
        0 => Mask::Constant(rng.uniform(0.0, 5.0)),
        1 => Mask::from_edges(&map, 0.2, 3.0),
        _ => Mask::Texels((0..width * height).map(|_| rng.unit() as f32).collect()),
    };
    Relief::new(map, mask).unwrap()
}

/// Axes that lie flat or nearly so, facing the other side.
pub(crate) fn frame(rng: &mut Rng, side: usize, lean: f64) -> DMat3 {
    let outward = DVec3::Z * [1.0, -1.0][side];
    let normal = (outward + rng.unit_vector3() * lean).normalize();
    let tangent =
        DQuat::from_axis_angle(normal, rng.uniform(0.0, 6.3)) * normal.any_orthonormal_vector();
    let mirror = if rng.chance(0.2) { -1.0 } else { 1.0 };
    DMat3::from_cols(tangent, normal.cross(tangent) * mirror, normal)
}

/// A side of the patch: a plain face, one with an outline, or a fan of triangles.
pub(crate) fn facets(
    rng: &mut Rng,
    side: usize,
    width: f64,
    corners: &mut Vec<DVec2>,
) -> Vec<Facet> {
    // A texel coordinate of hundreds has 1e-13 for its last digit.
    let uv = DVec2::new(rng.uniform(-0.2, 0.2), rng.uniform(-0.2, 0.2));
    let face = if rng.chance(0.5) {
        let x = rng.unit_vector2();
        let y = x.perp() * rng.sign();
        Facet::flat(DMat2::from_cols(x, y), uv, side)
    } else {
        let lean = [0.005, 0.3][rng.index(2)];
        let point = DVec3::new(0.1, 0.2, 0.01) * width * rng.unit();
        Facet::tilted(point, uv, frame(rng, side, lean)).unwrap()
    };
    match rng.index(4) {
        0 => vec![face],
        1 => {
            let centre = rng.unit_vector2() * (0.4 * width * rng.unit());
            vec![face.within(Outline::Disc { centre, radius: width * rng.uniform(0.1, 0.6) })]
        }
        2 => {
            let first = corners.len() as u32;
            let start = rng.uniform(0.0, 6.3);
            let (count, sense) = (3 + rng.index(4) as u32, rng.sign());
            let around = |i| {
                DVec2::from_angle(
                    start + sense * std::f64::consts::TAU * f64::from(i) / f64::from(count),
                )
            };
            corners.extend((0..count).map(|i| around(i) * (0.5 * width)));
            vec![face.within(Outline::Polygon { first, count })]
        }
        _ => fan(rng, side, width, corners),
    }
}

/// Triangles about a point, as a mesh has them, with texture coordinates of their own.
pub(crate) fn fan(rng: &mut Rng, side: usize, width: f64, corners: &mut Vec<DVec2>) -> Vec<Facet> {
    let count = 3 + rng.index(6);
    let start = rng.uniform(0.0, 6.3);
    let rim: Vec<DVec3> = (0..count)
        .map(|i| {
            let turn = start + std::f64::consts::TAU * i as f64 / count as f64;
            let level = 0.004 * width * rng.uniform(-1.0, 1.0);
            (DVec2::from_angle(turn) * (width * rng.uniform(0.3, 0.9))).extend(level)
        })
        .collect();
    let stretch = DMat2::from_cols(rng.unit_vector2(), rng.unit_vector2());
    // Off the middle of the window, so that no texel has its centre on an edge.
    let middle = DVec3::new(0.0123, -0.0071, 0.0) * width;
    let uv = |p: DVec3| stretch * p.truncate() * 1.7 + DVec2::new(0.3, -0.2);
    (0..count)
        .filter_map(|i| {
            let triangle = [middle, rim[i], rim[(i + 1) % count]];
            let first = corners.len() as u32;
            corners.extend(triangle.map(DVec3::truncate));
            Facet::triangle(triangle, triangle.map(uv), frame(rng, side, 0.2), first)
        })
        .collect()
}
