//! Rays on an adapter against closed forms, rays in plain code and the exact overlap.

mod ray_support;
#[path = "../../geometry/tests/volume_support/mod.rs"]
mod volume_support;

use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::time::Instant;

use asperity_friction::random::Rng;
use asperity_geometry::shape::Shape;
use asperity_geometry::volume::overlap_by_rays;
use asperity_gpu::{RayMesh, RayPair};
use glamx::{DMat3, DPose3, DVec3};
use ray_support::{Solid, at, devices, one};
use volume_support::{close, closed, largest, torus, turned};

/// What rays here and rays in plain code may differ by, with as many of both: single precision.
const AGREEMENT: f64 = 2e-6;

#[test]
fn boxes_share_a_box() {
    for mut rays in devices() {
        let cube = Solid::cuboid(1.0, 1.0, 1.0);
        let found = one(&mut rays, &cube, &cube, at(0.5, -0.25, 0.125), 56).unwrap();
        let size = DVec3::new(0.5, 0.75, 0.875);
        // Rays 1/64 apart fill this region exactly.
        let (volume, cell) = (size.element_product(), 1.0 / 64.0);
        close(found.volume, volume, 1e-6 * volume);
        assert!(found.centroid.distance(DVec3::new(0.25, -0.125, 0.0625)) < 1e-6, "{found:?}");
        // Two of three directions see cells, whose middles are nearer to each other than their ends.
        let spread = (size * size - cell * cell * 2.0 / 3.0) * volume / 12.0;
        assert!(largest(found.second_moment - DMat3::from_diagonal(spread)) < 1e-7, "{found:?}");
        let gradient = DVec3::new(-size.y * size.z, size.z * size.x, -size.x * size.y);
        assert!(found.gradient_linear.distance(gradient) < 1e-6, "{found:?}");
        assert!(found.gradient_angular.length() < 1e-6, "{found:?}");
    }
}

#[test]
fn turned_boxes_share_an_octagon() {
    for mut rays in devices() {
        let (cube, tower) = (Solid::cuboid(1.0, 1.0, 1.0), Solid::cuboid(1.0, 1.0, 1.5));
        let turned = DPose3::new(DVec3::ZERO, DVec3::Z * (PI / 4.0));
        let octagon = 2.0 * 2.0_f64.sqrt() - 2.0;
        for count in [16, 32, 64, 128, 256] {
            let found = one(&mut rays, &cube, &tower, turned, count).unwrap();
            close(found.volume, octagon, 0.5 / count as f64);
            assert!(found.centroid.length() < 1e-5, "{found:?}");
            assert!(found.gradient_linear.length() < 1e-5, "{found:?}");
        }
    }
}

#[test]
fn spheres_share_a_lens() {
    for mut rays in devices() {
        let ball = Solid::of(&Shape::Sphere { radius: 1.0 });
        let apart = 1.2;
        let found = one(&mut rays, &ball, &ball, at(0.0, apart, 0.0), 192).unwrap();
        let cap = 1.0 - apart / 2.0;
        let lens = 2.0 * PI * cap * cap * (3.0 - cap) / 3.0;
        // 48 segments around: 0.6 % smaller than a ball, and more so in a lens.
        assert!(found.volume < lens && found.volume > 0.98 * lens, "{} {lens}", found.volume);
        assert!(found.centroid.distance(DVec3::Y * apart / 2.0) < 1e-3, "{found:?}");
        let disc = PI * (1.0 - apart * apart / 4.0);
        close(found.gradient_linear.y, -disc, 0.02 * disc);
    }
}

