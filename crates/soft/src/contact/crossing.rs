//! A count of faces that edges cut.

use glamx::DVec3;

use super::detector::{Detector, Motion};
use super::topology::ContactError;

impl Detector {
    /// Pairs of an edge and a face that cut each other: zero as long as nothing has passed through
    /// anything. For checks; it allocates.
    pub fn crossings(&mut self, positions: &[DVec3]) -> Result<usize, ContactError> {
        let still = vec![DVec3::ZERO; positions.len()];
        let motion = Motion { positions, velocities: &still, dt: 0.0 };
        motion.check(self.topology.vertex_count())?;
        self.refit(&motion, None, 0.0, None);
        let topology = &self.topology;
        let mut found = Vec::new();
        self.tree.self_overlaps(&mut found, |a, b, list: &mut Vec<()>| {
            let (p, q) = (&topology.primitives[a as usize], &topology.primitives[b as usize]);
            if !topology.may_touch(p.corners[0], q.corners[0]) {
                return;
            }
            for (edges, face) in [(p, q), (q, p)] {
                for k in 0..3 {
                    if !(face.is_face && edges.owns_edge[k]) {
                        continue;
                    }
                    let [a, b] = topology.edges[edges.edges[k] as usize];
                    if face.corners.contains(&a) || face.corners.contains(&b) {
                        continue;
                    }
                    let ends = [a, b].map(|v| positions[v as usize]);
                    if cuts(ends, face.corners.map(|v| positions[v as usize])) {
                        list.push(());
                    }
                }
            }
        });
        Ok(found.iter().map(|f| f.items.len()).sum())
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
