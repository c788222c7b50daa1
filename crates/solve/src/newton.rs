//! Newton's method over the velocities of the bodies, with a proximal term on the impulses.
//!
//! The contact law, cone by cone: r ∈ K and û = u + μ‖u_t‖ n ∈ K*, r ⊥ û (De Saxcé and Feng); over
//! any convex set F the shift is s = max f·(−u_t) over f ∈ F. With s = μ‖u_t‖ held, this is the optimum of a convex problem over the change x of the velocities,
//!
//! min ½ xᵀM x + Σ φ(r̄ − (J x + q + s n)/ε),   ∇φ the projection P onto K,
//!
//! where r̄ are impulses, zero at first, and ε is a small compliance that makes impulses unique where
//! bodies are held more than once. Its gradient is M x − Jᵀr with r = P(…); Newton's method with a
//! line search finds the optimum from anywhere, with the sparse matrix M + JᵀDJ, D = −∂r/∂u. Then
//! r̄ ← r and s ← μ‖u_t‖, until r = P(r − û/ε): the exact law, whatever ε is.
//!
//! That r̄ begins at zero and not with what is known matters: from there impulses grow as those of
//! springs do, and where bodies are held more than once they end well inside their cones. Sweeps
//! leave many of them on the border, where the method has to find out which of them slip.
//!
//! Sweeps move a force through a tall stack contact by contact; this moves it all at once.

pub(crate) mod patch;
pub(crate) mod projection;
pub(crate) mod scope;
pub(crate) mod system;

use std::time::Instant;

use asperity_friction::Law;
use asperity_friction::set::Set;
use glamx::DMat3;

use crate::block_lu::BlockLu;
use crate::delassus::{BodyBuffers, Delassus as _, OverBodies};
use crate::local::MAX_LOCAL;
use crate::problem::{Bodies, ContactProblem};
use crate::prox::clear_bad;
use crate::residual::{evaluate, form_of};
use crate::solution::{Note, SolveOptions, SolveReport, Status, Support};
use crate::solver::{Refusal, Solver};
use crate::unit_balls::read;
use crate::units::{Unit, Units};
use projection::{Projected, State, round_map, unmapped, write};
use scope::{refuses, supports, taken, too_much};
use system::{energy, join, largest, pairs_of, parts, split, velocities};

/// Newton's method for problems over bodies whose elimination is cheap.
///
/// Owns its memory: nothing is allocated for a problem like the last.
#[derive(Debug, Clone)]
pub struct NewtonSolver {
    /// Most products of 6×6 blocks in an elimination; a problem that needs more is left alone.
    pub most_work: usize,
    /// Blocks that are not to slip: where they do not, their s is zero.
    pub(crate) sticks: Vec<bool>,
    buffers: BodyBuffers,
    units: Units,
    matrix: BlockLu,
    laws: Vec<Projected>,
    /// What the matrix was last factored for: ε and the state of each unit, none of which slips.
    factored: Option<f64>,
    states: Vec<State>,
    pairs: Vec<(u32, u32)>,
    /// 1/mass and inertia of each body, and the largest number on the diagonal of each unit's block of W.
    masses: Vec<(f64, DMat3)>,
    largest: Vec<f64>,
    /// Change of velocity of each body, and the step.
    x: Vec<[f64; 6]>,
    step: Vec<[f64; 6]>,
    direction: Vec<[f64; 6]>,
    trial: Vec<[f64; 6]>,
    /// Proximal point, where sets are unit balls; and s at the normal rows.
    centre: Vec<f64>,
    shift: Vec<f64>,
    /// Impulses, there and as they are.
    unit_r: Vec<f64>,
    r: Vec<f64>,
    best: Vec<f64>,
    u: Vec<f64>,
    report: SolveReport,
}

impl Default for NewtonSolver {
    fn default() -> NewtonSolver {
        NewtonSolver {
            most_work: 20_000,
            sticks: Vec::new(),
            buffers: BodyBuffers::default(),
            units: Units::default(),
            matrix: BlockLu::default(),
            laws: Vec::new(),
            factored: None,
            states: Vec::new(),
            pairs: Vec::new(),
            masses: Vec::new(),
            largest: Vec::new(),
            x: Vec::new(),
            step: Vec::new(),
            direction: Vec::new(),
            trial: Vec::new(),
            centre: Vec::new(),
            shift: Vec::new(),
            unit_r: Vec::new(),
            r: Vec::new(),
            best: Vec::new(),
            u: Vec::new(),
            report: SolveReport::new("newton"),
        }
    }
}

