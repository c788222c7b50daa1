//! Cloth and soft solids in a world: rest, sliding thresholds, two-way pushes, bits, bad numbers.

use std::sync::Arc;

use asperity::deform::{Fabric, SoftBody, SolidMaterial, mesh};
use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::{Composition, Coulomb, FrictionTensors};
use asperity::friction::surface::Surface;
use asperity::friction::surface::SurfaceTensor;
use asperity::glamx::{DPose3, DQuat, DVec2, DVec3};
use asperity::soft::{RestStructure, SoftDesc, SoftId};
use asperity::world::Settings;
use asperity::{BodyDesc, BodyKind, Shape, World};

fn world(gravity: DVec3, dt: f64, mu: f64) -> World {
    let section = Fallback::Section(Arc::new(Coulomb::new(mu).expect("a section")));
    let surfaces = vec![Surface::new("all")];
    let pairing = Pairing::new(surfaces, vec![], &section).expect("a pairing");
    World::new(Settings { gravity, dt, ..Settings::default() }, pairing)
}

fn ground(world: &mut World) {
    let mut desc = BodyDesc::new("ground", Shape::HalfSpace { normal: DVec3::Y });
    desc.kind = BodyKind::Fixed;
    world.add_body(desc).expect("a ground");
}

fn sheet(size: f64, cells: u32, height: f64) -> SoftBody {
    let mut m = mesh::cloth_rectangle(DVec2::splat(size), [cells, cells]).expect("a mesh");
    for x in &mut m.positions {
        x.y += height;
    }
    SoftBody::cloth(&m, &Fabric::cotton()).expect("a cloth")
}

fn desc(name: &str, body: SoftBody) -> SoftDesc {
    SoftDesc {
        name: name.into(),
        body,
        surface: 0,
        structure: RestStructure::default(),
        thickness: None,
        self_contact: true,
        group: 0,
    }
}

#[test]
fn a_cloth_comes_to_rest_on_the_ground() {
    let mut w = world(DVec3::NEG_Y * 9.81, 0.005, 0.5);
    ground(&mut w);
    let id = w.add_soft(desc("cloth", sheet(0.5, 8, 0.05))).expect("a cloth");
    for _ in 0..200 {
        w.step();
    }
    let cloth = &w.softs()[id.0].body;
    assert!(cloth.positions.iter().all(|x| x.y > 0.0 && x.y < 0.02), "{:?}", cloth.positions[0]);
    assert!(cloth.velocities.iter().all(|v| v.length() < 1e-3));
    let report = w.report().soft.expect("a report");
    assert!(report.contact.contacts >= cloth.positions.len());
    assert!(w.report().soft_error.is_none());
    assert_eq!(w.soft_crossings(), 0);
}

/// How far the centre of a cloth on an incline moves in half a second, along its descent.
fn slides(angle: f64, heading: f64) -> f64 {
    // The plane is level and gravity leans: the same thing, exactly.
    let lean = DQuat::from_rotation_z(angle.to_radians()) * DVec3::NEG_Y * 9.81;
    let tensor = SurfaceTensor::orthotropic(0.2, 0.5).expect("a tensor");
    let surfaces = vec![
        Surface::new("cloth").with_tensor(tensor),
        Surface::new("plane").with_tensor(SurfaceTensor::isotropic(0.0).expect("a tensor")),
    ];
    let section = FrictionTensors::new(Composition::Additive { kappa: 1.0 }).expect("a section");
    let fallback = Fallback::Section(Arc::new(section));
    let pairing = Pairing::new(surfaces, vec![], &fallback).expect("a pairing");
    let settings = Settings { gravity: lean, dt: 0.005, ..Settings::default() };
    let mut w = World::new(settings, pairing);
    let mut plane = BodyDesc::new("plane", Shape::HalfSpace { normal: DVec3::Y });
    (plane.kind, plane.surface) = (BodyKind::Fixed, 1);
    w.add_body(plane).expect("a plane");
    let mut body = sheet(0.3, 6, 0.0);
    let turn = DQuat::from_rotation_y(heading.to_radians());
    for x in &mut body.positions {
        *x = turn * *x;
    }
    let mut d = desc("cloth", body);
    d.thickness = Some(2e-3);
    let start: Vec<DVec3> = d.body.positions.iter().map(|x| *x + DVec3::Y * 2e-3).collect();
    d.body.positions = start;
    let id = w.add_soft(d).expect("a cloth");
    let before = w.softs()[id.0].body.centre();
    for _ in 0..100 {
        w.step();
    }
    (w.softs()[id.0].body.centre() - before).x.abs()
}

#[test]
fn a_cloth_starts_to_slide_where_its_tensor_says() {
    // tan α = 1/‖Q⁻¹e‖ with Q = diag(0.2, 0.5) in the cloth's axes.
    for heading in [0.0_f64, 90.0, 45.0] {
        let (c, s) = (heading.to_radians().cos(), heading.to_radians().sin());
        let threshold = (1.0 / (c / 0.2).hypot(s / 0.5)).atan().to_degrees();
        let (below, above) = (slides(threshold - 0.2, heading), slides(threshold + 0.2, heading));
        // Free sliding at 0.2° more accelerates by 3.5 cm/s²: 4 mm in half a second.
        assert!(below < 1e-5, "{heading}° holds at {threshold:.2}° − 0.2°: {below:e} m");
        assert!(above > 2e-3, "{heading}° slides at {threshold:.2}° + 0.2°: {above:e} m");
    }
}

