//! Rapier in the comparison, in both precisions: one source, compiled against both crates.

pub(crate) mod double;
pub(crate) mod single;

/// What is not left as it is by default.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Options {
    /// Coulomb friction at each contact point in place of the default, one friction force and one
    /// twist per manifold.
    pub(crate) per_point: bool,
    /// Whether bodies at rest may sleep. They may by default.
    pub(crate) sleep: bool,
}
