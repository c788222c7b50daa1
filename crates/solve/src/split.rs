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

use std::time::Instant;

use asperity_friction::set::Set;
use faer::Mat;
use faer::prelude::Solve;
use faer::sparse::linalg::solvers::Llt;
use glamx::DMat3;

use crate::SparseMatrix;
use crate::anderson::Anderson;
use crate::coupling::cholesky;
use crate::local::{self, Local, MAX_LOCAL};
use crate::problem::{Bodies, ContactProblem, InverseMass, Operator};
use crate::prox::clear_bad;
use crate::residual::{evaluate, form_of, load};
use crate::solution::{SolveOptions, SolveReport, Status};
use crate::units::Units;

/// Douglas and Rachford's splitting with Anderson's extrapolation.
#[derive(Debug, Clone)]
pub struct SplitSolver {
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
    /// Solves a validated problem. `r` is the warm start and receives the impulses. `None` where it
    /// does not take the problem: rows not over bodies, wrenches, or masses that cannot be factored;
    /// `r` is then as it was.
    ///
    /// Residuals of the general form are measured with ρ from the masses' diagonal, since that of W
    /// is not known: they differ by a factor from those that other solvers report.
    pub fn solve(
        &mut self,
        problem: &ContactProblem,
        r: &mut [f64],
        options: &SolveOptions,
    ) -> Option<&SolveReport> {
        let started = Instant::now();
        if problem.blocks.iter().any(|b| matches!(b.set, Set::Wrench(_))) {
            return None;
        }
        let Operator::Bodies(bodies) = &problem.operator else { return None };
        let global = Global::new(bodies)?;
        self.prepare(problem, &global, r);
        let mut factored = Factor::new(&global, &self.soft_steps)?;
        let n = r.len();
        let mut best = f64::INFINITY;
        let mut last = f64::INFINITY;
        let (mut mark, mut since, mut longer) = (f64::INFINITY, 0, 0);
        for iteration in 1..=options.max_iterations {
            // The linear part.
            for i in 0..n {
                let z = self.z[i] * self.soft_steps[i] / self.steps[i];
                self.first[i] = z - self.soft_steps[i] * problem.q[i];
            }
            factored.solve(&global, &self.first);
            for i in 0..n {
                let moved = factored.velocity(&global, i);
                self.first[i] -= self.soft_steps[i] * moved;
                self.u[i] = moved + problem.q[i] + problem.give(i) * self.first[i];
            }
            self.report.iterations = iteration;
            let value = evaluate(
                &problem.q,
                &problem.blocks,
                &self.units,
                self.report.form,
                &self.first,
                &self.u,
            );
            self.report.record(iteration, value);
            if value < best {
                best = value;
                self.best.copy_from_slice(&self.first);
                self.best_u.copy_from_slice(&self.u);
            }
            if best <= options.tolerance {
                self.report.status = Status::Converged;
                break;
            }
            if options.time_limit.is_some_and(|limit| started.elapsed() > limit) {
                self.report.status = Status::TimeLimit;
                break;
            }
            self.laws(problem);
            self.before.copy_from_slice(&self.z);
            let mut change = 0.0;
            for i in 0..n {
                let d = self.second[i] - self.first[i];
                self.z[i] += d;
                change += d * d / self.steps[i];
            }
            let change = change.sqrt();
            since = if value < 0.5 * mark { 0 } else { since + 1 };
            mark = if since == 0 { value } else { mark };
            if since > PATIENCE && longer < LONGER {
                // Contacts go round in circles. Longer steps change less at a time.
                (mark, since, longer) = (f64::INFINITY, 0, longer + 1);
                self.lengthen(problem);
                factored = Factor::new(&global, &self.soft_steps)?;
            } else if since <= PATIENCE {
                self.extrapolate(change > 2.0 * last);
            }
            last = change;
        }
        r.copy_from_slice(&self.best);
        self.report.residual = best;
        self.report.elapsed = started.elapsed();
        Some(&self.report)
    }

