//! A closed mesh and a half-space.
//!
//! A corner is below the plane or not, and that decides everything. The cut surface itself is not
//! needed: seen from a point of the plane its cones are empty, and its area is that of the rest.

use glamx::{DPose3, DVec3};

use super::Overlap;
use super::chain::{Face, Link};
use super::mesh::Mesh;
use super::pieces::{Closing, Pieces};

/// Memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Work {
    stack: Vec<u32>,
    /// Number of each corner below the plane among the points.
    number: Vec<u32>,
    used: Vec<u32>,
    /// Triangles with a corner below the plane.
    faces: Vec<u32>,
    /// Edges through the plane, in order.
    edges: Vec<u32>,
    points: Vec<DVec3>,
    links: Vec<Link>,
    groups: Vec<Face>,
    pieces: Pieces,
}

/// Overlaps of a mesh, which is body A (side 0) or B (side 1), with a half-space.
pub(super) fn overlaps(
    mesh: &Mesh,
    pose: &DPose3,
    side: usize,
    normal: DVec3,
    plane_pose: &DPose3,
    work: &mut Work,
    out: &mut Vec<Overlap>,
) {
    // In the axes of the mesh.
    let normal = pose.rotation.inverse() * (plane_pose.rotation * normal);
    let point = pose.inverse_transform_point(plane_pose.translation);
    let level = normal.dot(point);
    let magnitude = mesh.bvh.bounds().magnitude() + level.abs();
    let least = 16.0 * f64::EPSILON * magnitude;
    let height = |p: DVec3| normal.dot(p) - level;
    work.find(mesh, normal, level, least);
    work.cut(mesh, side, &height);
    let closing = Closing { plane: Some((point, normal, side)), least };
    let Work { points, links, groups, pieces, .. } = work;
    pieces.collect(points, links, groups, closing, pose, out);
    for corner in work.used.drain(..) {
        work.number[corner as usize] = u32::MAX;
    }
}

impl Work {
    /// Triangles that reach below the plane.
    fn find(&mut self, mesh: &Mesh, normal: DVec3, level: f64, pad: f64) {
        self.faces.clear();
        self.stack.clear();
        self.stack.extend((!mesh.bvh.nodes.is_empty()).then_some(0));
        while let Some(n) = self.stack.pop() {
            let node = &mesh.bvh.nodes[n as usize];
            let half = 0.5 * node.bounds.size();
            let middle = normal.dot(node.bounds.low + half) - level;
            if middle - normal.abs().dot(half) > pad {
                continue;
            }
            if node.second == 0 {
                self.faces.extend_from_slice(mesh.bvh.triangles(node));
            } else {
                self.stack.extend([node.second, n + 1]);
            }
        }
    }

    /// Links of all triangles, cut at the plane.
    fn cut(&mut self, mesh: &Mesh, side: usize, height: &impl Fn(DVec3) -> f64) {
        if self.number.len() < mesh.positions.len() {
            self.number.resize(mesh.positions.len(), u32::MAX);
        }
        self.points.clear();
        self.links.clear();
        self.groups.clear();
        self.edges.clear();
        for face in &self.faces {
            let below = mesh.corners(*face).map(|p| height(p) < 0.0);
            let through = (0..3).filter(|k| below[*k] != below[(k + 1) % 3]);
            self.edges.extend(through.map(|k| mesh.edges[*face as usize][k]));
        }
        self.edges.sort_unstable();
        self.edges.dedup();
        self.points.extend(self.edges.iter().map(|edge| {
            let [p, q] = mesh.ends[*edge as usize].map(|e| mesh.positions[e as usize]);
            let (h, g) = (height(p).abs(), height(q).abs());
            if h < g { p + (q - p) * (h / (h + g)) } else { q + (p - q) * (g / (h + g)) }
        }));
        for f in 0..self.faces.len() {
            let face = self.faces[f] as usize;
            let corners = mesh.triangles[face];
            let below = mesh.corners(face as u32).map(|p| height(p) < 0.0);
            if below == [false; 3] {
                continue;
            }
            self.groups.push(Face { side, first: self.links.len() as u32 });
            let (mut leaves, mut enters) = (None, None);
            for k in 0..3 {
                let next = (k + 1) % 3;
                let from = below[k].then(|| self.corner(mesh, corners[k]));
                let to = below[next].then(|| self.corner(mesh, corners[next]));
                let edge = || {
                    let at = self.edges.partition_point(|e| *e < mesh.edges[face][k]);
                    at as u32
                };
                match (from, to) {
                    (Some(from), Some(to)) => self.links.push(Link { from, to, weight: 1 }),
                    (Some(from), None) => {
                        let to = edge();
                        leaves = Some(to);
                        self.links.push(Link { from, to, weight: 1 });
                    }
                    (None, Some(to)) => {
                        let from = edge();
                        enters = Some(from);
                        self.links.push(Link { from, to, weight: 1 });
                    }
                    (None, None) => {}
                }
            }
            if let (Some(from), Some(to)) = (leaves, enters) {
                self.links.push(Link { from, to, weight: 1 });
            }
        }
    }

    fn corner(&mut self, mesh: &Mesh, corner: u32) -> u32 {
        let number = &mut self.number[corner as usize];
        if *number == u32::MAX {
            *number = self.points.len() as u32;
            self.points.push(mesh.positions[corner as usize]);
            self.used.push(corner);
        }
        *number
    }
}
