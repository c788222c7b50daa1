//! A symmetric sparse matrix of 3 × 3 blocks.

use glamx::{DMat3, DVec3};
use pulp::{Arch, Simd, WithSimd};
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

    /// Rows of A x from row `first` on, as many as `y` has room for.
    pub(crate) fn rows_times(&self, first: usize, x: &[DVec3], y: &mut [DVec3]) {
        Arch::new().dispatch(Rows { matrix: self, first, x, y });
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
        if self.rows() <= ALONE {
            self.rows_times(0, x, y);
        } else {
            let parts = y.par_chunks_mut(CHUNK).enumerate();
            parts.for_each(|(c, part)| self.rows_times(c * CHUNK, x, part));
        }
    }

    /// Sets every block (i, j) with i ≤ j to what `fill` says, and the others to their transposes.
    /// `fill` is given the row, where its blocks begin, where the diagonal one is
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

    /// Where block (i, j) is stored.
    pub(crate) fn find(&self, i: usize, j: usize) -> Option<usize> {
        let range = self.range(i);
        let at = self.column[range.clone()].binary_search(&(j as u32)).ok()?;
        Some(range.start + at)
    }

    fn range(&self, i: usize) -> std::ops::Range<usize> {
        self.start[i] as usize..self.start[i + 1] as usize
    }
}

/// Rows of a product, for the vectors that the processor has. Bits do not depend on them.
struct Rows<'a> {
    matrix: &'a BlockMatrix,
    first: usize,
    x: &'a [DVec3],
    y: &'a mut [DVec3],
}

impl WithSimd for Rows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Rows { matrix, first, x, y } = self;
        for (i, out) in (first..).zip(y) {
            // Four numbers at a time: the first two columns of a block with one number after, and
            // the last one with one before. What does not belong there is not read.
            let (mut front, mut middle, mut back) = ([0.0; 4], [0.0; 4], [0.0; 4]);
            for (j, block) in matrix.row(i) {
                let m = block.as_ref();
                let v = x[j];
                for l in 0..4 {
                    front[l] += m[l] * v.x;
                    middle[l] += m[3 + l] * v.y;
                    back[l] += m[5 + l] * v.z;
                }
            }
            let sum = |l: usize| front[l] + middle[l] + back[l + 1];
            *out = DVec3::new(sum(0), sum(1), sum(2));
        }
    }
}

#[cfg(test)]
mod tests {
    use glamx::{DVec2, DVec3};

    use crate::{Fabric, SoftBody, mesh};

    fn bent_cloth() -> SoftBody {
        let sheet = mesh::cloth_rectangle(DVec2::ONE, [7, 5]).unwrap();
        let mut cloth = SoftBody::cloth(&sheet, &Fabric::cotton()).unwrap();
        for x in &mut cloth.positions {
            x.y += 0.2 * (3.0 * x.x).sin() + 0.1 * x.z * x.z;
        }
        cloth.free_velocities(0.01, DVec3::NEG_Y, &[]);
        cloth
    }

    /// Of the same size as a vector of ones, and different everywhere.
    fn wild(n: usize) -> Vec<DVec3> {
        (0..n).map(|i| (DVec3::new(1.0, 2.0, 3.0) * i as f64).map(f64::sin)).collect()
    }

    #[test]
    fn products_by_rows_agree_with_the_numbers_one_by_one() {
        let cloth = bent_cloth();
        let n = cloth.positions.len();
        let (x, mut y) = (wild(n), vec![DVec3::ZERO; n]);
        cloth.matrix().multiply(&x, &mut y);
        let mut by_hand = vec![0.0; 3 * n];
        for (i, j, value) in cloth.matrix().triplets() {
            by_hand[i] += value * x[j / 3][j % 3];
        }
        let size = by_hand.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        for (i, value) in by_hand.iter().enumerate() {
            assert!((value - y[i / 3][i % 3]).abs() < 1e-13 * size, "number {i}");
        }
        // From a row in the middle on.
        let mut part = vec![DVec3::ZERO; 5];
        cloth.matrix().rows_times(3, &x, &mut part);
        assert_eq!(part, y[3..8]);
    }

    #[test]
    fn a_solve_leaves_the_product_with_what_it_found() {
        let mut cloth = bent_cloth();
        let n = cloth.positions.len();
        cloth.pinned[2] = true;
        let (b, mut x) = (wild(n), vec![DVec3::ONE; n]);
        let report = cloth.solve(&b, &mut x);
        assert!(report.iterations > 3);
        let mut y = vec![DVec3::ZERO; n];
        cloth.matrix().multiply(&x, &mut y);
        let size = y.iter().fold(0.0_f64, |m, v| m.max(v.length()));
        for (kept, now) in cloth.linear.gradients.product.iter().zip(&y) {
            assert!(kept.distance(*now) < 1e-12 * size, "{kept} {now}");
        }
    }
}
