//! Friction as data: which forces a contact may carry, and how slip maps to force.
//!
//! - [`set`]: sets of admissible friction forces per unit load. Pure geometry.
//! - [`section`]: models of the planar limit curve, one file per paper. Each turns the state of a
//!   contact into a [`Law`].
//! - [`extent`]: whether a contact carries torque: limit surfaces of sliding and spin, wrenches.
//! - [`memory`]: friction that remembers: bristles.
//! - [`surface`]: what a surface looks like at a point: texture maps and structure directions.
//! - [`registry`]: the models by name, with their keys.
//! - [`random`]: reproducible random numbers.
//! - [`pairing`]: a pair of materials: section × extent × memory → law, and how coefficients combine.
//!
//! This crate knows no bodies and no solver, and opens no files.
//!
//! ```
//! use asperity_friction::set::{Disk, Set};
//!
//! let cone = Set::from(Disk::new(0.5)?);
//! let mut force = [3.0, 4.0];
//! cone.project(&mut force, 2.0); // load 2 N: at most 1 N of friction
//! assert!((force[0] - 0.6).abs() < 1e-15 && (force[1] - 0.8).abs() < 1e-15);
//! # Ok::<(), asperity_friction::FrictionError>(())
//! ```

mod error;
pub mod extent;
pub mod law;
pub mod memory;
mod pair;
pub mod pairing;
pub mod random;
pub mod registry;
pub mod section;
pub mod set;
mod strength;
pub mod surface;
#[cfg(feature = "testing")]
pub mod testing;

pub use error::FrictionError;
pub use law::{ContactFrame, ContactState, Law, LoadRule, Rheology};
