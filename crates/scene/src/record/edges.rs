//! Edges of the surface of a soft body, and how far they are stretched.

use glamx::DVec3;

/// The edges of triangles, with their lengths at the start.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Edges {
    /// Length of each triangle's edges, metres.
    lengths: Vec<[f64; 3]>,
}

impl Edges {
    /// As they are now.
    pub(super) fn new(triangles: &[[u32; 3]], positions: &[DVec3]) -> Edges {
        Edges { lengths: triangles.iter().map(|t| lengths(*t, positions)).collect() }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Stretch of all edges together, and of the one that has most. An edge of two triangles counts
    /// twice, one at the rim once.
    pub(super) fn stretch(&self, triangles: &[[u32; 3]], positions: &[DVec3]) -> [f64; 2] {
        let (mut length, mut first, mut most) = (0.0, 0.0, 0.0_f64);
        for (t, before) in triangles.iter().zip(&self.lengths) {
            for (now, before) in lengths(*t, positions).into_iter().zip(*before) {
                length += now;
                first += before;
                if before > 0.0 {
                    most = most.max(now / before);
                }
            }
        }
        [if first > 0.0 { length / first } else { 1.0 }, most]
    }
}

/// Lengths of a triangle's edges.
fn lengths([a, b, c]: [u32; 3], positions: &[DVec3]) -> [f64; 3] {
    let length = |i: u32, j: u32| positions[i as usize].distance(positions[j as usize]);
    [length(a, b), length(b, c), length(c, a)]
}
