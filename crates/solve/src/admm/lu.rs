//! Elimination in a sparse matrix over bodies that is not symmetric but whose pattern is.

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_unit_lower_triangular_in_place;
use faer::{Accum, MatMut, MatRef, Par};

use super::pattern::{Node, Pattern, dot, subtract};

/// A matrix A = L U without pivoting, L with ones on its diagonal. Each node holds its columns of L
/// and, on and above the diagonal, of U; and beside that its rows of U, transposed, to the right.
#[derive(Debug, Clone, Default)]
pub(super) struct Lu {
    lower: Vec<f64>,
    /// As `lower`; what is above `size` in each column is not used.
    upper: Vec<f64>,
    /// What a node takes from later ones, and where their rows are.
    update: Vec<f64>,
    at: Vec<u32>,
    panel: Vec<f64>,
}

impl Lu {
    /// Gets ready for a new pattern.
    pub(super) fn prepare(&mut self, pattern: &Pattern) {
        let (size, widest) = (pattern.size(), pattern.widest());
        for (list, size) in [
            (&mut self.lower, size),
            (&mut self.upper, size),
            (&mut self.update, widest * widest),
            (&mut self.panel, widest),
        ] {
            list.clear();
            list.resize(size, 0.0);
        }
        self.at.clear();
        self.at.resize(widest, 0);
    }

    /// Sets the matrix to zero.
    pub(super) fn clear(&mut self) {
        self.lower.fill(0.0);
        self.upper.fill(0.0);
    }

    /// Adds to the 6×6 block of two places, which holds rows.
    pub(super) fn add(&mut self, pattern: &Pattern, [i, j]: [u32; 2], block: &[[f64; 6]; 6]) {
        let node = &pattern.nodes[pattern.node_of[i.min(j) as usize] as usize];
        let (row, column) = (6 * i as usize, 6 * j as usize);
        let Some(late) = place_in(pattern, node, row.max(column)) else { return };
        let height = node.height();
        if i >= j || late < node.size {
            let top = if i >= j { late } else { row - node.first };
            for c in 0..6 {
                let at = node.values.start + (column - node.first + c) * height + top;
                for (value, block) in self.lower[at..at + 6].iter_mut().zip(block) {
                    *value += block[c];
                }
            }
        } else {
            for (r, block) in block.iter().enumerate() {
                let at = node.values.start + (row - node.first + r) * height + late;
                subtract(&mut self.upper[at..at + 6], -1.0, block);
            }
        }
    }

    /// Eliminates; false where a pivot is nothing or not finite.
    pub(super) fn factor(&mut self, pattern: &Pattern) -> bool {
        for node in &pattern.nodes {
            if !self.eliminate(node) {
                return false;
            }
            if !node.below.is_empty() {
                self.update(pattern, node);
            }
        }
        true
    }

    /// The columns and rows of one node, some at a time.
    fn eliminate(&mut self, node: &Node) -> bool {
        let (size, height) = (node.size, node.height());
        let (mut first, below) = (0, height - size);
        while first < size {
            let width = TOGETHER.min(size - first);
            let columns = &mut self.lower[node.values.clone()];
            let (before, here) = columns.split_at_mut(first * height);
            let here = &mut here[..width * height];
            let left = MatRef::from_column_major_slice(&*before, height, first);
            let block = MatMut::from_column_major_slice_mut(here, height, width);
            let (mut top, rest) = block.split_at_row_mut(first);
            let corner = left.subrows(0, first);
            solve_unit_lower_triangular_in_place(corner, top.as_mut(), Par::Seq);
            let lower = left.subrows(first, height - first);
            matmul(rest, Accum::Add, lower, top.as_ref(), -1.0, Par::Seq);
            if !eliminate_columns(&mut columns[first * height..], first, width, height) {
                return false;
            }
            if below > 0 {
                let rows = &mut self.upper[node.values.clone()];
                let (before, here) = rows.split_at_mut(first * height);
                let here = &mut here[..width * height];
                let right = MatRef::from_column_major_slice(&*before, height, first);
                let block = MatMut::from_column_major_slice_mut(here, height, width);
                let lower = MatRef::from_column_major_slice(&*columns, height, size);
                let factors = lower.submatrix(first, 0, width, first).transpose();
                let (rest, right) = (block.subrows_mut(size, below), right.subrows(size, below));
                matmul(rest, Accum::Add, right, factors, -1.0, Par::Seq);
                eliminate_rows(here, &columns[first * height..], [first, size], height);
            }
            first += width;
        }
        true
    }

