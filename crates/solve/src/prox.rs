//! Block Gauss–Seidel over contacts with proximal steps (Erleben 2020, Algorithm 2) or with an
//! exact local solve.

use std::time::Instant;

use crate::anderson::Anderson;
use crate::delassus::{BodyBuffers, Delassus, Explicit, OverBodies};
use crate::local::{self, Local, MAX_LOCAL};
use crate::problem::{ContactProblem, Operator};
use crate::r_factor::{RFactor, proximal_step};
use crate::residual::{Form, evaluate, form_of, load};
use crate::solution::{Note, SolveOptions, SolveReport, Status};
use crate::units::{Unit, Units};

/// Block Gauss–Seidel. Takes every set as it is.
///
/// Owns its memory: after the first solve of a size nothing is allocated.
#[derive(Debug, Clone)]
pub struct ProxSolver {
    /// What is done at each contact.
    pub local: LocalSolve,
    /// Whether sweeps are extrapolated (Anderson); only with exact local solves.
    pub accelerate: bool,
    /// Whether this is one of a series of like problems, each started from the last. Then it
    /// sweeps at least once, even where the warm start is within the tolerance, and a while longer
    /// where it is not: bodies at rest come to rest fully, instead of staying at the tolerance and
    /// costing sweeps in every step.
    pub in_series: bool,
    buffers: BodyBuffers,
    units: Units,
    anderson: Anderson,
    u: Vec<f64>,
    before: Vec<f64>,
    best: Vec<f64>,
    report: SolveReport,
}

/// What a sweep does at each contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LocalSolve {
    /// Solves the contact exactly while the others stand still.
    Exact,
    /// One proximal step with an r-factor, as in the paper.
    Step(RFactor),
}

/// Lets cones, rows and bias follow the state inside a solve.
pub trait Relinearise {
    /// Called with the impulses and relative velocities reached; may change the problem's sets,
    /// q and rows (not their number).
    fn relinearise(&mut self, problem: &mut ContactProblem, r: &[f64], u: &[f64]) -> Changed;
}

/// What a [`Relinearise`] changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// Nothing.
    Nothing,
    /// Sets and q at most.
    Sets,
    /// Rows or masses too.
    Rows,
}

impl Default for ProxSolver {
    fn default() -> ProxSolver {
        ProxSolver::new(LocalSolve::Exact)
    }
}

impl ProxSolver {
    /// A solver with this local step. Exact ones are accelerated.
    pub fn new(local: LocalSolve) -> ProxSolver {
        ProxSolver {
            local,
            accelerate: local == LocalSolve::Exact,
            in_series: false,
            buffers: BodyBuffers::default(),
            units: Units::default(),
            anderson: Anderson::default(),
            u: Vec::new(),
            before: Vec::new(),
            best: Vec::new(),
            report: SolveReport::new("prox"),
        }
    }

