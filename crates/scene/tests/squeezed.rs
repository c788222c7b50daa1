//! Bodies between a paddle and a wall: motors stall, and what is moved from outside does not shoot them away.

use asperity::World;
use asperity_scene::run::{Plan, Report, simulate};

mod common;

use common::load;

/// A bin of 0.6 m with a paddle that turns about its middle; what falls into it.
fn mixer(drive: &str, paddle: &str, dt: f64, seed: u32) -> String {
    let mut bodies = String::new();
    for k in 0..12_u32 {
        let [x, z] = [f64::from(k % 3) - 1.0, f64::from(k / 3 % 3) - 1.0].map(|i| 0.18 * i);
        let (y, size) = (
            0.3 + 0.14 * f64::from(k / 9),
            0.06 + 0.04 * f64::from((k * 7 + seed * 5) % 11) / 11.0,
        );
        let shape = match (k + seed) % 3 {
            0 => format!("sphere = {}", 0.5 * size),
            1 => format!("box = [{size}, {}, {}]", 0.8 * size, 1.1 * size),
            _ => format!("capsule = [{}, {}]", 0.35 * size, 0.6 * size),
        };
        let deg = 37 * k + 11 * seed;
        bodies += &format!(
            "{{ name = \"b{k}\", shape = {{ {shape} }}, at = [{x}, {y}, {z}], rotate = {{ axis = [1, 0.4, 0.7], deg = {deg} }} }},\n"
        );
    }
    format!(
        "version = 1\nworld = {{ dt = {dt}, duration = 3 }}\npair.default = {{ section = {{ model = \"coulomb\", mu = 0.4 }} }}\n{drive}\
         body = [ {{ name = \"bin\", kind = \"fixed\", shape = {{ compound = [\
         {{ shape = {{ box = [0.8, 0.1, 0.8] }}, at = [0, -0.05, 0] }}, {{ shape = {{ box = [0.1, 0.5, 0.8] }}, at = [0.35, 0.25, 0] }},\
         {{ shape = {{ box = [0.1, 0.5, 0.8] }}, at = [-0.35, 0.25, 0] }}, {{ shape = {{ box = [0.6, 0.5, 0.1] }}, at = [0, 0.25, 0.35] }},\
         {{ shape = {{ box = [0.6, 0.5, 0.1] }}, at = [0, 0.25, -0.35] }} ] }} }},\n{bodies}{paddle} ]\n"
    )
}

const BLADE: &str = "name = \"paddle\", shape = { box = [0.5, 0.15, 0.03] }, at = [0, 0.1, 0]";

/// The fastest that any body but the paddle ever is, m/s, the deepest overlap, and whether the run fails.
fn run(text: &str) -> (f64, f64, bool) {
    let mut scene = load(text);
    let plan = Plan::new(&scene, None, 100_000).unwrap();
    let mut fastest = 0.0_f64;
    let run = simulate(&mut scene, &plan, |world: &World| {
        let bodies = world.bodies().iter().filter(|b| b.name != "paddle");
        fastest = bodies.map(|b| b.linear_velocity.length()).fold(fastest, f64::max);
    });
    let report = Report::new("mixer.toml", &scene, &plan, &run);
    let overlap = run
        .summary
        .soundness
        .overlap
        .as_ref()
        .map_or(0.0, asperity_scene::record::DeepestOverlap::part);
    (fastest, overlap, report.faults.iter().any(|f| f.fails(false)))
}

#[test]
fn motors_stall_where_bodies_jam() {
    for (torque, seed) in [(2.0, 1), (20.0, 2), (20.0, 3)] {
        let drive = format!(
            "joint = [ {{ kind = \"hinge\", b = \"paddle\", axis = [0, 1, 0], at = [0, 0.1, 0], motor = {{ velocity = 4, max_force = {torque} }} }} ]\n"
        );
        let text = mixer(&drive, &format!("{{ {BLADE}, density = 1000 }}"), 0.005, seed);
        let (_, overlap, fails) = run(&text);
        assert!(overlap < 0.02 && !fails, "{torque} N m: overlap {overlap}");
    }
}

/// The paddle goes round with 4 rad/s, 1 m/s at its tips, whatever is in its way. What it catches with nowhere to go it
/// overlaps; what it throws is as fast as a wedge of a degree or so makes it.
#[test]
fn paddles_moved_from_outside_shoot_nothing_away() {
    let turn = |k: u32| {
        let time = f64::from(k) * std::f64::consts::TAU / 32.0;
        format!(
            "{{ time = {time}, at = [0, 0.1, 0], rotate = {{ axis = \"y\", deg = {} }} }}",
            45 * k
        )
    };
    let frames: Vec<String> = (0..20).map(turn).collect();
    let paddle =
        format!("{{ {BLADE}, kind = \"kinematic\", keyframes = [{}] }}", frames.join(", "));
    let mut text = mixer("", &paddle, 0.005, 0);
    // Balls alone.
    for k in 0..12 {
        let from = text.find(&format!("\"b{k}\", shape = {{")).unwrap();
        let start = text[from..].find("shape = {").unwrap() + from;
        let end = text[start..].find('}').unwrap() + start;
        text.replace_range(start..=end, &format!("shape = {{ sphere = {} }}", RADII[k]));
    }
    let (fastest, ..) = run(&text);
    assert!(fastest < 100.0, "{fastest} m/s");
}

/// Of balls that were shot away, metres.
const RADII: [f64; 12] = [
    0.045_866_801_675_233_26,
    0.030_009_034_297_701_42,
    0.037_463_207_441_476_83,
    0.044_596_496_652_440_32,
    0.033_859_697_515_281_75,
    0.046_067_306_192_226_26,
    0.031_862_691_843_828_64,
    0.031_875_607_483_918_79,
    0.049_027_460_075_271_59,
    0.037_207_591_308_161_92,
    0.042_891_436_214_749_9,
    0.030_568_439_607_840_54,
];

/// The control: what moves next to nothing under a body at rest carries its weight.
#[test]
fn what_lies_on_a_slow_belt_is_carried() {
    let text = r#"version = 1
world = { dt = 0.005, duration = 0.5 }
pair.default = { section = { model = "coulomb", mu = 0.5 } }
body = [
  { name = "belt", kind = "kinematic", shape = { box = [2, 0.2, 2] }, at = [0, -0.1, 0], velocity = [1e-9, 0, 0] },
  { name = "block", shape = { box = [0.1, 0.1, 0.1] }, at = [0, 0.05, 0], mass = 1 } ]
"#;
    let mut world = common::load(text).world;
    for _ in 0..100 {
        world.step();
        let load: f64 = world.contacts().iter().map(|c| c.load).sum();
        assert!((load - 9.81).abs() < 1e-6, "{load} N at {} s", world.time());
    }
}
