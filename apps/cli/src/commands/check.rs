//! `asperity check`: what a scene holds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use asperity_scene::record::Inventory;
use asperity_scene::run::Judgement;
use asperity_scene::{Expectation, Scene};

use crate::error::CliError;
use crate::output::print;
use crate::scene::load_scene;

/// Options of `asperity check`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Scene file (TOML).
    scene: PathBuf,
}

/// Validates a scene and prints what it holds.
pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let scene = load_scene(&args.scene)?;
    print(&describe(&args.scene, &scene));
    Ok(())
}

/// What a scene holds.
fn describe(path: &Path, scene: &Scene) -> String {
    let held = Inventory::of(&scene.world);
    let settings = &scene.world.settings;
    let mut text = format!("{}: valid\n", path.display());
    let mut lines = |name: &str, whats: Vec<String>| {
        for (i, what) in whats.iter().enumerate() {
            text += &format!("  {:<12} {what}\n", if i == 0 { name } else { "" });
        }
    };
    lines("title", scene.title.iter().cloned().collect());
    let steps = (scene.duration / settings.dt - 1e-9).ceil();
    lines("time", vec![format!("{} s in {steps} steps of {} s", scene.duration, settings.dt)]);
    let method = settings.method.name();
    let gravity = settings.gravity.to_array().map(|g| (g + 0.0).to_string()).join(", ");
    let tolerance = settings.solver.tolerance;
    lines("world", vec![format!("gravity [{gravity}] m/s², {method} to {tolerance:e}")]);
    let Inventory { dynamic, kinematic, fixed, .. } = held;
    lines("bodies", vec![format!("{dynamic} dynamic, {kinematic} kinematic, {fixed} fixed")]);
    lines("shapes", counts(&held.shapes).into_iter().collect());
    lines("soft", counts(&held.softs).into_iter().collect());
    let material = |(name, count): &(String, usize)| {
        format!("{name}: {count} {}", if *count == 1 { "body" } else { "bodies" })
    };
    lines("materials", held.materials.iter().map(material).collect());
    lines("friction", held.pairs.iter().map(ToString::to_string).collect());
    lines("joints", counts(&held.joints).into_iter().collect());
    lines("drives", counts(&held.drives).into_iter().collect());
    let probes = scene.probes.iter().map(|probe| format!("{}: {}", probe.name, probe.of));
    lines("probes", probes.collect());
    let claim = |e: &Expectation| Judgement::new(e, &e.judge(&[])).claim();
    lines("expected", scene.expectations.iter().map(claim).collect());
    text
}

/// "3 box, 1 half-space"; nothing where there is nothing.
fn counts(of: &BTreeMap<&'static str, usize>) -> Option<String> {
    let parts: Vec<String> = of.iter().map(|(name, count)| format!("{count} {name}")).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