    /// Solves a validated problem. `r` is the warm start and receives the impulses with the
    /// smallest residual met.
    pub fn solve(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> &SolveReport {
        let started = Instant::now();
        self.begin(problem, r);
        self.advance(problem, r, options, options.max_iterations, started);
        self.report.elapsed = started.elapsed();
        &self.report
    }

    /// As [`ProxSolver::solve`], asking `hook` after every `every` sweeps. It has converged when
    /// the residual holds and the hook changed nothing but within the tolerance.
    pub fn solve_relinearised(
        &mut self,
        problem: &mut ContactProblem,
        hook: &mut dyn Relinearise,
        every: usize,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> &SolveReport {
        let started = Instant::now();
        self.begin(problem, r);
        loop {
            self.advance(problem, r, options, every.max(1), started);
            let inner = self.report.status;
            problem.velocities(r, &mut self.u);
            match hook.relinearise(problem, r, &self.u) {
                Changed::Nothing => {}
                Changed::Sets => self.prepare(problem, false),
                Changed::Rows => self.prepare(problem, true),
            }
            problem.velocities(r, &mut self.u);
            let form = self.report.form;
            let value = evaluate(&problem.q, &problem.blocks, &self.units, form, r, &self.u);
            self.report.residual = value;
            if value <= options.tolerance {
                self.report.status = Status::Converged;
                break;
            }
            self.report.status = inner;
            if inner == Status::TimeLimit
                || inner == Status::Stalled
                || self.report.iterations >= options.max_iterations
            {
                break;
            }
        }
        self.report.elapsed = started.elapsed();
        &self.report
    }

    fn prepare(&mut self, problem: &ContactProblem, rows: bool) {
        if rows {
            self.buffers.prepare(problem);
        }
        self.units.prepare(problem, &problem.blocks, &self.buffers);
        self.report.form = form_of(&problem.blocks, &mut self.units);
    }

    fn begin(&mut self, problem: &ContactProblem, r: &mut [f64]) {
        let n = problem.rows();
        self.report.reset();
        self.prepare(problem, true);
        for buffer in [&mut self.u, &mut self.before, &mut self.best] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        let bad = clear_bad(r);
        if bad > 0 {
            self.report.notes.push(Note::BadWarmStart(bad));
        }
        if self.units.immovable > 0 {
            self.report.notes.push(Note::Immovable(self.units.immovable));
        }
    }

    fn advance(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
        sweeps: usize,
        started: Instant,
    ) {
        let mut run = Run {
            problem,
            units: &self.units,
            form: self.report.form,
            options,
            started,
            u: &mut self.u,
            before: &mut self.before,
            best: &mut self.best,
            report: &mut self.report,
            in_series: self.in_series,
        };
        let anderson = self.accelerate.then_some(&mut self.anderson);
        match &problem.operator {
            Operator::Explicit(w) => run.sweeps(&mut Explicit(w), self.local, anderson, sweeps, r),
            Operator::Factored(f) => {
                run.sweeps(&mut Explicit(f.delassus()), self.local, anderson, sweeps, r);
            }
            Operator::Bodies(bodies) => {
                let mut operator = OverBodies::new(bodies, &mut self.buffers);
                run.sweeps(&mut operator, self.local, anderson, sweeps, r);
            }
        }
    }
}

/// One run of sweeps over a prepared problem.
struct Run<'a> {
    problem: &'a ContactProblem,
    units: &'a Units,
    form: Form,
    options: &'a SolveOptions,
    started: Instant,
    u: &'a mut [f64],
    before: &'a mut [f64],
    best: &'a mut [f64],
    report: &'a mut SolveReport,
    in_series: bool,
}

impl Run<'_> {
    fn sweeps<D: Delassus>(
        &mut self,
        operator: &mut D,
        local: LocalSolve,
        mut anderson: Option<&mut Anderson>,
        sweeps: usize,
        r: &mut [f64],
    ) {
        operator.reset(r);
        let mut best = self.check(operator, r);
        self.best.copy_from_slice(r);
        if best <= self.options.tolerance && !(self.in_series && best > 0.0) {
            self.finish(Status::Converged, best, r);
            return;
        }
        if let Some(anderson) = anderson.as_deref_mut() {
            anderson.reset(r.len());
        }
        let mut factor = 1.0;
        // Where to stop, and after how many sweeps it will do to be within the tolerance.
        let goal = self.options.tolerance * if self.in_series { SERIES_GOAL } else { 1.0 };
        let mut enough = if best <= self.options.tolerance { 1 } else { usize::MAX };
        let mut last_change = f64::INFINITY;
        let mut status = Status::IterationLimit;
        for sweep in 1..=sweeps {
            if self.report.iterations >= self.options.max_iterations {
                break;
            }
            self.before.copy_from_slice(r);
            match local {
                LocalSolve::Exact => self.exact_sweep(operator, r),
                LocalSolve::Step(strategy) => self.step_sweep(operator, strategy, factor, r),
            }
            self.report.iterations += 1;
            let change = self.change(local, r);

            if let LocalSolve::Step(strategy) = local
                && change >= last_change
                && strategy.shrink() < 1.0
            {
                // Diverged, or going round in circles, which the paper's strict inequality
                // (line 13) misses: shrink r and go back, impulses and velocities both.
                factor *= strategy.shrink();
                r.copy_from_slice(self.before);
                operator.reset(r);
                if factor < 1e-9 {
                    status = Status::Stalled;
                    break;
                }
                continue;
            }

            if sweep <= 8 || sweep % CHECK_EVERY == 0 || sweep == sweeps {
                let value = self.check(operator, r);
                self.report.record(self.report.iterations, value);
                if value < best {
                    best = value;
                    self.best.copy_from_slice(r);
                }
                if best <= self.options.tolerance && enough == usize::MAX {
                    enough = 2 * sweep;
                }
                if best <= goal || sweep >= enough {
                    status = Status::Converged;
                    break;
                }
                if self.options.time_limit.is_some_and(|limit| self.started.elapsed() > limit) {
                    status = Status::TimeLimit;
                    break;
                }
            }
            if let Some(anderson) = anderson.as_deref_mut() {
                if change > 2.0 * last_change {
                    anderson.reset(r.len());
                } else if anderson.extrapolate(self.before, r) {
                    operator.reset(r);
                }
            }
            last_change = change;
        }
        self.finish(status, best, r);
    }

    fn finish(&mut self, status: Status, best: f64, r: &mut [f64]) {
        r.copy_from_slice(self.best);
        self.report.status = status;
        self.report.residual = best;
    }

