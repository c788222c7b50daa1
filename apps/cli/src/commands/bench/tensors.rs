//! `asperity bench tensors`: what friction costs on cloth (Pabst 2009, section 4.3, Table 1).

use std::path::PathBuf;
use std::time::{Duration, Instant};

use asperity::deform::contact::StageOptions;
use asperity_scene as scene;
use serde::Serialize;
use toml::{Table, Value};

use crate::error::CliError;
use crate::output::print_as;
use crate::progress::spinner;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The scene of section 4.3.
    #[arg(long, default_value = "scenes/tensors/incline.toml")]
    scene: PathBuf,
    /// Ways to touch, by `soft_contact`: the paper's filter, and ours.
    #[arg(long, value_delimiter = ',', default_value = "filter_as_printed,filter,implicit")]
    ways: Vec<String>,
    /// The coefficient of isotropic friction: what the tensors of the scene have along the slope.
    #[arg(long, default_value_t = 0.2)]
    mu: f64,
    /// Runs of each; the quickest counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=100))]
    repeat: u16,
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
#[derive(Debug, Clone, Serialize)]
struct Run {
    all: f64,
    /// Of it, as the parts of a step tell: elasticity, and contacts that are part of its solve.
    solve: f64,
    find: f64,
    laws: f64,
    filter: f64,
    clear: f64,
    /// The most in a step.
    contacts: usize,
    /// How far the cloth's centre moved, metres.
    moved: f64,
}

/// A line of Table 1.
#[derive(Debug, Serialize)]
struct Row {
    way: String,
    friction: &'static str,
    /// Collision, seconds, and friction as part of it, percent, in the paper.
    paper: (f64, Option<f64>),
    /// Elasticity alone: the same cloth in free fall.
    elastic: f64,
    /// Everything else, friction included, as in the paper.
    collision: f64,
    /// What the run takes more than that without friction; nothing for that one itself.
    slower: Option<f64>,
    run: Run,
}

#[derive(Debug, Serialize)]
struct Results {
    rows: Vec<Row>,
    /// Frames of 1/60 s per second.
    drape_frames_per_second: Option<f64>,
    /// What the time of the drape went into.
    drape: Option<Run>,
}

/// Kinds of friction, and what the paper has for them: seconds of collision, percent of friction.
const KINDS: [(&str, (f64, Option<f64>)); 3] =
    [("none", (6.5, None)), ("isotropic", (7.3, Some(10.0))), ("anisotropic", (8.7, Some(25.0)))];

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(args.threads)).build();
    let pool = pool.map_err(|e| CliError::Input(format!("cannot start threads: {e}")))?;
    let bar = spinner("cloth on an incline");
    let read = |path: &PathBuf| std::fs::read_to_string(path).map_err(CliError::at(path));
    let text = read(&args.scene)?;
    let table: Table = toml::from_str(&text)
        .map_err(|e| CliError::Input(format!("{}: {e}", args.scene.display())))?;
    let mut rows = Vec::new();
    for way in &args.ways {
        bar.set_message(format!("cloth on an incline, {way}"));
        rows.extend(pool.install(|| lines(&table, way, args))?);
    }
    let mut results = Results { rows, drape_frames_per_second: None, drape: None };
    if args.frames > 0 {
        bar.set_message("cloth on a sphere");
        let text = read(&args.drape)?;
        let run = pool.install(|| measure(&text, "drape", Some(args.frames)))?;
        results.drape_frames_per_second = Some(args.frames as f64 / run.all);
        results.drape = Some(run);
    }
    bar.finish_and_clear();
    print_as(args.json, &results, || print(&results, args))
}

/// The lines of one way to touch.
fn lines(scene: &Table, way: &str, args: &Args) -> Result<Vec<Row>, CliError> {
    let quickest = |scene: &Table, name: &str| -> Result<Run, CliError> {
        let text = toml::to_string(scene).map_err(|e| CliError::Input(e.to_string()))?;
        let runs = (0..args.repeat).map(|_| measure(&text, name, None));
        let runs: Vec<Run> = runs.collect::<Result<_, _>>()?;
        let quickest = runs.into_iter().min_by(|a, b| a.all.total_cmp(&b.all));
        quickest.ok_or_else(|| CliError::Input("expected at least one run".to_owned()))
    };
    let mut scene = scene.clone();
    set(&mut scene, "world", "soft_contact", way.into());
    let elastic = quickest(&alone(&scene), "free fall")?.all;
    let mut rows: Vec<Row> = Vec::new();
    for (friction, paper) in KINDS {
        let mut own = scene.clone();
        match friction {
            "none" => coulomb(&mut own, 0.0),
            "isotropic" => coulomb(&mut own, args.mu),
            _ => {}
        }
        let run = quickest(&own, friction)?;
        let slower = rows.first().map(|none| run.all - none.run.all);
        let collision = run.all - elastic;
        rows.push(Row { way: way.to_owned(), friction, paper, elastic, collision, slower, run });
    }
    Ok(rows)
}