    /// Takes the product of a node's columns and rows from the later nodes.
    fn update(&mut self, pattern: &Pattern, node: &Node) {
        let (size, height) = (node.size, node.height());
        let below = &pattern.below[node.below.clone()];
        let count = below.len();
        let piece = |values| MatRef::from_column_major_slice(values, height, size);
        let left = piece(&self.lower[node.values.clone()]).subrows(size, count);
        let right = piece(&self.upper[node.values.clone()]).subrows(size, count);
        let update = &mut self.update[..count * count];
        let product = MatMut::from_column_major_slice_mut(update, count, count);
        matmul(product, Accum::Replace, left, right.transpose(), 1.0, Par::Seq);
        let mut from = 0;
        while from < count {
            let later = &pattern.nodes[pattern.node_of[below[from] as usize / 6] as usize];
            let end = later.first + later.size;
            let to = from + below[from..].partition_point(|row| (*row as usize) < end);
            self.scatter(pattern, later, below, from..to);
            from = to;
        }
    }

    /// Takes from a later node, whose columns are `own` among the rows `below`.
    fn scatter(
        &mut self,
        pattern: &Pattern,
        later: &Node,
        below: &[u32],
        own: std::ops::Range<usize>,
    ) {
        let (count, height) = (below.len(), later.height());
        let rows = &pattern.below[later.below.clone()];
        let mut k = 0;
        for i in own.start..count {
            let row = below[i] as usize;
            self.at[i] = if i < own.end {
                (row - later.first) as u32
            } else {
                while rows[k] < below[i] {
                    k += 1;
                }
                (later.size + k) as u32
            };
        }
        let at = &self.at[own.start..count];
        for j in own.clone() {
            let column = below[j] as usize - later.first;
            let start = later.values.start + column * height;
            let into = &mut self.lower[start..start + height];
            let update = &self.update[j * count + own.start..(j + 1) * count];
            for (at, update) in at.iter().zip(update) {
                into[*at as usize] -= update;
            }
        }
        for j in own.end..count {
            let update = &self.update[j * count..(j + 1) * count];
            let start = later.values.start + self.at[j] as usize;
            for i in own.clone() {
                self.upper[start + self.at[i] as usize * height] -= update[i];
            }
        }
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
                let value = x[first + c];
                subtract(&mut x[first + c + 1..first + size], value, &top[c + 1..]);
                subtract(panel, value, rest);
            }
            for (row, p) in below.iter().zip(panel.iter()) {
                x[*row as usize] += p;
            }
        }
        for node in pattern.nodes.iter().rev() {
            let (first, size, height) = (node.first, node.size, node.height());
            let below = &pattern.below[node.below.clone()];
            let panel = &mut self.panel[..below.len()];
            for (row, p) in below.iter().zip(panel.iter_mut()) {
                *p = x[*row as usize];
            }
            let rows = self.upper[node.values.clone()].chunks_exact(height);
            for (x, row) in x[first..first + size].iter_mut().zip(rows) {
                *x -= dot(&row[size..], panel);
            }
            let columns = self.lower[node.values.clone()].chunks_exact(height);
            for (c, column) in columns.enumerate().rev() {
                let value = x[first + c] / column[c];
                x[first + c] = value;
                subtract(&mut x[first..first + c], value, &column[..c]);
            }
        }
    }
}

/// Columns from the one of the number `first` on, from each other; they hold L and U then.
fn eliminate_columns(columns: &mut [f64], first: usize, width: usize, height: usize) -> bool {
    for k in 0..width {
        let (before, column) = columns.split_at_mut(k * height);
        let column = &mut column[..height];
        for (m, earlier) in before.chunks_exact(height).enumerate() {
            let m = first + m;
            let factor = column[m];
            subtract(&mut column[m + 1..], factor, &earlier[m + 1..]);
        }
        let pivot = column[first + k];
        if !(pivot.abs() > 0.0) || !pivot.is_finite() {
            return false;
        }
        for value in &mut column[first + k + 1..] {
            *value /= pivot;
        }
    }
    true
}

/// Rows of U to the right of these columns, from each other.
fn eliminate_rows(rows: &mut [f64], columns: &[f64], [first, size]: [usize; 2], height: usize) {
    for k in 1..rows.len() / height {
        let (before, row) = rows.split_at_mut(k * height);
        let earlier = before.chunks_exact(height).zip(columns.chunks_exact(height));
        for (earlier, column) in earlier {
            subtract(&mut row[size..height], column[first + k], &earlier[size..]);
        }
    }
}

/// Where a row is in the piece of a node.
fn place_in(pattern: &Pattern, node: &Node, row: usize) -> Option<usize> {
    if row < node.first + node.size {
        return Some(row - node.first);
    }
    let below = &pattern.below[node.below.clone()];
    below.binary_search(&(row as u32)).ok().map(|k| node.size + k)
}

