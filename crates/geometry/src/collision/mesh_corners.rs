//! Corners of a mesh: which triangles and edges meet there.

use glamx::DVec3;

use super::mesh::UPRIGHT;
use crate::shape::MeshData;

/// The edges that leave each corner, by where they lead; corners at one place are one.
#[derive(Debug, Clone)]
pub(crate) struct Corners {
    /// The corner at each position.
    of: Vec<u32>,
    /// Where the list of each corner begins.
    start: Vec<u32>,
    ends: Vec<u32>,
}

impl Corners {
    /// `weld` has the first position at the same place as each.
    pub(crate) fn new(mesh: &MeshData, weld: &[u32]) -> Corners {
        let mut edges: Vec<(u32, u32)> = Vec::with_capacity(6 * mesh.triangles.len());
        for corners in &mesh.triangles {
            let [a, b, c] = corners.map(|k| weld[k as usize]);
            edges.extend([(a, b), (b, c), (c, a), (b, a), (c, b), (a, c)]);
        }
        edges.sort_unstable();
        edges.dedup();
        let mut start = vec![0; mesh.positions.len() + 1];
        for (from, _) in &edges {
            start[*from as usize + 1] += 1;
        }
        for k in 1..start.len() {
            start[k] += start[k - 1];
        }
        Corners { of: weld.to_vec(), start, ends: edges.into_iter().map(|(_, to)| to).collect() }
    }

    /// Whether no edge from a corner rises above the plane across a normal, body axes.
    pub(crate) fn falls_away(&self, positions: &[DVec3], position: u32, normal: DVec3) -> bool {
        let corner = self.of[position as usize] as usize;
        let span = self.start[corner] as usize..self.start[corner + 1] as usize;
        self.ends[span].iter().all(|end| {
            let edge = positions[*end as usize] - positions[corner];
            normal.dot(edge) <= UPRIGHT * edge.length()
        })
    }
}
