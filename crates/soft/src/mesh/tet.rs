//! Meshes of tetrahedra.

use std::collections::BTreeMap;

use glamx::DVec3;

use super::surface::{check_indices, check_positions};
use crate::SoftError;
use crate::error::field;

/// Tetrahedra: the mesh of a soft solid. The positions are its rest shape.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TetMesh {
    /// Where the vertices are, m.
    pub positions: Vec<DVec3>,
    /// Vertices of the tetrahedra; (b − a) × (c − a) · (d − a) is positive.
    pub tets: Vec<[u32; 4]>,
}

impl TetMesh {
    /// Checks sizes, indices and numbers. Flat and inverted tetrahedra are allowed here.
    pub fn check(&self) -> Result<(), SoftError> {
        if self.tets.is_empty() {
            return Err(field("tets", "none", "at least one"));
        }
        check_positions(&self.positions)?;
        check_indices("tets", &self.tets, self.positions.len())
    }

    /// Six times the signed volume of a tetrahedron, m³.
    pub fn six_volumes(&self, tet: [u32; 4]) -> f64 {
        let [a, b, c, d] = tet.map(|i| self.positions[i as usize]);
        (b - a).cross(c - a).dot(d - a)
    }

    /// Turns inverted tetrahedra round, and says how many there were.
    pub fn orient(&mut self) -> usize {
        let mut turned = 0;
        for k in 0..self.tets.len() {
            if self.six_volumes(self.tets[k]) < 0.0 {
                self.tets[k].swap(2, 3);
                turned += 1;
            }
        }
        turned
    }

    /// The triangles on the outside, their normals pointing outward, in the order of the
    /// tetrahedra. A face of more than one tetrahedron is inside.
    pub fn surface(&self) -> Vec<[u32; 3]> {
        let mut count: BTreeMap<[u32; 3], u32> = BTreeMap::new();
        let faces = |t: &[u32; 4]| {
            let [a, b, c, d] = *t;
            [[a, c, b], [a, b, d], [a, d, c], [b, c, d]]
        };
        for face in self.tets.iter().flat_map(faces) {
            *count.entry(sorted(face)).or_default() += 1;
        }
        self.tets.iter().flat_map(faces).filter(|f| count[&sorted(*f)] == 1).collect()
    }
}

fn sorted(mut face: [u32; 3]) -> [u32; 3] {
    face.sort_unstable();
    face
}
