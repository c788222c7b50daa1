//! Work from outside is known, so that energy which comes from nowhere is told, and nothing else.

use std::sync::Arc;

use asperity::audit::Overlap;
use asperity::body::{BodyDesc, BodyKind, Keyframe, Mass};
use asperity::drive::Drive;
use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::Coulomb;
use asperity::friction::surface::Surface;
use asperity::joint::{Control, JointDesc, JointKind, Motor};
use asperity::profile::Profile;
use asperity::world::{Settings, World};
use asperity::{BodyId, Shape};
use glamx::{DPose3, DQuat, DVec3};

const G: f64 = 9.81;
const MU: f64 = 0.5;

/// Steps of 1 ms and friction of 0.5.
fn world() -> World {
    let section = Arc::new(Coulomb::new(MU).unwrap());
    let surfaces = vec![Surface::new("stuff")];
    let pairing = Pairing::new(surfaces, Vec::new(), &Fallback::Section(section)).unwrap();
    World::new(Settings { dt: 1e-3, ..Settings::default() }, pairing)
}

fn floor(world: &mut World) {
    world.add_body(BodyDesc::fixed("floor", Shape::HalfSpace { normal: DVec3::Y })).unwrap();
}

/// A cube of 0.2 m and 1 kg.
fn cube(at: DVec3) -> BodyDesc {
    let shape = Shape::Box { half_extents: DVec3::splat(0.1) };
    BodyDesc { mass: Mass::Total(1.0), ..BodyDesc::new("cube", shape).at(at) }
}

/// Work from outside and rise of so many steps, joules.
fn run(world: &mut World, steps: usize) -> (f64, f64) {
    let (mut work, mut rise) = (0.0, 0.0);
    for _ in 0..steps {
        let energy = world.step().audit.energy;
        work += energy.work;
        rise += energy.rise;
    }
    (work, rise)
}

fn near(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found} instead of {expected} ± {within}");
}

#[test]
fn a_force_that_drags_a_cube_does_its_work_and_no_energy_rises() {
    let mut world = world();
    floor(&mut world);
    let body = world.add_body(cube(DVec3::Y * 0.1)).unwrap();
    let (force, torque, scale) = (DVec3::X * 8.0, DVec3::ZERO, Profile::Constant(1.0));
    let (point, from, until) = (DVec3::ZERO, 0.0, 10.0);
    world.add_drive(Drive::Force { body, force, torque, scale, point, from, until }).unwrap();
    let (work, rise) = run(&mut world, 1000);
    let travelled = 0.5 * (8.0 - MU * G);
    near(world.bodies()[body.0].pose.translation.x, travelled, 1e-6);
    near(work, 8.0 * travelled, 1e-5);
    assert!(rise < 1e-9, "{rise}");
}

#[test]
fn a_belt_does_twice_the_work_that_the_cube_gains() {
    let mut world = world();
    let belt = Shape::Box { half_extents: DVec3::new(5.0, 0.1, 0.5) };
    let speed = 2.0;
    let belt = BodyDesc::new("belt", belt).at(DVec3::Y * -0.1);
    let linear_velocity = DVec3::X * speed;
    world.add_body(BodyDesc { kind: BodyKind::Kinematic, linear_velocity, ..belt }).unwrap();
    let body = world.add_body(cube(DVec3::Y * 0.1)).unwrap();
    let (work, rise) = run(&mut world, 600);
    near(world.bodies()[body.0].linear_velocity.x, speed, 1e-6);
    // Friction μ m g over the belt's way v · v/(μ g).
    near(work, speed * speed, 0.02);
    near(world.energy().kinetic, 0.5 * speed * speed, 1e-5);
    assert!(rise < 1e-9, "{rise}");
}

#[test]
fn a_keyframed_pusher_does_twice_the_work_of_the_motion_that_it_gives() {
    let mut world = world();
    world.settings.gravity = DVec3::ZERO;
    let pusher = Shape::Box { half_extents: DVec3::splat(0.1) };
    let key =
        |time: f64, x: f64| Keyframe { time, position: DVec3::X * x, rotation: DQuat::IDENTITY };
    let keyframes = vec![key(0.0, -0.3), key(1.0, 0.7)];
    let pusher = BodyDesc::new("pusher", pusher).at(DVec3::X * -0.3);
    world.add_body(BodyDesc { kind: BodyKind::Kinematic, keyframes, ..pusher }).unwrap();
    let body = world.add_body(cube(DVec3::ZERO)).unwrap();
    let (work, rise) = run(&mut world, 1000);
    near(world.bodies()[body.0].linear_velocity.x, 1.0, 1e-9);
    // An impulse m v by what moves at v; half of it is lost in the blow.
    near(work, 1.0, 1e-6);
    assert!(rise < 1e-9, "{rise}");
}

#[test]
fn a_motor_that_lifts_does_the_work_of_weight_and_motion() {
    let mut world = world();
    let body = world.add_body(cube(DVec3::ZERO)).unwrap();
    let up = DPose3::from_rotation(DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2));
    let control = Control::Velocity(Profile::Constant(0.5));
    world.add_joint(slider(body, up, Motor { control, max_force: 20.0 })).unwrap();
    let (work, rise) = run(&mut world, 1000);
    let height = world.bodies()[body.0].pose.translation.y;
    assert!(height > 0.45, "{height}");
    near(work, G * height + 0.5 * 0.25, 1e-6);
    assert!(rise < 1e-9, "{rise}");
}

