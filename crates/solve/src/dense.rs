//! Newton's method on the impulses, with W as a dense matrix: for small problems of any origin.
//!
//! The natural map of all units at once, F(r) = 0 (see [`Form::General`](crate::Form)), is solved by
//! steps that minimise ‖J d + F‖² + λ‖d‖². Bodies that are held more than once leave W, and with it J,
//! without full rank: λ makes the step unique and goes to zero with ‖F‖, so that convergence is fast all
//! the same (Levenberg and Marquardt; Fan and Yuan 2005 for such λ). The step is shortened until ‖F‖ falls.
//!
//! J is made of small differences of each unit's own map, which has a handful of arguments, and W: so every set
//! serves that has a natural map. Where an attempt gets stuck, others begin from random impulses, always the same.
//!
//! Impulses are measured unit by unit in √ρ, velocities in 1/√ρ, with which
//! W_ii is about one whatever bodies weigh.

pub(crate) mod gauss;
mod jacobian;
pub(crate) mod least_squares;

use std::time::Instant;

use asperity_friction::Law;
use asperity_friction::random::Rng;

use crate::delassus::BodyBuffers;
use crate::problem::ContactProblem;
use crate::prox::clear_bad;
use crate::residual::{Form, evaluate, is_coulomb, unit_error};
use crate::solution::{SolveOptions, SolveReport, Status, Support};
use crate::solver::{Refusal, Solver, Untaken};
use crate::units::{Unit, Units, torque_scale};
use least_squares::LeastSquares;
pub(crate) use least_squares::dot;

/// Newton's method with a dense W. Takes every set; of wrenches it solves the fixed-point error of Algorithm 1.
///
/// Owns its memory: nothing is allocated for a problem no larger than the last.
#[derive(Debug, Clone)]
pub struct DenseSolver {
    /// Most rows; a step costs their third power.
    pub most_rows: usize,
    /// Most steps times the third power of rows.
    pub most_work: f64,
    buffers: BodyBuffers,
    units: Units,
    /// The same with another ρ.
    tilted: Vec<Unit>,
    system: LeastSquares,
    /// W and J, row by row: velocities and errors over impulses, all in their units.
    w: Vec<f64>,
    jacobian: Vec<f64>,
    /// √ρ t of each row: what impulses are measured in; t is the patch radius for torques.
    scale: Vec<f64>,
    /// Size of the free velocities.
    free: f64,
    r: Vec<f64>,
    u: Vec<f64>,
    f: Vec<f64>,
    step: Vec<f64>,
    from: Vec<f64>,
    best: Vec<f64>,
    report: SolveReport,
}

impl Default for DenseSolver {
    fn default() -> DenseSolver {
        DenseSolver {
            most_rows: 600,
            most_work: 1e10,
            buffers: BodyBuffers::default(),
            units: Units::default(),
            tilted: Vec::new(),
            system: LeastSquares::default(),
            w: Vec::new(),
            jacobian: Vec::new(),
            scale: Vec::new(),
            free: 1.0,
            r: Vec::new(),
            u: Vec::new(),
            f: Vec::new(),
            step: Vec::new(),
            from: Vec::new(),
            best: Vec::new(),
            report: SolveReport::new("dense"),
        }
    }
}

impl DenseSolver {
    fn prepare(&mut self, problem: &ContactProblem) {
        let n = problem.rows();
        self.buffers.prepare(problem);
        self.units.prepare(problem, &self.buffers);
        self.units.measure();
        self.tilted.clone_from(&self.units.list);
        self.report.reset();
        let coulomb = is_coulomb(problem, &self.units);
        self.report.form = if coulomb { Form::Coulomb } else { Form::General };
        for list in [
            &mut self.scale,
            &mut self.r,
            &mut self.u,
            &mut self.f,
            &mut self.step,
            &mut self.from,
            &mut self.best,
        ] {
            list.clear();
            list.resize(n, 0.0);
        }
        for unit in &self.units.list {
            for k in 0..unit.dim() {
                self.scale[unit.row(k)] = unit.rho.sqrt() * torque_scale(unit, k);
            }
        }
        let free = self.scale.iter().zip(&problem.q).map(|(s, q)| (s * q).powi(2));
        self.free = free.sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
        self.buffers.write_matrix(problem, &mut self.w);
        self.jacobian.clear();
        self.jacobian.resize(n * n, 0.0);
    }

    /// Whether so many rows are too much for all attempts.
    pub(crate) fn is_cut_short(&self, rows: usize) -> bool {
        self.most_steps(rows) < MAX_ATTEMPTS * MAX_STEPS
    }

    fn most_steps(&self, rows: usize) -> usize {
        (self.most_work / (rows as f64).powi(3).max(1.0)) as usize
    }

    /// Attempts from one start after another, until one is within the tolerance.
    fn attempt(&mut self, problem: &ContactProblem, options: &SolveOptions, started: Instant) {
        let steps = options.max_iterations.min(self.most_steps(self.r.len()));
        let mut rng = Rng::new(SEED);
        for attempt in 0..MAX_ATTEMPTS {
            // The map with another ρ has the same zeros, and sticks elsewhere on the way to them.
            let tilt = TILTS[attempt % TILTS.len()];
            for (tilted, unit) in self.tilted.iter_mut().zip(&self.units.list) {
                tilted.rho = tilt * unit.rho;
            }
            if attempt > 0 {
                self.draw(&mut rng);
            }
            let most = steps.min(self.report.iterations + MAX_STEPS);
            let few = SolveOptions { max_iterations: most, ..*options };
            self.report.status = self.run(problem, &few, started);
            let left = self.report.iterations < steps;
            if matches!(self.report.status, Status::Converged | Status::TimeLimit) || !left {
                return;
            }
        }
    }

