//! The patch sampler against the equations as printed, texel by texel and direction by direction.

mod patches;

use asperity_friction::random::Rng;
use asperity_friction::set::Rotation;
use asperity_friction::surface::patch::{
    Directions, Facet, Outline, PatchView, Sampler, Side, Window, reference,
};
use glamx::{DMat2, DMat3, DVec2};
use patches::{RandomPatch, fan, random_patch, rough};

#[test]
fn sectors_give_what_the_equations_say() {
    let mut reached = [0; 3];
    for (number, count) in
        [2, 3, 4, 5, 6, 7, 8, 13, 16, 30, 64, 360].into_iter().cycle().take(1200).enumerate()
    {
        let mut rng = Rng::for_case("patch", number);
        let RandomPatch { reliefs: [a, b], window, corners, facets: sides } =
            random_patch(&mut rng);
        let patch = PatchView {
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
        let patch = |facets| PatchView {
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
        assert_eq!(sampler.sample(&PatchView { window, corners: &[], sides }).covered, covered);
    }
    // A face that faces away is not seen at all.
    let away = [Facet::flat(DMat2::IDENTITY, DVec2::ZERO, 1)];
    let sides =
        [Side { relief: Some(&relief), facets: &away }, Side { relief: None, facets: &other }];
    let sample = sampler.sample(&PatchView { window, corners: &[], sides });
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
                    let sample = sampler.sample(&PatchView { window, corners: &corners, sides });
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
        [[&sides[0][..], &sides[1]], [&flat[0][..], &flat[1]]].map(|[on_a, on_b]| PatchView {
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
