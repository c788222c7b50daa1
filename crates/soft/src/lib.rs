//! Cloth and soft solids. This crate knows sets of admissible forces, but no friction models, no
//! rigid bodies and no files.
//!
//! A [`SoftBody`] is vertices with masses, held together by elements: triangles that resist
//! stretching and shearing and hinges that resist bending ([`cloth`]), or tetrahedra ([`solid`]).
//! One step is backward Euler: [`SoftBody::free_velocities`] solves for the velocities that
//! nothing but the body itself, gravity and given forces would cause; contacts change them; and
//! [`SoftBody::advance`] moves the vertices.
//!
//! ```
//! use asperity_soft::{Fabric, SoftBody, mesh};
//! use glamx::{DVec2, DVec3};
//!
//! let sheet = mesh::cloth_rectangle(DVec2::new(1.0, 1.0), [10, 10])?;
//! let mut cloth = SoftBody::cloth(&sheet, &Fabric::cotton())?;
//! cloth.pinned[0] = true;
//! for _ in 0..10 {
//!     cloth.free_velocities(0.01, DVec3::new(0.0, -9.81, 0.0), &[]);
//!     cloth.advance(0.01);
//! }
//! assert!(cloth.stopped().is_none());
//! # Ok::<(), asperity_soft::SoftError>(())
//! ```

mod assembly;
mod body;
mod cholesky;
pub mod cloth;
mod coarse_correction;
pub mod contact;
mod error;
mod fabric;
mod freedom;
mod gradients;
mod groups;
mod linear_solve;
mod matrix_origin;
pub mod mesh;
mod own_unit;
mod response;
pub mod solid;
mod statics;
mod step;
mod system;

pub use body::{Defects, SoftBody, Trouble};
pub use error::SoftError;
pub use fabric::{Fabric, Fast, Kawabata, Shell};
pub use linear_solve::{LinearOptions, LinearReport, Method};
pub use mesh::{SurfaceMesh, TetMesh};
pub use solid::{Elastic, SolidMaterial};
pub use statics::StaticReport;
pub use step::{SoftReport, StepOptions};
pub use system::BlockMatrix;
