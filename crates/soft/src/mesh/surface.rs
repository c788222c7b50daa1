//! Meshes of triangles with texture coordinates.

use glamx::{DVec2, DVec3};

use crate::SoftError;
use crate::error::field;

/// Triangles with a rest shape: the mesh of a cloth.
///
/// The rest shape is given by `uvs`, in metres: u runs along the warp, v along the weft. The
/// positions may already be stretched or folded.
///
/// Where cloth is sewn, one vertex has a place in the flat cloth on either side of the seam.
/// `uv_triangles` then says, as in an OBJ file, which uv each corner of a triangle has.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SurfaceMesh {
    /// Where the vertices are, m.
    pub positions: Vec<DVec3>,
    /// Places in the flat cloth, m: of the vertices, as many as positions, or, where there are
    /// `uv_triangles`, of what these name.
    pub uvs: Vec<DVec2>,
    /// Vertices of the triangles, counter-clockwise seen from the outer side.
    pub triangles: Vec<[u32; 3]>,
    /// Which of the uvs the corners of each triangle have; none where there is no seam and the
    /// uvs are those of the vertices.
    pub uv_triangles: Vec<[u32; 3]>,
}

impl SurfaceMesh {
    /// Which of the uvs the corners of each triangle have.
    pub fn uv_corners(&self) -> &[[u32; 3]] {
        if self.uv_triangles.is_empty() { &self.triangles } else { &self.uv_triangles }
    }

    /// Where the corners of a triangle are in the flat cloth, m.
    pub fn flat(&self, triangle: usize) -> [DVec2; 3] {
        self.uv_corners()[triangle].map(|i| self.uvs[i as usize])
    }

    /// Checks sizes, indices and numbers. Triangles without area are allowed here.
    pub fn check(&self) -> Result<(), SoftError> {
        let n = self.positions.len();
        if self.uv_triangles.is_empty() && self.uvs.len() != n {
            let found = format!("{} of them", self.uvs.len());
            return Err(field("uvs", found, format!("{n}, as many as positions")));
        }
        if self.triangles.is_empty() {
            return Err(field("triangles", "none", "at least one"));
        }
        check_positions(&self.positions)?;
        if let Some(i) = self.uvs.iter().position(|p| !p.is_finite()) {
            let found = format!("{:?}", self.uvs[i]);
            return Err(field(format!("uvs[{i}]"), found, "finite numbers"));
        }
        check_indices("triangles", &self.triangles, n)?;
        if !self.uv_triangles.is_empty() && self.uv_triangles.len() != self.triangles.len() {
            let found = format!("{} of them", self.uv_triangles.len());
            let expected = format!("{}, as many as triangles, or none", self.triangles.len());
            return Err(field("uv_triangles", found, expected));
        }
        check_indices("uv_triangles", &self.uv_triangles, self.uvs.len())
    }
}

pub(super) fn check_positions(positions: &[DVec3]) -> Result<(), SoftError> {
    match positions.iter().position(|p| !p.is_finite()) {
        None => Ok(()),
        Some(i) => {
            let found = format!("{:?}", positions[i]);
            Err(field(format!("positions[{i}]"), found, "finite numbers"))
        }
    }
}

pub(super) fn check_indices<const N: usize>(
    name: &str,
    list: &[[u32; N]],
    vertices: usize,
) -> Result<(), SoftError> {
    for (k, element) in list.iter().enumerate() {
        if let Some(i) = element.iter().find(|i| **i as usize >= vertices) {
            let what = if name == "uv_triangles" { "uv" } else { "vertex" };
            let found = format!("{what} {i}");
            return Err(field(format!("{name}[{k}]"), found, format!("less than {vertices}")));
        }
    }
    Ok(())
}
