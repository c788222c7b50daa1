//! What contacts leave free of a vertex.

use glamx::{DMat3, DVec3};

use crate::system::BlockMatrix;

/// A vertex that is free along some directions only, with a block of its own in the matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Partly {
    pub(crate) vertex: usize,
    /// Projects on the free directions.
    pub(crate) free: DMat3,
    /// Added to the diagonal block. Symmetric, positive semi-definite.
    pub(crate) drag: DMat3,
    /// Its blocks beside the diagonal that are added, among all [`Link`]s: from here to there.
    pub(crate) links: [usize; 2],
}

/// A block beside the diagonal that contacts of several vertices add to the matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Link {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) block: DMat3,
}

/// What each vertex may do in a linear solve.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Freedom<'a> {
    /// Vertices whose values stay.
    pub(crate) whole: &'a [bool],
    /// Vertices of which a part stays. None of them is in `whole`.
    pub(crate) partly: &'a [Partly],
    /// By row.
    pub(crate) links: &'a [Link],
    /// For each vertex its place in `partly`, or [`NONE`].
    pub(crate) place: &'a [u32],
}

pub(crate) const NONE: u32 = u32::MAX;

impl Freedom<'_> {
    #[inline]
    pub(crate) fn is_held(&self, i: usize) -> bool {
        self.whole[i]
    }

    /// The vertex, if only a part of it is free.
    #[inline]
    pub(crate) fn partly(&self, i: usize) -> Option<&Partly> {
        self.partly.get(self.place[i] as usize)
    }

    /// The diagonal block on what is free; on the rest something as large, which touches nothing
    /// else.
    pub(crate) fn block(&self, a: &BlockMatrix, i: usize) -> DMat3 {
        let block = a.diagonal(i);
        let Some(p) = self.partly(i) else { return *block };
        p.free * (*block + p.drag) * p.free + (DMat3::IDENTITY - p.free) * trace(block)
    }

    /// Something as large as the diagonal block on what is held, and nothing on what is free.
    pub(crate) fn held_block(&self, a: &BlockMatrix, i: usize) -> DMat3 {
        let held = match self.partly(i) {
            _ if self.whole[i] => DMat3::IDENTITY,
            Some(p) => DMat3::IDENTITY - p.free,
            None => return DMat3::ZERO,
        };
        held * trace(a.diagonal(i))
    }

    /// Takes the held part of a vector of vertex `i` away.
    #[inline(always)]
    pub(crate) fn project(&self, i: usize, v: DVec3) -> DVec3 {
        match self.partly(i) {
            _ if self.whole[i] => DVec3::ZERO,
            Some(p) => p.free * v,
            None => v,
        }
    }

    /// Row `i` of the matrix with drag times x, from that of the matrix.
    #[inline]
    pub(crate) fn with_drag(&self, i: usize, product: DVec3, x: &[DVec3]) -> DVec3 {
        let Some(p) = self.partly(i) else { return product };
        let links = self.links[p.links[0]..p.links[1]].iter();
        links.fold(product + p.drag * x[i], |sum, l| sum + l.block * x[l.column])
    }

    /// The blocks that are added beside the diagonal in row `i`.
    pub(crate) fn links(&self, i: usize) -> &[Link] {
        self.partly(i).map_or(&[], |p| &self.links[p.links[0]..p.links[1]])
    }
}

/// The inverse of a positive definite block; a small one where it is not.
pub(crate) fn inverse(block: &DMat3) -> DMat3 {
    let m = block.inverse();
    if m.is_finite() {
        return m;
    }
    let trace = trace(block);
    if trace > 0.0 { DMat3::from_diagonal(DVec3::splat(3.0 / trace)) } else { DMat3::ZERO }
}

fn trace(block: &DMat3) -> f64 {
    block.x_axis.x + block.y_axis.y + block.z_axis.z
}
