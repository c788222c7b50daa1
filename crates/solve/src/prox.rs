//! Block Gauss–Seidel over contacts with proximal steps (Erleben 2020, Algorithm 2) or with an
//! exact local solve.

mod sweeps;

use std::time::Instant;

use asperity_friction::Law;

use crate::anderson::Anderson;
use crate::coupling::refuses_many;
use crate::delassus::{BodyBuffers, Explicit, OverBodies};
use crate::heap::{Goal, Heap};
use crate::problem::{ContactProblem, Operator};
use crate::r_factor::RFactor;
use crate::residual::{Form, evaluate, form_of};
use crate::solution::{SolveOptions, SolveReport, Status, Support};
use crate::solver::{Refusal, Solver};
use crate::units::Units;
use sweeps::Sweeps;
pub(crate) use sweeps::{CHECK_EVERY, SHORT_DEPTH, SoFar, clear_bad, is_short, velocity};

/// Block Gauss–Seidel. Takes every set as it is.
///
/// Owns its memory: after the first solve of a size nothing is allocated.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "independent questions")]
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
    /// Whether a few plain sweeps will do, for heaps in real time. A residual is relative to the
    /// largest impulse: a rough one says little of what lies on top. So there are some sweeps in any
    /// case, with fewer digits, before any residual is looked at.
    pub rough: bool,
    /// The last problem, where it was a heap.
    heap: Heap,
    is_heap: bool,
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
            rough: false,
            heap: Heap::default(),
            is_heap: false,
            buffers: BodyBuffers::default(),
            units: Units::default(),
            anderson: Anderson::default(),
            u: Vec::new(),
            before: Vec::new(),
            best: Vec::new(),
            report: SolveReport::new("prox"),
        }
    }

    /// As [`Solver::solve`], asking `hook` after every `every` sweeps. It has converged when
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
            let value = evaluate(problem, &self.units, form, r, &self.u);
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

    /// Plain sweeps with exact local solves until one changes the impulses by no more than
    /// `tolerance` of their size: the stopping criterion of Bouchard 2015, section 6.1.8. Tells each
    /// sweep's change and returns how many there were; `None` where `most` were not enough.
    pub fn sweep_until(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        tolerance: f64,
        most: usize,
        tell: impl FnMut(f64),
    ) -> Option<usize> {
        self.begin(problem, r);
        let options = SolveOptions { max_iterations: most, ..SolveOptions::default() };
        let mut run = Sweeps {
            problem,
            units: &self.units,
            form: self.report.form,
            options: &options,
            started: Instant::now(),
            u: &mut self.u,
            before: &mut self.before,
            best: &mut self.best,
            report: &mut self.report,
            in_series: false,
            rough: false,
        };
        match &problem.operator {
            Operator::Explicit(w) => run.until(&mut Explicit(w), tolerance, r, tell),
            Operator::Factored(f) => run.until(&mut Explicit(f.delassus()), tolerance, r, tell),
            Operator::Bodies(bodies) => {
                run.until(&mut OverBodies::new(bodies, &mut self.buffers), tolerance, r, tell)
            }
        }
    }

    fn prepare(&mut self, problem: &ContactProblem, rows: bool) {
        if rows {
            self.buffers.prepare(problem);
        }
        self.units.prepare(problem, &self.buffers);
        self.buffers.gather(problem, &self.units);
        self.report.form = form_of(problem, &mut self.units);
    }

    fn begin(&mut self, problem: &ContactProblem, r: &mut [f64]) {
        let n = problem.rows();
        self.report.reset();
        self.report.solver = self.name();
        self.prepare(problem, true);
        for buffer in [&mut self.u, &mut self.before, &mut self.best] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        self.report.note_start(clear_bad(r), self.units.immovable);
    }

    /// Takes the problem as a heap, if it is one.
    fn begin_heap(&mut self, problem: &ContactProblem, r: &mut [f64]) -> bool {
        let extrapolates = self.local == LocalSolve::Exact && self.accelerate && !self.rough;
        self.is_heap = extrapolates && self.heap.prepare(problem);
        if self.is_heap {
            self.report.reset();
            (self.report.solver, self.report.form) = (self.name(), Form::Coulomb);
            self.report.note_start(clear_bad(r), self.heap.immovable());
        }
        self.is_heap
    }

    fn sweep_heap(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
        known: Option<f64>,
    ) {
        let goal = Goal { options, in_series: self.in_series, started: Instant::now(), known };
        self.heap.run(problem, &goal, r, &mut self.report);
        self.report.elapsed = goal.started.elapsed();
    }

    fn advance(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
        sweeps: usize,
        started: Instant,
    ) {
        let mut run = Sweeps {
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
            rough: self.rough,
        };
        let anderson = self.accelerate.then_some(&mut self.anderson);
        match &problem.operator {
            Operator::Explicit(w) => run.run(&mut Explicit(w), self.local, anderson, sweeps, r),
            Operator::Factored(f) => {
                run.run(&mut Explicit(f.delassus()), self.local, anderson, sweeps, r);
            }
            Operator::Bodies(bodies) => {
                let mut operator = OverBodies::new(bodies, &mut self.buffers);
                run.run(&mut operator, self.local, anderson, sweeps, r);
            }
        }
    }
}

impl Solver for ProxSolver {
    fn name(&self) -> &'static str {
        match self.local {
            LocalSolve::Exact => "prox",
            LocalSolve::Step(RFactor::Local) => "prox_local",
            LocalSolve::Step(RFactor::Global) => "prox_global",
            LocalSolve::Step(RFactor::BlockInverse) => "prox_block",
        }
    }

    fn supports(&self, _: &Law) -> Support {
        Support::Native
    }

    fn refuses(&self, problem: &ContactProblem) -> Option<Refusal> {
        refuses_many(self.name(), problem)
    }

    fn solve(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> &SolveReport {
        if let Some(refusal) = self.refuses(problem) {
            return self.report.refuse(refusal);
        }
        let started = Instant::now();
        if self.begin_heap(problem, r) {
            self.sweep_heap(problem, r, options, None);
        } else {
            self.begin(problem, r);
            self.advance(problem, r, options, options.max_iterations, started);
        }
        self.report.elapsed = started.elapsed();
        &self.report
    }

    fn resume(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> &SolveReport {
        if !self.is_heap {
            return self.solve(problem, r, options);
        }
        let known = self.report.residual;
        self.report.reset();
        self.sweep_heap(problem, r, options, Some(known));
        &self.report
    }

    fn expect_series(&mut self, rough: bool) {
        (self.in_series, self.rough) = (true, rough);
    }

    fn boxed(&self) -> Box<dyn Solver> {
        Box::new(self.clone())
    }
}
