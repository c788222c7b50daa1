//! Contacts by wrench, where sweeps alone do not get there.

use super::AutoSolver;
use crate::problem::ContactProblem;
use crate::solution::SolveOptions;
use crate::solver::Solver;

impl AutoSolver {
    /// Sweeps, which find out what slips and tips, and Newton's method with a dense W by turns, until one is within
    /// the tolerance; whether one is. Else the best of what was found.
    pub(super) fn wrench_turns(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> bool {
        let AutoSolver { prox, dense, kept, report, .. } = self;
        let (mut least, mut left) = (f64::INFINITY, options.max_iterations);
        for turn in 0..WRENCH_TURNS {
            let sweeps = left.min(WRENCH_SWEEPS);
            if sweeps == 0 {
                break;
            }
            // Other ways lead to other contacts that slip and tip: plain sweeps, and those from nothing.
            prox.accelerate = turn % 2 == 0;
            if turn > 1 {
                r.fill(0.0);
            }
            let few = SolveOptions { max_iterations: sweeps, ..*options };
            let done = report.absorb(prox.solve(problem, r, &few), options.tolerance);
            prox.accelerate = true;
            if done {
                return true;
            }
            left -= sweeps;
            let few = SolveOptions { max_iterations: WRENCH_STEPS, ..*options };
            let stage = dense.solve(problem, r, &few);
            if report.absorb(stage, options.tolerance) {
                return true;
            }
            if stage.residual < least {
                least = stage.residual;
                kept.clear();
                kept.extend_from_slice(r);
            }
        }
        if least.is_finite() {
            r.copy_from_slice(kept);
            report.residual = least;
        }
        false
    }
}

/// Wrenches: sweeps, which find out what slips and tips, and Newton's method with a dense W by turns. Sweeps alone creep
/// where bodies are held by many of them.
pub(super) const WRENCH_TURNS: usize = 8;
pub(super) const WRENCH_SWEEPS: usize = 60;
const WRENCH_STEPS: usize = 40;
