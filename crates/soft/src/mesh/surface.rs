use glamx::{DVec2, DVec3};

use crate::SoftError;
use crate::error::field;

/// Triangles with a rest shape: the mesh of a cloth.
///
/// The rest shape is given by `uvs`, in metres: u runs along the warp, v along the weft. The
/// positions may already be stretched or folded.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SurfaceMesh {
    /// Where the vertices are, m.
    pub positions: Vec<DVec3>,
    /// Where the vertices are in the flat cloth, m; as many as positions.
    pub uvs: Vec<DVec2>,
    /// Vertices of the triangles, counter-clockwise seen from the outer side.
    pub triangles: Vec<[u32; 3]>,
}

impl SurfaceMesh {
    /// Checks sizes, indices and numbers. Triangles without area are allowed here.
    pub fn check(&self) -> Result<(), SoftError> {
        let n = self.positions.len();
        if self.uvs.len() != n {
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
        check_indices("triangles", &self.triangles, n)
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
            let found = format!("vertex {i}");
            return Err(field(format!("{name}[{k}]"), found, format!("less than {vertices}")));
        }
    }
    Ok(())
}
