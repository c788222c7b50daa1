//! Rapier in the comparison, in both precisions: one source, compiled against both crates.

pub(super) mod double;
pub(super) mod single;
