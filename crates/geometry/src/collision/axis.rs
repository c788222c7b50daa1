//! The direction in which two convex solids touch.
//!
//! The gap is the largest separation over all directions, whether the solids are apart or overlap.
//! It is reached along a face normal, across two edges, or, apart, between two nearest points;
//! each kind is computed in closed form, so that gap and normal are as exact as the poses.

use glamx::DVec3;

use super::mesh::{Lean, Weld};
use super::nearest_points::{on_polygon, on_segment, segments};
use super::round_axis;
use super::solid::{Core, PlacedPolyhedron, Solid};

/// How two solids touch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    /// Unit vector from the first to the second.
    pub(crate) normal: DVec3,
    pub(crate) gap: f64,
    pub(crate) touch: Touch,
}

/// What touches.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Touch {
    /// A plane face of one of them, against whatever faces it.
    Face,
    /// Whatever lies farthest along the normal.
    Support,
    /// Two nearest points of the cores.
    Near(DVec3, DVec3),
    /// Two edges that cross.
    Edges(u32, u32),
}

impl Touch {
    /// Whether a plane face touches.
    pub(crate) fn is_face(self) -> bool {
        matches!(self, Touch::Face)
    }
}

impl Axis {
    /// The axis, unless its gap is more than `limit`.
    fn within(self, limit: f64) -> Result<Axis, f64> {
        if self.gap <= limit { Ok(self) } else { Err(self.gap) }
    }

    fn flipped(self) -> Axis {
        let touch = match self.touch {
            Touch::Near(p, q) => Touch::Near(q, p),
            Touch::Edges(e, f) => Touch::Edges(f, e),
            other => other,
        };
        Axis { normal: -self.normal, gap: self.gap, touch }
    }
}

/// Which axis is wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    /// How far apart solids may be, metres.
    pub(crate) limit: f64,
    /// A direction from the first to the second that was the axis not long ago: it spares looking where no better one
    /// can be.
    pub(crate) before: Option<DVec3>,
}

impl From<f64> for Wanted {
    /// Any of solids that are no farther apart.
    fn from(limit: f64) -> Wanted {
        Wanted { limit, before: None }
    }
}

/// The axis of two solids, unless their gap is more than the limit; then no more than how far apart they are, metres. A
/// welded solid is a triangle of a mesh, and comes first.
pub(crate) fn find(
    a: &Solid,
    b: &Solid,
    wanted: impl Into<Wanted>,
    weld: Option<&Weld>,
) -> Result<Axis, f64> {
    let wanted = wanted.into();
    let limit = wanted.limit;
    if let Some(normal) = weld.filter(|w| !w.has_free_edge()).map(Weld::normal) {
        let gap = a.separation(b, normal);
        return Axis { normal, gap, touch: Touch::Face }.within(limit);
    }
    let rank = |s: &Solid| match s.core {
        Core::Polyhedron(_) => 0,
        Core::Round(_) => 1,
        Core::Segment(_) => 2,
        Core::Point(_) => 3,
    };
    if rank(a) > rank(b) {
        let turned = Wanted { before: wanted.before.map(|n| -n), ..wanted };
        return find(b, a, turned, None).map(Axis::flipped);
    }
    let axis = match (&a.core, &b.core) {
        (Core::Polyhedron(p), Core::Polyhedron(q)) => polyhedra(a, b, p, q, limit, weld.is_some())?,
        (Core::Polyhedron(p), Core::Point(c)) => rounded(a, b, p, &[*c], limit)?,
        (Core::Polyhedron(p), Core::Segment(ends)) => rounded(a, b, p, ends, limit)?,
        (Core::Polyhedron(p), Core::Round(r)) => {
            round_axis::polyhedron(a, b, p, r, wanted, weld.is_some())?
        }
        (Core::Round(r), Core::Round(s)) => round_axis::rounds(a, b, r, s, wanted)?,
        (Core::Round(r), Core::Segment(ends)) => round_axis::segment(a, b, r, *ends, wanted)?,
        (Core::Round(r), Core::Point(c)) => {
            let (d, normal) = r.distance(*c);
            let touch = Touch::Near(*c - normal * d, *c);
            Axis { normal, gap: d - b.radius, touch }
        }
        (Core::Segment(s), Core::Segment(t)) => near(a, b, segments(*s, *t)),
        (Core::Segment(s), Core::Point(c)) => {
            let p = on_segment(*s, *c);
            near(a, b, (p, *c, (*c - p).length_squared()))
        }
        (Core::Point(p), Core::Point(c)) => near(a, b, (*p, *c, (*c - *p).length_squared())),
        _ => return Err(f64::NEG_INFINITY),
    };
    let axis = match weld.map(|w| w.lean(axis.normal)) {
        None | Some(Lean::Within) => axis,
        Some(Lean::Flat(normal)) => {
            Axis { normal, gap: a.separation(b, normal), touch: Touch::Face }
        }
        Some(Lean::Elsewhere) => return Err(f64::NEG_INFINITY),
    };
    axis.within(limit)
}

