//! Newton's method on the implicit function of the cone (Erleben 2020, section 4.2), with complementarity functions of
//! Fischer and Burmeister and a multiplier of slip for each contact.
//!
//! Unknown are the impulses and the multipliers; velocities are u = W r + q. A step minimises ‖J d + F‖² + λ‖d‖², J the
//! generalised Jacobian (Eq. 23, with the normal rows beside it), and is shortened until ‖F‖ is below the largest of
//! the last few. λ goes to zero with ‖F‖: bodies that are held more than once leave J without full rank. The kinks of
//! the complementarity functions are round at first, and sharp once ‖F‖ is small. Where an attempt gets stuck, others
//! begin from random impulses, always the same.

mod equations;
mod jacobian;

use std::time::Instant;

use asperity_friction::Law;
use asperity_friction::random::Rng;
use asperity_friction::set::Set;

use crate::delassus::BodyBuffers;
use crate::dense::least_squares::LeastSquares;
use crate::problem::ContactProblem;
use crate::prox::clear_bad;
use crate::residual::{evaluate, form_of};
use crate::solution::{SolveOptions, SolveReport, Status, Support};
use crate::solver::{Refusal, Solver};
use crate::unit_balls::{Shape, UnitBalls, read, refuses};
use crate::units::Units;
pub use equations::NcpForm;

/// Newton's method with complementarity functions. Takes discs, ellipses, ellipsoids, intervals about zero and
/// joints as they are, over at most [`NcpSolver::most_rows`] rows.
///
/// Owns its memory: nothing is allocated for a problem no larger than the last.
#[derive(Debug, Clone)]
pub struct NcpSolver {
    /// How friction is written as equations.
    pub form: NcpForm,
    /// Most rows; a step costs their third power.
    pub most_rows: usize,
    buffers: BodyBuffers,
    units: Units,
    balls: UnitBalls,
    system: LeastSquares,
    /// Unknowns: x, then a multiplier for each ball.
    y: Vec<f64>,
    from: Vec<f64>,
    step: Vec<f64>,
    f: Vec<f64>,
    jacobian: Vec<f64>,
    scaled_u: Vec<f64>,
    best: Vec<f64>,
    r: Vec<f64>,
    u: Vec<f64>,
    /// How round the kinks of the complementarity functions are.
    tau: f64,
    report: SolveReport,
}

impl Default for NcpSolver {
    fn default() -> NcpSolver {
        NcpSolver::new(NcpForm::Divided)
    }
}

impl NcpSolver {
    /// A solver of these equations.
    pub fn new(form: NcpForm) -> NcpSolver {
        NcpSolver {
            form,
            most_rows: 450,
            buffers: BodyBuffers::default(),
            units: Units::default(),
            balls: UnitBalls::default(),
            system: LeastSquares::default(),
            y: Vec::new(),
            from: Vec::new(),
            step: Vec::new(),
            f: Vec::new(),
            jacobian: Vec::new(),
            scaled_u: Vec::new(),
            best: Vec::new(),
            r: Vec::new(),
            u: Vec::new(),
            tau: 0.0,
            report: SolveReport::new("ncp"),
        }
    }

    fn prepare(&mut self, problem: &ContactProblem) {
        self.report.reset();
        self.report.solver = self.name();
        self.buffers.prepare(problem);
        self.units.prepare(problem, &self.buffers);
        self.report.form = form_of(problem, &mut self.units);
        self.units.measure();
        self.balls.prepare(problem, &self.buffers, &self.units);
        let n = problem.rows();
        let size = n + self.balls.pieces.iter().filter(|p| p.shape == Shape::Ball).count();
        for (list, size) in [
            (&mut self.y, size),
            (&mut self.from, size),
            (&mut self.step, size),
            (&mut self.f, size),
            (&mut self.jacobian, size * size),
            (&mut self.scaled_u, n),
            (&mut self.best, n),
            (&mut self.r, n),
            (&mut self.u, n),
        ] {
            list.clear();
            list.resize(size, 0.0);
        }
    }

    /// Multipliers that fit the impulses.
    fn set_multipliers(&mut self) {
        let n = self.scaled_u.len();
        self.balls.scaled_velocities(&self.y[..n], &mut self.scaled_u);
        let balls = self.balls.pieces.iter().filter(|p| p.shape == Shape::Ball);
        for (place, piece) in (n..).zip(balls) {
            let speed = read(&self.scaled_u[piece.rows.clone()]).length();
            let load = self.balls.load(piece, &self.y[..n]);
            let slides = read(&self.y[piece.rows.clone()]).length() >= load;
            self.y[place] = match self.form {
                NcpForm::Divided => speed,
                NcpForm::Printed if slides && speed > 0.0 => (2.0 * load / speed).min(LARGEST),
                NcpForm::Printed => 0.0,
            };
        }
    }

    /// Attempts from the impulses at hand, then from random ones.
    fn attempt(&mut self, problem: &ContactProblem, options: &SolveOptions, started: Instant) {
        let mut rng = Rng::new(SEED);
        let n = problem.rows();
        for attempt in 0..MOST_ATTEMPTS {
            if attempt > 0 {
                let size = SPREAD / (n as f64).sqrt();
                self.y[..n].fill_with(|| size * rng.uniform(-1.0, 1.0));
                for piece in self.balls.pieces.iter().filter(|p| p.shape == Shape::Normal) {
                    let normal = &mut self.y[piece.rows.start];
                    *normal = normal.abs();
                }
            }
            self.set_multipliers();
            self.tau = match self.form {
                NcpForm::Divided => TAUS[attempt % TAUS.len()],
                NcpForm::Printed => 0.0,
            };
            self.report.status = self.run(problem, options, started);
            if self.report.status != Status::Stalled {
                return;
            }
        }
    }