#[test]
fn rays_converge_to_the_exact_overlap_and_are_those_of_plain_code() {
    let bodies = [
        Solid::of(&torus(0.5, 0.2, 24, 12)),
        Solid::cuboid(0.6, 0.5, 0.7),
        Solid::of(&Shape::Cone { half_height: 0.5, radius: 0.4 }),
        Solid::of(&Shape::Sphere { radius: 0.45 }),
    ];
    let shapes: Vec<_> = bodies.iter().map(|body| closed(&body.shape())).collect();
    let meshes: Vec<RayMesh> = bodies.iter().map(Solid::mesh).collect();
    let (mut pairs, mut exacts) = (Vec::new(), Vec::new());
    for (k, (a, b)) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))).enumerate() {
        let b_in_a = DPose3::from_parts(DVec3::new(0.2, 0.3, 0.1), turned(k as u32).rotation);
        let found = volume_support::all(&shapes[a], &DPose3::IDENTITY, &shapes[b], &b_in_a);
        let [exact] = found[..] else { continue };
        // One tip in another is less than rays can see.
        if exact.volume < 1e-4 {
            continue;
        }
        for rays in [24, 48, 96, 192] {
            pairs.push(RayPair { a, b, b_in_a, rays });
            exacts.push(exact);
        }
    }
    assert!(pairs.len() >= 40, "{}", pairs.len());
    for mut rays in devices() {
        let all = rays.overlaps(&meshes, &pairs).unwrap();
        let (mut worst, mut by_rays) = ([0.0_f64; 2], BTreeMap::new());
        for ((pair, exact), found) in pairs.iter().zip(&exacts).zip(&all) {
            let plain = overlap_by_rays(
                &shapes[pair.a],
                &DPose3::IDENTITY,
                &shapes[pair.b],
                &pair.b_in_a,
                pair.rays,
            );
            let Some(found) = found else { panic!("{pair:?}: {exact:?} {plain:?}") };
            let limits = [2.0 / pair.rays as f64, AGREEMENT];
            for (which, other) in [*exact, plain.unwrap()].iter().enumerate() {
                // In units of the overlap's length: that of a bar with the same moment.
                let size = (12.0 * largest(exact.second_moment) / exact.volume).sqrt();
                let errors = [
                    (found.volume / other.volume - 1.0).abs(),
                    found.centroid.distance(other.centroid) / size,
                    largest(found.second_moment - other.second_moment)
                        / (exact.volume * size * size),
                    found.gradient_linear.distance(other.gradient_linear) / exact.surface,
                    found.gradient_angular.distance(other.gradient_angular)
                        / (exact.surface * size),
                ];
                let error = errors.into_iter().fold(0.0, f64::max);
                assert!(error < limits[which], "{pair:?}: {errors:?}, {which}");
                worst[which] = worst[which].max(error / limits[which]);
                if which == 0 {
                    *by_rays.entry(pair.rays).or_insert(0.0) += 4.0 * error / pairs.len() as f64;
                }
            }
        }
        let count = pairs.len();
        eprintln!("{}: {count} pairs, mean errors {by_rays:?}, of limits {worst:?}", rays.name());
        for (few, many) in [(24, 48), (48, 96), (96, 192)] {
            assert!(by_rays[&many] < 0.6 * by_rays[&few], "{by_rays:?}");
        }
    }
}

#[test]
fn many_pairs_at_once_are_the_pairs_one_by_one() {
    let solids = [
        Solid::of(&torus(0.5, 0.2, 24, 12)),
        Solid::tiled(4).scaled(0.3),
        Solid::of(&torus(0.4, 0.15, 12, 6)),
    ];
    let meshes: Vec<RayMesh> = solids.iter().map(Solid::mesh).collect();
    let mut rng = Rng::new(7);
    let mut pick = |low, high| rng.uniform(low, high);
    let mut pairs = Vec::new();
    for k in 0..400 {
        let place = DVec3::new(pick(-0.6, 0.6), pick(-0.6, 0.6), pick(-0.6, 0.6));
        let turn = DVec3::new(pick(-3.0, 3.0), pick(-3.0, 3.0), pick(-3.0, 3.0));
        let b_in_a = DPose3::new(place, turn);
        pairs.push(RayPair { a: k % 3, b: (k / 3) % 3, b_in_a, rays: 2 + k % 23 });
    }
    for mut rays in devices() {
        let all = rays.overlaps(&meshes, &pairs).unwrap();
        assert_eq!(rays.submissions(), 1);
        assert!(all.iter().filter(|found| found.is_some()).count() > 300);
        for (pair, found) in pairs.iter().zip(&all).step_by(7) {
            assert_eq!(rays.overlaps(&meshes, &[*pair]).unwrap(), [*found], "{pair:?}");
        }
        // The same in little memory.
        rays.limit_batches(56 << 10);
        assert_eq!(rays.overlaps(&meshes, &pairs).unwrap(), all);
        assert!(rays.submissions() > 3, "{}", rays.submissions());
        rays.limit_batches(16 << 10);
        let error = rays.overlaps(&meshes, &pairs).unwrap_err().to_string();
        assert!(error.contains("pair 0 needs") && error.contains("16384"), "{error}");
    }
}

