//! Polygons cut into triangles.

use glamx::{DVec2, DVec3};

/// Most corners of a polygon that is not convex: cutting takes the cube of the number at worst.
const MAX_CONCAVE: usize = 1000;

/// Triangles that cover a polygon, as numbers of its corners, with its sense of rotation.
///
/// A convex polygon becomes a fan from its first corner. Others are cut ear by ear in the plane
/// they best lie in; what crosses itself, or has no area, ends as a fan too.
pub(super) fn triangulate(points: &[DVec3]) -> Result<Vec<[usize; 3]>, String> {
    let fan = |corners: &[usize]| -> Vec<[usize; 3]> {
        corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]]).collect()
    };
    let mut corners: Vec<usize> = (0..points.len()).collect();
    if points.len() <= 3 {
        return Ok(fan(&corners));
    }
    let flat = flatten(points);
    let n = corners.len();
    let is_convex = (0..n).all(|i| turn(flat[i], flat[(i + 1) % n], flat[(i + 2) % n]) >= 0.0);
    if is_convex {
        return Ok(fan(&corners));
    }
    if n > MAX_CONCAVE {
        return Err(format!(
            "a face with {n} corners that is not convex; expected at most {MAX_CONCAVE}"
        ));
    }
    let mut triangles = Vec::with_capacity(n - 2);
    while corners.len() > 3 {
        let Some(ear) = (0..corners.len()).find(|k| is_ear(&corners, &flat, *k)) else { break };
        triangles.push(around(&corners, ear));
        corners.remove(ear);
    }
    triangles.extend(fan(&corners));
    Ok(triangles)
}

/// Corner `k` of what is left, between its neighbours.
fn around(corners: &[usize], k: usize) -> [usize; 3] {
    let n = corners.len();
    [corners[(k + n - 1) % n], corners[k], corners[(k + 1) % n]]
}

/// Whether the triangle at corner `k` turns left and has no other corner in it.
fn is_ear(corners: &[usize], flat: &[DVec2], k: usize) -> bool {
    let triangle = around(corners, k);
    let [a, b, c] = triangle.map(|i| flat[i]);
    turn(a, b, c) > 0.0
        && corners.iter().filter(|i| !triangle.contains(i)).all(|i| {
            let p = flat[*i];
            // A corner at the same place as one of the ear's (a hole's bridge) is not inside.
            p == a
                || p == b
                || p == c
                || turn(a, b, p) < 0.0
                || turn(b, c, p) < 0.0
                || turn(c, a, p) < 0.0
        })
}

/// Twice the area of a triangle, positive when it turns left.
fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// The polygon in the plane of its vector area, turning left.
fn flatten(points: &[DVec3]) -> Vec<DVec2> {
    let origin = points[0];
    let size = points.iter().map(|p| (*p - origin).abs().max_element()).fold(0.0, f64::max);
    let local: Vec<DVec3> =
        points.iter().map(|p| (*p - origin) / if size > 0.0 { size } else { 1.0 }).collect();
    let area: DVec3 = local.windows(2).map(|pair| pair[0].cross(pair[1])).sum();
    let normal = area.try_normalize().unwrap_or(DVec3::Z);
    let (x, y) = normal.any_orthonormal_pair();
    // (x, y, normal) is right-handed.
    local.iter().map(|p| DVec2::new(p.dot(x), p.dot(y))).collect()
}