    /// Steps until one is within the tolerance or none leads on.
    fn run(
        &mut self,
        problem: &ContactProblem,
        options: &SolveOptions,
        started: Instant,
    ) -> Status {
        let (mut damping, mut slow) = (FIRST_DAMPING, 0);
        let mut size = self.set_equations(true);
        let (mut least, mut last) = (size, [0.0; REMEMBERED]);
        loop {
            if self.report.iterations >= options.max_iterations {
                return Status::IterationLimit;
            }
            if options.time_limit.is_some_and(|limit| started.elapsed() > limit) {
                return Status::TimeLimit;
            }
            self.report.iterations += 1;
            self.system.solve(&self.jacobian, &self.f, damping * size.min(1.0), &mut self.step);
            last.rotate_right(1);
            last[0] = size;
            let bound = last.iter().fold(0.0_f64, |m, x| m.max(*x));
            match self.line_search(bound) {
                Some((along, reached)) => {
                    damping =
                        if along > 0.5 { (0.2 * damping).max(LEAST_DAMPING) } else { damping };
                    size = reached;
                    self.judge(problem);
                    if self.report.residual <= options.tolerance {
                        return Status::Converged;
                    }
                    let sharper = self.tau > 0.0 && size < NEAR * self.tau;
                    if sharper {
                        self.tau = if self.tau > LEAST_TAU { 0.1 * self.tau } else { 0.0 };
                    }
                    size = self.set_equations(true);
                    if sharper {
                        (last, least) = ([size; REMEMBERED], f64::INFINITY);
                    }
                }
                None => damping *= 10.0,
            }
            slow = if size < 0.9 * least { 0 } else { slow + 1 };
            least = least.min(size);
            if slow >= MOST_SLOW || damping > MOST_DAMPING || !(size > 0.0) {
                return Status::Stalled;
            }
        }
    }

    /// Goes along `step`, half as far until ‖F‖ is small enough; returns how far, and ‖F‖ there, or stays.
    fn line_search(&mut self, bound: f64) -> Option<(f64, f64)> {
        self.from.copy_from_slice(&self.y);
        let mut along = 1.0;
        while along > LEAST_STEP {
            for ((y, from), step) in self.y.iter_mut().zip(&self.from).zip(&self.step) {
                *y = from + along * step;
            }
            let size = self.set_equations(false);
            if size < (1.0 - 1e-4 * along) * bound {
                return Some((along, size));
            }
            along *= 0.5;
        }
        self.y.copy_from_slice(&self.from);
        None
    }

    /// Residual of the impulses; kept if it is the smallest.
    fn judge(&mut self, problem: &ContactProblem) {
        self.balls.impulses(&self.y[..problem.rows()], &mut self.r);
        self.balls.velocities(problem, &self.r, &mut self.u);
        let value = evaluate(problem, &self.units, self.report.form, &self.r, &self.u);
        self.report.record(self.report.iterations, value);
        if value < self.report.residual {
            self.report.residual = value;
            self.best.copy_from_slice(&self.r);
        }
    }
}

impl Solver for NcpSolver {
    fn name(&self) -> &'static str {
        match self.form {
            NcpForm::Divided => "ncp",
            NcpForm::Printed => "ncp_printed",
        }
    }

    fn supports(&self, law: &Law) -> Support {
        let known = matches!(law.set, Set::Free(_)) || law.set.ball_map().is_some();
        if known && law.rheology.is_none() { Support::Native } else { Support::Unsupported }
    }

    fn refuses(&self, problem: &ContactProblem) -> Option<Refusal> {
        refuses(self, problem, self.most_rows)
    }

    fn solve(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> &SolveReport {
        let started = Instant::now();
        if let Some(refusal) = self.refuses(problem) {
            return self.report.refuse(refusal);
        }
        self.prepare(problem);
        self.report.note_start(clear_bad(r), self.units.immovable);
        self.balls.pull(r, &mut self.y[..r.len()]);
        self.judge(problem);
        if self.report.residual <= options.tolerance {
            self.report.status = Status::Converged;
        } else {
            self.attempt(problem, options, started);
        }
        r.copy_from_slice(&self.best);
        self.report.elapsed = started.elapsed();
        &self.report
    }

    fn boxed(&self) -> Box<dyn Solver> {
        Box::new(self.clone())
    }
}

/// λ in units of ‖F‖: at first, and its bounds.
const FIRST_DAMPING: f64 = 1e-3;
const LEAST_DAMPING: f64 = 1e-12;
const MOST_DAMPING: f64 = 1e8;

/// Shortest step that is tried, as a share of the whole one.
const LEAST_STEP: f64 = 1e-3;

/// Of how many sizes of F the next must be below the largest.
const REMEMBERED: usize = 8;

/// How many steps in a row may bring less than a tenth.
const MOST_SLOW: usize = 20;

/// Attempts at most; size of random starts in units of what stops the free motion; their seed.
const MOST_ATTEMPTS: usize = 12;
const SPREAD: f64 = 100.0;
const SEED: u64 = 1;

/// How round kinks are at first, attempt by attempt; and least. They get sharper where ‖F‖ is so many times that. With sharp
/// ones from the start, ten of a hundred redundant problems are not solved.
const TAUS: [f64; 3] = [0.1, 1.0, 0.3];
const LEAST_TAU: f64 = 1e-8;
const NEAR: f64 = 3.0;

/// Largest β to start from.
const LARGEST: f64 = 1e3;
