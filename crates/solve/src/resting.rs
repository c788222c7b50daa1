//! What holds, all at once: for bodies at rest, whose problem is nearly that of the last step.
//!
//! Sweeps carry a force through a tall stack contact by contact, and what they leave is slow and
//! wide: the lean of a whole tower. Here the contacts are springs for a moment, of a small
//! compliance ε, all of them held, and one elimination gives the velocities x + Δx that bodies
//! would have on them:
//!
//! p = P(r − û/ε),   (M + JᵀJ/ε) Δx = Jᵀ(p − r),   r ← P(r − (û + JΔx)/ε),
//!
//! with P the projection onto the cone and û = u + μ‖u_t‖ n. A solution of the problem is what
//! this leaves alone, whatever ε is. The matrix knows places and masses but neither forces nor
//! which contacts slip, so that it is factored once and kept while bodies rest.

use std::time::Instant;

use asperity_friction::Law;
use glamx::DVec3;

use crate::block_lu::BlockLu;
use crate::delassus::BodyBuffers;
use crate::local::MAX_LOCAL;
use crate::newton::patch::Patch;
use crate::newton::projection::{project, round_map};
use crate::newton::scope::{refuses, supports, taken, too_much};
use crate::newton::system::{add_block, add_masses, join, largest, pairs_of, split};
use crate::problem::{Bodies, ContactProblem};
use crate::prox::clear_bad;
use crate::residual::{evaluate, form_of, is_coulomb};
use crate::solution::{Note, SolveOptions, SolveReport, Status, Support};
use crate::solver::{Refusal, Solver, Untaken};
use crate::units::Units;

/// For a series of problems over bodies that hardly change.
///
/// Owns its memory: nothing is allocated for a problem like the last.
#[derive(Debug, Clone)]
pub struct RestingSolver {
    /// Problems in a row that must be alike before it begins; none by default. A series of steps does
    /// well to wait until bodies rest.
    pub wait: usize,
    /// Most products of 6×6 blocks in the elimination; a problem that needs more is left alone.
    pub most_work: usize,
    buffers: BodyBuffers,
    units: Units,
    matrix: BlockLu,
    factored: bool,
    /// Problems in a row with the same pairs of bodies.
    alike: usize,
    rows: usize,
    pairs: Vec<(u32, u32)>,
    last_pairs: Vec<(u32, u32)>,
    /// Which units push: in the matrix, and now.
    held: Vec<bool>,
    now: Vec<bool>,
    change: Vec<(DVec3, DVec3)>,
    step: Vec<[f64; 6]>,
    u: Vec<f64>,
    r: Vec<f64>,
    report: SolveReport,
}

impl Default for RestingSolver {
    fn default() -> RestingSolver {
        RestingSolver {
            wait: 0,
            most_work: 20_000,
            buffers: BodyBuffers::default(),
            units: Units::default(),
            matrix: BlockLu::default(),
            factored: false,
            alike: 0,
            rows: 0,
            pairs: Vec::new(),
            last_pairs: Vec::new(),
            held: Vec::new(),
            now: Vec::new(),
            change: Vec::new(),
            step: Vec::new(),
            u: Vec::new(),
            r: Vec::new(),
            report: SolveReport::new("resting"),
        }
    }
}

impl RestingSolver {
    /// Whether enough problems were like this one; pairs of bodies that share rows tell.
    fn is_alike(&mut self, bodies: &Bodies) -> bool {
        pairs_of(bodies, 0..bodies.rows(), &mut self.pairs);
        if self.pairs == self.last_pairs && self.rows == bodies.rows() {
            self.alike += 1;
        } else {
            self.last_pairs.clone_from(&self.pairs);
            (self.alike, self.rows, self.factored) = (0, bodies.rows(), false);
        }
        self.alike >= self.wait
    }

    /// Takes the next problem for unlike the last.
    pub(crate) fn forget(&mut self) {
        self.rows = 0;
    }