    /// The residual of r, with u computed afresh.
    fn check<D: Delassus>(&mut self, operator: &D, r: &[f64]) -> f64 {
        let mut u = [0.0; MAX_LOCAL];
        for unit in &self.units.list {
            operator.velocities(unit, r, &mut u);
            for k in 0..unit.dim() {
                let row = unit.row(k);
                self.u[row] = u[k] + self.problem.q[row] + self.problem.give(row) * r[row];
            }
        }
        evaluate(&self.problem.q, &self.problem.blocks, self.units, self.form, r, self.u)
    }

    /// Size of the last sweep's change: the largest (Algorithm 2, line 12), or the root of the
    /// sum of squares where acceleration minimises that.
    fn change(&self, local: LocalSolve, r: &[f64]) -> f64 {
        let differences = r.iter().zip(self.before.iter()).map(|(a, b)| a - b);
        match local {
            LocalSolve::Step(_) => differences.fold(0.0, |m, d| m.max(d.abs())),
            LocalSolve::Exact => differences.map(|d| d * d).sum::<f64>().sqrt(),
        }
    }

    fn exact_sweep<D: Delassus>(&self, operator: &mut D, r: &mut [f64]) {
        for unit in &self.units.list {
            let dim = unit.dim();
            let w = &self.units.local[unit.local..unit.local + dim * dim];
            let (mut old, mut q) = ([0.0; MAX_LOCAL], [0.0; MAX_LOCAL]);
            operator.velocities(unit, r, &mut q);
            for k in 0..dim {
                let row = unit.row(k);
                old[k] = r[row];
                q[k] += self.problem.q[row] + self.problem.give(row) * old[k];
            }
            for k in 0..dim {
                for j in 0..dim {
                    q[k] -= w[k * dim + j] * old[j];
                }
            }
            let block = unit.block.map(|k| &self.problem.blocks[k]);
            let piece = Local {
                w,
                inverse: &self.units.inverse[unit.local..unit.local + dim * dim],
                q: &q[..dim],
                has_normal: unit.normal.is_some(),
                load: block.map_or(0.0, |b| load(b, r)),
                set: block.map(|b| &b.set),
                radius: unit.radius,
            };
            let mut new = old;
            local::solve(&piece, &mut new[..dim]);
            store(operator, unit, &old, &new, r);
        }
    }

    /// One proximal step at each contact (Algorithm 2, lines 5–10).
    fn step_sweep<D: Delassus>(
        &self,
        operator: &mut D,
        strategy: RFactor,
        factor: f64,
        r: &mut [f64],
    ) {
        for unit in &self.units.list {
            let dim = unit.dim();
            let w = &self.units.local[unit.local..unit.local + dim * dim];
            let (mut old, mut u, mut z) = ([0.0; MAX_LOCAL], [0.0; MAX_LOCAL], [0.0; MAX_LOCAL]);
            for k in 0..dim {
                let row = unit.row(k);
                old[k] = r[row];
                u[k] = velocity(self.problem, operator, row, r);
            }
            strategy.step(w, unit, factor, &u[..dim], &mut z[..dim]);
            let first = usize::from(unit.normal.is_some());
            if first == 1 {
                z[0] = (old[0] + z[0]).max(0.0);
            }
            if let Some(block) = unit.block.map(|k| &self.problem.blocks[k]) {
                let load = if first == 1 { z[0] } else { load(block, r) };
                proximal_step(
                    &block.set,
                    load,
                    &old[first..dim],
                    &u[first..dim],
                    &mut z[first..dim],
                );
            }
            store(operator, unit, &old, &z, r);
        }
    }
}

/// u of one row for the current r.
#[inline]
pub(crate) fn velocity<D: Delassus>(
    problem: &ContactProblem,
    operator: &D,
    row: usize,
    r: &[f64],
) -> f64 {
    problem.q[row] + problem.give(row) * r[row] + operator.velocity(row, r)
}

/// Sets impulses that are not finite to zero; returns how many there were.
pub(crate) fn clear_bad(r: &mut [f64]) -> usize {
    let mut bad = 0;
    for x in r.iter_mut().filter(|x| !x.is_finite()) {
        *x = 0.0;
        bad += 1;
    }
    bad
}

fn store<D: Delassus>(
    operator: &mut D,
    unit: &Unit,
    old: &[f64; MAX_LOCAL],
    new: &[f64; MAX_LOCAL],
    r: &mut [f64],
) {
    let mut delta = [0.0; MAX_LOCAL];
    for k in 0..unit.dim() {
        // A number that is not finite would spread through the whole problem.
        let value = if new[k].is_finite() { new[k] } else { 0.0 };
        delta[k] = value - old[k];
        r[unit.row(k)] = value;
    }
    if delta != [0.0; MAX_LOCAL] {
        operator.add_all(unit, &delta);
    }
}

/// What a series of problems aims for, in units of the tolerance, for at most twice the sweeps.
const SERIES_GOAL: f64 = 0.01;

/// Sweeps between residuals, after the first few.
const CHECK_EVERY: usize = 8;
