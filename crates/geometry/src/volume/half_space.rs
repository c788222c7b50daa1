//! A closed mesh and a half-space.
//!
//! A corner is below the plane or not, and that decides everything. The cut surface itself is not
//! needed: seen from a point of the plane its cones are empty, and its area is that of the rest.

use glamx::{DPose3, DVec3};

use super::Overlap;
use super::chain::{Face, Link, LinkedSurface};
use super::mesh::Mesh;
use super::pieces::{Closing, Pieces};

/// Memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Work {
    stack: Vec<u32>,
    /// Points of corners below the plane, and of edges through it.
    corners: Numbers,
    edges: Numbers,
    /// Triangles that may have a corner below the plane.
    faces: Vec<u32>,
    points: Vec<DVec3>,
    links: Vec<Link>,
    groups: Vec<Face>,
    pieces: Pieces,
}

/// Numbers of points, for corners or edges; none before and after a call.
#[derive(Debug, Clone, Default)]
struct Numbers {
    of: Vec<u32>,
    used: Vec<u32>,
}

/// Overlaps of a mesh, which is body A (side 0) or B (side 1), with a half-space: its normal in its
/// own axes, and its pose.
pub(super) fn overlaps(
    mesh: &Mesh,
    pose: &DPose3,
    side: usize,
    (normal, plane_pose): (DVec3, &DPose3),
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
    let closing = Closing { plane: Some((point, normal, side)), least, others: &[] };
    let Work { points, links, groups, pieces, .. } = work;
    pieces.collect(LinkedSurface { points, links, faces: groups }, closing, pose, out);
    work.corners.forget();
    work.edges.forget();
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
        self.corners.prepare(mesh.positions.len());
        self.edges.prepare(mesh.ends.len());
        self.points.clear();
        self.links.clear();
        self.groups.clear();
        for f in 0..self.faces.len() {
            let face = self.faces[f] as usize;
            let corners = mesh.triangles[face];
            let below = mesh.corners(face as u32).map(|p| height(p) < 0.0);
            if below == [false; 3] {
                continue;
            }
            let (triangle, first) = (face as u32, self.links.len() as u32);
            self.groups.push(Face { side, triangle, first });
            let link = |from: u32, to: u32| Link { from, to, weight: 1 };
            if below == [true; 3] {
                let [a, b, c] = corners.map(|c| self.corner(mesh, c));
                // The third link would end where the fan begins.
                self.links.extend([link(a, b), link(b, c)]);
                continue;
            }
            let (mut leaves, mut enters) = (None, None);
            for k in 0..3 {
                let next = (k + 1) % 3;
                let (from, to) = match (below[k], below[next]) {
                    (true, true) => {
                        (self.corner(mesh, corners[k]), self.corner(mesh, corners[next]))
                    }
                    (true, false) => {
                        let to = self.crossing(mesh, mesh.edges[face][k], height);
                        leaves = Some(to);
                        (self.corner(mesh, corners[k]), to)
                    }
                    (false, true) => {
                        let from = self.crossing(mesh, mesh.edges[face][k], height);
                        enters = Some(from);
                        (from, self.corner(mesh, corners[next]))
                    }
                    (false, false) => continue,
                };
                self.links.push(link(from, to));
            }
            if let (Some(from), Some(to)) = (leaves, enters) {
                self.links.push(link(from, to));
            }
        }
    }

    fn corner(&mut self, mesh: &Mesh, corner: u32) -> u32 {
        self.corners.number(corner, &mut self.points, || mesh.positions[corner as usize])
    }

    /// Where an edge passes the plane.
    fn crossing(&mut self, mesh: &Mesh, edge: u32, height: &impl Fn(DVec3) -> f64) -> u32 {
        self.edges.number(edge, &mut self.points, || {
            let [p, q] = mesh.ends[edge as usize].map(|e| mesh.positions[e as usize]);
            let (h, g) = (height(p).abs(), height(q).abs());
            if h < g { p + (q - p) * (h / (h + g)) } else { q + (p - q) * (g / (h + g)) }
        })
    }
}

impl Numbers {
    fn prepare(&mut self, count: usize) {
        if self.of.len() < count {
            self.of.resize(count, u32::MAX);
        }
    }

    /// The number of a thing's point; a new one is made where it has none.
    fn number(&mut self, thing: u32, points: &mut Vec<DVec3>, at: impl FnOnce() -> DVec3) -> u32 {
        let number = &mut self.of[thing as usize];
        if *number == u32::MAX {
            *number = points.len() as u32;
            points.push(at());
            self.used.push(thing);
        }
        *number
    }

    fn forget(&mut self) {
        for thing in self.used.drain(..) {
            self.of[thing as usize] = u32::MAX;
        }
    }
}
