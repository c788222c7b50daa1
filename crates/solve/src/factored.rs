//! Problems in their global form, with a sparse mass that is factored once.

use faer::prelude::Solve;
use faer::sparse::{SparseColMat, Triplet};

use crate::error::{all_finite, size};
use crate::{ProblemError, SparseMatrix};

/// A problem in its global form: M v = H r + f, u = Hᵀ v + w, with M sparse.
///
/// M is factored once; W = Hᵀ M⁻¹ H and q = Hᵀ M⁻¹ f + w follow.
#[derive(Debug, Clone, PartialEq)]
pub struct Factored {
    mass: SparseMatrix,
    h: SparseMatrix,
    force: Vec<f64>,
    offset: Vec<f64>,
    w: SparseMatrix,
    q: Vec<f64>,
}

impl Factored {
    /// `mass` is M (n × n), `h` is H (n × rows), `force` is f, `offset` is w.
    pub fn new(
        mass: SparseMatrix,
        h: SparseMatrix,
        force: Vec<f64>,
        offset: Vec<f64>,
    ) -> Result<Factored, ProblemError> {
        let n = mass.rows();
        let rows = h.columns();
        let shape = |m: &SparseMatrix| format!("{} x {}", m.rows(), m.columns());
        if mass.columns() != n {
            return Err(size("M", shape(&mass), "a square matrix"));
        }
        if h.rows() != n {
            return Err(size("H", shape(&h), format!("{n} rows, as many as M")));
        }
        if force.len() != n {
            return Err(size(
                "f",
                format!("{} numbers", force.len()),
                format!("{n}, as many as M has rows"),
            ));
        }
        if offset.len() != rows {
            return Err(size(
                "w",
                format!("{} numbers", offset.len()),
                format!("{rows}, as many as H has columns"),
            ));
        }
        all_finite("f", &force)?;
        all_finite("w", &offset)?;

        let triplets: Vec<_> = mass.triplets().map(|(i, j, v)| Triplet::new(i, j, v)).collect();
        let matrix = SparseColMat::<usize, f64>::try_new_from_triplets(n, n, &triplets)
            .map_err(|e| ProblemError::SingularMass(format!("{e:?}")))?;
        let lu = matrix.sp_lu().map_err(|e| ProblemError::SingularMass(format!("{e:?}")))?;
        // Columns of H and, last, f.
        let ht = h.transpose();
        let mut rhs = faer::Mat::<f64>::zeros(n, rows + 1);
        for (j, i, v) in ht.triplets() {
            rhs[(i, j)] = v;
        }
        for (i, v) in force.iter().enumerate() {
            rhs[(i, rows)] = *v;
        }
        let x = lu.solve(&rhs);
        let mut misfit = 0.0_f64;
        let mut scale = 0.0_f64;
        for k in 0..=rows {
            for i in 0..n {
                let product: f64 = mass.row(i).map(|(j, v)| v * x[(j, k)]).sum();
                misfit = misfit.max((product - rhs[(i, k)]).abs());
                scale = scale.max(rhs[(i, k)].abs());
            }
        }
        if !(misfit <= 1e-6 * scale) {
            return Err(ProblemError::SingularMass(format!("M x = b is missed by {misfit:e}")));
        }
        let product = |row: usize, k: usize| ht.row(row).map(|(i, v)| v * x[(i, k)]).sum::<f64>();
        let mut entries = Vec::new();
        for i in 0..rows {
            for j in 0..rows {
                let v = product(i, j);
                if v != 0.0 {
                    entries.push((i, j, v));
                }
            }
        }
        let w = SparseMatrix::from_triplets(rows, rows, entries)?;
        let q = (0..rows).map(|i| product(i, rows) + offset[i]).collect();
        Ok(Factored { mass, h, force, offset, w, q })
    }

    /// W = Hᵀ M⁻¹ H.
    pub fn delassus(&self) -> &SparseMatrix {
        &self.w
    }

    /// q = Hᵀ M⁻¹ f + w.
    pub fn q(&self) -> &[f64] {
        &self.q
    }

    /// M, H, f and w as given.
    pub fn parts(&self) -> (&SparseMatrix, &SparseMatrix, &[f64], &[f64]) {
        (&self.mass, &self.h, &self.force, &self.offset)
    }
}
