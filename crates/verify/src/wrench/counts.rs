//! Counting sweeps, all from zero.
//!
//! The paper's pair of solvers (section 6.1.8): block Gauss–Seidel with Algorithm 1 at each wrench,
//! and "vanilla" point contacts, which are projected Gauss–Seidel row by row with a box of friction.
//! Neither is extrapolated; both stop where a sweep changes the impulses by no more than a part of
//! their size. The engine's own sweeps are extrapolated and stop by the residual.

use std::fmt;

use asperity::solve::{ContactProblem, PgsSolver, ProxSolver, SolveOptions, Solver as _};
use asperity::world::World;
use serde::Serialize;

/// Sweeps at most.
pub const MOST: usize = 200_000;
/// Sweeps at most where many may not be enough.
pub const LIMIT: usize = 20_000;
/// Residual, or relative change, at which the sweeps of stacks are counted.
pub const SAME: f64 = 1e-12;

/// Plain sweeps with the exact solution of each contact.
pub fn blocks(problem: &ContactProblem, tolerance: f64, most: usize) -> Option<usize> {
    told(problem, tolerance, most, false, |_| {})
}

/// Plain sweeps row by row.
pub fn row_by_row(problem: &ContactProblem, tolerance: f64, most: usize) -> Option<usize> {
    told(problem, tolerance, most, true, |_| {})
}

/// Plain sweeps, row by row or contact by contact; tells the relative change of each.
pub fn told(
    problem: &ContactProblem,
    tolerance: f64,
    most: usize,
    rows: bool,
    tell: impl FnMut(f64),
) -> Option<usize> {
    let mut r = vec![0.0; problem.rows()];
    if rows {
        PgsSolver::default().sweep_until(problem, &mut r, tolerance, most, tell)
    } else {
        ProxSolver::default().sweep_until(problem, &mut r, tolerance, most, tell)
    }
}

/// Sweeps to a residual, as the engine makes them: exact local solutions, extrapolated.
pub fn extrapolated(problem: &ContactProblem, tolerance: f64) -> usize {
    let mut r = vec![0.0; problem.rows()];
    let options = SolveOptions { tolerance, max_iterations: LIMIT, time_limit: None };
    ProxSolver::default().solve(problem, &mut r, &options).iterations
}

/// Counts over some steps.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Tally {
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub deviation: f64,
    /// Median: few steps that hardly converge make most of a mean.
    pub median: f64,
    /// Steps in which the most sweeps were not enough; they count as that many.
    pub limited: usize,
}

/// Mean and deviation over some steps of a world; of several islands the largest counts.
pub fn over(
    world: &mut World,
    steps: usize,
    mut count: impl FnMut(&ContactProblem) -> Option<usize>,
) -> Tally {
    let mut counts = Vec::new();
    for _ in 0..steps {
        let mut problems = world.next_problems();
        problems.sort_by_key(|(problem, _)| problem.rows());
        counts.extend(problems.last().map(|(problem, _)| count(problem)));
        world.step();
    }
    Tally::of(&counts)
}

impl Tally {
    /// Of these counts; `None` is one that was not enough.
    pub fn of(counts: &[Option<usize>]) -> Tally {
        let value = |n: &Option<usize>| n.unwrap_or(LIMIT) as f64;
        let n = counts.len().max(1) as f64;
        let mean = counts.iter().map(value).sum::<f64>() / n;
        let variance = counts.iter().map(|c| (value(c) - mean).powi(2)).sum::<f64>() / n;
        let limited = counts.iter().filter(|n| n.is_none()).count();
        let mut all: Vec<f64> = counts.iter().map(value).collect();
        all.sort_by(f64::total_cmp);
        let median = all.get(all.len() / 2).copied().unwrap_or(f64::NAN);
        Tally { mean, deviation: variance.sqrt(), median, limited }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:.0}+-{:.0}", self.mean, self.deviation)?;
        if self.limited > 0 {
            write!(f, " ({} not in {LIMIT})", self.limited)?;
        }
        Ok(())
    }
}
