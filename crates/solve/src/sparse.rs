//! Sparse matrices, compressed by rows.

use crate::ProblemError;
use crate::error::{all_finite, size};

/// A sparse matrix, compressed by rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SparseMatrix {
    rows: usize,
    columns: usize,
    start: Vec<usize>,
    column: Vec<usize>,
    value: Vec<f64>,
}

impl SparseMatrix {
    /// From (row, column, value); repeated entries are summed.
    pub fn from_triplets(
        rows: usize,
        columns: usize,
        triplets: impl IntoIterator<Item = (usize, usize, f64)>,
    ) -> Result<SparseMatrix, ProblemError> {
        let mut entries: Vec<(usize, usize, f64)> = triplets.into_iter().collect();
        if let Some((k, e)) =
            entries.iter().enumerate().find(|(_, e)| e.0 >= rows || e.1 >= columns)
        {
            return Err(size(
                "matrix",
                format!("entry {k} is at row {}, column {}", e.0, e.1),
                format!("indices within {rows} x {columns}, counted from 0"),
            ));
        }
        entries.sort_by_key(|e| (e.0, e.1));
        let mut m = SparseMatrix { rows, columns, start: vec![0; rows + 1], ..Default::default() };
        let mut last = None;
        for (i, j, v) in entries {
            if last == Some((i, j)) {
                if let Some(sum) = m.value.last_mut() {
                    *sum += v;
                }
            } else {
                m.start[i + 1] += 1;
                m.column.push(j);
                m.value.push(v);
                last = Some((i, j));
            }
        }
        for i in 0..rows {
            m.start[i + 1] += m.start[i];
        }
        all_finite("matrix values", &m.value)?;
        Ok(m)
    }

    /// Multiplies all entries.
    pub(crate) fn scale(&mut self, factor: f64) {
        self.value.iter_mut().for_each(|v| *v *= factor);
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The entries of one row as (column, value).
    #[inline]
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.start[i]..self.start[i + 1];
        self.column[range.clone()].iter().copied().zip(self.value[range].iter().copied())
    }

    /// All entries as (row, column, value), row by row.
    pub fn triplets(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.rows).flat_map(move |i| self.row(i).map(move |(j, v)| (i, j, v)))
    }

    /// Row i times a vector.
    #[inline]
    pub fn row_dot(&self, i: usize, x: &[f64]) -> f64 {
        self.row(i).map(|(j, v)| v * x[j]).sum()
    }

    /// One entry; zero where none is stored.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let range = self.start[i]..self.start[i + 1];
        match self.column[range.clone()].binary_search(&j) {
            Ok(k) => self.value[range.start + k],
            Err(_) => 0.0,
        }
    }

    /// The transpose.
    #[must_use]
    pub fn transpose(&self) -> SparseMatrix {
        let mut m = SparseMatrix {
            rows: self.columns,
            columns: self.rows,
            start: vec![0; self.columns + 1],
            column: vec![0; self.column.len()],
            value: vec![0.0; self.value.len()],
        };
        for j in &self.column {
            m.start[j + 1] += 1;
        }
        for j in 0..self.columns {
            m.start[j + 1] += m.start[j];
        }
        let mut next = m.start.clone();
        for (i, j, v) in self.triplets() {
            m.column[next[j]] = i;
            m.value[next[j]] = v;
            next[j] += 1;
        }
        m
    }
}
