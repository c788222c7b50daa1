use glamx::{DVec2, DVec3};

use super::SurfaceMesh;
use crate::SoftError;
use crate::error::{field, positive};

/// Most vertices a generator makes.
pub(super) const MAX_VERTICES: u64 = 20_000_000;

/// A flat rectangle in the plane y = 0, centred at the origin: u (warp) along x, v (weft) along
/// −z, normals along +y.
///
/// `size` in metres; each of `cells[0]` × `cells[1]` cells is two triangles. The diagonals
/// alternate like a draughts board, so that with even numbers of cells the mesh is its own
/// mirror image in both directions.
pub fn cloth_rectangle(size: DVec2, cells: [u32; 2]) -> Result<SurfaceMesh, SoftError> {
    positive("size[0]", size.x)?;
    positive("size[1]", size.y)?;
    let [nx, ny] = cells;
    if nx == 0 || ny == 0 || (u64::from(nx) + 1) * (u64::from(ny) + 1) > MAX_VERTICES {
        let found = format!("{nx} x {ny}");
        return Err(field("cells", found, format!("1 or more, {MAX_VERTICES} vertices at most")));
    }
    let mut mesh = SurfaceMesh::default();
    for j in 0..=ny {
        for i in 0..=nx {
            let uv = DVec2::new(f64::from(i) / f64::from(nx), f64::from(j) / f64::from(ny)) * size;
            mesh.uvs.push(uv);
            mesh.positions.push(DVec3::new(uv.x - size.x / 2.0, 0.0, size.y / 2.0 - uv.y));
        }
    }
    for j in 0..ny {
        for i in 0..nx {
            let a = j * (nx + 1) + i;
            let (b, c, d) = (a + 1, a + nx + 2, a + nx + 1);
            if (i + j) % 2 == 0 {
                mesh.triangles.extend([[a, b, c], [a, c, d]]);
            } else {
                mesh.triangles.extend([[a, b, d], [b, c, d]]);
            }
        }
    }
    Ok(mesh)
}
