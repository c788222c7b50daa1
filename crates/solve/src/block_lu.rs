//! Sparse elimination with 6×6 blocks, one row of blocks per body.

use crate::vectors::Vectorised;

/// A 6×6 block, row by row.
pub(crate) type Block = [f64; 36];

/// A matrix of blocks with a symmetric pattern, factored in place. Blocks are eliminated in the
/// order of least degree, without pivoting between blocks.
#[derive(Debug, Clone, Default)]
pub(crate) struct BlockLu {
    /// Which block row is eliminated k-th, and when each block row is.
    order: Vec<u32>,
    place: Vec<u32>,
    /// For the k-th elimination: the rows it fills, by their place, from `start[k]`.
    start: Vec<usize>,
    later: Vec<u32>,
    diagonal: Vec<Block>,
    /// Blocks (k, later) and (later, k).
    upper: Vec<Block>,
    lower: Vec<Block>,
    pattern: Vec<(u32, u32)>,
    work: Vec<[f64; 6]>,
}

impl BlockLu {
    /// Finds the order and what fills in, for `n` rows of blocks and these pairs of rows that
    /// touch (sorted, without doubles). Returns false where the products of blocks would be more
    /// than `most`.
    pub(crate) fn analyse(&mut self, n: usize, pairs: &[(u32, u32)], most: usize) -> bool {
        if self.is_for(n, pairs) {
            return true;
        }
        self.pattern.clear();
        self.order.clear();
        self.start.clear();
        self.later.clear();
        let mut near: Vec<Vec<u32>> = vec![Vec::new(); n];
        for &(a, b) in pairs.iter().filter(|(a, b)| a != b) {
            near[a as usize].push(b);
            near[b as usize].push(a);
        }
        let mut left: Vec<u32> = (0..n as u32).collect();
        let mut cost = 0;
        while !left.is_empty() {
            let mut best = 0;
            for i in 1..left.len() {
                if near[left[i] as usize].len() < near[left[best] as usize].len() {
                    best = i;
                }
            }
            let row = left.remove(best);
            let around = std::mem::take(&mut near[row as usize]);
            cost += (around.len() + 1) * (around.len() + 1);
            if cost > most {
                self.order.clear();
                return false;
            }
            for &a in &around {
                let list = &mut near[a as usize];
                list.retain(|b| *b != row);
                list.extend(around.iter().filter(|b| **b != a));
                list.sort_unstable();
                list.dedup();
            }
            self.order.push(row);
            self.start.push(self.later.len());
            self.later.extend(around);
        }
        self.start.push(self.later.len());
        self.place.clear();
        self.place.resize(n, 0);
        for (k, row) in self.order.iter().enumerate() {
            self.place[*row as usize] = k as u32;
        }
        for k in 0..n {
            let range = self.start[k]..self.start[k + 1];
            for row in &mut self.later[range.clone()] {
                *row = self.place[*row as usize];
            }
            self.later[range].sort_unstable();
        }
        self.diagonal.resize(n, [0.0; 36]);
        self.upper.resize(self.later.len(), [0.0; 36]);
        self.lower.resize(self.later.len(), [0.0; 36]);
        self.work.resize(n, [0.0; 6]);
        self.pattern.extend_from_slice(pairs);
        true
    }

    /// Whether it was analysed for these rows and pairs.
    pub(crate) fn is_for(&self, n: usize, pairs: &[(u32, u32)]) -> bool {
        self.order.len() == n && self.pattern == pairs
    }

    /// Sets all blocks to zero.
    pub(crate) fn clear(&mut self) {
        self.diagonal.fill([0.0; 36]);
        self.upper.fill([0.0; 36]);
        self.lower.fill([0.0; 36]);
    }

    /// The block of two rows that touch.
    pub(crate) fn block(&mut self, row: usize, column: usize) -> &mut Block {
        let (i, j) = (self.place[row], self.place[column]);
        self.at(i, j)
    }

    fn at(&mut self, i: u32, j: u32) -> &mut Block {
        if i == j {
            return &mut self.diagonal[i as usize];
        }
        let (low, high) = (i.min(j), i.max(j));
        let range = self.start[low as usize]..self.start[low as usize + 1];
        let first = range.start;
        let at = first + self.later[range].partition_point(|x| *x < high);
        if i < j { &mut self.upper[at] } else { &mut self.lower[at] }
    }

    /// Eliminates. False where a block is singular.
    pub(crate) fn factor(&mut self) -> bool {
        Elimination(self).with_vectors()
    }

    #[inline(always)]
    fn eliminate(&mut self) -> bool {
        for k in 0..self.order.len() {
            let Some(inverse) = invert(&self.diagonal[k]) else { return false };
            self.diagonal[k] = inverse;
            for p in self.start[k]..self.start[k + 1] {
                let i = self.later[p];
                let left = product(&self.lower[p], &inverse);
                self.lower[p] = left;
                for s in self.start[k]..self.start[k + 1] {
                    let j = self.later[s];
                    let right = self.upper[s];
                    subtract(self.at(i, j), &left, &right);
                }
            }
        }
        true
    }

