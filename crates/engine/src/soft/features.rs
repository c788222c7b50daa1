//! Corners and edges of rigid shapes that could poke through a coarse cloth.

use std::ops::Range;

use glamx::DVec3;

use super::obstacle::RigidMotion;
use crate::body::Body;
use asperity_geometry::shape::Shape;

/// Corners and edges of boxes and convex hulls. Meshes and height fields have none here: vertices
/// of soft bodies stay off them, but their spikes can poke through a coarser face.
#[derive(Debug, Default)]
pub(super) struct Features {
    /// Body of each range of vertices, and the vertices in body axes.
    owners: Vec<usize>,
    ranges: Vec<Range<u32>>,
    local: Vec<DVec3>,
    edges: Vec<Vec<[u32; 2]>>,
}

impl Features {
    pub(super) fn new(bodies: &[Body]) -> Features {
        let mut features = Features::default();
        for (k, body) in bodies.iter().enumerate() {
            let Some(Ok(Some(poly))) = body.shape().map(Shape::polyhedron) else { continue };
            let first = features.local.len() as u32;
            features.owners.push(k);
            features.ranges.push(first..first + poly.vertices.len() as u32);
            features.local.extend(&poly.vertices);
            features.edges.push(poly.edges.iter().map(|e| e.ends.map(|v| v + first)).collect());
        }
        features
    }

    pub(super) fn len(&self) -> usize {
        self.local.len()
    }

    pub(super) fn ranges(&self) -> &[Range<u32>] {
        &self.ranges
    }

    /// The group of each body that has any.
    pub(super) fn groups(&self, bodies: &[Body]) -> impl Iterator<Item = u32> {
        self.owners.iter().map(|k| bodies[*k].desc.group)
    }

    /// Edges and corners of each body, their vertices counted from `first`.
    pub(super) fn shifted(&self, first: u32) -> (Vec<Vec<[u32; 2]>>, Vec<Vec<u32>>) {
        let edge = |e: &[u32; 2]| e.map(|v| v + first);
        let edges = self.edges.iter().map(|list| list.iter().map(edge).collect()).collect();
        let points = self.ranges.iter().map(|r| (r.start + first..r.end + first).collect());
        (edges, points.collect())
    }

    /// Position, velocity and material of each corner.
    pub(super) fn placed(
        &self,
        bodies: &[Body],
        moving: &[RigidMotion],
    ) -> impl Iterator<Item = (DVec3, DVec3, usize)> {
        self.bodies().zip(&self.local).map(|(k, local)| {
            let position = moving[k].pose.transform_point(*local);
            (position, moving[k].velocity(position), bodies[k].surface())
        })
    }

    /// Where each corner is now.
    pub(super) fn now(&self, bodies: &[Body]) -> impl Iterator<Item = DVec3> {
        self.bodies().zip(&self.local).map(|(k, local)| bodies[k].pose.transform_point(*local))
    }

    /// The body of each corner.
    pub(super) fn bodies(&self) -> impl Iterator<Item = usize> + '_ {
        let of = |(owner, range): (&usize, &Range<u32>)| std::iter::repeat_n(*owner, range.len());
        self.owners.iter().zip(&self.ranges).flat_map(of)
    }
}
