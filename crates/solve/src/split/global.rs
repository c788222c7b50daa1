//! The linear part of a split problem: everything that moves, and what is factored of it.

use faer::Mat;
use faer::prelude::Solve;
use faer::sparse::linalg::solvers::Llt;
use glamx::DMat3;

use crate::SparseMatrix;
use crate::coupling::cholesky;
use crate::problem::{Bodies, InverseMass};

/// W = H M⁻¹ Hᵀ over everything that moves: what is coupled, then blocks of six.
pub(super) struct Global {
    /// M, on and below the diagonal.
    system: Vec<(usize, usize, f64)>,
    pub(super) diagonal: Vec<f64>,
    /// The part of the diagonal that is mass.
    pub(super) masses: Vec<f64>,
    /// H.
    pub(super) rows: SparseMatrix,
}

impl Global {
    /// `None` where something has no finite mass.
    pub(super) fn new(bodies: &Bodies) -> Option<Global> {
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
pub(super) struct Factor {
    matrix: Llt<usize, f64>,
    x: Mat<f64>,
}

impl Factor {
    /// `None` where it is not positive definite.
    pub(super) fn new(global: &Global, steps: &[f64]) -> Option<Factor> {
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
    pub(super) fn solve(&mut self, global: &Global, p: &[f64]) {
        self.x.fill(0.0);
        for (row, p) in p.iter().enumerate() {
            for (i, h) in global.rows.row(row) {
                self.x[(i, 0)] += h * p;
            }
        }
        self.matrix.solve_in_place(self.x.as_mut());
    }

    /// One row of H x.
    pub(super) fn velocity(&self, global: &Global, row: usize) -> f64 {
        global.rows.row(row).map(|(i, h)| h * self.x[(i, 0)]).sum()
    }
}
