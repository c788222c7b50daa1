//! What makes a contact point, and the identity that follows from it.

/// What makes a contact point: a cause, and the number of a feature on each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PointKey {
    pub(crate) cause: Cause,
    pub(crate) a: u32,
    pub(crate) b: u32,
}

/// Which features meet at a contact point. The numbers are part of identities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A point of one over a feature of the other.
    PointOver = 1,
    /// A corner of a face over a face.
    CornerOverFace = 2,
    /// Edges of two faces that cross.
    EdgesOfFaces = 3,
    /// A segment over a face or a disc: an end of it, or where it leaves.
    SegmentOver = 4,
    /// Two segments that cross.
    Segments = 5,
    /// Two segments side by side: an end of one of them.
    ParallelSegments = 6,
    /// A point of a rim over a face.
    RimOverFace = 7,
    /// A corner of a face over a disc.
    CornerOverDisc = 8,
    /// A rim that crosses the edge of a face.
    RimAndEdge = 9,
    /// A point of a rim over a disc.
    RimOverDisc = 10,
    /// Two rims that cross.
    Rims = 11,
    /// A corner over the boundary of a half-space.
    CornerOverHalfSpace = 12,
    /// Nearest points of two cores.
    NearestCores = 13,
    /// Edges of two polyhedra that cross.
    Edges = 14,
    /// Nearest points of two polyhedra that are apart.
    NearestPolyhedra = 15,
    /// A corner of the outline of what two meshes share.
    MeshFoot = 16,
}

/// A number that no feature has.
pub(crate) const NONE: u32 = u32::MAX;

/// The bit of an identity that says that no feature of the first side makes the point.
pub(crate) const SECOND_ALONE: u64 = 1;

impl PointKey {
    /// With A and B exchanged.
    pub(crate) fn flipped(self) -> PointKey {
        PointKey { cause: self.cause, a: self.b, b: self.a }
    }

    /// A number for what makes a point on these parts of two bodies.
    pub(crate) fn identity(self, parts: [u32; 2]) -> u64 {
        let mix = |mut x: u64| {
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^ (x >> 31)
        };
        let words = [self.cause as u32, self.a, self.b, parts[0], parts[1]];
        let hash = words
            .into_iter()
            .fold(0, |hash, word| mix(hash ^ u64::from(word).wrapping_add(0x9e37_79b9_7f4a_7c15)));
        if self.a == NONE { hash | SECOND_ALONE } else { hash & !SECOND_ALONE }
    }
}
