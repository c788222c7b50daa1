//! Contact problems as JSON: the published collections' formats and one of our own.
//!
//! | `format` starts with | what it holds |
//! |---|---|
//! | `fc3d-local` | u = W r + q, contacts (n, t1, t2) with `mu` |
//! | `fc2d-local` | the same with (n, t) |
//! | `rfc3d-local` | contacts (n, t1, t2, roll 1, roll 2) with `mu` and `mu_r` |
//! | `fc3d-global` | M v = H r + f, u = Hᵀ v + w, contacts (n, t1, t2) with `mu` |
//! | `asperity-problem` | any [`ContactProblem`]: every set, every operator |
//!
//! Sparse matrices are lists of entries counted from 0: `{m, n, i, j, v}`.

mod block;
mod coupling;
mod native;
mod published;
pub(crate) mod rows;
mod wrench;

use serde::{Deserialize, Serialize};

use crate::error::size;
use crate::{ContactProblem, ProblemError, SparseMatrix};

/// Reads a contact problem in any of the formats.
pub fn read(text: &str) -> Result<ContactProblem, ProblemError> {
    #[derive(Deserialize)]
    struct Head {
        format: String,
    }
    let head: Head = serde_json::from_str(text)?;
    if head.format.starts_with("asperity-problem") {
        native::read(text)
    } else {
        published::read(text, &head.format)
    }
}

/// Writes any contact problem in our own format.
pub fn write(problem: &ContactProblem) -> Result<String, ProblemError> {
    native::write(problem)
}

/// Writes a Coulomb or rolling problem in the published format that fits it; an error says why
/// none does.
pub fn write_published(problem: &ContactProblem) -> Result<String, ProblemError> {
    published::write(problem)
}

/// A sparse matrix as entries.
#[derive(Debug, Serialize, Deserialize)]
struct Coo {
    m: usize,
    n: usize,
    i: Vec<usize>,
    j: Vec<usize>,
    v: Vec<f64>,
}

impl Coo {
    /// Refuses more rows or columns than `rows` and `columns`, which the lists of the file hold: storage grows
    /// with them, and a file must not ask for more than it holds.
    fn within(self, field: &str, rows: usize, columns: usize) -> Result<Coo, ProblemError> {
        let (m, n) = (self.m, self.n);
        if m > rows || n > columns {
            let expected = format!("at most {rows} x {columns}, as the other fields have it");
            return Err(size(field, format!("{m} x {n}"), expected));
        }
        Ok(self)
    }

    fn into_matrix(self, field: &str) -> Result<SparseMatrix, ProblemError> {
        let count = self.v.len();
        for (name, length) in [("i", self.i.len()), ("j", self.j.len())] {
            if length != count {
                return Err(size(
                    format!("{field}.{name}"),
                    format!("{length} numbers"),
                    format!("{count}, as many as in {field}.v"),
                ));
            }
        }
        crate::error::all_finite(&format!("{field}.v"), &self.v)?;
        let entries = self.i.into_iter().zip(self.j).zip(self.v).map(|((i, j), v)| (i, j, v));
        SparseMatrix::from_triplets(self.m, self.n, entries).map_err(|e| rename(e, field))
    }

    fn from_matrix(matrix: &SparseMatrix) -> Coo {
        let mut coo =
            Coo { m: matrix.rows(), n: matrix.columns(), i: vec![], j: vec![], v: vec![] };
        for (i, j, v) in matrix.triplets() {
            coo.i.push(i);
            coo.j.push(j);
            coo.v.push(v);
        }
        coo
    }
}

/// The same error, with the name that the matrix has in the file.
fn rename(error: ProblemError, field: &str) -> ProblemError {
    match error {
        ProblemError::Size { field: _, found, expected } => size(field, found, expected),
        other => other,
    }
}
