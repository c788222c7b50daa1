//! Experiments on one patch in the plane: a friction model with its state, what is done to it, and
//! those of Arslan Waltersson & Karayiannidis.

pub mod model;
pub mod paper;
pub mod signal;
pub mod simulate;
