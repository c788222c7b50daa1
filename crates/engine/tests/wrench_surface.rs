//! Sections that look at surfaces, on meshes that touch by wrench.

use std::f64::consts::FRAC_2_PI;
use std::sync::Arc;

use asperity::body::Mass;
use asperity::friction::extent::WrenchOptions;
use asperity::geometry::shape::MeshData;
use asperity::geometry::structure::StructureField;
use asperity::{BodyDesc, BodyKind, Shape, World};
use asperity_scene::{self as scene, NoAssets};
use glamx::{DPose3, DQuat, DVec2, DVec3};

const G: f64 = 9.81;

/// A box as a mesh; texture coordinates run along x and −z, metres, on top and bottom.
fn mesh(half: DVec3) -> MeshData {
    let side = |k: usize, bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
    let corner = |k: usize| half * DVec3::new(side(k, 0), side(k, 1), side(k, 2));
    let quads =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let positions: Vec<DVec3> = (0..8).map(corner).collect();
    MeshData {
        uvs: positions.iter().map(|p| DVec2::new(p.x, -p.z)).collect(),
        triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        positions,
        ..MeshData::default()
    }
}

/// A block of 0.2 m that slides over a floor, both by wrench; as meshes, whose grain is told at their
/// corners, or as plain boxes.
fn sliding(materials: &str, meshes: bool, velocity: DVec3, grain: Option<DVec3>) -> World {
    let shape = |half_extents: DVec3| {
        if meshes { Shape::Mesh(Arc::new(mesh(half_extents))) } else { Shape::Box { half_extents } }
    };
    let grain = match grain {
        Some(grain) if meshes => StructureField::PerVertex(Arc::new(vec![grain; 8])),
        Some(grain) => StructureField::Constant(grain),
        None => StructureField::None,
    };
    let shapes = [shape(DVec3::new(5.0, 0.1, 5.0)), shape(DVec3::splat(0.1))];
    sliding_shapes(materials, shapes, velocity, &grain)
}

/// The same of other shapes, floor and block.
fn sliding_shapes(
    materials: &str,
    shapes: [Shape; 2],
    velocity: DVec3,
    grain: &StructureField,
) -> World {
    let [floor_shape, block_shape] = shapes;
    let text = format!(
        r#"
version = 1
world = {{ dt = 0.005, solver = {{ tolerance = 1e-9 }} }}
{materials}
body = [ {{ name = "far", kind = "fixed", shape = {{ sphere = 0.1 }}, at = [0, -9, 0], material = "floor" }} ]
"#
    );
    let mut world =
        scene::load(&text, "surface.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world;
    world.set_wrench(None, Some(WrenchOptions::default())).unwrap();
    let number = |world: &World, name: &str| {
        world.pairing().surfaces().iter().position(|s| s.name == name).unwrap()
    };
    let mut floor = BodyDesc::new("floor", floor_shape);
    floor.pose = DPose3::from_translation(DVec3::Y * -0.1);
    (floor.kind, floor.surface) = (BodyKind::Fixed, number(&world, "floor"));
    floor.structure = grain.clone();
    world.add_body(floor).unwrap();
    let mut block = BodyDesc::new("block", block_shape);
    block.pose = DPose3::from_translation(DVec3::Y * 0.0999);
    (block.mass, block.surface) = (Mass::Density(500.0), number(&world, "block"));
    (block.linear_velocity, block.structure) = (velocity, grain.clone());
    world.add_body(block).unwrap();
    world
}

fn slide(mut world: World) -> DVec3 {
    for _ in 0..400 {
        world.step();
        assert_eq!(world.report().wrenches, 1);
    }
    assert!(world.bodies()[2].linear_velocity.length() < 1e-6);
    world.bodies()[2].pose.translation
}

const TEETH: &str = r#"
texture.teeth = { kind = "normal", size = [0.04, 0.04], generate = { sawtooth = { slopes = [1.0, 0.2], widths = [32, 32] }, texels = [64, 8] } }
material.floor = { normal = "teeth" }
material.block = { density = 500 }
pair.default = { section = { model = "ploughing", mu = 0.1, sampling = "area", resolution = 100, directions = 64 } }"#;

#[test]
fn a_mesh_slides_over_the_teeth_of_a_mesh_as_far_as_the_facets_say() {
    // μ = 0.1 + (2/π)(slope/2) (Andrews 2021, Eqs. 6 to 8).
    for (velocity, slope) in [(DVec3::X, 1.0), (-DVec3::X, 0.2), (DVec3::Z, 0.0)] {
        let expected = 1.5 * 1.5 / (2.0 * G * (0.1 + FRAC_2_PI * 0.5 * slope));
        let moved = slide(sliding(TEETH, true, 1.5 * velocity, None)).dot(velocity);
        // Lookups between two facets blur one texel in 32.
        assert!((moved / expected - 1.0).abs() < 0.03, "{moved} for {expected} along {velocity}");
    }
}

#[test]
fn windows_about_the_middle_see_the_same_teeth() {
    let text =
        TEETH.replace(r#"sampling = "area", resolution = 100"#, "width = 0.08, resolution = 64");
    let [mesh, plain] =
        [true, false].map(|meshes| slide(sliding(&text, meshes, DVec3::X * 1.5, None)).x);
    assert!((mesh / plain - 1.0).abs() < 0.01, "{mesh} and {plain}");
}

#[test]
fn grain_leads_a_mesh_aside_as_it_leads_a_plain_box() {
    let text = r#"
material.floor = {}
material.block = { density = 500 }
pair.default = { section = { model = "matchstick", mu = 0.2, mu_t = 0.1, mu_b = 0.6 } }"#;
    let grain = Some(DVec3::new(2.0, 0.0, 1.0).normalize());
    let [mesh, plain] =
        [true, false].map(|meshes| slide(sliding(text, meshes, DVec3::X * 1.5, grain)));
    // The grain leads it aside, which a friction that is the same all round would not do.
    assert!(plain.z.abs() > 0.05, "{plain}");
    assert!(mesh.distance(plain) < 1e-3 * plain.length(), "{mesh} and {plain}");
}

#[test]
fn a_compound_shows_the_teeth_of_the_part_that_touches() {
    let text = TEETH
        .replace("material.floor = { normal = \"teeth\" }", "material.floor = {}")
        .replace("density = 500 }", "density = 500, normal = \"teeth\" }");
    let plain = |velocity| slide(sliding(&text, false, 1.5 * velocity, None)).x.abs();
    let (with, against) = (plain(DVec3::X), plain(-DVec3::X));
    assert!((with / against - 1.0).abs() > 0.5, "{with} and {against}");
    // The lower part is turned round, the upper one, which is the first, is not.
    let part = |y: f64, half: f64, turn: f64| {
        let pose = DPose3::from_parts(DVec3::Y * y, DQuat::from_rotation_y(turn));
        (pose, Shape::Box { half_extents: DVec3::new(0.1, half, 0.1) })
    };
    let block =
        Shape::Compound(vec![part(0.05, 0.05, 0.0), part(-0.05, 0.05, std::f64::consts::PI)]);
    let floor = Shape::Box { half_extents: DVec3::new(5.0, 0.1, 5.0) };
    let world = sliding_shapes(&text, [floor, block], DVec3::X * 1.5, &StructureField::None);
    let moved = slide(world).x;
    assert!((moved / against - 1.0).abs() < 0.01, "{moved}: {with}, turned {against}");
}
