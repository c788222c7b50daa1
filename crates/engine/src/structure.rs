//! Where the structure direction (the grain) of a body comes from.

use std::sync::Arc;

use glamx::DVec3;

/// A field of structure directions over a body, in body axes.
#[derive(Clone, Default)]
pub enum StructureField {
    /// No grain of the body's own: that of its surface (constant or texture), if any.
    #[default]
    None,
    /// The same direction everywhere, body axes.
    Constant(DVec3),
    /// A function of the point, both in body axes: radial, concentric, spiral, expressions.
    Procedural(Arc<dyn Fn(DVec3) -> DVec3 + Send + Sync>),
    /// One direction for each vertex of a mesh, interpolated.
    PerVertex(Arc<Vec<DVec3>>),
}

impl std::fmt::Debug for StructureField {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            StructureField::None => f.write_str("None"),
            StructureField::Constant(d) => write!(f, "Constant({d})"),
            StructureField::Procedural(_) => f.write_str("Procedural"),
            StructureField::PerVertex(v) => write!(f, "PerVertex({})", v.len()),
        }
    }
}
