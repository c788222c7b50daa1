//! Rows that are coupled through soft bodies.

use std::sync::OnceLock;

use faer::prelude::Solve;
use faer::sparse::linalg::solvers::Llt;
use faer::sparse::{SparseColMat, Triplet};
use faer::{Mat, Side};

use crate::error::{all_finite, size};
use crate::problem::{ContactProblem, Operator};
use crate::solver::{Refusal, Untaken};
use crate::{ProblemError, SparseMatrix};

/// What rows do to each other beside through rigid bodies: G = H A⁻¹ Hᵀ over the rows from `first`
/// on, with A sparse. Contacts of soft bodies have one, A being the matrix of their implicit step:
/// whatever touches such a body moves everything else that does, so that G is dense.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Coupling {
    /// Problems without soft bodies carry nothing around.
    parts: Option<Box<Parts>>,
}

#[derive(Debug, Clone)]
struct Parts {
    first: usize,
    system: SparseMatrix,
    rows: SparseMatrix,
    masses: Vec<f64>,
    factor: OnceLock<Option<Llt<usize, f64>>>,
    dense: OnceLock<Vec<f64>>,
}

impl PartialEq for Parts {
    fn eq(&self, other: &Parts) -> bool {
        let given = |p: &Parts| p.first == self.first && p.masses == self.masses;
        given(other) && self.system == other.system && self.rows == other.rows
    }
}

impl Coupling {
    /// `system` is what is on and below the diagonal of A (n × n), symmetric and positive definite.
    /// `rows` is H, with one row of n numbers for each of the problem's from `first` on. `masses`
    /// are the part of A's diagonal that is mass: solvers go by them, results do not depend on them.
    pub fn new(
        first: usize,
        system: SparseMatrix,
        rows: SparseMatrix,
        masses: Vec<f64>,
    ) -> Result<Coupling, ProblemError> {
        let n = system.rows();
        let shape = |m: &SparseMatrix| format!("{} x {}", m.rows(), m.columns());
        if system.columns() != n {
            return Err(size("coupling.system", shape(&system), "a square matrix"));
        }
        if rows.columns() != n {
            return Err(size("coupling.rows", shape(&rows), format!("{n} columns, as the system")));
        }
        if masses.len() != n {
            let found = format!("{} numbers", masses.len());
            return Err(size("coupling.masses", found, format!("{n}, as the system has rows")));
        }
        all_finite("coupling.masses", &masses)?;
        for i in 0..n {
            let value = system.get(i, i).min(masses[i]);
            if !(value > 0.0) {
                let field = format!("coupling.system[{i}][{i}] or coupling.masses[{i}]");
                return Err(ProblemError::Value { field, value, expected: "above zero" });
            }
        }
        let (factor, dense) = (OnceLock::new(), OnceLock::new());
        let parts = Box::new(Parts { first, system, rows, masses, factor, dense });
        Ok(Coupling { parts: Some(parts) })
    }

    /// Writes A and the masses in a unit of so many kg.
    pub(crate) fn rescale(&mut self, unit: f64) {
        let Some(parts) = self.parts.as_deref_mut() else { return };
        parts.system.scale(1.0 / unit);
        parts.masses.iter_mut().for_each(|m| *m /= unit);
        (parts.factor, parts.dense) = (OnceLock::new(), OnceLock::new());
    }

    /// Whether no rows are coupled.
    pub fn is_empty(&self) -> bool {
        self.size() == 0
    }

    /// The first row, A, H and the masses as given; `None` for a coupling of nothing.
    pub fn parts(&self) -> Option<(usize, &SparseMatrix, &SparseMatrix, &[f64])> {
        self.parts.as_ref().map(|p| (p.first, &p.system, &p.rows, p.masses.as_slice()))
    }

    /// How many rows are coupled.
    pub fn size(&self) -> usize {
        self.parts.as_ref().map_or(0, |p| p.rows.rows())
    }

    /// The number for two rows of the problem; zero for rows it is not about.
    #[inline]
    pub(crate) fn entry(&self, i: usize, j: usize) -> f64 {
        match (&self.parts, self.place(i), self.place(j)) {
            (Some(parts), Some(i), Some(j)) => parts.dense()[i * parts.rows.rows() + j],
            _ => 0.0,
        }
    }

    /// Which of the coupled rows a row of the problem is.
    #[inline]
    pub(crate) fn place(&self, row: usize) -> Option<usize> {
        let parts = self.parts.as_ref()?;
        row.checked_sub(parts.first).filter(|k| *k < parts.rows.rows())
    }

