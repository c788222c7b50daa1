//! `asperity-bench piles`: piles of mixed shapes in every engine, on one core.

pub(crate) mod contender;
mod gauge;
mod measure;
mod row;
mod scaling;
pub(crate) mod scene;
mod table;
mod threads;

use std::io::Write as _;
use std::path::PathBuf;

use contender::Contender;
use measure::Plan;
use row::Row;
use serde::Serialize;

use crate::progress::bar;

/// Bodies of piles, unless told.
const BODIES: [usize; 4] = [30, 100, 300, 1000];
/// The same where threads are compared.
const THREADED: [usize; 1] = [1000];

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Numbers of bodies; 30, 100, 300 and 1,000 unless told, with --scaling also 3,000, with
    /// --threads 1,000 alone.
    #[arg(long, value_delimiter = ',')]
    bodies: Vec<usize>,
    /// Engines.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Contender::ALL)]
    engines: Vec<Contender>,
    /// How long bodies fall and lie, seconds of their time.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Seconds per step.
    #[arg(long, default_value_t = 0.01)]
    dt: f64,
    /// Number that the piles are drawn from.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// How often every step is timed; the fastest counts.
    #[arg(long, default_value_t = 1)]
    rounds: usize,
    /// Seconds at most for one run of one engine; what takes longer is cut short and marked.
    #[arg(long, default_value_t = 600.0)]
    budget: f64,
    /// Only what a contact costs, in small piles and in large ones.
    #[arg(long, conflicts_with = "threads")]
    scaling: bool,
    /// Only Asperity, on so many threads beside itself on one.
    #[arg(long)]
    threads: Option<usize>,
    /// Also write all figures to this file, as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// Measures and prints.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let plan = plan(args)?;
    let bodies = |unless_told: &[usize]| match args.bodies.as_slice() {
        [] => unless_told.to_vec(),
        told => told.to_vec(),
    };
    if let Some(threads) = args.threads {
        let of = |bodies: usize| threads::speed_up(bodies, threads, args.seed, &plan);
        let all: Vec<_> = bodies(&THREADED).into_iter().map(of).collect::<Result<_, _>>()?;
        return give(args, &all, &threads::text(&all));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|e| e.to_string())?;
    if args.scaling {
        let bodies = bodies(&scaling::BODIES);
        let costs = || scaling::costs(&args.engines, &bodies, args.seed, &plan);
        let costs = pool.install(costs)?;
        return give(args, &costs, &scaling::text(&costs));
    }
    let mut rows = Vec::new();
    for bodies in bodies(&BODIES) {
        rows.extend(pool.install(|| run_pile(bodies, args, &plan))?);
    }
    give(args, &rows, &table::text(&rows))
}

/// Prints, and writes the file where one is asked for.
fn give(args: &Args, figures: &impl Serialize, text: &str) -> Result<(), String> {
    if let Some(path) = &args.json {
        let json = serde_json::to_string_pretty(figures).map_err(|e| e.to_string())? + "\n";
        std::fs::write(path, json).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    std::io::stdout().write_all(text.as_bytes()).map_err(|e| e.to_string())
}

fn plan(args: &Args) -> Result<Plan, String> {
    let positive = |name: &str, value: f64| {
        let good = value.is_finite() && value > 0.0 && value <= 86_400.0;
        let text = format!("--{name} {value} is not a number of seconds above zero, up to a day");
        if good { Ok(value) } else { Err(text) }
    };
    let (dt, budget) = (positive("dt", args.dt)?, positive("budget", args.budget)?);
    let steps = (positive("seconds", args.seconds)? / dt).round() as usize;
    if steps == 0 || args.rounds == 0 || args.bodies.contains(&0) || args.threads == Some(0) {
        return Err("steps, --rounds, --bodies and --threads must be at least 1".to_owned());
    }
    Ok(Plan { dt, steps, rounds: args.rounds, budget })
}

fn run_pile(bodies: usize, args: &Args, plan: &Plan) -> Result<Vec<Row>, String> {
    let items = scene::pile(bodies, args.seed)?;
    let steps = args.engines.len() * ((plan.rounds + 1) * plan.steps + plan.with_sleep());
    let bar = bar(steps, &format!("pile of {bodies}"));
    let mut rows = Vec::new();
    for &who in &args.engines {
        let say = |what: &str| bar.set_message(format!("pile of {bodies}: {} {what}", who.label()));
        say("is timed");
        let timed = plan.time(who, &items, &bar)?;
        say("is timed with sleep");
        let asleep = plan.sleep(who, &items, &bar)?;
        say("is looked at");
        let seen = plan.look(who, &items, timed.len(), &bar)?;
        rows.push(Row::new(bodies, who, plan, (&timed, asleep, &seen)));
    }
    row::compare(&mut rows);
    bar.finish_and_clear();
    Ok(rows)
}
