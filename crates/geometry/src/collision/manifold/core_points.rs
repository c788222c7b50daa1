//! Pairs of points on the cores of two solids that touch along an axis.

use glamx::DVec3;

use super::super::axis::{self, Axis, Touch};
use super::super::contact_plane::ContactPlane;
use super::super::feature::{Feature, LEAN};
use super::super::feature_overlap::{Corners, PointPair};
use super::super::mesh::{Lean, Weld};
use super::super::nearest_points::{on_segment, segments};
use super::super::point_key::{Cause, NONE, PointKey};
use super::super::solid::{Core, PlacedPolyhedron, Solid};

impl Axis {
    /// Points of the cores that touch along the axis, and the normal.
    pub(crate) fn core_points(
        &self,
        [a, b]: [&Solid; 2],
        weld: Option<&Weld>,
        corners: &mut Corners,
        out: &mut Vec<PointPair>,
    ) -> DVec3 {
        let n = self.normal;
        let view = ContactPlane::new(b.centre, n, a.size.min(b.size));
        let gap = self.gap + a.radius + b.radius;
        let along = |r: &PointPair| n.dot(r.b - r.a);
        // Nothing is nearer along the axis than what lies farthest: such points are beyond a rim.
        let real = |r: &PointPair| along(r) >= gap - 1e3 * view.eps;
        match self.touch {
            Touch::Face => {
                view.overlap(&a.facing(n), &b.facing(-n), corners, out);
                out.retain(real);
            }
            Touch::Support => {
                view.overlap(&a.turned_to(n), &b.turned_to(-n), corners, out);
                out.retain(real);
                let (f, g) = (a.farthest(n), b.farthest(-n));
                let nearest = |r: &PointPair| along(r) <= gap + 1e3 * view.eps;
                if !out.iter().any(nearest) {
                    let first = out.len();
                    view.overlap(&f, &g, corners, out);
                    if out.len() == first {
                        out.push(single(&f, &g, n, gap));
                    }
                }
            }
            Touch::Near(p, q) => near_points([a, b], [p, q], (n, gap), &view, corners, out),
            Touch::Edges(e, f) => {
                if let (Core::Polyhedron(p), Core::Polyhedron(q)) = (&a.core, &b.core) {
                    // Where faces are all but parallel to each other, what else of them may touch.
                    view.overlap(&a.turned_to(n), &b.turned_to(-n), corners, out);
                    let (x, y, _) = segments(p.edge(e as usize), q.edge(f as usize));
                    let key = PointKey { cause: Cause::Edges, a: e, b: f };
                    let same = |r: &PointPair| (r.b - y).length() < 1e3 * view.eps;
                    match out.iter_mut().find(|r| same(r)) {
                        Some(found) => (found.a, found.b) = (x, y),
                        None => out.push(PointPair { a: x, b: y, key }),
                    }
                }
            }
        }
        // Apart and not above each other: nearest points.
        let apart = out.is_empty() && self.gap > 0.0 && weld.is_none_or(Weld::has_free_edge);
        if let (true, Core::Polyhedron(p), Core::Polyhedron(q)) = (apart, &a.core, &b.core)
            && let Some((x, y, d)) = axis::nearest(p, q)
        {
            let normal = (y - x) / d;
            let within = weld.is_none_or(|w| matches!(w.lean(normal), Lean::Within));
            if within {
                out.push(PointPair {
                    a: x,
                    b: y,
                    key: PointKey { cause: Cause::NearestPolyhedra, a: NONE, b: NONE },
                });
                return normal;
            }
        }
        if out.is_empty() && weld.is_none() {
            // What lies on a rim may by rounding be beyond it.
            out.push(single(&a.farthest(n), &b.farthest(-n), n, gap));
        }
        n
    }
}

