//! Lemke's method: w = q + M z, 0 ≤ z ⊥ w ≥ 0, by complementary pivots from a ray.
//!
//! An artificial unknown z₀ lifts all of w = q + M z + d z₀ above zero, d > 0. What leaves the basis brings in its
//! complement, until z₀ leaves. Among rows that reach zero together, the one that is smallest lexicographically
//! over the rows of the inverse of the basis leaves: then no basis comes twice, and the method ends
//! (Cottle, Pang and Stone 1992, section 4.9). Contacts tie all the time, since bounds of friction are zero where
//! nothing presses yet.

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// z₀ left.
    Solved,
    /// Nothing bounds the unknown that enters: a ray.
    Ray,
    /// Pivots or time ran out.
    Stopped,
}

/// The unknowns as functions of those outside the basis. Owns its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Lemke {
    n: usize,
    /// n rows: coefficients of the n + 1 unknowns outside the basis, then what the row is without them.
    table: Vec<f64>,
    /// Unknown of each row and of each column: w from 0, z from n, z₀ is 2n.
    basic: Vec<usize>,
    outside: Vec<usize>,
    /// Column of each unknown outside the basis.
    column: Vec<usize>,
    pivot_row: Vec<f64>,
    tied: Vec<usize>,
}

impl Lemke {
    /// Starts from z = 0; `entry` gives M, and `lift` how much z₀ adds to each row, more than zero.
    pub(super) fn prepare(
        &mut self,
        q: &[f64],
        mut lift: impl FnMut() -> f64,
        entry: impl Fn(usize, usize) -> f64,
    ) {
        let n = q.len();
        let wide = n + 2;
        self.n = n;
        self.table.clear();
        self.table.resize(n * wide, 0.0);
        for i in 0..n {
            let row = &mut self.table[i * wide..(i + 1) * wide];
            for (j, place) in row[..n].iter_mut().enumerate() {
                *place = entry(i, j);
            }
            (row[n], row[n + 1]) = (lift(), q[i]);
        }
        self.basic.clear();
        self.basic.extend(0..n);
        self.outside.clear();
        self.outside.extend(n..=2 * n);
        self.column.clear();
        self.column.resize(2 * n + 1, NONE);
        for (j, unknown) in self.outside.iter().enumerate() {
            self.column[*unknown] = j;
        }
        self.tied.clear();
        self.tied.reserve(n);
    }

    /// Pivots while `goes_on` says so; returns how it ended.
    pub(super) fn run(&mut self, mut goes_on: impl FnMut() -> bool) -> End {
        let n = self.n;
        // Of rows equally far below zero the last: it is the smallest lexicographically.
        let depth = |i: usize| self.rest(i) / self.coefficient(i, n);
        let lowest = (0..n).map(depth).fold(0.0, f64::min);
        let Some(mut row) = (0..n).rev().find(|i| depth(*i) == lowest && lowest < 0.0) else {
            return End::Solved;
        };
        let mut entering = 2 * n;
        loop {
            if !goes_on() {
                return End::Stopped;
            }
            let leaving = self.basic[row];
            self.pivot(row, self.column[entering]);
            if leaving == 2 * n {
                return End::Solved;
            }
            entering = if leaving < n { leaving + n } else { leaving - n };
            match self.leaving(self.column[entering]) {
                Some(next) => row = next,
                None => return End::Ray,
            }
        }
    }

    /// z, which is zero outside the basis.
    pub(super) fn unknowns(&self, z: &mut [f64]) {
        z.fill(0.0);
        for (i, unknown) in self.basic.iter().enumerate() {
            if (self.n..2 * self.n).contains(unknown) {
                z[unknown - self.n] = self.rest(i).max(0.0);
            }
        }
    }

    /// Which z are in the basis.
    pub(super) fn active(&self, list: &mut Vec<usize>) {
        let n = self.n;
        list.clear();
        list.extend(self.basic.iter().filter(|u| (n..2 * n).contains(*u)).map(|u| u - n));
        list.sort_unstable();
    }

    fn rest(&self, row: usize) -> f64 {
        self.table[row * (self.n + 2) + self.n + 1]
    }

    fn coefficient(&self, row: usize, column: usize) -> f64 {
        self.table[row * (self.n + 2) + column]
    }

