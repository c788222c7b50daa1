//! The commands, one module each.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod demo;
pub(crate) mod mesh;
pub(crate) mod new;
pub(crate) mod patch;
pub(crate) mod planar;
pub(crate) mod plot;
pub(crate) mod render;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod solve;
pub(crate) mod texture;
pub(crate) mod tune;
pub(crate) mod verify;
pub(crate) mod volume;
