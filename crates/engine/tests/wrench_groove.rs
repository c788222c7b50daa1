//! Bodies in a groove, which is one mesh: two planes carry them, each by a wrench of its own.
//!
//! Walls that rise at the angle γ from the vertical on both sides each carry N = m g cos α/(2 sin γ)
//! where the groove leans by α along itself, and hold up to tan α = μ/sin γ. Friction must then point along
//! the groove: where there is more of it than that takes, it may carry a part of the weight, and what each
//! wall carries is not determined.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
use std::sync::Arc;

use asperity::body::Mass;
use asperity::friction::extent::WrenchOptions;
use asperity::geometry::shape::MeshData;
use asperity::geometry::volume::NormalRule;
use asperity::{BodyDesc, BodyKind, Shape, World};
use asperity_scene::{self as scene, NoAssets};
use glamx::{DPose3, DQuat, DVec3};

const G: f64 = 9.81;
const DENSITY: f64 = 1000.0;
const MU: f64 = 0.3;

/// A block along z with a groove in its top, whose bottom is the z axis.
fn groove(half_opening: f64) -> MeshData {
    let top = 0.5 / half_opening.tan();
    let outline = [[-0.5, -0.3], [0.5, -0.3], [0.5, top], [0.0, 0.0], [-0.5, top]];
    let corner = |z: f64| outline.map(|[x, y]| DVec3::new(x, y, z));
    let caps = [[3, 4, 0], [3, 0, 1], [3, 1, 2]];
    let front = caps.map(|[a, b, c]| [a + 5, b + 5, c + 5]);
    let back = caps.map(|[a, b, c]| [a, c, b]);
    let sides = (0..5_u32).flat_map(|k| {
        let next = (k + 1) % 5;
        [[k, next, next + 5], [k, next + 5, k + 5]]
    });
    MeshData {
        positions: [corner(-2.0), corner(2.0)].concat(),
        triangles: front.into_iter().chain(back).chain(sides).collect(),
        ..MeshData::default()
    }
}

/// A body in the groove, which leans by this angle; after half a second.
fn rested(
    shape: Shape,
    pose: DPose3,
    half_opening: f64,
    (mu, lean): (f64, f64),
    segment: Option<f64>,
) -> World {
    let text = format!(
        r#"
version = 1
world = {{ dt = 0.005, gravity = [0, {}, {}] }}
material.any = {{ density = {DENSITY} }}
pair.default = {{ section = {{ model = "coulomb", mu = {mu} }} }}
body = [ {{ name = "far", kind = "fixed", shape = {{ sphere = 0.1 }}, at = [0, -9, 0], material = "any" }} ]
"#,
        -G * lean.cos(),
        G * lean.sin()
    );
    let mut world = scene::load(&text, "groove.toml", &NoAssets).unwrap().world;
    let options = WrenchOptions { segment, normal: NormalRule::Gradient, ..Default::default() };
    world.set_wrench(None, Some(options)).unwrap();
    let mut ground = BodyDesc::new("groove", Shape::Mesh(Arc::new(groove(half_opening))));
    ground.kind = BodyKind::Fixed;
    world.add_body(ground).unwrap();
    let mut body = BodyDesc::new("body", shape);
    (body.pose, body.mass) = (pose, Mass::Density(DENSITY));
    world.add_body(body).unwrap();
    for step in 0..100 {
        world.step();
        assert_eq!(world.report().unconverged, 0, "step {step}: {:?}", world.report());
    }
    world
}

/// A cylinder along the groove, and how deep its walls are then.
fn cylinder(half_opening: f64, (mu, lean): (f64, f64)) -> (World, f64) {
    let (radius, half_height) = (0.1, 0.3);
    let at = DVec3::Y * ((radius - 1e-4) / half_opening.sin());
    let pose = DPose3::from_parts(at, DQuat::from_rotation_x(FRAC_PI_2));
    let world =
        rested(Shape::Cylinder { half_height, radius }, pose, half_opening, (mu, lean), None);
    (world, PI * radius * radius * 2.0 * half_height * DENSITY)
}

