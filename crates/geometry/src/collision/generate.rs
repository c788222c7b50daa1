//! Manifolds of one pair of bodies.

mod meshes;

use glamx::{DMat3, DPose3, DVec3};

use super::axis::{self, Axis, Touch};
use super::body::{Body, Geometry, Plane};
use super::feature::Feature;
use super::mesh::{Lean, MeshIndex, Weld};
use super::overlap::{Key, NONE, Raw, Scratch, View};
use super::segment::{on_polygon, segments};
use super::solid::{Core, Part, Solid};
use super::{MAX_POINTS, Manifold, Point, plane, reduce};
use meshes::Volumes;

/// Reused lists, and manifolds of earlier steps to fill again.
pub(crate) struct Workspace {
    pool: Vec<Manifold>,
    raw: Vec<Raw>,
    scratch: Scratch,
    triangle: Solid,
    near: Vec<u32>,
    found: Vec<Manifold>,
    volumes: Box<Volumes>,
}

impl Default for Workspace {
    fn default() -> Workspace {
        Workspace {
            pool: Vec::new(),
            raw: Vec::new(),
            scratch: Scratch::default(),
            triangle: Solid::triangle(),
            near: Vec::new(),
            found: Vec::new(),
            volumes: Box::default(),
        }
    }
}

/// Which bodies and parts a manifold joins, and whether the second is its A.
#[derive(Clone, Copy)]
struct Sides {
    bodies: [usize; 2],
    parts: [u32; 2],
    flipped: bool,
}

impl Workspace {
    /// Takes manifolds back to fill them again.
    pub(crate) fn recycle(&mut self, manifolds: impl Iterator<Item = Manifold>) {
        for manifold in manifolds {
            if self.pool.len() < MOST_SPARE {
                self.pool.push(manifold);
            }
        }
    }

    /// Appends the manifolds of a pair, with points up to `limit` apart. False where such shapes
    /// cannot touch each other.
    pub(crate) fn pair(
        &mut self,
        ids: [usize; 2],
        of: [&Body; 2],
        limit: f64,
        out: &mut Vec<Manifold>,
    ) -> bool {
        let first = out.len();
        let sides = |flipped| Sides { bodies: ids, parts: [0, 0], flipped };
        match (&of[0].geometry, &of[1].geometry) {
            (Geometry::Plane(_), Geometry::Plane(_)) => return false,
            (Geometry::Mesh(a), Geometry::Mesh(b)) => {
                let (Some(a), Some(b)) = (a.closed(), b.closed()) else { return false };
                self.meshes(sides(false), [a, b], [&of[0].pose, &of[1].pose], out);
            }
            (Geometry::Parts(a), Geometry::Parts(b)) => {
                for (i, x) in a.iter().enumerate() {
                    for (j, y) in b.iter().enumerate() {
                        let far = (x.solid.centre - y.solid.centre).length();
                        if far <= x.solid.size + y.solid.size + limit {
                            let s = Sides { parts: [i as u32, j as u32], ..sides(false) };
                            self.convex(s, &x.solid, &y.solid, limit, out);
                        }
                    }
                }
            }
            (Geometry::Plane(p), Geometry::Parts(b)) => {
                self.on_plane(sides(false), p, b, limit, out);
            }
            (Geometry::Parts(a), Geometry::Plane(p)) => {
                self.on_plane(sides(true), p, a, limit, out);
            }
            (Geometry::Plane(p), Geometry::Mesh(m)) => {
                self.mesh_on_plane(sides(false), p, m, &of[1].pose, limit, out);
            }
            (Geometry::Mesh(m), Geometry::Plane(p)) => {
                self.mesh_on_plane(sides(true), p, m, &of[0].pose, limit, out);
            }
            (Geometry::Mesh(m), Geometry::Parts(b)) => {
                self.on_mesh(sides(false), m, &of[0].pose, b, limit, out);
            }
            (Geometry::Parts(a), Geometry::Mesh(m)) => {
                self.on_mesh(sides(true), m, &of[1].pose, a, limit, out);
            }
        }
        out[first..].sort_by_key(|m| m.parts);
        true
    }

