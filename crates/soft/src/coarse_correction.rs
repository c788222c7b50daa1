//! The coarse correction of conjugate gradients over groups of vertices.

use glamx::{DMat3, DVec3};
use rayon::prelude::*;

use crate::freedom::{Freedom, NONE};
use crate::groups::Groups;
use crate::own_unit::own_unit;
use crate::system::{ALONE, BlockMatrix, CHUNK};

/// A coarse correction for conjugate gradients, z = Z (Zᵀ A Z)⁻¹ Zᵀ r, where the columns of Z move
/// [`Groups`] of vertices. What is smooth over the body is found at once instead of vertex by
/// vertex.
#[derive(Debug, Clone, Default)]
pub(crate) struct Coarse {
    groups: Groups,
    strips: Vec<Strip>,
    /// Lower Cholesky factor, row by row, three rows to a group.
    factor: Vec<f64>,
    /// Unit of the matrix that was factored, kg.
    unit: f64,
    x: Vec<f64>,
}

/// A Z for the vertices of a chunk: groups with blocks, and where those of each vertex begin.
#[derive(Debug, Clone, Default)]
struct Strip {
    start: Vec<u32>,
    blocks: Vec<(u32, DMat3)>,
    /// Where the block of each group is in the row that is being made.
    place: Vec<u32>,
}

/// Bodies with fewer vertices are small enough without groups.
pub(crate) const FEWEST: usize = 150;
/// Groups at most, roughly.
const MOST: usize = 160;
/// Least vertices of a group.
const LEAST: usize = 24;
/// How stiff a group is along what is held of its vertices, in parts of their diagonal blocks. The
/// factor outlives what is held: a group of which all but the rim was held would else move without
/// bounds as soon as it is let go, and as residuals are measured in the norm of the preconditioner,
/// that motion would hide every other. About what one vertex is to a group, so that it costs nothing
/// where normals differ within one.
const HELD: f64 = 0.01;

impl Coarse {
    pub(crate) fn new(a: &BlockMatrix) -> Coarse {
        let n = a.rows();
        let groups = Groups::new(a, (n / MOST).max(LEAST));
        let rows = 3 * groups.count();
        let strip = Strip { place: vec![NONE; groups.count()], ..Strip::default() };
        Coarse {
            strips: vec![strip; n.div_ceil(CHUNK)],
            factor: vec![0.0; rows * rows],
            unit: 1.0,
            x: vec![0.0; rows],
            groups,
        }
    }

    /// Sums the matrix over groups, as far as vertices are free, adds a little for what is held, and
    /// factors the result.
    pub(crate) fn factor(&mut self, a: &BlockMatrix, free: &Freedom) {
        let rows = self.x.len();
        let groups = &self.groups;
        let fill = |(c, strip): (usize, &mut Strip)| strip.fill(c * CHUNK, a, free, groups);
        if a.rows() <= ALONE {
            self.strips.iter_mut().enumerate().for_each(fill);
        } else {
            self.strips.par_iter_mut().enumerate().for_each(fill);
        }
        let strips = &self.strips;
        let sum = |(g, out): (usize, &mut [f64])| {
            out.fill(0.0);
            for (i, weight) in groups.members(g) {
                let (chunk, row) = (*i as usize / CHUNK, *i as usize % CHUNK);
                for (h, block) in strips[chunk].row(row).filter(|(h, _)| *h as usize <= g) {
                    for c in 0..3 {
                        let v = block.col(c) * *weight;
                        for r in 0..3 {
                            out[r * rows + 3 * *h as usize + c] += v[r];
                        }
                    }
                }
                let held = free.held_block(a, *i as usize) * (HELD * *weight * *weight);
                for c in 0..3 {
                    for r in 0..3 {
                        out[r * rows + 3 * g + c] += held.col(c)[r];
                    }
                }
            }
        };
        if a.rows() <= ALONE {
            self.factor.chunks_mut(3 * rows).enumerate().for_each(sum);
        } else {
            self.factor.par_chunks_mut(3 * rows).enumerate().for_each(sum);
        }
        self.unit = own_unit(a.diagonal(0).x_axis.x);
        self.factor.iter_mut().for_each(|x| *x /= self.unit);
        cholesky(&mut self.factor, rows);
    }