/// From nearest points of two cores; across the cores where they meet.
fn near(a: &Solid, b: &Solid, (p, q, squared): (DVec3, DVec3, f64)) -> Axis {
    let d = squared.sqrt();
    let scale = a.size + b.size;
    if d > 1e-12 * scale {
        let normal = (q - p) / d;
        return Axis { normal, gap: d - a.radius - b.radius, touch: Touch::Near(p, q) };
    }
    let direction = |s: &Solid| match &s.core {
        Core::Segment([x, y]) => *y - *x,
        _ => DVec3::ZERO,
    };
    let (da, db) = (direction(a), direction(b));
    let across = da.cross(db);
    let normal = if across.length() > 1e-9 * da.length() * db.length() && across != DVec3::ZERO {
        across.normalize()
    } else {
        let along = if da == DVec3::ZERO { db } else { da };
        along.try_normalize().map_or(DVec3::Y, DVec3::any_orthonormal_vector)
    };
    let normal = if normal.dot(b.centre - a.centre) < 0.0 { -normal } else { normal };
    Axis { normal, gap: a.separation(b, normal), touch: Touch::Near(p, q) }
}

/// Two polyhedra: face normals and crossed edges (separating axes). The first may be a triangle.
fn polyhedra(
    a: &Solid,
    b: &Solid,
    p: &PlacedPolyhedron,
    q: &PlacedPolyhedron,
    limit: f64,
    flat: bool,
) -> Result<Axis, f64> {
    let tolerance = 1e-9 * (a.size + b.size);
    let mut best = Axis { normal: DVec3::Y, gap: f64::NEG_INFINITY, touch: Touch::Face };
    for (f, &normal) in p.normals.iter().enumerate() {
        let o = p.corner_of(f);
        let gap = lowest(&q.vertices, normal, o);
        if gap > best.gap + tolerance {
            best = Axis { normal, gap, touch: Touch::Face };
        }
    }
    for (f, &normal) in q.normals.iter().enumerate() {
        let o = q.corner_of(f);
        let gap = lowest(&p.vertices, normal, o);
        if gap > best.gap + tolerance {
            best = Axis { normal: -normal, gap, touch: Touch::Face };
        }
    }
    if best.gap > limit {
        return Err(best.gap);
    }
    for (e, edge) in p.local.edges.iter().enumerate() {
        let [s0, s1] = p.edge(e);
        let d = s1 - s0;
        let [n1, n2] = edge.faces.map(|f| p.normals[f as usize]);
        let arc = n2.cross(n1);
        // Out of the solid at this edge; for a triangle, in its plane.
        let outward = if flat { d.cross(n1) } else { s0 - a.centre };
        for (g, other) in q.local.edges.iter().enumerate() {
            let [m1, m2] = other.faces.map(|f| -q.normals[f as usize]);
            if !flat && !arcs_cross([n1, n2], arc, [m1, m2]) {
                continue;
            }
            let [t0, t1] = q.edge(g);
            let across = d.cross(t1 - t0);
            let length = across.length();
            if length < 1e-6 * d.length() * (t1 - t0).length() {
                continue;
            }
            let normal = across / length;
            let normal = if normal.dot(outward) < 0.0 { -normal } else { normal };
            if flat && !between([m1, m2], normal, t1 - t0) {
                continue;
            }
            let gap = normal.dot(t0 - s0);
            if gap > best.gap + tolerance {
                best = Axis { normal, gap, touch: Touch::Edges(e as u32, g as u32) };
                if gap > limit {
                    return Err(gap);
                }
            }
        }
    }
    Ok(best)
}

fn lowest(vertices: &[DVec3], normal: DVec3, origin: DVec3) -> f64 {
    vertices.iter().map(|v| normal.dot(*v - origin)).fold(f64::INFINITY, f64::min)
}

/// Whether the edges' arcs on the sphere of normals cross: only then do the edges make a face of
/// the difference of the two polyhedra.
fn arcs_cross([a, b]: [DVec3; 2], b_cross_a: DVec3, [c, d]: [DVec3; 2]) -> bool {
    let d_cross_c = d.cross(c);
    let (cba, dba) = (c.dot(b_cross_a), d.dot(b_cross_a));
    let (adc, bdc) = (a.dot(d_cross_c), b.dot(d_cross_c));
    cba * dba < 0.0 && adc * bdc < 0.0 && cba * bdc > 0.0
}

/// Whether `n` lies on the arc from `c` to `d`, all across `edge`: the normals of a triangle's edge
/// make a half circle, which crosses the arc where their planes do.
fn between([c, d]: [DVec3; 2], n: DVec3, edge: DVec3) -> bool {
    let turn = c.cross(d).dot(edge);
    c.cross(n).dot(edge) * turn > 0.0 && n.cross(d).dot(edge) * turn > 0.0
}

