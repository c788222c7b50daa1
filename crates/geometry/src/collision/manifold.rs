//! Manifolds of one pair of bodies.

mod core_points;
mod mesh_pair;
mod near_faces;
mod solid_on_mesh;

use glamx::DVec3;

use super::axis::{self, Wanted};
use super::collider::{Collider, Geometry, HalfSpace};
use super::feature_overlap::{Corners, PointPair};
use super::mesh::PlacedMesh;
use super::solid::{Part, Solid};
use super::{MAX_POINTS, Manifold, Point, outline};
use mesh_pair::Volumes;
use near_faces::NearFaces;

/// Finds the manifolds of pairs: lists that are used again, and manifolds of earlier steps to fill
/// again.
pub(crate) struct ManifoldFinder {
    pool: Vec<Manifold>,
    pairs: Vec<PointPair>,
    corners: Corners,
    triangle: Solid,
    near: Vec<u32>,
    faces: NearFaces,
    found: Vec<Manifold>,
    volumes: Box<Volumes>,
    /// How far apart the convex parts of the last pair are at least, metres; nothing is known of others.
    apart: f64,
    /// Where the convex bodies of the next pair touched last, from the first to the second.
    pub(crate) before: Option<DVec3>,
}

impl Default for ManifoldFinder {
    fn default() -> ManifoldFinder {
        ManifoldFinder {
            pool: Vec::new(),
            pairs: Vec::new(),
            corners: Corners::default(),
            triangle: Solid::triangle(),
            near: Vec::new(),
            faces: NearFaces::default(),
            found: Vec::new(),
            volumes: Box::default(),
            apart: f64::NEG_INFINITY,
            before: None,
        }
    }
}

/// Which bodies and parts a manifold joins, whether the second is its A, and how far apart points
/// may be, metres.
#[derive(Clone, Copy)]
struct Sides {
    bodies: [usize; 2],
    parts: [u32; 2],
    flipped: bool,
    limit: f64,
}

impl ManifoldFinder {
    /// Takes manifolds back to fill them again.
    pub(crate) fn recycle(&mut self, manifolds: impl Iterator<Item = Manifold>) {
        for manifold in manifolds {
            if self.pool.len() < MOST_SPARE {
                self.pool.push(manifold);
            }
        }
    }

    /// How far apart the bodies of the last pair are at least, where that is more than a limit, metres.
    pub(crate) fn apart(&self, limit: f64) -> Option<f64> {
        (self.apart > limit && self.apart.is_finite()).then_some(self.apart)
    }

    /// Appends the manifolds of a pair, with points up to `limit` apart. False where such shapes
    /// cannot touch each other.
    pub(crate) fn pair(
        &mut self,
        bodies: [usize; 2],
        of: [&Collider; 2],
        limit: f64,
        out: &mut Vec<Manifold>,
    ) -> bool {
        let first = out.len();
        self.apart = f64::NEG_INFINITY;
        let sides = |flipped| Sides { bodies, parts: [0, 0], flipped, limit };
        let [pose_a, pose_b] = of.map(|collider| &collider.pose);
        match (&of[0].geometry, &of[1].geometry) {
            (Geometry::HalfSpace(_), Geometry::HalfSpace(_)) => return false,
            (Geometry::Mesh(a), Geometry::Mesh(b)) => {
                let (Some(a), Some(b)) = (a.closed(), b.closed()) else { return false };
                self.meshes(sides(false), [a, b], [pose_a, pose_b], out);
            }
            (Geometry::Parts(a), Geometry::Parts(b)) => {
                self.apart = f64::INFINITY;
                for (i, x) in a.iter().enumerate() {
                    for (j, y) in b.iter().enumerate() {
                        let far = (x.solid.centre - y.solid.centre).length();
                        let gap = far - (x.solid.size + y.solid.size);
                        if gap > limit {
                            self.apart = self.apart.min(gap);
                        } else {
                            let s = Sides { parts: [i as u32, j as u32], ..sides(false) };
                            self.convex(s, &x.solid, &y.solid, out);
                        }
                    }
                }
            }
            (Geometry::HalfSpace(h), Geometry::Parts(b)) => {
                self.on_half_space(sides(false), h, b, out);
            }
            (Geometry::Parts(a), Geometry::HalfSpace(h)) => {
                self.on_half_space(sides(true), h, a, out);
            }
            (Geometry::HalfSpace(h), Geometry::Mesh(m)) => {
                self.mesh_on_half_space(sides(false), h, &PlacedMesh::new(m, pose_b), out);
            }
            (Geometry::Mesh(m), Geometry::HalfSpace(h)) => {
                self.mesh_on_half_space(sides(true), h, &PlacedMesh::new(m, pose_a), out);
            }
            (Geometry::Mesh(m), Geometry::Parts(b)) => {
                self.on_mesh(sides(false), &PlacedMesh::new(m, pose_a), b, out);
            }
            (Geometry::Parts(a), Geometry::Mesh(m)) => {
                self.on_mesh(sides(true), &PlacedMesh::new(m, pose_b), a, out);
            }
        }
        out[first..].sort_by_key(|m| m.parts);
        true
    }

