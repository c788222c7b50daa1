//! Rows over bodies in the order of elimination, and their products.

use glamx::{DMat3, DVec3};

use super::factor::Factor;
use super::lu::Lu;
use super::pattern::Pattern;
use crate::newton::system::join;
use crate::problem::{Bodies, InverseMass};
use crate::units::Unit;

/// J and M, with bodies in the order in which they are eliminated.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    /// Row i has the entries from `start[i]` to `start[i + 1]`.
    start: Vec<u32>,
    /// Six times the place of each entry's body, and its numbers.
    at: Vec<u32>,
    numbers: Vec<[f64; 6]>,
    /// Inverse mass at each place, and the mass as a block.
    inverse_masses: Vec<InverseMass>,
    masses: Vec<[[f64; 6]; 6]>,
}

impl Rows {
    /// Takes rows and masses, in the order of the problem.
    pub(super) fn prepare(&mut self, bodies: &Bodies) {
        self.start.clear();
        self.start.push(0);
        self.start.extend(bodies.row_start.iter().skip(1).map(|s| *s as u32));
        self.at.clear();
        self.at.extend(bodies.entries.iter().map(|e| 6 * e.dof_block as u32));
        self.numbers.clear();
        self.numbers.extend(bodies.entries.iter().map(|e| join(e.linear, e.angular)));
        self.inverse_masses.clone_from(&bodies.inverse_masses);
        self.masses.clear();
        self.masses.extend(bodies.inverse_masses.iter().map(block_of));
    }

    /// Puts bodies in the order of elimination.
    pub(super) fn arrange(&mut self, bodies: &Bodies, place: &[u32]) {
        for (at, entry) in self.at.iter_mut().zip(&bodies.entries) {
            *at = 6 * place[entry.dof_block];
        }
        for (mass, place) in bodies.inverse_masses.iter().zip(place) {
            self.inverse_masses[*place as usize] = *mass;
            self.masses[*place as usize] = block_of(mass);
        }
    }

    #[inline]
    fn entries(&self, row: usize) -> impl Iterator<Item = (usize, &[f64; 6])> {
        let span = self.start[row] as usize..self.start[row + 1] as usize;
        self.at[span.clone()].iter().map(|at| *at as usize).zip(&self.numbers[span])
    }

    /// One row of J x.
    #[inline]
    pub(super) fn velocity(&self, row: usize, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (at, j) in self.entries(row) {
            let x = &x[at..at + 6];
            sum += j[0] * x[0] + j[1] * x[1] + j[2] * x[2];
            sum += j[3] * x[3] + j[4] * x[4] + j[5] * x[5];
        }
        sum
    }

    /// Adds a row of Jᵀ times an impulse.
    #[inline]
    pub(super) fn push(&self, row: usize, impulse: f64, x: &mut [f64]) {
        for (at, j) in self.entries(row) {
            for (x, j) in x[at..at + 6].iter_mut().zip(j) {
                *x += j * impulse;
            }
        }
    }

    /// x ← M⁻¹x.
    pub(super) fn divide_by_masses(&self, x: &mut [f64]) {
        for (x, mass) in x.chunks_exact_mut(6).zip(&self.inverse_masses) {
            let (linear, angular) =
                mass.apply(DVec3::new(x[0], x[1], x[2]), DVec3::new(x[3], x[4], x[5]));
            x.copy_from_slice(&join(linear, angular));
        }
    }

    /// Factors M + Jᵀ R J with a diagonal R, over some of the rows; false where it is not positive definite.
    pub(super) fn factor(
        &self,
        pattern: &Pattern,
        active: &[u32],
        steps: &[f64],
        factor: &mut Factor,
    ) -> bool {
        factor.clear();
        for (k, mass) in self.masses.iter().enumerate() {
            for (c, column) in mass.iter().enumerate() {
                let mut one = [0.0; 6];
                one[c] = 1.0;
                factor.add(pattern, [k as u32; 2], column, &one);
            }
        }
        for row in active.iter().map(|row| *row as usize) {
            let step = steps[row];
            for (i, left) in self.entries(row) {
                let left = left.map(|j| j * step);
                for (j, right) in self.entries(row).filter(|(j, _)| *j <= i) {
                    factor.add(pattern, [i as u32 / 6, j as u32 / 6], &left, right);
                }
            }
        }
        factor.factor(pattern)
    }

