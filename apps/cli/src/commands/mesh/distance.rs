//! Signed distances: negative inside, the surface where they are zero.
//!
//! Of an ellipsoid, and near blends, the value is a distance only close to the surface. That is
//! enough to find the surface and its normals.

use asperity::glamx::{DVec2, DVec3};

/// An ellipsoid, to first order in the distance.
pub(crate) fn ellipsoid(p: DVec3, centre: DVec3, radii: DVec3) -> f64 {
    let q = p - centre;
    let (inner, slope) = ((q / radii).length(), (q / (radii * radii)).length());
    if slope > 0.0 { inner * (inner - 1.0) / slope } else { -radii.min_element() }
}

/// Two spheres of different radius and what lies between them.
pub(crate) fn limb(p: DVec3, ends: [DVec3; 2], radii: [f64; 2]) -> f64 {
    let (axis, q) = (ends[1] - ends[0], p - ends[0]);
    let along = (q.dot(axis) / axis.length_squared()).clamp(0.0, 1.0);
    (q - axis * along).length() - (radii[0] + (radii[1] - radii[0]) * along)
}

/// A line of this half width through points.
pub(crate) fn stroke(p: DVec2, points: &[DVec2], half_width: f64) -> f64 {
    let from = |ends: &[DVec2]| {
        let (axis, q) = (ends[1] - ends[0], p - ends[0]);
        let along = (q.dot(axis) / axis.length_squared()).clamp(0.0, 1.0);
        (q - axis * along).length()
    };
    points.windows(2).map(from).fold(f64::INFINITY, f64::min) - half_width
}

/// Both of two bodies, blended over a width `k`; the same whichever comes first.
pub(crate) fn union(a: f64, b: f64, k: f64) -> f64 {
    let near = (k - (a - b).abs()).max(0.0);
    a.min(b) - near * near / (4.0 * k)
}

/// What two bodies share, its edge rounded over a width `k`.
pub(crate) fn intersection(a: f64, b: f64, k: f64) -> f64 {
    -union(-a, -b, k)
}

/// A part and its mirror image in z.
pub(crate) fn pair(p: DVec3, k: f64, part: impl Fn(DVec3) -> f64) -> f64 {
    union(part(p), part(p * DVec3::new(1.0, 1.0, -1.0)), k)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RADII: DVec3 = DVec3::new(0.3, 0.2, 0.5);

    #[test]
    fn an_ellipsoid_ends_at_its_radii_and_a_sphere_is_exact() {
        let centre = DVec3::new(1.0, 2.0, 3.0);
        for (axis, radius) in DVec3::AXES.into_iter().zip(RADII.to_array()) {
            assert!(ellipsoid(centre + axis * radius, centre, RADII).abs() < 1e-15);
            assert!(ellipsoid(centre + axis * (radius + 1e-6), centre, RADII) > 0.99e-6);
        }
        assert_eq!(ellipsoid(centre, centre, RADII), -0.2);
        let p = DVec3::new(0.7, -0.1, 0.4);
        let sphere = ellipsoid(p, DVec3::ZERO, DVec3::splat(0.3));
        assert!((sphere - (p.length() - 0.3)).abs() < 1e-15);
    }

    #[test]
    fn limbs_and_strokes_are_distances_from_their_axes() {
        let ends = [DVec3::ZERO, DVec3::X];
        assert!((limb(DVec3::new(0.5, 2.0, 0.0), ends, [0.1, 0.3]) - 1.8).abs() < 1e-15);
        assert!((limb(DVec3::new(3.0, 0.0, 0.0), ends, [0.1, 0.3]) - 1.7).abs() < 1e-15);
        let corner = [DVec2::ZERO, DVec2::X, DVec2::ONE];
        assert!((stroke(DVec2::new(0.5, -0.4), &corner, 0.1) - 0.3).abs() < 1e-15);
        assert!((stroke(DVec2::new(1.4, 0.5), &corner, 0.1) - 0.3).abs() < 1e-15);
    }

    #[test]
    fn blends_leave_what_is_far_from_the_seam_and_do_not_depend_on_the_order() {
        for (a, b) in [(0.3, -0.2), (0.01, 0.02), (-0.1, -0.1)] {
            assert_eq!(union(a, b, 0.1), union(b, a, 0.1));
            assert!(union(a, b, 0.1) <= a.min(b));
            assert!(intersection(a, b, 0.1) >= a.max(b));
        }
        assert_eq!(union(0.3, -0.2, 0.1), -0.2);
        assert_eq!(intersection(0.3, -0.2, 0.1), 0.3);
    }
}
