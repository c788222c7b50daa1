//! Edges that cut faces: none as long as nothing has passed through anything.

use glamx::DVec3;

use super::bvh::Found;
use super::detector::{Detector, Motion};
use super::topology::ContactError;

/// An edge that cuts a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// Ends of the edge.
    pub edge: [u32; 2],
    /// Corners of the face.
    pub face: [u32; 3],
    /// The shortest way on which the edge would leave the face, metres.
    pub depth: f64,
}

impl Detector {
    /// Pairs of an edge and a face that cut each other. For checks; it allocates.
    pub fn crossings(&mut self, positions: &[DVec3]) -> Result<usize, ContactError> {
        Ok(self.find_crossings(positions)?.iter().map(|f| f.items.len()).sum())
    }

    /// The deepest of those crossings that count.
    pub fn deepest_crossing(
        &mut self,
        positions: &[DVec3],
        counts: impl Fn(&Crossing) -> bool,
    ) -> Result<Option<Crossing>, ContactError> {
        let found = self.find_crossings(positions)?;
        let all = found.iter().flat_map(|f| &f.items).filter(|c| counts(c));
        // The tree's order is not to tell which of two alike is named.
        let worse = |a: &&Crossing, b: &&Crossing| {
            a.depth.total_cmp(&b.depth).then((b.edge, b.face).cmp(&(a.edge, a.face)))
        };
        Ok(all.max_by(worse).copied())
    }

    fn find_crossings(
        &mut self,
        positions: &[DVec3],
    ) -> Result<Vec<Found<Crossing>>, ContactError> {
        let still = vec![DVec3::ZERO; positions.len()];
        let motion = Motion { positions, velocities: &still, dt: 0.0 };
        motion.check(self.topology.vertex_count())?;
        if self.are_known_to_be_apart(&motion) {
            return Ok(Vec::new());
        }
        self.refit(&motion, None, 0.0, None);
        let topology = &self.topology;
        let mut found = Vec::new();
        self.tree.self_overlaps(&mut found, |a, b, list: &mut Vec<Crossing>| {
            let (p, q) = (&topology.primitives[a as usize], &topology.primitives[b as usize]);
            if !topology.may_touch(p.corners[0], q.corners[0]) {
                return;
            }
            for (edges, face) in [(p, q), (q, p)] {
                for k in 0..3 {
                    if !(face.is_face && edges.owns_edge[k]) {
                        continue;
                    }
                    let edge = topology.edges[edges.edges[k] as usize];
                    if edge.iter().any(|v| face.corners.contains(v)) {
                        continue;
                    }
                    let ends = edge.map(|v| positions[v as usize]);
                    let corners = face.corners.map(|v| positions[v as usize]);
                    if cuts(ends, corners) {
                        let depth = depth(ends, corners);
                        list.push(Crossing { edge, face: face.corners, depth });
                    }
                }
            }
        });
        Ok(found)
    }
}

/// Whether a segment passes through the inside of a triangle.
fn cuts([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
    let volume = |x: DVec3, y: DVec3, z: DVec3, w: DVec3| (y - x).cross(z - x).dot(w - x);
    let (below, above) = (volume(a, b, c, p), volume(a, b, c, q));
    if !(below * above < 0.0) {
        return false;
    }
    let sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
    sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0)
}

/// The shortest way on which a segment leaves a triangle that it cuts: across the triangle, or across the segment and a
/// side, which are the faces of the prism of all differences of their points.
fn depth([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> f64 {
    let along = q - p;
    let sides = [b - a, c - b, a - c];
    let across = [sides[0].cross(sides[1])].into_iter().chain(sides.map(|side| along.cross(side)));
    let way = |n: DVec3| {
        let (p, q) = (n.dot(p), n.dot(q));
        let [a, b, c] = [a, b, c].map(|x| n.dot(x));
        (p.max(q) - a.min(b).min(c)).min(a.max(b).max(c) - p.min(q))
    };
    across.filter_map(DVec3::try_normalize).map(way).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A segment through the middle of a triangle leaves it by its nearer end; one beside a side, across that side.
    #[test]
    fn the_shortest_way_out_is_found() {
        let triangle = [DVec3::ZERO, DVec3::new(3.0, 0.0, 0.0), DVec3::new(0.0, 3.0, 0.0)];
        let through = |x: f64, y: f64, low: f64, high: f64| {
            let ends = [DVec3::new(x, y, -low), DVec3::new(x, y, high)];
            assert!(cuts(ends, triangle));
            depth(ends, triangle)
        };
        assert!((through(1.0, 1.0, 0.2, 5.0) - 0.2).abs() < 1e-15);
        assert!((through(1.0, 1.0, 5.0, 0.3) - 0.3).abs() < 1e-15);
        assert!((through(1.0, 0.1, 5.0, 4.0) - 0.1).abs() < 1e-15);
        // 1.4 + 1.4 is 0.2 short of the slanting side, which is that over √2 away.
        assert!((through(1.4, 1.4, 5.0, 4.0) - 0.2 / 2.0_f64.sqrt()).abs() < 1e-15);
    }
}