    /// Random impulses to start from, a hundred times what stops the free motion: from too much, impulses
    /// fall to where they are needed; from too little, contacts are lost on the way.
    fn draw(&mut self, rng: &mut Rng) {
        let size = SPREAD * self.free / (self.r.len() as f64).sqrt();
        for (r, scale) in self.r.iter_mut().zip(&self.scale) {
            *r = size * scale * rng.uniform(-1.0, 1.0);
        }
        for normal in self.units.list.iter().filter_map(|unit| unit.normal) {
            self.r[normal] = self.r[normal].abs();
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
        let mut size = self.size(problem);
        let (mut least, mut last) = (size, [0.0; REMEMBERED]);
        self.set_jacobian(problem);
        while self.report.iterations < options.max_iterations {
            self.report.iterations += 1;
            self.system.solve(&self.jacobian, &self.f, damping * size.min(1.0), &mut self.step);
            last.rotate_right(1);
            last[0] = size;
            let bound = last.iter().fold(0.0_f64, |m, x| m.max(*x));
            let along = self.line_search(problem, bound);
            damping = match along {
                Some((along, _)) if along > 0.5 => (0.2 * damping).max(LEAST_DAMPING),
                Some((along, _)) if along > 0.1 => damping,
                _ => 10.0 * damping,
            };
            if let Some((_, reached)) = along {
                size = reached;
                self.judge(problem);
                if self.report.residual <= options.tolerance {
                    return Status::Converged;
                }
                self.set_jacobian(problem);
            }
            slow = if size < 0.9 * least { 0 } else { slow + 1 };
            least = least.min(size);
            if slow >= MAX_SLOW || damping > MOST_DAMPING || !(size > 0.0) {
                return Status::Stalled;
            }
            if options.time_limit.is_some_and(|limit| started.elapsed() > limit) {
                return Status::TimeLimit;
            }
        }
        Status::IterationLimit
    }

    /// Goes along `step`, half as far until ‖F‖ is below the largest of the last few; returns how far,
    /// and ‖F‖ there, or nothing and stays. That ‖F‖ may rise for a while lets contacts change what they
    /// do: where each step has to be better than the last, one problem in seven is not solved.
    fn line_search(&mut self, problem: &ContactProblem, bound: f64) -> Option<(f64, f64)> {
        self.from.copy_from_slice(&self.r);
        let mut along = 1.0;
        while along > LEAST_STEP {
            for (i, r) in self.r.iter_mut().enumerate() {
                *r = self.from[i] + along * self.step[i] * self.scale[i];
            }
            let size = self.size(problem);
            if size < (1.0 - 1e-4 * along) * bound {
                return Some((along, size));
            }
            along *= 0.5;
        }
        self.r.copy_from_slice(&self.from);
        self.size(problem);
        None
    }

    /// u and F of r; returns ‖F‖ in units of the free velocities.
    fn size(&mut self, problem: &ContactProblem) -> f64 {
        let n = self.r.len();
        for i in 0..n {
            self.u[i] = problem.q[i] + dot(&self.w[i * n..(i + 1) * n], &self.r);
        }
        for (unit, tilted) in self.units.list.iter().zip(&self.tilted) {
            let e = unit_error(problem, &self.units, tilted, [&self.r, &self.u]);
            let root = unit.rho.sqrt();
            for k in 0..unit.dim() {
                self.f[unit.row(k)] = if root > 0.0 { e[k] / root } else { 0.0 };
            }
        }
        let size = dot(&self.f, &self.f).sqrt() / self.free;
        if size.is_nan() { f64::INFINITY } else { size }
    }

    /// Notes the residual of `r`, whose velocities are known, and keeps it if it is the smallest.
    fn judge(&mut self, problem: &ContactProblem) {
        let residual = evaluate(problem, &self.units, self.report.form, &self.r, &self.u);
        self.report.record(self.report.iterations, residual);
        if residual < self.report.residual {
            self.report.residual = residual;
            self.best.copy_from_slice(&self.r);
        }
    }
}

impl Solver for DenseSolver {
    fn name(&self) -> &'static str {
        "dense"
    }

    fn supports(&self, _: &Law) -> Support {
        Support::Native
    }

    fn refuses(&self, problem: &ContactProblem) -> Option<Refusal> {
        let refuse = |what| Some(Refusal { solver: self.name(), what, instead: INSTEAD });
        if problem.rows() > self.most_rows {
            return refuse(Untaken::Size("so many rows"));
        }
        None
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
        self.r.copy_from_slice(r);
        self.size(problem);
        self.judge(problem);
        if self.report.residual <= options.tolerance {
            self.report.status = Status::Converged;
        } else {
            self.attempt(problem, options, started);
            r.copy_from_slice(&self.best);
        }
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

/// Steps of an attempt at most, and how many in a row may bring less than a tenth.
const MAX_STEPS: usize = 60;
const MAX_SLOW: usize = 20;

/// Attempts at most, and the factors of ρ that they take in turn. Of the starts of redundant problems
/// 97 of 100 end with the first attempt; of the rest most end soonest with these factors.
const MAX_ATTEMPTS: usize = 36;
const TILTS: [f64; 3] = [1.0, 3.0, 10.0];

/// Size of random starts in units of what stops the free motion; and their seed.
const SPREAD: f64 = 100.0;
const SEED: u64 = 1;

const INSTEAD: &str = "\"prox\" takes every problem, and \"auto\" chooses";
