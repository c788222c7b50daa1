//! `asperity bench wrench`: Tables 1 and 2 of Bouchard et al. 2015, wrench contacts beside points.

mod departures;
mod plots;
mod scenes;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use asperity::World;
use serde::Serialize;

use crate::error::CliError;
use crate::output::print_as;
use crate::progress::bar;
use asperity_verify::wrench::counts::{LIMIT, Tally, blocks, extrapolated, over, row_by_row};
use asperity_verify::wrench::points::{POINTS, spread, spread_over};
use scenes::Case;

/// Points on each side of the middle where a wrench is spread over 1,961 points, and steps in which that is solved.
const GRID: i32 = 25;
const FEW: usize = 3;

/// Time detection, assembly and solution of wrench contacts beside points, on one core, and count
/// their sweeps.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Steps that are timed in each scene, after as many that are not.
    #[arg(long, default_value_t = 50)]
    steps: usize,
    /// Steps over which sweeps are counted.
    #[arg(long, default_value_t = 10)]
    count: usize,
    /// Draw how sweeps from zero converge (Figs. 15 and 16) into this folder, as SVG and PNG.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Count what each departure from the paper does to the salad, alone, and nothing else.
    #[arg(long, conflicts_with = "plots")]
    departures: bool,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

/// A row of Table 1: milliseconds per step.
#[derive(Debug, Serialize)]
struct Times {
    scene: String,
    triangles: usize,
    contact: &'static str,
    contacts: usize,
    detection: f64,
    assembly: f64,
    /// Blocks of rows are inverted one by one while sweeping: this is part of `solution`.
    factorisation: f64,
    solution: f64,
}

/// A row of Table 2: sweeps from zero.
#[derive(Debug, Serialize)]
struct Counts {
    scene: String,
    contact: &'static str,
    rows: usize,
    /// Relative change of the impulses (residual, of extrapolated sweeps) at which they end.
    tolerance: f64,
    /// Plain sweeps, contact by contact.
    blocks: Tally,
    /// Plain sweeps row by row: of points, or of a wrench's patch spread over [`POINTS`] points.
    row_by_row: Tally,
    /// Sweeps as the engine makes them, extrapolated, in the first step.
    extrapolated: usize,
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    if args.steps == 0 || args.count == 0 {
        let message = "--steps and --count: expected numbers above zero".to_owned();
        return Err(CliError::Input(message));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|e| CliError::Input(format!("no thread to time on: {e}")))?;
    if args.departures {
        let rows = pool.install(|| {
            let cases = scenes::cases()?;
            let Some(salad) = cases.iter().find(|case| case.name == "salad") else {
                return Ok(Vec::new());
            };
            departures::departures(salad.world("wrench")?)
        })?;
        return print_as(args.json, &serde_json::json!({ "departures": rows }), || {
            departures::table(&rows)
        });
    }
    let (times, counts) = pool.install(|| measure(args))?;
    let all = serde_json::json!({ "milliseconds": times, "sweeps": counts });
    print_as(args.json, &all, || table(&times, &counts, args))
}

