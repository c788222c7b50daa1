use glamx::{DMat3, DVec3};
use rayon::prelude::*;

/// A symmetric sparse matrix of 3 × 3 blocks with a pattern that never changes, compressed by
/// rows. Both triangles are stored.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BlockMatrix {
    start: Vec<u32>,
    column: Vec<u32>,
    block: Vec<DMat3>,
    /// Where the diagonal block of each row is.
    diagonal: Vec<u32>,
    /// Where block (j, i) is, for block (i, j).
    mirror: Vec<u32>,
}

/// Rows that one task works on: the same for any number of threads.
pub(crate) const CHUNK: usize = 512;

/// Up to so many rows one thread is faster than several that wait for each other.
pub(crate) const ALONE: usize = 4 * CHUNK;

impl BlockMatrix {
    /// A matrix of zeros for `n` vertices, with a block wherever two vertices of an element meet.
    pub(crate) fn new(n: usize, elements: &mut dyn Iterator<Item = &[u32]>) -> BlockMatrix {
        let mut neighbours: Vec<Vec<u32>> = (0..n).map(|i| vec![i as u32]).collect();
        for element in elements {
            for i in element {
                neighbours[*i as usize].extend(element);
            }
        }
        let mut m = BlockMatrix { start: vec![0], ..BlockMatrix::default() };
        for (i, row) in neighbours.iter_mut().enumerate() {
            row.sort_unstable();
            row.dedup();
            let at = row.partition_point(|j| (*j as usize) < i);
            m.diagonal.push((m.column.len() + at) as u32);
            m.column.extend(row.iter());
            m.start.push(m.column.len() as u32);
        }
        m.block = vec![DMat3::ZERO; m.column.len()];
        m.mirror = (0..n)
            .flat_map(|i| m.range(i).map(move |k| (i, k)))
            .map(|(i, k)| m.find(m.column[k] as usize, i).unwrap_or(k) as u32)
            .collect();
        m
    }

    /// Number of rows of blocks: of vertices.
    pub fn rows(&self) -> usize {
        self.diagonal.len()
    }

    /// Number of blocks stored.
    pub fn blocks(&self) -> usize {
        self.block.len()
    }

    /// The blocks of one row as (column, block), by growing column.
    #[inline]
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, &DMat3)> + '_ {
        let range = self.range(i);
        self.column[range.clone()].iter().map(|j| *j as usize).zip(&self.block[range])
    }

    /// The diagonal block of a row.
    #[inline]
    pub fn diagonal(&self, i: usize) -> &DMat3 {
        &self.block[self.diagonal[i] as usize]
    }

    /// Row i of A x.
    #[inline]
    pub fn row_times(&self, i: usize, x: &[DVec3]) -> DVec3 {
        let mut sum = DVec3::ZERO;
        for (j, b) in self.row(i) {
            sum += *b * x[j];
        }
        sum
    }

    /// All numbers as (row, column, value), three rows and columns to a block.
    pub fn triplets(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.rows()).flat_map(move |i| {
            self.row(i).flat_map(move |(j, b)| {
                (0..9).map(move |k| (3 * i + k % 3, 3 * j + k / 3, b.col(k / 3)[k % 3]))
            })
        })
    }

    /// y = A x.
    pub fn multiply(&self, x: &[DVec3], y: &mut [DVec3]) {
        let product = |i: usize| self.row_times(i, x);
        if self.rows() <= ALONE {
            for (i, out) in y.iter_mut().enumerate() {
                *out = product(i);
            }
            return;
        }
        y.par_chunks_mut(CHUNK).enumerate().for_each(|(c, part)| {
            for (k, out) in part.iter_mut().enumerate() {
                *out = product(c * CHUNK + k);
            }
        });
    }

    /// Sets every block (i, j) with i ≤ j to what `fill` says, in any order, and the others to
    /// their transposes. `fill` is given the row, where its blocks begin, where the diagonal one is
    /// among them, and the blocks.
    pub(crate) fn fill(&mut self, fill: impl Fn(usize, usize, usize, &mut [DMat3]) + Sync) {
        let BlockMatrix { start, column, block, diagonal, mirror } = self;
        let rows = diagonal.len();
        // Rows own disjoint ranges of blocks: cut them at the same places for any thread count.
        let mut parts = Vec::with_capacity(rows.div_ceil(CHUNK));
        let mut rest = block.as_mut_slice();
        for first in (0..rows).step_by(CHUNK) {
            let last = (first + CHUNK).min(rows);
            let (part, tail) = rest.split_at_mut((start[last] - start[first]) as usize);
            rest = tail;
            parts.push((first, last, part));
        }
        let work = |(first, last, part): (usize, usize, &mut [DMat3])| {
            let base = start[first] as usize;
            for i in first..last {
                let range = start[i] as usize - base..start[i + 1] as usize - base;
                let at = start[i] as usize;
                fill(i, at, diagonal[i] as usize - at, &mut part[range]);
            }
        };
        if rows <= ALONE {
            parts.into_iter().for_each(work);
        } else {
            parts.into_par_iter().for_each(work);
        }
        for i in 0..rows {
            for k in start[i] as usize..diagonal[i] as usize {
                debug_assert!((column[k] as usize) < i);
                block[k] = block[mirror[k] as usize].transpose();
            }
        }
    }

    /// Where the blocks of a row begin.
    pub(crate) fn first(&self, row: usize) -> usize {
        self.start[row] as usize
    }

    /// Where block (i, j) is, counted from the start of row i.
    pub(crate) fn slot(&self, i: usize, j: usize) -> Option<u32> {
        Some(self.find(i, j)? as u32 - self.start[i])
    }

    /// Where block (i, j) is stored.
    fn find(&self, i: usize, j: usize) -> Option<usize> {
        let range = self.range(i);
        let at = self.column[range.clone()].binary_search(&(j as u32)).ok()?;
        Some(range.start + at)
    }

    fn range(&self, i: usize) -> std::ops::Range<usize> {
        self.start[i] as usize..self.start[i + 1] as usize
    }
}
