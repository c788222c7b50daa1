//! Alternating directions over the velocities of the bodies, with one kept elimination, and Newton's method to
//! finish: the solver for heaps, where someone asks for residuals.
//!
//! The problem has two parts: u = W r + q, which joins everything and is linear, and the laws, each of which
//! concerns one contact. With steps R, a diagonal matrix, each iteration solves either by itself:
//!
//! - r + R u = z with u = W r + q: one solve with M + Jᵀ R J, which is factored once;
//! - s − R w = 2 r − z by the laws, contact by contact: as if a contact's own W were R⁻¹;
//! - z ← z + s − r.
//!
//! Since R is diagonal, the second part takes the normal impulse first and then friction within the set at that
//! load: the law as it is, with no shift that is a step behind. That is slow to end: contacts that hold want long
//! steps, so that impulses find their size, and others short ones. So R follows what contacts do, and after some
//! iterations Newton's method ([`polish`]) solves for all of it at once; where it gets stuck, because contacts
//! begin or cease to slip, iterations go on. Each does what the other cannot.

mod choice;
mod factor;
mod laws;
mod lu;
mod order;
mod pattern;
mod polish;
mod rows;
mod steps;

use std::time::Instant;

use asperity_friction::Law;
use asperity_friction::set::Kind;

use crate::block::FrictionBlock;
use crate::delassus::BodyBuffers;
use crate::local::MAX_LOCAL;
use crate::problem::{Bodies, ContactProblem, InverseMass, Operator};
use crate::prox::clear_bad;
use crate::residual::{evaluate, form_of};
use crate::solution::{Note, SolveOptions, SolveReport, Status, Support};
use crate::solver::{Refusal, Solver, Untaken};
use crate::units::{Unit, Units};
use factor::Factor;
use laws::Answer;
use lu::Lu;
use pattern::Pattern;
use rows::Rows;

/// Alternating directions with Newton's method to finish, for problems over bodies.
///
/// Owns its memory: nothing is allocated for a problem like the last.
#[derive(Debug, Clone)]
pub struct AdmmSolver {
    buffers: BodyBuffers,
    units: Units,
    /// Units that take part, whether each does, and their rows.
    list: Vec<Unit>,
    kept: Vec<bool>,
    active: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    pattern: Pattern,
    rows: Rows,
    factor: Factor,
    lu: Lu,
    /// R, what it began with, and R/(1 + R C) with the compliance C.
    steps: Vec<f64>,
    base: Vec<f64>,
    soft_steps: Vec<f64>,
    /// Change of the bodies' velocities, in the order of elimination.
    x: Vec<f64>,
    z: Vec<f64>,
    /// r and u of the linear part, s of the laws.
    first: Vec<f64>,
    u: Vec<f64>,
    second: Vec<f64>,
    best: Vec<f64>,
    /// Of Newton's method: F, its direction, and blocks of each unit.
    error: Vec<f64>,
    along_r: Vec<f64>,
    along_u: Vec<f64>,
    inverses: Vec<f64>,
    slopes: Vec<f64>,
    lambda: f64,
    report: SolveReport,
}

impl Default for AdmmSolver {
    fn default() -> AdmmSolver {
        AdmmSolver {
            buffers: BodyBuffers::default(),
            units: Units::default(),
            list: Vec::new(),
            kept: Vec::new(),
            active: Vec::new(),
            pairs: Vec::new(),
            pattern: Pattern::default(),
            rows: Rows::default(),
            factor: Factor::default(),
            lu: Lu::default(),
            steps: Vec::new(),
            base: Vec::new(),
            soft_steps: Vec::new(),
            x: Vec::new(),
            z: Vec::new(),
            first: Vec::new(),
            u: Vec::new(),
            second: Vec::new(),
            best: Vec::new(),
            error: Vec::new(),
            along_r: Vec::new(),
            along_u: Vec::new(),
            inverses: Vec::new(),
            slopes: Vec::new(),
            lambda: polish::MOST_LAMBDA,
            report: SolveReport::new("admm"),
        }
    }
}

