//! Soft solids that press on each other and are pressed by rigid bodies: no energy from nowhere, and momentum that
//! stays.

use std::sync::Arc;

use asperity::body::Mass;
use asperity::deform::{Elastic, Fabric, SoftBody, SolidMaterial, mesh};
use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::Coulomb;
use asperity::friction::surface::Surface;
use asperity::glamx::{DPose3, DQuat, DVec2, DVec3};
use asperity::soft::{RestStructure, SoftContacts, SoftDesc, SoftId};
use asperity::world::Settings;
use asperity::{BodyDesc, BodyId, BodyKind, Shape, World};

const G: f64 = 9.81;
const STEPS: [f64; 3] = [0.0025, 0.005, 1.0 / 60.0];

fn world(dt: f64, gravity: f64) -> World {
    let section = Coulomb::new(0.5).expect("a section");
    let fallback = Fallback::Section(Arc::new(section));
    let pairing = Pairing::new(vec![Surface::new("rubber")], vec![], &fallback).expect("a pairing");
    let gravity = DVec3::NEG_Y * gravity;
    World::new(Settings { gravity, dt, ..Settings::default() }, pairing)
}

fn with_floor(dt: f64) -> World {
    let mut w = world(dt, G);
    let mut floor = BodyDesc::new("floor", Shape::HalfSpace { normal: DVec3::Y });
    floor.kind = BodyKind::Fixed;
    w.add_body(floor).expect("a floor");
    w
}

fn add(world: &mut World, name: &str, body: SoftBody) -> SoftId {
    let desc = SoftDesc {
        name: name.into(),
        body,
        surface: 0,
        structure: RestStructure::default(),
        thickness: None,
        self_contact: false,
        group: 0,
    };
    world.add_soft(desc).expect("a soft body")
}

fn cube(young: f64, turn: DQuat, at: DVec3) -> SoftBody {
    let mut m = mesh::brick(DVec3::splat(0.1), [3; 3]).expect("a mesh");
    for x in &mut m.positions {
        *x = turn * *x + at;
    }
    let material = SolidMaterial {
        density: 1000.0,
        young,
        poisson: 0.4,
        damping: 0.01,
        model: Elastic::NeoHookean,
    };
    SoftBody::solid(&m, &material).expect("a solid")
}

fn plate(half: DVec3, mass: f64, at: DVec3) -> BodyDesc {
    let mut desc = BodyDesc::new("plate", Shape::Box { half_extents: half });
    (desc.mass, desc.pose) = (Mass::Total(mass), DPose3::from_translation(at));
    desc
}

/// Runs and sees to it that energy never rises by more than a millionth of its largest value.
fn run(w: &mut World, seconds: f64, what: &str) {
    let (mut rise, mut least, mut most) = (0.0, f64::INFINITY, f64::NEG_INFINITY);
    for _ in 0..(seconds / w.settings.dt).round() as usize {
        let report = w.step();
        assert!(report.soft_error.is_none());
        let energy = report.audit.energy;
        rise += energy.rise;
        (least, most) = (least.min(energy.end.total()), most.max(energy.begin.total()));
    }
    let part = rise / (most - least);
    assert!(part < 1e-6, "{what}, steps of {} s: energy rose by {part:.1e}", w.settings.dt);
}

#[test]
fn soft_cubes_on_each_other_gain_no_energy_and_come_to_rest() {
    for dt in STEPS {
        let mut w = with_floor(dt);
        let heights = [0.056, 0.17, 0.285];
        for (k, height) in heights.into_iter().enumerate() {
            let at = DVec3::new([0.0, 0.01, -0.005][k], height, 0.0);
            add(&mut w, &format!("cube {k}"), cube(1e5, DQuat::IDENTITY, at));
        }
        run(&mut w, 1.0, "three cubes");
        for (k, soft) in w.softs().iter().enumerate() {
            let (height, speed) =
                (soft.body.centre().y, soft.body.momentum().length() / soft.body.mass());
            // Each contact keeps the thickness, a tenth of the mean edge of 3.8 cm. A cube gives by the weight on
            // it and half its own, over E A.
            let below: f64 = (0..k).map(|j| 2.5 - j as f64).sum();
            let given = 1000.0 * G * 0.01 / 1e5 * (below + 0.5 * (2.75 - k as f64));
            let rest = 0.05 + 0.1 * k as f64 + 0.0038 * (k + 1) as f64 - given;
            assert!((height - rest).abs() < 1e-3, "cube {k} at {height}, not at {rest}");
            // A thousandth of the energy of a fall by a centimetre is left at most.
            assert!(speed * speed < 1e-3 * 2.0 * G * 0.01, "cube {k} still goes at {speed}");
        }
    }
}

