//! The elements of cloth: triangles that resist stretch and shear, and two models of bending.

mod bending_patch;
mod hinge;
mod membrane;
mod neighbours;

pub use bending_patch::{BendingPatch, BendingPatchState, PATCH_VERTICES, bending_patches};
pub use hinge::{Hinge, HingeState, hinges};
pub(crate) use membrane::MembraneTangent;
pub use membrane::{Membrane, MembraneState, Weave};
