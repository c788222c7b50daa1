//! Meshes that meet meshes: by the volumes they share.

use glamx::DPose3;

use super::super::point_key::{Cause, PointKey};
use super::{Manifold, ManifoldFinder, Point, Sides};
use crate::volume::{ClosedShape, Foot, NormalRule, Overlap, Scratch, overlaps_with_feet};

/// Memory for meshes that meet meshes.
#[derive(Default)]
pub(super) struct Volumes {
    scratch: Scratch,
    found: Vec<Overlap>,
    feet: Vec<Foot>,
}

impl ManifoldFinder {
    /// One manifold for each volume that two meshes share: the corners of its outline and its middle.
    pub(super) fn meshes(
        &mut self,
        s: Sides,
        shapes: [&ClosedShape; 2],
        poses: [&DPose3; 2],
        out: &mut Vec<Manifold>,
    ) {
        let mut volumes = std::mem::take(&mut self.volumes);
        let Volumes { scratch, found, feet } = &mut *volumes;
        overlaps_with_feet(shapes, poses, scratch, found, feet);
        for of_one in feet.chunk_by(|a, b| a.overlap == b.overlap) {
            let number = of_one[0].overlap;
            let normal = found[number as usize].normal(NormalRule::Gradient);
            let parts = [number, 0];
            let mut m = self.manifold(Sides { parts, ..s }, normal);
            for foot in of_one {
                let key = PointKey { cause: Cause::MeshFoot, a: foot.corner, b: 0 };
                let id = key.identity(parts);
                let [on_a, on_b] = foot.on;
                let gap = normal.dot(on_b - on_a);
                let parts = foot.triangles;
                m.points.push(Point { on_a, on_b, gap, id, was: id, parts, local: foot.on });
            }
            self.finish(m, s, out);
        }
        self.volumes = volumes;
    }
}