#[test]
fn plates_fall_on_soft_cubes_without_energy_from_nowhere() {
    for dt in STEPS {
        for (young, mass) in [(1e4, 0.3), (1e5, 4.0), (1e7, 0.05)] {
            let mut w = with_floor(dt);
            add(&mut w, "cube", cube(young, DQuat::IDENTITY, DVec3::Y * 0.056));
            let at = DVec3::new(0.005, 0.135, 0.0);
            w.add_body(plate(DVec3::new(0.07, 0.01, 0.07), mass, at)).expect("a plate");
            run(&mut w, 0.8, &format!("{mass} kg on {young} Pa"));
            // It lies on the cube, which gives by mg/(E A) of its height, or less between rough faces.
            let height = w.bodies()[1].pose.translation.y;
            let given = 0.1 * mass * G / (young * 0.01);
            assert!(height > 0.105 - 1.2 * given && height < 0.12, "{height} on {young} Pa");
        }
    }
}

#[test]
fn cubes_land_on_edges_and_corners_without_energy_from_nowhere() {
    let corner = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Y);
    for turn in [DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4), corner] {
        for dt in STEPS {
            let mut w = with_floor(dt);
            add(&mut w, "cube", cube(1e5, turn, DVec3::Y * 0.1));
            run(&mut w, 0.5, "landing");
        }
    }
}

/// Nearer to the floor than its thickness when it begins, 3.3 mm here: it is not pushed away.
#[test]
fn what_begins_within_its_thickness_does_not_jump() {
    for way in [SoftContacts::Auto, SoftContacts::Implicit, SoftContacts::Solver] {
        for gap in [0.0005, 0.002] {
            let mut w = with_floor(0.005);
            w.set_soft_contacts(way);
            let id = add(&mut w, "cube", cube(1e6, DQuat::IDENTITY, DVec3::Y * (0.05 + gap)));
            let start = w.softs()[id.0].body.centre().y;
            run(&mut w, 0.3, &format!("{way:?}"));
            let end = w.softs()[id.0].body.centre().y;
            assert!((end - start).abs() < 1e-4, "{way:?}: from {start} to {end}");
        }
    }
}

/// A ball of rubber that rolls turns far in a step, which is not linear: it is not drawn out by that.
#[test]
fn stiff_bodies_that_turn_gain_no_energy() {
    let m = mesh::sphere(0.05, 1, 2).expect("a mesh");
    let material = SolidMaterial {
        density: 1000.0,
        young: 1e7,
        poisson: 0.4,
        damping: 0.01,
        model: Elastic::NeoHookean,
    };
    for dt in STEPS {
        let mut ball = SoftBody::solid(&m, &material).expect("a solid");
        ball.positions.iter_mut().for_each(|x| x.y += 0.06);
        ball.velocities.fill(DVec3::X);
        let mut w = with_floor(dt);
        add(&mut w, "ball", ball);
        run(&mut w, 0.5, "a ball that rolls");
    }
}

/// A box whose corner and edges push the middle of a coarse cloth that nothing holds, without gravity.
fn box_into_cloth(way: SoftContacts) -> (World, BodyId) {
    let mut w = world(0.005, 0.0);
    w.set_soft_contacts(way);
    let m = mesh::cloth_rectangle(DVec2::splat(0.4), [3, 3]).expect("a mesh");
    add(&mut w, "cloth", SoftBody::cloth(&m, &Fabric::cotton()).expect("a cloth"));
    let mut desc = plate(DVec3::splat(0.01), 0.01, DVec3::new(0.03, 0.05, 0.02));
    desc.pose.rotation = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Y);
    desc.linear_velocity = DVec3::NEG_Y;
    let id = w.add_body(desc).expect("a box");
    (w, id)
}

fn momentum(w: &World) -> DVec3 {
    let rigid =
        w.bodies().iter().filter(|b| b.mass.is_finite()).map(|b| b.linear_velocity * b.mass);
    let soft = w.softs().iter().map(|s| s.body.momentum());
    rigid.sum::<DVec3>() + soft.sum::<DVec3>()
}

#[test]
fn corners_and_edges_are_pushed_back_by_cloth() {
    for way in
        [SoftContacts::Auto, SoftContacts::Implicit, SoftContacts::Filter, SoftContacts::Solver]
    {
        let (mut w, id) = box_into_cloth(way);
        let before = momentum(&w);
        for _ in 0..30 {
            w.step();
        }
        let slowed = w.bodies()[id.0].linear_velocity.y + 1.0;
        let off = momentum(&w).distance(before) / before.length();
        assert!(slowed > 0.1, "{way:?}: the box lost {slowed} m/s of its 1 m/s");
        assert!(off < 1e-9, "{way:?}: momentum changed by {off:.1e} of itself");
    }
}
