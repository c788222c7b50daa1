//! Overlaps on several planes, and solids below height fields.

use std::sync::Arc;

use asperity::{BodyDesc, BodyKind, World};
use asperity_geometry::shape::{MeshData, Shape};
use asperity_geometry::volume::{
    ClosedShape, NormalRule, Overlap, Scratch, overlaps, segmented_overlaps,
};
use asperity_scene::{self as scene, NoAssets};
use glamx::{DPose3, DQuat, DVec2, DVec3};

/// A floor and a wall: the solid below y = 0 and left of x = 0, 2 m across, as one mesh.
fn corner() -> Shape {
    let outline = [(-1.0, -1.0), (2.0, -1.0), (2.0, 0.0), (0.0, 0.0), (0.0, 2.0), (-1.0, 2.0)];
    let n = outline.len() as u32;
    let at = |z: f64| outline.map(|(x, y)| DVec3::new(x, y, z));
    let positions = [at(-1.0), at(1.0)].concat();
    let mut triangles = Vec::new();
    for k in 1..n - 1 {
        triangles.extend([[0, k + 1, k], [n, n + k, n + k + 1]]);
    }
    for k in 0..n {
        let next = (k + 1) % n;
        triangles.extend([[k, next, n + next], [k, n + next, n + k]]);
    }
    Shape::Mesh(Arc::new(MeshData { positions, triangles, ..MeshData::default() }))
}

fn block(x: f64, y: f64, z: f64) -> Shape {
    Shape::Box { half_extents: DVec3::new(x, y, z) }
}

fn cut(a: &Shape, b: &Shape, pose: DPose3, degrees: f64) -> Vec<Overlap> {
    let (a, b) = (ClosedShape::new(a).unwrap(), ClosedShape::new(b).unwrap());
    let mut found = Vec::new();
    let turn = DPose3::from_parts(DVec3::new(0.3, -0.2, 0.7), DQuat::from_rotation_x(0.0));
    let (angle, scratch) = (f64::to_radians(degrees), &mut Scratch::default());
    segmented_overlaps([&a, &b], [&turn, &(turn * pose)], angle, scratch, &mut found);
    found
}

#[test]
fn a_block_in_a_corner_touches_floor_and_wall() {
    let (into_wall, into_floor) = (0.004, 0.01);
    let pose = DPose3::from_translation(DVec3::new(0.2 - into_wall, 0.3 - into_floor, 0.0));
    let found = cut(&corner(), &block(0.2, 0.3, 0.25), pose, 45.0);
    assert_eq!(found.len(), 2, "{found:?}");
    let whole = 0.5 * (0.4 * into_floor + (0.6 - into_floor) * into_wall);
    let sum: f64 = found.iter().map(|o| o.volume).sum();
    assert!((sum - whole).abs() < 1e-12, "{sum} of {whole}");
    let mut areas = Vec::new();
    for (way, area, depth) in [(DVec3::Y, 0.2, into_floor), (DVec3::X, 0.3, into_wall)] {
        let own = |o: &&Overlap| o.normal(NormalRule::Gradient).angle_between(way) < 0.03;
        let overlap = found.iter().find(own).unwrap_or_else(|| panic!("{way}: {found:?}"));
        // The corner they share is cut along its bisector: a little is missing from each.
        let steep = overlap.gradient_linear.length();
        assert!((steep / area - 1.0).abs() < 0.03, "{way}: {steep} of {area}");
        assert!((overlap.volume / (area * depth) - 1.0).abs() < 0.03, "{way}");
        areas.push(steep);
    }
    // As one, it would push along the diagonal.
    let whole = cut(&corner(), &block(0.2, 0.3, 0.25), pose, f64::INFINITY);
    assert_eq!(whole.len(), 1);
    let normal = whole[0].normal(NormalRule::Gradient);
    assert!(normal.x > 0.7 && normal.y > 0.5, "{normal}");
}

