//! Nearest points of points, segments and polygons.

use glamx::DVec3;

/// Nearest points of two segments, and the squared distance.
pub(crate) fn segments(a: [DVec3; 2], b: [DVec3; 2]) -> (DVec3, DVec3, f64) {
    let (d1, d2, r) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (l1, l2, f) = (d1.length_squared(), d2.length_squared(), d2.dot(r));
    let (s, t);
    if l1 == 0.0 && l2 == 0.0 {
        (s, t) = (0.0, 0.0);
    } else if l1 == 0.0 {
        (s, t) = (0.0, (f / l2).clamp(0.0, 1.0));
    } else {
        let c = d1.dot(r);
        if l2 == 0.0 {
            (s, t) = ((-c / l1).clamp(0.0, 1.0), 0.0);
        } else {
            let b = d1.dot(d2);
            let denominator = l1 * l2 - b * b;
            let first = if denominator > 1e-14 * l1 * l2 {
                ((b * f - c * l2) / denominator).clamp(0.0, 1.0)
            } else {
                0.0
            };
            let second = (b * first + f) / l2;
            if second < 0.0 {
                (s, t) = ((-c / l1).clamp(0.0, 1.0), 0.0);
            } else if second > 1.0 {
                (s, t) = (((b - c) / l1).clamp(0.0, 1.0), 1.0);
            } else {
                (s, t) = (first, second);
            }
        }
    }
    let (p, q) = (a[0] + d1 * s, b[0] + d2 * t);
    (p, q, (q - p).length_squared())
}

/// Nearest point of a segment.
pub(crate) fn on_segment([a, b]: [DVec3; 2], p: DVec3) -> DVec3 {
    let d = b - a;
    let length = d.length_squared();
    if length == 0.0 { a } else { a + d * ((p - a).dot(d) / length).clamp(0.0, 1.0) }
}

/// Nearest point of a convex polygon, corners counter-clockwise about `normal`, to a point above
/// its plane; and whether it is inside the outline.
pub(crate) fn on_polygon(
    corner: impl Fn(usize) -> DVec3,
    count: usize,
    normal: DVec3,
    p: DVec3,
) -> (DVec3, bool) {
    let mut nearest = (DVec3::ZERO, f64::INFINITY);
    let mut inside = true;
    for i in 0..count {
        let edge = [corner(i), corner((i + 1) % count)];
        if normal.cross(edge[1] - edge[0]).dot(p - edge[0]) < 0.0 {
            inside = false;
        }
        let q = on_segment(edge, p);
        if (p - q).length_squared() < nearest.1 {
            nearest = (q, (p - q).length_squared());
        }
    }
    if inside { (p - normal * normal.dot(p - corner(0)), true) } else { (nearest.0, false) }
}
