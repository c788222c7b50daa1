//! Where the structure direction (the grain) of a body comes from.

use std::sync::Arc;

use glamx::DVec3;

use crate::collision::surface::SurfaceFrame;

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
    /// A function of the point, body axes, and of time, seconds.
    Timed(Arc<dyn Fn(DVec3, f64) -> DVec3 + Send + Sync>),
    /// One direction for each vertex of a mesh, interpolated.
    PerVertex(Arc<Vec<DVec3>>),
}

impl StructureField {
    /// Whether it changes in time.
    pub fn follows_time(&self) -> bool {
        matches!(self, StructureField::Timed(_))
    }

    /// The direction at a point of the surface, body axes, at a time, seconds; `None` where the body has no
    /// grain of its own.
    pub fn at(&self, point: DVec3, time: f64, frame: &SurfaceFrame) -> Option<DVec3> {
        match self {
            StructureField::None => None,
            StructureField::Constant(direction) => Some(*direction),
            StructureField::Procedural(field) => Some(field(point)),
            StructureField::Timed(field) => Some(field(point, time)),
            StructureField::PerVertex(directions) => {
                let Some((vertices, weights)) = frame.barycentric else { return Some(DVec3::ZERO) };
                let corner =
                    |k: usize| directions.get(vertices[k] as usize).copied().unwrap_or(DVec3::ZERO);
                // Only the line counts, not its sense: corners are turned to the first.
                let first = corner(0);
                Some((0..3).fold(DVec3::ZERO, |sum, k| {
                    let d = corner(k);
                    sum + weights[k] * if d.dot(first) < 0.0 { -d } else { d }
                }))
            }
        }
    }
}

impl std::fmt::Debug for StructureField {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            StructureField::None => f.write_str("None"),
            StructureField::Constant(d) => write!(f, "Constant({d})"),
            StructureField::Procedural(_) => f.write_str("Procedural"),
            StructureField::Timed(_) => f.write_str("Timed"),
            StructureField::PerVertex(v) => write!(f, "PerVertex({})", v.len()),
        }
    }
}
