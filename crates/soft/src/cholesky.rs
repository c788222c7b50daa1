//! Sparse Cholesky factors of the matrix of a body, with their order kept.

use faer::prelude::Solve;
use faer::sparse::linalg::solvers::{Llt, SymbolicLlt};
use faer::sparse::{SparseColMat, SymbolicSparseColMat};
use faer::{Mat, Side};
use glamx::DVec3;

use crate::own_unit::own_unit;
use crate::system::BlockMatrix;

/// A sparse Cholesky solver whose symbolic part is made once.
#[derive(Debug, Clone)]
pub(crate) struct Cholesky {
    symbolic: Option<SymbolicLlt<usize>>,
    lower: SparseColMat<usize, f64>,
    factor: Option<Llt<usize, f64>>,
    /// Unit of the matrix that was factored, kg.
    unit: f64,
    rhs: Mat<f64>,
}

impl Cholesky {
    /// For matrices with the pattern of `a`.
    pub(crate) fn new(a: &BlockMatrix) -> Cholesky {
        let n = 3 * a.rows();
        let mut start = vec![0];
        let mut rows = Vec::new();
        for j in 0..a.rows() {
            for c in 0..3 {
                lower_column(a, j, c, |i, r, _| rows.push(3 * i + r));
                start.push(rows.len());
            }
        }
        let values = vec![0.0; rows.len()];
        let pattern = SymbolicSparseColMat::new_checked(n, n, start, None, rows);
        let symbolic = SymbolicLlt::try_new(pattern.as_ref(), Side::Lower).ok();
        let lower = SparseColMat::new(pattern, values);
        Cholesky { symbolic, lower, factor: None, unit: 1.0, rhs: Mat::zeros(n, 1) }
    }

    /// Factors the matrix without what is pinned; false if it is not positive definite.
    pub(crate) fn factor(&mut self, a: &BlockMatrix, pinned: &[bool]) -> bool {
        self.factor = None;
        let Some(symbolic) = &self.symbolic else { return false };
        let first = pinned.iter().position(|p| !*p);
        self.unit = first.map_or(1.0, |k| own_unit(a.diagonal(k).x_axis.x));
        let mut k = 0;
        let values = self.lower.val_mut();
        for j in 0..a.rows() {
            for c in 0..3 {
                lower_column(a, j, c, |i, r, value| {
                    let kept = !(pinned[i] || pinned[j]);
                    let one = if i == j && r == c { 1.0 } else { 0.0 };
                    values[k] = if kept { value / self.unit } else { one };
                    k += 1;
                });
            }
        }
        let lower = self.lower.as_ref();
        self.factor = Llt::try_new_with_symbolic(symbolic.clone(), lower, Side::Lower).ok();
        self.factor.is_some()
    }

    /// Solves A x = b with the matrix that was factored; x of what is pinned stays. False where
    /// there is none.
    pub(crate) fn solve(
        &mut self,
        a: &BlockMatrix,
        pinned: &[bool],
        b: &[DVec3],
        x: &mut [DVec3],
    ) -> bool {
        let Some(factor) = &self.factor else { return false };
        for i in 0..a.rows() {
            let mut right = x[i];
            if !pinned[i] {
                right = b[i];
                for (j, block) in a.row(i).filter(|(j, _)| pinned[*j]) {
                    right -= *block * x[j];
                }
                right /= self.unit;
            }
            for r in 0..3 {
                self.rhs[(3 * i + r, 0)] = right[r];
            }
        }
        factor.solve_in_place(self.rhs.as_mut());
        for (i, out) in x.iter_mut().enumerate().filter(|(i, _)| !pinned[*i]) {
            *out = DVec3::new(
                self.rhs[(3 * i, 0)],
                self.rhs[(3 * i + 1, 0)],
                self.rhs[(3 * i + 2, 0)],
            );
        }
        true
    }
}

/// The entries on and below the diagonal of column 3 j + c, as (block row, row in it, value). The
/// matrix is symmetric: block (i, j) is the transpose of block (j, i).
fn lower_column(a: &BlockMatrix, j: usize, c: usize, mut visit: impl FnMut(usize, usize, f64)) {
    for (i, block) in a.row(j).filter(|(i, _)| *i >= j) {
        for r in if i == j { c..3 } else { 0..3 } {
            visit(i, r, block.col(r)[c]);
        }
    }
}
