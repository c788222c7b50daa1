//! The product W r, row by row, while a sweep changes r.

pub(crate) mod domains;
mod links;
pub(crate) mod piece;
pub(crate) mod point_contact;

use glamx::DVec3;

use crate::local::MAX_LOCAL;
use crate::problem::{Bodies, ContactProblem, Operator};
use crate::sparse::SparseMatrix;
use crate::units::{Unit, Units};
use domains::Domains;
use point_contact::PointContact;

/// What a Gauss–Seidel sweep needs of W.
pub(crate) trait Delassus {
    /// (W r)_i for the current r.
    fn velocity(&self, row: usize, r: &[f64]) -> f64;
    /// The same for the first row of the k-th unit.
    #[inline]
    fn first_velocity(&self, _: usize, unit: &Unit, r: &[f64]) -> f64 {
        self.velocity(unit.row(0), r)
    }
    /// The same for all its rows.
    #[inline]
    fn velocities(&self, _: usize, unit: &Unit, r: &[f64], out: &mut [f64; MAX_LOCAL]) {
        for i in 0..unit.dim() {
            out[i] = self.velocity(unit.row(i), r);
        }
    }
    /// Tells that r_i grew by `delta`.
    fn add(&mut self, row: usize, delta: f64);
    /// The same for the rows of the k-th unit.
    #[inline]
    fn add_all(&mut self, _: usize, unit: &Unit, delta: &[f64; MAX_LOCAL]) {
        for i in 0..unit.dim() {
            if delta[i] != 0.0 {
                self.add(unit.row(i), delta[i]);
            }
        }
    }
    /// Starts over from `r`.
    fn reset(&mut self, r: &[f64]);
    /// Solves units exactly, each while the others stand still, on all cores where there are many. `rough` spares
    /// the last digits.
    fn sweep_many(&mut self, _: &ContactProblem, _rough: bool, _: &mut [f64]) {}
    /// The numbers of the units that this leaves; `None` where it leaves all.
    fn left(&self) -> Option<&[usize]> {
        None
    }
}

/// Memory that the body form of W needs between solves.
#[derive(Debug, Clone, Default)]
pub(crate) struct BodyBuffers {
    /// M⁻¹Jᵀ, one for each entry.
    response: Vec<(DVec3, DVec3)>,
    /// M⁻¹Jᵀ r, one for each degree-of-freedom block, and one more for what stands still.
    change: Vec<(DVec3, DVec3)>,
    /// G r of the rows that are coupled.
    coupled: Vec<f64>,
    /// For each unit, its rows in one piece where it is a point contact.
    points: Vec<Option<PointContact>>,
    /// Rows of all other units.
    others: Vec<usize>,
    /// Point contacts by the bodies they lie within, where there are many.
    domains: Domains,
    /// Units that are not among them.
    left: Vec<usize>,
}

impl BodyBuffers {
    pub(crate) fn prepare(&mut self, problem: &ContactProblem) {
        self.response.clear();
        self.change.clear();
        self.points.clear();
        self.others.clear();
        self.others.extend(0..problem.rows());
        if let Operator::Bodies(bodies) = &problem.operator {
            let respond =
                |e: &crate::RowEntry| bodies.inverse_masses[e.dof_block].apply(e.linear, e.angular);
            self.response.extend(bodies.entries.iter().map(respond));
            self.change.resize(bodies.inverse_masses.len() + 1, (DVec3::ZERO, DVec3::ZERO));
            self.coupled.clear();
            self.coupled.resize(bodies.coupling.size(), 0.0);
        }
    }

    /// Puts the rows of point contacts together, for many sweeps over these units.
    pub(crate) fn gather(&mut self, problem: &ContactProblem, units: &Units) {
        self.points.clear();
        self.domains.clear();
        if let Operator::Bodies(bodies) = &problem.operator {
            let coupled = |unit: &Unit| bodies.coupling.place(unit.row(0)).is_some();
            let gather = |unit| {
                (!coupled(unit))
                    .then(|| PointContact::gather(unit, bodies, &self.response))
                    .flatten()
            };
            self.points.extend(units.list.iter().map(gather));
            let others = units.list.iter().zip(&self.points).filter(|(_, p)| p.is_none());
            self.others.clear();
            self.others.extend(others.flat_map(|(unit, _)| (0..unit.dim()).map(|k| unit.row(k))));
            self.domains.prepare(problem, units, &self.points, bodies);
            self.left.clear();
            self.left.extend((0..units.list.len()).filter(|k| !self.domains.takes(*k)));
        }
    }

