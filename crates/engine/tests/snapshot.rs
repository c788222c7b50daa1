//! A world that goes on from a snapshot makes the same steps to the last bit.

use asperity::World;
use asperity_scene::{self as scene, NoAssets};

fn load(bodies: &str) -> World {
    let text = format!(
        r#"
version = 1
world = {{ dt = 0.01, solver = {{ tolerance = 1e-9 }} }}
material.any = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.4 }}, memory = {{ model = "elasto_plastic", sigma0 = 1e5 }} }}
body = [ {{ name = "floor", kind = "fixed", shape = {{ box = [10, 0.2, 10] }}, at = [0, -0.1, 0], rotate = {{ axis = "z", deg = -10 }}, material = "any" }},
{bodies} ]
joint = [ {{ kind = "ball", a = "one", b = "two", at = [0, 0.5, 0] }} ]
"#
    );
    scene::load(&text, "snapshot.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world
}

const BODIES: &str = r#"{ name = "one", shape = { box = [0.3, 0.2, 0.2] }, at = [0, 0.4, 0], material = "any" },
{ name = "two", shape = { sphere = 0.1 }, at = [0.05, 0.62, 0], spin = [3, 1, 2], material = "any" },
{ name = "three", shape = { box = [0.2, 0.2, 0.2] }, at = [0.5, 0.3, 0], velocity = [1, 0, 0.3], spin = [0, 4, 0], material = "any" }"#;

fn run(world: &mut World, steps: usize) -> Vec<u64> {
    (0..steps)
        .map(|_| {
            world.step();
            world.state_hash()
        })
        .collect()
}

#[test]
fn steps_after_going_back_are_the_same_bits() {
    let mut world = load(BODIES);
    for _ in 0..5 {
        run(&mut world, 17);
        let snapshot = world.snapshot();
        let (time, report) = (world.time(), world.report().clone());
        let first = run(&mut world, 40);
        world.restore(&snapshot).unwrap();
        assert_eq!((world.time(), world.report()), (time, &report));
        assert_eq!(run(&mut world, 40), first);
        // Another world that was built alike.
        let mut other = load(BODIES);
        other.restore(&snapshot).unwrap();
        assert_eq!(run(&mut other, 40), first);
    }
    // Bristles are bent by then, so that they are part of what was kept.
    assert!(
        world
            .patch_blocks()
            .iter()
            .any(|b| b.past().cloned().unwrap_or_default().vector.length() > 0.0)
    );
}

#[test]
fn snapshots_of_other_worlds_are_refused() {
    let mut world = load(BODIES);
    let before = world.state_hash();
    let other = load(&BODIES.replace("three", "four"));
    let error = world.restore(&other.snapshot()).unwrap_err().to_string();
    assert!(error.contains("another world"), "{error}");
    assert_eq!(world.state_hash(), before);
}

const SOFT: &str = r#"
version = 1
world = { dt = 0.01, soft_contact = "KIND", solver = { tolerance = 1e-7 } }
pair.default = { section = { model = "coulomb", mu = 0.4 } }
body = [
  { name = "floor", kind = "fixed", shape = { half_space = [0, 1, 0] } },
  { name = "block", at = [0, 0.06, 0], solid = { box = [0.2, 0.1, 0.2], cells = [3, 2, 3], elastic = "foam" } },
  { name = "cloth", at = [0, 0.13, 0], rotate = { axis = "y", deg = 20 }, velocity = [0.4, 0, 0], cloth = { size = [0.5, 0.4], cells = [8, 8] } },
  { name = "ball", shape = { sphere = 0.05 }, at = [0.02, 0.25, 0], spin = [3, 1, 2] },
]
"#;

#[test]
fn soft_bodies_go_on_with_the_same_bits() {
    for kind in ["implicit", "filter", "solver"] {
        let text = SOFT.replace("KIND", kind);
        let load = || scene::load(&text, "soft.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}"));
        let mut world = load().world;
        run(&mut world, 25);
        let snapshot = world.snapshot();
        let first = run(&mut world, 20);
        world.restore(&snapshot).unwrap();
        assert_eq!(run(&mut world, 20), first, "{kind}");
        let mut other = load().world;
        other.restore(&snapshot).unwrap();
        assert_eq!(run(&mut other, 20), first, "{kind}, another world");
    }
}