    /// Finds (Zᵀ A Z)⁻¹ Zᵀ r. What is held must have no part in r.
    pub(crate) fn solve(&mut self, r: &[DVec3]) {
        let groups = &self.groups;
        let sum = |(g, out): (usize, &mut [f64])| {
            out.copy_from_slice(&groups.sum(g, r).to_array());
        };
        if r.len() <= ALONE {
            self.x.chunks_mut(3).enumerate().for_each(sum);
        } else {
            self.x.par_chunks_mut(3).with_min_len(16).enumerate().for_each(sum);
        }
        let rows = self.x.len();
        self.x.iter_mut().for_each(|x| *x /= self.unit);
        let (l, x) = (&self.factor, &mut self.x);
        for i in 0..rows {
            let (done, rest) = x.split_at_mut(i);
            let sum = dot(&l[i * rows..i * rows + i], done);
            rest[0] = (rest[0] - sum) / l[i * rows + i];
        }
        for i in (0..rows).rev() {
            let value = x[i] / l[i * rows + i];
            x[i] = value;
            let row = &l[i * rows..i * rows + i];
            for (out, a) in x[..i].iter_mut().zip(row) {
                *out -= a * value;
            }
        }
    }

    /// What the last solve is for a vertex.
    #[inline]
    pub(crate) fn at(&self, vertex: usize) -> DVec3 {
        let one = |(g, weight): (usize, f64)| {
            DVec3::new(self.x[3 * g], self.x[3 * g + 1], self.x[3 * g + 2]) * weight
        };
        self.groups.of(vertex).map(one).sum()
    }
}

impl Strip {
    fn row(&self, i: usize) -> impl Iterator<Item = &(u32, DMat3)> {
        self.blocks[self.start[i] as usize..self.start[i + 1] as usize].iter()
    }

    fn fill(&mut self, first: usize, a: &BlockMatrix, free: &Freedom, groups: &Groups) {
        self.blocks.clear();
        self.start.clear();
        self.start.push(0);
        for i in first..(first + CHUNK).min(a.rows()) {
            if !free.is_held(i) {
                self.add_row(i, a, free, groups);
            }
            self.start.push(self.blocks.len() as u32);
        }
    }

    fn add_row(&mut self, i: usize, a: &BlockMatrix, free: &Freedom, groups: &Groups) {
        let begin = self.blocks.len();
        let added = free.links(i).iter().map(|link| (link.column, &link.block));
        for (j, block) in a.row(i).chain(added).filter(|(j, _)| !free.is_held(*j)) {
            let mut block = *block;
            if let Some(p) = free.partly(j) {
                block = if i == j { (block + p.drag) * p.free } else { block * p.free };
            }
            for (g, weight) in groups.of(j) {
                let place = &mut self.place[g];
                if *place == NONE {
                    *place = self.blocks.len() as u32;
                    self.blocks.push((g as u32, DMat3::ZERO));
                }
                self.blocks[*place as usize].1 += block * weight;
            }
        }
        for (g, block) in &mut self.blocks[begin..] {
            self.place[*g as usize] = NONE;
            if let Some(p) = free.partly(i) {
                *block = p.free * *block;
            }
        }
    }
}

/// The lower factor in place. What depends on the rows before, as where all vertices of a group are
/// held, is left out: its pivot is infinite, and its part of any solution zero.
fn cholesky(a: &mut [f64], n: usize) {
    for i in 0..n {
        let (above, here) = a.split_at_mut(i * n);
        let row = &mut here[..n];
        for j in 0..i {
            let other = &above[j * n..=j * n + j];
            row[j] = (row[j] - dot(&row[..j], other)) / other[j];
        }
        let rest = row[i] - dot(&row[..i], &row[..i]);
        row[i] = if rest > DEPENDENT * row[i] { rest.sqrt() } else { f64::INFINITY };
    }
}

/// Part of a diagonal that is left of it at least where a row does not depend on others.
const DEPENDENT: f64 = 1e-9;

/// Σ aᵢ bᵢ over the shorter of both, in eight sums side by side.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut sums = [0.0; 8];
    let (p, q) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = p.remainder().iter().zip(q.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in p.zip(q) {
        for k in 0..8 {
            sums[k] += x[k] * y[k];
        }
    }
    rest + sums.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row 2 is the sum of rows 0 and 1, as where contacts hold all of a group along some
    /// direction.
    #[test]
    fn what_depends_on_other_rows_is_left_out() {
        let mut l = vec![4.0, 0.0, 0.0, 1.0, 3.0, 0.0, 5.0, 4.0, 9.0];
        cholesky(&mut l, 3);
        assert_eq!(l[8], f64::INFINITY);
        // The rest is the factor of [[4, 1], [1, 3]].
        assert!((l[0] - 2.0).abs() < 1e-15 && (l[3] - 0.5).abs() < 1e-15);
        assert!((l[4] - 2.75_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn sums_side_by_side_take_every_number() {
        for n in [0, 1, 7, 8, 9, 31] {
            let a: Vec<f64> = (0..n).map(|i| f64::from(i) + 0.5).collect();
            let b: Vec<f64> = (0..n + 3).map(|i| f64::from(i * i)).collect();
            let expected: f64 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
            assert!((dot(&a, &b) - expected).abs() <= 1e-12 * expected);
        }
    }
}