impl AdmmSolver {
    fn prepare(&mut self, problem: &ContactProblem, bodies: &Bodies, r: &mut [f64]) {
        self.report.reset();
        self.rows.prepare(bodies);
        self.buffers.prepare(problem);
        self.units.prepare(problem, &self.buffers);
        self.report.form = form_of(problem, &mut self.units);
        let bad = clear_bad(r);
        if bad > 0 {
            self.report.notes.push(Note::BadWarmStart(bad));
        }
        for list in [
            &mut self.z,
            &mut self.u,
            &mut self.first,
            &mut self.second,
            &mut self.best,
            &mut self.error,
            &mut self.along_r,
            &mut self.along_u,
        ] {
            list.clear();
            list.extend_from_slice(r);
        }
        for list in [&mut self.inverses, &mut self.slopes] {
            list.clear();
            list.resize(self.units.local.len(), 0.0);
        }
        self.x.clear();
        self.x.resize(6 * bodies.inverse_masses.len(), 0.0);
        self.lambda = polish::MOST_LAMBDA;
    }

    fn run(
        &mut self,
        problem: &ContactProblem,
        bodies: &Bodies,
        options: &SolveOptions,
        started: Instant,
    ) {
        self.report.status = Status::IterationLimit;
        self.set_steps(problem);
        self.choose();
        let mut factored = self.gather(bodies);
        let mut turn = 0;
        while factored && self.report.iterations < options.max_iterations {
            let value = self.velocities(problem);
            self.report.iterations += 1;
            turn += 1;
            if self.note(value, options) {
                return;
            }
            if options.time_limit.is_some_and(|limit| started.elapsed() > limit) {
                self.report.status = Status::TimeLimit;
                return;
            }
            if turn % ROUND == 0 {
                self.polish(problem, options, started);
                if self.report.status == Status::Converged {
                    return;
                }
                continue;
            }
            self.answer(problem);
            if turn % ADAPT == 0 {
                let more = self.choose_more(options.tolerance);
                factored = self.adapt(problem) && (!more || self.gather(bodies));
                continue;
            }
            for i in self.active.iter().map(|i| *i as usize) {
                self.z[i] += self.second[i] - self.first[i];
            }
        }
        if !factored {
            self.report.status = Status::Stalled;
        }
    }

    /// Keeps the impulses if they are the best; returns whether they are within the tolerance.
    fn note(&mut self, value: f64, options: &SolveOptions) -> bool {
        self.report.record(self.report.iterations, value);
        if value < self.report.residual {
            self.report.residual = value;
            self.best.copy_from_slice(&self.first);
        }
        let within = self.report.residual <= options.tolerance;
        if within {
            self.report.status = Status::Converged;
        }
        within
    }

    /// The linear part: r and u from z; returns their residual.
    fn velocities(&mut self, problem: &ContactProblem) -> f64 {
        self.x.fill(0.0);
        for i in self.active.iter().map(|i| *i as usize) {
            self.first[i] = self.soft_steps[i] * (self.z[i] / self.steps[i] - problem.q[i]);
            self.rows.push(i, self.first[i], &mut self.x);
        }
        self.factor.solve(&self.pattern, &mut self.x);
        for (row, u) in self.u.iter_mut().enumerate() {
            *u = self.rows.velocity(row, &self.x) + problem.q[row];
        }
        for i in self.active.iter().map(|i| *i as usize) {
            self.first[i] -= self.soft_steps[i] * (self.u[i] - problem.q[i]);
            self.u[i] += problem.give(i) * self.first[i];
        }
        evaluate(problem, &self.units, self.report.form, &self.first, &self.u)
    }

