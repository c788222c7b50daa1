//! Cloth and soft solids. This crate knows sets of admissible forces, but no friction models, no
//! rigid bodies and no files.
pub mod contact;