    fn convex(&mut self, s: Sides, a: &Solid, b: &Solid, limit: f64, out: &mut Vec<Manifold>) {
        self.raw.clear();
        let Some(axis) = axis::find(a, b, limit, None) else { return };
        let normal = contacts(&axis, a, b, None, &mut self.scratch, &mut self.raw);
        let mut m = self.manifold(s, normal);
        fill(&mut m.points, &self.raw, normal, [a.radius, b.radius], limit, s);
        if axis.touch.is_face() {
            reduce::outline(&mut m.points, normal, STRAIGHT * a.size.min(b.size));
        }
        self.finish(m, s, out);
    }

    fn on_plane(
        &mut self,
        s: Sides,
        p: &Plane,
        parts: &[Part],
        limit: f64,
        out: &mut Vec<Manifold>,
    ) {
        for (i, part) in parts.iter().enumerate() {
            let s = Sides { parts: s.place([0, i as u32]), ..s };
            self.raw.clear();
            plane::solid(p, &part.solid, &mut self.raw);
            let mut m = self.manifold(s, p.normal);
            fill(&mut m.points, &self.raw, p.normal, [0.0, part.solid.radius], limit, s);
            self.finish(m, s, out);
        }
    }

    fn mesh_on_plane(
        &mut self,
        s: Sides,
        p: &Plane,
        mesh: &MeshIndex,
        pose: &DPose3,
        limit: f64,
        out: &mut Vec<Manifold>,
    ) {
        self.raw.clear();
        plane::mesh(p, mesh, pose, limit, &mut self.raw);
        let mut m = self.manifold(s, p.normal);
        fill(&mut m.points, &self.raw, p.normal, [0.0, 0.0], limit, s);
        // Corners up on the flanks must not take the places of those that the body stands on.
        reduce::spread(&mut m.points, MAX_POINTS, FLANK);
        self.finish(m, s, out);
    }

    /// The triangles near each part; those of one flat region with one normal share a manifold.
    fn on_mesh(
        &mut self,
        s: Sides,
        mesh: &MeshIndex,
        pose: &DPose3,
        parts: &[Part],
        limit: f64,
        out: &mut Vec<Manifold>,
    ) {
        for (i, part) in parts.iter().enumerate() {
            let first = out.len();
            let b = &part.solid;
            let mut near = std::mem::take(&mut self.near);
            triangles_near(mesh, pose, b, limit, &mut near);
            let turn = DMat3::from_quat(pose.rotation);
            for &t in &near {
                self.raw.clear();
                let Some(normal) = self.on_triangle(mesh, pose, &turn, t, b, limit) else {
                    continue;
                };
                let region = mesh.triangles[t as usize].region;
                let s = Sides { parts: s.place([region, i as u32]), ..s };
                let same = |m: &Manifold| m.parts == s.parts && m.normal.dot(normal) > 1.0 - 1e-12;
                let found = out[first..].iter().position(same);
                let mut m = match found {
                    Some(k) => std::mem::replace(&mut out[first + k], empty()),
                    None => self.manifold(s, normal),
                };
                let from = m.points.len();
                for raw in &mut self.raw {
                    // A triangle's corners and edges are its own; those of the solid are not.
                    if raw.key.a != NONE {
                        raw.key.a += t * 4;
                    }
                }
                fill(&mut m.points, &self.raw, normal, [0.0, b.radius], limit, s);
                let triangle = Sides { parts: s.place([t, i as u32]), ..s };
                m.points[from..].iter_mut().for_each(|p| p.parts = triangle.parts);
                merge_doubles(&mut m.points, from, 1e-7 * b.size);
                match found {
                    Some(k) => out[first + k] = m,
                    None if m.points.is_empty() => self.pool.push(m),
                    None => out.push(m),
                }
            }
            self.near = near;
            let mut found = std::mem::take(&mut self.found);
            found.extend(out.drain(first..));
            for mut m in found.drain(..) {
                reduce::outline(&mut m.points, m.normal, 1e-9 * b.size);
                self.finish(m, s, out);
            }
            self.found = found;
        }
    }

