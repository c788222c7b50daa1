//! The solver that chooses: which method when, and for how long.

mod pause;
mod sticking;
mod sweeping;
mod wrenches;

use std::time::Instant;

use asperity_friction::Law;
use asperity_friction::set::{Kind, Set};

use crate::admm::AdmmSolver;
use crate::block::FrictionBlock;
use crate::coupling::{MOST_COUPLED, coupled_rows};
use crate::dense::DenseSolver;
use crate::newton::NewtonSolver;
use crate::pivoting::PivotingSolver;
use crate::problem::{ContactProblem, Operator};
use crate::prox::ProxSolver;
use crate::residual::Form;
use crate::resting::RestingSolver;
use crate::solution::{SolveOptions, SolveReport, Status, Support};
use crate::solver::{Refusal, Solver};
use crate::split::SplitSolver;
use pause::{LONGEST_PAUSE, LONGEST_PAUSE_OF_NEWTON, Pause};
use sticking::Sticking;
use sweeping::sweeps_first;
use wrenches::{WRENCH_SWEEPS, WRENCH_TURNS};

/// Chooses by the problem, and goes on to the next method where one does not get there:
///
/// - rows coupled through soft bodies: splitting;
/// - in a series, bodies at rest: what held in the last step;
/// - sweeps, which are cheap and enough for most steps;
/// - where they are slow, Newton's method;
/// - where that gets stuck, in a series: block pivots from where it stands, with Newton's method and a dense W for
///   the last digits, and alternating directions, if the problem is small;
/// - where that does not take the problem or does not get there: for a small problem on its own, Newton's
///   method with a dense W;
/// - sweeps to the end.
///
/// In a series, what stuck in the last problem goes on sticking where it can: where loads are not unique, something may
/// slip by one choice of them that others hold.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "independent questions")]
pub struct AutoSolver {
    /// Whether problems are the steps of a world, each started from the last; see
    /// [`ProxSolver::in_series`]. Only then is [`RestingSolver`] tried.
    pub in_series: bool,
    /// Whether a few plain sweeps will do; see [`ProxSolver::rough`].
    pub rough: bool,
    prox: ProxSolver,
    resting: RestingSolver,
    pause: Pause,
    newton: NewtonSolver,
    pivoting: PivotingSolver,
    admm: AdmmSolver,
    dense: DenseSolver,
    split: SplitSolver,
    /// Whether the last problem was left to sweeps alone.
    swept: bool,
    /// Whether the problem is one of bodies all but at rest; see [`Solver::expect_rest`].
    rests: bool,
    newton_pause: Pause,
    /// The best impulses of several attempts.
    kept: Vec<f64>,
    sticking: Sticking,
    report: SolveReport,
}

impl Default for AutoSolver {
    fn default() -> AutoSolver {
        let (mut resting, mut split) = (RestingSolver::default(), SplitSolver::default());
        resting.wait = ALIKE;
        // Blocks of a dense W cost more than splitting does; it reports its estimate.
        split.most_measured = 0;
        let mut pivoting = PivotingSolver::default();
        (pivoting.warm, pivoting.most_rows) = (true, PIVOTING_ROWS);
        AutoSolver {
            in_series: false,
            rough: false,
            prox: ProxSolver::default(),
            resting,
            pause: Pause::default(),
            newton: NewtonSolver::default(),
            pivoting,
            admm: AdmmSolver::default(),
            dense: DenseSolver::default(),
            split,
            swept: false,
            rests: false,
            newton_pause: Pause::default(),
            kept: Vec::new(),
            sticking: Sticking::default(),
            report: SolveReport::new("auto"),
        }
    }
}

impl AutoSolver {
    /// Splitting, where rows are coupled; returns whether that is the end.
    fn split(&mut self, problem: &ContactProblem, r: &mut [f64], options: &SolveOptions) -> bool {
        let coupled = coupled_rows(problem);
        if coupled == 0 {
            return false;
        }
        let report = self.split.solve(problem, r, options);
        let refused = report.status == Status::Refused;
        if refused && coupled > MOST_COUPLED {
            (self.report.status, self.report.notes) = (report.status, report.notes.clone());
            return true;
        }
        self.report.absorb(report, options.tolerance) || (!refused && coupled > FEW_COUPLED)
    }

    /// Block pivots, to beyond the tolerance, and from near a solution Newton's method with a dense W; whether that is
    /// within the tolerance.
    fn pivots(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        goal: &SolveOptions,
        options: &SolveOptions,
    ) -> bool {
        let AutoSolver { pivoting, dense, report, .. } = self;
        if pivoting.refuses(problem).is_some() {
            return false;
        }
        let few = SolveOptions { max_iterations: PIVOTS, ..*goal };
        let stage = pivoting.solve(problem, r, &few);
        let near = stage.residual <= NEAR && dense.refuses(problem).is_none();
        report.absorb(stage, options.tolerance)
            || near && report.absorb(dense.solve(problem, r, options), options.tolerance)
    }

