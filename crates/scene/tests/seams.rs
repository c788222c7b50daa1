//! What slides over the seam of two bodies that lie flush with each other does not know that there are two.

use asperity::World;
use asperity_scene::{self as scene, NoAssets};

const SHAPES: [(&str, &str, f64); 6] = [
    ("sphere = 0.3", "", 0.3),
    ("cylinder = [0.3, 0.2]", ", rotate = { axis = \"x\", deg = 90 }", 0.3),
    ("capsule = [0.2, 0.4]", ", rotate = { axis = \"x\", deg = 90 }", 0.2),
    ("box = [0.4, 0.2, 0.4]", "", 0.1),
    ("cone = [0.2, 0.3]", "", 0.15),
    (
        "compound = [{ shape = { box = [0.4, 0.2, 0.4] } }, { shape = { sphere = 0.1 }, at = [0, 0.2, 0] }]",
        "",
        0.1,
    ),
];

/// What is under a body: two boxes, or one compound of both; the second higher by so much.
fn ground(higher: f64, compound: bool) -> String {
    let y = -0.25 + higher;
    if compound {
        return format!(
            "{{ name = \"floor\", kind = \"fixed\", shape = {{ compound = [{{ shape = {{ box = [24, 0.5, 16] }}, at = [-12, -0.25, 0] }}, {{ shape = {{ box = [60, 0.5, 16] }}, at = [30, {y}, 0] }}] }} }}"
        );
    }
    format!(
        "{{ name = \"near\", kind = \"fixed\", shape = {{ box = [24, 0.5, 16] }}, at = [-12, -0.25, 0] }},
         {{ name = \"far\", kind = \"fixed\", shape = {{ box = [60, 0.5, 16] }}, at = [30, {y}, 0] }}"
    )
}

/// The highest place and the last speed of a body without friction that begins 1.03 m before the seam.
fn slide(ground: &str, (shape, turned, height): (&str, &str, f64), speed: f64) -> [f64; 2] {
    let text = format!(
        r#"
version = 1
world = {{ dt = 0.005 }}
pair.default = {{ section = {{ model = "coulomb", mu = 0 }} }}
body = [ {ground},
         {{ name = "body", shape = {{ {shape} }}, at = [-1.03, {height}, 0], velocity = [{speed}, 0, 0]{turned} }} ]
"#
    );
    let scene = scene::load(&text, "seam.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}"));
    let mut world: World = scene.world;
    let body = world.find("body").unwrap().0;
    let mut highest = f64::NEG_INFINITY;
    while world.time() < 3.0 / speed {
        world.step();
        highest = highest.max(world.bodies()[body].pose.translation.y);
    }
    [highest, world.bodies()[body].linear_velocity.x]
}

#[test]
fn nothing_is_thrown_or_stopped_by_a_seam() {
    for compound in [false, true] {
        let ground = ground(0.0, compound);
        for shape in SHAPES {
            for speed in [1.0, 5.0, 20.0, 60.0] {
                let [highest, last] = slide(&ground, shape, speed);
                let what = format!("{} at {speed} m/s: {highest} m, {last} m/s", shape.0);
                assert!((highest - shape.2).abs() < 1e-6, "thrown, {what}");
                assert!((last / speed - 1.0).abs() < 1e-9, "slowed, {what}");
            }
        }
    }
}

/// Controls: a real step stops what runs against it, and one down does not.
#[test]
fn a_step_still_stops_what_runs_against_it() {
    for compound in [false, true] {
        let box_shape = SHAPES[3];
        for (higher, stops) in [(0.01, true), (0.1, true), (-0.001, false), (-0.05, false)] {
            let [_, last] = slide(&ground(higher, compound), box_shape, 5.0);
            let stopped = last < 2.5;
            assert_eq!(stopped, stops, "a step of {higher} m: {last} m/s");
        }
    }
}
