//! A solver on the problems of a step, with ever more sweeps.

use std::time::{Duration, Instant};

use asperity::measure::Solved;
use asperity::solve::{
    ContactProblem, Scale, SolveOptions, SolverEntry, Status, residual_without_units,
};
use serde::Serialize;

use crate::solved::closed_contacts;

/// Residual at which solvers stop; no engine asks for as little.
const TOLERANCE: f64 = 1e-12;
/// Attempts that take less are made again, seconds.
const SHORT: f64 = 0.05;
/// How often those are made; the fastest counts.
const REPEATS: usize = 3;

/// How far a solver goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Most sweeps.
    pub(super) sweeps: usize,
    /// For all attempts together.
    pub(super) seconds: f64,
    /// Whether it begins with no impulses.
    pub(super) cold: bool,
}

/// A solver with ever more sweeps.
#[derive(Debug, Serialize)]
pub(super) struct Curve {
    pub(super) solver: &'static str,
    pub(super) points: Vec<Reached>,
    /// Why it does not take the problems.
    pub(super) refused: Option<String>,
}

/// What it reached with a number of sweeps.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct Reached {
    /// Sweeps that it was allowed on each island.
    pub(super) allowed: usize,
    /// Most sweeps that it made on one.
    pub(super) sweeps: usize,
    /// For all islands, one after the other.
    pub(super) seconds: f64,
    /// Of all islands as one problem, without units.
    pub(super) residual: f64,
    /// The largest of the islands, as the solver told it.
    pub(super) told: f64,
    /// Whether more sweeps would change nothing: every island converged or stalled.
    pub(super) ended: bool,
    /// Whether the time was at its end before the sweeps were.
    #[serde(skip)]
    out_of_time: bool,
}

/// An island as solvers get it: in units of its own.
struct Scaled {
    problem: ContactProblem,
    start: Vec<f64>,
    scale: Option<Scale>,
}

/// Doubles the sweeps until the tolerance, the time or the sweeps are at their end.
pub(super) fn curve(entry: &SolverEntry, islands: &[Solved], limits: Limits) -> Curve {
    let scaled: Vec<Scaled> = islands.iter().map(|i| Scaled::new(i, limits.cold)).collect();
    let solver = (entry.make)();
    let refused = scaled.iter().find_map(|i| solver.refuses(&i.problem)).map(|r| r.to_string());
    let mut curve = Curve { solver: entry.name, points: Vec::new(), refused };
    let (mut allowed, mut spent) = (1, 0.0);
    while curve.refused.is_none() && allowed <= limits.sweeps && spent < limits.seconds {
        let left = limits.seconds - spent;
        let (mut reached, r) = solve(entry, &scaled, allowed, left);
        spent += reached.seconds;
        if reached.out_of_time {
            break;
        }
        for _ in 1..REPEATS {
            if reached.seconds > SHORT {
                break;
            }
            let again = solve(entry, &scaled, allowed, left).0.seconds;
            spent += again;
            reached.seconds = reached.seconds.min(again);
        }
        let found: Vec<Solved> =
            islands.iter().zip(r).map(|((problem, _), r)| (problem.clone(), r)).collect();
        let (problem, r) = closed_contacts(&found);
        reached.residual = residual_without_units(&problem, &r).value;
        curve.points.push(reached);
        if reached.ended {
            break;
        }
        allowed *= 2;
    }
    curve
}

/// Solves all islands, each with a fresh solver; the impulses are in the units of the islands as given.
fn solve(
    entry: &SolverEntry,
    islands: &[Scaled],
    allowed: usize,
    seconds: f64,
) -> (Reached, Vec<Vec<f64>>) {
    let mut reached = Reached { allowed, ended: true, ..Reached::default() };
    let mut impulses = Vec::with_capacity(islands.len());
    for island in islands {
        let left = Duration::from_secs_f64((seconds - reached.seconds).max(0.0));
        let time_limit = Some(left);
        let options = SolveOptions { tolerance: TOLERANCE, max_iterations: allowed, time_limit };
        let mut solver = (entry.make)();
        solver.expect_series(false);
        let mut r = island.start.clone();
        let started = Instant::now();
        let report = solver.solve(&island.problem, &mut r, &options);
        reached.seconds += started.elapsed().as_secs_f64();
        reached.sweeps = reached.sweeps.max(report.iterations);
        reached.told = reached.told.max(report.residual);
        reached.out_of_time |= report.status == Status::TimeLimit;
        reached.ended &= matches!(report.status, Status::Converged | Status::Stalled);
        impulses.push(island.unscaled(r));
    }
    (reached, impulses)
}

impl Scaled {
    fn new((problem, start): &Solved, cold: bool) -> Scaled {
        let mut problem = problem.clone();
        let mut start = if cold { vec![0.0; start.len()] } else { start.clone() };
        let scale = Scale::of(&problem);
        if let Some(scale) = &scale {
            problem.rescale(scale, &mut start);
        }
        Scaled { problem, start, scale }
    }

    fn unscaled(&self, mut r: Vec<f64>) -> Vec<f64> {
        if let Some(scale) = &self.scale {
            self.problem.clone().rescale(&scale.inverse(), &mut r);
        }
        r
    }
}