    /// What held in the last step; whether that does.
    fn hold(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
        goal: &SolveOptions,
    ) -> bool {
        if !self.pause.is_over(problem) {
            return false;
        }
        let few = SolveOptions { max_iterations: RESTING_STEPS, ..*goal };
        let stage = self.resting.solve(problem, r, &few);
        let tried = stage.status != Status::Refused;
        let done = self.report.absorb(stage, options.tolerance);
        self.pause.note(tried, done, LONGEST_PAUSE);
        done
    }

    /// Everything else, by turns until one is within the tolerance.
    fn by_turns(&mut self, problem: &ContactProblem, r: &mut [f64], options: &SolveOptions) {
        let (most, started) = (options.max_iterations, Instant::now());
        // What is left of the time, if there is a limit.
        let limited = |max_iterations| {
            let time_limit =
                options.time_limit.map(|limit| limit.saturating_sub(started.elapsed()));
            SolveOptions { max_iterations, time_limit, ..*options }
        };
        let first = sweeps_first(problem, most);
        // Beyond the tolerance: what they leave the next step begins with, and they converge fast.
        let tolerance = 0.01 * options.tolerance;
        let goal = SolveOptions { tolerance, max_iterations: NEWTON_STEPS, ..*options };
        (self.prox.in_series, self.prox.rough) = (self.in_series, self.rough);
        if self.in_series && self.hold(problem, r, options, &goal) {
            return;
        }
        let AutoSolver { prox, newton, newton_pause, dense, report, .. } = self;
        let mut within = |stage: &SolveReport| report.absorb(stage, options.tolerance);
        // Newton's method begins at zero, and finds other loads of a rigid pad than the step before had: grips slip.
        let grips = problem.blocks.iter().any(|b| matches!(b.law.set, Set::LimitSurface(_)));
        let wrenches = problem.blocks.iter().any(|b| b.law.set.kind() == Kind::LocalSolve);
        let small =
            !wrenches && !self.in_series && most >= PATIENT && dense.refuses(problem).is_none();
        dense.most_work = DENSE_WORK;
        // With torques, single contacts of a sweep can be as hard as all of them at once.
        if small && has_torques(problem) && within(dense.solve(problem, r, &limited(NEWTON_STEPS)))
        {
            return;
        }
        let sweeps = limited(most.min(first));
        let done = within(prox.solve(problem, r, &sweeps));
        if done || most <= first {
            self.swept = most <= first;
            // What rests rests for many steps: what would be too dear for each is not for one of them.
            if !done && self.rests && !grips && newton_pause.is_over(problem) {
                self.swept = false;
                let stage = newton.solve(problem, r, &goal);
                let (tried, done) = (stage.status != Status::Refused, within(stage));
                newton_pause.note(tried, done, LONGEST_PAUSE_OF_NEWTON);
            }
            return;
        }
        if !grips && within(newton.solve(problem, r, &goal)) {
            return;
        }
        let mut left = most - first;
        if small {
            let sweeps = left.min(SWEEPS_BEFORE_DENSE);
            if within(prox.solve(problem, r, &limited(sweeps)))
                || within(dense.solve(problem, r, &limited(most)))
            {
                return;
            }
            left -= sweeps;
        }
        if wrenches && dense.refuses(problem).is_none() {
            let most = limited(left.min(WRENCH_TURNS * WRENCH_SWEEPS));
            if self.wrench_turns(problem, r, &most) {
                return;
            }
            left -= most.max_iterations;
        }
        if self.in_series && self.pivots(problem, r, &goal, &limited(dense_steps(problem))) {
            return;
        }
        let AutoSolver { admm, report, .. } = self;
        let mut within = |stage: &SolveReport| report.absorb(stage, options.tolerance);
        let gives = problem.blocks.iter().any(|b| b.law.rheology.is_some());
        let few = problem.rows() <= ADMM_ROWS;
        if self.in_series && few && !gives && admm.refuses(problem).is_none() {
            if within(admm.solve(problem, r, &limited(left.min(ADMM_STEPS)))) {
                return;
            }
            left = left.min(SWEEPS_AFTER_ADMM);
        }
        if self.sweep_on(problem, r, left, &limited) {
            return;
        }
        let AutoSolver { dense, report, .. } = self;
        let mut within = |stage: &SolveReport| report.absorb(stage, options.tolerance);
        if small && dense.is_cut_short(problem.rows()) {
            dense.most_work = LAST_WORK;
            within(dense.solve(problem, r, &limited(most)));
        }
    }
}