#[test]
fn a_motor_that_holds_a_place_and_a_spring_from_outside_do_work_too() {
    let mut world = world();
    world.settings.gravity = DVec3::ZERO;
    let body = world.add_body(cube(DVec3::ZERO)).unwrap();
    let other = world.add_body(BodyDesc { name: "other".to_owned(), ..cube(DVec3::Y) }).unwrap();
    let target = Profile::Constant(0.3);
    let control = Control::Position { target, stiffness: 100.0, damping: 0.0 };
    world.add_joint(slider(body, DPose3::IDENTITY, Motor { control, max_force: 1e3 })).unwrap();
    let target = vec![(0.0, DVec3::new(0.3, 1.0, 0.0))];
    let (point, stiffness, damping, max_force) = (DVec3::ZERO, 100.0, 0.0, 1e3);
    let spring = Drive::Spring { body: other, point, target, stiffness, damping, max_force };
    world.add_drive(spring).unwrap();
    let (work, rise) = run(&mut world, 157);
    // A quarter of a period of 0.2 π s: ½ k x² has become motion, of both, but for π h ω/4 of it that implicit
    // springs take.
    near(work, 2.0 * 0.5 * 100.0 * 0.09, 0.1);
    near(work, world.energy().kinetic, 1e-9);
    assert!(rise < 1e-9, "{rise}");
}

fn slider(body: BodyId, frame: DPose3, motor: Motor) -> JointDesc {
    JointDesc {
        name: "rail".to_owned(),
        kind: JointKind::Slider,
        a: None,
        b: body,
        frame_a: frame,
        frame_b: frame,
        limits: None,
        motor: Some(motor),
        collide: true,
    }
}

#[test]
fn what_a_user_does_between_steps_is_no_rise() {
    let mut world = world();
    floor(&mut world);
    let body = world.add_body(cube(DVec3::Y * 0.1)).unwrap();
    world.step();
    world.set_velocity(body, DVec3::X * 3.0, DVec3::ZERO);
    let energy = world.step().audit.energy;
    near(energy.begin.kinetic, 4.5, 1e-12);
    assert!(energy.rise < 1e-12 && energy.work == 0.0, "{energy:?}");
    assert!(energy.net() < 0.0, "friction takes: {energy:?}");
}

#[test]
fn a_cube_within_the_floor_is_told_with_its_depth_until_it_is_moved_out() {
    let mut world = world();
    floor(&mut world);
    world.add_body(cube(DVec3::Y * 0.05)).unwrap();
    let start = world.overlaps();
    assert_eq!(start.len(), 1);
    near(start[0].depth, 0.05, 1e-12);
    near(start[0].part(), 0.25, 1e-9);
    let left = world.step().audit.overlap.map_or(0.0, |o| o.part());
    let seen = world.overlaps().first().map_or(0.0, Overlap::part);
    near(left, seen, 1e-6);
    assert!(seen < 1e-3, "{seen}");
}

#[test]
fn a_cube_that_is_moved_out_of_the_floor_has_energy_from_nowhere() {
    let mut world = world();
    floor(&mut world);
    world.add_body(cube(DVec3::Y * 0.05)).unwrap();
    let (work, rise) = run(&mut world, 300);
    assert_eq!(work, 0.0);
    near(world.bodies()[1].pose.translation.y, 0.1, 1e-4);
    near(rise, G * 0.05, 2e-3);
}

#[test]
fn overlaps_are_looked_for_without_changing_what_comes() {
    let hash = |look: bool| {
        let mut world = world();
        floor(&mut world);
        world.add_body(cube(DVec3::new(0.0, 0.3, 0.0))).unwrap();
        if look {
            assert!(world.overlaps().is_empty());
        }
        run(&mut world, 400);
        world.state_hash()
    };
    assert_eq!(hash(true), hash(false));
}

#[test]
fn joints_that_contradict_each_other_gape() {
    let mut world = world();
    world.settings.gravity = DVec3::ZERO;
    let body = world.add_body(cube(DVec3::ZERO)).unwrap();
    // Two points of the cube 0.1 m apart are held at places 0.2 m apart: each is 0.05 m off.
    for side in [-1.0, 1.0] {
        let at = |x: f64| DPose3::from_translation(DVec3::X * (side * x));
        let joint = JointDesc {
            name: format!("pin {side}"),
            kind: JointKind::Ball,
            frame_a: at(0.1),
            frame_b: at(0.05),
            motor: None,
            ..slider(body, DPose3::IDENTITY, motor_without_force())
        };
        world.add_joint(joint).unwrap();
    }
    run(&mut world, 10);
    let gape = world.report().audit.gape.unwrap();
    near(gape.gape, 0.05, 1e-3);
    near(gape.size, 0.2 * f64::sqrt(3.0), 1e-9);
}

fn motor_without_force() -> Motor {
    Motor { control: Control::Velocity(Profile::Constant(0.0)), max_force: 0.0 }
}

#[test]
fn a_pendulum_neither_gapes_nor_gains() {
    let mut world = world();
    let body = world.add_body(cube(DVec3::X)).unwrap();
    let joint = JointDesc {
        kind: JointKind::Hinge,
        frame_a: DPose3::from_rotation(DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2)),
        frame_b: DPose3::from_parts(-DVec3::X, DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2)),
        motor: None,
        ..slider(body, DPose3::IDENTITY, motor_without_force())
    };
    world.add_joint(joint).unwrap();
    let (mut rise, mut gape) = (0.0, 0.0_f64);
    for _ in 0..2000 {
        let audit = world.step().audit;
        rise += audit.energy.rise;
        gape = gape.max(audit.gape.unwrap().gape);
    }
    assert!(rise < 1e-4 * G, "{rise}");
    assert!(gape < 1e-6, "{gape}");
}
