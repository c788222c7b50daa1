//! Sweeps over a prepared problem.

use std::time::Instant;

use super::LocalSolve;
use crate::anderson::{Anderson, DEPTH};
use crate::delassus::Delassus;
use crate::local::{self, Local, MAX_LOCAL};
use crate::problem::ContactProblem;
use crate::r_factor::RFactor;
use crate::residual::{Form, evaluate};
use crate::solution::{SolveOptions, SolveReport, Status};
use crate::units::{Unit, Units};

/// One run of sweeps over a prepared problem.
pub(super) struct Sweeps<'a> {
    pub(super) problem: &'a ContactProblem,
    pub(super) units: &'a Units,
    pub(super) form: Form,
    pub(super) options: &'a SolveOptions,
    pub(super) started: Instant,
    pub(super) u: &'a mut [f64],
    pub(super) before: &'a mut [f64],
    pub(super) best: &'a mut [f64],
    pub(super) report: &'a mut SolveReport,
    pub(super) in_series: bool,
    pub(super) rough: bool,
}

/// The smallest residual met, and after how many sweeps it will do to be within the tolerance.
pub(crate) struct SoFar {
    pub(crate) best: f64,
    enough: usize,
}

impl SoFar {
    /// Begins with this residual.
    pub(crate) fn new(best: f64, tolerance: f64) -> SoFar {
        SoFar { best, enough: if best <= tolerance { 1 } else { usize::MAX } }
    }

    /// Whether a residual is the smallest.
    pub(crate) fn is_better(&mut self, value: f64) -> bool {
        let better = value < self.best;
        if better {
            self.best = value;
        }
        better
    }

    /// Whether what was found after a sweep will do.
    pub(crate) fn end(
        &mut self,
        sweep: usize,
        options: &SolveOptions,
        in_series: bool,
        rough: bool,
    ) -> Option<Status> {
        let tolerance = options.tolerance;
        if self.best <= tolerance && self.enough == usize::MAX {
            self.enough = if rough { sweep } else { 2 * sweep };
        }
        let goal = tolerance * if in_series { SERIES_GOAL } else { 1.0 };
        (self.best <= goal || sweep >= self.enough).then_some(Status::Converged)
    }
}

/// Whether so few sweeps are wanted over so many units that the last digits are out of reach.
pub(crate) fn is_short(sweeps: usize, units: usize) -> bool {
    sweeps <= SHORT && units > MANY
}

