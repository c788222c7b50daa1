//! Bodies that go through holes of meshes touch the walls and the rim, and nothing that is not there.

use std::f64::consts::TAU;
use std::fmt::Write;

use asperity::World;
use asperity_scene::run::{Plan, Report, simulate};
use asperity_scene::{self as scene, Assets};

/// Rings about y, by their names: `ring-<sides>-<hole>-<outside>-<height>`, round or square outside, millimetres.
struct Rings;

impl Assets for Rings {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let name = path.trim_end_matches(".obj");
        let numbers: Vec<f64> = name.split('-').skip(1).map(|n| n.parse().unwrap()).collect();
        let [sides, hole, outside, height] = numbers[..] else { return Err(path.to_owned()) };
        let (sides, half) = (sides as usize, 0.5 * height);
        let mut text = String::new();
        for (radius, y) in [(hole, -half), (outside, -half), (hole, half), (outside, half)] {
            for k in 0..sides {
                let (sin, cos) = (TAU * k as f64 / sides as f64).sin_cos();
                let square = path.starts_with("square") && radius == outside;
                let radius = if square { radius / sin.abs().max(cos.abs()) } else { radius };
                let [x, y, z] = [radius * cos, y, -radius * sin].map(|v| 1e-3 * v);
                writeln!(text, "v {x} {y} {z}").unwrap();
            }
        }
        for k in 0..sides {
            let next = (k + 1) % sides;
            let [inner, outer, top, far] = [0, 1, 2, 3].map(|ring| 1 + ring * sides);
            for [a, b, c, d] in [
                [top + k, far + k, far + next, top + next],
                [inner + k, inner + next, outer + next, outer + k],
                [inner + k, top + k, top + next, inner + next],
                [outer + k, outer + next, far + next, far + k],
            ] {
                writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}").unwrap();
            }
        }
        Ok(text.into_bytes())
    }
}

/// A scene over a floor 0.5 m below, run for two seconds: where its last body is, how deep bodies are within each other
/// while they move and when they rest, as parts of the thinner one's thickness, and whether the run fails.
fn run(dt: f64, bodies: &str) -> (f64, [f64; 2], bool) {
    let text = format!(
        "version = 1\nworld = {{ dt = {dt}, duration = 2, gravity = 9.81 }}\n\
         pair.default = {{ section = {{ model = \"coulomb\", mu = 0.3 }} }}\nbody = [\n\
         {{ name = \"floor\", kind = \"fixed\", shape = {{ half_space = [0, 1, 0] }}, at = [0, -0.5, 0] }},\n{bodies} ]\n"
    );
    let mut scene =
        scene::load(&text, "hole.toml", &Rings).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let plan = Plan::new(&scene, None, 100_000).unwrap();
    let (mut late, mut last) = (0.0_f64, 0.0);
    let run = simulate(&mut scene, &plan, |world: &World| {
        last = world.bodies().last().unwrap().pose.translation.y;
        if world.time() > 1.9 {
            let parts = world.overlaps().into_iter().map(|o| o.depth / o.thickness);
            late = parts.fold(late, f64::max);
        }
    });
    let report = Report::new("hole.toml", &scene, &plan, &run);
    let moving = run
        .summary
        .soundness
        .overlap
        .as_ref()
        .map_or(0.0, asperity_scene::record::DeepestOverlap::part);
    (last, [moving, late], report.faults.iter().any(|f| f.fails(false)))
}

/// What falls, and where it ends over a plate of 50 mm with a hole of 60 mm.
const PEGS: [(&str, f64); 6] = [
    ("sphere = 0.055", -0.445),
    ("cylinder = [0.055, 0.3]", -0.35),
    ("box = [0.07, 0.3, 0.07]", -0.35),
    (
        "compound = [{ shape = { cylinder = [0.05, 0.3] } }, { shape = { cylinder = [0.1, 0.04] }, at = [0, 0.17, 0] }]",
        -0.125,
    ),
    (
        "compound = [{ shape = { box = [0.06, 0.3, 0.06] } }, { shape = { box = [0.2, 0.04, 0.06] }, at = [0, 0.17, 0] }]",
        -0.125,
    ),
    (
        "compound = [{ shape = { capsule = [0.05, 0.2] } }, { shape = { cylinder = [0.1, 0.04] }, at = [0, 0.17, 0] }]",
        -0.125,
    ),
];

#[test]
fn pegs_drop_through_and_bolts_hang_by_their_heads() {
    let mut wrong = String::new();
    for (peg, end) in PEGS {
        for (dt, aside) in [(0.005, 0.0), (1.0 / 60.0, 0.003)] {
            let bodies = format!(
                "{{ name = \"plate\", kind = \"fixed\", shape = {{ mesh = \"square-24-60-500-50.obj\" }} }},\n\
                 {{ name = \"peg\", shape = {{ {peg} }}, at = [{aside}, 0.35, {}] }}",
                0.5 * aside
            );
            let (y, [moving, late], fails) = run(dt, &bodies);
            if (y - end).abs() > 1e-4 || moving > 0.02 || late > 1e-3 || fails {
                writeln!(wrong, "{peg}, dt {dt}: at {y}, not {end}; overlaps {moving}, {late}")
                    .unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A hole of eight sides, whose triangles are obtuse: what comes down on its rim tips over it.
#[test]
fn pegs_beside_their_hole_lie_on_the_rim() {
    let mut wrong = String::new();
    for peg in ["cylinder = [0.053, 0.3]", "box = [0.07, 0.3, 0.07]", "capsule = [0.053, 0.2]"] {
        for aside in [0.003, 0.02, 0.05] {
            for dt in [0.005, 0.01] {
                let bodies = format!(
                    "{{ name = \"plate\", kind = \"fixed\", shape = {{ mesh = \"square-8-60-500-50.obj\" }} }},\n\
                     {{ name = \"peg\", shape = {{ {peg} }}, at = [{aside}, 0.25, {}] }}",
                    0.5 * aside
                );
                let (y, [moving, late], fails) = run(dt, &bodies);
                if moving > 0.02 || late > 1e-3 || fails || y > 0.2 {
                    writeln!(
                        wrong,
                        "{peg}, {aside} aside, dt {dt}: at {y}, overlaps {moving}, {late}"
                    )
                    .unwrap();
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn rings_fall_over_posts() {
    let mut wrong = String::new();
    for post in ["cylinder = [0.05, 1]", "box = [0.07, 1, 0.07]"] {
        for (ring, end) in [("ring-24-60-120-20.obj", -0.49), ("ring-24-60-80-600.obj", -0.2)] {
            for dt in [0.005, 0.01] {
                let bodies = format!(
                    "{{ name = \"post\", kind = \"fixed\", shape = {{ {post} }} }},\n\
                     {{ name = \"ring\", shape = {{ mesh = \"{ring}\" }}, at = [0.001, 0.85, 0.0005] }}"
                );
                let (y, [moving, late], fails) = run(dt, &bodies);
                if (y - end).abs() > 1e-3 || moving > 0.02 || late > 1e-3 || fails {
                    writeln!(wrong, "{ring} on {post}, dt {dt}: at {y}, overlaps {moving}, {late}")
                        .unwrap();
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
