//! Sewn meshes: vertices that become one.

use std::collections::BTreeMap;

use super::SurfaceMesh;

impl SurfaceMesh {
    /// The mesh with one vertex wherever several are at the same place, exactly. Each corner keeps
    /// its uv: what lay side by side is sewn.
    ///
    /// Files split vertices at the seams of their texture; this puts them together again. Triangles
    /// that are left with fewer than three vertices cover nothing and are left out. The mesh must
    /// be a good one by [`check`](SurfaceMesh::check).
    #[must_use]
    pub fn sewn(&self) -> SurfaceMesh {
        let mut sewn = SurfaceMesh { uvs: self.uvs.clone(), ..SurfaceMesh::default() };
        let mut places: BTreeMap<[u64; 3], u32> = BTreeMap::new();
        let mut names = Vec::with_capacity(self.positions.len());
        for x in &self.positions {
            // Adding zero makes a positive zero of a negative one.
            let place = x.to_array().map(|c| (c + 0.0).to_bits());
            let next = sewn.positions.len() as u32;
            let name = *places.entry(place).or_insert(next);
            if name == next {
                sewn.positions.push(*x);
            }
            names.push(name);
        }
        for (t, uv) in self.triangles.iter().zip(self.uv_corners()) {
            let [a, b, c] = t.map(|i| names[i as usize]);
            if a != b && b != c && c != a {
                sewn.triangles.push([a, b, c]);
                sewn.uv_triangles.push(*uv);
            }
        }
        sewn
    }
}
