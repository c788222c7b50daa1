//! What can be wrong with a shape.

use super::{MAX_ASPECT, MIN_SIZE};

/// Why a shape cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A number that is infinite or not a number.
    #[error("{what} is {value}; expected finite numbers")]
    NotFinite {
        /// What it is.
        what: String,
        /// Its value.
        value: String,
    },
    /// A length that is zero, negative or too small.
    #[error("{what} is {value}; expected a length of at least {MIN_SIZE} m")]
    TooSmall {
        /// What it is.
        what: String,
        /// Metres.
        value: f64,
    },
    /// Extents too far apart for sound arithmetic.
    #[error(
        "{what} has extents from {smallest} m to {largest} m; expected a ratio of at most {MAX_ASPECT}"
    )]
    Aspect {
        /// What it is.
        what: String,
        /// Metres.
        smallest: f64,
        /// Metres.
        largest: f64,
    },
    /// Too few or too many of something.
    #[error("{what}: {count}; expected {expected}")]
    Count {
        /// What was counted.
        what: String,
        /// How many there are.
        count: usize,
        /// How many there should be.
        expected: String,
    },
    /// A hull without volume.
    #[error(
        "the hull's points lie within {thickness} m of a plane; expected a solid of at least {MIN_SIZE} m"
    )]
    Flat {
        /// Metres.
        thickness: f64,
    },
    /// A hull whose faces could not be found.
    #[error(
        "the hull of {points} points could not be built ({why}); expected points in general position: remove near-duplicates"
    )]
    Hull {
        /// Number of points.
        points: usize,
        /// What went wrong.
        why: &'static str,
    },
    /// A triangle that names a position that is not there.
    #[error("triangle {triangle} names position {index}; expected an index below {count}")]
    Index {
        /// Number of the triangle.
        triangle: usize,
        /// The index.
        index: u32,
        /// Number of positions.
        count: usize,
    },
    /// A triangle without area.
    #[error(
        "triangle {triangle} has the area {area} m²; expected three corners apart and not in a line"
    )]
    DegenerateTriangle {
        /// Number of the triangle.
        triangle: usize,
        /// Square metres.
        area: f64,
    },
    /// A mesh with a hole has no volume.
    #[error(
        "the mesh is open: the edge of triangle {triangle} from position {from} to {to} has {neighbours} neighbours; expected one, for a mass from density"
    )]
    Open {
        /// Number of the triangle.
        triangle: usize,
        /// Start of the edge.
        from: u32,
        /// End of the edge.
        to: u32,
        /// Triangles that use the edge the other way round.
        neighbours: usize,
    },
    /// Volume zero or negative.
    #[error(
        "{what} encloses {volume} m³; expected a positive volume (triangles counter-clockwise seen from outside)"
    )]
    Volume {
        /// What it is.
        what: String,
        /// Cubic metres.
        volume: f64,
    },
    /// A shape that has no mass of its own.
    #[error("{what} has no volume; give mass, centre and inertia, or make the body fixed")]
    NoVolume {
        /// What it is.
        what: &'static str,
    },
    /// A density that is not above zero.
    #[error("density is {density} kg/m³; expected a number above 0")]
    Density {
        /// kg/m³.
        density: f64,
    },
    /// A part that a compound cannot hold.
    #[error(
        "part {part} of the compound is a {what}; expected convex parts (box, sphere, capsule, cylinder, cone, hull)"
    )]
    Part {
        /// Number of the part.
        part: usize,
        /// What it is.
        what: &'static str,
    },
}
