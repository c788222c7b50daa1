//! Triangles beside the edges of a mesh.

use std::collections::BTreeMap;

use glamx::{DMat2, DVec2};

use crate::SurfaceMesh;

/// A triangle beside an edge.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub(super) triangle: usize,
    /// Which of the triangle's edges it is: the one from corner `corner` to the next.
    pub(super) corner: usize,
    /// The triangle's third vertex.
    pub(super) opposite: u32,
    /// Area in the flat cloth.
    pub(super) area: f64,
    /// Whether the triangle runs along the edge from the smaller to the larger vertex.
    pub(super) forward: bool,
}

/// The triangles with area beside each edge, edges by their vertices.
pub(super) fn edges(mesh: &SurfaceMesh) -> BTreeMap<[u32; 2], Vec<Side>> {
    let mut edges: BTreeMap<[u32; 2], Vec<Side>> = BTreeMap::new();
    for (triangle, t) in mesh.triangles.iter().enumerate() {
        let [a, b, c] = mesh.flat(triangle);
        let area = (b - a).perp_dot(c - a).abs() / 2.0;
        if !(area > 0.0) {
            continue;
        }
        for corner in 0..3 {
            let (i, j, opposite) = (t[corner], t[(corner + 1) % 3], t[(corner + 2) % 3]);
            let side = Side { triangle, corner, opposite, area, forward: i < j };
            edges.entry([i.min(j), i.max(j)]).or_default().push(side);
        }
    }
    edges
}

/// The two triangles of an edge that is part of one sheet: the one that runs forward first.
pub(super) fn pair(sides: &[Side]) -> Option<(Side, Side)> {
    let &[first, second] = sides else { return None };
    let (left, right) = if first.forward { (first, second) } else { (second, first) };
    (left.forward != right.forward && left.opposite != right.opposite).then_some((left, right))
}

/// The side beyond each edge of each triangle, and the edges of more than two triangles.
pub(super) fn neighbours(mesh: &SurfaceMesh) -> (Vec<[Option<Side>; 3]>, Vec<[u32; 2]>) {
    let mut list = vec![[None; 3]; mesh.triangles.len()];
    let mut branching = Vec::new();
    for (edge, sides) in edges(mesh) {
        if sides.len() > 2 {
            branching.push(edge);
        }
        if let Some((left, right)) = pair(&sides) {
            list[left.triangle][left.corner] = Some(right);
            list[right.triangle][right.corner] = Some(left);
        }
    }
    (list, branching)
}

/// Lays one piece of flat cloth beside another: p becomes `turn p + shift`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Unfold {
    turn: DMat2,
    shift: DVec2,
}

impl Unfold {
    /// Leaves everything where it is.
    pub(super) const NONE: Unfold = Unfold { turn: DMat2::IDENTITY, shift: DVec2::ZERO };

    /// Where a point comes to lie.
    pub(super) fn place(&self, p: DVec2) -> DVec2 {
        self.turn * p + self.shift
    }

    /// This unfolding after another one.
    fn after(&self, first: &Unfold) -> Unfold {
        Unfold { turn: self.turn * first.turn, shift: self.place(first.shift) }
    }

    /// Goes on over an edge: from where `beyond` lies in its own piece to where it lies beside
    /// edge `corner` of `triangle`, once that is placed by `self`. Inside a piece nothing changes;
    /// over a seam the two sides of the edge meet in the middle, in one direction.
    pub(super) fn over(
        &self,
        mesh: &SurfaceMesh,
        (triangle, corner): (usize, usize),
        beyond: &Side,
    ) -> Unfold {
        let (here, there) = (mesh.flat(triangle), mesh.flat(beyond.triangle));
        // The neighbour runs along the edge the other way.
        let [a, b, c] = [0, 1, 2].map(|k| here[(corner + k) % 3]);
        let [q, p, r] = [0, 1, 2].map(|k| there[(beyond.corner + k) % 3]);
        if (a, b) == (p, q) {
            return *self;
        }
        let (to, from) = ((b - a).normalize_or_zero(), (q - p).normalize_or_zero());
        // A piece that lies mirrored is turned over, so that the neighbour lies beyond the edge.
        let mirrored = (b - a).perp_dot(c - a) * (q - p).perp_dot(r - p) > 0.0;
        let side = if mirrored { -from.perp() } else { from.perp() };
        let turn = DMat2::from_cols(to, to.perp()) * DMat2::from_cols(from, side).transpose();
        let step = Unfold { turn, shift: (a + b) / 2.0 - turn * ((p + q) / 2.0) };
        self.after(&step)
    }
}