#[test]
fn a_mesh_shares_all_of_itself() {
    for mut rays in devices() {
        for solid in [Solid::cuboid(1.0, 2.0, 3.0), Solid::of(&torus(0.5, 0.2, 24, 12))] {
            let found = one(&mut rays, &solid, &solid, DPose3::IDENTITY, 96).unwrap();
            close(found.volume / solid.volume(), 1.0, 3e-3);
        }
        let cube = Solid::cuboid(1.0, 1.0, 1.0);
        let found = one(&mut rays, &cube, &cube, DPose3::IDENTITY, 64).unwrap();
        close(found.volume, 1.0, 1e-6);
    }
}

#[test]
fn no_ray_slips_through_corners_and_edges() {
    for mut rays in devices() {
        let cube = Solid::cuboid(3.0, 3.0, 3.0);
        for count in [4, 16, 33] {
            // Every ray passes through corners of the tiles.
            let tiled = Solid::tiled(2 * count);
            let rays = &mut rays;
            for found in [
                one(rays, &tiled, &cube, DPose3::IDENTITY, count as usize),
                one(rays, &cube, &tiled, DPose3::IDENTITY, count as usize),
                one(rays, &tiled, &tiled, DPose3::IDENTITY, count as usize),
            ] {
                close(found.unwrap().volume, 8.0, 1e-5);
            }
        }
    }
}

#[test]
fn surfaces_in_surfaces_and_more_hits_than_are_kept_count() {
    for mut rays in devices() {
        let (cube, hole) = (Solid::cuboid(1.0, 1.0, 1.0), Solid::cuboid(0.5, 0.5, 0.5));
        let hollow = Solid::together(&[(DVec3::ZERO, &cube), (DVec3::ZERO, &hole.inverted())]);
        let found = one(&mut rays, &hollow, &cube, DPose3::IDENTITY, 64).unwrap();
        close(found.volume, 0.875, 1e-5);
        let inside = Solid::cuboid(0.4, 0.4, 0.4);
        assert_eq!(one(&mut rays, &hollow, &inside, DPose3::IDENTITY, 32), None);
        // Two that lie in each other count twice there.
        let twice = Solid::together(&[(DVec3::ZERO, &cube), (DVec3::X * 0.5, &cube)]);
        let found = one(&mut rays, &twice, &cube, at(0.25, 0.0, 0.0), 64).unwrap();
        close(found.volume, 1.5, 1e-5);

        // 40 plates, 80 crossings; rays 1/80 apart fill plates and gaps exactly.
        let plate = Solid::cuboid(1.0, 0.0125, 1.0);
        let plates: Vec<_> = (0..40).map(|k| (DVec3::Y * (0.025 * f64::from(k)), &plate)).collect();
        let (comb, block) = (Solid::together(&plates), Solid::cuboid(3.0, 3.0, 3.0));
        for (a, b) in [(&comb, &block), (&block, &comb), (&comb, &comb)] {
            let found = one(&mut rays, a, b, DPose3::IDENTITY, 80).unwrap();
            close(found.volume, 0.5, 1e-5);
            assert!(found.centroid.distance(DVec3::Y * 0.4875) < 1e-5, "{found:?}");
        }
        let found = one(&mut rays, &block, &comb, DPose3::IDENTITY, 80).unwrap();
        assert!(found.gradient_linear.length() < 1e-5, "{found:?}");
    }
}

#[test]
fn small_overlaps_of_large_bodies_keep_their_digits() {
    for mut rays in devices() {
        let box_of_1 = Solid::cuboid(1.0, 1.0, 1.0);
        let found = one(&mut rays, &box_of_1, &box_of_1, at(0.3, 0.2, 0.1), 40).unwrap();
        for by in [1e-6, 1e-3, 1e3, 1e6] {
            let large = box_of_1.scaled(by);
            let other = one(&mut rays, &large, &large, at(0.3 * by, 0.2 * by, 0.1 * by), 40);
            close(other.unwrap().volume / (found.volume * by.powi(3)), 1.0, 1e-6);
        }
        // A cube of 10 cm, one millimetre deep in a floor of 100 m, far from its middle.
        let (floor, cube) = (Solid::cuboid(100.0, 2.0, 100.0), Solid::cuboid(0.1, 0.1, 0.1));
        let found = one(&mut rays, &floor, &cube, at(31.7, 1.049, -22.1), 200).unwrap();
        close(found.volume / 1e-5, 1.0, 2e-3);
        close(found.gradient_linear.y / -1e-2, 1.0, 1e-3);
        let place = DPose3::from_parts(DVec3::new(0.3, 0.0, 0.0), turned(3).rotation);
        let [here, there] = [0.0, 1.0].map(|way| {
            let shift = way * DVec3::new(1e3, -2e3, 4e3);
            let moved = Solid::together(&[(shift, &box_of_1)]);
            let pose = DPose3::from_parts(place.translation + shift, place.rotation);
            one(&mut rays, &moved, &box_of_1, pose, 64).unwrap()
        });
        close(there.volume / here.volume, 1.0, 1e-4);
    }
}

