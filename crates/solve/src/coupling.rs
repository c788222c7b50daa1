use crate::ProblemError;
use crate::error::{all_finite, size};

/// What rows do to each other beside through rigid bodies: a dense symmetric matrix over the rows
/// from `first` on. Contacts of a soft body have one, H A⁻¹ Hᵀ with the matrix A of its implicit
/// step: whatever touches it moves everything else that does.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Coupling {
    /// The first row that it is about.
    pub first: usize,
    /// The matrix, row by row: velocity of a row per impulse of another.
    pub values: Vec<f64>,
    /// How many rows it is about.
    pub size: usize,
}

impl Coupling {
    /// Whether no rows are coupled.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The number for two rows of the problem; zero for rows it is not about.
    #[inline]
    pub(crate) fn entry(&self, i: usize, j: usize) -> f64 {
        match (self.place(i), self.place(j)) {
            (Some(i), Some(j)) => self.values[i * self.size + j],
            _ => 0.0,
        }
    }

    /// Where a row of the problem is in the matrix.
    #[inline]
    pub(crate) fn place(&self, row: usize) -> Option<usize> {
        row.checked_sub(self.first).filter(|k| *k < self.size)
    }

    /// Adds what an impulse `delta` in the k-th row does to the velocities of all of them.
    #[inline]
    pub(crate) fn add(&self, k: usize, delta: f64, velocities: &mut [f64]) {
        let row = &self.values[k * self.size..(k + 1) * self.size];
        for (v, w) in velocities.iter_mut().zip(row) {
            *v += *w * delta;
        }
    }

    pub(crate) fn validate(&self, rows: usize) -> Result<(), ProblemError> {
        if self.is_empty() && self.values.is_empty() {
            return Ok(());
        }
        if self.first.checked_add(self.size).is_none_or(|end| end > rows) {
            let found = format!("rows {}.. ({} of them)", self.first, self.size);
            return Err(size("coupling", found, format!("rows within 0..{rows}")));
        }
        if self.size.checked_mul(self.size) != Some(self.values.len()) {
            let found = format!("{} numbers", self.values.len());
            return Err(size("coupling.values", found, format!("{0} x {0} numbers", self.size)));
        }
        all_finite("coupling.values", &self.values)
    }
}