/// Points of two cores whose nearest points are p and q, along the normal; `gap` is how far they are apart.
fn near_points(
    [a, b]: [&Solid; 2],
    [p, q]: [DVec3; 2],
    (n, gap): (DVec3, f64),
    view: &ContactPlane,
    corners: &mut Corners,
    out: &mut Vec<PointPair>,
) {
    let real = |r: &PointPair| n.dot(r.b - r.a) >= gap - 1e3 * view.eps;
    let near = 1e3 * view.eps;
    let (mut line, mut edge) = (false, None);
    match (&a.core, &b.core, a.farthest(n), b.farthest(-n)) {
        (Core::Segment(s), Core::Segment(t), ..) => beside(*s, *t, n, out),
        (Core::Polyhedron(poly), Core::Segment(t), ..) => {
            edge = poly.edge_along(p, near, *t).map(|e| [e, *t]);
        }
        (Core::Segment(s), Core::Polyhedron(poly), ..) => {
            edge = poly.edge_along(q, near, *s).map(|e| [*s, e]);
        }
        (_, _, f @ Feature::Segment(_), g @ Feature::Segment(_)) => {
            view.overlap(&f, &g, corners, out);
            // Points of a line are as near as the nearest ones.
            line = out.len() >= 2;
        }
        _ => {}
    }
    if let Some([s, t]) = edge {
        // What lies beside the edge, or over a face that is all but parallel to it, stays.
        beside(s, t, n, out);
        view.overlap(&a.turned_to(n), &b.turned_to(-n), corners, out);
        out.retain(real);
        drop_twins(out, near);
    }
    let same = |r: &PointPair| (r.a - p).length() < near;
    if !line && !out.iter().any(same) {
        let key = PointKey { cause: Cause::NearestCores, a: NONE, b: NONE };
        out.push(PointPair { a: p, b: q, key });
    }
}

impl PlacedPolyhedron {
    /// Of its edges through a point, the one that is most along a line.
    fn edge_along(&self, point: DVec3, near: f64, [s, t]: [DVec3; 2]) -> Option<[DVec3; 2]> {
        let edges = (0..self.local.edges.len()).map(|e| self.edge(e));
        let through = edges.filter(|e| (on_segment(*e, point) - point).length() < near);
        let along = |e: &[DVec3; 2]| (e[1] - e[0]).normalize_or_zero().dot(t - s).abs();
        through.max_by(|a, b| along(a).total_cmp(&along(b)))
    }
}

/// Where two lines that are all but parallel begin and end to lie beside each other: as far apart as they are
/// there, along the normal.
fn beside([p, p1]: [DVec3; 2], q: [DVec3; 2], n: DVec3, out: &mut Vec<PointPair>) {
    let length = (p1 - p).length();
    let u = (p1 - p) / length;
    let [s, t] = q.map(|end| u.dot(end - p));
    let parallel = u.dot((q[1] - q[0]).normalize_or_zero()).abs() > LEAN;
    let (low, high) = (s.min(t).max(0.0), s.max(t).min(length));
    if !parallel || !(low < high) {
        return;
    }
    for (at, own) in [(low, 0.0), (high, length)] {
        let a = p + u * at;
        let part = ((at - s) / (t - s)).clamp(0.0, 1.0);
        let way = q[0] + (q[1] - q[0]) * part - a;
        if way.dot(n) > 0.5 * way.length() {
            let [ka, kb] = if at == own {
                [u32::from(own > 0.0), NONE]
            } else {
                [NONE, u32::from((at - t).abs() < (at - s).abs())]
            };
            let key = PointKey { cause: Cause::ParallelSegments, a: ka, b: kb };
            out.push(PointPair { a, b: a + n * way.length(), key });
        }
    }
}

/// Drops points that lie where one before them does.
fn drop_twins(out: &mut Vec<PointPair>, near: f64) {
    let mut kept = 0;
    for k in 0..out.len() {
        let new = out[k];
        if !out[..kept].iter().any(|r| (r.a - new.a).length() < near) {
            out[kept] = new;
            kept += 1;
        }
    }
    out.truncate(kept);
}

/// One pair of points where features do not overlap by rounding.
fn single(f: &Feature, g: &Feature, n: DVec3, gap: f64) -> PointPair {
    let key = PointKey { cause: Cause::NearestCores, a: NONE, b: NONE };
    let middle = |f: &Feature| match f {
        Feature::Point(p, _) => *p,
        Feature::Segment([p, q]) => 0.5 * (*p + *q),
        Feature::Polygon(poly, face) => poly.corner_of(*face),
        Feature::Disc(d) => d.centre,
    };
    if let Feature::Point(p, _) = f {
        return PointPair { a: *p, b: *p + n * gap, key };
    }
    let p = middle(g);
    PointPair { a: p - n * gap, b: p, key }
}
