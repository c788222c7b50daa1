//! Laws on cloth beyond a set that grows with the load: loads of the last step, constant loads, drag.

use std::sync::Arc;

use asperity::deform::{Fabric, SoftBody, mesh};
use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::{Coulomb, LoadScaling, Needs, Section};
use asperity::friction::set::Disk;
use asperity::friction::surface::Surface;
use asperity::friction::{ContactState, Law, LoadRule, Rheology};
use asperity::glamx::{DMat3, DVec2, DVec3};
use asperity::soft::{RestStructure, SoftContacts, SoftDesc, SoftId};
use asperity::{BodyDesc, BodyKind, Settings, Shape, World};

const THICKNESS: f64 = 2e-3;
const G: f64 = 9.81;
const SLOPE: f64 = 0.6;
const ALL: [SoftContacts; 3] = [SoftContacts::Implicit, SoftContacts::Filter, SoftContacts::Solver];

fn cloth() -> SoftBody {
    let mut m = mesh::cloth_rectangle(DVec2::splat(0.3), [6, 6]).expect("a mesh");
    for x in &mut m.positions {
        *x += DVec3::Y * THICKNESS;
    }
    SoftBody::cloth(&m, &Fabric::cotton()).expect("a cloth")
}

fn world(section: impl Section + 'static, kind: SoftContacts) -> World {
    let section = Fallback::Section(Arc::new(section));
    let pairing = Pairing::new(vec![Surface::new("all")], vec![], &section).expect("a pairing");
    let gravity = DVec3::new(SLOPE.sin(), -SLOPE.cos(), 0.0) * G;
    let mut world =
        World::new(Settings { gravity, dt: 1.0 / 240.0, ..Settings::default() }, pairing);
    world.set_soft_contacts(kind);
    let mut plane = BodyDesc::new("plane", Shape::HalfSpace { normal: DVec3::Y });
    plane.kind = BodyKind::Fixed;
    world.add_body(plane).expect("a plane");
    world
}

fn add(world: &mut World) -> Result<SoftId, asperity::world::WorldError> {
    let (name, thickness) = ("cloth".to_owned(), Some(THICKNESS));
    let desc = SoftDesc {
        name,
        body: cloth(),
        surface: 0,
        structure: RestStructure::default(),
        thickness,
        self_contact: false,
        group: 0,
    };
    world.add_soft(desc)
}

/// Speed down the slope after a quarter of a second, and the mean acceleration over the last fifth
/// of a second: what lets go takes a few steps, and a new contact has no load yet.
fn speed_and_acceleration(section: impl Section + 'static, kind: SoftContacts) -> [f64; 2] {
    let mut world = world(section, kind);
    let id = add(&mut world).expect("a cloth");
    let mut speeds = Vec::new();
    for _ in 0..60 {
        assert!(world.step().soft_error.is_none());
        let body = &world.softs()[id.0].body;
        speeds.push(body.momentum().x / body.mass());
    }
    [speeds[59], (speeds[59] - speeds[11]) / 0.2]
}

#[test]
fn coefficients_that_fall_with_the_load_act_vertex_by_vertex() {
    let body = cloth();
    let normal = G * SLOPE.cos();
    let heaviest = body.masses.iter().copied().fold(0.0, f64::max);
    let scaling = LoadScaling { reference: 2.0 * heaviest * normal, exponent: -1.0 / 3.0 };
    let plain = Coulomb::new(0.3).expect("a section");
    let falling = plain.with_load(scaling).expect("a section");
    // Vertices at the border carry less, and so have more friction for their load.
    let friction: f64 = body.masses.iter().map(|m| m * falling.mu(1.0, Some(m * normal))).sum();
    let expected = G * SLOPE.sin() - normal * friction / body.mass();
    let without = G * SLOPE.sin() - normal * 0.3;
    for kind in ALL {
        let [_, found] = speed_and_acceleration(falling, kind);
        assert!((found / expected - 1.0).abs() < 2e-3, "{kind:?}: {found} m/s² for {expected}");
        let [_, control] = speed_and_acceleration(plain, kind);
        assert!((control / without - 1.0).abs() < 2e-3, "{kind:?}: {control} m/s² for {without}");
        assert!(control > 1.2 * found, "{kind:?}: {control} and {found} m/s²");
    }
}

/// Friction of μ = 0.3 with a load rule and a drag, s/m.
#[derive(Debug, Clone, Copy)]
struct Special {
    load: LoadRule,
    drag: f64,
}

impl Section for Special {
    fn name(&self) -> &'static str {
        "special"
    }

    fn needs(&self) -> Needs {
        Needs::NOTHING
    }

    fn law(&self, _: &ContactState) -> Law {
        let drag = DMat3::IDENTITY * self.drag;
        let rheology = Rheology { bias: DVec3::ZERO, compliance: DMat3::ZERO, drag };
        let set = Disk::new(0.3).expect("a disk").into();
        let rheology = (self.drag > 0.0).then(|| Box::new(rheology));
        Law { set, load: self.load, rheology }
    }
}

#[test]
fn a_constant_load_brakes_every_vertex_alike() {
    let body = cloth();
    // Half as much again as the weight, the same at every vertex.
    let count = body.masses.len() as f64;
    let load = LoadRule::Constant(1.5 * body.mass() * G * SLOPE.cos() / count);
    let expected = G * (SLOPE.sin() - 1.5 * 0.3 * SLOPE.cos());
    for kind in ALL {
        let [_, found] = speed_and_acceleration(Special { load, drag: 0.0 }, kind);
        assert!((found / expected - 1.0).abs() < 0.01, "{kind:?}: {found} m/s² for {expected}");
    }
}

#[test]
fn a_law_with_drag_is_for_the_solver() {
    let section = Special { load: LoadRule::Normal, drag: 5.0 };
    for kind in [SoftContacts::Implicit, SoftContacts::Filter] {
        let refused = add(&mut world(section, kind)).expect_err("a law with drag");
        assert!(refused.to_string().contains("soft_contact = \"solver\""), "{refused}");
    }
    // Ten times as long as it takes: the speed at which the drag carries the rest.
    let expected = (SLOPE.tan() - 0.3) / 5.0;
    let [found, _] = speed_and_acceleration(section, SoftContacts::Solver);
    assert!((found / expected - 1.0).abs() < 0.01, "{found} m/s for {expected}");
}
