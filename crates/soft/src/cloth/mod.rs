//! The elements of cloth: triangles that resist stretch and shear, and two models of bending.

mod bending;
mod membrane;
mod neighbours;
mod patch;

pub use bending::{Hinge, HingeState, hinges};
pub(crate) use membrane::MembraneTangent;
pub use membrane::{Membrane, MembraneState, Weave};
pub use patch::{PATCH, Patch, PatchState, patches};
