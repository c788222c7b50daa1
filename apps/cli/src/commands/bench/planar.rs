//! `asperity bench planar`: how fast the planar models are, on one core.

mod accuracy;
mod edge;
mod naive;
mod plots;
mod sweep;

use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use asperity::friction::extent::{LimitMap, Shape, Table, cell_set, disc_set};
use asperity::friction::memory::{Distributed, Parameters, Reduced};
use asperity::friction::set::{Ellipse, Rotation};
use asperity::glamx::DVec3;
use serde::Serialize;

use crate::error::CliError;
use crate::output::print_as;
use crate::progress::spinner;
use asperity_verify::experiment::model::{Model, ModelKind, Scheme};
use asperity_verify::experiment::paper;
use asperity_verify::experiment::simulate::{Experiment, first_load, simulate};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Also over grids and resolutions, as the paper's Tables II, V and VI.
    #[arg(long)]
    sweep: bool,
    /// Errors over resolutions, as the paper's Figs. 9, 22, 36 and 37; takes some minutes.
    #[arg(long)]
    accuracy: bool,
    /// Both, as tables (CSV) and figures (SVG and PNG) in this folder.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Seconds for each figure.
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Line {
    what: String,
    found: f64,
    unit: &'static str,
    /// What is aimed at: at least for rates, at most for times.
    wanted: Option<f64>,
    /// The authors' C++ on such a machine.
    authors: Option<f64>,
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let spinner = spinner("measuring");
    let mut lines = Vec::new();
    let lugre = Parameters { stiffness: 1e5, damping: 20.0, ..Parameters::default() };
    let ep = lugre.elasto_plastic(0.9);
    let square = Arc::new(Shape::Square.pressure(21, 0.02)?);
    for (name, p, wanted) in [("LuGre", lugre, 4e5), ("elasto-plastic", ep, 2e5)] {
        let mut model = Distributed::new(p, square.clone())?;
        let found = rate(args.seconds, |twist| model.explicit_step(twist, 1.0, 1e-5));
        let what = format!("distributed 21 x 21, {name}");
        lines.push(line(&what, found, "steps/s", Some(wanted), Some(8.2e3)));
        let mut model = naive::Naive::new(p, &square);
        let found = rate(args.seconds, |twist| model.explicit_step(twist, 1.0, 1e-5));
        lines.push(line(
            &format!("the same, plain scalar code, {name}"),
            found,
            "steps/s",
            None,
            None,
        ));
    }
    for (name, p) in [("LuGre", lugre), ("elasto-plastic", ep)] {
        let map = LimitMap::rounded(Table::new(&square, 20)?);
        let mut model = Reduced::new(p, &square, map)?;
        let found = rate(args.seconds, |twist| model.explicit_step(twist, 1.0, 1e-5));
        lines.push(line(&format!("reduced, {name}"), found, "steps/s", Some(1e7), Some(1.0e6)));
    }
    let found = duration(args.seconds, || Table::new(&square, 20))?;
    lines.push(line(
        "pre-computation N = 21, N_ls = 20",
        found * 1e3,
        "ms",
        Some(4.0),
        Some(370.0),
    ));
    lines.push(in_hand(args)?);
    let round = Ellipse::new(1.0, 1.0, Rotation::IDENTITY)?;
    for (name, set) in
        [("36 cells", cell_set(&square, round, 6)?), ("16 rings", disc_set(0.01, None, 1.0, 16)?)]
    {
        // From inside, from near by and from far away.
        let found = rate(args.seconds, |t| {
            set.project(DVec3::new(300.0 * t.x, 200.0 * t.y, 0.02 * t.z), 1.0)
        });
        lines.push(line(
            &format!("projection on a limit surface of {name}"),
            found,
            "/s",
            None,
            None,
        ));
    }
    lines.extend(edge::lines(args.seconds)?);
    let plots = args.plots.is_some();
    let mut sweeps = Vec::new();
    if args.sweep || plots {
        spinner.set_message("measuring speed over resolution");
        sweeps = sweep::sweeps(args.seconds, lugre)?;
        lines.extend(sweeps.iter().flat_map(sweep::Sweep::lines));
    }
    if args.accuracy || plots {
        spinner.set_message("comparing with fine grids");
        let accuracy = accuracy::measure()?;
        lines.extend(accuracy.lines());
        if let Some(folder) = &args.plots {
            for file in plots::write(folder, &accuracy, &sweeps)? {
                eprintln!("{}", file.display());
            }
        }
    }
    spinner.finish_and_clear();
    print_as(args.json, &lines, || table(&lines))
}

