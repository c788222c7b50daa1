//! Elimination with row exchanges, for small dense systems without symmetry.

/// Solves A x = b in place: `a`, row by row, is destroyed, `b` becomes x. False where A is singular to rounding.
pub(crate) fn eliminate(a: &mut [f64], b: &mut [f64]) -> bool {
    let n = b.len();
    let size = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for k in 0..n {
        let mut best = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[best * n + k].abs() {
                best = i;
            }
        }
        if !(a[best * n + k].abs() > SINGULAR * size) {
            return false;
        }
        if best != k {
            for j in k..n {
                a.swap(k * n + j, best * n + j);
            }
            b.swap(k, best);
        }
        let (upper, lower) = a.split_at_mut((k + 1) * n);
        let row = &upper[k * n + k..];
        let (above, below) = b.split_at_mut(k + 1);
        for (line, rest) in lower.chunks_exact_mut(n).zip(below) {
            let factor = line[k] / row[0];
            if factor != 0.0 {
                for (x, p) in line[k..].iter_mut().zip(row) {
                    *x -= factor * p;
                }
                *rest -= factor * above[k];
            }
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k * n + j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k * n + k];
    }
    true
}

/// Pivots below this share of the largest number count as zero.
const SINGULAR: f64 = 1e-15;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_that_needs_exchanges_is_solved_and_a_singular_one_told() {
        let mut b = [2.0, 5.0, 3.0];
        assert!(eliminate(&mut [0.0, 1.0, 0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 3.0], &mut b));
        assert!((b[0] - 2.0).abs() < 1e-15 && b[1] == 2.0 && b[2] == 1.0, "{b:?}");
        assert!(!eliminate(&mut [1.0, 2.0, 2.0, 4.0], &mut [1.0, 1.0]));
    }
}