/// Sets a key within a table of a scene.
fn set(scene: &mut Table, table: &str, key: &str, value: Value) {
    let mut inner = match scene.remove(table) {
        Some(Value::Table(inner)) => inner,
        _ => Table::new(),
    };
    inner.insert(key.to_owned(), value);
    scene.insert(table.to_owned(), Value::Table(inner));
}

/// Gives all pairs Coulomb's friction.
fn coulomb(scene: &mut Table, mu: f64) {
    scene.remove("pair");
    let section = [("model", Value::from("coulomb")), ("mu", Value::from(mu))];
    let section: Table = section.map(|(key, value)| (key.to_owned(), value)).into_iter().collect();
    let pair = Table::from_iter([("section".to_owned(), Value::Table(section))]);
    set(scene, "pair", "default", Value::Table(pair));
}

/// The same cloth with nothing to touch.
fn alone(scene: &Table) -> Table {
    let mut scene = scene.clone();
    if let Some(bodies) = scene.get_mut("body").and_then(Value::as_array_mut) {
        bodies.retain(|body| body.get("cloth").is_some());
    }
    scene.remove("expect");
    scene
}

fn measure(text: &str, name: &str, frames: Option<usize>) -> Result<Run, CliError> {
    let mut scene =
        scene::load(text, name, &scene::NoAssets).map_err(|e| CliError::Input(e.to_string()))?;
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
    let [solve, find, laws, filter, clear] = sums.map(|d| d.as_secs_f64());
    let moved = world.softs().first().map_or(0.0, |s| s.body.centre().distance(s.start));
    Ok(Run { all, solve, find, laws, filter, clear, contacts, moved })
}

fn print(results: &Results, args: &Args) -> String {
    let mut text = format!(
        "Table 1: {}, {} thread(s), quickest of {}; seconds\n\
         collision is what the run takes more than the same cloth in free fall (elastic), friction what it takes \
         more than the run without; percent of collision\n\n\
         {:18} {:12} {:>8} {:>9} {:>8} {:>5}   {:>15}   {:>8} {:>7}\n",
        args.scene.display(),
        args.threads,
        args.repeat,
        "soft_contact",
        "friction",
        "elastic",
        "collision",
        "friction",
        "%",
        "paper: coll., %",
        "contacts",
        "moved"
    );
    for row in &results.rows {
        let percent = row.slower.map(|s| format!("{:.0}", 100.0 * s / row.collision));
        let slower = row.slower.map(|s| format!("{s:.3}"));
        let paper = row.paper.1.map_or_else(|| "-".to_owned(), |p| format!("{p:.0}"));
        text += &format!(
            "{:18} {:12} {:>8.3} {:>9.3} {:>8} {:>5}   {:>10.1} {paper:>4}   {:>8} {:>5.3} m\n",
            row.way,
            row.friction,
            row.elastic,
            row.collision,
            slower.unwrap_or_else(|| "-".to_owned()),
            percent.unwrap_or_else(|| "-".to_owned()),
            row.paper.0,
            row.run.contacts,
            row.run.moved
        );
    }
    text += "\nParts of a step\n";
    text += &parts_head();
    for row in &results.rows {
        text += &parts(&row.way, row.friction, &row.run);
    }
    if let (Some(run), Some(rate)) = (&results.drape, results.drape_frames_per_second) {
        text += &format!(
            "\n{} frames of cloth on a sphere: {rate:.2} frames per second\n",
            args.frames
        );
        text += &parts_head();
        text += &parts("", "drape", run);
    }
    text
}

fn parts_head() -> String {
    format!(
        "{:18} {:12} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}\n",
        "", "", "all", "solve", "find", "laws", "filter", "clear"
    )
}

fn parts(way: &str, friction: &str, r: &Run) -> String {
    format!(
        "{way:18} {friction:12} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {:>7.3}\n",
        r.all, r.solve, r.find, r.laws, r.filter, r.clear
    )
}
