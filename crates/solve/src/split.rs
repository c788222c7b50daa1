//! Splitting: velocities of everything at once, then forces contact by contact, in turns.
//!
//! A contact problem has two parts: u = W r + q, which is linear and joins everything, and the laws,
//! each of which concerns one contact. Douglas and Rachford's method (1956; Lions and Mercier 1979)
//! only ever solves one of them: with step sizes R, a diagonal matrix,
//!
//! - r₁ + R u₁ = z with u₁ = W r₁ + q: one solve with M + Hᵀ R H, which is as sparse as M and factored
//!   once;
//! - r₂ − R u₂ = 2 r₁ − z by the laws: a contact whose own W is R⁻¹, one by one;
//! - z ← z + r₂ − r₁, extrapolated by Anderson's method.
//!
//! W itself is never needed. That is what makes it the method for soft bodies, whose contacts all
//! act on each other: W is dense where M is sparse.

mod global;

use std::time::Instant;

use asperity_friction::Law;
use asperity_friction::set::Kind;

use crate::anderson::{Anderson, DEPTH};
use crate::block::FrictionBlock;
use crate::delassus::BodyBuffers;
use crate::local::{self, Local, MAX_LOCAL};
use crate::problem::{Bodies, ContactProblem, Operator};
use crate::prox::clear_bad;
use crate::residual::{Form, evaluate, form_of};
use crate::solution::{Note, SolveOptions, SolveReport, Status, Support};
use crate::solver::{Refusal, Solver, Untaken};
use crate::units::Units;
use global::{Factor, Global};

/// Douglas and Rachford's splitting with Anderson's extrapolation.
#[derive(Debug, Clone)]
pub struct SplitSolver {
    /// Most coupled rows for which the blocks of W are computed, as the residual of the general form
    /// asks for. Above, it is measured with W's diagonal estimated from that of the masses, and the
    /// report says so.
    pub most_measured: usize,
    buffers: BodyBuffers,
    units: Units,
    anderson: Anderson,
    /// R, and R/(1 + R C) with the compliance C.
    steps: Vec<f64>,
    soft_steps: Vec<f64>,
    z: Vec<f64>,
    before: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
    best: Vec<f64>,
    best_u: Vec<f64>,
    u: Vec<f64>,
    report: SolveReport,
}

impl Default for SplitSolver {
    fn default() -> SplitSolver {
        SplitSolver {
            most_measured: 1000,
            buffers: BodyBuffers::default(),
            units: Units::default(),
            anderson: Anderson::default(),
            steps: Vec::new(),
            soft_steps: Vec::new(),
            z: Vec::new(),
            before: Vec::new(),
            first: Vec::new(),
            second: Vec::new(),
            best: Vec::new(),
            best_u: Vec::new(),
            u: Vec::new(),
            report: SolveReport::new("split"),
        }
    }
}

impl SplitSolver {
    /// From the warm start to the end. `None` where the matrix of the linear part has no factors.
    fn run(
        &mut self,
        problem: &ContactProblem,
        global: &Global,
        options: &SolveOptions,
        started: Instant,
    ) -> Option<()> {
        let mut factor = Factor::new(global, &self.soft_steps)?;
        let mut last = f64::INFINITY;
        let (mut mark, mut since, mut longer) = (f64::INFINITY, 0, 0);
        for iteration in 1..=options.max_iterations {
            let value = self.velocities(problem, global, &mut factor);
            self.report.iterations = iteration;
            self.report.record(iteration, value);
            if value < self.report.residual {
                self.report.residual = value;
                self.best.copy_from_slice(&self.first);
                self.best_u.copy_from_slice(&self.u);
            }
            if self.report.residual <= options.tolerance {
                self.report.status = Status::Converged;
                break;
            }
            if options.time_limit.is_some_and(|limit| started.elapsed() > limit) {
                self.report.status = Status::TimeLimit;
                break;
            }
            let change = self.forces(problem);
            since = if value < 0.5 * mark { 0 } else { since + 1 };
            mark = if since == 0 { value } else { mark };
            if since > PATIENCE && longer < LONGER {
                // Contacts go round in circles. Longer steps change less at a time.
                (mark, since, longer) = (f64::INFINITY, 0, longer + 1);
                self.lengthen(problem);
                factor = Factor::new(global, &self.soft_steps)?;
            } else if since <= PATIENCE {
                self.extrapolate(change > 2.0 * last);
            }
            last = change;
        }
        Some(())
    }

