//! Scenes in tests: loaded, run and judged.

#![allow(dead_code)]

use asperity_scene::run::{Plan, simulate};
use asperity_scene::{self as scene, NoAssets, Outcome, Scene};

/// A scene of a test, which names no files.
pub(crate) fn load(text: &str) -> Scene {
    scene::load(text, "test.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The expectations that a scene misses, and how many it has.
pub(crate) fn missed(text: &str) -> (Vec<String>, usize) {
    let mut scene = load(text);
    let plan = Plan::new(&scene, None, 1000).unwrap();
    let verdicts = simulate(&mut scene, &plan, |_| {}).verdicts;
    let missed = verdicts.iter().filter(|v| v.outcome != Outcome::Met).map(ToString::to_string);
    (missed.collect(), verdicts.len())
}
