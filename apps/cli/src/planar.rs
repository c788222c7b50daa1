//! `asperity planar`: friction of one patch, on its own.

pub(crate) mod model;
pub(crate) mod paper;
pub(crate) mod signal;
pub(crate) mod simulate;
