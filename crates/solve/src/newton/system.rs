//! The objective of Newton's method, its gradient and its matrix.

use glamx::{DMat3, DVec3};

use super::NewtonSolver;
use super::projection::{State, projected};
use crate::block_lu::BlockLu;
use crate::local::MAX_LOCAL;
use crate::problem::{Bodies, ContactProblem, InverseMass, RowEntry};
use crate::units::{Unit, torque_scale};

impl NewtonSolver {
    /// The objective at x. The laws of the units are left in `laws`, and its gradient M x − Jᵀr
    /// in `step`.
    pub(crate) fn objective(
        &mut self,
        problem: &ContactProblem,
        bodies: &Bodies,
        epsilon: f64,
    ) -> f64 {
        let mut sum = 0.0;
        for (k, (inverse_mass, inertia)) in self.masses.iter().enumerate() {
            let (linear, angular) = split(&self.x[k]);
            let momentum = (linear / *inverse_mass, *inertia * angular);
            sum += 0.5 * (momentum.0.dot(linear) + momentum.1.dot(angular));
            self.step[k] = join(momentum.0, momentum.1);
        }
        self.laws.clear();
        for (unit, largest) in self.units.list.iter().zip(&self.largest) {
            let dim = unit.dim();
            let mut u = [0.0; MAX_LOCAL];
            velocities(problem, bodies, unit, &self.x, &mut u);
            if let Some(normal) = unit.normal {
                u[0] += self.shift[normal];
            }
            let eps = epsilon * largest;
            let law = projected(problem, unit, eps, &u, &self.centre);
            sum += law.potential;
            for k in 0..dim {
                let row = unit.row(k);
                self.unit_r[row] = law.unit_r[k];
                for e in &bodies.entries[bodies.row_start[row]..bodies.row_start[row + 1]] {
                    let at = &mut self.step[e.dof_block];
                    for (i, j) in join(e.linear, e.angular).into_iter().enumerate() {
                        at[i] -= law.r[k] * j;
                    }
                }
            }
            self.laws.push(law);
        }
        sum
    }

    /// Factors M + JᵀDJ for the laws at hand, unless it is factored for the same.
    pub(crate) fn factor(&mut self, bodies: &Bodies, epsilon: f64) -> bool {
        let states = self.laws.iter().map(|law| law.state);
        if self.factored == Some(epsilon) && states.clone().eq(self.states.iter().copied()) {
            return true;
        }
        self.states.clear();
        self.states.extend(states);
        self.matrix.clear();
        add_masses(&mut self.matrix, bodies);
        for (unit, law) in self.units.list.iter().zip(&self.laws) {
            add_block(&mut self.matrix, bodies, unit, &law.slope);
        }
        self.factored = (!self.states.contains(&State::Slips)).then_some(epsilon);
        self.matrix.factor()
    }
}

/// 1/mass, and the inertia.
pub(super) fn parts(mass: &InverseMass) -> (f64, DMat3) {
    match mass {
        InverseMass::Body { mass, inertia } => (*mass, inertia.inverse()),
        InverseMass::Point(mass) => (*mass, DMat3::IDENTITY),
    }
}

/// The largest number on the diagonal of the block of a unit, torques in units of its patch radius.
pub(crate) fn largest(w: &[f64], unit: &Unit) -> f64 {
    let dim = unit.dim();
    (0..dim).fold(0.0, |m, k| m.max(torque_scale(unit, k).powi(2) * w[k * dim + k]))
}

/// J x + q of a unit.
pub(crate) fn velocities(
    problem: &ContactProblem,
    bodies: &Bodies,
    unit: &Unit,
    x: &[[f64; 6]],
    u: &mut [f64; MAX_LOCAL],
) {
    for k in 0..unit.dim() {
        let row = unit.row(k);
        u[k] = problem.q[row];
        for e in &bodies.entries[bodies.row_start[row]..bodies.row_start[row + 1]] {
            let (linear, angular) = split(&x[e.dof_block]);
            u[k] += e.linear.dot(linear) + e.angular.dot(angular);
        }
    }
}