    fn run(
        &mut self,
        problem: &ContactProblem,
        bodies: &Bodies,
        r: &mut [f64],
        options: &SolveOptions,
    ) {
        self.units.cut(problem);
        // Bodies at rest need no more than the residual of what they begin with, and that of a
        // Coulomb problem needs no blocks of W.
        let mut filled = !is_coulomb(problem, &self.units);
        if filled {
            self.fill(problem);
        }
        self.report.form = form_of(problem, &mut self.units);
        self.r.clear();
        self.r.extend_from_slice(r);
        let mut best = self.check(problem, bodies);
        while best > options.tolerance && self.report.iterations < options.max_iterations {
            if !filled {
                self.fill(problem);
                filled = true;
            }
            if !self.improve(problem, bodies) {
                break;
            }
            self.report.iterations += 1;
            let residual = self.check(problem, bodies);
            self.report.record(self.report.iterations, residual);
            if !(residual < 0.7 * best) {
                break;
            }
            best = residual;
            r.copy_from_slice(&self.r);
        }
        self.report.status =
            if best <= options.tolerance { Status::Converged } else { Status::Stalled };
        self.report.residual = best;
    }

    fn factor(&mut self, problem: &ContactProblem, bodies: &Bodies) -> bool {
        self.matrix.clear();
        add_masses(&mut self.matrix, bodies);
        for (unit, held) in self.units.list.iter().zip(&self.held) {
            let dim = unit.dim();
            let eps = EPSILON * largest(&self.units.local[unit.local..], unit);
            if !(eps > 0.0) || !held {
                continue;
            }
            let mut slope = [[0.0; MAX_LOCAL]; MAX_LOCAL];
            for k in 0..dim {
                slope[k][k] = 1.0 / (eps + problem.give(unit.row(k)));
            }
            if let Some(patch) = Patch::of(problem, unit) {
                let stiffness = patch.stiffness(eps);
                (0..3).for_each(|k| slope[k][k] = stiffness[k]);
            }
            let first = usize::from(unit.normal.is_some());
            if let Some(e) = unit.block.and_then(|k| round_map(&problem.blocks[k].law.set)) {
                let d = e * e.transpose() * slope[first][first];
                for i in 0..unit.rows.len() {
                    for j in 0..unit.rows.len() {
                        slope[first + i][first + j] = d.col(j)[i];
                    }
                }
            }
            add_block(&mut self.matrix, bodies, unit, &slope);
        }
        self.factored = self.matrix.factor();
        self.factored
    }

    /// One step; `u` are the velocities of `r`.
    fn improve(&mut self, problem: &ContactProblem, bodies: &Bodies) -> bool {
        self.now.clear();
        self.step.clear();
        self.step.resize(bodies.inverse_masses.len(), [0.0; 6]);
        for unit in &self.units.list {
            let eps = EPSILON * largest(&self.units.local[unit.local..], unit);
            let mut u = [0.0; MAX_LOCAL];
            for k in 0..unit.dim() {
                u[k] = self.u[unit.row(k)];
            }
            let p = project(problem, unit, eps, [&u, &u], &self.r);
            let pressed = Patch::of(problem, unit).is_none_or(|patch| patch.is_pressed(&self.r));
            self.now.push(p[0] != 0.0 || unit.normal.is_none() && pressed);
            for k in 0..unit.dim() {
                let row = unit.row(k);
                let delta = p[k] - self.r[row];
                if delta == 0.0 {
                    continue;
                }
                for e in &bodies.entries[bodies.row_start[row]..bodies.row_start[row + 1]] {
                    let at = &mut self.step[e.dof_block];
                    for (at, j) in at.iter_mut().zip(join(e.linear, e.angular)) {
                        *at += delta * j;
                    }
                }
            }
        }
        if !self.factored || self.now != self.held {
            self.held.clone_from(&self.now);
            if !self.factor(problem, bodies) {
                return false;
            }
        }
        self.matrix.solve(&mut self.step);
        for unit in &self.units.list {
            let eps = EPSILON * largest(&self.units.local[unit.local..], unit);
            let (mut u, mut slip) = ([0.0; MAX_LOCAL], [0.0; MAX_LOCAL]);
            for k in 0..unit.dim() {
                let row = unit.row(k);
                slip[k] = self.u[row];
                u[k] = self.u[row];
                for e in &bodies.entries[bodies.row_start[row]..bodies.row_start[row + 1]] {
                    let (linear, angular) = split(&self.step[e.dof_block]);
                    u[k] += e.linear.dot(linear) + e.angular.dot(angular);
                }
            }
            let p = project(problem, unit, eps, [&u, &slip], &self.r);
            for k in 0..unit.dim() {
                self.r[unit.row(k)] = p[k];
            }
        }
        true
    }

