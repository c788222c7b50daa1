//! Two closed meshes.

use glamx::DPose3;

use super::Overlap;
use super::bvh::{Aabb, LEAF};
use super::chain::Chain;
use super::crossing::{Crossing, FaceCut, Pair};
use super::feet::{self, Foot};
use super::mesh::Mesh;
use super::pieces::{Closing, Pieces};
use super::segmentation::Segments;
use super::sides;

/// Memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Work {
    stack: Vec<(u32, u32)>,
    near: Vec<[u32; 2]>,
    crossings: [Vec<Crossing>; 2],
    cuts: Vec<FaceCut>,
    chain: Chain,
    pieces: Pieces,
    others: Vec<Overlap>,
}

/// Overlaps of two meshes.
pub(super) fn overlaps(
    a: &Mesh,
    pose_a: &DPose3,
    b: &Mesh,
    pose_b: &DPose3,
    work: &mut Work,
    out: &mut Vec<Overlap>,
) {
    let mut pair = Pair::new(a, pose_a, b, pose_b);
    let bounds = pair.place.bounds(&b.bvh.bounds());
    if !a.bvh.bounds().meets(&bounds) {
        return;
    }
    work.find_near(&pair);
    let first = out.len();
    work.once(&mut pair, pose_a, &[], out);
    if pair.sides.tie {
        // On a kink: from the other side too, and then with the mean of both gradients. The plane
        // in which the reach is measured follows from that.
        pair.sides.sense = -1.0;
        let mut others = std::mem::take(&mut work.others);
        others.clear();
        work.once(&mut pair, pose_a, &[], &mut others);
        pair.sides.sense = 1.0;
        out.truncate(first);
        work.once(&mut pair, pose_a, &others, out);
        work.others = others;
    }
}

impl Work {
    /// Points on which the overlaps rest that were found last, with A at this pose.
    pub(super) fn feet(&self, pose_a: &DPose3, found: &[Overlap], feet: &mut Vec<Foot>) {
        feet::find(self.pieces.written(self.chain.surface()), found, pose_a, feet);
    }

    /// Finds between which planes the overlaps lie that were found last.
    pub(super) fn sides(&self, pose_a: &DPose3, found: &mut [Overlap]) {
        sides::find(self.pieces.written(self.chain.surface()), pose_a, found);
    }

    /// Cuts the overlaps that were found last where they lie on several planes.
    pub(super) fn segment(
        &self,
        pose_a: &DPose3,
        angle: f64,
        segments: &mut Segments,
        out: &mut Vec<Overlap>,
    ) {
        segments.cut(self.pieces.written(self.chain.surface()), pose_a, angle, out);
    }

    /// The overlaps as one sense of the infinitesimal shift has them.
    fn once(
        &mut self,
        pair: &mut Pair,
        world: &DPose3,
        others: &[Overlap],
        out: &mut Vec<Overlap>,
    ) {
        self.cuts.clear();
        for side in &mut self.crossings {
            side.clear();
        }
        for faces in &self.near {
            self.cuts.extend(pair.cut(*faces, &mut self.crossings));
        }
        for side in &mut self.crossings {
            side.sort_unstable_by(Crossing::order);
            // Both triangles at an edge find the same crossing.
            side.dedup_by_key(|c| (c.edge, c.face));
        }
        self.chain.build(pair, &self.crossings, &mut self.cuts);
        let closing = Closing { plane: None, least: pair.place.pad, others };
        self.pieces.collect(self.chain.surface(), closing, world, out);
        self.chain.forget();
    }

    /// Pairs of triangles whose boxes meet.
    fn find_near(&mut self, pair: &Pair) {
        self.near.clear();
        let [a, b] = pair.meshes;
        let (place, back) = (pair.place, pair.place.inverse());
        self.stack.clear();
        self.stack.push((0, 0));
        while let Some((i, j)) = self.stack.pop() {
            let (p, q) = (&a.bvh.nodes[i as usize], &b.bvh.nodes[j as usize]);
            if !p.bounds.meets(&place.bounds(&q.bounds)) || !back.bounds(&p.bounds).meets(&q.bounds)
            {
                continue;
            }
            let larger = p.bounds.size().length_squared() > q.bounds.size().length_squared();
            if p.second != 0 && (larger || q.second == 0) {
                self.stack.extend([(p.second, j), (i + 1, j)]);
            } else if q.second != 0 {
                self.stack.extend([(i, q.second), (i, j + 1)]);
            } else {
                // Boxes of B's triangles once for this leaf, those that meet the other leaf.
                let (mut boxes, mut count) = ([(0, Aabb::EMPTY); LEAF], 0);
                for f in b.bvh.triangles(q) {
                    let bounds = Aabb::of(&pair.corners(1, *f));
                    if bounds.meets(&p.bounds) {
                        boxes[count] = (*f, bounds);
                        count += 1;
                    }
                }
                if count == 0 {
                    continue;
                }
                for t in a.bvh.triangles(p) {
                    let own = Aabb::of(&pair.corners(0, *t));
                    let near = boxes[..count].iter().filter(|(_, bounds)| own.meets(bounds));
                    self.near.extend(near.map(|(f, _)| [*t, *f]));
                }
            }
        }
    }
}