#[test]
fn a_soft_ball_rests_on_every_shape() {
    let shapes = [
        Shape::Box { half_extents: DVec3::new(0.5, 0.1, 0.5) },
        Shape::Sphere { radius: 0.6 },
        Shape::Capsule { half_height: 0.4, radius: 0.3 },
        Shape::Cylinder { half_height: 0.1, radius: 0.5 },
        Shape::Cone { half_height: 0.3, radius: 0.5 },
        Shape::ConvexHull {
            points: [
                [1.0, 0.0, 0.0],
                [-1.0, 0.0, 0.3],
                [0.0, 0.2, 1.0],
                [0.0, 0.1, -1.0],
                [0.0, -1.0, 0.0],
            ]
            .map(DVec3::from_array)
            .to_vec(),
        },
        Shape::HeightField { heights: vec![0.0; 16], rows: 4, columns: 4, size: DVec2::ONE },
        Shape::Compound(vec![(
            DPose3::from_translation(DVec3::new(0.0, -0.1, 0.0)),
            Shape::Box { half_extents: DVec3::new(0.5, 0.1, 0.5) },
        )]),
    ];
    for shape in shapes {
        let name = shape.name();
        let mut w = world(DVec3::NEG_Y * 9.81, 0.005, 5.0);
        let mut d = BodyDesc::new("shape", shape);
        d.kind = BodyKind::Fixed;
        w.add_body(d).expect("a shape");
        let mut m = mesh::sphere(0.1, 1, 2).expect("a ball");
        for x in &mut m.positions {
            x.y += 0.85;
        }
        let ball = SoftBody::solid(&m, &SolidMaterial::gel()).expect("a solid");
        let id = w.add_soft(desc("ball", ball)).expect("a ball");
        let mut lowest = f64::INFINITY;
        for _ in 0..200 {
            w.step();
            lowest = lowest.min(w.softs()[id.0].body.velocities.iter().map(|v| v.y).sum::<f64>());
        }
        let ball = &w.softs()[id.0].body;
        assert!(ball.stopped().is_none(), "{name}");
        // It fell, and was stopped above where free fall would have brought it: −4.9 m.
        assert!(lowest < -0.1, "{name}");
        assert!(ball.centre().y > -0.6, "{name}: {}", ball.centre());
        assert!(w.report().soft_error.is_none(), "{name}");
    }
}

#[test]
fn a_soft_ball_pushes_a_rigid_one() {
    let mut w = world(DVec3::ZERO, 0.002, 0.5);
    w.add_body(BodyDesc::new("rigid", Shape::Sphere { radius: 0.1 })).expect("a ball");
    let mut m = mesh::sphere(0.1, 1, 2).expect("a ball");
    for x in &mut m.positions {
        x.x -= 0.3;
    }
    let mut ball = SoftBody::solid(&m, &SolidMaterial::gel()).expect("a solid");
    ball.velocities.fill(DVec3::X);
    let id = w.add_soft(desc("soft", ball)).expect("a ball");
    let mass = w.bodies()[0].mass;
    let momentum =
        |w: &World| w.softs()[id.0].body.momentum() + w.bodies()[0].linear_velocity * mass;
    let before = momentum(&w);
    for _ in 0..300 {
        w.step();
    }
    assert!(w.bodies()[0].linear_velocity.x > 0.1);
    let after = momentum(&w);
    assert!((after - before).length() < 1e-10 * before.length(), "{before} → {after}");
}

#[test]
fn the_same_run_has_the_same_bits_on_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let mut w = world(DVec3::NEG_Y * 9.81, 1.0 / 120.0, 0.4);
            let mut d = BodyDesc::new("ball", Shape::Sphere { radius: 0.2 });
            d.kind = BodyKind::Fixed;
            w.add_body(d).expect("a ball");
            w.add_soft(desc("cloth", sheet(0.8, 24, 0.22))).expect("a cloth");
            for _ in 0..60 {
                w.step();
            }
            w.state_hash()
        })
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(4));
}

#[test]
fn bad_numbers_stop_one_body_by_name_and_the_rest_goes_on() {
    let mut w = world(DVec3::NEG_Y * 9.81, 0.01, 0.5);
    ground(&mut w);
    let a = w.add_soft(desc("good", sheet(0.2, 3, 0.3))).expect("a cloth");
    let b = w.add_soft(desc("bad", sheet(0.2, 3, 0.6))).expect("a cloth");
    w.soft_mut(b).expect("there").velocities[2].x = f64::NAN;
    w.step();
    let frozen = &w.report().frozen;
    assert_eq!((frozen.len(), frozen[0].body.as_str(), frozen[0].field), (1, "bad", "velocities"));
    for _ in 0..100 {
        w.step();
    }
    assert!(w.report().frozen.is_empty());
    assert!((w.softs()[b.0].body.centre().y - 0.6).abs() < 1e-9);
    assert!(w.softs()[a.0].body.centre().y < 0.1);
    assert!(w.softs()[a.0].body.positions.iter().all(|x| x.is_finite()));
    assert!(w.soft_mut(SoftId(7)).is_none());
}
