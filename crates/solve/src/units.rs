//! How a problem is cut into the pieces that a sweep visits.

use std::ops::Range;

use asperity_friction::set::Kind;

use crate::delassus::BodyBuffers;
use crate::local::{MAX_LOCAL, solve_linear};
use crate::problem::{ContactProblem, Operator};

/// One piece: a point contact, a normal row, or a friction block with a load from elsewhere.
#[derive(Debug, Clone)]
pub(crate) struct Unit {
    /// Normal row that belongs to the piece.
    pub(crate) normal: Option<usize>,
    /// Friction block that belongs to the piece.
    pub(crate) block: Option<usize>,
    /// The block's rows; empty without a block.
    pub(crate) rows: Range<usize>,
    /// Where the piece's own block of W starts in [`Units::local`], and its inverse in
    /// [`Units::inverse`].
    pub(crate) local: usize,
    /// 1 / (largest eigenvalue of the piece's block of W); see [`Units::measure`].
    pub(crate) rho: f64,
    /// Unit of length for torque rows, metres: the patch radius.
    pub(crate) radius: f64,
    /// Whether its set brings its own solution, with the normal row within.
    pub(crate) own: bool,
    /// Whether its block stands alone and carries nothing without a load.
    pub(crate) alone: bool,
}

impl Unit {
    /// Number of rows.
    #[inline]
    pub(crate) fn dim(&self) -> usize {
        usize::from(self.normal.is_some()) + self.rows.len()
    }

    /// The k-th row: the normal first.
    #[inline]
    pub(crate) fn row(&self, k: usize) -> usize {
        match self.normal {
            Some(n) if k == 0 => n,
            Some(_) => self.rows.start + k - 1,
            None => self.rows.start + k,
        }
    }
}

/// The pieces of a problem and their blocks of W.
#[derive(Debug, Clone, Default)]
pub(crate) struct Units {
    pub(crate) list: Vec<Unit>,
    /// Row-major dim × dim blocks, one after the other.
    pub(crate) local: Vec<f64>,
    /// Their inverses; not a number where a block is singular.
    pub(crate) inverse: Vec<f64>,
    /// Rows with nothing on their diagonal.
    pub(crate) immovable: usize,
    claimed: Vec<usize>,
}

const NONE: usize = usize::MAX;

impl Units {
    /// Cuts the problem and computes what each piece needs of W. Reuses its memory.
    pub(crate) fn prepare(&mut self, problem: &ContactProblem, buffers: &BodyBuffers) {
        self.cut(problem);
        self.fill(problem, buffers);
    }

    /// Cuts the problem, without W.
    pub(crate) fn cut(&mut self, problem: &ContactProblem) {
        let (n, blocks) = (problem.rows(), &problem.blocks);
        self.list.clear();
        let mut local = 0;
        // For a normal row: the block it is solved with. For a friction row: its block, offset.
        self.claimed.clear();
        self.claimed.resize(n, NONE);
        for (k, block) in blocks.iter().enumerate() {
            for row in block.rows.clone() {
                self.claimed[row] = n + k;
            }
        }
        for (k, block) in blocks.iter().enumerate() {
            if let Some(normal) = block.own_normal()
                && self.claimed[normal] == NONE
            {
                self.claimed[normal] = k;
            }
        }
        for row in 0..n {
            let owner = self.claimed[row];
            let (normal, block) = if owner == NONE {
                (Some(row), None)
            } else if owner < n {
                (Some(row), Some(owner))
            } else {
                let k = owner - n;
                let with_normal = blocks[k].own_normal().is_some_and(|n| self.claimed[n] == k);
                if with_normal || row != blocks[k].rows.start {
                    continue;
                }
                (None, Some(k))
            };
            let rows = block.map_or(0..0, |k| blocks[k].rows.clone());
            let radius = block.map_or(1.0, |k| blocks[k].law.set.patch_radius());
            let own = block.is_some_and(|k| blocks[k].law.set.kind() == Kind::LocalSolve);
            let alone = block.is_some_and(|k| blocks[k].stands_alone());
            let unit = Unit { normal, block, rows, local, rho: 1.0, radius, own, alone };
            local += unit.dim() * unit.dim();
            self.list.push(unit);
        }
    }

    /// The pieces' blocks of W and their inverses.
    pub(crate) fn fill(&mut self, problem: &ContactProblem, buffers: &BodyBuffers) {
        let size = self.list.last().map_or(0, |unit| unit.local + unit.dim() * unit.dim());
        for list in [&mut self.local, &mut self.inverse] {
            list.clear();
            list.resize(size, 0.0);
        }
        self.immovable = 0;
        for unit in &self.list {
            let range = unit.local..unit.local + unit.dim() * unit.dim();
            let w = &mut self.local[range.clone()];
            self.immovable += block_of(problem, buffers, unit, w);
            invert(w, unit.dim(), &mut self.inverse[range]);
        }
    }

