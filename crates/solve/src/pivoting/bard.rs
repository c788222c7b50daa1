//! Block pivots between bounds: ½ yᵀH y + bᵀy least, low ≤ y ≤ high.
//!
//! Every row is labelled: free, its y unknown and its slope zero; or at a bound, its y known. A direct solve gives the
//! free rows, and all labels that turn out wrong change at once (Bard 1974). Where that does not make fewer of them
//! wrong for a while, only the last wrong one changes, which ends for every matrix with positive principal minors
//! (Murty 1974; the two together are Júdice and Pires 1994).

use crate::dense::gauss::eliminate;
use crate::dense::least_squares::dot;

/// Where a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Low,
    Free,
    High,
}

/// The problem, its labels and its solution. Owns its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Bard {
    /// H, row by row.
    pub(super) h: Vec<f64>,
    pub(super) b: Vec<f64>,
    pub(super) low: Vec<f64>,
    pub(super) high: Vec<f64>,
    pub(super) labels: Vec<Label>,
    pub(super) y: Vec<f64>,
    free: Vec<usize>,
    wrong: Vec<usize>,
    matrix: Vec<f64>,
    rhs: Vec<f64>,
}

/// A row that is so many times another: friction at its bound, which goes with the load.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tie {
    pub(super) row: usize,
    pub(super) to: usize,
    pub(super) times: f64,
}

impl Bard {
    /// Room for n rows.
    pub(super) fn resize(&mut self, n: usize) {
        for list in [&mut self.b, &mut self.low, &mut self.high, &mut self.y] {
            list.clear();
            list.resize(n, 0.0);
        }
        self.labels.clear();
        self.labels.resize(n, Label::Free);
        for list in [&mut self.free, &mut self.wrong] {
            list.clear();
            list.reserve(n);
        }
        self.matrix.clear();
        self.matrix.reserve(n * n);
        self.rhs.clear();
        self.rhs.reserve(n);
    }

    /// Pivots from the labels at hand, `most` times at most; returns how many direct solves it took, and whether
    /// all labels are right.
    pub(super) fn run(&mut self, most: usize) -> (usize, bool) {
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        for solves in 1..=most {
            if !self.solve() {
                return (solves, false);
            }
            self.find_wrong();
            let count = self.wrong.len();
            if count == 0 {
                return (solves, true);
            }
            if count < fewest {
                (fewest, patience) = (count, PATIENCE);
            } else {
                patience = patience.saturating_sub(1);
            }
            let from = if patience > 0 { 0 } else { count - 1 };
            for k in from..count {
                self.relabel(self.wrong[k]);
            }
        }
        (most, false)
    }

    /// y for the labels at hand.
    fn solve(&mut self) -> bool {
        let n = self.b.len();
        self.free.clear();
        for i in 0..n {
            match self.labels[i] {
                Label::Low => self.y[i] = self.low[i],
                Label::High => self.y[i] = self.high[i],
                Label::Free => {
                    self.y[i] = 0.0;
                    self.free.push(i);
                }
            }
        }
        self.matrix.clear();
        self.rhs.clear();
        for &i in &self.free {
            let row = &self.h[i * n..(i + 1) * n];
            self.matrix.extend(self.free.iter().map(|j| row[*j]));
            self.rhs.push(-self.b[i] - dot(row, &self.y));
        }
        if !eliminate(&mut self.matrix, &mut self.rhs) {
            return false;
        }
        for (i, value) in self.free.iter().zip(&self.rhs) {
            self.y[*i] = *value;
        }
        true
    }

    /// y for the labels at hand with some rows tied to others, which are free; false where there is none.
    pub(super) fn solve_tied(&mut self, ties: &[Tie]) -> bool {
        let n = self.b.len();
        self.free.clear();
        for i in 0..n {
            let tied = ties.iter().any(|tie| tie.row == i);
            self.y[i] = match self.labels[i] {
                _ if tied => 0.0,
                Label::Low => self.low[i],
                Label::High => self.high[i],
                Label::Free => {
                    self.free.push(i);
                    0.0
                }
            };
        }
        self.matrix.clear();
        self.rhs.clear();
        for &i in &self.free {
            let row = &self.h[i * n..(i + 1) * n];
            let at = self.matrix.len();
            self.matrix.extend(self.free.iter().map(|j| row[*j]));
            for tie in ties {
                if let Ok(place) = self.free.binary_search(&tie.to) {
                    self.matrix[at + place] += tie.times * row[tie.row];
                }
            }
            self.rhs.push(-self.b[i] - dot(row, &self.y));
        }
        if !eliminate(&mut self.matrix, &mut self.rhs) {
            return false;
        }
        for (i, value) in self.free.iter().zip(&self.rhs) {
            self.y[*i] = *value;
        }
        for tie in ties {
            self.y[tie.row] += tie.times * self.y[tie.to];
        }
        true
    }

    /// Rows whose label is wrong.
    fn find_wrong(&mut self) {
        let n = self.b.len();
        self.wrong.clear();
        let size = self.y.iter().fold(1.0_f64, |m, y| m.max(y.abs()));
        let slack = SLACK * size;
        for i in 0..n {
            let (y, low, high) = (self.y[i], self.low[i], self.high[i]);
            let wrong = match self.labels[i] {
                Label::Free => y < low - slack || y > high + slack,
                _ if low == high => false,
                label => {
                    let slope = self.b[i] + dot(&self.h[i * n..(i + 1) * n], &self.y);
                    if label == Label::Low { slope < -slack } else { slope > slack }
                }
            };
            if wrong {
                self.wrong.push(i);
            }
        }
    }

    fn relabel(&mut self, i: usize) {
        self.labels[i] = match self.labels[i] {
            Label::Free if self.y[i] < self.low[i] => Label::Low,
            Label::Free => Label::High,
            _ => Label::Free,
        };
    }
}

/// How often all labels may change without fewer being wrong.
const PATIENCE: usize = 5;

/// How far beyond a bound rounding may be.
const SLACK: f64 = 1e-13;

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(h: &[f64], b: &[f64], low: f64, high: f64) -> Bard {
        let n = b.len();
        let mut bard = Bard::default();
        bard.resize(n);
        bard.h = h.to_vec();
        bard.b.copy_from_slice(b);
        bard.low.fill(low);
        bard.high.fill(high);
        bard
    }

    /// The example on which changing all labels at once goes round in circles for ever.
    #[test]
    fn labels_do_not_go_round_in_circles() {
        let h = [1.0, 2.0, 0.0, 0.0, 1.0, 2.0, 2.0, 0.0, 1.0];
        let mut bard = problem(&h, &[-1.0; 3], 0.0, f64::INFINITY);
        bard.labels.fill(Label::Low);
        let (solves, right) = bard.run(40);
        assert!(right && solves > 1, "{solves} solves");
        assert!(bard.y.iter().all(|y| (y - 1.0 / 3.0).abs() < 1e-14), "{:?}", bard.y);
    }

    #[test]
    fn bounds_hold_from_both_sides() {
        let mut bard = problem(&[2.0, 0.5, 0.5, 1.0], &[-8.0, 3.0], -1.0, 2.0);
        let (_, right) = bard.run(10);
        assert!(right && bard.y == [2.0, -1.0], "{:?}", bard.y);
    }
}