    /// W and the compliance as one matrix, row by row; `self` is prepared.
    pub(crate) fn write_matrix(&self, problem: &ContactProblem, w: &mut Vec<f64>) {
        let n = problem.rows();
        w.clear();
        w.resize(n * n, 0.0);
        match &problem.operator {
            Operator::Explicit(m) => m.triplets().for_each(|(i, j, v)| w[i * n + j] = v),
            Operator::Factored(f) => {
                f.delassus().triplets().for_each(|(i, j, v)| w[i * n + j] = v);
            }
            Operator::Bodies(bodies) => {
                for i in 0..n {
                    for j in 0..n {
                        w[i * n + j] = self.entry(bodies, i, j);
                    }
                }
            }
        }
        for i in 0..n {
            w[i * n + i] += problem.give(i);
        }
    }

    /// W_ij of two rows.
    pub(crate) fn entry(&self, bodies: &Bodies, i: usize, j: usize) -> f64 {
        let mut sum = bodies.coupling.entry(i, j);
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

    /// The k-th unit, where it is a point contact and was gathered.
    #[inline]
    fn point(&self, k: usize) -> Option<&PointContact> {
        self.buffers.points.get(k).and_then(Option::as_ref)
    }
}

impl Delassus for OverBodies<'_> {
    fn sweep_many(&mut self, problem: &ContactProblem, rough: bool, r: &mut [f64]) {
        let BodyBuffers { domains, change, .. } = &mut *self.buffers;
        if !domains.is_empty() {
            domains.sweep(problem, rough, r, change);
        }
    }

    fn left(&self) -> Option<&[usize]> {
        (!self.buffers.domains.is_empty()).then_some(&self.buffers.left)
    }

    #[inline]
    fn velocity(&self, row: usize, _: &[f64]) -> f64 {
        let range = self.bodies.row_start[row]..self.bodies.row_start[row + 1];
        let mut sum = self.bodies.coupling.place(row).map_or(0.0, |k| self.buffers.coupled[k]);
        for e in &self.bodies.entries[range] {
            let (linear, angular) = self.buffers.change[e.dof_block];
            sum += e.linear.dot(linear) + e.angular.dot(angular);
        }
        sum
    }

    #[inline]
    fn first_velocity(&self, k: usize, unit: &Unit, r: &[f64]) -> f64 {
        match self.point(k) {
            Some(point) => point.velocity(0, &self.buffers.change),
            None => self.velocity(unit.row(0), r),
        }
    }

    #[inline]
    fn velocities(&self, k: usize, unit: &Unit, r: &[f64], out: &mut [f64; MAX_LOCAL]) {
        if let Some(point) = self.point(k) {
            out[..3].copy_from_slice(&point.velocities(&self.buffers.change));
            return;
        }
        for i in 0..unit.dim() {
            out[i] = self.velocity(unit.row(i), r);
        }
    }

    #[inline]
    fn add_all(&mut self, k: usize, unit: &Unit, delta: &[f64; MAX_LOCAL]) {
        let BodyBuffers { points, change, .. } = &mut *self.buffers;
        if let Some(Some(point)) = points.get(k) {
            point.add([delta[0], delta[1], delta[2]], change);
            return;
        }
        for i in 0..unit.dim() {
            self.add(unit.row(i), delta[i]);
        }
    }

    #[inline]
    fn add(&mut self, row: usize, delta: f64) {
        for k in self.bodies.row_start[row]..self.bodies.row_start[row + 1] {
            let (linear, angular) = self.buffers.response[k];
            let change = &mut self.buffers.change[self.bodies.entries[k].dof_block];
            change.0 += linear * delta;
            change.1 += angular * delta;
        }
        if let Some(k) = self.bodies.coupling.place(row) {
            self.bodies.coupling.add(k, delta, &mut self.buffers.coupled);
        }
    }

    fn reset(&mut self, r: &[f64]) {
        self.buffers.change.fill((DVec3::ZERO, DVec3::ZERO));
        self.buffers.coupled.fill(0.0);
        let BodyBuffers { points, change, .. } = &mut *self.buffers;
        for point in points.iter().flatten() {
            let own = [0, 1, 2].map(|k| r[point.first_row + k]);
            if own != [0.0; 3] {
                point.add(own, change);
            }
        }
        for k in 0..self.buffers.others.len() {
            let row = self.buffers.others[k];
            if r[row] != 0.0 {
                self.add(row, r[row]);
            }
        }
    }
}
