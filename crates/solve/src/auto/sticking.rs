//! What stuck goes on sticking where it can.
//!
//! Where bodies are held more than once, loads are not unique: a bar between two rigid pads may hang from one corner
//! of each, and turn about it, or be held by all of them. Both are solutions. From loads that gather in a corner, as
//! those of a first touch may, each step finds the first. With no slip there is no shift s = μ‖u_t‖ of the cones, and the
//! problem is a convex one: where any impulses hold everything, that of least energy does, and Newton's method finds
//! them. So where something begins to slip, it is asked for these.

use asperity_friction::set::Kind;
use glamx::DVec3;

use super::AutoSolver;
use crate::block::FrictionBlock;
use crate::problem::{ContactProblem, Operator, RowEntry};
use crate::solution::{SolveOptions, Status};
use crate::solver::Solver;

/// Impulses that a problem began with, and others that were found.
#[derive(Debug, Clone, Default)]
pub(super) struct Sticking {
    before: Vec<f64>,
    found: Vec<f64>,
    change: Vec<(DVec3, DVec3)>,
    /// How many blocks slipped by what was found of the last problem.
    slipped: usize,
}

impl Sticking {
    /// Notes what a problem begins with.
    pub(super) fn begin(&mut self, r: &[f64]) {
        self.before.clear();
        self.before.extend_from_slice(r);
    }

    /// How many blocks slip.
    fn slips(&mut self, problem: &ContactProblem, r: &[f64]) -> usize {
        let Operator::Bodies(bodies) = &problem.operator else { return 0 };
        let spans = || bodies.row_start.windows(2).map(|span| &bodies.entries[span[0]..span[1]]);
        self.change.clear();
        self.change.resize(bodies.inverse_masses.len(), (DVec3::ZERO, DVec3::ZERO));
        for (entries, r) in spans().zip(r) {
            for e in entries {
                let momentum = &mut self.change[e.dof_block];
                momentum.0 += e.linear * *r;
                momentum.1 += e.angular * *r;
            }
        }
        for (momentum, mass) in self.change.iter_mut().zip(&bodies.inverse_masses) {
            *momentum = mass.apply(momentum.0, momentum.1);
        }
        let fastest = problem.q.iter().fold(0.0, |most: f64, q| most.max(q.abs()));
        let moves = |row: usize| {
            let entries = &bodies.entries[bodies.row_start[row]..bodies.row_start[row + 1]];
            let along = |e: &RowEntry| {
                e.linear.dot(self.change[e.dof_block].0) + e.angular.dot(self.change[e.dof_block].1)
            };
            let slip = problem.q[row] + entries.iter().map(along).sum::<f64>();
            slip.abs() > SLIPS * fastest
        };
        let blocks = problem.blocks.iter().filter(|b| !b.normals.is_empty());
        let slips =
            |b: &&FrictionBlock| b.load(r) > 0.0 && !is_within(b, r) && b.rows.clone().any(moves);
        blocks.filter(slips).count()
    }
}

/// Whether a block carries a load, and friction well within what that allows.
fn is_within(block: &FrictionBlock, r: &[f64]) -> bool {
    let (set, load, rows) = (&block.law.set, block.load(r), block.rows.clone());
    if !(load > 0.0) || set.kind() != Kind::Convex || rows.len() > MOST_ROWS {
        return false;
    }
    let mut inside = [0.0; MOST_ROWS];
    let inside = &mut inside[..rows.len()];
    inside.copy_from_slice(&r[rows.clone()]);
    set.project(inside, WITHIN * load);
    *inside == r[rows]
}

impl AutoSolver {
    /// Where something begins to slip: impulses with which it does not, or less of it, if there are any.
    pub(super) fn stick(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) {
        let few = problem.blocks.len() <= MOST_BLOCKS && self.report.status == Status::Converged;
        let slips = if few { self.sticking.slips(problem, r) } else { 0 };
        let slipped = std::mem::replace(&mut self.sticking.slipped, slips);
        if slips <= slipped {
            return;
        }
        self.sticking.found.clear();
        self.sticking.found.extend_from_slice(r);
        r.fill(0.0);
        self.newton.sticks.clear();
        let before = &self.sticking.before;
        // What carried nothing may hold now.
        let stuck = |b: &FrictionBlock| {
            let free = slipped == 0 || b.load(before) == 0.0 || is_within(b, before);
            !b.normals.is_empty() && free
        };
        self.newton.sticks.extend(problem.blocks.iter().map(stuck));
        let stage = self.newton.solve(problem, r, options);
        let (done, residual) = (stage.status == Status::Converged, stage.residual);
        self.report.iterations += stage.iterations;
        self.newton.sticks.clear();
        let fewer = if done { self.sticking.slips(problem, r) } else { slips };
        if fewer < slips {
            (self.report.residual, self.sticking.slipped) = (residual, fewer);
        } else {
            r.copy_from_slice(&self.sticking.found);
        }
    }
}

/// Of the largest speed in a problem: what goes on by less sticks.
const SLIPS: f64 = 1e-6;

/// The part of its load's set within which a block was that did not slip.
const WITHIN: f64 = 1.0 - 1e-6;

/// Rows of a block, and blocks of a problem, at most.
const MOST_ROWS: usize = 3;
const MOST_BLOCKS: usize = 100;
