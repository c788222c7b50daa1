//! The patch sampler against the equations as printed, texel by texel and direction by direction.

use asperity_friction::random::Rng;
use asperity_friction::set::Rotation;
use asperity_friction::surface::patch::{
    Directions, Facet, Outline, Patch, Sampler, Side, Window, reference,
};
use asperity_friction::surface::{Mask, Relief, SlopeMap, Wrap};
use glamx::{DMat2, DMat3, DQuat, DVec2, DVec3};

/// Slopes without any order: no two texels tie.
fn rough(rng: &mut Rng) -> Relief {
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
fn frame(rng: &mut Rng, side: usize, lean: f64) -> DMat3 {
    let outward = DVec3::Z * [1.0, -1.0][side];
    let normal = (outward + rng.unit_vector3() * lean).normalize();
    let tangent =
        DQuat::from_axis_angle(normal, rng.uniform(0.0, 6.3)) * normal.any_orthonormal_vector();
    let mirror = if rng.chance(0.2) { -1.0 } else { 1.0 };
    DMat3::from_cols(tangent, normal.cross(tangent) * mirror, normal)
}

/// A side of the patch: a plain face, one with an outline, or a fan of triangles.
fn facets(rng: &mut Rng, side: usize, width: f64, corners: &mut Vec<DVec2>) -> Vec<Facet> {
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
fn fan(rng: &mut Rng, side: usize, width: f64, corners: &mut Vec<DVec2>) -> Vec<Facet> {
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

#[test]
fn sectors_give_what_the_equations_say() {
    let mut reached = [0; 3];
    for (number, count) in
        [2, 3, 4, 5, 6, 7, 8, 13, 16, 30, 64, 360].into_iter().cycle().take(1200).enumerate()
    {
        let mut rng = Rng::for_case("patch", number);
        let (a, b) = (rough(&mut rng), rough(&mut rng));
        let width = rng.log_uniform(0.003, 0.3);
        let rotation = Rotation::from_angle(rng.uniform(-3.2, 3.2));
        let resolution = 1 + rng.index(40);
        let mut window =
            Window::about_point(width, resolution, 0.01 * width * rng.unit(), rotation);
        let mut corners = Vec::new();
        let sides = [0, 1].map(|side| facets(&mut rng, side, width, &mut corners));
        if rng.chance(0.2) {
            window.clip = Outline::Disc { centre: DVec2::ZERO, radius: 0.3917 * width };
        }
        let patch = Patch {
            window,
            corners: &corners,
            sides: [
                Side { relief: Some(&a), facets: &sides[0] },
                Side { relief: Some(&b).filter(|_| number % 7 != 0), facets: &sides[1] },
            ],
        };
        let directions = Directions::new(count).unwrap();
        let expected = reference::sample(&patch, &directions);
        let mut sampler = Sampler::new(count).unwrap();
        let found = sampler.sample(&patch);
        assert_eq!(found.covered, expected.covered, "case {number}");
        for k in 0..count {
            let (mu, point) = (found.mu(k), found.points[k]);
            assert!((mu - expected.mu[k]).abs() < 1e-12, "case {number}, {k}: {mu} {expected:?}");
            let apart = point.distance(expected.points[k]);
            assert!(
                apart < 1e-12,
                "case {number}, direction {k} of {count}: {apart:e} apart; {} texels",
                found.covered
            );
        }
        let part = found.covered as f64 / found.texels as f64;
        reached[usize::from(part > 0.0) + usize::from(part == 1.0)] += 1;
    }
    // Nothing, a part and all of the window were covered often enough to mean something.
    assert!(reached.iter().all(|n| *n > 50), "{reached:?}");
}

#[test]
fn a_mesh_covers_each_texel_once_and_leaves_none_out() {
    let relief = rough(&mut Rng::new(5));
    let width = 0.1;
    for number in 0..50 {
        let mut rng = Rng::for_case("mesh", number);
        // A square cut into triangles about an inner point, as large as the window.
        let half = 0.5 * width;
        let inner = DVec2::new(rng.uniform(-half, half), rng.uniform(-half, half));
        let rim = [(-half, -half), (half, -half), (half, half), (-half, half)].map(DVec2::from);
        let mut corners = Vec::new();
        let mut facets = Vec::new();
        for i in 0..4 {
            let triangle = [inner, rim[i], rim[(i + 1) % 4]];
            let first = corners.len() as u32;
            corners.extend(triangle);
            let spatial = triangle.map(|p| p.extend(0.0));
            facets.extend(Facet::triangle(spatial, triangle, DMat3::IDENTITY, first));
        }
        let flat = [Facet::flat(DMat2::IDENTITY, DVec2::ZERO, 0)];
        let other = [Facet::flat(DMat2::from_diagonal(DVec2::new(1.0, -1.0)), DVec2::ZERO, 1)];
        let window = Window::about_point(width, 33, 0.0, Rotation::IDENTITY);
        let patch = |facets| Patch {
            window,
            corners: &corners,
            sides: [Side { relief: Some(&relief), facets }, Side { relief: None, facets: &other }],
        };
        let mut sampler = Sampler::new(16).unwrap();
        let whole = sampler.sample(&patch(&flat)).points.to_vec();
        let pieces = sampler.sample(&patch(&facets));
        assert_eq!(pieces.covered, 33 * 33);
        for (a, b) in whole.iter().zip(pieces.points) {
            assert!(a.distance(*b) < 1e-12, "{a} {b}");
        }
    }
}

#[test]
fn what_lies_outside_the_depth_is_not_seen() {
    let relief = rough(&mut Rng::new(3));
    let window = Window::about_point(0.1, 16, 0.002, Rotation::IDENTITY);
    let other = [Facet::flat(DMat2::IDENTITY, DVec2::ZERO, 1)];
    let mut sampler = Sampler::new(16).unwrap();
    // Half of 2 mm + 1 mm is seen.
    for (height, covered) in [(0.00149, 256), (0.00151, 0), (-0.00149, 256), (-0.00151, 0)] {
        let facets = [Facet { height, ..Facet::flat(DMat2::IDENTITY, DVec2::ZERO, 0) }];
        let sides = [
            Side { relief: Some(&relief), facets: &facets },
            Side { relief: None, facets: &other },
        ];
        assert_eq!(sampler.sample(&Patch { window, corners: &[], sides }).covered, covered);
    }
    // A face that faces away is not seen at all.
    let away = [Facet::flat(DMat2::IDENTITY, DVec2::ZERO, 1)];
    let sides =
        [Side { relief: Some(&relief), facets: &away }, Side { relief: None, facets: &other }];
    let sample = sampler.sample(&Patch { window, corners: &[], sides });
    assert!(sample.covered == 0 && sample.points.iter().all(|p| *p == DVec2::ZERO));
}

#[test]
fn nonsense_covers_nothing_and_does_not_panic() {
    let relief = rough(&mut Rng::new(8));
    let mut sampler = Sampler::new(16).unwrap();
    let bad = [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300];
    for value in bad {
        let flat = Facet::flat(DMat2::IDENTITY, DVec2::splat(value), 0);
        let tilted = Facet { rise: DVec2::splat(value), height: value, ..flat };
        let gone = flat.within(Outline::Polygon { first: 7, count: u32::MAX });
        let disc = flat.within(Outline::Disc { centre: DVec2::splat(value), radius: value });
        let triangle = flat.within(Outline::Polygon { first: 0, count: 3 });
        let corners = [DVec2::splat(value), DVec2::X, DVec2::Y];
        let facets = [tilted, gone, disc, triangle, Facet { uv_from_plane: DMat2::NAN, ..flat }];
        let other = [Facet::flat(DMat2::IDENTITY, DVec2::ZERO, 1)];
        for resolution in [0, 1, 16, usize::MAX] {
            for size in [DVec2::splat(0.1), DVec2::splat(value)] {
                let window = Window {
                    size,
                    ..Window::about_point(0.1, resolution, value, Rotation::IDENTITY)
                };
                for facet in &facets {
                    let sides = [
                        Side { relief: Some(&relief), facets: std::slice::from_ref(facet) },
                        Side { relief: Some(&relief), facets: &other },
                    ];
                    let sample = sampler.sample(&Patch { window, corners: &corners, sides });
                    assert!(sample.points.iter().all(|p| p.is_finite()), "{value} {facet:?}");
                }
            }
        }
    }
}

#[test]
fn a_patch_no_larger_than_before_allocates_nothing() {
    let mut rng = Rng::new(17);
    let (a, b) = (rough(&mut rng), rough(&mut rng));
    let width = 0.05;
    let mut corners = Vec::new();
    let sides = [0, 1].map(|side| fan(&mut rng, side, width, &mut corners));
    let flat = [0, 1].map(|side| [Facet::flat(DMat2::IDENTITY, DVec2::ZERO, side)]);
    let mut window = Window::about_point(width, 64, 0.0, Rotation::IDENTITY);
    window.clip = Outline::Disc { centre: DVec2::ZERO, radius: width };
    let patches =
        [[&sides[0][..], &sides[1]], [&flat[0][..], &flat[1]]].map(|[on_a, on_b]| Patch {
            window,
            corners: &corners,
            sides: [
                Side { relief: Some(&a), facets: on_a },
                Side { relief: Some(&b), facets: on_b },
            ],
        });
    let mut sampler = Sampler::new(16).unwrap();
    let mut all = || patches.iter().map(|patch| sampler.sample(patch).mu(0)).sum::<f64>();
    let first = all();
    let mut second = 0.0;
    let info = allocation_counter::measure(|| second = all());
    assert_eq!(info.count_total, 0);
    assert_eq!(first.to_bits(), second.to_bits());
}