    /// The laws: s from z and r. Normal rows first, since they may load what comes after.
    fn answer(&mut self, problem: &ContactProblem) {
        for with_normal in [true, false] {
            for unit in self.list.iter().filter(|u| u.normal.is_some() == with_normal) {
                let dim = unit.dim();
                let (mut a, mut last) = ([0.0; MAX_LOCAL], [0.0; MAX_LOCAL]);
                for k in 0..dim {
                    let row = unit.row(k);
                    (a[k], last[k]) = (2.0 * self.first[row] - self.z[row], self.second[row]);
                }
                let answer = Answer { problem, unit, steps: &self.steps, loads: &self.second };
                let new = answer.impulses(&a, &last);
                for k in 0..dim {
                    self.second[unit.row(k)] = new[k];
                }
            }
        }
    }

    /// Residual of the impulses `first`, whose velocities are left in `u`.
    fn check(&mut self, problem: &ContactProblem) -> f64 {
        self.x.fill(0.0);
        for (row, r) in self.first.iter().enumerate() {
            self.rows.push(row, *r, &mut self.x);
        }
        self.rows.divide_by_masses(&mut self.x);
        for (row, u) in self.u.iter_mut().enumerate() {
            let moved = self.rows.velocity(row, &self.x);
            *u = moved + problem.q[row] + problem.give(row) * self.first[row];
        }
        evaluate(problem, &self.units, self.report.form, &self.first, &self.u)
    }
}

impl Solver for AdmmSolver {
    fn name(&self) -> &'static str {
        "admm"
    }

    fn supports(&self, law: &Law) -> Support {
        let own = law.set.kind() == Kind::LocalSolve;
        if own { Support::Unsupported } else { Support::Native }
    }

    fn refuses(&self, problem: &ContactProblem) -> Option<Refusal> {
        taken(problem).err()
    }

    fn solve(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> &SolveReport {
        let started = Instant::now();
        let bodies = match taken(problem) {
            Ok(bodies) => bodies,
            Err(refusal) => return self.report.refuse(refusal),
        };
        self.prepare(problem, bodies, r);
        self.report.residual = self.check(problem);
        if self.report.residual <= options.tolerance {
            self.report.status = Status::Converged;
        } else {
            self.run(problem, bodies, options, started);
            // What Newton's method adds up is rounded; what is reported is not.
            self.first.copy_from_slice(&self.best);
            self.report.residual = self.check(problem);
            r.copy_from_slice(&self.best);
        }
        self.report.elapsed = started.elapsed();
        &self.report
    }

    fn boxed(&self) -> Box<dyn Solver> {
        Box::new(self.clone())
    }
}

/// The bodies of a problem with finite masses, without soft bodies and wrenches.
fn taken(problem: &ContactProblem) -> Result<&Bodies, Refusal> {
    let bodies = match &problem.operator {
        Operator::Bodies(bodies) if bodies.coupling.is_empty() => bodies,
        Operator::Bodies(_) => return Err(refusal(Untaken::Operator("rows of soft bodies"))),
        Operator::Explicit(_) | Operator::Factored(_) => {
            return Err(refusal(Untaken::Operator("rows that are not over bodies")));
        }
    };
    let own = |b: &FrictionBlock| b.law.set.kind() == Kind::LocalSolve;
    if let Some(block) = problem.blocks.iter().position(own) {
        let shape = problem.blocks[block].law.set.name();
        return Err(refusal(Untaken::Set { block, shape }));
    }
    let movable = |m: &InverseMass| match m {
        InverseMass::Body { mass, inertia } => *mass > 0.0 && inertia.determinant() > 0.0,
        InverseMass::Point(mass) => *mass > 0.0,
    };
    match bodies.inverse_masses.iter().position(|m| !movable(m)) {
        Some(block) => Err(refusal(Untaken::Mass(block))),
        None => Ok(bodies),
    }
}

fn refusal(what: Untaken) -> Refusal {
    Refusal { solver: "admm", what, instead: "\"prox\" takes every problem, and \"auto\" chooses" }
}

/// Iterations before Newton's method is tried, and again.
const ROUND: usize = 30;

/// Iterations between changes of the steps.
const ADAPT: usize = 10;
