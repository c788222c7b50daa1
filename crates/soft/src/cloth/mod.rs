//! The elements of cloth: triangles that resist stretch and shear, hinges that resist bending.

mod bending;
mod membrane;

pub use bending::{Hinge, HingeState, hinges};
pub use membrane::{Membrane, MembraneState, Weave};