impl NewtonSolver {
    fn prepare(&mut self, problem: &ContactProblem, bodies: &Bodies) {
        self.buffers.prepare(problem);
        self.units.prepare(problem, &self.buffers);
        self.report.reset();
        self.factored = None;
        self.report.form = form_of(problem, &mut self.units);
        self.masses.clear();
        self.masses.extend(bodies.inverse_masses.iter().map(parts));
        self.largest.clear();
        let largest = |unit: &Unit| largest(&self.units.local[unit.local..], unit);
        self.largest.extend(self.units.list.iter().map(largest));
        let n = bodies.inverse_masses.len();
        for list in [&mut self.x, &mut self.step, &mut self.direction, &mut self.trial] {
            list.clear();
            list.resize(n, [0.0; 6]);
        }
        for list in [
            &mut self.centre,
            &mut self.r,
            &mut self.best,
            &mut self.u,
            &mut self.shift,
            &mut self.unit_r,
        ] {
            list.clear();
            list.resize(problem.rows(), 0.0);
        }
    }

    fn run(
        &mut self,
        problem: &ContactProblem,
        bodies: &Bodies,
        options: &SolveOptions,
        started: Instant,
    ) {
        let mut best = f64::INFINITY;
        let mut stalled = 0;
        let mut epsilon = MAX_EPSILON;
        self.report.status = Status::IterationLimit;
        self.set_x(bodies);
        self.set_centre(problem, bodies);
        'outer: while self.report.iterations < options.max_iterations.min(MAX_STEPS) {
            let mut value = self.objective(problem, bodies, epsilon);
            for _ in 0..MAX_INNER {
                self.report.iterations += 1;
                let slope = self.size(bodies);
                if slope <= 0.1 * options.tolerance * self.scale() {
                    break;
                }
                if !self.factor(bodies, epsilon) {
                    self.report.status = Status::Stalled;
                    break 'outer;
                }
                self.matrix.solve(&mut self.step);
                let Some(lower) = self.line_search(problem, bodies, epsilon, [value, slope]) else {
                    break;
                };
                value = lower;
            }
            self.r_from_units(problem);
            let residual = self.check(problem, bodies);
            self.report.record(self.report.iterations, residual);
            let moved = self.moved(epsilon);
            let shifted = self.set_shift(problem, bodies);
            // Slow, and not for the sake of s, or for long: less compliance, down to where rounding
            // would show.
            let less = moved > shifted || stalled > 0;
            if residual > 0.4 * best && less && epsilon > MIN_EPSILON {
                epsilon *= 0.1;
                stalled = 0;
            } else {
                stalled = if residual > 0.7 * best { stalled + 1 } else { 0 };
            }
            if residual < best {
                best = residual;
                self.best.copy_from_slice(&self.r);
            }
            if best <= options.tolerance {
                self.report.status = Status::Converged;
                break;
            }
            if stalled >= MAX_STALLED {
                self.report.status = Status::Stalled;
                break;
            }
            if options.time_limit.is_some_and(|limit| started.elapsed() > limit) {
                self.report.status = Status::TimeLimit;
                break;
            }
            self.centre.copy_from_slice(&self.unit_r);
        }
        self.report.residual = best;
    }

    /// Steps against `step`, half as far until the objective falls, or its gradient by half;
    /// prepares for the next step and returns the objective, or nothing where neither falls.
    fn line_search(
        &mut self,
        problem: &ContactProblem,
        bodies: &Bodies,
        epsilon: f64,
        [value, slope]: [f64; 2],
    ) -> Option<f64> {
        self.trial.clone_from(&self.x);
        std::mem::swap(&mut self.step, &mut self.direction);
        let mut along = 1.0;
        while along > 1e-6 {
            for ((x, from), d) in self.x.iter_mut().zip(&self.trial).zip(&self.direction) {
                for k in 0..6 {
                    x[k] = from[k] - along * d[k];
                }
            }
            let lower = self.objective(problem, bodies, epsilon);
            // Near the optimum the objective drowns in rounding before its gradient does.
            if lower < value - 1e-12 * value.abs() || self.size(bodies) < 0.5 * slope {
                return Some(lower);
            }
            along *= 0.5;
        }
        self.x.clone_from(&self.trial);
        self.objective(problem, bodies, epsilon);
        None
    }

    /// Size of the gradient in `step`.
    fn size(&self, bodies: &Bodies) -> f64 {
        let sizes = self.step.iter().zip(&bodies.inverse_masses).map(|(g, m)| {
            let (linear, angular) = m.apply(split(g).0, split(g).1);
            linear.dot(split(g).0) + angular.dot(split(g).1)
        });
        sizes.sum::<f64>().sqrt()
    }

    /// Size of Jᵀr, as the gradient is measured.
    fn scale(&self) -> f64 {
        let momentum = self.x.iter().zip(&self.masses).map(|(x, m)| energy(m, x));
        momentum.sum::<f64>().sqrt()
    }

    /// The proximal point from the impulses `r`.
    fn set_centre(&mut self, problem: &ContactProblem, bodies: &Bodies) {
        for unit in &self.units.list {
            let first = usize::from(unit.normal.is_some());
            for k in 0..unit.dim() {
                self.centre[unit.row(k)] = self.r[unit.row(k)];
            }
            if let Some(e) = unit.block.and_then(|k| round_map(&problem.blocks[k].law.set)) {
                let rows = unit.row(first)..unit.row(first) + unit.rows.len();
                let g = unmapped(&e, &self.r[rows.clone()]).unwrap_or_default();
                write(&mut self.centre[rows], g);
            }
        }
        self.set_shift(problem, bodies);
    }

    /// How far the impulses are from the proximal point, as a velocity.
    fn moved(&self, epsilon: f64) -> f64 {
        let mut sum = 0.0;
        for (unit, largest) in self.units.list.iter().zip(&self.largest) {
            let eps = epsilon * largest;
            for row in (0..unit.dim()).map(|k| unit.row(k)) {
                sum += (eps * (self.unit_r[row] - self.centre[row])).powi(2);
            }
        }
        sum.sqrt()
    }

    /// s of each contact for the velocities x: the largest −f·u_t per unit load, which is μ‖u_t‖
    /// for a disc; returns how far they moved.
    fn set_shift(&mut self, problem: &ContactProblem, bodies: &Bodies) -> f64 {
        let mut sum = 0.0;
        for unit in &self.units.list {
            let (Some(normal), Some(block)) = (unit.normal, unit.block) else { continue };
            let mut u = [0.0; MAX_LOCAL];
            velocities(problem, bodies, unit, &self.x, &mut u);
            let slip = u.map(|u| -u);
            let shift = match &problem.blocks[block].law.set {
                Set::Free(_) => 0.0,
                _ if self.sticks.get(block) == Some(&true) => 0.0,
                set => set.support(&slip[1..unit.dim()], 1.0),
            };
            // Where nothing presses, s says nothing.
            if self.unit_r[normal] > 0.0 {
                sum += (shift - self.shift[normal]).powi(2);
            }
            self.shift[normal] = shift;
        }
        sum.sqrt()
    }

    /// Impulses as they are, from those where sets are unit balls.
    fn r_from_units(&mut self, problem: &ContactProblem) {
        self.r.copy_from_slice(&self.unit_r);
        for unit in &self.units.list {
            let Some(block) = unit.block else { continue };
            if let Some(e) = round_map(&problem.blocks[block].law.set) {
                let g = read(&self.unit_r[unit.rows.clone()]);
                write(&mut self.r[unit.rows.clone()], e * g);
            }
        }
    }

    /// x = M⁻¹Jᵀr.
    fn set_x(&mut self, bodies: &Bodies) {
        let mut operator = OverBodies::new(bodies, &mut self.buffers);
        operator.reset(&self.r);
        for (x, (linear, angular)) in self.x.iter_mut().zip(operator.changes()) {
            *x = join(*linear, *angular);
        }
    }

    /// Residual of `r`.
    fn check(&mut self, problem: &ContactProblem, bodies: &Bodies) -> f64 {
        let mut operator = OverBodies::new(bodies, &mut self.buffers);
        operator.reset(&self.r);
        for row in 0..self.r.len() {
            self.u[row] =
                operator.velocity(row, &self.r) + problem.q[row] + problem.give(row) * self.r[row];
        }
        let form = self.report.form;
        evaluate(problem, &self.units, form, &self.r, &self.u)
    }
}

