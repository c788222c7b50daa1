//! Convex solids on meshes, triangle by triangle.

use glamx::DVec3;

use super::super::axis;
use super::super::feature_overlap::PointPair;
use super::super::mesh::PlacedMesh;
use super::super::nearest_points::on_polygon;
use super::super::outline;
use super::super::point_key::{Cause, NONE, PointKey, SECOND_ALONE};
use super::super::solid::{Core, Part, Solid};
use super::super::{Manifold, Point};
use super::near_faces::{NearFace, NearFaces};
use super::{ManifoldFinder, Sides, empty};

impl ManifoldFinder {
    /// The triangles near each part; those of one flat region with one normal share a manifold.
    pub(super) fn on_mesh(
        &mut self,
        s: Sides,
        mesh: &PlacedMesh,
        parts: &[Part],
        out: &mut Vec<Manifold>,
    ) {
        for (i, part) in parts.iter().enumerate() {
            let first = out.len();
            let b = &part.solid;
            let mut near = std::mem::take(&mut self.near);
            mesh.near(b, s.limit, &mut near);
            let mut faces = std::mem::take(&mut self.faces);
            faces.place(mesh, &near);
            let place = Place { s, first, part: i as u32, mesh };
            for face in faces.iter() {
                let t = face.number;
                self.pairs.clear();
                let reached = face.may_reach(b.centre, b.size + s.limit);
                if let Some(normal) =
                    reached.then(|| self.on_triangle(mesh, t, b, s.limit)).flatten()
                {
                    self.drop_false(face, b, normal, &faces);
                    if !self.pairs.is_empty() {
                        self.take_pairs(&place, t, (b, normal), out);
                        // Along a normal that leans nothing is said of corners below the triangle itself.
                        if normal.dot(face.normal) > 1.0 - 1e-9 {
                            continue;
                        }
                        self.pairs.clear();
                    }
                }
                if let Some(normal) = self.on_pierced(mesh, face, b, &faces) {
                    self.take_pairs(&place, t, (b, normal), out);
                }
            }
            (self.near, self.faces) = (near, faces);
            let mut found = std::mem::take(&mut self.found);
            found.extend(out.drain(first..));
            for mut m in found.drain(..) {
                outline::outline(&mut m.points, m.normal, 1e-9 * b.size);
                self.finish(m, s, out);
            }
            self.found = found;
        }
    }

    /// Adds pairs on one triangle to the manifold of its region and their normal.
    fn take_pairs(
        &mut self,
        place: &Place,
        t: u32,
        (b, normal): (&Solid, DVec3),
        out: &mut Vec<Manifold>,
    ) {
        let Place { s, first, part, mesh } = *place;
        let region = mesh.mesh.triangles[t as usize].region;
        let s = Sides { parts: s.place([region, part]), ..s };
        let same = |m: &Manifold| m.parts == s.parts && m.normal.dot(normal) > 1.0 - 1e-12;
        let found = out[first..].iter().position(same);
        let mut m = match found {
            Some(k) => std::mem::replace(&mut out[first + k], empty()),
            None => self.manifold(s, normal),
        };
        let from = m.points.len();
        for pair in &mut self.pairs {
            // A triangle's corners and edges are its own; those of the solid are not.
            if pair.key.a != NONE {
                pair.key.a += t * 4;
            }
        }
        s.fill(&mut m.points, &self.pairs, normal, [0.0, b.radius]);
        let triangle = s.place([t, part]);
        m.points[from..].iter_mut().for_each(|p| p.parts = triangle);
        merge_doubles(&mut m.points, from, 1e-7 * b.size);
        match found {
            Some(k) => out[first + k] = m,
            None if m.points.is_empty() => self.pool.push(m),
            None => out.push(m),
        }
    }

    /// Contacts with one triangle, into `pairs`; the normal out of it.
    fn on_triangle(&mut self, mesh: &PlacedMesh, t: u32, b: &Solid, limit: f64) -> Option<DVec3> {
        let corners = mesh.mesh.corners(t, mesh.pose);
        let weld = mesh.weld(t, corners);
        // What is behind a face may lie on its edges only, as a plug in a hole does.
        let behind = weld.normal().dot(b.centre - corners[0]) < 0.0;
        if behind && !weld.has_own_edge() {
            return None;
        }
        let (nearest, _) = on_polygon(|i| corners[i], 3, weld.normal(), b.centre);
        if (nearest - b.centre).length() > b.size + limit {
            return None;
        }
        self.triangle.set_triangle(corners, weld.normal());
        let axis = axis::find(&self.triangle, b, limit, Some(&weld)).ok()?;
        let beyond = axis.normal.dot(b.centre - self.triangle.core_support(axis.normal)) > 0.0;
        if behind && (!beyond || axis.normal.dot(weld.normal()) > 1.0 - 1e-9) {
            return None;
        }
        if axis.gap < -DEEP * b.size.min(self.triangle.size) {
            // A wall that the solid touches with its foot alone is not deep within it.
            let best = axis::find(&self.triangle, b, limit, None).ok()?;
            let shallow = best.gap > 0.5 * axis.gap && best.normal.dot(axis.normal) < BESIDE;
            if shallow && mesh.ends_at(t, corners, best.normal) {
                return None;
            }
        }
        let of = [&self.triangle, b];
        Some(axis.core_points(of, Some(&weld), &mut self.corners, &mut self.pairs))
    }
}

