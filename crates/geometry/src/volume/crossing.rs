//! Where the edges of one mesh pass through the triangles of the other.

use std::cmp::Ordering;

use glamx::{DMat3, DPose3, DVec3};

use super::bvh::{Aabb, Placement};
use super::mesh::Mesh;
use super::predicate::Sides;

/// Two meshes in the axes of the first.
pub(super) struct Pair<'a> {
    pub(super) meshes: [&'a Mesh; 2],
    /// From the axes of B to those of A; its pad bounds the rounding errors of coordinates.
    pub(super) place: Placement,
    pub(super) sides: Sides,
}

/// An edge of one mesh through a triangle of the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    pub(super) edge: u32,
    pub(super) face: u32,
    /// Way along the edge from its lower corner, 0 to 1.
    pub(super) way: f64,
    /// +1 where the edge, from its lower corner, goes into the other body.
    pub(super) sign: i32,
    pub(super) point: DVec3,
}

/// An end of a segment in which two triangles cut: a [`Crossing`] by its side, edge and face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    pub(super) side: usize,
    pub(super) edge: u32,
    pub(super) face: u32,
}

/// The segment that a triangle of A and one of B share; seen from outside of A, the inside of B is
/// to its left.
#[derive(Debug, Clone, Copy)]
pub(super) struct FaceCut {
    pub(super) faces: [u32; 2],
    pub(super) from: End,
    pub(super) to: End,
}

impl Crossing {
    /// Along edges.
    pub(super) fn order(&self, other: &Crossing) -> Ordering {
        let by_way = || self.way.total_cmp(&other.way);
        self.edge.cmp(&other.edge).then_with(by_way).then(self.face.cmp(&other.face))
    }
}

impl<'a> Pair<'a> {
    pub(super) fn new(a: &'a Mesh, pose_a: &DPose3, b: &'a Mesh, pose_b: &DPose3) -> Pair<'a> {
        let relative = pose_a.inv_mul(pose_b);
        let turn = DMat3::from_quat(relative.rotation);
        let magnitude = a.bvh.bounds().magnitude()
            + b.bvh.bounds().magnitude()
            + relative.translation.abs().max_element();
        Pair {
            meshes: [a, b],
            place: Placement::new(turn, relative.translation, 16.0 * f64::EPSILON * magnitude),
            sides: Sides { sense: 1.0, tie: false },
        }
    }

    /// A corner of A or B, in the axes of A.
    #[inline]
    pub(super) fn point(&self, side: usize, corner: u32) -> DVec3 {
        let p = self.meshes[side].positions[corner as usize];
        if side == 0 { p } else { self.place.point(p) }
    }

    /// The corners of a triangle.
    #[inline]
    pub(super) fn corners(&self, side: usize, face: u32) -> [DVec3; 3] {
        self.meshes[side].triangles[face as usize].map(|c| self.point(side, c))
    }

    /// How two triangles cut each other: writes the crossings at the ends of the segment they share.
    pub(super) fn cut(
        &mut self,
        faces: [u32; 2],
        crossings: &mut [Vec<Crossing>; 2],
    ) -> Option<FaceCut> {
        let t = [self.corners(0, faces[0]), self.corners(1, faces[1])];
        // Heights of the corners of each triangle over the plane of the other.
        let mut heights = [[(0.0, false); 3]; 2];
        for side in [1, 0] {
            for k in 0..3 {
                heights[side][k] = self.sides.of_plane(side == 0, &t[1 - side], t[side][k]);
            }
            let [p, q, r] = heights[side].map(|(_, above)| above);
            if p == q && q == r {
                return None;
            }
        }
        let mut turns = [[None; 3]; 3];
        let (mut from, mut to) = (None, None);
        for side in 0..2 {
            for k in 0..3 {
                let next = (k + 1) % 3;
                let (begin, end) = (heights[side][k], heights[side][next]);
                if begin.1 == end.1 || !self.passes(side, k, &t, &mut turns) {
                    continue;
                }
                let mesh = self.meshes[side];
                let corners = mesh.triangles[faces[side] as usize];
                let edge = mesh.edges[faces[side] as usize][k];
                let at = End { side, edge, face: faces[1 - side] };
                // Into the other body: from above its surface to below.
                let enters = begin.1;
                if enters == (side == 0) {
                    to = Some(at);
                } else {
                    from = Some(at);
                }
                let forward = corners[k] < corners[next];
                let ((low, high), sign) = if forward { ((k, next), 1) } else { ((next, k), -1) };
                let (h0, h1) = (heights[side][low].0.abs(), heights[side][high].0.abs());
                let (p, q) = (t[side][low], t[side][high]);
                let way = if h0 + h1 > 0.0 { h0 / (h0 + h1) } else { 0.5 };
                let point =
                    if h0 < h1 { p + (q - p) * way } else { q + (p - q) * (h1 / (h0 + h1)) };
                let sign = if enters { sign } else { -sign };
                crossings[side].push(Crossing { edge, face: at.face, way, sign, point });
            }
        }
        Some(FaceCut { faces, from: from?, to: to? })
    }

    /// Whether the line of an edge passes through the other triangle.
    fn passes(
        &mut self,
        side: usize,
        k: usize,
        t: &[[DVec3; 3]; 2],
        turns: &mut [[Option<bool>; 3]; 3],
    ) -> bool {
        let mut turn = |i: usize, j: usize| {
            *turns[i][j].get_or_insert_with(|| {
                let edge = |side: usize, k: usize| [t[side][k], t[side][(k + 1) % 3]];
                self.sides.of_edges(edge(0, i), edge(1, j))
            })
        };
        let all = [0, 1, 2].map(|j| if side == 0 { turn(k, j) } else { turn(j, k) });
        all[0] == all[1] && all[1] == all[2]
    }

    /// How often the surface of the other body winds around a corner.
    pub(super) fn winding(&mut self, side: usize, corner: u32, stack: &mut Vec<u32>) -> i32 {
        let p = self.point(side, corner);
        let other = 1 - side;
        let bvh = &self.meshes[other].bvh;
        let place = |b: &Aabb| if other == 0 { *b } else { self.place.bounds(b) };
        let end = place(&bvh.bounds()).high.x;
        if !(end > p.x) {
            return 0;
        }
        let far = DVec3::new(end + (end - p.x) + self.place.pad, p.y, p.z);
        let mut sides = self.sides;
        let mut winding = 0;
        stack.clear();
        stack.push(0);
        while let Some(n) = stack.pop() {
            let node = &bvh.nodes[n as usize];
            let b = place(&node.bounds);
            if b.high.x < p.x || p.y < b.low.y || p.y > b.high.y || p.z < b.low.z || p.z > b.high.z
            {
                continue;
            }
            if node.second != 0 {
                stack.extend([node.second, n + 1]);
                continue;
            }
            for face in bvh.triangles(node) {
                let t = self.corners(other, *face);
                let [near, beyond] = [p, far].map(|q| sides.of_plane(other == 1, &t, q).1);
                if near == beyond {
                    continue;
                }
                let mut turn = |k: usize| {
                    let (ray, edge) = ([p, far], [t[k], t[(k + 1) % 3]]);
                    if other == 1 { sides.of_edges(ray, edge) } else { sides.of_edges(edge, ray) }
                };
                let first = turn(0);
                if turn(1) == first && turn(2) == first {
                    winding += if near { -1 } else { 1 };
                }
            }
        }
        self.sides.tie |= sides.tie;
        winding
    }
}