/// Parameters of the paper's Table I, and their name there.
type TableOne = (&'static str, Parameters);

fn table_one() -> [TableOne; 2] {
    let one = Parameters::default();
    [("p = 0", Parameters { stiction: 1.0, viscosity: 0.0, ..one }), ("p = 1", one)]
}

fn line(
    what: &str,
    found: f64,
    unit: &'static str,
    wanted: Option<f64>,
    authors: Option<f64>,
) -> Line {
    Line { what: what.to_owned(), found, unit, wanted, authors }
}

/// 1.5 · 2⁵²: adding and taking it off rounds to whole numbers, in next to no time.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// A twist that is another one in every step, so that nothing can be left out of the loop.
fn twist(i: u64) -> DVec3 {
    let t = i as f64 * 1e-3;
    let saw = |t: f64| 2.0 * (t - ((t + WHOLE) - WHOLE));
    DVec3::new(0.01 * saw(t), 0.01 * saw(1.7 * t + 0.3), 0.8 * saw(0.6 * t + 0.1))
}

/// Steps per second.
fn rate(seconds: f64, mut step: impl FnMut(DVec3) -> DVec3) -> f64 {
    let (mut steps, mut best, started) = (0_u64, 0.0_f64, Instant::now());
    // The best of many short spells: others may use the machine too.
    while started.elapsed().as_secs_f64() < seconds {
        let (spell, from) = (Instant::now(), steps);
        while spell.elapsed().as_secs_f64() < 0.01 {
            for _ in 0..256 {
                black_box(step(black_box(twist(steps))));
                steps += 1;
            }
        }
        best = best.max((steps - from) as f64 / spell.elapsed().as_secs_f64());
    }
    best
}

/// Seconds of one call, the least of several.
fn duration<T, E>(seconds: f64, mut call: impl FnMut() -> Result<T, E>) -> Result<f64, E> {
    let (mut least, started) = (f64::INFINITY, Instant::now());
    while started.elapsed().as_secs_f64() < seconds {
        let one = Instant::now();
        black_box(call()?);
        least = least.min(one.elapsed().as_secs_f64());
    }
    Ok(least)
}

/// 2 s of stick-slip in hand with k = 2 f_N, a new shape every 10 ms.
fn in_hand(args: &Args) -> Result<Line, CliError> {
    let run = || -> Result<_, CliError> {
        let experiment = Experiment { dt: 1e-5, ..paper::in_hand(2, 1) };
        let p = Parameters::default().elasto_plastic(0.9);
        let load = first_load(&experiment);
        let patch = paper::soft_patch(true);
        let mut model = Model::new(ModelKind::Curve, p, &patch, Scheme::Explicit, load)?;
        Ok(simulate(&experiment, &mut model, &mut |_| ())?)
    };
    let found = duration(args.seconds, run)?;
    let what = "2 s in hand, k = 2 f_N, 200 shapes, 200,000 steps";
    Ok(line(what, found * 1e3, "ms", Some(50.0), Some(81e3)))
}

fn table(lines: &[Line]) -> String {
    let mut text =
        format!("{:52} {:>12} {:8} {:>10} {:>10}\n", "", "found", "", "wanted", "authors");
    for l in lines {
        let told = |v: Option<f64>| v.map_or("-".to_owned(), |v| format!("{v:.3e}"));
        text += &format!(
            "{:52} {:>12.3e} {:8} {:>10} {:>10}\n",
            l.what,
            l.found,
            l.unit,
            told(l.wanted),
            told(l.authors)
        );
    }
    text
}
