//! `asperity bench tensors`: what friction costs on cloth (Pabst 2009, section 4.3).

use std::path::PathBuf;
use std::time::{Duration, Instant};

use asperity::deform::contact::StageOptions;
use asperity_scene as scene;
use serde::Serialize;

use crate::error::CliError;
use crate::output::print_as;
use crate::progress::spinner;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The scene of section 4.3.
    #[arg(long, default_value = "scenes/tensors/incline.toml")]
    scene: PathBuf,
    /// A cloth on a turning sphere, for frames per second.
    #[arg(long, default_value = "scenes/tensors/drape_cw_anisotropic.toml")]
    drape: PathBuf,
    /// Frames of the drape; 0 leaves it out.
    #[arg(long, default_value_t = 60)]
    frames: usize,
    /// Threads; the paper had one core.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

/// Times of a run, seconds.
#[derive(Debug, Serialize)]
struct Row {
    friction: &'static str,
    /// Of the paper, collision and friction.
    paper: Option<f64>,
    all: f64,
    elastic: f64,
    find: f64,
    laws: f64,
    filter: f64,
    clear: f64,
    contacts: usize,
}

#[derive(Debug, Serialize)]
struct Results {
    rows: Vec<Row>,
    /// Frames of 1/60 s per second.
    drape_frames_per_second: Option<f64>,
    /// What the time of the drape went into.
    drape: Option<Row>,
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(args.threads)).build();
    let pool = pool.map_err(|e| CliError::Input(format!("cannot start threads: {e}")))?;
    let bar = spinner("cloth on an incline");
    let read = |path: &PathBuf| std::fs::read_to_string(path).map_err(CliError::at(path));
    let text = read(&args.scene)?;
    let same = "[[0.35, 0], [0, 0.35]]";
    let kinds = [
        (
            "none",
            6.5,
            text.replace("[[0.2, 0], [0, 0.5]]", ZERO).replace("[[0.2, 0], [0, 0.2]]", ZERO),
        ),
        ("isotropic", 7.3, text.replace("[[0.2, 0], [0, 0.5]]", same)),
        ("anisotropic", 8.7, text.clone()),
    ];
    let mut rows = Vec::new();
    for (name, paper, text) in &kinds {
        let mut row = pool.install(|| measure(text, name, None))?;
        row.paper = Some(*paper);
        rows.push(row);
    }
    let mut results = Results { rows, drape_frames_per_second: None, drape: None };
    if args.frames > 0 {
        bar.set_message("cloth on a sphere");
        let text = read(&args.drape)?;
        let row = pool.install(|| measure(&text, "drape", Some(args.frames)))?;
        results.drape_frames_per_second = Some(args.frames as f64 / row.all);
        results.drape = Some(row);
    }
    bar.finish_and_clear();
    print_as(args.json, &results, || table(&results, args))
}

const ZERO: &str = "[[0, 0], [0, 0]]";

fn measure(text: &str, friction: &'static str, frames: Option<usize>) -> Result<Row, CliError> {
    let mut scene = scene::load(text, friction, &scene::NoAssets)
        .map_err(|e| CliError::Input(e.to_string()))?;
    let world = &mut scene.world;
    // The residual is a measurement, not part of the step.
    world.set_soft_stage(StageOptions { residual: false, ..StageOptions::default() }, 1);
    // A frame is a sixtieth of a second, however many steps that takes.
    let seconds = frames.map_or(scene.duration, |frames| frames as f64 / 60.0);
    let steps = (seconds / world.settings.dt).round() as usize;
    let mut sums = [Duration::ZERO; 5];
    let mut contacts = 0;
    let started = Instant::now();
    for _ in 0..steps {
        let Some(soft) = world.step().soft else { continue };
        let t = soft.contact.times;
        for (sum, part) in sums.iter_mut().zip([soft.elastic, t.find, t.laws, t.filter, t.clear]) {
            *sum += part;
        }
        contacts = contacts.max(soft.contact.contacts);
    }
    let all = started.elapsed().as_secs_f64();
    let [elastic, find, laws, filter, clear] = sums.map(|d| d.as_secs_f64());
    Ok(Row { friction, paper: None, all, elastic, find, laws, filter, clear, contacts })
}

fn table(results: &Results, args: &Args) -> String {
    let mut text = format!(
        "1 s of cloth on an incline in steps of 1 ms, {} thread(s); seconds\n{:12} {:>7} {:>7} {:>8} {:>7} {:>7} {:>7} {:>7} {:>9}\n",
        args.threads,
        "friction",
        "paper",
        "all",
        "elastic",
        "find",
        "laws",
        "filter",
        "clear",
        "contacts"
    );
    let line = |r: &Row| {
        let paper = r.paper.map_or_else(String::new, |p| format!("{p:.1}"));
        format!(
            "{:12} {paper:>7} {:>7.3} {:>8.3} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {:>9}\n",
            r.friction, r.all, r.elastic, r.find, r.laws, r.filter, r.clear, r.contacts
        )
    };
    for row in &results.rows {
        text += &line(row);
    }
    let friction = |k: usize| results.rows[k].laws + results.rows[k].filter;
    text += &format!(
        "friction is {:.1} % of the anisotropic run; laws and filter, anisotropic over isotropic: {:.2}\n",
        100.0 * friction(2) / results.rows[2].all,
        friction(2) / friction(1)
    );
    if let (Some(row), Some(rate)) = (&results.drape, results.drape_frames_per_second) {
        text +=
            &format!("{} frames of cloth on a sphere: {rate:.2} frames per second\n", args.frames);
        text += &line(row);
    }
    text
}
