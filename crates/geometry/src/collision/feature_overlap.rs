//! Where two facing features overlap, seen along the contact normal.

use glamx::{DVec2, DVec3};

use super::contact_plane::ContactPlane;
use super::disc::circle_crossings;
use super::feature::Feature;
use super::point_key::{Cause, NONE, PointKey};

/// Segments nearer to parallel than this (radians) touch along a line.
const PARALLEL: f64 = 1e-5;

/// A pair of points on two cores, and what makes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PointPair {
    pub(crate) a: DVec3,
    pub(crate) b: DVec3,
    pub(crate) key: PointKey,
}

/// Corners of two polygons in the contact plane, in lists that are used again.
#[derive(Debug, Default)]
pub(crate) struct Corners {
    pub(crate) a: Vec<DVec2>,
    b: Vec<DVec2>,
}

impl ContactPlane {
    /// Moves a point along the normal onto a feature's plane, line or point.
    pub(crate) fn onto_feature(&self, f: &Feature, p: DVec3) -> DVec3 {
        match f {
            Feature::Point(q, _) => *q,
            Feature::Segment([s, t]) => {
                let (a, b) = (self.flat(*s), self.flat(*t));
                let d = b - a;
                let length = d.length_squared();
                let along = if length > 0.0 { (self.flat(p) - a).dot(d) / length } else { 0.0 };
                *s + (*t - *s) * along.clamp(0.0, 1.0)
            }
            _ => f.plane().map_or(p, |plane| self.onto(plane, p)),
        }
    }

    /// Appends the corners of the overlap.
    pub(crate) fn overlap(
        &self,
        a: &Feature,
        b: &Feature,
        s: &mut Corners,
        out: &mut Vec<PointPair>,
    ) {
        let first = out.len();
        match (a, b) {
            (Feature::Point(p, i), _) if self.covers(b, *p, s) => {
                let key = PointKey { cause: Cause::PointOver, a: *i, b: NONE };
                out.push(PointPair { a: *p, b: self.onto_feature(b, *p), key });
            }
            (_, Feature::Point(p, i)) if self.covers(a, *p, s) => {
                let key = PointKey { cause: Cause::PointOver, a: NONE, b: *i };
                out.push(PointPair { a: self.onto_feature(a, *p), b: *p, key });
            }
            (Feature::Point(..), _) | (_, Feature::Point(..)) => {}
            (Feature::Segment(p), Feature::Segment(q)) => self.lines(*p, *q, out),
            (Feature::Segment(p), _) => self.line(*p, b, s, out, |r| (r.0, r.1)),
            (_, Feature::Segment(q)) => {
                let from = out.len();
                self.line(*q, a, s, out, |r| (r.1, r.0));
                for raw in &mut out[from..] {
                    raw.key = raw.key.flipped();
                }
            }
            (Feature::Polygon(..), Feature::Polygon(..)) => self.polygons(a, b, s, out),
            (Feature::Disc(d), Feature::Polygon(..)) => {
                self.disc_polygon(d, b, s, |on_disc, on_other, key| {
                    out.push(PointPair { a: on_disc, b: on_other, key });
                });
            }
            (Feature::Polygon(..), Feature::Disc(d)) => {
                self.disc_polygon(d, a, s, |on_disc, on_other, key| {
                    out.push(PointPair { a: on_other, b: on_disc, key: key.flipped() });
                });
            }
            (Feature::Disc(d), Feature::Disc(e)) => self.discs(d, e, out),
        }
        self.drop_doubles(first, out);
    }