    /// The linear part: r₁ and u₁ from z; returns their residual.
    fn velocities(
        &mut self,
        problem: &ContactProblem,
        global: &Global,
        factor: &mut Factor,
    ) -> f64 {
        for (i, first) in self.first.iter_mut().enumerate() {
            let z = self.z[i] * self.soft_steps[i] / self.steps[i];
            *first = z - self.soft_steps[i] * problem.q[i];
        }
        factor.solve(global, &self.first);
        for (i, first) in self.first.iter_mut().enumerate() {
            let moved = factor.velocity(global, i);
            *first -= self.soft_steps[i] * moved;
            self.u[i] = moved + problem.q[i] + problem.give(i) * *first;
        }
        evaluate(problem, &self.units, self.report.form, &self.first, &self.u)
    }

    /// The laws: r₂ from z and r₁, and the next z; returns how far that is.
    fn forces(&mut self, problem: &ContactProblem) -> f64 {
        self.laws(problem);
        self.before.copy_from_slice(&self.z);
        let mut change = 0.0;
        for (i, z) in self.z.iter_mut().enumerate() {
            let d = self.second[i] - self.first[i];
            *z += d;
            change += d * d / self.steps[i];
        }
        change.sqrt()
    }

    fn prepare(
        &mut self,
        problem: &ContactProblem,
        bodies: &Bodies,
        global: &Global,
        r: &mut [f64],
    ) {
        self.report.reset();
        let bad = clear_bad(r);
        if bad > 0 {
            self.report.notes.push(Note::BadWarmStart(bad));
        }
        let n = r.len();
        // W of a row on its own lies between these two.
        let over = |list: &[f64], i: usize| -> f64 {
            global.rows.row(i).map(|(j, h)| h * h / list[j]).sum()
        };
        self.steps.clear();
        self.steps.extend((0..n).map(|i| {
            let w = (over(&global.diagonal, i) * over(&global.masses, i)).sqrt();
            if w > 0.0 { 1.0 / w } else { 1.0 }
        }));
        if bodies.coupling.size() <= self.most_measured {
            self.buffers.prepare(problem);
            self.units.prepare(problem, &self.buffers);
            self.report.form = form_of(problem, &mut self.units);
        } else {
            self.units.cut(problem);
            self.units.estimate(|i| over(&global.diagonal, i) + problem.give(i));
            self.report.form = form_of(problem, &mut self.units);
            if self.report.form == Form::General {
                self.report.notes.push(Note::Estimated(ESTIMATE));
            }
        }
        // One length for the friction rows of a unit: its law may turn them.
        for unit in &self.units.list {
            let count = unit.rows.len() as f64;
            let sum: f64 = unit.rows.clone().map(|i| self.steps[i].ln()).sum();
            for i in unit.rows.clone() {
                self.steps[i] = (sum / count).exp();
            }
        }
        self.soften(problem);
        for list in [&mut self.first, &mut self.second, &mut self.best, &mut self.before] {
            list.clear();
            list.resize(n, 0.0);
        }
        for list in [&mut self.u, &mut self.best_u] {
            list.clear();
            list.resize(n, 0.0);
        }
        self.z.clear();
        self.z.extend_from_slice(r);
        self.second.copy_from_slice(r);
        self.anderson.reset(n, DEPTH);
    }

    /// R/(1 + R C) for the steps R.
    fn soften(&mut self, problem: &ContactProblem) {
        self.soft_steps.clear();
        let soft = |(i, step): (usize, &f64)| step / (1.0 + step * problem.give(i));
        self.soft_steps.extend(self.steps.iter().enumerate().map(soft));
    }

    /// Goes on with longer steps from the best that was found.
    fn lengthen(&mut self, problem: &ContactProblem) {
        for i in 0..self.z.len() {
            self.steps[i] *= STRIDE;
            self.z[i] = self.best[i] + self.steps[i] * self.best_u[i];
        }
        self.soften(problem);
        self.anderson.reset(self.z.len(), DEPTH);
    }

