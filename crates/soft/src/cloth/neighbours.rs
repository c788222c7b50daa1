use std::collections::BTreeMap;

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
        let [a, b, c] = t.map(|i| mesh.uvs[i as usize]);
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
