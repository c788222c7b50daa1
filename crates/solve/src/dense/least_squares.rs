//! Damped least squares by Householder reflections.

use crate::vectors::Vectorised;

/// Room for min ‖J d + F‖² + λ‖d‖², J square.
#[derive(Debug, Clone, Default)]
pub(crate) struct LeastSquares {
    size: usize,
    /// J by columns, each followed by its part of √λ I: 2n numbers a column.
    columns: Vec<f64>,
    rhs: Vec<f64>,
}

impl LeastSquares {
    /// The d that minimises it, into `d`. `jacobian` is row-major.
    pub(crate) fn solve(&mut self, jacobian: &[f64], f: &[f64], damping: f64, d: &mut [f64]) {
        self.fill(jacobian, f, damping);
        Reflections(self).with_vectors();
        // R d = rhs, from below.
        let n = self.size;
        for k in (0..n).rev() {
            let pivot = self.columns[2 * n * k + k];
            let x = if pivot == 0.0 { 0.0 } else { self.rhs[k] / pivot };
            d[k] = x;
            for (b, c) in self.rhs[..k].iter_mut().zip(&self.columns[2 * n * k..]) {
                *b -= c * x;
            }
        }
    }

    fn fill(&mut self, jacobian: &[f64], f: &[f64], damping: f64) {
        let n = f.len();
        self.size = n;
        self.columns.clear();
        self.columns.resize(2 * n * n, 0.0);
        for (i, row) in jacobian.chunks_exact(n).enumerate() {
            for (j, x) in row.iter().enumerate() {
                self.columns[2 * n * j + i] = *x;
            }
        }
        for k in 0..n {
            self.columns[2 * n * k + n + k] = damping.sqrt();
        }
        self.rhs.clear();
        self.rhs.extend(f.iter().map(|x| -x));
        self.rhs.resize(2 * n, 0.0);
    }

    /// Clears column k below its diagonal. Of the lower half only rows up to the k-th are filled.
    #[inline(always)]
    fn reflect(&mut self, k: usize) {
        let n = self.size;
        let end = n + k + 1;
        let (left, right) = self.columns.split_at_mut(2 * n * (k + 1));
        let v = &mut left[2 * n * k + k..2 * n * k + end];
        let length = dot(v, v).sqrt();
        if !(length > 0.0) {
            return;
        }
        let beta = if v[0] > 0.0 { -length } else { length };
        v[0] -= beta;
        let scale = -1.0 / (beta * v[0]);
        let others = right.chunks_exact_mut(2 * n).map(|column| &mut column[k..end]);
        for column in others.chain([&mut self.rhs[k..end]]) {
            let factor = scale * dot(v, column);
            for (x, v) in column.iter_mut().zip(&*v) {
                *x -= factor * v;
            }
        }
        v[0] = beta;
    }
}

/// All columns, cleared one after the other.
struct Reflections<'a>(&'a mut LeastSquares);

impl Vectorised for Reflections<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for k in 0..self.0.size {
            self.0.reflect(k);
        }
    }
}

/// Four sums side by side, which is faster than one and always in the same order.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4.remainder().iter().zip(b4.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a4.zip(b4) {
        for (sum, (x, y)) in sums.iter_mut().zip(x.iter().zip(y)) {
            *sum += x * y;
        }
    }
    sums.iter().sum::<f64>() + rest
}