    fn prepare(&mut self, problem: &ContactProblem, global: &Global, r: &mut [f64]) {
        self.report.reset();
        clear_bad(r);
        let n = r.len();
        self.units.cut(problem, &problem.blocks);
        // W of a row on its own lies between these two.
        let over = |list: &[f64], i: usize| -> f64 {
            global.rows.row(i).map(|(j, h)| h * h / list[j]).sum()
        };
        self.steps.clear();
        self.steps.extend((0..n).map(|i| {
            let w = (over(&global.diagonal, i) * over(&global.masses, i)).sqrt();
            if w > 0.0 { 1.0 / w } else { 1.0 }
        }));
        self.units.estimate(|i| over(&global.diagonal, i) + problem.give(i));
        self.report.form = form_of(&problem.blocks, &mut self.units);
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
        self.anderson.reset(n);
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
        self.anderson.reset(self.z.len());
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
                load: block.map_or(0.0, |b| load(b, &self.second)),
                set: block.map(|b| &b.set),
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
            self.anderson.reset(self.z.len());
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

/// Iterations without half the residual after which steps become longer, and how often they do so
/// before there is no extrapolation.
const PATIENCE: usize = 40;
const LONGER: usize = 3;

/// How much longer.
const STRIDE: f64 = 4.0;

/// W = H M⁻¹ Hᵀ over everything that moves: what is coupled, then blocks of six.
struct Global {
    /// M, on and below the diagonal.
    system: Vec<(usize, usize, f64)>,
    diagonal: Vec<f64>,
    /// The part of the diagonal that is mass.
    masses: Vec<f64>,
    /// H.
    rows: SparseMatrix,
}

impl Global {
    fn new(bodies: &Bodies) -> Option<Global> {
        let (mut system, mut masses, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        if let Some((first, soft, coupled, light)) = bodies.coupling.parts() {
            system.extend(soft.triplets());
            masses.extend_from_slice(light);
            rows.extend(coupled.triplets().map(|(row, i, h)| (first + row, i, h)));
        }
        let soft = masses.len();
        let n = soft + 6 * bodies.inverse_masses.len();
        for (k, inverse) in bodies.inverse_masses.iter().enumerate() {
            let at = soft + 6 * k;
            let (mass, inertia) = match inverse {
                InverseMass::Body { mass, inertia } => (*mass, inertia.inverse()),
                InverseMass::Point(mass) => (*mass, DMat3::IDENTITY),
            };
            if !(mass > 0.0 && inertia.is_finite()) {
                return None;
            }
            for i in 0..3 {
                system.push((at + i, at + i, 1.0 / mass));
                system.extend((0..=i).map(|j| (at + 3 + i, at + 3 + j, inertia.col(j)[i])));
            }
            masses.extend([1.0 / mass; 3]);
            masses.extend((0..3).map(|i| inertia.col(i)[i]));
        }
        let mut diagonal = vec![0.0; n];
        system.iter().filter(|(i, j, _)| i == j).for_each(|(i, _, v)| diagonal[*i] += v);
        for (row, span) in bodies.row_start.windows(2).enumerate() {
            for e in &bodies.entries[span[0]..span[1]] {
                let numbers = e.linear.to_array().into_iter().chain(e.angular.to_array());
                let at = soft + 6 * e.dof_block;
                rows.extend(numbers.enumerate().map(|(i, h)| (row, at + i, h)));
            }
        }
        let rows = SparseMatrix::from_triplets(bodies.rows(), n, rows).ok()?;
        Some(Global { system, diagonal, masses, rows })
    }
}

/// M + Hᵀ R H, factored, and the last solution.
struct Factor {
    matrix: Llt<usize, f64>,
    x: Mat<f64>,
}

impl Factor {
    fn new(global: &Global, steps: &[f64]) -> Option<Factor> {
        let rows = steps.iter().enumerate().flat_map(|(row, step)| {
            global.rows.row(row).flat_map(move |(i, a)| {
                let below = global.rows.row(row).filter(move |(j, _)| *j <= i);
                below.map(move |(j, b)| (i, j, step * a * b))
            })
        });
        let n = global.masses.len();
        let matrix = cholesky(n, global.system.iter().copied().chain(rows))?;
        Some(Factor { matrix, x: Mat::zeros(n, 1) })
    }

    /// x for the impulses p in all rows.
    fn solve(&mut self, global: &Global, p: &[f64]) {
        self.x.fill(0.0);
        for (row, p) in p.iter().enumerate() {
            for (i, h) in global.rows.row(row) {
                self.x[(i, 0)] += h * p;
            }
        }
        self.matrix.solve_in_place(self.x.as_mut());
    }

    /// One row of H x.
    fn velocity(&self, global: &Global, row: usize) -> f64 {
        global.rows.row(row).map(|(i, h)| h * self.x[(i, 0)]).sum()
    }
}
