//! Rectangles of cloth.

use glamx::{DVec2, DVec3};

use super::SurfaceMesh;
use crate::SoftError;
use crate::error::{field, positive};

/// Most vertices a generator makes.
pub(super) const MAX_VERTICES: u64 = 20_000_000;

/// A flat rectangle in the plane y = 0, centred at the origin: u (warp) along x, v (weft) along
/// −z, normals along +y.
///
/// `size` in metres; `cells[0]` along u in each of `cells[1]` rows. Every other row of vertices is
/// shifted by half a cell, as in a lattice of equilateral triangles: inside, every vertex looks
/// like every other, which is what models of bending need. There are `(2 cells[0] + 1) cells[1]`
/// triangles. The mesh is its own mirror image along u and, for an even number of rows, along v.
pub fn cloth_rectangle(size: DVec2, cells: [u32; 2]) -> Result<SurfaceMesh, SoftError> {
    positive("size[0]", size.x)?;
    positive("size[1]", size.y)?;
    let [nx, ny] = cells;
    if nx == 0 || ny == 0 || (u64::from(nx) + 2).saturating_mul(u64::from(ny) + 1) > MAX_VERTICES {
        let found = format!("{nx} x {ny}");
        return Err(field("cells", found, format!("1 or more, {MAX_VERTICES} vertices at most")));
    }
    let mut mesh = SurfaceMesh::default();
    for j in 0..=ny {
        let shifted = j % 2 == 1;
        for i in 0..=nx + u32::from(shifted) {
            let u =
                if shifted { (f64::from(i) - 0.5).clamp(0.0, f64::from(nx)) } else { f64::from(i) };
            let uv = DVec2::new(u / f64::from(nx), f64::from(j) / f64::from(ny)) * size;
            mesh.uvs.push(uv);
            mesh.positions.push(DVec3::new(uv.x - size.x / 2.0, 0.0, size.y / 2.0 - uv.y));
        }
    }
    let mut first = 0;
    for j in 0..ny {
        // The shifted row has one vertex more; it is above in even rows of cells.
        let (below, above) = (first, first + nx + 1 + j % 2);
        for i in 0..=nx {
            if j % 2 == 0 {
                mesh.triangles.push([below + i, above + i + 1, above + i]);
                if i < nx {
                    mesh.triangles.push([below + i, below + i + 1, above + i + 1]);
                }
            } else {
                mesh.triangles.push([below + i, below + i + 1, above + i]);
                if i < nx {
                    mesh.triangles.push([below + i + 1, above + i + 1, above + i]);
                }
            }
        }
        first = above;
    }
    Ok(mesh)
}