impl ManifoldFinder {
    /// Drops points that are deep below the plane of a triangle, but not within the mesh there, or all but out of it
    /// through another face: the head of a bolt on a plate is beyond the planes of the hole's walls.
    fn drop_false(&mut self, own: &NearFace, b: &Solid, normal: DVec3, faces: &NearFaces) {
        let shallow = SHALLOW * b.size;
        if self.pairs.iter().all(|p| normal.dot(p.b - p.a) - b.radius >= -shallow) {
            return;
        }
        if own.normal.dot(normal) < 1.0 - 1e-9 {
            return;
        }
        self.pairs.retain(|p| {
            if normal.dot(p.b - p.a) - b.radius >= -shallow {
                return true;
            }
            let low = p.b - normal * b.radius;
            let most = (ELSEWHERE * own.nearest(low).0.distance(low)).min(ALL_BUT_OUT * b.size);
            let is_out = |other: &NearFace| {
                other.may_reach(low, most)
                    && other.faces(b.centre)
                    && other.nearest(low).0.distance(low) < most
            };
            !faces.iter().any(is_out) && faces.is_within(low)
        });
    }

    /// Contacts of the corners that are within the mesh, where the triangle is the nearest to them that faces the body: what takes body and
    /// triangle apart in the shortest way may be along another's normal, which says nothing of these corners.
    fn on_pierced(
        &mut self,
        mesh: &PlacedMesh,
        own: &NearFace,
        b: &Solid,
        faces: &NearFaces,
    ) -> Option<DVec3> {
        // A body is not pushed through a ridge to its other side.
        if !own.faces(b.centre) {
            return None;
        }
        let NearFace { number: t, normal, corners, .. } = *own;
        let below = |core: DVec3| normal.dot(corners[0] - core) + b.radius;
        let is_nearest = |core: DVec3| {
            let low = core - normal * b.radius;
            let (foot, over) = own.nearest(low);
            let distance = foot.distance(low);
            let less = distance * (1.0 - 1e-9);
            let is_nearer = |other: &NearFace| {
                other.number != t
                    && other.may_reach(low, less)
                    && other.faces(b.centre)
                    && other.nearest(low).0.distance(low) < less
            };
            // Beyond the end of an open mesh nothing is within it.
            let within = || over || !mesh.weld(t, corners).ends_towards(low - foot);
            !faces.iter().any(is_nearer)
                && within()
                && (distance <= SHALLOW * b.size || faces.is_within(low))
        };
        let mut push = |core: DVec3, number: u32| {
            if below(core) > 0.0 && mesh.may_hold(core, b.radius) && is_nearest(core) {
                let key = PointKey { cause: Cause::CornerOverFace, a: 0, b: number };
                let on_plane = core + normal * normal.dot(corners[0] - core);
                self.pairs.push(PointPair { a: on_plane, b: core, key });
            }
        };
        match &b.core {
            Core::Polyhedron(poly) => {
                (0..).zip(&poly.vertices).for_each(|(number, v)| push(*v, number));
            }
            _ => push(b.core_support(-normal), NONE),
        }
        (!self.pairs.is_empty()).then_some(normal)
    }
}

/// What contacts with a part of a solid have in common.
struct Place<'a, 'm> {
    s: Sides,
    /// The first manifold of the part.
    first: usize,
    part: u32,
    mesh: &'a PlacedMesh<'m>,
}

/// Overlaps, of the solid's size, that are as shallow as if they were none; and how much nearer than a face another one
/// is where a point is not within the mesh for the sake of the first.
const SHALLOW: f64 = 1e-6;
const ELSEWHERE: f64 = 0.3;

/// And how near that is at most, of the solid's size.
const ALL_BUT_OUT: f64 = 1e-3;

/// Overlaps beyond this part of the size are looked at once more.
const DEEP: f64 = 1e-3;

/// Cosine below which a direction is another than a normal.
const BESIDE: f64 = 0.999;

/// Joins new points with earlier ones at the same place. One made by the solid alone wins, since
/// it stays when the solid slides on to another triangle.
fn merge_doubles(points: &mut Vec<Point>, from: usize, eps: f64) {
    let mut kept = from;
    for i in from..points.len() {
        let p = points[i];
        match points[..from].iter_mut().find(|q| (q.on_b - p.on_b).length() < eps) {
            Some(q) if p.id & SECOND_ALONE > q.id & SECOND_ALONE => *q = p,
            Some(_) => {}
            None => {
                points[kept] = p;
                kept += 1;
            }
        }
    }
    points.truncate(kept);
}