fn measure(args: &Args) -> Result<(Vec<Times>, Vec<Counts>), CliError> {
    let cases = scenes::cases()?;
    let bar = bar(2 * cases.len(), "{bar:30} {pos}/{len} {msg}");
    let (mut times, mut counts, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    for case in &cases {
        for contact in ["wrench", "points"] {
            bar.set_message(format!("{}, {contact}", case.name));
            let mut world = case.world(contact)?;
            times.push(timed(case, contact, &mut world, args.steps));
            if contact == "wrench" {
                times.extend(many(case, &mut world, args.steps));
            }
            if case.slides {
                world = case.world(contact)?; // it may have stopped
            }
            if let Some(tolerance) = case.counted {
                counts.push(counted(case, contact, tolerance, &mut world, args.count));
                if let Some(folder) = &args.plots {
                    lines.extend(plots::lines(contact, tolerance, &mut world));
                    if contact == "points" {
                        plots::draw(folder, &case.name, std::mem::take(&mut lines))?;
                    }
                }
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok((times, counts))
}

fn timed(case: &Case, contact: &'static str, world: &mut World, steps: usize) -> Times {
    for _ in 0..steps {
        world.step();
    }
    let (mut detect, mut assemble, mut solve) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut contacts = 0;
    for _ in 0..steps {
        world.step();
        let spent = world.times();
        detect += spent.detect;
        assemble += spent.assemble;
        solve += spent.solve;
        contacts = contacts.max(world.contacts().len());
    }
    let each = |t: Duration| 1e3 * t.as_secs_f64() / steps as f64;
    Times {
        scene: case.name.clone(),
        triangles: case.triangles,
        contact,
        contacts,
        detection: each(detect),
        assembly: each(assemble),
        factorisation: 0.0,
        solution: each(solve),
    }
}

/// The next wrenches again, each spread over many points of its patch and solved row by row: what the paper's
/// point-based method solves where a surface has thousands of bumps. Where the volume is found is the same.
fn many(case: &Case, world: &mut World, steps: usize) -> Option<Times> {
    let steps = steps.min(FEW);
    let (mut assemble, mut solve, mut contacts) = (Duration::ZERO, Duration::ZERO, 0);
    for _ in 0..steps {
        world.step();
        for (problem, _) in world.next_problems() {
            let begun = Instant::now();
            let points = spread_over(&problem, GRID)?;
            assemble += begun.elapsed();
            contacts = contacts.max(points.blocks.len());
            let begun = Instant::now();
            row_by_row(&points, 1e-6, LIMIT);
            solve += begun.elapsed();
        }
    }
    let each = |t: Duration| 1e3 * t.as_secs_f64() / steps as f64;
    Some(Times {
        scene: case.name.clone(),
        triangles: case.triangles,
        contact: "spread",
        contacts,
        detection: 0.0,
        assembly: each(assemble),
        factorisation: 0.0,
        solution: each(solve),
    })
}

fn counted(
    case: &Case,
    contact: &'static str,
    tolerance: f64,
    world: &mut World,
    steps: usize,
) -> Counts {
    let problems = world.next_problems();
    let rows = problems.iter().map(|(p, _)| p.rows()).sum();
    let most = problems.iter().map(|(p, _)| extrapolated(p, tolerance)).max();
    let mut spreads = Vec::new();
    let blocks = over(world, steps, |p| {
        spreads.push(match spread(p) {
            Some(points) => row_by_row(&points, tolerance, LIMIT),
            None => row_by_row(p, tolerance, LIMIT),
        });
        blocks(p, tolerance, LIMIT)
    });
    let scene = case.name.clone();
    let row_by_row = Tally::of(&spreads);
    Counts { scene, contact, rows, tolerance, blocks, row_by_row, extrapolated: most.unwrap_or(0) }
}

fn table(times: &[Times], counts: &[Counts], args: &Args) -> String {
    let mut text = format!(
        "milliseconds per step on one core, mean of {} steps (Table 1)\n{:28} {:>9} {:8} {:>9} {:>11} {:>11} {:>11}\n",
        args.steps,
        "scene",
        "triangles",
        "contact",
        "contacts",
        "detection",
        "assembly",
        "solution"
    );
    for t in times {
        text += &format!(
            "{:28} {:>9} {:8} {:>9} {:>11.4} {:>11.4} {:>11.4}\n",
            t.scene, t.triangles, t.contact, t.contacts, t.detection, t.assembly, t.solution
        );
    }
    text += "Blocks are factored while sweeping: their factorisation is part of the solution. \"spread\": each wrench at 1,961 points of its patch, row by row to 1e-6; found as the wrench is.\n\n";
    text += &format!(
        "sweeps from zero, over {} steps (Table 2); at most {LIMIT}. A wrench row by row is its patch spread over {POINTS} points.\n{:28} {:8} {:>6} {:>8} {:>22} {:>26} {:>13}\n",
        args.count,
        "scene",
        "contact",
        "rows",
        "to",
        "contact by contact",
        "row by row",
        "extrapolated"
    );
    for c in counts {
        let (blocks, rows) = (c.blocks.to_string(), c.row_by_row.to_string());
        text += &format!(
            "{:28} {:8} {:>6} {:>8e} {blocks:>22} {rows:>26} {:>13}\n",
            c.scene, c.contact, c.rows, c.tolerance, c.extrapolated
        );
    }
    text
}