    fn fill(&mut self, problem: &ContactProblem) {
        self.buffers.prepare(problem);
        self.units.fill(problem, &self.buffers);
    }

    /// Residual of `r`, whose velocities are left in `u`.
    fn check(&mut self, problem: &ContactProblem, bodies: &Bodies) -> f64 {
        self.change.clear();
        self.change.resize(bodies.inverse_masses.len(), (DVec3::ZERO, DVec3::ZERO));
        for (span, r) in bodies.row_start.windows(2).zip(&self.r) {
            for e in &bodies.entries[span[0]..span[1]] {
                let momentum = &mut self.change[e.dof_block];
                momentum.0 += e.linear * *r;
                momentum.1 += e.angular * *r;
            }
        }
        for (momentum, mass) in self.change.iter_mut().zip(&bodies.inverse_masses) {
            *momentum = mass.apply(momentum.0, momentum.1);
        }
        self.u.clear();
        for (row, span) in bodies.row_start.windows(2).enumerate() {
            let mut u = problem.q[row] + problem.give(row) * self.r[row];
            for e in &bodies.entries[span[0]..span[1]] {
                let (linear, angular) = self.change[e.dof_block];
                u += e.linear.dot(linear) + e.angular.dot(angular);
            }
            self.u.push(u);
        }
        let form = self.report.form;
        evaluate(problem, &self.units, form, &self.r, &self.u)
    }
}

impl Solver for RestingSolver {
    fn name(&self) -> &'static str {
        "resting"
    }

    fn supports(&self, law: &Law) -> Support {
        supports(law)
    }

    fn refuses(&self, problem: &ContactProblem) -> Option<Refusal> {
        refuses(self.name(), problem, self.most_work)
    }

    /// Improves the impulses `r`; the report says how far it got. Also refuses where it has not seen
    /// [`RestingSolver::wait`] problems alike before.
    fn solve(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> &SolveReport {
        let started = Instant::now();
        let bodies = match taken(self.name(), problem) {
            Ok(bodies) => bodies,
            Err(refusal) => return self.report.refuse(refusal),
        };
        if !self.is_alike(bodies) {
            let instead = "come back when bodies rest, or begin with \"prox\"";
            let what = Untaken::Unlike(self.wait);
            return self.report.refuse(Refusal { solver: self.name(), what, instead });
        }
        if !self.matrix.analyse(bodies.inverse_masses.len(), &self.pairs, self.most_work) {
            return self.report.refuse(too_much(self.name()));
        }
        self.report.reset();
        let bad = clear_bad(r);
        if bad > 0 {
            self.report.notes.push(Note::BadWarmStart(bad));
        }
        self.run(problem, bodies, r, options);
        self.report.elapsed = started.elapsed();
        &self.report
    }

    fn boxed(&self) -> Box<dyn Solver> {
        Box::new(self.clone())
    }
}

/// Compliance, in units of a contact's own.
const EPSILON: f64 = 1e-3;
