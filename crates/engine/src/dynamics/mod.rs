//! How bodies move between contacts.

pub(crate) mod joint;
pub(crate) mod rigid;