    fn convex(&mut self, s: Sides, a: &Solid, b: &Solid, out: &mut Vec<Manifold>) {
        self.pairs.clear();
        let wanted = Wanted { limit: s.limit, before: self.before.take() };
        let axis = match axis::find(a, b, wanted, None) {
            Ok(axis) => axis,
            Err(apart) => {
                self.apart = self.apart.min(apart);
                return;
            }
        };
        self.apart = f64::NEG_INFINITY;
        let normal = axis.core_points([a, b], None, &mut self.corners, &mut self.pairs);
        let mut m = self.manifold(s, normal);
        s.fill(&mut m.points, &self.pairs, normal, [a.radius, b.radius]);
        if axis.touch.is_face() {
            outline::outline(&mut m.points, normal, STRAIGHT * a.size.min(b.size));
        }
        self.finish(m, s, out);
    }

    fn on_half_space(&mut self, s: Sides, h: &HalfSpace, parts: &[Part], out: &mut Vec<Manifold>) {
        for (i, part) in parts.iter().enumerate() {
            let s = Sides { parts: s.place([0, i as u32]), ..s };
            self.pairs.clear();
            h.under_solid(&part.solid, &mut self.pairs);
            let mut m = self.manifold(s, h.normal);
            s.fill(&mut m.points, &self.pairs, h.normal, [0.0, part.solid.radius]);
            self.finish(m, s, out);
        }
    }

    fn mesh_on_half_space(
        &mut self,
        s: Sides,
        h: &HalfSpace,
        mesh: &PlacedMesh,
        out: &mut Vec<Manifold>,
    ) {
        self.pairs.clear();
        h.under_mesh(mesh, s.limit, &mut self.pairs);
        let mut m = self.manifold(s, h.normal);
        s.fill(&mut m.points, &self.pairs, h.normal, [0.0, 0.0]);
        // Corners up on the flanks must not take the places of those that the body stands on.
        outline::spread(&mut m.points, MAX_POINTS, FLANK);
        self.finish(m, s, out);
    }

    fn manifold(&mut self, s: Sides, normal: DVec3) -> Manifold {
        let mut m = self.pool.pop().unwrap_or_else(empty);
        (m.bodies, m.parts, m.normal) = (s.bodies, s.parts, normal);
        m.points.clear();
        m
    }

    /// Appends a manifold, turned round where its A is the second body.
    fn finish(&mut self, mut m: Manifold, s: Sides, out: &mut Vec<Manifold>) {
        if m.points.is_empty() || !m.normal.is_finite() {
            self.pool.push(m);
            return;
        }
        outline::spread(&mut m.points, MAX_POINTS, 0.0);
        if s.flipped {
            m.normal = -m.normal;
            for p in &mut m.points {
                (p.on_a, p.on_b) = (p.on_b, p.on_a);
            }
        }
        out.push(m);
    }
}

impl Sides {
    /// Parts given as (A of the computation, B of it), in the order of the bodies.
    fn place(&self, [a, b]: [u32; 2]) -> [u32; 2] {
        if self.flipped { [b, a] } else { [a, b] }
    }

    /// Appends points from pairs on cores of these radii: gaps along the normal, up
    /// to the limit.
    fn fill(&self, points: &mut Vec<Point>, pairs: &[PointPair], normal: DVec3, radii: [f64; 2]) {
        for pair in pairs {
            let gap = normal.dot(pair.b - pair.a) - radii[0] - radii[1];
            let (on_a, on_b) = (pair.a + normal * radii[0], pair.b - normal * radii[1]);
            if gap <= self.limit && on_a.is_finite() && on_b.is_finite() {
                let (id, parts) = (pair.key.identity(self.parts), self.parts);
                points.push(Point { on_a, on_b, gap, id, was: id, parts, local: [DVec3::ZERO; 2] });
            }
        }
    }
}

fn empty() -> Manifold {
    let normal = DVec3::Y;
    Manifold { bodies: [0, 0], parts: [0, 0], normal, points: Vec::new(), local_normal: normal }
}

/// A corner of a mesh over a plane that is higher than its distance over this is the last to count:
/// the body would have to turn by a tenth of a radian in a step before it touched.
const FLANK: f64 = 10.0;

/// Edges of two faces that are all but aligned cross each other in their middle: a corner that
/// shows less than this, in units of the smaller solid's size, is none.
const STRAIGHT: f64 = 1e-4;

/// Manifolds kept to be filled again, at most: about those of a batch.
const MOST_SPARE: usize = 128;