/// A polyhedron and a sphere or a capsule.
fn rounded(
    a: &Solid,
    b: &Solid,
    p: &PlacedPolyhedron,
    ends: &[DVec3],
    limit: f64,
) -> Result<Axis, f64> {
    let size = a.size + b.size;
    let around = a.radius + b.radius;
    let mut best = Axis { normal: DVec3::Y, gap: f64::NEG_INFINITY, touch: Touch::Face };
    for (f, &normal) in p.normals.iter().enumerate() {
        let gap = lowest(ends, normal, p.corner_of(f)) - around;
        if gap > best.gap {
            best = Axis { normal, gap, touch: Touch::Face };
        }
    }
    if best.gap > limit {
        return Err(best.gap);
    }
    let mut apart = best.gap + around > 1e-12 * size || beside(p, ends, 1e-12 * size);
    if let &[s, t] = ends {
        for e in 0..p.local.edges.len() {
            let [x, y] = p.edge(e);
            let across = (y - x).cross(t - s);
            if across.length() < 1e-6 * (y - x).length() * (t - s).length() {
                continue;
            }
            let normal = across.normalize();
            let normal = if normal.dot(s - a.centre) < 0.0 { -normal } else { normal };
            let gap = a.separation(b, normal);
            apart |= gap + around > 1e-12 * size;
            if gap > best.gap + 1e-9 * size {
                best = Axis { normal, gap, touch: Touch::Support };
            }
        }
    }
    if !apart {
        return Ok(best);
    }
    // The cores are apart: the nearest points decide, and a face where it is as far.
    let mut nearest = (DVec3::ZERO, DVec3::ZERO, f64::INFINITY);
    let mut keep = |candidate: (DVec3, DVec3, f64)| {
        if candidate.2 < nearest.2 {
            nearest = candidate;
        }
    };
    for (f, &normal) in p.normals.iter().enumerate() {
        let corners = &p.local.faces[f].corners;
        for &end in ends.iter().filter(|e| normal.dot(**e - p.corner_of(f)) > 0.0) {
            let corner = |i: usize| p.vertices[corners[i] as usize];
            let (q, _) = on_polygon(corner, corners.len(), normal, end);
            keep((q, end, (end - q).length_squared()));
        }
    }
    for e in 0..p.local.edges.len() {
        match *ends {
            [s, t] => keep(segments(p.edge(e), [s, t])),
            [c] => {
                let q = on_segment(p.edge(e), c);
                keep((q, c, (c - q).length_squared()));
            }
            _ => {}
        }
    }
    let (x, y, squared) = nearest;
    let d = squared.sqrt();
    if matches!(best.touch, Touch::Face) && best.gap + around >= d - 1e-9 * size {
        return Ok(best);
    }
    Ok(Axis { normal: (y - x) / d, gap: d - around, touch: Touch::Near(x, y) })
}

/// Whether points are beyond an edge of a triangle by more than `least`, in whose plane they may be.
fn beside(p: &PlacedPolyhedron, ends: &[DVec3], least: f64) -> bool {
    p.normals.len() == 2
        && p.local.edges.iter().enumerate().any(|(e, edge)| {
            let [x, y] = p.edge(e);
            let outward = (y - x).cross(p.normals[edge.faces[0] as usize]).normalize_or_zero();
            lowest(ends, outward, x) > least
        })
}

/// Nearest points of two polyhedra that are apart, by trying all pairs of features.
pub(crate) fn nearest(p: &PlacedPolyhedron, q: &PlacedPolyhedron) -> Option<(DVec3, DVec3, f64)> {
    if p.local.edges.len() * q.local.edges.len() > 40_000 {
        return None;
    }
    let mut best = (DVec3::ZERO, DVec3::ZERO, f64::INFINITY);
    for (from, to, flip) in [(p, q, false), (q, p, true)] {
        for (f, &normal) in from.normals.iter().enumerate() {
            let corners = &from.local.faces[f].corners;
            let origin = from.corner_of(f);
            for &v in to.vertices.iter().filter(|v| normal.dot(**v - origin) > 0.0) {
                let corner = |i: usize| from.vertices[corners[i] as usize];
                let (x, inside) = on_polygon(corner, corners.len(), normal, v);
                if inside && (v - x).length_squared() < best.2 {
                    let (x, y) = if flip { (v, x) } else { (x, v) };
                    best = (x, y, (y - x).length_squared());
                }
            }
        }
    }
    for e in 0..p.local.edges.len() {
        for g in 0..q.local.edges.len() {
            let pair = segments(p.edge(e), q.edge(g));
            if pair.2 < best.2 {
                best = pair;
            }
        }
    }
    (best.2 > 0.0 && best.2.is_finite()).then_some((best.0, best.1, best.2.sqrt()))
}
