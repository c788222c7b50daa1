//! A world goes on whatever happens to one of its bodies.

use std::sync::Arc;

use asperity::body::{BodyDesc, Mass};
use asperity::drive::Drive;
use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::Coulomb;
use asperity::friction::surface::Surface;
use asperity::world::{Settings, World};
use asperity::{BodyId, Shape};
use glamx::{DQuat, DVec3};

fn world() -> World {
    let section = Arc::new(Coulomb::new(0.5).unwrap());
    let surfaces = vec![Surface::new("stuff")];
    let pairing = Pairing::new(surfaces, Vec::new(), &Fallback::Section(section)).unwrap();
    let mut world = World::new(Settings::default(), pairing);
    world.add_body(BodyDesc::fixed("floor", Shape::HalfSpace { normal: DVec3::Y })).unwrap();
    world
}

fn cube(name: &str, at: DVec3) -> BodyDesc {
    BodyDesc::new(name, Shape::Box { half_extents: DVec3::splat(0.1) }).at(at)
}

/// A heap of boxes that falls over itself.
fn heap() -> World {
    let mut world = world();
    world.settings.solver.tolerance = 1e-5;
    world.settings.solver.max_iterations = 100;
    for k in 0..60 {
        let (x, y, z) = (f64::from(k % 4), f64::from(k / 16), f64::from(k / 4 % 4));
        let at = DVec3::new(0.21 * x, 0.15 + 0.25 * y, 0.21 * z);
        let turned = DQuat::from_rotation_z(0.1 * f64::from(k));
        world.add_body(cube(&format!("box {k}"), at).rotated(turned)).unwrap();
    }
    world
}

#[test]
fn a_body_with_a_bad_force_is_stopped_by_name_and_the_rest_goes_on() {
    let mut world = world();
    let bad = world.add_body(cube("bad", DVec3::new(0.0, 0.5, 0.0))).unwrap();
    let good = world.add_body(cube("good", DVec3::new(1.0, 0.5, 0.0))).unwrap();
    for _ in 0..3 {
        world.step();
    }
    world.apply_force(bad, DVec3::new(f64::NAN, 0.0, 0.0), DVec3::ZERO);
    let frozen = world.step().frozen.clone();
    assert_eq!(frozen.len(), 1);
    assert_eq!((frozen[0].body.as_str(), frozen[0].field), ("bad", "force"));
    assert_eq!(frozen[0].step, 4, "{}", frozen[0]);
    for _ in 0..100 {
        world.step();
    }
    let height = |id: BodyId| world.bodies()[id.0].pose.translation.y;
    assert!(height(bad) > 0.4, "it stays where it was");
    assert!((height(good) - 0.1).abs() < 1e-6, "the other has landed: {}", height(good));
}

#[test]
fn a_mass_ratio_of_a_million_and_a_huge_impulse_stay_finite() {
    let mut world = world();
    let mut small = cube("small", DVec3::Y * 0.1);
    small.mass = Mass::Total(1e-3);
    let mut large = cube("large", DVec3::Y * 0.3);
    large.mass = Mass::Total(1e3);
    world.add_body(small).unwrap();
    let large = world.add_body(large).unwrap();
    for _ in 0..20 {
        world.step();
    }
    let speed = world.bodies()[large.0].linear_velocity.length();
    assert!(speed < 2.0, "nothing explodes: {speed} m/s");
    world.apply_force(large, DVec3::new(1e8, 0.0, 0.0), DVec3::ZERO); // 1e6 N s in one step
    for _ in 0..50 {
        world.step();
    }
    assert!(world.bodies().iter().all(|b| b.pose.is_finite() && b.frozen.is_none()));
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = heap();
            for _ in 0..60 {
                world.step();
            }
            (world.state_hash(), world.report().contacts)
        })
    };
    let first = run(1);
    assert!(first.1 > 60, "they touch: {} contacts", first.1);
    for threads in [1, 2, 4] {
        assert_eq!(run(threads), first, "{threads} threads");
    }
}

/// Many contacts in one heap, which is divided among the cores.
#[test]
fn a_large_heap_has_the_same_bits_for_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = world();
            for k in 0..144 {
                let (layer, row, column) = (k / 36, k / 6 % 6, k % 6);
                let shift = 0.03 * f64::from(layer % 2);
                let at = DVec3::new(
                    0.17 * f64::from(row) + shift,
                    0.1 + 0.21 * f64::from(layer),
                    0.19 * f64::from(column) - shift,
                );
                world.add_body(cube(&format!("cube {k}"), at)).unwrap();
            }
            for _ in 0..25 {
                world.step();
            }
            (world.state_hash(), world.report().contacts, world.report().islands)
        })
    };
    let first = run(1);
    assert!(first.1 > 500 && first.2 == 1, "{} contacts in {} islands", first.1, first.2);
    for threads in [2, 4] {
        assert_eq!(run(threads), first, "{threads} threads");
    }
}

#[test]
fn a_tower_stands_though_its_solver_is_loose() {
    let mut world = world();
    world.settings.dt = 1.0 / 60.0;
    world.settings.solver.tolerance = 1e-5;
    let boxes: Vec<BodyId> = (0..10)
        .map(|k| {
            let at = DVec3::Y * (0.1 + 0.2 * f64::from(k));
            let desc = BodyDesc { mass: Mass::Density(1000.0), ..cube(&format!("box {k}"), at) };
            world.add_body(desc).unwrap()
        })
        .collect();
    for _ in 0..1500 {
        world.step();
    }
    for (k, id) in boxes.iter().enumerate() {
        let moved = world.bodies()[id.0].pose.translation - DVec3::Y * (0.1 + 0.2 * k as f64);
        assert!(moved.length() < 1e-4, "box {k} moved by {moved}");
    }
}

#[test]
fn a_spring_without_a_limit_pulls_both_ways() {
    for side in [-1.0, 1.0] {
        let mut world = world();
        world.settings.gravity = DVec3::ZERO;
        let body = world.add_body(cube("box", DVec3::Y)).unwrap();
        let target = DVec3::new(0.5 * side, 1.0, 0.0);
        world
            .add_drive(Drive::Spring {
                body,
                point: DVec3::ZERO,
                target: vec![(0.0, target)],
                stiffness: 100.0,
                damping: 40.0,
                max_force: f64::INFINITY,
            })
            .unwrap();
        for _ in 0..2000 {
            world.step();
        }
        let at = world.bodies()[body.0].pose.translation;
        assert!(at.distance(target) < 1e-3, "{at} instead of {target}");
    }
}
