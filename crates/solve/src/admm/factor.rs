//! The Cholesky factorisation of a sparse matrix over bodies.

use std::sync::Arc;

use faer::Par;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::cholesky::supernodal;
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};

use super::pattern::{Pattern, Symbolic, dot, subtract};

/// A symmetric, positive definite matrix and its factor L.
#[derive(Debug, Clone, Default)]
pub(super) struct Factor {
    /// The lower half by columns.
    values: Vec<f64>,
    lower: Vec<f64>,
    memory: Option<Memory>,
    /// For one node of a solve.
    panel: Vec<f64>,
}

/// Memory for factorisations with a pattern.
struct Memory {
    symbolic: Arc<Symbolic>,
    buffer: MemBuffer,
}

impl Memory {
    fn new(symbolic: Arc<Symbolic>) -> Memory {
        let need = supernodal::factorize_supernodal_numeric_llt_scratch::<u32, f64>(
            &symbolic,
            Par::Seq,
            faer::Spec::default(),
        );
        Memory { symbolic, buffer: MemBuffer::new(need) }
    }
}

impl Clone for Memory {
    fn clone(&self) -> Memory {
        Memory::new(self.symbolic.clone())
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Memory").field("rows", &self.symbolic.nrows()).finish_non_exhaustive()
    }
}

impl Factor {
    /// Gets ready for a new pattern.
    pub(super) fn prepare(&mut self, pattern: &Pattern) {
        self.memory = pattern.symbolic.clone().map(Memory::new);
        for (list, size) in [
            (&mut self.values, pattern.rows.len()),
            (&mut self.lower, pattern.size()),
            (&mut self.panel, pattern.widest()),
        ] {
            list.clear();
            list.resize(size, 0.0);
        }
    }

    /// Sets the matrix to zero.
    pub(super) fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds `left` ⊗ `right` to the block of two places, of which the first is not before the second; of
    /// a diagonal block, what is on and below the diagonal.
    pub(super) fn add(
        &mut self,
        pattern: &Pattern,
        [i, j]: [u32; 2],
        left: &[f64; 6],
        right: &[f64; 6],
    ) {
        let column = 6 * j as usize;
        let columns = &pattern.columns[column..column + 6];
        if i == j {
            for c in 0..6 {
                let at = columns[c] as usize;
                subtract(&mut self.values[at..at + 6 - c], -right[c], &left[c..]);
            }
            return;
        }
        let first = pattern.start[j as usize];
        let later = &pattern.later[first..pattern.start[j as usize + 1]];
        let Ok(k) = later.binary_search(&i) else { return };
        for c in 0..6 {
            let at = columns[c] as usize + 6 - c + 6 * k;
            subtract(&mut self.values[at..at + 6], -right[c], left);
        }
    }

    /// Factors; false where the matrix is not positive definite.
    pub(super) fn factor(&mut self, pattern: &Pattern) -> bool {
        let Some(Memory { symbolic, buffer }) = &mut self.memory else { return false };
        let n = symbolic.nrows();
        let (columns, rows) = (&pattern.columns, &pattern.rows);
        let lower = SymbolicSparseColMatRef::new_checked(n, n, columns, None, rows);
        let outcome = supernodal::factorize_supernodal_numeric_llt(
            &mut self.lower,
            SparseColMatRef::new(lower, &self.values),
            LltRegularization::default(),
            symbolic,
            Par::Seq,
            MemStack::new(buffer),
            faer::Spec::default(),
        );
        outcome.is_ok()
    }

    /// Solves in place.
    pub(super) fn solve(&mut self, pattern: &Pattern, x: &mut [f64]) {
        for node in &pattern.nodes {
            let (first, size) = (node.first, node.size);
            let below = &pattern.below[node.below.clone()];
            let panel = &mut self.panel[..below.len()];
            panel.fill(0.0);
            let columns = self.lower[node.values.clone()].chunks_exact(node.height());
            for (c, column) in columns.enumerate() {
                let (top, rest) = column.split_at(size);
                let value = x[first + c] / top[c];
                x[first + c] = value;
                subtract(&mut x[first + c + 1..first + size], value, &top[c + 1..]);
                subtract(panel, value, rest);
            }
            for (row, p) in below.iter().zip(panel.iter()) {
                x[*row as usize] += p;
            }
        }
        for node in pattern.nodes.iter().rev() {
            let (first, size) = (node.first, node.size);
            let below = &pattern.below[node.below.clone()];
            let panel = &mut self.panel[..below.len()];
            for (row, p) in below.iter().zip(panel.iter_mut()) {
                *p = x[*row as usize];
            }
            let columns = self.lower[node.values.clone()].chunks_exact(node.height());
            for (c, column) in columns.enumerate().rev() {
                let (top, rest) = column.split_at(size);
                let inside = dot(&top[c + 1..], &x[first + c + 1..first + size]);
                x[first + c] = (x[first + c] - inside - dot(rest, panel)) / top[c];
            }
        }
    }
}
