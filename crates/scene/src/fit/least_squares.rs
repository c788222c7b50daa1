//! Least squares with unknowns that are not negative, by singular values.

/// What fits best, and what of it is certain.
pub(super) struct Solution {
    pub(super) values: Vec<f64>,
    pub(super) is_determined: Vec<bool>,
    /// Standard errors.
    pub(super) errors: Vec<Option<f64>>,
    pub(super) rank: usize,
}

/// Singular values below this part of the largest are zero; columns have unit length.
const RANK: f64 = 1e-9;

/// What is left of an unknown in the directions that no row sees, above which it is not determined.
const UNSEEN: f64 = 1e-6;

/// Sweeps of rotations at most; a few are enough.
const SWEEPS: usize = 60;

/// Minimises |Σ xⱼ columnⱼ − wanted| over x ≥ 0.
pub(super) fn solve(columns: &[Vec<f64>], wanted: &[f64]) -> Solution {
    let lengths: Vec<f64> = columns.iter().map(|c| dot(c, c).sqrt()).collect();
    let unit = |(column, length): (&Vec<f64>, &f64)| -> Vec<f64> {
        column.iter().map(|x| if *length > 0.0 { x / length } else { 0.0 }).collect()
    };
    let scaled: Vec<Vec<f64>> = columns.iter().zip(&lengths).map(unit).collect();
    let mut values = active_set(&scaled, wanted);
    let whole = Factors::new(&scaled);
    let mut left = wanted.to_vec();
    for (column, x) in scaled.iter().zip(&values) {
        for (l, c) in left.iter_mut().zip(column) {
            *l -= c * x;
        }
    }
    let spare = wanted.len().saturating_sub(whole.rank());
    let variance = (spare > 0).then(|| dot(&left, &left) / spare as f64);
    let (mut is_determined, mut errors) = (Vec::new(), Vec::new());
    for (k, value) in values.iter_mut().enumerate() {
        is_determined.push(whole.unseen(k) < UNSEEN);
        let error = variance.map(|v| (v * whole.spread(k)).sqrt() / lengths[k]);
        errors.push(error.filter(|_| is_determined[k]));
        *value = if lengths[k] > 0.0 { *value / lengths[k] } else { 0.0 };
    }
    Solution { values, is_determined, errors, rank: whole.rank() }
}

/// Lawson and Hanson's method: unknowns are freed one by one where that helps, and held at zero where
/// they would become negative.
fn active_set(columns: &[Vec<f64>], wanted: &[f64]) -> Vec<f64> {
    let n = columns.len();
    let (mut x, mut free) = (vec![0.0; n], vec![false; n]);
    let scale = dot(wanted, wanted).sqrt();
    for _ in 0..10 * n + 10 {
        let mut left = wanted.to_vec();
        for (column, x) in columns.iter().zip(&x) {
            left.iter_mut().zip(column).for_each(|(l, c)| *l -= c * x);
        }
        let gain = |k: usize| dot(&columns[k], &left);
        let best = (0..n).filter(|k| !free[*k]).max_by(|a, b| gain(*a).total_cmp(&gain(*b)));
        let Some(best) = best.filter(|k| gain(*k) > 1e-12 * scale) else { break };
        free[best] = true;
        loop {
            let of: Vec<usize> = (0..n).filter(|k| free[*k]).collect();
            let part: Vec<Vec<f64>> = of.iter().map(|k| columns[*k].clone()).collect();
            let found = Factors::new(&part).least(wanted);
            // As far towards what fits best as nothing becomes negative.
            let stops = of.iter().zip(&found).filter(|(_, z)| **z <= 0.0);
            let step = stops.map(|(k, z)| x[*k] / (x[*k] - z)).fold(1.0, f64::min);
            let whole = found.iter().all(|z| *z > 0.0);
            for (k, z) in of.iter().zip(&found) {
                x[*k] = if whole { *z } else { x[*k] + step * (z - x[*k]) };
                if !whole && *z <= 0.0 && x[*k] <= 1e-12 * scale {
                    (x[*k], free[*k]) = (0.0, false);
                }
            }
            if whole || !of.iter().any(|k| !free[*k]) {
                break;
            }
        }
    }
    x
}

/// A = U S Vᵀ by one-sided Jacobi rotations.
struct Factors {
    /// U S, by columns.
    scaled: Vec<Vec<f64>>,
    /// V, by columns.
    right: Vec<Vec<f64>>,
    /// S squared.
    squares: Vec<f64>,
}

impl Factors {
    fn new(columns: &[Vec<f64>]) -> Factors {
        let n = columns.len();
        let mut scaled = columns.to_vec();
        let unit = |k: usize| (0..n).map(|i| if i == k { 1.0 } else { 0.0 }).collect();
        let mut right: Vec<Vec<f64>> = (0..n).map(unit).collect();
        for _ in 0..SWEEPS {
            let mut turned = false;
            for p in 0..n {
                for q in p + 1..n {
                    let (a, b) = (dot(&scaled[p], &scaled[p]), dot(&scaled[q], &scaled[q]));
                    let both = dot(&scaled[p], &scaled[q]);
                    if both.abs() <= 1e-15 * (a * b).sqrt() {
                        continue;
                    }
                    turned = true;
                    let zeta = (b - a) / (2.0 * both);
                    let t = 1.0_f64.copysign(zeta) / (zeta.abs() + zeta.hypot(1.0));
                    let cos = 1.0 / t.hypot(1.0);
                    for list in [&mut scaled, &mut right] {
                        let (first, second) = list.split_at_mut(q);
                        for (x, y) in first[p].iter_mut().zip(&mut second[0]) {
                            (*x, *y) = (cos * (*x - t * *y), cos * (t * *x + *y));
                        }
                    }
                }
            }
            if !turned {
                break;
            }
        }
        let squares = scaled.iter().map(|c| dot(c, c)).collect();
        Factors { scaled, right, squares }
    }

    /// Numbers of the directions that rows see.
    fn seen(&self) -> impl Iterator<Item = usize> {
        let most = self.squares.iter().copied().fold(0.0, f64::max);
        (0..self.squares.len()).filter(move |k| self.squares[*k] > RANK * RANK * most)
    }

    fn rank(&self) -> usize {
        self.seen().count()
    }

    /// The least x of those that fit best.
    fn least(&self, wanted: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.right.len()];
        for k in self.seen() {
            let along = dot(&self.scaled[k], wanted) / self.squares[k];
            x.iter_mut().zip(&self.right[k]).for_each(|(x, v)| *x += along * v);
        }
        x
    }

    /// How much of an unknown no row sees, 0 to 1.
    fn unseen(&self, unknown: usize) -> f64 {
        let seen: f64 = self.seen().map(|k| self.right[k][unknown].powi(2)).sum();
        (1.0 - seen).max(0.0)
    }

    /// Variance of an unknown for measurements of unit variance.
    fn spread(&self, unknown: usize) -> f64 {
        self.seen().map(|k| self.right[k][unknown].powi(2) / self.squares[k]).sum()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
