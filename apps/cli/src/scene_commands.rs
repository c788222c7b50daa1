//! `asperity check`, `asperity new` and `asperity schema`: scenes before they are run.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use asperity_scene::record::Inventory;
use asperity_scene::{Expectation, Scene, schema, starter};

use crate::draw::write_whole;
use crate::error::CliError;
use crate::run::judgement::Judgement;
use crate::run::load::load_scene;
use crate::run::report::PairLine;
use crate::solve::json_error;

/// Options of `asperity check`.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Scene file (TOML).
    scene: PathBuf,
}

/// Options of `asperity new`.
#[derive(Debug, clap::Args)]
pub(crate) struct NewArgs {
    /// Name of the scene; NAME.toml is written.
    name: PathBuf,
}

/// Options of `asperity schema`.
#[derive(Debug, clap::Args)]
pub(crate) struct SchemaArgs {
    /// File to write; standard output where not given.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Validates a scene and prints what it holds.
pub(crate) fn check(args: &CheckArgs) -> Result<(), CliError> {
    let scene = load_scene(&args.scene)?;
    print(&describe(&args.scene, &scene));
    Ok(())
}

/// Writes a scene to begin with; never over another file.
pub(crate) fn new(args: &NewArgs) -> Result<(), CliError> {
    let has_extension = args.name.extension().is_some_and(|e| e == "toml");
    let stem = if has_extension { args.name.with_extension("") } else { args.name.clone() };
    let Some(name) = stem.file_name() else {
        let message = format!("\"{}\" is not a name for a scene", args.name.display());
        return Err(CliError::Input(message));
    };
    let name = name.to_string_lossy();
    let path = stem.with_file_name(format!("{name}.toml"));
    // Created only where there is nothing yet, even if another program is about to.
    let mut file = match std::fs::File::create_new(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let message = format!("{} is there already; choose another name", path.display());
            return Err(CliError::Input(message));
        }
        other => other.map_err(CliError::at(&path))?,
    };
    if let Err(error) = file.write_all(starter(&name).as_bytes()) {
        let _ = std::fs::remove_file(&path);
        return Err(CliError::at(&path)(error));
    }
    print(&format!("wrote {0}\nnext: asperity run {0}\n", path.display()));
    Ok(())
}

/// Prints or writes the JSON Schema of scene files.
pub(crate) fn print_schema(args: &SchemaArgs) -> Result<(), CliError> {
    let text = serde_json::to_string_pretty(&schema()).map_err(|e| json_error(&e))? + "\n";
    match &args.output {
        Some(path) => {
            write_whole(path, text.as_bytes())?;
            print(&format!("wrote {}\n", path.display()));
        }
        None => print(&text),
    }
    Ok(())
}

/// A closed pipe is not an error of ours.
fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
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
    let method = match settings.method {
        asperity::world::Method::Prox => "prox",
        asperity::world::Method::Pgs => "pgs",
    };
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
    let pair = |pair: &asperity_scene::record::PairUse| PairLine::new(pair.clone()).to_string();
    lines("friction", held.pairs.iter().map(pair).collect());
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
