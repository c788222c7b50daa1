//! The elements of soft solids: linear tetrahedra with an isotropic energy.

mod energy;
mod material;
mod svd;
mod tet;

pub use energy::Elastic;
pub use material::SolidMaterial;
pub(crate) use svd::symmetric_eigen;
pub use tet::{Tet, TetState};
