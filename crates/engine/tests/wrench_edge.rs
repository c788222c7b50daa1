//! Cubes at edges and coins on their rims: which plane bodies came in by, and what rolls.

use asperity::World;
use asperity_scene::{self as scene, NoAssets};

fn load(text: &str) -> World {
    scene::load(text, "edge.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world
}

/// A cube of this width, so far over the edge of a block in widths, that falls onto it from so high.
fn cube(contact: &str, width: f64, [over, height]: [f64; 2], dt: f64) -> World {
    let (half, long) = (0.5 * width, 10.0 * width);
    let (x, y) = (half - over * width, half + height * width);
    load(&format!(
        r#"
version = 1
world = {{ dt = {dt}, contact = {contact} }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.8 }} }}
body = [ {{ name = "block", kind = "fixed", shape = {{ box = [{long}, {long}, {long}] }}, at = [{}, {}, 0] }},
         {{ name = "cube", shape = {{ box = [{width}, {width}, {width}] }}, at = [{x}, {y}, 0] }} ]
"#,
        -0.5 * long,
        -0.5 * long
    ))
}

/// How far aside it goes in 0.3 s, and its largest spin.
fn aside(mut world: World) -> (f64, f64) {
    let start = world.bodies()[1].pose.translation.x;
    let (mut far, mut spin) = (0.0_f64, 0.0_f64);
    while world.time() < 0.3 {
        world.step();
        let body = &world.bodies()[1];
        far = far.max((body.pose.translation.x - start).abs());
        spin = spin.max(body.angular_velocity.length());
    }
    (far, spin)
}

#[test]
fn a_cube_beside_an_edge_slides_by_or_is_caught_but_is_not_thrown() {
    for (width, skin) in [(0.2, 1e-4), (0.4, 1e-4), (0.2, 2e-4)] {
        let contact = format!(r#"{{ model = "wrench", target_depth = {skin} }}"#);
        for height in [0.002, 0.01, 0.03, 0.1] {
            for dt in [0.01, 0.005, 0.0025, 0.001] {
                let within = cube(&contact, width, [skin / width, height], dt);
                let (far, spin) = aside(within);
                assert!(far < 2.0 * skin && spin < 1e-6, "{width} {height} {dt}: {far}, {spin}");
                let over = cube(&contact, width, [0.02, height], dt);
                let (_, spin) = aside(over);
                assert!(spin > 1.0, "{width} {height} {dt}: {spin}");
            }
        }
    }
}

#[test]
fn along_the_gradient_it_is_thrown() {
    let contact = r#"{ model = "wrench", normal = "gradient" }"#;
    let (far, _) = aside(cube(contact, 0.2, [2.5e-4, 0.025], 0.005));
    assert!(far > 5e-3, "{far}");
}

#[test]
fn a_cube_started_inside_a_wall_and_under_its_top_falls_along_it() {
    // 0.5 mm in the wall, 50 mm below its top: whatever it came by, it is thinnest across.
    let mut world = cube(r#""wrench""#, 0.2, [2.5e-3, -0.25], 0.005);
    let start = world.bodies()[1].pose.translation.y;
    while world.time() < 0.2 {
        world.step();
    }
    let body = &world.bodies()[1];
    let fell = start - body.pose.translation.y;
    assert!(
        (fell - 0.5 * 9.81 * 0.04).abs() < 0.03 && body.angular_velocity.length() < 1e-6,
        "{fell}"
    );
}

#[test]
fn by_the_printed_algorithm_a_contact_whose_middle_leaves_carries_nothing() {
    // A bar that turns about its middle, which rises: one end comes down into the table.
    let bar = |contact: &str| {
        let mut world = load(&format!(
            r#"
version = 1
world = {{ dt = 0.002, contact = {contact} }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.3 }} }}
body = [ {{ name = "table", kind = "fixed", shape = {{ half_space = [0, 1, 0] }} }},
         {{ name = "bar", shape = {{ box = [1, 0.05, 0.1] }}, at = [0, 0.0249, 0], velocity = [0, 0.3, 0], spin = [0, 0, 3] }} ]
"#
        ));
        world.step();
        world.contacts().iter().map(|c| c.load).sum::<f64>()
    };
    assert_eq!(bar(r#"{ model = "wrench", algorithm = "printed" }"#), 0.0);
    assert!(bar(r#""wrench""#) > 0.0);
}

/// A coin that leans by 20 degrees, set rolling as Euler's disc, by so much of its speed.
fn coin(contact: &str, dt: f64, part: f64) -> World {
    let (lean, radius, half) = (20.0_f64.to_radians(), 0.03, 0.0015);
    let (sin, cos) = lean.sin_cos();
    let spin = part * 2.0 * (9.81 * sin / radius).sqrt();
    load(&format!(
        r#"
version = 1
world = {{ dt = {dt}, contact = {contact} }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.4 }} }}
body = [ {{ name = "table", kind = "fixed", shape = {{ half_space = [0, 1, 0] }} }},
         {{ name = "coin", shape = {{ cylinder = [{radius}, {}] }}, at = [0, {}, 0], density = 8000,
            rotate = {{ axis = "z", rad = {lean} }}, spin = [{}, {}, 0] }} ]
"#,
        2.0 * half,
        radius * sin + half * cos,
        spin * cos,
        spin * sin
    ))
}

/// Kinetic energy and height energy per mass.
fn energy(world: &World) -> f64 {
    let body = &world.bodies()[1];
    let (spin, turn) = (body.angular_velocity, body.pose.rotation);
    let local = turn.inverse() * spin;
    let across = 0.03_f64.powi(2) / 4.0 + 0.003_f64.powi(2) / 12.0;
    let along = 0.03_f64.powi(2) / 2.0;
    let turning = across * (local.x * local.x + local.z * local.z) + along * local.y * local.y;
    0.5 * (body.linear_velocity.length_squared() + turning) + 9.81 * body.pose.translation.y
}

#[test]
fn a_coin_on_its_rim_keeps_rolling() {
    for contact in [
        r#"{ model = "wrench", target_depth = 1e-7 }"#,
        r#"{ model = "wrench", target_depth = 1e-7, spin = "none" }"#,
    ] {
        let mut world = coin(contact, 1e-4, 1.0);
        let begun = energy(&world) - 9.81 * 0.0015;
        while world.time() < 0.3 {
            world.step();
        }
        let left = energy(&world) - 9.81 * 0.0015;
        assert!(left > 0.8 * begun && left <= begun * 1.001, "{left} of {begun}");
    }
    // Without spin it lies down.
    let mut world = coin(r#"{ model = "wrench", target_depth = 1e-7 }"#, 5e-4, 0.0);
    while world.time() < 0.3 {
        world.step();
    }
    assert!(world.bodies()[1].pose.translation.y < 0.0017);
}