    /// Adds what an impulse `delta` in the k-th coupled row does to the velocities of all of them.
    #[inline]
    pub(crate) fn add(&self, k: usize, delta: f64, velocities: &mut [f64]) {
        let Some(parts) = &self.parts else { return };
        let n = parts.rows.rows();
        for (v, w) in velocities.iter_mut().zip(&parts.dense()[k * n..(k + 1) * n]) {
            *v += *w * delta;
        }
    }

    /// Adds G r to the velocities of all rows.
    pub(crate) fn add_product(&self, r: &[f64], velocities: &mut [f64]) {
        let Some(parts) = &self.parts else { return };
        let Some(factor) = parts.factor() else { return };
        let mut x = Mat::<f64>::zeros(parts.system.rows(), 1);
        for k in 0..parts.rows.rows() {
            parts.rows.row(k).for_each(|(i, h)| x[(i, 0)] += h * r[parts.first + k]);
        }
        factor.solve_in_place(x.as_mut());
        for k in 0..parts.rows.rows() {
            let moved: f64 = parts.rows.row(k).map(|(i, h)| h * x[(i, 0)]).sum();
            velocities[parts.first + k] += moved;
        }
    }

    pub(crate) fn validate(&self, rows: usize) -> Result<(), ProblemError> {
        let Some(Parts { first, .. }) = self.parts.as_deref() else { return Ok(()) };
        if first.checked_add(self.size()).is_some_and(|end| end <= rows) {
            return Ok(());
        }
        let found = format!("{} rows from {first} on", self.size());
        Err(size("coupling", found, format!("rows within 0..{rows}")))
    }
}

impl Parts {
    /// G, row by row, made when it is first asked for. Zero where A is not positive definite after
    /// all: such rows count as immovable.
    fn dense(&self) -> &[f64] {
        self.dense.get_or_init(|| {
            let (n, count) = (self.system.rows(), self.rows.rows());
            let mut values = vec![0.0; count * count];
            let Some(factor) = self.factor() else { return values };
            let parts = values.chunks_mut(TOGETHER * count.max(1)).enumerate();
            for (part, out) in parts {
                let rows = out.len() / count;
                let mut x = Mat::<f64>::zeros(n, rows);
                for k in 0..rows {
                    let row = self.rows.row(part * TOGETHER + k);
                    row.for_each(|(i, h)| x[(i, k)] = h);
                }
                factor.solve_in_place(x.as_mut());
                for (k, out) in out.chunks_exact_mut(count).enumerate() {
                    for (j, value) in out.iter_mut().enumerate() {
                        *value = self.rows.row(j).map(|(i, h)| h * x[(i, k)]).sum();
                    }
                }
            }
            values
        })
    }

    fn factor(&self) -> Option<&Llt<usize, f64>> {
        let make = || cholesky(self.system.rows(), self.system.triplets());
        self.factor.get_or_init(make).as_ref()
    }
}

/// Rows of G that are solved for together.
const TOGETHER: usize = 48;

/// Most coupled rows for methods that need all of G: half a gigabyte of it.
pub(crate) const MOST_COUPLED: usize = 8000;

/// Rows of a problem that are coupled through soft bodies.
pub(crate) fn coupled_rows(problem: &ContactProblem) -> usize {
    match &problem.operator {
        Operator::Bodies(bodies) => bodies.coupling.size(),
        _ => 0,
    }
}

/// Why a solver that needs all of G does not take a problem, if so.
pub(crate) fn refuses_many(solver: &'static str, problem: &ContactProblem) -> Option<Refusal> {
    let what = Untaken::Size("more than 8000 rows coupled through soft bodies");
    let instead = "\"split\" and \"auto\" need no dense matrix of them";
    (coupled_rows(problem) > MOST_COUPLED).then_some(Refusal { solver, what, instead })
}

/// The factors of a matrix given by what is on and below its diagonal; `None` where it is not
/// positive definite. Entries at the same place are summed.
pub(crate) fn cholesky(
    n: usize,
    entries: impl Iterator<Item = (usize, usize, f64)>,
) -> Option<Llt<usize, f64>> {
    let entries: Vec<_> = entries.map(|(i, j, v)| Triplet::new(i, j, v)).collect();
    let matrix = SparseColMat::<usize, f64>::try_new_from_triplets(n, n, &entries).ok()?;
    matrix.sp_cholesky(Side::Lower).ok()
}
