//! Asperity: a physics engine in which friction is the subject.
//!
//! This is the crate to depend on. It re-exports [`friction`] (sets and models) and [`solve`]
//! (contact problems and solvers), and holds the engine that joins them.

pub use asperity_friction as friction;
pub use asperity_solve as solve;
pub use glamx;

pub mod incline;
