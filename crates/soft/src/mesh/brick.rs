//! Bricks of tetrahedra.

use glamx::DVec3;

use super::TetMesh;
use super::cloth::MAX_VERTICES;
use crate::SoftError;
use crate::error::{field, positive};

/// A box centred at the origin: `size` in metres, `cells` along each axis.
///
/// Each cell is five tetrahedra; neighbouring cells are mirror images, so that faces match.
pub fn brick(size: DVec3, cells: [u32; 3]) -> Result<TetMesh, SoftError> {
    for (k, s) in size.to_array().into_iter().enumerate() {
        positive(&format!("size[{k}]"), s)?;
    }
    let vertices = cells.iter().fold(1_u64, |p, n| p.saturating_mul(u64::from(*n) + 1));
    if cells.contains(&0) || vertices > MAX_VERTICES {
        let found = format!("{} x {} x {}", cells[0], cells[1], cells[2]);
        return Err(field("cells", found, format!("1 or more, {MAX_VERTICES} vertices at most")));
    }
    let [nx, ny, nz] = cells;
    let mut mesh = TetMesh::default();
    for k in 0..=nz {
        for j in 0..=ny {
            for i in 0..=nx {
                let part = DVec3::new(
                    f64::from(i) / f64::from(nx) - 0.5,
                    f64::from(j) / f64::from(ny) - 0.5,
                    f64::from(k) / f64::from(nz) - 0.5,
                );
                mesh.positions.push(part * size);
            }
        }
    }
    let at = |i: u32, j: u32, k: u32| (k * (ny + 1) + j) * (nx + 1) + i;
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                let odd = (i + j + k) % 2 == 1;
                // Corner by its offsets; mirrored along x in every other cell.
                let c =
                    |x: u32, y: u32, z: u32| at(if odd { i + 1 - x } else { i + x }, j + y, k + z);
                mesh.tets.extend([
                    [c(1, 1, 0), c(1, 0, 1), c(0, 1, 1), c(0, 0, 0)],
                    [c(1, 0, 0), c(0, 0, 0), c(1, 1, 0), c(1, 0, 1)],
                    [c(0, 1, 0), c(0, 0, 0), c(1, 1, 0), c(0, 1, 1)],
                    [c(0, 0, 1), c(0, 0, 0), c(1, 0, 1), c(0, 1, 1)],
                    [c(1, 1, 1), c(1, 1, 0), c(1, 0, 1), c(0, 1, 1)],
                ]);
            }
        }
    }
    mesh.orient();
    Ok(mesh)
}
