//! Pairs of points on the cores of two solids that touch along an axis.

use glamx::DVec3;

use super::super::axis::{self, Axis, Touch};
use super::super::contact_plane::ContactPlane;
use super::super::feature::{Feature, LEAN};
use super::super::feature_overlap::{Corners, PointPair};
use super::super::mesh::{Lean, Weld};
use super::super::nearest_points::segments;
use super::super::point_key::{Cause, NONE, PointKey};
use super::super::solid::{Core, Solid};

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
            Touch::Near(p, q) => {
                match (&a.core, &b.core, a.farthest(n), b.farthest(-n)) {
                    (Core::Segment(s), Core::Segment(t), ..) => beside(*s, *t, n, out),
                    (_, _, f @ Feature::Segment(_), g @ Feature::Segment(_)) => {
                        view.overlap(&f, &g, corners, out);
                    }
                    _ => {}
                }
                let same = |r: &PointPair| (r.a - p).length() < 1e3 * view.eps;
                // Points of a line are as near as the nearest ones.
                let line = out.len() >= 2 && !matches!(a.core, Core::Segment(_));
                if !line && !out.iter().any(same) {
                    let key = PointKey { cause: Cause::NearestCores, a: NONE, b: NONE };
                    out.push(PointPair { a: p, b: q, key });
                }
            }
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
        n
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