    /// The row that reaches zero first while the unknown of a column grows.
    fn leaving(&mut self, column: usize) -> Option<usize> {
        let steepest = (0..self.n).fold(0.0_f64, |m, i| m.max(-self.coefficient(i, column)));
        let least = LEAST_PIVOT * steepest.max(1.0);
        let mut nearest = f64::INFINITY;
        for i in 0..self.n {
            let slope = -self.coefficient(i, column);
            if slope > least {
                nearest = nearest.min(self.rest(i) / slope);
            }
        }
        self.tied.clear();
        for i in 0..self.n {
            let slope = -self.coefficient(i, column);
            if slope > least && self.rest(i) / slope <= nearest + TIE * (1.0 + nearest.abs()) {
                if self.basic[i] == 2 * self.n {
                    return Some(i);
                }
                self.tied.push(i);
            }
        }
        let mut tied = std::mem::take(&mut self.tied);
        self.keep_smallest(&mut tied, column);
        self.tied = tied;
        self.tied.first().copied()
    }

    /// Of rows that are tied, the one whose row of the inverse over its slope is smallest lexicographically.
    fn keep_smallest(&self, tied: &mut Vec<usize>, column: usize) {
        for w in 0..self.n {
            if tied.len() <= 1 {
                break;
            }
            let inverse = |i: usize| match self.column[w] {
                NONE => f64::from(self.basic[i] == w),
                place => -self.coefficient(i, place),
            };
            let ratio = |i: usize| inverse(i) / -self.coefficient(i, column);
            let least = tied.iter().map(|i| ratio(*i)).fold(f64::INFINITY, f64::min);
            let most = least + TIE * (1.0 + least.abs());
            tied.retain(|i| ratio(*i) <= most);
        }
    }

    /// Exchanges the unknowns of a row and a column.
    fn pivot(&mut self, row: usize, column: usize) {
        let wide = self.n + 2;
        let at = row * wide;
        let inverse = 1.0 / self.table[at + column];
        for (j, x) in self.table[at..at + wide].iter_mut().enumerate() {
            *x = if j == column { inverse } else { -*x * inverse };
        }
        self.pivot_row.clear();
        self.pivot_row.extend_from_slice(&self.table[at..at + wide]);
        for i in (0..self.n).filter(|i| *i != row) {
            let line = &mut self.table[i * wide..(i + 1) * wide];
            let factor = line[column];
            if factor == 0.0 {
                continue;
            }
            line[column] = 0.0;
            for (x, p) in line.iter_mut().zip(&self.pivot_row) {
                *x += factor * p;
            }
            let rest = &mut line[wide - 1];
            if rest.abs() < ROUNDING {
                *rest = 0.0;
            }
        }
        std::mem::swap(&mut self.basic[row], &mut self.outside[column]);
        self.column[self.outside[column]] = column;
        self.column[self.basic[row]] = NONE;
    }
}

const NONE: usize = usize::MAX;

/// Smallest slope that counts, of the steepest in its column.
const LEAST_PIVOT: f64 = 1e-10;

/// Ratios this near each other are tied.
const TIE: f64 = 1e-11;

/// Below this a number is zero: what is left of ties.
const ROUNDING: f64 = 1e-15;

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(m: &[&[f64]], q: &[f64]) -> (End, Vec<f64>) {
        let mut lemke = Lemke::default();
        lemke.prepare(q, || 1.0, |i, j| m[i][j]);
        let mut pivots = 0;
        let end = lemke.run(|| {
            pivots += 1;
            pivots < 1000
        });
        let mut z = vec![0.0; q.len()];
        lemke.unknowns(&mut z);
        (end, z)
    }

    #[test]
    fn a_problem_with_one_solution_is_solved() {
        let (end, z) = solve(&[&[2.0, 1.0], &[1.0, 2.0]], &[-5.0, -6.0]);
        assert_eq!(end, End::Solved);
        assert!((z[0] - 4.0 / 3.0).abs() < 1e-14 && (z[1] - 7.0 / 3.0).abs() < 1e-14, "{z:?}");
    }

    #[test]
    fn a_problem_without_solution_ends_on_a_ray() {
        assert_eq!(solve(&[&[1.0, -1.0], &[-1.0, 1.0]], &[-1.0, -1.0]).0, End::Ray);
    }

    /// All rows tie at the first pivot.
    #[test]
    fn rows_that_tie_are_told_apart() {
        let m: [&[f64]; 3] = [&[1.0, 2.0, 0.0], &[0.0, 1.0, 2.0], &[2.0, 0.0, 1.0]];
        let q = [-1.0, -1.0, -1.0];
        let (end, z) = solve(&m, &q);
        assert_eq!(end, End::Solved);
        for i in 0..3 {
            let w: f64 = q[i] + (0..3).map(|j| m[i][j] * z[j]).sum::<f64>();
            assert!(w.abs() < 1e-14 && z[i] > 0.3, "{z:?}");
        }
    }
}
