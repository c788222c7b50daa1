//! Meshes: the rest shapes of cloth and solids, made by rule or read from text.

mod ball;
mod brick;
mod cloth;
mod lines;
mod msh;
mod sewing;
mod surface;
mod tet;
mod tube;
mod uv;
mod vtk;

pub use ball::{cylinder, sphere};
pub use brick::brick;
pub use cloth::cloth_rectangle;
pub use msh::read_msh;
pub use surface::SurfaceMesh;
pub use tet::TetMesh;
pub use tube::cloth_tube;
pub use uv::planar_uvs;
pub use vtk::read_vtk;
