//! Convex solids on meshes, triangle by triangle.

use glamx::DVec3;

use super::super::axis;
use super::super::feature_overlap::PointPair;
use super::super::mesh::{PlacedMesh, Weld};
use super::super::nearest_points::on_polygon;
use super::super::outline;
use super::super::point_key::{Cause, NONE, PointKey, SECOND_ALONE};
use super::super::solid::{Core, Part, Solid};
use super::super::{Manifold, Point};
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
            let place = Place { s, first, part: i as u32, mesh };
            for &t in &near {
                self.pairs.clear();
                if let Some(normal) = self.on_triangle(mesh, t, b, s.limit) {
                    self.drop_false((mesh, t), b, normal, &near);
                    if !self.pairs.is_empty() {
                        self.take_pairs(&place, t, (b, normal), out);
                        // Along a normal that leans nothing is said of corners below the triangle itself.
                        if normal.dot(face(mesh, t).0) > 1.0 - 1e-9 {
                            continue;
                        }
                        self.pairs.clear();
                    }
                }
                if let Some(normal) = self.on_pierced(mesh, t, b, &near) {
                    self.take_pairs(&place, t, (b, normal), out);
                }
            }
            self.near = near;
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
    fn drop_false(
        &mut self,
        (mesh, t): (&PlacedMesh, u32),
        b: &Solid,
        normal: DVec3,
        near: &[u32],
    ) {
        let shallow = SHALLOW * b.size;
        if self.pairs.iter().all(|p| normal.dot(p.b - p.a) - b.radius >= -shallow) {
            return;
        }
        let corners = mesh.mesh.corners(t, mesh.pose);
        let own = mesh.weld(t, corners).normal();
        if own.dot(normal) < 1.0 - 1e-9 {
            return;
        }
        self.pairs.retain(|p| {
            if normal.dot(p.b - p.a) - b.radius >= -shallow {
                return true;
            }
            let low = p.b - normal * b.radius;
            let (foot, _) = on_polygon(|i| corners[i], 3, own, low);
            is_within(mesh, near, low)
                && !near.iter().any(|&other| {
                    let (normal, corners) = face(mesh, other);
                    let (way_out, _) = on_polygon(|i| corners[i], 3, normal, low);
                    normal.dot(b.centre - corners[0]) >= 0.0
                        && way_out.distance(low)
                            < (ELSEWHERE * foot.distance(low)).min(ALL_BUT_OUT * b.size)
                })
        });
    }

    /// Contacts of the corners that are within the mesh, where the triangle is the nearest to them that faces the body: what takes body and
    /// triangle apart in the shortest way may be along another's normal, which says nothing of these corners.
    fn on_pierced(&mut self, mesh: &PlacedMesh, t: u32, b: &Solid, near: &[u32]) -> Option<DVec3> {
        let place = |t: u32| {
            let corners = mesh.mesh.corners(t, mesh.pose);
            (mesh.weld(t, corners), corners)
        };
        let (weld, corners) = place(t);
        let normal = weld.normal();
        // A body is not pushed through a ridge to its other side.
        let faces =
            |weld: &Weld, corners: &[DVec3; 3]| weld.normal().dot(b.centre - corners[0]) >= 0.0;
        if !faces(&weld, &corners) {
            return None;
        }
        let below = |core: DVec3| normal.dot(corners[0] - core) + b.radius;
        let nearest = |weld: &Weld, corners: &[DVec3; 3], low: DVec3| {
            on_polygon(|i| corners[i], 3, weld.normal(), low)
        };
        let is_nearest = |core: DVec3| {
            let low = core - normal * b.radius;
            let (own, over) = nearest(&weld, &corners, low);
            let distance = (own - low).length();
            // Beyond the end of an open mesh nothing is within it.
            let within = over || !weld.ends_towards(low - own);
            within
                && (distance <= SHALLOW * b.size || is_within(mesh, near, low))
                && !near.iter().any(|&other| {
                    let (weld, corners) = place(other);
                    let apart = (nearest(&weld, &corners, low).0 - low).length();
                    other != t && faces(&weld, &corners) && apart < distance * (1.0 - 1e-9)
                })
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

/// A triangle's normal and corners, world.
fn face(mesh: &PlacedMesh, t: u32) -> (DVec3, [DVec3; 3]) {
    let corners = mesh.mesh.corners(t, mesh.pose);
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
    (normal, corners)
}

/// Whether a point is behind a triangle that is nearest to it; at an edge it may be behind one of several.
fn is_within(mesh: &PlacedMesh, near: &[u32], point: DVec3) -> bool {
    let foot = |t: u32| {
        let (normal, corners) = face(mesh, t);
        (on_polygon(|i| corners[i], 3, normal, point).0, normal)
    };
    let nearest = near.iter().map(|t| foot(*t).0.distance(point)).fold(f64::INFINITY, f64::min);
    let mut at =
        near.iter().map(|t| foot(*t)).filter(|f| f.0.distance(point) <= nearest * (1.0 + 1e-9));
    at.any(|(foot, normal)| normal.dot(point - foot) <= 0.0)
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