impl Solver for AutoSolver {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn supports(&self, law: &Law) -> Support {
        self.prox.supports(law)
    }

    fn refuses(&self, problem: &ContactProblem) -> Option<Refusal> {
        let many = coupled_rows(problem) > MOST_COUPLED;
        let refusal = many.then(|| self.split.refuses(problem)).flatten();
        refusal.map(|refusal| Refusal { solver: self.name(), ..refusal })
    }

    fn solve(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> &SolveReport {
        let started = Instant::now();
        self.report.reset();
        self.swept = false;
        if problem.rows() == 0 {
            // Bodies in flight: nothing to solve.
            self.resting.forget();
            (self.report.status, self.report.residual) = (Status::Converged, 0.0);
            (self.report.form, self.report.elapsed) = (Form::Coulomb, started.elapsed());
            return &self.report;
        }
        if let Some(refusal) = self.refuses(problem) {
            return self.report.refuse(refusal);
        }
        if !self.split(problem, r, options) {
            self.sticking.begin(r);
            self.by_turns(problem, r, options);
            if self.in_series {
                self.stick(problem, r, options);
            }
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
        let few = options.max_iterations <= sweeps_first(problem, options.max_iterations);
        if !(self.swept && few) {
            return self.solve(problem, r, options);
        }
        self.report.reset();
        let stage = self.prox.resume(problem, r, options);
        self.report.absorb(stage, options.tolerance);
        self.report.elapsed = stage.elapsed;
        &self.report
    }

    fn expect_series(&mut self, rough: bool) {
        (self.in_series, self.rough) = (true, rough);
    }

    fn expect_rest(&mut self, rests: bool) {
        self.rests = rests;
    }

    fn boxed(&self) -> Box<dyn Solver> {
        Box::new(self.clone())
    }
}

/// Whether contacts have torques that Newton's method over bodies does not take: it takes those of ellipsoids.
fn has_torques(problem: &ContactProblem) -> bool {
    let over_bodies = matches!(problem.operator, Operator::Bodies(_));
    let torques = |b: &FrictionBlock| {
        let known = over_bodies && matches!(b.law.set, Set::Ellipsoid(_)) && b.normals.len() == 1;
        b.law.set.dim() > 2 && !known
    };
    problem.blocks.iter().any(torques)
}

/// Steps of Newton's method with a dense W after block pivots: it gets there in its first ones, or begins anew, which
/// small problems can afford.
fn dense_steps(problem: &ContactProblem) -> usize {
    let [least, most] = DENSE_STEPS;
    ((DENSE_STEPS_WORK / (problem.rows() as f64).powi(3)) as usize).clamp(least, most)
}

/// Most coupled rows for sweeps after splitting has failed: a sweep over a dense W of more takes longer
/// than a step should.
const FEW_COUPLED: usize = 1000;

/// Problems alike in a row before [`RestingSolver`] factors its matrix: bodies in motion change
/// their contacts sooner, and would pay for it in vain.
const ALIKE: usize = 4;

/// Steps with what holds. Each takes a digit or more, or is the last.
const RESTING_STEPS: usize = 4;

/// Steps of Newton's method at most; it converges in fewer than thirty or not at all.
const NEWTON_STEPS: usize = 60;

/// Sweeps that must be allowed before Newton's method with a dense W is tried: who allows fewer is in a hurry.
const PATIENT: usize = 2000;

/// Sweeps before that, its work then, about a second, and where nothing else has helped.
const SWEEPS_BEFORE_DENSE: usize = 200;
const DENSE_WORK: f64 = 3e9;
const LAST_WORK: f64 = 3e10;

/// Rows up to which block pivots are tried in a series, and their direct solves; the residual from which Newton's
/// method with a dense W goes on from there, and its steps. From farther off it finds other loads of what is held more
/// than once than the step before had, and grips slip.
const PIVOTING_ROWS: usize = 150;
const PIVOTS: usize = 100;
const NEAR: f64 = 1e-6;
const DENSE_STEPS: [usize; 2] = [30, 200];

/// Products in these steps.
const DENSE_STEPS_WORK: f64 = 1e8;

/// Rows up to which alternating directions are tried in a series, their steps, and sweeps after them: what neither
/// gets is held more than once, by contacts that contradict each other in the eighth digit.
const ADMM_ROWS: usize = 400;
const ADMM_STEPS: usize = 100;
const SWEEPS_AFTER_ADMM: usize = 100;