impl Solver for NewtonSolver {
    fn name(&self) -> &'static str {
        "newton"
    }

    fn supports(&self, law: &Law) -> Support {
        supports(law)
    }

    fn refuses(&self, problem: &ContactProblem) -> Option<Refusal> {
        refuses(self.name(), problem, self.most_work)
    }

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
        pairs_of(bodies, 0..bodies.rows(), &mut self.pairs);
        if !self.matrix.analyse(bodies.inverse_masses.len(), &self.pairs, self.most_work) {
            return self.report.refuse(too_much(self.name()));
        }
        self.prepare(problem, bodies);
        let bad = clear_bad(r);
        if bad > 0 {
            self.report.notes.push(Note::BadWarmStart(bad));
        }
        self.r.copy_from_slice(r);
        let before = self.check(problem, bodies);
        if before <= options.tolerance {
            (self.report.status, self.report.residual) = (Status::Converged, before);
        } else {
            self.r.fill(0.0);
            self.run(problem, bodies, options, started);
            if before < self.report.residual {
                self.report.residual = before;
            } else {
                r.copy_from_slice(&self.best);
            }
        }
        self.report.elapsed = started.elapsed();
        &self.report
    }

    fn boxed(&self) -> Box<dyn Solver> {
        Box::new(self.clone())
    }
}

/// Compliance of the proximal term at first and at least, in units of a contact's own.
const MAX_EPSILON: f64 = 1e-3;
const MIN_EPSILON: f64 = 1e-8;

/// Newton steps at most, and between moves of the proximal point.
const MAX_STEPS: usize = 200;
const MAX_INNER: usize = 20;

/// Checks in a row that may bring next to nothing.
const MAX_STALLED: usize = 4;