    /// Sets a matrix to M.
    pub(super) fn set_masses(&self, pattern: &Pattern, matrix: &mut Lu) {
        matrix.clear();
        for (k, mass) in self.masses.iter().enumerate() {
            matrix.add(pattern, [k as u32; 2], mass);
        }
    }

    /// Adds Jᵀ S J of a unit, `slope` row by row.
    pub(super) fn add_unit(&self, pattern: &Pattern, unit: &Unit, slope: &[f64], matrix: &mut Lu) {
        let dim = unit.dim();
        let row = unit.row(0);
        let alike =
            |k: usize| self.entries(unit.row(k)).map(|e| e.0).eq(self.entries(row).map(|e| e.0));
        if !(1..dim).all(alike) {
            self.add_entries(pattern, unit, slope, matrix);
            return;
        }
        // Rows over the same bodies: one block for each two of them.
        for (n, (j, _)) in self.entries(row).enumerate() {
            let mut right = [[0.0; 6]; crate::local::MAX_LOCAL];
            for l in 0..dim {
                let numbers = &self.numbers[self.start[unit.row(l)] as usize + n];
                for (k, right) in right.iter_mut().enumerate().take(dim) {
                    let factor = slope[k * dim + l];
                    for (right, number) in right.iter_mut().zip(numbers) {
                        *right += factor * number;
                    }
                }
            }
            for (m, (i, _)) in self.entries(row).enumerate() {
                let mut block = [[0.0; 6]; 6];
                for (k, right) in right.iter().enumerate().take(dim) {
                    let left = &self.numbers[self.start[unit.row(k)] as usize + m];
                    add_product(&mut block, left, right);
                }
                matrix.add(pattern, [i as u32 / 6, j as u32 / 6], &block);
            }
        }
    }

    /// The same entry by entry.
    fn add_entries(&self, pattern: &Pattern, unit: &Unit, slope: &[f64], matrix: &mut Lu) {
        let dim = unit.dim();
        for k in 0..dim {
            for l in (0..dim).filter(|l| slope[k * dim + l] != 0.0) {
                for (i, left) in self.entries(unit.row(k)) {
                    let left = left.map(|j| j * slope[k * dim + l]);
                    for (j, right) in self.entries(unit.row(l)) {
                        let mut block = [[0.0; 6]; 6];
                        add_product(&mut block, &left, right);
                        matrix.add(pattern, [i as u32 / 6, j as u32 / 6], &block);
                    }
                }
            }
        }
    }
}

/// Adds `left` ⊗ `right`.
#[inline]
fn add_product(block: &mut [[f64; 6]; 6], left: &[f64; 6], right: &[f64; 6]) {
    for (row, left) in block.iter_mut().zip(left) {
        for (value, right) in row.iter_mut().zip(right) {
            *value += left * right;
        }
    }
}

/// A mass as a block; one without a turn turns by itself.
fn block_of(mass: &InverseMass) -> [[f64; 6]; 6] {
    let (mass, inertia) = match mass {
        InverseMass::Body { mass, inertia } => (1.0 / mass, inertia.inverse()),
        InverseMass::Point(mass) => (1.0 / mass, DMat3::IDENTITY),
    };
    let mut block = [[0.0; 6]; 6];
    for i in 0..3 {
        block[i][i] = mass;
        for j in 0..3 {
            block[3 + i][3 + j] = 0.5 * (inertia.col(j)[i] + inertia.col(i)[j]);
        }
    }
    block
}
