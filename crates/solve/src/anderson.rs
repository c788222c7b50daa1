//! Anderson acceleration of a fixed-point iteration x ← G(x).
//!
//! Of the last few steps it keeps how the change f = G(x) − x and the result G(x) differed from
//! one step to the next, finds the combination of those differences that best cancels the
//! present f (least squares), and moves G(x) by it (Walker and Ni 2011, type II).

use crate::dense::dot;

/// Steps remembered at most.
pub(crate) const DEPTH: usize = 10;

#[derive(Debug, Clone, Default)]
pub(crate) struct Anderson {
    /// Differences of f and of G, one row of each per remembered step.
    df: Vec<f64>,
    dg: Vec<f64>,
    last_f: Vec<f64>,
    last_g: Vec<f64>,
    /// Products of the rows of `df`.
    gram: [[f64; DEPTH]; DEPTH],
    /// How many steps are remembered.
    depth: usize,
    count: usize,
    next: usize,
    primed: bool,
}

impl Anderson {
    /// Forgets everything; sized for vectors of length `n` and so many steps.
    pub(crate) fn reset(&mut self, n: usize, depth: usize) {
        self.depth = depth.min(DEPTH);
        self.df.resize(n * self.depth, 0.0);
        self.dg.resize(n * self.depth, 0.0);
        self.last_f.resize(n, 0.0);
        self.last_g.resize(n, 0.0);
        self.forget();
    }

    /// Forgets all steps.
    pub(crate) fn forget(&mut self) {
        self.count = 0;
        self.next = 0;
        self.primed = false;
    }

    /// Takes a step from `x` to `g` = G(x), and moves `g` to where the next should start.
    /// Returns false, and leaves `g` alone, when there is nothing to go by yet.
    pub(crate) fn extrapolate(&mut self, x: &[f64], g: &mut [f64]) -> bool {
        let n = g.len();
        if self.primed {
            let k = self.next;
            let (df, dg) = (&mut self.df[k * n..(k + 1) * n], &mut self.dg[k * n..(k + 1) * n]);
            for i in 0..n {
                df[i] = (g[i] - x[i]) - self.last_f[i];
                dg[i] = g[i] - self.last_g[i];
            }
            self.next = (k + 1) % self.depth;
            self.count = (self.count + 1).min(self.depth);
            for j in 0..self.count {
                let product = dot(&self.df[k * n..(k + 1) * n], &self.df[j * n..(j + 1) * n]);
                self.gram[k][j] = product;
                self.gram[j][k] = product;
            }
        }
        for i in 0..n {
            self.last_f[i] = g[i] - x[i];
            self.last_g[i] = g[i];
        }
        let primed = std::mem::replace(&mut self.primed, true);
        if !primed {
            return false;
        }
        let mut weights = [0.0; DEPTH];
        for j in 0..self.count {
            weights[j] = dot(&self.df[j * n..(j + 1) * n], &self.last_f);
        }
        if !solve_positive(&self.gram, &mut weights, self.count) {
            return false;
        }
        for j in 0..self.count {
            for (gi, d) in g.iter_mut().zip(&self.dg[j * n..(j + 1) * n]) {
                *gi -= weights[j] * d;
            }
        }
        g.iter().all(|v| v.is_finite())
    }
}

/// Solves the normal equations by Cholesky's method with a relative ridge.
pub(crate) fn solve_positive(gram: &[[f64; DEPTH]; DEPTH], x: &mut [f64; DEPTH], n: usize) -> bool {
    let mut l = [[0.0; DEPTH]; DEPTH];
    for i in 0..n {
        for j in 0..=i {
            let mut sum = gram[i][j];
            for k in 0..j {
                sum -= l[i][k] * l[j][k];
            }
            if i == j {
                sum += RIDGE * gram[i][i];
                if !(sum > 0.0) {
                    return false;
                }
                l[i][i] = sum.sqrt();
            } else {
                l[i][j] = sum / l[j][j];
            }
        }
    }
    for i in 0..n {
        for k in 0..i {
            x[i] -= l[i][k] * x[k];
        }
        x[i] /= l[i][i];
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            x[i] -= l[k][i] * x[k];
        }
        x[i] /= l[i][i];
    }
    true
}

/// Relative ridge of the normal equations.
const RIDGE: f64 = 1e-12;
