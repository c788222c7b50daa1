//! What slides over the seam of two bodies that lie flush with each other does not know that there are two.

use std::fmt::Write;

use asperity::World;
use asperity_scene::{self as scene, Assets};

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

/// What a floor of two is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ground {
    Boxes,
    Compound,
    Kinematic,
    Meshes,
    BoxAndMesh,
    HeightFields,
}

const GROUNDS: [Ground; 6] = [
    Ground::Boxes,
    Ground::Compound,
    Ground::Kinematic,
    Ground::Meshes,
    Ground::BoxAndMesh,
    Ground::HeightFields,
];

impl Ground {
    /// What is under a body; the second of both higher by so much.
    fn bodies(self, higher: f64) -> String {
        let y = -0.25 + higher;
        let near_box = "shape = { box = [24, 0.5, 16] }, at = [-12, -0.25, 0]".to_owned();
        let far_box = format!("shape = {{ box = [60, 0.5, 16] }}, at = [30, {y}, 0]");
        let near_mesh = "shape = { mesh = \"near.obj\" }, at = [-12, -0.25, 0]".to_owned();
        let far_mesh = format!("shape = {{ mesh = \"far.obj\" }}, at = [30, {y}, 0]");
        let flat = |x: f64, at: f64, y: f64| {
            let heights = "[[0, 0, 0], [0, 0, 0], [0, 0, 0]]";
            format!(
                "shape = {{ height_field = {{ size = [{x}, 16], heights = {heights} }} }}, at = [{at}, {y}, 0]"
            )
        };
        let (kind, near, far) = match self {
            Ground::Boxes => ("fixed", near_box, far_box),
            Ground::Kinematic => ("kinematic", near_box, far_box),
            Ground::Meshes => ("fixed", near_mesh, far_mesh),
            Ground::BoxAndMesh => ("fixed", near_box, far_mesh),
            Ground::HeightFields => ("fixed", flat(24.0, -12.0, 0.0), flat(60.0, 30.0, higher)),
            Ground::Compound => {
                return format!(
                    "{{ name = \"floor\", kind = \"fixed\", shape = {{ compound = [{{ {near_box} }}, {{ {far_box} }}] }} }}"
                );
            }
        };
        format!(
            "{{ name = \"near\", kind = \"{kind}\", {near} }}, {{ name = \"far\", kind = \"{kind}\", {far} }}"
        )
    }
}

/// Boxes as meshes.
struct Boxes;

impl Assets for Boxes {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let length = if path.contains("near") { 24.0 } else { 60.0 };
        let [x, y, z] = [0.5 * length, 0.25, 8.0];
        let mut text = String::new();
        for k in 0..8 {
            let side = |bit: i32, half: f64| if k & bit == 0 { -half } else { half };
            writeln!(text, "v {} {} {}", side(1, x), side(2, y), side(4, z)).unwrap();
        }
        for [a, b, c, d] in
            [[1, 5, 7, 3], [2, 4, 8, 6], [1, 2, 6, 5], [3, 7, 8, 4], [1, 3, 4, 2], [5, 6, 8, 7]]
        {
            writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}").unwrap();
        }
        Ok(text.into_bytes())
    }
}

/// How fast a body is, in metres a second, and by what the step differs from 5 ms.
struct Pace {
    speed: f64,
    step: f64,
}

/// The highest place and the last speed of a body without friction that begins 1.03 m before the seam.
fn slide(ground: &str, (shape, turned, height): (&str, &str, f64), pace: &Pace) -> [f64; 2] {
    let Pace { speed, step } = pace;
    let dt = 0.005 * step;
    let text = format!(
        r#"
version = 1
world = {{ dt = {dt} }}
pair.default = {{ section = {{ model = "coulomb", mu = 0 }} }}
body = [ {ground},
         {{ name = "body", shape = {{ {shape} }}, at = [-1.03, {height}, 0], velocity = [{speed}, 0, 0]{turned} }} ]
"#
    );
    highest_and_last(&text, *speed)
}

/// The highest place and the last speed of the body of a scene.
fn highest_and_last(text: &str, speed: f64) -> [f64; 2] {
    let scene = scene::load(text, "seam.toml", &Boxes).unwrap_or_else(|e| panic!("{e}"));
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
    let mut wrong = Vec::new();
    for ground in GROUNDS {
        for shape in SHAPES {
            for speed in [1.0, 5.0, 20.0, 60.0] {
                for step in [0.5, 1.0, 2.0] {
                    let [highest, last] = slide(&ground.bodies(0.0), shape, &Pace { speed, step });
                    let thrown = (highest - shape.2).abs() >= 1e-6;
                    let slowed = (last / speed - 1.0).abs() >= 1e-9;
                    if thrown || slowed {
                        let what = shape.0.split(' ').next().unwrap();
                        wrong.push(format!(
                            "{ground:?}: {what} at {speed} m/s, step times {step}: {highest} m, {last} m/s"
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Controls: a real step stops what runs against it, and one down does not.
#[test]
fn a_step_still_stops_what_runs_against_it() {
    for ground in GROUNDS {
        let box_shape = SHAPES[3];
        for (higher, stops) in [(0.01, true), (0.1, true), (-0.001, false), (-0.05, false)] {
            if ground == Ground::HeightFields && higher < 0.0 {
                continue; // a sheet beside another has no side
            }
            let [_, last] =
                slide(&ground.bodies(higher), box_shape, &Pace { speed: 5.0, step: 1.0 });
            let stopped = last < 2.5;
            assert_eq!(stopped, stops, "{ground:?}, a step of {higher} m: {last} m/s");
        }
    }
}

/// What rolls without slip meets the seam with points that go down, ahead of its lowest one.
#[test]
fn what_rolls_over_a_seam_does_not_hop() {
    let mut wrong = Vec::new();
    for ground in GROUNDS {
        for (shape, turned) in [
            ("sphere = 0.1", ""),
            ("cylinder = [0.1, 0.2]", ", rotate = { axis = \"x\", deg = 90 }"),
        ] {
            for (speed, mu, step) in [
                (1.0, 0.5, 1.0),
                (5.0, 0.5, 1.0),
                (20.0, 0.5, 1.0),
                (20.0, 0.0, 1.0),
                (5.0, 0.5, 2.0),
            ] {
                let spin = -speed / 0.1;
                let name =
                    format!("{shape} }}, at = [-1.03, 0.1, 0], spin = [0, 0, {spin}]{turned}");
                let text = format!(
                    r#"
version = 1
world = {{ dt = {} }}
pair.default = {{ section = {{ model = "coulomb", mu = {mu} }} }}
body = [ {}, {{ name = "body", velocity = [{speed}, 0, 0], shape = {{ {name} }} ]
"#,
                    0.005 * step,
                    ground.bodies(0.0)
                );
                let [highest, last] = highest_and_last(&text, speed);
                if (highest - 0.1).abs() >= 1e-6 || (last / speed - 1.0).abs() >= 1e-6 {
                    wrong.push(format!(
                        "{ground:?}: {shape} at {speed} m/s, mu {mu}, step times {step}: {highest} m, {last} m/s"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
