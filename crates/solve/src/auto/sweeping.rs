//! Sweeps: how many before anything else, and to the end.

use asperity_friction::set::{Kind, Set};

use super::{AutoSolver, NEWTON_STEPS};
use crate::block::FrictionBlock;
use crate::problem::ContactProblem;
use crate::solution::SolveOptions;
use crate::solver::Solver;

impl AutoSolver {
    /// Extrapolated and plain sweeps, by turns; whether they get there.
    pub(super) fn sweep_on(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        mut left: usize,
        limited: &dyn Fn(usize) -> SolveOptions,
    ) -> bool {
        let AutoSolver { prox, report, .. } = self;
        let mut turns = turns(problem, left);
        while left > 0 {
            for (accelerate, sweeps) in &mut turns {
                let most = left.min(*sweeps);
                let options = limited(most);
                prox.accelerate = *accelerate;
                let done =
                    most > 0 && report.absorb(prox.solve(problem, r, &options), options.tolerance);
                prox.accelerate = true;
                if done {
                    return true;
                }
                left -= most;
            }
            // Longer pauses where short ones do not help.
            turns[1].1 *= 4;
        }
        false
    }
}

/// Sweeps before Newton's method is tried.
pub(super) fn sweeps_first(problem: &ContactProblem, most: usize) -> usize {
    let corners = |b: &FrictionBlock| matches!(b.law.set, Set::Polygon(_) | Set::Box(_));
    if most < SWEEPS_FIRST + NEWTON_STEPS {
        most // Newton's method would take more than is wanted.
    } else if problem.blocks.iter().any(corners) {
        SWEEPS_FIRST_CORNERS
    } else {
        SWEEPS_FIRST
    }
}

/// Extrapolated and plain sweeps, by turns, of so many left.
///
/// Extrapolation may go astray between a patch and the normal rows that load it, and in wrenches,
/// whose laws jump: then plain sweeps, which are slow but steady, do the rest. Patches that give are
/// nearly held, and plain sweeps do not get there: a few of them only end an extrapolation that got
/// stuck.
fn turns(problem: &ContactProblem, left: usize) -> [(bool, usize); 2] {
    let any = |of: fn(&FrictionBlock) -> bool| problem.blocks.iter().any(of);
    let jumps = any(|b| b.law.set.kind() == Kind::LocalSolve);
    if !jumps && any(|b| b.law.rheology.is_some()) {
        return [(true, GIVING_SWEEPS.max(left / 2)), (false, GIVING_PAUSE)];
    }
    let patches = any(|b| b.normals.len() > 1);
    let extrapolated = if jumps || patches { left / EXTRAPOLATED } else { left };
    [(true, extrapolated), (false, left)]
}

/// Sweeps before Newton's method is tried: most steps of most worlds need no more, and eight cost
/// less than one elimination.
const SWEEPS_FIRST: usize = 8;

/// The same where sets have corners. Forces that press contacts against each other and that the
/// motion leaves open then often sit in a corner; sweeps keep them as they were in the last step,
/// and Newton's method finds others.
const SWEEPS_FIRST_CORNERS: usize = 120;

/// Extrapolated sweeps over patches that give, at least, and plain ones between them: of pauses of 0, 16 and 64
/// and turns of 100 to 1000, these solved most of the hard steps of a plate held by two fingers.
const GIVING_SWEEPS: usize = 1000;
const GIVING_PAUSE: usize = 64;

/// One of how many of the sweeps left are extrapolated where that may go astray.
const EXTRAPOLATED: usize = 4;