    /// Contacts with one triangle, into `raw`; the normal out of it.
    fn on_triangle(
        &mut self,
        mesh: &MeshIndex,
        pose: &DPose3,
        turn: &DMat3,
        t: u32,
        b: &Solid,
        limit: f64,
    ) -> Option<DVec3> {
        let corners = mesh.corners(t, pose);
        let weld = mesh.weld(t, corners, turn);
        if weld.normal().dot(b.centre - corners[0]) < 0.0 {
            return None;
        }
        let (nearest, _) = on_polygon(|i| corners[i], 3, weld.normal(), b.centre);
        if (nearest - b.centre).length() > b.size + limit {
            return None;
        }
        self.triangle.set_triangle(corners, weld.normal());
        let axis = axis::find(&self.triangle, b, limit, Some(&weld))?;
        let a = &self.triangle;
        Some(contacts(&axis, a, b, Some(&weld), &mut self.scratch, &mut self.raw))
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
        reduce::spread(&mut m.points, MAX_POINTS, 0.0);
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
}

fn empty() -> Manifold {
    let normal = DVec3::Y;
    Manifold { bodies: [0, 0], parts: [0, 0], normal, points: Vec::new(), local_normal: normal }
}

/// Triangles whose boxes come within `limit` of a solid.
pub(crate) fn triangles_near(
    mesh: &MeshIndex,
    pose: &DPose3,
    b: &Solid,
    limit: f64,
    out: &mut Vec<u32>,
) {
    let turn = DMat3::from_quat(pose.rotation);
    let high = |n: DVec3| b.core_max(n) - n.dot(pose.translation) + b.radius + limit;
    let max = DVec3::new(high(turn.x_axis), high(turn.y_axis), high(turn.z_axis));
    let min = -DVec3::new(high(-turn.x_axis), high(-turn.y_axis), high(-turn.z_axis));
    mesh.near(min, max, out);
}

/// Points of the cores that touch along an axis, and the normal.
fn contacts(
    axis: &Axis,
    a: &Solid,
    b: &Solid,
    weld: Option<&Weld>,
    scratch: &mut Scratch,
    raw: &mut Vec<Raw>,
) -> DVec3 {
    let n = axis.normal;
    let view = View::new(b.centre, n, a.size.min(b.size));
    match axis.touch {
        Touch::Face => view.overlap(&a.facing(n), &b.facing(-n), scratch, raw),
        Touch::Support => {
            let (f, g) = (a.farthest(n), b.farthest(-n));
            view.overlap(&f, &g, scratch, raw);
            if raw.is_empty() {
                raw.push(single(&f, &g, n, axis.gap + a.radius + b.radius));
            }
        }
        Touch::Near(p, q) => {
            let (f, g) = (a.farthest(n), b.farthest(-n));
            if matches!((&f, &g), (Feature::Segment(_), Feature::Segment(_))) {
                view.overlap(&f, &g, scratch, raw);
            }
            if raw.len() < 2 {
                raw.clear();
                raw.push(Raw { a: p, b: q, key: Key { kind: 13, a: NONE, b: NONE } });
            }
        }
        Touch::Edges(e, f) => {
            if let (Core::Poly(p), Core::Poly(q)) = (&a.core, &b.core) {
                let (x, y, _) = segments(p.edge(e as usize), q.edge(f as usize));
                raw.push(Raw { a: x, b: y, key: Key { kind: 14, a: e, b: f } });
            }
        }
    }
    // Apart and not above each other: nearest points.
    let apart = raw.is_empty() && axis.gap > 0.0 && weld.is_none_or(Weld::has_free_edge);
    if let (true, Core::Poly(p), Core::Poly(q)) = (apart, &a.core, &b.core)
        && let Some((x, y, d)) = axis::nearest(p, q)
    {
        let normal = (y - x) / d;
        let within = weld.is_none_or(|w| matches!(w.lean(normal), Lean::Within));
        if within {
            raw.push(Raw { a: x, b: y, key: Key { kind: 15, a: NONE, b: NONE } });
            return normal;
        }
    }
    n
}

/// One pair of points where features do not overlap by rounding.
fn single(f: &Feature, g: &Feature, n: DVec3, gap: f64) -> Raw {
    let key = Key { kind: 13, a: NONE, b: NONE };
    let middle = |f: &Feature| match f {
        Feature::Point(p, _) => *p,
        Feature::Segment([p, q]) => 0.5 * (*p + *q),
        Feature::Polygon(poly, face) => poly.corner_of(*face),
        Feature::Disc(d) => d.centre,
    };
    if let Feature::Point(p, _) = f {
        return Raw { a: *p, b: *p + n * gap, key };
    }
    let p = middle(g);
    Raw { a: p - n * gap, b: p, key }
}

/// Points from pairs on the cores: gaps along the normal, up to a limit.
fn fill(
    points: &mut Vec<Point>,
    raw: &[Raw],
    normal: DVec3,
    radii: [f64; 2],
    limit: f64,
    s: Sides,
) {
    for r in raw {
        let gap = normal.dot(r.b - r.a) - radii[0] - radii[1];
        let (on_a, on_b) = (r.a + normal * radii[0], r.b - normal * radii[1]);
        if gap <= limit && on_a.is_finite() && on_b.is_finite() {
            let id = identity(r.key, s.parts);
            let local = [DVec3::ZERO; 2];
            points.push(Point { on_a, on_b, gap, id, was: id, parts: s.parts, local });
        }
    }
}

/// Joins new points with earlier ones at the same place. One made by the solid alone wins, since
/// it stays when the solid slides on to another triangle.
fn merge_doubles(points: &mut Vec<Point>, from: usize, eps: f64) {
    let mut kept = from;
    for i in from..points.len() {
        let p = points[i];
        match points[..from].iter_mut().find(|q| (q.on_b - p.on_b).length() < eps) {
            Some(q) if p.id & SOLID_ALONE > q.id & SOLID_ALONE => *q = p,
            Some(_) => {}
            None => {
                points[kept] = p;
                kept += 1;
            }
        }
    }
    points.truncate(kept);
}

/// A corner of a mesh over a plane that is higher than its distance over this is the last to count:
/// the body would have to turn by a tenth of a radian in a step before it touched.
const FLANK: f64 = 10.0;

/// Edges of two faces that are all but aligned cross each other in their middle: a corner that
/// shows less than this, in units of the smaller solid's size, is none.
const STRAIGHT: f64 = 1e-4;

/// The bit of an identity that says that no feature of the first side makes the point.
const SOLID_ALONE: u64 = 1;

/// A number for what makes a point, on these parts.
fn identity(key: Key, parts: [u32; 2]) -> u64 {
    let mix = |mut x: u64| {
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    let words = [u64::from(key.kind), u64::from(key.a), u64::from(key.b)];
    let parts = parts.map(u64::from);
    let hash = words
        .iter()
        .chain(&parts)
        .fold(0, |hash, &word| mix(hash ^ word.wrapping_add(0x9e37_79b9_7f4a_7c15)));
    if key.a == NONE { hash | SOLID_ALONE } else { hash & !SOLID_ALONE }
}

/// Manifolds kept to be filled again, at most: about those of a batch.
const MOST_SPARE: usize = 128;
