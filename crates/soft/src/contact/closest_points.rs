//! Closest points of vertices, edges and faces.

use glamx::DVec3;

/// The feature of a triangle that a point is closest to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// Its inside.
    Face,
    /// The edge from corner k to the next.
    Edge(usize),
    /// Corner k.
    Corner(usize),
}

/// Barycentric coordinates of the point of a triangle closest to `p`, and where it lies.
/// A triangle without area is the longest of its edges.
pub fn point_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> ([f64; 3], Region) {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let normal2 = ab.cross(ac).length_squared();
    let longest = ab.length_squared().max(ac.length_squared()).max((c - b).length_squared());
    if !(normal2 > FLAT * longest * longest) {
        return flat_triangle(p, [a, b, c]);
    }
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return ([1.0, 0.0, 0.0], Region::Corner(0));
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return ([0.0, 1.0, 0.0], Region::Corner(1));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return ([1.0 - t, t, 0.0], Region::Edge(0));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return ([0.0, 0.0, 1.0], Region::Corner(2));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return ([1.0 - t, 0.0, t], Region::Edge(2));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return ([0.0, 1.0 - t, t], Region::Edge(1));
    }
    let sum = va + vb + vc;
    let (v, w) = (vb / sum, vc / sum);
    ([1.0 - v - w, v, w], Region::Face)
}

/// Squared sine, in a way, below which a triangle counts as flat.
const FLAT: f64 = 1e-24;

fn flat_triangle(p: DVec3, corners: [DVec3; 3]) -> ([f64; 3], Region) {
    let mut best = (f64::INFINITY, [1.0, 0.0, 0.0], Region::Corner(0));
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        let t = along(p, a, b);
        let distance = p.distance_squared(a + (b - a) * t);
        if distance < best.0 {
            let mut bary = [0.0; 3];
            bary[k] = 1.0 - t;
            bary[(k + 1) % 3] = t;
            let region = if t <= 0.0 {
                Region::Corner(k)
            } else if t >= 1.0 {
                Region::Corner((k + 1) % 3)
            } else {
                Region::Edge(k)
            };
            best = (distance, bary, region);
        }
    }
    (best.1, best.2)
}

/// Parameter, 0 to 1, of the point of a segment closest to `p`.
fn along(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let d = b - a;
    let length2 = d.length_squared();
    if length2 > 0.0 { ((p - a).dot(d) / length2).clamp(0.0, 1.0) } else { 0.0 }
}

/// Parameters, 0 to 1, of the closest points of two segments.
pub fn segments([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> (f64, f64) {
    let (u, v, r) = (b - a, d - c, a - c);
    let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
    if !(uu > 0.0) {
        return (0.0, along(a, c, d));
    }
    if !(vv > 0.0) {
        return (along(c, a, b), 0.0);
    }
    let (ur, vr) = (u.dot(r), v.dot(r));
    let denominator = uu * vv - uv * uv;
    let s = if denominator > PARALLEL * uu * vv {
        ((uv * vr - ur * vv) / denominator).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let t = (uv * s + vr) / vv;
    if (0.0..=1.0).contains(&t) {
        return (s, t);
    }
    let t = t.clamp(0.0, 1.0);
    (((uv * t - ur) / uu).clamp(0.0, 1.0), t)
}

/// Squared sine of the angle below which two edges count as parallel.
pub(crate) const PARALLEL: f64 = 1e-12;