impl Sweeps<'_> {
    pub(super) fn run<D: Delassus>(
        &mut self,
        operator: &mut D,
        local: LocalSolve,
        anderson: Option<&mut Anderson>,
        sweeps: usize,
        r: &mut [f64],
    ) {
        operator.reset(r);
        let rough = self.rough;
        let best = if rough { f64::INFINITY } else { self.check(operator, r) };
        self.best.copy_from_slice(r);
        if best <= self.options.tolerance && !(self.in_series && best > 0.0) {
            self.finish(Status::Converged, best, r);
            return;
        }
        let short = is_short(sweeps.min(self.options.max_iterations), self.units.list.len());
        // Rough ones are too few to extrapolate.
        let mut anderson = anderson.filter(|_| !rough);
        if let Some(anderson) = anderson.as_deref_mut() {
            anderson.reset(r.len(), if short { SHORT_DEPTH } else { DEPTH });
        }
        let mut factor = 1.0;
        let mut so_far = SoFar::new(best, self.options.tolerance);
        let mut last_change = f64::INFINITY;
        let mut status = Status::IterationLimit;
        for sweep in 1..=sweeps {
            if self.report.iterations >= self.options.max_iterations {
                break;
            }
            let compares = anderson.is_some() || local != LocalSolve::Exact;
            if compares {
                self.before.copy_from_slice(r);
            }
            match local {
                LocalSolve::Exact => self.exact_sweep(operator, rough || short, r),
                LocalSolve::Step(strategy) => self.step_sweep(operator, strategy, factor, r),
            }
            self.report.iterations += 1;
            let change = if compares { self.change(local, r) } else { 0.0 };

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

            let every = if rough { ROUGH_SWEEPS } else { CHECK_EVERY };
            let early = sweep < CHECK_EVERY && !rough && !short;
            if early || sweep % every == 0 || sweep == sweeps {
                let value = self.check(operator, r);
                if let Some(end) = self.judge(value, sweep, &mut so_far, r) {
                    status = end;
                    break;
                }
            }
            if let Some(anderson) = anderson.as_deref_mut() {
                if change > 2.0 * last_change {
                    anderson.forget();
                } else if anderson.extrapolate(self.before, r) {
                    operator.reset(r);
                }
            }
            last_change = change;
        }
        self.finish(status, so_far.best, r);
    }

    /// Notes a residual, keeps the impulses if it is the smallest, and says whether that is the end.
    fn judge(&mut self, value: f64, sweep: usize, so_far: &mut SoFar, r: &[f64]) -> Option<Status> {
        self.report.record(self.report.iterations, value);
        if so_far.is_better(value) {
            self.best.copy_from_slice(r);
        }
        if let Some(end) = so_far.end(sweep, self.options, self.in_series, self.rough) {
            return Some(end);
        }
        let late = self.options.time_limit.is_some_and(|limit| self.started.elapsed() > limit);
        late.then_some(Status::TimeLimit)
    }

    fn finish(&mut self, status: Status, best: f64, r: &mut [f64]) {
        r.copy_from_slice(self.best);
        self.report.status = status;
        self.report.residual = best;
    }

    /// The residual of r, with u computed afresh.
    fn check<D: Delassus>(&mut self, operator: &D, r: &[f64]) -> f64 {
        let mut u = [0.0; MAX_LOCAL];
        for (k, unit) in self.units.list.iter().enumerate() {
            operator.velocities(k, unit, r, &mut u);
            for k in 0..unit.dim() {
                let row = unit.row(k);
                self.u[row] = u[k] + self.problem.q[row] + self.problem.give(row) * r[row];
            }
        }
        evaluate(self.problem, self.units, self.form, r, self.u)
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

    fn exact_sweep<D: Delassus>(&self, operator: &mut D, rough: bool, r: &mut [f64]) {
        operator.sweep_many(self.problem, rough, r);
        let count = operator.left().map_or(self.units.list.len(), <[usize]>::len);
        for k in 0..count {
            let k = operator.left().map_or(k, |left| left[k]);
            self.exact_unit(operator, k, &self.units.list[k], rough, r);
        }
    }

    /// The exact solution of one piece, the k-th, while the others stand still. A `rough` one spares
    /// the last digits.
    #[inline]
    fn exact_unit<D: Delassus>(
        &self,
        operator: &mut D,
        k: usize,
        unit: &Unit,
        rough: bool,
        r: &mut [f64],
    ) {
        let dim = unit.dim();
        let (mut old, mut q) = ([0.0; MAX_LOCAL], [0.0; MAX_LOCAL]);
        for i in 0..dim {
            old[i] = r[unit.row(i)];
        }
        if let Some(row) = unit.normal
            && old == [0.0; MAX_LOCAL]
            && operator.first_velocity(k, unit, r) + self.problem.q[row] >= 0.0
        {
            return; // open, and stays so
        }
        let w = &self.units.local[unit.local..unit.local + dim * dim];
        operator.velocities(k, unit, r, &mut q);
        for i in 0..dim {
            let row = unit.row(i);
            q[i] += self.problem.q[row] + self.problem.give(row) * old[i];
        }
        for i in 0..dim {
            for j in 0..dim {
                q[i] -= w[i * dim + j] * old[j];
            }
        }
        let block = unit.block.map(|k| &self.problem.blocks[k]);
        let piece = Local {
            w,
            inverse: &self.units.inverse[unit.local..unit.local + dim * dim],
            q: &q[..dim],
            has_normal: unit.normal.is_some(),
            load: block.map_or(0.0, |b| b.load(r)),
            set: block.map(|b| &b.law.set),
            rheology: block.and_then(|b| b.law.rheology.as_deref()),
            alone: unit.alone,
            radius: unit.radius,
            rough,
        };
        let mut new = old;
        local::solve(&piece, &mut new[..dim]);
        store(operator, k, unit, &old, &new, r);
    }

    /// Plain sweeps until one changes the impulses by no more than `tolerance` of their size; tells
    /// each sweep's change, and returns how many there were.
    pub(super) fn until<D: Delassus>(
        &mut self,
        operator: &mut D,
        tolerance: f64,
        r: &mut [f64],
        mut tell: impl FnMut(f64),
    ) -> Option<usize> {
        operator.reset(r);
        for sweep in 1..=self.options.max_iterations {
            self.before.copy_from_slice(r);
            self.exact_sweep(operator, false, r);
            let size = r.iter().map(|x| x * x).sum::<f64>().sqrt();
            let change = self.change(LocalSolve::Exact, r);
            let change = if change > 0.0 { change / size } else { 0.0 };
            tell(change);
            if change <= tolerance {
                return Some(sweep);
            }
        }
        None
    }

    /// One proximal step at each contact (Algorithm 2, lines 5–10).
    fn step_sweep<D: Delassus>(
        &self,
        operator: &mut D,
        strategy: RFactor,
        factor: f64,
        r: &mut [f64],
    ) {
        for (number, unit) in self.units.list.iter().enumerate() {
            if unit.own || unit.alone {
                self.exact_unit(operator, number, unit, false, r); // brings its own
                continue;
            }
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
                let load = if first == 1 { z[0] } else { block.load(r) };
                let (old, u) = (&old[first..dim], &u[first..dim]);
                block.law.set.proximal_step(load, old, u, &mut z[first..dim]);
            }
            store(operator, number, unit, &old, &z, r);
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
    number: usize,
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
        operator.add_all(number, unit, &delta);
    }
}

/// What a series of problems aims for, in units of the tolerance, for at most twice the sweeps.
const SERIES_GOAL: f64 = 0.01;

/// Sweeps between residuals where rough ones will do.
const ROUGH_SWEEPS: usize = 6;
/// Sweeps between residuals, after the first few.
pub(crate) const CHECK_EVERY: usize = 8;

/// Sweeps that are few, and units that are many.
const SHORT: usize = 64;
const MANY: usize = 128;

/// Steps that extrapolation then remembers: more cost more than the sweeps between them.
pub(crate) const SHORT_DEPTH: usize = 5;
