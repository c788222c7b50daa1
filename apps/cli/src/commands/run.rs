//! `asperity run`: a scene from beginning to end, recorded and judged.

mod text;

use std::path::PathBuf;
use std::time::Instant;

use asperity_scene::run::{Plan, Report};

use crate::ending::Ending;
use crate::error::CliError;
use crate::error::json_error;
use crate::output::print;
use crate::progress::simulate;
use crate::recording;
use crate::sampler::Which;
use crate::scene::load_sources;

/// Run a scene. Exit code 0 when every expectation of the scene is met, 1 when one is missed, 2
/// when the scene or an option is bad, 3 when the run is not to be trusted, met or missed: energy rose
/// by 1 % without work from outside, bodies are within each other by 10 % of the thinner one, a soft body's
/// surface is through a body or itself, an edge of a soft body is twice as long, a joint is open by 10 % of the smaller body, or a body was stopped. A
/// scene may allow any of it by `allow`, a list of energy, overlap, stretch, joints and stopped.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Scene file (TOML).
    scene: PathBuf,
    /// Folder for the recording: bodies.csv, softs.csv (where there is cloth or a soft solid),
    /// contacts.csv, world.csv, probes.csv, run.npz, run.json, and in scene/ the scene with the
    /// files it names. Nothing is written without it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Record every so many steps.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Threads; as many as there are cores where not given. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Run for so many seconds instead of the scene's own duration.
    #[arg(long, value_name = "S", value_parser = seconds)]
    duration: Option<f64>,
    /// Who samples normal maps: the reports say who did.
    #[arg(long, value_enum, default_value = "cpu")]
    sampler: Which,
    /// Also write the recorded steps into --out for other programs: all bodies as one animated glTF
    /// file, or cloth and soft solids as a numbered OBJ file for each step.
    #[arg(long, value_enum, requires = "out", value_name = "KIND")]
    export: Option<Export>,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
    /// Exit code 3 for every warning too: about the scene, steps short of the tolerance, energy up by
    /// 1e-6, overlaps and joints open by 2 %, soft surfaces nearer than half their thickness, edges 1.5
    /// times as long.
    #[arg(long)]
    strict: bool,
}

/// Files for other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Export {
    /// `run.glb`: rigid bodies move, soft ones change shape (morph targets).
    Glb,
    /// `NAME.00000.obj` and so on for each soft body.
    Obj,
}

/// Runs the scene.
pub(crate) fn run(args: &Args) -> Result<Ending, CliError> {
    let (mut scene, sources) = load_sources(&args.scene)?;
    if let Some(folder) = &args.out {
        recording::prepare(folder)?;
    }
    args.sampler.install(&mut scene.world)?;
    let plan = Plan::new(&scene, args.duration, args.every)?;
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = args.threads {
        pool = pool.num_threads(usize::from(threads));
    }
    let pool = pool.build().map_err(|e| CliError::Input(format!("cannot start threads: {e}")))?;
    let started = Instant::now();
    let run = pool.install(|| simulate(&mut scene, &plan));
    let name = args.scene.display().to_string();
    let report = Report::new(&name, &scene, &plan, &run).took(started.elapsed());
    let json = serde_json::to_string_pretty(&report).map_err(|e| json_error(&e))? + "\n";
    let written = match &args.out {
        Some(folder) => {
            let extra = match args.export {
                None => Vec::new(),
                Some(Export::Glb) => {
                    vec![("run.glb".to_owned(), run.recording.glb(&scene)?)]
                }
                Some(Export::Obj) => run.recording.objs(),
            };
            recording::write(folder, &run.recording, &sources, &json, &extra)?
        }
        None => Vec::new(),
    };
    let text = if args.json { json } else { text::text(&report, args.strict, &written) };
    print(&text);
    Ok(if report.fails(args.strict) { Ending::Unsound } else { Ending::from(report.missed() == 0) })
}

/// A finite number of seconds above zero.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
        _ => Err("expected a finite number of seconds above zero".to_owned()),
    }
}
