//! How bodies move between contacts.

pub(crate) mod joint_rows;
pub(crate) mod midpoint;
mod stiffening;
pub(crate) mod way;