    /// r₂ − R u₂ = 2 r₁ − z, contact by contact.
    fn laws(&mut self, problem: &ContactProblem) {
        for unit in &self.units.list {
            let dim = unit.dim();
            let (mut w, mut inverse) = ([0.0; MAX_LOCAL * MAX_LOCAL], [0.0; MAX_LOCAL * MAX_LOCAL]);
            let (mut q, mut new) = ([0.0; MAX_LOCAL], [0.0; MAX_LOCAL]);
            for k in 0..dim {
                let row = unit.row(k);
                w[k * dim + k] = 1.0 / self.steps[row];
                inverse[k * dim + k] = self.steps[row];
                q[k] = (self.z[row] - 2.0 * self.first[row]) / self.steps[row];
                new[k] = self.second[row];
            }
            let block = unit.block.map(|k| &problem.blocks[k]);
            let piece = Local {
                w: &w[..dim * dim],
                inverse: &inverse[..dim * dim],
                q: &q[..dim],
                has_normal: unit.normal.is_some(),
                load: block.map_or(0.0, |b| b.load(&self.second)),
                set: block.map(|b| &b.law.set),
                rheology: block.and_then(|b| b.law.rheology.as_deref()),
                alone: unit.alone,
                radius: unit.radius,
                rough: false,
            };
            local::solve(&piece, &mut new[..dim]);
            for k in 0..dim {
                self.second[unit.row(k)] = if new[k].is_finite() { new[k] } else { 0.0 };
            }
        }
    }

    /// In the metric of energy: z over the root of its step.
    fn extrapolate(&mut self, astray: bool) {
        if astray {
            self.anderson.forget();
            return;
        }
        let scale = |list: &mut [f64], steps: &[f64], up: bool| {
            for (x, step) in list.iter_mut().zip(steps) {
                *x *= if up { step.sqrt() } else { 1.0 / step.sqrt() };
            }
        };
        scale(&mut self.before, &self.steps, false);
        scale(&mut self.z, &self.steps, false);
        self.anderson.extrapolate(&self.before, &mut self.z);
        scale(&mut self.z, &self.steps, true);
    }
}

impl Solver for SplitSolver {
    fn name(&self) -> &'static str {
        "split"
    }

    fn supports(&self, law: &Law) -> Support {
        let own = law.set.kind() == Kind::LocalSolve;
        if own { Support::Unsupported } else { Support::Native }
    }

    fn refuses(&self, problem: &ContactProblem) -> Option<Refusal> {
        let (bodies, global) = match taken(problem) {
            Ok(taken) => taken,
            Err(refusal) => return Some(refusal),
        };
        let ones = vec![1.0; bodies.rows()];
        Factor::new(&global, &ones).is_none().then(|| refusal(INDEFINITE))
    }

    fn solve(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> &SolveReport {
        let started = Instant::now();
        let (bodies, global) = match taken(problem) {
            Ok(taken) => taken,
            Err(refusal) => return self.report.refuse(refusal),
        };
        self.prepare(problem, bodies, &global, r);
        if self.run(problem, &global, options, started).is_none() {
            return self.report.refuse(refusal(INDEFINITE));
        }
        r.copy_from_slice(&self.best);
        self.report.elapsed = started.elapsed();
        &self.report
    }

    fn boxed(&self) -> Box<dyn Solver> {
        Box::new(self.clone())
    }
}

/// The parts of a problem over bodies with finite masses and without wrenches.
fn taken(problem: &ContactProblem) -> Result<(&Bodies, Global), Refusal> {
    let Operator::Bodies(bodies) = &problem.operator else {
        return Err(refusal(Untaken::Operator("rows that are not over bodies")));
    };
    let own = |b: &FrictionBlock| b.law.set.kind() == Kind::LocalSolve;
    if let Some(block) = problem.blocks.iter().position(own) {
        let shape = problem.blocks[block].law.set.name();
        return Err(refusal(Untaken::Set { block, shape }));
    }
    let global = Global::new(bodies).ok_or_else(|| refusal(INDEFINITE))?;
    Ok((bodies, global))
}

fn refusal(what: Untaken) -> Refusal {
    Refusal { solver: "split", what, instead: "\"prox\" takes every problem" }
}

const INDEFINITE: Untaken =
    Untaken::Operator("masses that are not finite or not positive definite");

const ESTIMATE: &str = "W's diagonal estimated from that of the masses";

/// Iterations without half the residual after which steps become longer, and how often they do so
/// before there is no extrapolation.
const PATIENCE: usize = 40;
const LONGER: usize = 3;

/// How much longer.
const STRIDE: f64 = 4.0;
