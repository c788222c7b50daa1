//! The product W r, row by row, while a sweep changes r.

use glamx::DVec3;

use crate::problem::{Bodies, ContactProblem, Operator};
use crate::sparse::SparseMatrix;

/// What a Gauss–Seidel sweep needs of W.
pub(crate) trait Delassus {
    /// (W r)_i for the current r.
    fn velocity(&self, row: usize, r: &[f64]) -> f64;
    /// Tells that r_i grew by `delta`.
    fn add(&mut self, row: usize, delta: f64);
    /// Starts over from `r`.
    fn reset(&mut self, r: &[f64]);
}

/// Memory that the body form of W needs between solves.
#[derive(Debug, Clone, Default)]
pub(crate) struct BodyBuffers {
    /// M⁻¹Jᵀ, one for each entry.
    response: Vec<(DVec3, DVec3)>,
    /// M⁻¹Jᵀ r, one for each degree-of-freedom block.
    change: Vec<(DVec3, DVec3)>,
}

impl BodyBuffers {
    pub(crate) fn prepare(&mut self, problem: &ContactProblem) {
        self.response.clear();
        self.change.clear();
        if let Operator::Bodies(bodies) = &problem.operator {
            let respond =
                |e: &crate::RowEntry| bodies.inverse_masses[e.dof_block].apply(e.linear, e.angular);
            self.response.extend(bodies.entries.iter().map(respond));
            self.change.resize(bodies.inverse_masses.len(), (DVec3::ZERO, DVec3::ZERO));
        }
    }

    /// W_ij of two rows.
    pub(crate) fn entry(&self, bodies: &Bodies, i: usize, j: usize) -> f64 {
        let mut sum = 0.0;
        for e in &bodies.entries[bodies.row_start[i]..bodies.row_start[i + 1]] {
            for k in bodies.row_start[j]..bodies.row_start[j + 1] {
                if bodies.entries[k].dof_block == e.dof_block {
                    let (linear, angular) = self.response[k];
                    sum += e.linear.dot(linear) + e.angular.dot(angular);
                }
            }
        }
        sum
    }
}

/// W as a matrix: r itself is the state.
pub(crate) struct Explicit<'a>(pub(crate) &'a SparseMatrix);

impl Delassus for Explicit<'_> {
    #[inline]
    fn velocity(&self, row: usize, r: &[f64]) -> f64 {
        self.0.row_dot(row, r)
    }

    #[inline]
    fn add(&mut self, _: usize, _: f64) {}

    fn reset(&mut self, _: &[f64]) {}
}

/// W as J M⁻¹ Jᵀ: the change of the bodies' velocities is the state.
pub(crate) struct OverBodies<'a> {
    bodies: &'a Bodies,
    buffers: &'a mut BodyBuffers,
}

impl<'a> OverBodies<'a> {
    pub(crate) fn new(bodies: &'a Bodies, buffers: &'a mut BodyBuffers) -> Self {
        OverBodies { bodies, buffers }
    }
}

impl Delassus for OverBodies<'_> {
    #[inline]
    fn velocity(&self, row: usize, _: &[f64]) -> f64 {
        let range = self.bodies.row_start[row]..self.bodies.row_start[row + 1];
        let mut sum = 0.0;
        for e in &self.bodies.entries[range] {
            let (linear, angular) = self.buffers.change[e.dof_block];
            sum += e.linear.dot(linear) + e.angular.dot(angular);
        }
        sum
    }

    #[inline]
    fn add(&mut self, row: usize, delta: f64) {
        for k in self.bodies.row_start[row]..self.bodies.row_start[row + 1] {
            let (linear, angular) = self.buffers.response[k];
            let change = &mut self.buffers.change[self.bodies.entries[k].dof_block];
            change.0 += linear * delta;
            change.1 += angular * delta;
        }
    }

    fn reset(&mut self, r: &[f64]) {
        self.buffers.change.fill((DVec3::ZERO, DVec3::ZERO));
        for (row, value) in r.iter().enumerate() {
            if *value != 0.0 {
                self.add(row, *value);
            }
        }
    }
}