/// Which bodies share one of these rows: sorted, without doubles.
pub(crate) fn pairs_of(
    bodies: &Bodies,
    rows: impl Iterator<Item = usize>,
    pairs: &mut Vec<(u32, u32)>,
) {
    pairs.clear();
    for row in rows {
        let entries = &bodies.entries[bodies.row_start[row]..bodies.row_start[row + 1]];
        for (k, e) in entries.iter().enumerate() {
            for f in &entries[k + 1..] {
                let (a, b) = (e.dof_block as u32, f.dof_block as u32);
                let pair = (a.min(b), a.max(b));
                if a != b && pairs.last() != Some(&pair) {
                    pairs.push(pair);
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
}

/// Adds M.
pub(crate) fn add_masses(matrix: &mut BlockLu, bodies: &Bodies) {
    for (k, mass) in bodies.inverse_masses.iter().enumerate() {
        let (inverse_mass, inertia) = parts(mass);
        let block = matrix.block(k, k);
        for i in 0..3 {
            block[7 * i] += 1.0 / inverse_mass;
            for j in 0..3 {
                block[6 * (3 + i) + 3 + j] += inertia.col(j)[i];
            }
        }
    }
}

/// Adds JᵀDJ of a unit.
pub(crate) fn add_block(
    matrix: &mut BlockLu,
    bodies: &Bodies,
    unit: &Unit,
    slope: &[[f64; MAX_LOCAL]; MAX_LOCAL],
) {
    let dim = unit.dim();
    let entries = |row: usize| &bodies.entries[bodies.row_start[row]..bodies.row_start[row + 1]];
    // Rows of a contact are over the same bodies in the same order: each block of the matrix is looked for once.
    let (first, count) = (unit.row(0), entries(unit.row(0)).len());
    let same = |row: usize| {
        let pairs = entries(row).iter().zip(entries(first));
        entries(row).len() == count && pairs.into_iter().all(|(e, f)| e.dof_block == f.dof_block)
    };
    if !(1..dim).all(|k| same(unit.row(k))) {
        return add_rows(matrix, bodies, unit, slope);
    }
    for e in 0..count {
        for f in 0..count {
            let (row, column) = (entries(first)[e].dof_block, entries(first)[f].dof_block);
            let block = matrix.block(row, column);
            for j in 0..dim {
                for i in (0..dim).filter(|i| slope[*i][j] != 0.0) {
                    add_product(
                        block,
                        &entries(unit.row(i))[e],
                        &entries(unit.row(j))[f],
                        slope[i][j],
                    );
                }
            }
        }
    }
}

/// The same for rows that are over different bodies.
fn add_rows(
    matrix: &mut BlockLu,
    bodies: &Bodies,
    unit: &Unit,
    slope: &[[f64; MAX_LOCAL]; MAX_LOCAL],
) {
    let dim = unit.dim();
    let entries = |row: usize| &bodies.entries[bodies.row_start[row]..bodies.row_start[row + 1]];
    for j in 0..dim {
        for f in entries(unit.row(j)) {
            for i in (0..dim).filter(|i| slope[*i][j] != 0.0) {
                for e in entries(unit.row(i)) {
                    add_product(matrix.block(e.dof_block, f.dof_block), e, f, slope[i][j]);
                }
            }
        }
    }
}

/// Adds d eᵀf.
#[inline]
fn add_product(block: &mut [f64; 36], e: &RowEntry, f: &RowEntry, d: f64) {
    let right = join(f.linear, f.angular);
    for (row, left) in block.chunks_exact_mut(6).zip(join(e.linear, e.angular)) {
        let factor = left * d;
        for (entry, right) in row.iter_mut().zip(right) {
            *entry += factor * right;
        }
    }
}

pub(crate) fn join(linear: DVec3, angular: DVec3) -> [f64; 6] {
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
}

pub(crate) fn split(x: &[f64; 6]) -> (DVec3, DVec3) {
    (DVec3::new(x[0], x[1], x[2]), DVec3::new(x[3], x[4], x[5]))
}

/// Twice the kinetic energy of a body's velocity.
pub(crate) fn energy((inverse_mass, inertia): &(f64, DMat3), x: &[f64; 6]) -> f64 {
    let (linear, angular) = split(x);
    linear.length_squared() / inverse_mass + angular.dot(*inertia * angular)
}
