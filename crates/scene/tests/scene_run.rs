//! Scenes run, and what they expect comes out.

use asperity_scene::{self as scene, NoAssets, Outcome, Verdict};

/// Runs a scene to its end and judges it.
fn run(text: &str) -> Vec<Verdict> {
    let mut scene = scene::load(text, "run.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}"));
    let sample = |scene: &scene::Scene| -> Vec<f64> {
        scene.probes.iter().map(|probe| probe.value(&scene.world)).collect()
    };
    let mut samples = vec![(0.0, sample(&scene))];
    let steps = (scene.duration / scene.world.settings.dt).round() as u64;
    for _ in 0..steps {
        scene.world.step();
        samples.push((scene.world.time(), sample(&scene)));
    }
    let judge = |e: &scene::Expectation| {
        let series: Vec<(f64, f64)> = samples.iter().map(|(t, v)| (*t, v[e.probe])).collect();
        e.judge(&series)
    };
    scene.expectations.iter().map(judge).collect()
}

fn all_met(text: &str) {
    let verdicts = run(text);
    assert!(!verdicts.is_empty());
    for verdict in verdicts {
        assert_eq!(verdict.outcome, Outcome::Met, "{verdict}");
    }
}

#[test]
fn the_starter_meets_its_expectation() {
    all_met(&scene::starter("first"));
}

#[test]
fn the_first_example_of_the_docs_meets_its_expectation() {
    let docs = include_str!("../../../docs/scenes.md");
    let example = docs.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    all_met(example.unwrap());
}

#[test]
fn a_block_at_rest_is_carried_by_its_weight() {
    all_met(
        r#"version = 1
world = { duration = 0.5 }
pair.default = { section = { model = "coulomb", mu = 0.5 } }
body = [ { name = "ground", kind = "fixed", shape = { half_space = [0, 1, 0] } },
         { name = "block", shape = { box = [1, 1, 1] }, at = [0, 0.5, 0], mass = 2 } ]
probe = [ { name = "force", of = "block.contact_force", component = "y" },
          { name = "contacts", of = "world.contacts" },
          { name = "turn", of = "block.rotation", component = "length" } ]
expect = [ { probe = "force", when = "final", near = 19.62, within = 1e-6 },
           { probe = "contacts", when = "final", near = 4, within = 0 },
           { probe = "turn", when = "max", between = [0, 1e-6] } ]
"#,
    );
}

#[test]
fn an_arch_of_enough_thickness_stands() {
    all_met(
        r#"version = 1
world = { duration = 0.5, dt = 0.005 }
pair.default = { section = { model = "coulomb", mu = 0.8 } }
body = [ { name = "ground", kind = "fixed", shape = { half_space = [0, 1, 0] } } ]
prefab = [ { name = "arch", arch = { blocks = 11, radius = 2, thickness = 0.4, depth = 0.5 } } ]
probe = [ { name = "sag", of = "arch.5.displacement", component = "length" } ]
expect = [ { probe = "sag", when = "max", between = [0, 1e-3] } ]
"#,
    );
}

#[test]
fn a_kinematic_body_begins_where_its_keyframes_say() {
    all_met(
        r#"version = 1
world = { duration = 0.1 }
body = [ { name = "pad", kind = "kinematic", shape = { sphere = 0.1 }, keyframes = [
  { time = 0, at = [2, 0, 0] }, { time = 1, at = [3, 0, 0] } ] } ]
probe = [ { name = "x", of = "pad.position", component = "x" }, { name = "speed", of = "pad.velocity", component = "x" } ]
expect = [
  { probe = "x", when = "always", between = [1.999, 2.101], source = "keyframes" },
  { probe = "speed", when = "max", near = 1, within = 1e-9, source = "keyframes" } ]
"#,
    );
}

/// v = F t/m, wherever in a step the force begins and ends.
#[test]
fn forces_act_for_as_long_as_they_say() {
    for (from, until) in [(0.1, 0.103), (0.105, 0.2), (0.1, 0.113), (0.0, 0.3), (0.123, 0.1234)] {
        let expected = 5.0 * (until - from);
        all_met(&format!(
            r#"version = 1
world = {{ duration = 0.4, dt = 0.01, gravity = 0 }}
body = [ {{ name = "block", shape = {{ box = [0.1, 0.1, 0.1] }}, mass = 2 }} ]
drive = [ {{ body = "block", force = [10, 0, 0], from = {from}, until = {until} }} ]
probe = [ {{ name = "speed", of = "block.speed" }} ]
expect = [ {{ probe = "speed", when = "final", near = {expected}, within = 1e-9, source = "F t/m" }} ]
"#
        ));
    }
}