#[test]
fn what_is_wrong_is_named_and_what_is_apart_shares_nothing() {
    for mut rays in devices() {
        let cube = Solid::cuboid(1.0, 1.0, 1.0);
        for apart in [at(1.0, 0.0, 0.0), at(0.0, 5.0, 0.0), at(1e300, 0.0, 0.0)] {
            assert_eq!(one(&mut rays, &cube, &cube, apart, 32), None);
        }
        // Boxes meet, bodies do not.
        let ball = Solid::of(&Shape::Sphere { radius: 0.5 });
        assert_eq!(one(&mut rays, &ball, &ball, at(0.8, 0.8, 0.0), 32), None);
        assert_eq!(rays.overlaps(&[], &[]).unwrap(), []);

        let good = RayPair { a: 0, b: 0, b_in_a: DPose3::IDENTITY, rays: 8 };
        let mut off = DPose3::IDENTITY;
        off.rotation.w = 2.0;
        for (pair, message) in [
            (RayPair { b: 1, ..good }, "pair 1: b is 1; expected one of the 1 meshes"),
            (RayPair { rays: 1, ..good }, "pair 1: rays is 1; expected 2 to 4096"),
            (RayPair { b_in_a: at(f64::NAN, 0.0, 0.0), ..good }, "pair 1: b_in_a has numbers"),
            (RayPair { b_in_a: off, ..good }, "pair 1: the quaternion of b_in_a has the length 2"),
        ] {
            let error = rays.overlaps(&[cube.mesh()], &[good, pair]).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        let with = |change: &dyn Fn(&mut Solid)| {
            let mut solid = cube.clone();
            change(&mut solid);
            solid
        };
        for (solid, message) in [
            (with(&|s| s.triangles.clear()), "mesh 1 has 0 triangles"),
            (with(&|s| s.positions.clear()), "has 0 positions"),
            (with(&|s| s.triangles[3][1] = 99), "triangle 3 has the corner 99"),
            (with(&|s| s.positions[2].y = f64::NAN), "expected finite numbers"),
            (with(&|s| s.triangles.truncate(11)), "mesh 1 is open: 3 of its edges"),
            (cube.inverted(), "encloses -1 m³"),
            (cube.scaled(0.0), "mesh 1 is 0 m large"),
        ] {
            let meshes = [cube.mesh(), solid.mesh()];
            let error = rays.overlaps(&meshes, &[good]).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}

/// The figures of `docs/gpu.md`: `cargo test -p asperity-gpu --test volume_rays times -- --ignored
/// --nocapture`.
#[test]
#[ignore = "takes the time"]
fn times_of_many_pairs() {
    let solids = [Solid::of(&torus(0.5, 0.2, 24, 12)), Solid::of(&torus(0.5, 0.2, 160, 80))];
    let meshes: Vec<RayMesh> = solids.iter().map(Solid::mesh).collect();
    for mut rays in devices() {
        for (mesh, count) in [(0, 1), (0, 10), (0, 100), (1, 1), (1, 10)] {
            let pose = |k| DPose3::from_parts(DVec3::new(0.2, 0.1, 0.1), turned(k).rotation);
            let pair = |k| RayPair { a: mesh, b: mesh, b_in_a: pose(k), rays: 64 };
            let pairs: Vec<RayPair> = (0..count).map(pair).collect();
            let mut best = f64::INFINITY;
            for _ in 0..5 {
                let start = Instant::now();
                let all = rays.overlaps(&meshes, &pairs).unwrap();
                best = best.min(start.elapsed().as_secs_f64());
                assert!(all.iter().all(Option::is_some));
            }
            let [name, triangles] = [rays.name(), &meshes[mesh].triangles.len().to_string()];
            eprintln!("{name}: {count} pairs of {triangles} triangles, {:.2} ms", 1e3 * best);
        }
        for solid in &solids {
            let shape = closed(&solid.shape());
            let pose = DPose3::from_parts(DVec3::new(0.2, 0.1, 0.1), turned(0).rotation);
            let start = Instant::now();
            assert!(overlap_by_rays(&shape, &DPose3::IDENTITY, &shape, &pose, 64).is_some());
            eprintln!("plain code: one pair, {:.2} ms", 1e3 * start.elapsed().as_secs_f64());
        }
    }
}
