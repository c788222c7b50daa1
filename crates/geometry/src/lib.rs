//! Shapes, which of them touch and where, and the volumes that they share.
//!
//! - [`shape`]: what bodies can look like, with their masses and skins.
//! - [`collision`]: which bodies touch: broad phase, manifolds, contact patches.
//! - [`volume`]: what two closed shapes share: volume, moments, gradient, normal.
//! - [`structure`]: the grain of a body over its surface.
//!
//! This crate knows poses and numbers of bodies, but neither masses in motion nor forces, and opens
//! no files.

pub mod collision;
pub mod shape;
pub mod structure;
pub mod volume;
