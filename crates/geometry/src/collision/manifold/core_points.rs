//! Pairs of points on the cores of two solids that touch along an axis.

use glamx::DVec3;

use super::super::axis::{self, Axis, Touch};
use super::super::contact_plane::ContactPlane;
use super::super::feature::Feature;
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
                let (f, g) = (a.farthest(n), b.farthest(-n));
                if matches!((&f, &g), (Feature::Segment(_), Feature::Segment(_))) {
                    view.overlap(&f, &g, corners, out);
                }
                if out.len() < 2 {
                    out.clear();
                    out.push(PointPair {
                        a: p,
                        b: q,
                        key: PointKey { cause: Cause::NearestCores, a: NONE, b: NONE },
                    });
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