    /// Drops points that coincide with an earlier one.
    pub(crate) fn drop_doubles(&self, first: usize, out: &mut Vec<PointPair>) {
        let mut kept = first;
        for i in first..out.len() {
            let p = self.flat(out[i].b);
            let near =
                |r: &PointPair| (self.flat(r.b) - p).length_squared() < (100.0 * self.eps).powi(2);
            if !out[first..kept].iter().any(near) {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// Whether a feature covers a point.
    fn covers(&self, f: &Feature, p: DVec3, s: &mut Corners) -> bool {
        let q = self.flat(p);
        match f {
            Feature::Point(o, _) => (self.flat(*o) - q).length() <= 100.0 * self.eps,
            Feature::Segment(_) => {
                (self.flat(self.onto_feature(f, p)) - q).length() <= 100.0 * self.eps
            }
            Feature::Polygon(..) => {
                self.load(f, &mut s.a);
                inside(&s.a, q, self.eps)
            }
            Feature::Disc(d) => {
                (self.onto((d.centre, d.normal), p) - d.centre).length() <= d.radius + self.eps
            }
        }
    }

    /// A polygon's corners, counter-clockwise.
    fn load(&self, f: &Feature, out: &mut Vec<DVec2>) {
        out.clear();
        if let Feature::Polygon(poly, face) = f {
            let corners = &poly.local.faces[*face].corners;
            out.extend(corners.iter().map(|&c| self.flat(poly.vertices[c as usize])));
            if poly.normals[*face].dot(self.normal) < 0.0 {
                out.reverse();
            }
        }
    }

    /// Number of corner `i` of the list made by `load`, and of the edge from it to the next.
    fn numbers(&self, f: &Feature, i: usize) -> (u32, u32) {
        let Feature::Polygon(poly, face) = f else { return (NONE, NONE) };
        let face_data = &poly.local.faces[*face];
        let n = face_data.corners.len();
        if poly.normals[*face].dot(self.normal) < 0.0 {
            let k = n - 1 - i;
            (face_data.corners[k], face_data.edges[(k + n - 1) % n])
        } else {
            (face_data.corners[i], face_data.edges[i])
        }
    }

    fn polygons(&self, a: &Feature, b: &Feature, s: &mut Corners, out: &mut Vec<PointPair>) {
        self.load(a, &mut s.a);
        self.load(b, &mut s.b);
        let corner = |f: &Feature, i: usize| match f {
            Feature::Polygon(poly, _) => poly.vertices[self.numbers(f, i).0 as usize],
            _ => DVec3::ZERO,
        };
        for (i, q) in s.b.iter().enumerate() {
            if inside(&s.a, *q, self.eps) {
                let key =
                    PointKey { cause: Cause::CornerOverFace, a: NONE, b: self.numbers(b, i).0 };
                let p = corner(b, i);
                out.push(PointPair { a: self.onto_feature(a, p), b: p, key });
            }
        }
        for (i, q) in s.a.iter().enumerate() {
            if inside(&s.b, *q, self.eps) {
                let key =
                    PointKey { cause: Cause::CornerOverFace, a: self.numbers(a, i).0, b: NONE };
                let p = corner(a, i);
                out.push(PointPair { a: p, b: self.onto_feature(b, p), key });
            }
        }
        for i in 0..s.a.len() {
            let (p, p1) = (s.a[i], s.a[(i + 1) % s.a.len()]);
            for j in 0..s.b.len() {
                let (q, q1) = (s.b[j], s.b[(j + 1) % s.b.len()]);
                if let Some(t) = crossing([p, p1], [q, q1]) {
                    let at = self.space(p + (p1 - p) * t);
                    let key = PointKey {
                        cause: Cause::EdgesOfFaces,
                        a: self.numbers(a, i).1,
                        b: self.numbers(b, j).1,
                    };
                    let (on_a, on_b) = (self.onto_feature(a, at), self.onto_feature(b, at));
                    out.push(PointPair { a: on_a, b: on_b, key });
                }
            }
        }
    }

    /// A segment over a polygon or a disc. `order` puts (on segment, on other) into (a, b).
    fn line(
        &self,
        [p, q]: [DVec3; 2],
        other: &Feature,
        s: &mut Corners,
        out: &mut Vec<PointPair>,
        order: impl Fn((DVec3, DVec3)) -> (DVec3, DVec3),
    ) {
        let (mut low, mut high) = ((0.0, 0, NONE), (1.0, 1, NONE));
        if let Feature::Disc(d) = other {
            let [u, v] = [p, q].map(|e| self.onto((d.centre, d.normal), e) - d.centre);
            let Some([t0, t1]) = circle_crossings(d.flat(u), d.flat(v), d.radius + self.eps) else {
                return;
            };
            if t0 > low.0 {
                low = (t0, NONE, 0);
            }
            if t1 < high.0 {
                high = (t1, NONE, 1);
            }
        } else {
            self.load(other, &mut s.a);
            let (u, v) = (self.flat(p), self.flat(q));
            for i in 0..s.a.len() {
                let (c, c1) = (s.a[i], s.a[(i + 1) % s.a.len()]);
                let inward = (c1 - c).perp().normalize_or_zero();
                let (h0, h1) = (inward.dot(u - c) + self.eps, inward.dot(v - c) + self.eps);
                if h0 < 0.0 && h1 < 0.0 {
                    return;
                }
                let t = h0 / (h0 - h1);
                let edge = self.numbers(other, i).1;
                if h0 < 0.0 && t > low.0 {
                    low = (t, NONE, edge);
                }
                if h1 < 0.0 && t < high.0 {
                    high = (t, NONE, edge);
                }
            }
        }
        if low.0 > high.0 {
            return;
        }
        for (t, end, edge) in [low, high] {
            // Exact at the ends.
            let at = if t == 1.0 { q } else { p + (q - p) * t };
            let on_other = self.onto_feature(other, at);
            let (a, b) = order((at, on_other));
            out.push(PointPair {
                a,
                b,
                key: PointKey { cause: Cause::SegmentOver, a: end, b: edge },
            });
        }
        let n = out.len();
        let (x, y) = (self.flat(out[n - 2].b), self.flat(out[n - 1].b));
        if (x - y).length() < 100.0 * self.eps {
            // Upright: the end nearer to the other.
            let gap = |r: &PointPair| self.normal.dot(r.b - r.a);
            let farther = if gap(&out[n - 2]) <= gap(&out[n - 1]) { n - 1 } else { n - 2 };
            out.remove(farther);
        }
    }

    fn lines(&self, p: [DVec3; 2], q: [DVec3; 2], out: &mut Vec<PointPair>) {
        let ([a, a1], [b, b1]) = (p.map(|e| self.flat(e)), q.map(|e| self.flat(e)));
        let (d, e) = (a1 - a, b1 - b);
        let (fa, fb) = (Feature::Segment(p), Feature::Segment(q));
        if d.perp_dot(e).abs() > PARALLEL * d.length() * e.length() {
            if let Some(t) = crossing([a, a1], [b, b1]) {
                let at = self.space(a + d * t);
                let key = PointKey { cause: Cause::Segments, a: NONE, b: NONE };
                let (on_a, on_b) = (self.onto_feature(&fa, at), self.onto_feature(&fb, at));
                out.push(PointPair { a: on_a, b: on_b, key });
            }
            return;
        }
        let length = d.length();
        if length < self.eps || e.length() < self.eps {
            return;
        }
        let u = d / length;
        if u.perp_dot(b - a).abs() > 1e3 * self.eps + PARALLEL * length {
            return;
        }
        let on_line = |x: DVec2| u.dot(x - a);
        let (s, t) = (on_line(b), on_line(b1));
        let low = if s.min(t) > 0.0 { (s.min(t), NONE, u32::from(t < s)) } else { (0.0, 0, NONE) };
        let high =
            if s.max(t) < length { (s.max(t), NONE, u32::from(t > s)) } else { (length, 1, NONE) };
        if low.0 > high.0 + self.eps {
            return;
        }
        for (t, ka, kb) in [low, high] {
            let at = p[0] + (p[1] - p[0]) * (t / length);
            let on_b = self.onto_feature(&fb, at);
            out.push(PointPair {
                a: at,
                b: on_b,
                key: PointKey { cause: Cause::ParallelSegments, a: ka, b: kb },
            });
        }
    }

    /// Every corner of a feature of B against a plane of A, which has no end.
    pub(crate) fn on_plane(&self, plane: (DVec3, DVec3), b: &Feature, out: &mut Vec<PointPair>) {
        let mut push = |p: DVec3, number: u32| {
            let key = PointKey { cause: Cause::CornerOverHalfSpace, a: NONE, b: number };
            out.push(PointPair { a: self.onto(plane, p), b: p, key });
        };
        match b {
            Feature::Point(p, i) => push(*p, *i),
            Feature::Segment([p, q]) => {
                let upright = (self.flat(*p) - self.flat(*q)).length() < 100.0 * self.eps;
                let p_lower = self.normal.dot(*p) <= self.normal.dot(*q);
                if !upright || p_lower {
                    push(*p, 0);
                }
                if !upright || !p_lower {
                    push(*q, 1);
                }
            }
            Feature::Polygon(poly, face) => {
                for &c in &poly.local.faces[*face].corners {
                    push(poly.vertices[c as usize], c);
                }
            }
            Feature::Disc(d) => {
                for (k, q) in Self::rim(d, -self.normal).enumerate() {
                    push(d.centre + d.x * q.x + d.y * q.y, k as u32);
                }
            }
        }
    }
}

/// Whether a counter-clockwise convex polygon contains a point.
pub(crate) fn inside(polygon: &[DVec2], q: DVec2, eps: f64) -> bool {
    (0..polygon.len()).all(|i| {
        let (c, c1) = (polygon[i], polygon[(i + 1) % polygon.len()]);
        let d = c1 - c;
        d.perp_dot(q - c) >= -eps * d.length()
    })
}

/// Signed area, positive when counter-clockwise.
pub(crate) fn area(polygon: &[DVec2]) -> f64 {
    let o = polygon.first().copied().unwrap_or_default();
    let n = polygon.len();
    0.5 * (0..n).map(|i| (polygon[i] - o).perp_dot(polygon[(i + 1) % n] - o)).sum::<f64>()
}

/// Where the first segment crosses the second, as a fraction of the first.
fn crossing([p, p1]: [DVec2; 2], [q, q1]: [DVec2; 2]) -> Option<f64> {
    let (d, e, r) = (p1 - p, q1 - q, q - p);
    let denominator = d.perp_dot(e);
    if denominator.abs() <= 1e-12 * d.length() * e.length() {
        return None;
    }
    let (t, u) = (r.perp_dot(e) / denominator, r.perp_dot(d) / denominator);
    let within = |x: f64| (-1e-9..=1.0 + 1e-9).contains(&x);
    (within(t) && within(u)).then_some(t)
}
