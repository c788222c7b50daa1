//! Bodies that touch by one wrench for each volume they share.

use std::sync::Arc;

use asperity::friction::extent::Extent;
use asperity::geometry::shape::MeshData;

use asperity::{BodyDesc, BodyKind, Shape, World};
use asperity_scene::{self as scene, NoAssets};
use glamx::DVec3;

const G: f64 = 9.81;
const FLOOR: &str =
    r#"{ name = "floor", kind = "fixed", shape = { half_space = [0, 1, 0] }, material = "any" }"#;
const TABLE: &str = r#"{ name = "table", kind = "fixed", shape = { box = [2, 1, 2] }, at = [-1, -0.5, 0], material = "any" }"#;

fn text(world: &str, mu: f64, pair: &str, bodies: &[&str]) -> String {
    let bodies = bodies.join(", ");
    format!(
        r#"
version = 1
world = {{ dt = 0.01, {world} }}
material.any = {{ density = 1000 }}
material.other = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = {mu} }} }}
{pair}
body = [ {bodies} ]
"#
    )
}

fn load(contact: &str, mu: f64, bodies: &[&str]) -> World {
    let text = text(&format!("contact = {contact}"), mu, "", bodies);
    scene::load(&text, "wrench.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world
}

fn refused(world: &str, pair: &str, bodies: &[&str]) -> String {
    let text = text(world, 0.5, pair, bodies);
    scene::load(&text, "wrench.toml", &NoAssets).unwrap_err().to_string()
}

fn steps(world: &mut World, count: usize) {
    for step in 0..count {
        world.step();
        let report = world.report();
        assert_eq!(report.unconverged, 0, "step {step}: {report:?}");
        assert!(report.frozen.is_empty());
    }
}

fn cube(at: [f64; 3], more: &str) -> String {
    format!(
        r#"{{ name = "cube", shape = {{ box = [0.2, 0.2, 0.2] }}, at = {at:?}, material = "any", {more} }}"#
    )
}

#[test]
fn a_cube_comes_to_rest_on_one_contact_at_the_target_depth() {
    let mut world = load(r#""wrench""#, 0.5, &[FLOOR, &cube([0.0, 0.11, 0.0], "")]);
    steps(&mut world, 100);
    steps(&mut world, 20);
    assert_eq!(world.contacts().len(), 1);
    assert_eq!(world.report().wrenches, 1);
    let contact = &world.contacts()[0];
    assert!((contact.load / (8.0 * G) - 1.0).abs() < 1e-9, "{}", contact.load);
    let wrench = contact.wrench.as_ref().unwrap();
    assert!((wrench.volume / (0.04 * 1e-4) - 1.0).abs() < 1e-2, "{}", wrench.volume);
    assert!(contact.point.distance(DVec3::new(0.0, 0.0, 0.0)) < 1e-4);
    assert!(world.bodies()[1].linear_velocity.length() < 1e-9);
}

#[test]
fn a_sliding_cube_stops_where_it_should() {
    let (mu, v) = (0.4, 2.0);
    for contact in [r#""wrench""#, r#"{ model = "wrench", spin = "contensou" }"#] {
        let more = format!("velocity = [{v}, 0, 0]");
        let mut world = load(contact, mu, &[FLOOR, &cube([0.0, 0.0999, 0.0], &more)]);
        steps(&mut world, 100);
        let x = world.bodies()[1].pose.translation.x;
        let expected = v * v / (2.0 * mu * G);
        assert!((x / expected - 1.0).abs() < 0.01, "{contact}: {x} for {expected}");
        assert!(world.bodies()[1].linear_velocity.length() < 1e-9);
        assert!(world.bodies()[1].angular_velocity.length() < 1e-9);
    }
}

#[test]
fn cubes_stay_or_tip_by_where_their_centre_is() {
    // The table ends at x = 0.
    for (x, stays) in [(-0.02, true), (0.02, false)] {
        let mut world = load(r#""wrench""#, 0.5, &[TABLE, &cube([x, 0.1, 0.0], "")]);
        steps(&mut world, 150);
        let y = world.bodies()[1].pose.translation.y;
        assert_eq!(y > 0.09, stays, "{x}: {y}");
    }
}

#[test]
fn a_frictionless_sphere_slides_down_without_turning() {
    let sphere = r#"{ name = "ball", shape = { sphere = 0.1 }, at = [0, 0.0995, 0], velocity = [1, 0, 0], material = "any" }"#;
    let mut world = load(r#""wrench""#, 0.0, &[FLOOR, sphere]);
    world.settings.gravity = DVec3::new(2.0, -9.0, 1.0);
    for _ in 0..100 {
        world.step();
        let spin = world.bodies()[1].angular_velocity.length();
        assert!(spin < 1e-9, "{spin}");
    }
    let v = world.bodies()[1].linear_velocity;
    assert!((v.x - 3.0).abs() < 1e-9 && (v.z - 1.0).abs() < 1e-9, "{v}");
}

#[test]
fn a_sphere_rolls_and_is_slowed_more_by_a_larger_overlap() {
    let speed = |depth: f64| {
        let sphere = r#"{ name = "ball", shape = { sphere = 0.1 }, at = [0, 0.0995, 0], velocity = [1, 0, 0], spin = [0, 0, -10], material = "any" }"#;
        let contact = format!(r#"{{ model = "wrench", target_depth = {depth} }}"#);
        let mut world = load(&contact, 0.8, &[FLOOR, sphere]);
        steps(&mut world, 50);
        world.bodies()[1].linear_velocity.x
    };
    let (soft, middle, hard) = (speed(1e-3), speed(1e-4), speed(1e-5));
    assert!(soft < middle && middle < hard && hard < 1.0, "{soft} {middle} {hard}");
    // A force at the rim of the patch slows a ball with 5/7 g a/R; a² = 2 R × 2 depth.
    let slowed = 5.0 / 7.0 * G * (4e-4_f64 * 0.1).sqrt() / 0.1 * 0.5;
    assert!(((1.0 - middle) / slowed - 1.0).abs() < 0.1, "{middle} for {}", 1.0 - slowed);
}

#[test]
fn both_kinds_of_contact_in_one_scene() {
    let other = r#"{ name = "box", shape = { box = [0.2, 0.2, 0.2] }, at = [1, 0.1, 0], material = "other" }"#;
    let pair = r#"pair.w = { between = ["any", "any"], section = { model = "coulomb", mu = 0.5 }, contact = "wrench" }"#;
    let text = text("", 0.5, pair, &[FLOOR, &cube([0.0, 0.1, 0.0], ""), other]);
    let mut world = scene::load(&text, "both.toml", &NoAssets).unwrap().world;
    assert_eq!(world.pairing().pair(0, 1).unwrap().extent, Extent::Point);
    steps(&mut world, 50);
    assert_eq!(world.report().wrenches, 1);
    assert_eq!(world.contacts().len(), 5);
    for body in &world.bodies()[1..] {
        assert!(body.linear_velocity.length() < 1e-8);
    }
}

#[test]
fn two_meshes_touch_which_points_cannot_do() {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for k in 0..8 {
        let side = |bit: usize| if k >> bit & 1 == 1 { 0.1 } else { -0.1 };
        positions.push(DVec3::new(side(0), side(1), side(2)));
    }
    for [a, b, c, d] in
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
    {
        triangles.extend([[a, b, c], [a, c, d]]);
    }
    let mesh = MeshData { positions, triangles, ..MeshData::default() };
    let mut world = load(r#""wrench""#, 0.5, &[TABLE]);
    for (name, y) in [("lower", 0.1), ("upper", 0.31)] {
        let mut desc = BodyDesc::new(name, Shape::Mesh(Arc::new(mesh.clone())));
        desc.pose.translation = DVec3::new(-1.0, y, 0.0);
        world.add_body(desc).unwrap();
    }
    steps(&mut world, 100);
    let upper = &world.bodies()[2];
    assert!((upper.pose.translation.y - 0.3).abs() < 2e-3, "{:?}", upper.pose);
    assert_eq!(world.report().unsupported, 0);
    // With a hole it is refused, by name.
    let mut open = mesh;
    open.triangles.pop();
    let mut desc = BodyDesc::new("open", Shape::Mesh(Arc::new(open)));
    desc.kind = BodyKind::Fixed;
    let error = world.add_body(desc).unwrap_err();
    assert!(error.to_string().contains("\"open\" touches by wrench"), "{error}");
}

#[test]
fn a_stack_of_cubes_stands() {
    let cubes: Vec<String> = (0..6)
        .map(|k| {
            cube([0.0, 0.1 + 0.2 * f64::from(k), 0.0], "").replace("\"cube\"", &format!("\"c{k}\""))
        })
        .collect();
    let mut bodies = vec![FLOOR];
    bodies.extend(cubes.iter().map(String::as_str));
    // Each is as wide as the one below: the gradient would lean, the thinnest direction does not.
    let mut world = load(r#"{ model = "wrench", normal = "thinnest" }"#, 0.5, &bodies);
    steps(&mut world, 200);
    assert_eq!(world.contacts().len(), 6);
    let top = &world.bodies()[6];
    assert!(top.pose.translation.distance(DVec3::new(0.0, 1.1, 0.0)) < 5e-3, "{:?}", top.pose);
    assert!(top.linear_velocity.length() < 1e-6);
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let cubes: Vec<String> = (0..12)
                .map(|k| {
                    let at = [
                        0.3 * f64::from(k % 4),
                        0.15 + 0.3 * f64::from(k / 4),
                        0.02 * f64::from(k),
                    ];
                    cube(at, "spin = [1, 2, 3]").replace("\"cube\"", &format!("\"c{k}\""))
                })
                .collect();
            let mut bodies = vec![FLOOR];
            bodies.extend(cubes.iter().map(String::as_str));
            let mut world = load(r#""wrench""#, 0.5, &bodies);
            (0..60).for_each(|_| {
                world.step();
            });
            world.state_hash()
        })
    };
    let first = run(1);
    for threads in [2, 4] {
        assert_eq!(run(threads), first);
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let both = &[FLOOR, &cube([0.0, 0.1, 0.0], "")];
    let message = refused(r#"contact = "wrench", solver = { method = "pgs" }"#, "", both);
    assert!(message.contains("\"pgs\"") && message.contains("\"auto\""), "{message}");
    let message = refused(r#"contact = { model = "points", spin = "none" }"#, "", both);
    assert!(message.contains("does not belong to the model \"points\""), "{message}");
    let message = refused(
        r#"contact = { model = "wrench", target_depth = 1e-3, target_volume = 1 }"#,
        "",
        both,
    );
    assert!(message.contains("expected only one of them"), "{message}");
    let pair = r#"pair.p = { between = ["any", "other"], section = { model = "coulomb", mu = 0.5 }, extent = "spin", contact = "wrench" }"#;
    let message = refused("", pair, both);
    assert!(message.contains("extent = \"point\""), "{message}");
    let message = refused(r#"contact = "wench""#, "", both);
    assert!(message.contains("wrench"), "{message}");
}

#[test]
fn motors_without_a_limit_push_both_ways() {
    for position in [0.05, -0.05] {
        let text = format!(
            r#"
version = 1
world = {{ gravity = 0, dt = 0.01 }}
body = [ {{ name = "cart", shape = {{ box = [0.1, 0.1, 0.1] }} }} ]
joint = [ {{ kind = "slider", b = "cart", axis = [1, 0, 0], motor = {{ position = {position}, stiffness = 200, damping = 20 }} }} ]
pair.default = {{ section = {{ model = "coulomb", mu = 0.5 }} }}
"#
        );
        let scene = scene::load(&text, "motor.toml", &NoAssets);
        let mut world = scene.unwrap_or_else(|e| panic!("{e}")).world;
        steps(&mut world, 300);
        let x = world.bodies()[0].pose.translation.x;
        assert!((x - position).abs() < 1e-3, "{x} for {position}");
    }
}
