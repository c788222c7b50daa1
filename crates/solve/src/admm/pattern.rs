//! Where a matrix over bodies has numbers, and where its factors do. Kept between problems alike.

use std::ops::Range;
use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::SymbolicSupernodalParams;
use faer::sparse::linalg::cholesky::{simplicial, supernodal};

use super::order::order;

/// What faer knows about the fill.
pub(super) type Symbolic = supernodal::SymbolicSupernodalCholesky<u32>;

/// The pattern of a matrix with a 6×6 block for each body and each two bodies that share a row. Rows
/// and columns are in the order of elimination.
#[derive(Debug, Clone, Default)]
pub(super) struct Pattern {
    /// When each body is eliminated.
    pub(super) place: Vec<u32>,
    /// What it is for.
    pairs: Vec<(u32, u32)>,
    /// For each place, the later places it touches, ascending, from `start[k]` on.
    pub(super) start: Vec<usize>,
    pub(super) later: Vec<u32>,
    /// The lower half by columns.
    pub(super) columns: Vec<u32>,
    pub(super) rows: Vec<u32>,
    pub(super) symbolic: Option<Arc<Symbolic>>,
    /// Columns that share rows below, in the order of elimination.
    pub(super) nodes: Vec<Node>,
    /// Rows below the nodes.
    pub(super) below: Vec<u32>,
    /// The node of each place.
    pub(super) node_of: Vec<u32>,
}

/// Some columns next to each other with the same rows below: a dense piece of a factor, stored by columns.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// Its first column, and how many there are.
    pub(super) first: usize,
    pub(super) size: usize,
    /// Its rows below, in [`Pattern::below`].
    pub(super) below: Range<usize>,
    /// Its numbers in a factor.
    pub(super) values: Range<usize>,
}

impl Node {
    /// Rows of its piece.
    pub(super) fn height(&self) -> usize {
        self.size + self.below.len()
    }
}

impl Pattern {
    /// Finds the order of elimination and what fills in, unless that is known; `pairs` are the bodies
    /// that share a row, sorted and without doubles. A pattern with somewhat more will do. `None` where
    /// it cannot, else whether it is new.
    pub(super) fn analyse(&mut self, bodies: usize, pairs: &[(u32, u32)]) -> Option<bool> {
        if self.symbolic.is_some() && self.place.len() == bodies && self.holds(pairs) {
            return Some(false);
        }
        self.symbolic = None;
        self.pairs.clear();
        self.pairs.extend_from_slice(pairs);
        self.place = order(bodies, pairs);
        self.find_lower_half();
        let symbolic = self.find_fill()?;
        self.list_nodes(&symbolic)?;
        self.symbolic = Some(Arc::new(symbolic));
        Some(true)
    }

    /// Whether it has all these pairs and not many more.
    fn holds(&self, pairs: &[(u32, u32)]) -> bool {
        let mut own = self.pairs.iter();
        let few = self.pairs.len() <= pairs.len() + pairs.len() / SPARE + SPARE;
        few && pairs.iter().all(|pair| own.any(|own| own == pair))
    }

    /// Numbers in a factor.
    pub(super) fn size(&self) -> usize {
        self.nodes.last().map_or(0, |node| node.values.end)
    }

    /// Most rows below any node.
    pub(super) fn widest(&self) -> usize {
        self.nodes.iter().map(|node| node.below.len()).max().unwrap_or(0)
    }

    fn find_lower_half(&mut self) {
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(self.pairs.len());
        for &(a, b) in &self.pairs {
            let (a, b) = (self.place[a as usize], self.place[b as usize]);
            pairs.push((a.min(b), a.max(b)));
        }
        pairs.sort_unstable();
        for list in [&mut self.later, &mut self.columns, &mut self.rows] {
            list.clear();
        }
        self.start.clear();
        let mut next = pairs.iter().peekable();
        for k in 0..self.place.len() as u32 {
            let first = self.later.len();
            self.start.push(first);
            while let Some((_, b)) = next.next_if(|(a, _)| *a == k) {
                self.later.push(*b);
            }
            for c in 0..6 {
                self.columns.push(self.rows.len() as u32);
                self.rows.extend(6 * k + c..6 * k + 6);
                self.rows.extend(self.later[first..].iter().flat_map(|b| 6 * b..6 * b + 6));
            }
        }
        self.start.push(self.later.len());
        self.columns.push(self.rows.len() as u32);
    }

    fn find_fill(&self) -> Option<Symbolic> {
        let n = 6 * self.place.len();
        // The upper half by columns is the lower half by rows.
        let mut columns = vec![0_u32; n + 1];
        for row in &self.rows {
            columns[*row as usize + 1] += 1;
        }
        for k in 0..n {
            columns[k + 1] += columns[k];
        }
        let (mut at, mut rows) = (columns.clone(), vec![0_u32; self.rows.len()]);
        for (column, span) in self.columns.windows(2).enumerate() {
            for row in &self.rows[span[0] as usize..span[1] as usize] {
                let at = &mut at[*row as usize];
                rows[*at as usize] = column as u32;
                *at += 1;
            }
        }
        let upper = SymbolicSparseColMatRef::new_checked(n, n, &columns, None, &rows);
        let (mut tree, mut counts) = (vec![0_i32; n], vec![0_u32; n]);
        let need = simplicial::prefactorize_symbolic_cholesky_scratch::<u32>(n, rows.len())
            .or(supernodal::factorize_supernodal_symbolic_cholesky_scratch::<u32>(n));
        let mut memory = MemBuffer::new(need);
        let stack = MemStack::new(&mut memory);
        let tree = simplicial::prefactorize_symbolic_cholesky(&mut tree, &mut counts, upper, stack);
        let stack = MemStack::new(&mut memory);
        let params = SymbolicSupernodalParams::default();
        supernodal::factorize_supernodal_symbolic_cholesky(upper, tree, &counts, stack, params).ok()
    }

    /// The nodes; `None` should the columns of a body not be together, which no pattern leads to.
    fn list_nodes(&mut self, symbolic: &Symbolic) -> Option<()> {
        self.nodes.clear();
        self.below.clear();
        self.node_of.clear();
        self.node_of.resize(self.place.len(), 0);
        let (begin, end) = (symbolic.supernode_begin(), symbolic.supernode_end());
        let at = symbolic.col_ptr_for_val();
        for k in 0..symbolic.n_supernodes() {
            let (first, size) = (begin[k] as usize, (end[k] - begin[k]) as usize);
            if first % 6 != 0 || size % 6 != 0 {
                return None;
            }
            let start = self.below.len();
            self.below.extend_from_slice(symbolic.supernode(k).pattern());
            self.node_of[first / 6..(first + size) / 6].fill(k as u32);
            let values = at[k] as usize..at[k + 1] as usize;
            self.nodes.push(Node { first, size, below: start..self.below.len(), values });
        }
        Some(())
    }
}

/// In eight sums, so that it runs eight at a time.
#[inline]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a8.remainder().iter().zip(b8.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a8.zip(b8) {
        for k in 0..8 {
            sums[k] += a[k] * b[k];
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (b + f)) + ((c + g) + (d + h)) + rest
}

/// y ← y − factor·x.
#[inline]
pub(super) fn subtract(y: &mut [f64], factor: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y -= factor * x;
    }
}

/// A pattern may have one more pair for each so many, and as many more.
const SPARE: usize = 4;