/// Columns that are eliminated from each other one by one.
const TOGETHER: usize = 12;

#[cfg(test)]
mod tests {
    use asperity_friction::random::Rng;

    use super::super::factor::Factor;
    use super::*;

    /// A block of six rows and columns, and the two bodies that it joins.
    type Block = ([u32; 2], [[f64; 6]; 6]);

    /// Blocks of random numbers, with a diagonal that outweighs them.
    fn random_blocks(bodies: u32, rng: &mut Rng) -> (Pattern, Vec<Block>) {
        let mut pairs: Vec<(u32, u32)> = (1..bodies).map(|k| (k - 1, k)).collect();
        pairs.extend((0..2 * bodies).map(|_| {
            let [a, b] = [0; 2].map(|_| rng.index(bodies as usize) as u32);
            (a.min(b), a.max(b))
        }));
        pairs.retain(|(a, b)| a != b);
        pairs.sort_unstable();
        pairs.dedup();
        let mut pattern = Pattern::default();
        assert_eq!(pattern.analyse(bodies as usize, &pairs), Some(true));
        assert_eq!(pattern.analyse(bodies as usize, &pairs), Some(false));
        let place = |k: u32| pattern.place[k as usize];
        let mut blocks = Vec::new();
        let all =
            pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).chain((0..bodies).map(|k| (k, k)));
        for (a, b) in all {
            let mut block = [[0.0; 6]; 6];
            for (i, row) in block.iter_mut().enumerate() {
                for value in row.iter_mut() {
                    *value = rng.uniform(-1.0, 1.0);
                }
                row[i] += if a == b { 60.0 } else { 0.0 };
            }
            blocks.push(([place(a), place(b)], block));
        }
        (pattern, blocks)
    }

    #[test]
    fn elimination_solves_what_blocks_say() {
        let mut rng = Rng::new(11);
        for bodies in [1, 2, 7, 40, 90] {
            let (pattern, blocks) = random_blocks(bodies, &mut rng);
            let n = 6 * bodies as usize;
            let mut lu = Lu::default();
            lu.prepare(&pattern);
            let wanted: Vec<f64> = (0..n).map(|_| rng.uniform(-1.0, 1.0)).collect();
            let mut x = vec![0.0; n];
            for ([i, j], block) in &blocks {
                lu.add(&pattern, [*i, *j], block);
                for (r, row) in block.iter().enumerate() {
                    let column = &wanted[6 * *j as usize..6 * *j as usize + 6];
                    x[6 * *i as usize + r] += dot(row, column);
                }
            }
            assert!(lu.factor(&pattern), "{bodies} bodies");
            lu.solve(&pattern, &mut x);
            for (x, wanted) in x.iter().zip(&wanted) {
                assert!((x - wanted).abs() < 1e-11, "{bodies} bodies: {x} for {wanted}");
            }
        }
    }

    #[test]
    fn the_symmetric_factor_solves_what_rows_say() {
        let mut rng = Rng::new(12);
        for bodies in [1, 3, 50] {
            let (pattern, blocks) = random_blocks(bodies, &mut rng);
            let n = 6 * bodies as usize;
            let wanted: Vec<f64> = (0..n).map(|_| rng.uniform(-1.0, 1.0)).collect();
            let (mut factor, mut x) = (Factor::default(), wanted.clone());
            factor.prepare(&pattern);
            let one = |k: usize| std::array::from_fn(|i| f64::from(i == k));
            for k in 0..bodies {
                (0..6).for_each(|c| factor.add(&pattern, [k; 2], &one(c), &one(c)));
            }
            // One plus rows j of two bodies each, jᵀj.
            for ([a, b], block) in blocks.iter().filter(|([a, b], _)| a > b) {
                let (left, right) = (&block[0], &block[1]);
                factor.add(&pattern, [*a, *a], left, left);
                factor.add(&pattern, [*a, *b], left, right);
                factor.add(&pattern, [*b, *b], right, right);
                let (a, b) = (6 * *a as usize, 6 * *b as usize);
                let along = dot(left, &wanted[a..a + 6]) + dot(right, &wanted[b..b + 6]);
                subtract(&mut x[a..a + 6], -along, left);
                subtract(&mut x[b..b + 6], -along, right);
            }
            assert!(factor.factor(&pattern), "{bodies} bodies");
            factor.solve(&pattern, &mut x);
            for (x, wanted) in x.iter().zip(&wanted) {
                assert!((x - wanted).abs() < 1e-10, "{bodies} bodies: {x} for {wanted}");
            }
        }
    }
}
