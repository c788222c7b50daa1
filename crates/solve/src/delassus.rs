//! The product W r, row by row, while a sweep changes r.

use glamx::DVec3;

use crate::local::MAX_LOCAL;
use crate::problem::{Bodies, ContactProblem, Operator, RowEntry};
use crate::sparse::SparseMatrix;
use crate::units::Unit;

/// What a Gauss–Seidel sweep needs of W.
pub(crate) trait Delassus {
    /// (W r)_i for the current r.
    fn velocity(&self, row: usize, r: &[f64]) -> f64;
    /// The same for the rows of a unit.
    #[inline]
    fn velocities(&self, unit: &Unit, r: &[f64], out: &mut [f64; MAX_LOCAL]) {
        for k in 0..unit.dim() {
            out[k] = self.velocity(unit.row(k), r);
        }
    }
    /// Tells that r_i grew by `delta`.
    fn add(&mut self, row: usize, delta: f64);
    /// The same for the rows of a unit.
    #[inline]
    fn add_all(&mut self, unit: &Unit, delta: &[f64; MAX_LOCAL]) {
        for k in 0..unit.dim() {
            if delta[k] != 0.0 {
                self.add(unit.row(k), delta[k]);
            }
        }
    }
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

    /// M⁻¹Jᵀr of each block.
    pub(crate) fn changes(&self) -> &[(DVec3, DVec3)] {
        &self.buffers.change
    }

    /// The rows of a point contact of two blocks, which is what most units are: three rows, one
    /// after the other, each with an entry for either block.
    #[inline]
    fn contact(&self, unit: &Unit) -> Option<(&[[RowEntry; 2]], [usize; 2])> {
        let row = unit.row(0);
        if unit.dim() != 3 || unit.row(2) != row + 2 {
            return None;
        }
        let (first, end) = (self.bodies.row_start[row], self.bodies.row_start[row + 3]);
        let entries = self.bodies.entries[first..end].as_chunks::<2>().0;
        let [[a, b], second, third] = entries else { return None };
        let blocks = [a.dof_block, b.dof_block];
        let same =
            |row: &[RowEntry; 2]| row[0].dof_block == blocks[0] && row[1].dof_block == blocks[1];
        // Rows with one, two and three entries would also be six.
        let even = end - first == 6 && blocks[0] != blocks[1] && same(second) && same(third);
        even.then_some((entries, blocks))
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
    fn velocities(&self, unit: &Unit, r: &[f64], out: &mut [f64; MAX_LOCAL]) {
        let Some((entries, [a, b])) = self.contact(unit) else {
            for k in 0..unit.dim() {
                out[k] = self.velocity(unit.row(k), r);
            }
            return;
        };
        let (a, b) = (self.buffers.change[a], self.buffers.change[b]);
        for (out, [e, f]) in out.iter_mut().zip(entries) {
            *out = e.linear.dot(a.0) + e.angular.dot(a.1) + f.linear.dot(b.0) + f.angular.dot(b.1);
        }
    }

    #[inline]
    fn add_all(&mut self, unit: &Unit, delta: &[f64; MAX_LOCAL]) {
        let Some((_, [a, b])) = self.contact(unit) else {
            for k in 0..unit.dim() {
                self.add(unit.row(k), delta[k]);
            }
            return;
        };
        let (mut at_a, mut at_b) = (self.buffers.change[a], self.buffers.change[b]);
        let first = self.bodies.row_start[unit.row(0)];
        let responses = self.buffers.response[first..first + 6].as_chunks::<2>().0;
        for ([x, y], delta) in responses.iter().zip(delta) {
            at_a.0 += x.0 * *delta;
            at_a.1 += x.1 * *delta;
            at_b.0 += y.0 * *delta;
            at_b.1 += y.1 * *delta;
        }
        self.buffers.change[a] = at_a;
        self.buffers.change[b] = at_b;
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
