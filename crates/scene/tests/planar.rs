//! Scenes of planar friction with their controls, and what is told when bristles are not passive.

use asperity_scene::run::{Plan, simulate};
use asperity_scene::{NoAssets, Outcome, load};

/// What a scene expects, and how much of that it misses.
fn judged(text: &str) -> (usize, usize) {
    let mut scene = load(text, "scene.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}"));
    let plan = Plan::new(&scene, None, 1).unwrap();
    let run = simulate(&mut scene, &plan, |world| assert_eq!(world.report().unconverged, 0));
    let missed = run.verdicts.iter().filter(|v| v.outcome == Outcome::Missed);
    (run.verdicts.len(), missed.inspect(|v| eprintln!("{v}")).count())
}

#[test]
fn rings_go_as_rings_and_discs_in_their_place_miss_all() {
    assert_eq!(judged(include_str!("../../../scenes/planar/ring.toml")), (6, 0));
    assert_eq!(judged(include_str!("../../../scenes/planar/ring_control.toml")), (6, 6));
}

#[test]
fn a_drill_gives_way_only_while_it_turns() {
    assert_eq!(judged(include_str!("../../../scenes/planar/drill.toml")), (4, 0));
    assert_eq!(judged(include_str!("../../../scenes/planar/drill_control.toml")), (4, 4));
}

#[test]
fn a_pulled_block_slips_when_lugre_says() {
    assert_eq!(judged(include_str!("../../../scenes/planar/pulled_block.toml")), (6, 0));
    let (_, missed) = judged(include_str!("../../../scenes/planar/pulled_block_control.toml"));
    assert!(missed >= 5, "{missed}");
}

/// What is told about a pair with this section and memory.
fn told(section: &str, memory: &str) -> String {
    let text = format!(
        r#"
version = 1
pair.default = {{ section = {section}, memory = {memory} }}
body = [
  {{ name = "floor", kind = "fixed", shape = {{ box = [4, 0.2, 4] }}, at = [0, -0.1, 0] }},
  {{ name = "block", shape = {{ box = [0.1, 0.1, 0.1] }}, at = [0, 0.05, 0] }} ]
"#
    );
    let scene = load(&text, "told.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}"));
    scene.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn bristles_that_give_energy_of_their_own_say_so_when_the_scene_loads() {
    let falls = r#"{ model = "coulomb", mu = 1, static_mu = 1.2, stribeck_speed = 1e-3 }"#;
    let level = r#"{ model = "coulomb", mu = 1 }"#;
    // 800 s/m times (1.2 - 1)/1.
    let found = told(falls, r#"{ model = "lugre", sigma1 = 800, sigma2 = 0.2 }"#);
    assert!(found.contains("160") && found.contains("lugre_passive"), "{found}");
    for (section, memory) in [
        (falls, r#"{ model = "lugre", sigma1 = 800, sigma2 = 160.1 }"#),
        (falls, r#"{ model = "lugre", sigma1 = 800, damping_speed = 2e-5, sigma2 = 0.2 }"#),
        (falls, r#"{ model = "lugre_passive", sigma1 = 800, sigma2 = 0.2 }"#),
        (falls, r#"{ model = "elasto_plastic", sigma1 = 800 }"#),
        (level, r#"{ model = "lugre", sigma1 = 800 }"#),
    ] {
        assert_eq!(told(section, memory), "", "{section} {memory}");
    }
}
