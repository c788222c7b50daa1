//! `asperity-bench residuals`: time against residual of every solver, on steps of a pile.

mod chart;
mod curve;
mod moment;
mod table;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use asperity::solve::SOLVERS;
use curve::{Curve, Limits};
use moment::Moment;
use serde::Serialize;

use crate::piles::scene::pile;
use crate::progress::bar;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Number of bodies.
    #[arg(long, default_value_t = 300)]
    bodies: usize,
    /// When steps are taken out of the pile's fall, seconds.
    #[arg(long, value_delimiter = ',', default_values_t = [0.3, 0.8, 3.0])]
    at: Vec<f64>,
    /// Solvers, by name; all that take the problems unless told.
    #[arg(long, value_delimiter = ',')]
    solvers: Vec<String>,
    /// Most sweeps.
    #[arg(long, default_value_t = 2048)]
    sweeps: usize,
    /// Seconds at most for a solver on a step, all its attempts together.
    #[arg(long, default_value_t = 20.0)]
    limit: f64,
    /// Begin with no impulses, in place of those that the step would begin with.
    #[arg(long)]
    cold: bool,
    /// Seconds per step.
    #[arg(long, default_value_t = 0.01)]
    dt: f64,
    /// Number that the pile is drawn from.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Also write NAME.csv, NAME.json, NAME.svg and NAME.png.
    #[arg(short, long, value_name = "NAME")]
    out: Option<PathBuf>,
}

/// A step of the pile with everything that was measured of it.
#[derive(Debug, Serialize)]
struct Measured {
    #[serde(flatten)]
    moment: Moment,
    curves: Vec<Curve>,
}

/// Measures, prints and writes.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    check(args)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|e| e.to_string())?;
    let all = pool.install(|| measure(args))?;
    if let Some(name) = &args.out {
        let json = serde_json::to_string_pretty(&all).map_err(|e| e.to_string())? + "\n";
        write(name, "json", json.as_bytes())?;
        write(name, "csv", table::csv(&all).as_bytes())?;
        let picture = chart::draw(args.bodies, &all);
        write(name, "svg", picture.to_string().as_bytes())?;
        let png = asperity_chart::png::rasterise(&picture).map_err(|e| e.to_string())?;
        write(name, "png", &png)?;
    }
    std::io::stdout().write_all(table::text(&all).as_bytes()).map_err(|e| e.to_string())
}

fn check(args: &Args) -> Result<(), String> {
    let names = || SOLVERS.iter().map(|s| s.name);
    if let Some(name) = args.solvers.iter().find(|name| !names().any(|n| n == name.as_str())) {
        let all = names().collect::<Vec<_>>().join(", ");
        return Err(format!("--solvers: there is no \"{name}\"; expected some of {all}"));
    }
    let seconds = |x: &f64| x.is_finite() && *x > 0.0 && *x <= 86_400.0;
    if ![args.dt, args.limit].iter().chain(&args.at).all(seconds) {
        return Err("--dt, --limit and --at are seconds above zero, up to a day".to_owned());
    }
    if args.bodies == 0 || args.sweeps == 0 {
        return Err("--bodies and --sweeps must be at least 1".to_owned());
    }
    Ok(())
}

fn measure(args: &Args) -> Result<Vec<Measured>, String> {
    let items = pile(args.bodies, args.seed)?;
    let mut at = args.at.clone();
    at.sort_by(f64::total_cmp);
    let moments = moment::moments(&items, &at, args.dt)?;
    let chosen = |name: &str| args.solvers.is_empty() || args.solvers.iter().any(|n| n == name);
    let entries: Vec<_> = SOLVERS.iter().filter(|s| chosen(s.name)).collect();
    let limits = Limits { sweeps: args.sweeps, seconds: args.limit, cold: args.cold };
    let bar = bar(moments.len() * entries.len(), "solvers");
    let mut all = Vec::new();
    for moment in moments {
        let mut curves = Vec::new();
        for entry in &entries {
            bar.set_message(format!("{} at {} s", entry.name, moment.time));
            curves.push(curve::curve(entry, &moment.islands, limits));
            bar.inc(1);
        }
        all.push(Measured { moment, curves });
    }
    bar.finish_and_clear();
    Ok(all)
}

fn write(name: &Path, ending: &str, bytes: &[u8]) -> Result<(), String> {
    let mut path = name.as_os_str().to_owned();
    path.push(format!(".{ending}"));
    let path = PathBuf::from(path);
    std::fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}
