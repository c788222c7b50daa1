//! Friction sets as drags, which are methods of the sets.

pub(super) use asperity_friction::set::drag::{force_by_law, resistance};