    /// Puts diagonal blocks in the place of the pieces' blocks of W, which are not known.
    pub(crate) fn estimate(&mut self, diagonal: impl Fn(usize) -> f64) {
        let size = self.list.last().map_or(0, |unit| unit.local + unit.dim() * unit.dim());
        self.local.clear();
        self.local.resize(size, 0.0);
        for unit in &self.list {
            let dim = unit.dim();
            let w = &mut self.local[unit.local..unit.local + dim * dim];
            for i in 0..dim {
                w[i * dim + i] = diagonal(unit.row(i));
            }
        }
    }

    /// Finds each unit's ρ, which the general residual needs.
    pub(crate) fn measure(&mut self) {
        for unit in &mut self.list {
            let dim = unit.dim();
            let scale: [f64; MAX_LOCAL] = std::array::from_fn(|k| torque_scale(unit, k));
            let w = &self.local[unit.local..];
            let largest = largest_eigenvalue(dim, |i, j| scale[i] * w[i * dim + j] * scale[j]);
            unit.rho = if largest > 0.0 { 1.0 / largest } else { 0.0 };
        }
    }
}

/// A piece's own block of W; returns how many of its rows have nothing on their diagonal.
fn block_of(problem: &ContactProblem, buffers: &BodyBuffers, unit: &Unit, w: &mut [f64]) -> usize {
    let dim = unit.dim();
    let mut immovable = 0;
    for i in 0..dim {
        let a = unit.row(i);
        match &problem.operator {
            Operator::Bodies(bodies) => {
                // J M⁻¹ Jᵀ is symmetric.
                for j in 0..=i {
                    let entry = buffers.entry(bodies, a, unit.row(j));
                    w[i * dim + j] = entry;
                    w[j * dim + i] = entry;
                }
            }
            Operator::Explicit(m) => {
                for j in 0..dim {
                    w[i * dim + j] = m.get(a, unit.row(j));
                }
            }
            Operator::Factored(f) => {
                for j in 0..dim {
                    w[i * dim + j] = f.delassus().get(a, unit.row(j));
                }
            }
        }
        w[i * dim + i] += problem.give(a);
        immovable += usize::from(w[i * dim + i] <= 0.0);
    }
    immovable
}

/// The inverse of a small block, column by column.
pub(crate) fn invert(w: &[f64], dim: usize, out: &mut [f64]) {
    if let (3, [a, b, c, d, e, f, g, h, i, ..]) = (dim, w) {
        // Row by row from the cofactors, where the block is well away from singular.
        let cofactors = [
            e * i - f * h,
            c * h - b * i,
            b * f - c * e,
            f * g - d * i,
            a * i - c * g,
            c * d - a * f,
            d * h - e * g,
            b * g - a * h,
            a * e - b * d,
        ];
        let det = a * cofactors[0] + b * cofactors[3] + c * cofactors[6];
        if det > 1e-9 * a * e * i {
            for (x, cofactor) in out.iter_mut().zip(cofactors) {
                *x = cofactor / det;
            }
            return;
        }
    }
    for k in 0..dim {
        let (mut unit, mut column) = ([0.0; MAX_LOCAL], [0.0; MAX_LOCAL]);
        unit[k] = -1.0;
        let regular = solve_linear(&w[..dim * dim], &unit[..dim], &mut column[..dim]);
        for i in 0..dim {
            out[i * dim + k] = if regular { column[i] } else { f64::NAN };
        }
    }
}

/// Factor that makes the velocity of a unit's k-th row one of metres per second: the patch radius
/// on torque rows, one elsewhere.
pub(crate) fn torque_scale(unit: &Unit, k: usize) -> f64 {
    // Before the torque rows: the normal, where there is one, and two of friction.
    let before = if unit.normal.is_some() || unit.own { 3 } else { 2 };
    if k >= before { unit.radius } else { 1.0 }
}

/// Largest eigenvalue of the symmetric part of a small matrix, by power iteration.
fn largest_eigenvalue(dim: usize, entry: impl Fn(usize, usize) -> f64) -> f64 {
    if dim == 1 {
        return entry(0, 0).abs();
    }
    let mut v = [1.0; MAX_LOCAL];
    for (k, x) in v.iter_mut().enumerate() {
        *x += 0.1 * k as f64; // no symmetry, so that no eigenvector is missed
    }
    let mut largest = 0.0;
    for _ in 0..24 {
        let mut next = [0.0; MAX_LOCAL];
        for i in 0..dim {
            for j in 0..dim {
                next[i] += 0.5 * (entry(i, j) + entry(j, i)) * v[j];
            }
        }
        let length = next[..dim].iter().map(|x| x * x).sum::<f64>().sqrt();
        if !(length > 0.0) {
            return 0.0;
        }
        for i in 0..dim {
            v[i] = next[i] / length;
        }
        largest = length;
    }
    largest
}