/// A bar of square section, an edge down.
fn bar((mu, lean): (f64, f64)) -> (World, f64) {
    let half_extents = DVec3::new(0.1, 0.1, 0.3);
    let at = DVec3::Y * (0.2 - 2e-4) * FRAC_PI_4.cos();
    let pose = DPose3::from_parts(at, DQuat::from_rotation_z(FRAC_PI_4));
    let segment = Some(0.5);
    let world = rested(Shape::Box { half_extents }, pose, FRAC_PI_4, (mu, lean), segment);
    (world, 8.0 * half_extents.element_product() * DENSITY)
}

/// Each wall carries its half, along its own normal.
fn each_wall_carries(world: &World, mass: f64, half_opening: f64, lean: f64, within: f64) {
    assert_eq!(world.contacts().len(), 2, "{:?}", world.contacts());
    let expected = mass * G * lean.cos() / (2.0 * half_opening.sin());
    for contact in world.contacts() {
        let load = contact.load / expected;
        assert!((load - 1.0).abs() < within, "{load} of {expected} N");
        let n = contact.frame.normal;
        let rise = n.y.abs() - half_opening.sin();
        assert!(rise.abs() < 0.01 && n.z.abs() < 0.01, "{n}");
    }
}

/// How much of its load friction may take off a wall at 0.97 of the angle at which a body slips.
fn spare(half_opening: f64) -> f64 {
    let limit = MU / half_opening.sin();
    let along = (0.97 * limit.atan()).tan() / limit;
    MU * (1.0 - along * along).sqrt() / half_opening.tan()
}

#[test]
fn a_cylinder_in_a_groove_is_carried_by_both_walls() {
    for half_opening in [0.4, FRAC_PI_4, 1.1] {
        let (world, mass) = cylinder(half_opening, (0.0, 0.0));
        each_wall_carries(&world, mass, half_opening, 0.0, 0.01);
        assert!(world.bodies()[2].linear_velocity.length() < 1e-6);
    }
}

#[test]
fn a_cylinder_slips_along_the_groove_at_the_angle_of_the_wedge() {
    for half_opening in [0.4, FRAC_PI_4] {
        let limit = (MU / half_opening.sin()).atan();
        let (held, mass) = cylinder(half_opening, (MU, 0.97 * limit));
        each_wall_carries(&held, mass, half_opening, 0.97 * limit, 0.01 + spare(half_opening));
        let speed = held.bodies()[2].linear_velocity.length();
        assert!(speed < 1e-4, "{speed}");
        let lean = 1.5 * limit;
        let speed = cylinder(half_opening, (MU, lean)).0.bodies()[2].linear_velocity.z;
        let expected = 0.5 * G * (lean.sin() - MU * lean.cos() / half_opening.sin());
        assert!((speed / expected - 1.0).abs() < 0.02, "{speed} for {expected}");
    }
}

#[test]
fn a_bar_flush_in_a_groove_is_cut_into_one_contact_for_each_wall() {
    let (world, mass) = bar((0.0, 0.0));
    each_wall_carries(&world, mass, FRAC_PI_4, 0.0, 0.01);
    let limit = (MU / FRAC_PI_4.sin()).atan();
    let (held, mass) = bar((MU, 0.97 * limit));
    each_wall_carries(&held, mass, FRAC_PI_4, 0.97 * limit, 0.01 + spare(FRAC_PI_4));
    assert!(held.bodies()[2].linear_velocity.length() < 1e-4);
    let lean = 1.5 * limit;
    let speed = bar((MU, lean)).0.bodies()[2].linear_velocity.z;
    let expected = 0.5 * G * (lean.sin() - MU * lean.cos() / FRAC_PI_4.sin());
    assert!((speed / expected - 1.0).abs() < 0.02, "{speed} for {expected}");
}
