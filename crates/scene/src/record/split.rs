//! Surfaces with seams for files in which every vertex has one texture coordinate.

use std::collections::BTreeMap;

use glamx::DVec2;

/// A surface whose vertices at seams are there once for each of their texture coordinates.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Split {
    /// Which vertex each one was.
    pub(super) vertices: Vec<u32>,
    pub(super) uvs: Vec<DVec2>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Split {
    /// Nothing where there is no seam, or where the lists do not belong together.
    pub(super) fn new(
        triangles: &[[u32; 3]],
        uvs: &[DVec2],
        uv_triangles: &[[u32; 3]],
    ) -> Option<Split> {
        if triangles == uv_triangles || triangles.len() != uv_triangles.len() {
            return None;
        }
        let pairs = triangles.iter().flatten().zip(uv_triangles.iter().flatten());
        let mut names: BTreeMap<(u32, u32), u32> = pairs.map(|(v, t)| ((*v, *t), 0)).collect();
        let mut split = Split { vertices: Vec::new(), uvs: Vec::new(), triangles: Vec::new() };
        for (number, ((vertex, uv), name)) in names.iter_mut().enumerate() {
            *name = number as u32;
            split.vertices.push(*vertex);
            split.uvs.push(*uvs.get(*uv as usize)?);
        }
        let corner = |(t, uv): (&[u32; 3], &[u32; 3])| [0, 1, 2].map(|c| names[&(t[c], uv[c])]);
        split.triangles = triangles.iter().zip(uv_triangles).map(corner).collect();
        Some(split)
    }

    /// A list of the vertices as a list of those of this surface; zero where there is none.
    pub(super) fn spread<T: Copy + Default>(&self, list: &[T]) -> Vec<T> {
        let one = |v: &u32| list.get(*v as usize).copied().unwrap_or_default();
        self.vertices.iter().map(one).collect()
    }
}