    /// Solves for a right-hand side, in place: one vector per block row.
    pub(crate) fn solve(&mut self, x: &mut [[f64; 6]]) {
        let n = self.order.len();
        for (k, row) in self.order.iter().enumerate() {
            self.work[k] = x[*row as usize];
        }
        for k in 0..n {
            let from = self.work[k];
            for p in self.start[k]..self.start[k + 1] {
                subtract_vector(&mut self.work[self.later[p] as usize], &self.lower[p], &from);
            }
        }
        for k in (0..n).rev() {
            let mut sum = self.work[k];
            for p in self.start[k]..self.start[k + 1] {
                subtract_vector(&mut sum, &self.upper[p], &self.work[self.later[p] as usize]);
            }
            let mut result = [0.0; 6];
            subtract_vector(&mut result, &self.diagonal[k], &sum);
            self.work[k] = result.map(|v| -v);
        }
        for (k, row) in self.order.iter().enumerate() {
            x[*row as usize] = self.work[k];
        }
    }
}

/// The elimination of all rows of blocks.
struct Elimination<'a>(&'a mut BlockLu);

impl Vectorised for Elimination<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.0.eliminate()
    }
}

#[inline(always)]
fn product(a: &Block, b: &Block) -> Block {
    let mut c = [0.0; 36];
    for i in 0..6 {
        for k in 0..6 {
            let factor = a[6 * i + k];
            for j in 0..6 {
                c[6 * i + j] += factor * b[6 * k + j];
            }
        }
    }
    c
}

#[inline(always)]
fn subtract(c: &mut Block, a: &Block, b: &Block) {
    for i in 0..6 {
        for k in 0..6 {
            let factor = a[6 * i + k];
            for j in 0..6 {
                c[6 * i + j] -= factor * b[6 * k + j];
            }
        }
    }
}

fn subtract_vector(y: &mut [f64; 6], a: &Block, x: &[f64; 6]) {
    for i in 0..6 {
        for j in 0..6 {
            y[i] -= a[6 * i + j] * x[j];
        }
    }
}

/// Gauss–Jordan with pivoting.
fn invert(a: &Block) -> Option<Block> {
    let mut m = *a;
    let mut inverse = [0.0; 36];
    for i in 0..6 {
        inverse[7 * i] = 1.0;
    }
    for k in 0..6 {
        let mut pivot = k;
        for i in k + 1..6 {
            if m[6 * i + k].abs() > m[6 * pivot + k].abs() {
                pivot = i;
            }
        }
        let value = m[6 * pivot + k];
        if !(value.abs() > 0.0) || !value.is_finite() {
            return None;
        }
        if pivot != k {
            for j in 0..6 {
                m.swap(6 * k + j, 6 * pivot + j);
                inverse.swap(6 * k + j, 6 * pivot + j);
            }
        }
        for j in 0..6 {
            m[6 * k + j] /= value;
            inverse[6 * k + j] /= value;
        }
        for i in (0..6).filter(|i| *i != k) {
            let factor = m[6 * i + k];
            if factor != 0.0 {
                for j in 0..6 {
                    m[6 * i + j] -= factor * m[6 * k + j];
                    inverse[6 * i + j] -= factor * inverse[6 * k + j];
                }
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elimination_solves_a_ring_of_blocks_with_chords() {
        let n = 9;
        let mut pairs: Vec<(u32, u32)> = (0..n as u32 - 1).map(|i| (i, i + 1)).collect();
        pairs.extend([(0, 8), (2, 6), (1, 7)]);
        pairs.sort_unstable();
        let mut random = 1_u64;
        let mut next = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        let mut lu = BlockLu::default();
        assert!(lu.analyse(n, &pairs, usize::MAX));
        let mut dense = vec![vec![0.0; 6 * n]; 6 * n];
        let both = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        for (a, b) in both.chain((0..n as u32).map(|i| (i, i))) {
            let (a, b) = (a as usize, b as usize);
            for i in 0..36 {
                let value = next() + if a == b && i % 7 == 0 { 8.0 } else { 0.0 };
                lu.block(a, b)[i] = value;
                dense[6 * a + i / 6][6 * b + i % 6] = value;
            }
        }
        let want: Vec<f64> = (0..6 * n).map(|_| next()).collect();
        let mut x: Vec<[f64; 6]> = vec![[0.0; 6]; n];
        for i in 0..6 * n {
            x[i / 6][i % 6] = dense[i].iter().zip(&want).map(|(a, b)| a * b).sum();
        }
        assert!(lu.factor());
        lu.solve(&mut x);
        for i in 0..6 * n {
            assert!((x[i / 6][i % 6] - want[i]).abs() < 1e-12);
        }
    }

    #[test]
    fn work_beyond_the_limit_is_refused() {
        let pairs: Vec<(u32, u32)> = (0..8).flat_map(|i| (i + 1..8).map(move |j| (i, j))).collect();
        let mut lu = BlockLu::default();
        assert!(!lu.analyse(8, &pairs, 100));
        assert!(lu.analyse(8, &pairs, 1000));
    }
}
