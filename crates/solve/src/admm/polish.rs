//! Newton's method on the error of the laws, from where alternating directions are.
//!
//! F(r) = r − L(r − R u), u = W r + q, is what alternating directions add to z = r + R u in a step, up to its
//! sign. With D = ∂L/∂a, the step y of the impulses solves
//!
//! (I − D + D R W) y + λ (I + R W) y = −F,
//!
//! the last term being a distance of z to where it is, which makes the matrix regular where bodies are
//! held more than once. Over the bodies, with x = M⁻¹Jᵀy, E = (1 + λ) I − D and S = E⁻¹(D + λ) R, all of them
//! contact by contact,
//!
//! (M + Jᵀ S J) x = −Jᵀ E⁻¹ F,   y = −E⁻¹ F − S J x.
//!
//! Where a contact slides S is not symmetric: more load makes more friction.

use std::time::Instant;

use super::AdmmSolver;
use super::laws::{Answer, Vector};
use crate::local::MAX_LOCAL;
use crate::problem::ContactProblem;
use crate::residual::evaluate;
use crate::solution::SolveOptions;
use crate::units::{Unit, invert};

impl AdmmSolver {
    /// Newton steps from `first` and `u` until one is within the tolerance or they bring little; leaves
    /// where they end there, and in `z`.
    pub(super) fn polish(
        &mut self,
        problem: &ContactProblem,
        options: &SolveOptions,
        started: Instant,
    ) {
        let mut error = self.error(problem);
        let mut lambda = MOST_LAMBDA.min(self.lambda);
        let mut marks = [f64::INFINITY; PATIENCE];
        for step in 0..MOST_STEPS {
            if self.report.iterations >= options.max_iterations
                || options.time_limit.is_some_and(|limit| started.elapsed() > limit)
            {
                break;
            }
            self.report.iterations += 1;
            let along = if self.direction(problem, lambda) {
                self.search(problem, &mut error)
            } else {
                0.0
            };
            let value = evaluate(problem, &self.units, self.report.form, &self.first, &self.u);
            if self.note(value, options) {
                break;
            }
            lambda *= if along == 1.0 {
                0.2
            } else if along == 0.0 {
                10.0
            } else if along < 0.3 {
                2.0
            } else {
                1.0
            };
            lambda = lambda.max(LEAST_LAMBDA);
            if lambda > 10.0 || error > LITTLE * marks[step % PATIENCE] {
                break;
            }
            marks[step % PATIENCE] = error;
        }
        self.lambda = lambda;
    }

    /// Size of F for `first` and `u`; leaves F in `error`, and z for them.
    fn error(&mut self, problem: &ContactProblem) -> f64 {
        self.set_z();
        self.answer(problem);
        let mut sum = 0.0;
        for i in self.active.iter().map(|i| *i as usize) {
            self.error[i] = self.first[i] - self.second[i];
            sum += self.error[i] * self.error[i] / self.steps[i];
        }
        sum.sqrt()
    }

    /// y and the change of u it makes; false where the matrix is singular.
    fn direction(&mut self, problem: &ContactProblem, lambda: f64) -> bool {
        self.rows.set_masses(&self.pattern, &mut self.lu);
        self.x.fill(0.0);
        for unit in &self.list {
            let dim = unit.dim();
            let span = unit.local..unit.local + dim * dim;
            let (mut a, mut r) = ([0.0; MAX_LOCAL], [0.0; MAX_LOCAL]);
            for k in 0..dim {
                let row = unit.row(k);
                (a[k], r[k]) = (2.0 * self.first[row] - self.z[row], self.second[row]);
            }
            let answer = Answer { problem, unit, steps: &self.steps, loads: &self.second };
            let (inverse, slope) = (&mut self.inverses[span.clone()], &mut self.slopes[span]);
            answer.slope(&a, &r, slope);
            fold(&answer, lambda, inverse, slope);
            let held = times(inverse, &self.error, unit);
            for k in 0..dim {
                self.rows.push(unit.row(k), -held[k], &mut self.x);
            }
            self.rows.add_unit(&self.pattern, unit, slope, &mut self.lu);
        }
        if !self.lu.factor(&self.pattern) {
            return false;
        }
        self.lu.solve(&self.pattern, &mut self.x);
        for (row, along) in self.along_u.iter_mut().enumerate() {
            *along = self.rows.velocity(row, &self.x);
        }
        for unit in &self.list {
            let span = unit.local..unit.local + unit.dim() * unit.dim();
            let held = times(&self.inverses[span.clone()], &self.error, unit);
            let moved = times(&self.slopes[span], &self.along_u, unit);
            for k in 0..unit.dim() {
                self.along_r[unit.row(k)] = -held[k] - moved[k];
            }
        }
        for (row, along) in self.along_u.iter_mut().enumerate() {
            *along += problem.give(row) * self.along_r[row];
        }
        self.along_u.iter().chain(&self.along_r).all(|x| x.is_finite())
    }

    /// Goes along the direction, half as far until F is smaller; returns how far, zero where it is not.
    fn search(&mut self, problem: &ContactProblem, error: &mut f64) -> f64 {
        let (mut at, mut along) = (0.0, 1.0);
        while along > NEAREST {
            self.go(along - at);
            at = along;
            let next = self.error(problem);
            if next < *error * (1.0 - 1e-4 * along) {
                *error = next;
                return along;
            }
            along *= 0.5;
        }
        self.go(-at);
        *error = self.error(problem);
        0.0
    }

    fn go(&mut self, by: f64) {
        for (r, along) in self.first.iter_mut().zip(&self.along_r) {
            *r += by * along;
        }
        for (u, along) in self.u.iter_mut().zip(&self.along_u) {
            *u += by * along;
        }
    }
}

/// From D in `slope`: E⁻¹, and S in its place. The rows' own compliance is part of E.
fn fold(answer: &Answer, lambda: f64, inverse: &mut [f64], slope: &mut [f64]) {
    let (unit, dim) = (answer.unit, answer.unit.dim());
    let (mut e, mut g) = ([0.0; MAX_LOCAL * MAX_LOCAL], [0.0; MAX_LOCAL * MAX_LOCAL]);
    for i in 0..dim {
        for j in 0..dim {
            let (k, row) = (i * dim + j, unit.row(j));
            let one = f64::from(i == j);
            g[k] = (slope[k] + lambda * one) * answer.steps[row];
            e[k] = (1.0 + lambda) * one - slope[k] + g[k] * answer.problem.give(row);
        }
    }
    invert(&e[..dim * dim], dim, inverse);
    for i in 0..dim {
        for j in 0..dim {
            slope[i * dim + j] = (0..dim).map(|k| inverse[i * dim + k] * g[k * dim + j]).sum();
        }
    }
}

/// A block of a unit times its rows of a vector.
#[inline]
fn times(block: &[f64], vector: &[f64], unit: &Unit) -> Vector {
    let dim = unit.dim();
    let mut out = [0.0; MAX_LOCAL];
    for (i, out) in out.iter_mut().enumerate().take(dim) {
        for j in 0..dim {
            *out += block[i * dim + j] * vector[unit.row(j)];
        }
    }
    out
}

/// λ at first, and at least.
pub(super) const MOST_LAMBDA: f64 = 0.1;
const LEAST_LAMBDA: f64 = 1e-7;

/// Steps at a time.
const MOST_STEPS: usize = 15;

/// Steps after which F must be smaller by this factor, or they end.
const PATIENCE: usize = 4;
const LITTLE: f64 = 0.9;

/// Parts of a step that are too short.
const NEAREST: f64 = 0.05;