#[test]
fn a_flat_overlap_stays_whole() {
    let pose = DPose3::from_parts(DVec3::new(1.0, 0.297, 0.1), DQuat::from_rotation_y(0.3));
    let [one] = cut(&corner(), &block(0.2, 0.3, 0.25), pose, 30.0)[..] else { panic!() };
    let [whole] = cut(&corner(), &block(0.2, 0.3, 0.25), pose, f64::INFINITY)[..] else { panic!() };
    assert_eq!(one, whole);
}

fn load(contact: &str) -> World {
    let text = format!(
        r#"
version = 1
world = {{ dt = 0.01, gravity = [-6, -8, 0], contact = {contact} }}
pair.default = {{ section = {{ model = "coulomb", mu = 0 }} }}
body = [ {{ name = "block", shape = {{ box = [0.4, 0.6, 0.5] }}, at = [0.1999, 0.2999, 0], density = 1000 }} ]
"#
    );
    let mut world =
        scene::load(&text, "corner.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world;
    let mut desc = BodyDesc::new("corner", corner());
    desc.kind = BodyKind::Fixed;
    world.add_body(desc).unwrap();
    world
}

#[test]
fn floor_and_wall_carry_what_gravity_presses_on_each() {
    let mut world = load(r#"{ model = "wrench", segment = 45 }"#);
    for _ in 0..100 {
        world.step();
    }
    let body = &world.bodies()[0];
    assert!(body.linear_velocity.length() < 1e-9, "{:?}", body.linear_velocity);
    assert_eq!(world.contacts().len(), 2);
    let mass = 1000.0 * 0.4 * 0.6 * 0.5;
    for (way, force) in [(DVec3::Y, 8.0 * mass), (DVec3::X, 6.0 * mass)] {
        let mut contacts = world.contacts().iter();
        let contact = contacts.find(|c| c.frame.normal.dot(way).abs() > 0.99).expect("a contact");
        assert!((contact.load / force - 1.0).abs() < 0.01, "{way}: {} of {force}", contact.load);
    }
}

#[test]
fn segments_and_joined_overlaps_exclude_each_other() {
    let text = r#"
version = 1
world = { contact = { model = "wrench", segment = 45, overlaps = "joined" } }
pair.default = { section = { model = "coulomb", mu = 0 } }
body = []
"#;
    let error = scene::load(text, "both.toml", &NoAssets).unwrap_err().to_string();
    assert!(
        error.contains("\"segment\"") && error.contains("is for the overlaps \"each\""),
        "{error}"
    );
}

#[test]
fn a_height_field_is_a_solid_below_its_surface() {
    let size = DVec2::new(2.0, 1.0);
    let field = Shape::HeightField { heights: vec![0.1; 12], rows: 3, columns: 4, size };
    let (field, block) =
        (ClosedShape::new(&field).unwrap(), ClosedShape::new(&block(0.1, 0.2, 0.1)).unwrap());
    let mut found = Vec::new();
    let pose = DPose3::from_translation(DVec3::new(0.13, 0.297, 0.07));
    overlaps(&field, &DPose3::IDENTITY, &block, &pose, &mut Scratch::default(), &mut found);
    let [overlap] = found[..] else { panic!("{found:?}") };
    assert!((overlap.volume - 0.04 * 0.003).abs() < 1e-15, "{}", overlap.volume);
    assert!(overlap.normal(NormalRule::Gradient).distance(DVec3::Y) < 1e-9);
    // Down to 2 m below 0.1 m, and no further.
    let deep = |y: f64| DPose3::from_translation(DVec3::new(0.13, y, 0.07));
    for (y, count) in [(-1.0, 1), (-1.699, 1), (-2.2, 0)] {
        overlaps(&field, &DPose3::IDENTITY, &block, &deep(y), &mut Scratch::default(), &mut found);
        assert_eq!(found.len(), count, "{y}");
    }
}
