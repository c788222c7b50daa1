//! Cones over sets with straight sides: polygons and boxes.

use asperity_friction::set::Set;
use glamx::{DVec2, DVec3};

use crate::local::MAX_LOCAL;

/// Corners of a planar set with straight sides, counter-clockwise; one or two where it is flat.
pub(crate) enum Corners<'a> {
    Four([DVec2; 4]),
    Any(&'a [DVec2]),
}

impl Corners<'_> {
    pub(crate) fn of(set: &Set) -> Option<Corners<'_>> {
        match set {
            Set::Polygon(s) => Some(Corners::Any(s.corners())),
            Set::Box(s) => Some(Corners::Four(s.corners())),
            _ => None,
        }
    }

    fn list(&self) -> &[DVec2] {
        match self {
            Corners::Four(corners) => corners,
            Corners::Any(corners) => corners,
        }
    }

    /// Whether a force (normal, tangent) is within the cone.
    pub(crate) fn hold(&self, z: DVec3) -> bool {
        let (normal, corners) = (z.x, self.list());
        let n = corners.len();
        n > 2
            && normal >= 0.0
            && (0..n).all(|i| {
                let (a, b) = (corners[i], corners[(i + 1) % n]);
                (b - a).perp_dot(DVec2::new(z.y, z.z) - a * normal) >= 0.0
            })
    }

    /// Projection of z = (normal, tangent) onto the cone, and its derivative.
    ///
    /// Every edge and every side of the cone gives one candidate, the projection onto the line or
    /// the plane it lies in, where that falls within it. All are in the cone; the longest is
    /// nearest, since ‖z − p‖² = ‖z‖² − ‖p‖².
    pub(crate) fn project(
        &self,
        z: &[f64; MAX_LOCAL],
        p: &mut [f64; MAX_LOCAL],
        d: &mut [[f64; MAX_LOCAL]; MAX_LOCAL],
    ) {
        let z = DVec3::new(z[0], z[1], z[2]);
        let columns = if self.hold(z) {
            p[..3].copy_from_slice(&z.to_array());
            [DVec3::X, DVec3::Y, DVec3::Z]
        } else {
            let Some((nearest, columns)) = self.on_the_border(z) else { return };
            p[..3].copy_from_slice(&nearest.to_array());
            columns
        };
        for (j, column) in columns.iter().enumerate() {
            for i in 0..3 {
                d[i][j] = column[i];
            }
        }
    }

    fn on_the_border(&self, z: DVec3) -> Option<(DVec3, [DVec3; 3])> {
        let corners = self.list();
        let n = corners.len();
        let mut best: Option<(DVec3, [DVec3; 3])> = None;
        let mut consider = |p: DVec3, columns: [DVec3; 3]| {
            if best.is_none_or(|(b, _)| p.length_squared() > b.length_squared()) {
                best = Some((p, columns));
            }
        };
        let ray = |i: usize| DVec3::new(1.0, corners[i % n].x, corners[i % n].y).normalize();
        for i in 0..n {
            let a = ray(i);
            let along = z.dot(a);
            if along > 0.0 {
                consider(a * along, [a * a.x, a * a.y, a * a.z]);
            }
            let b = ray(i + 1);
            let across = a.cross(b);
            if n < 2 || across.length_squared() < 1e-24 || (n == 2 && i == 1) {
                continue;
            }
            let normal = across.normalize();
            let p = z - normal * z.dot(normal);
            // p = αa + βb with α, β > 0.
            if p.cross(b).dot(normal) > 0.0 && a.cross(p).dot(normal) > 0.0 {
                let column = |axis: DVec3| axis - normal * normal.dot(axis);
                consider(p, [column(DVec3::X), column(DVec3::Y), column(DVec3::Z)]);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use asperity_friction::set::{BoxSet, Interval, Polygon, Rotation};

    use super::*;

    fn sets() -> Vec<Set> {
        let points = |list: &[(f64, f64)]| {
            let list: Vec<DVec2> = list.iter().map(|p| DVec2::new(p.0, p.1)).collect();
            Set::Polygon(Polygon::from_points(&list).unwrap())
        };
        let (first, second) =
            (Interval::new(-0.2, 0.7).unwrap(), Interval::symmetric(0.4).unwrap());
        vec![
            points(&[(0.5, 0.0), (0.1, 0.6), (-0.4, 0.2), (-0.3, -0.5), (0.2, -0.3)]),
            points(&[(0.8, 0.1), (-0.4, -0.05)]),
            points(&[(0.0, 0.0)]),
            Set::Box(BoxSet::new(first, second, Rotation::from_angle(0.3))),
        ]
    }

    /// The three conditions that no point but the projection meets, and the derivative.
    #[test]
    fn what_is_projected_is_nearest_and_its_derivative_is_that_of_differences() {
        let mut state = 5_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        for set in sets() {
            let corners = Corners::of(&set).unwrap();
            for _ in 0..2000 {
                let mut z = [0.0; MAX_LOCAL];
                z[..3].fill_with(&mut random);
                let project = |z: &[f64; MAX_LOCAL]| {
                    let (mut p, mut d) = ([0.0; MAX_LOCAL], [[0.0; MAX_LOCAL]; MAX_LOCAL]);
                    corners.project(z, &mut p, &mut d);
                    (p, d)
                };
                let (p, d) = project(&z);
                let (point, p) = (DVec3::new(z[0], z[1], z[2]), DVec3::new(p[0], p[1], p[2]));
                let rest = point - p;
                let tangent = DVec2::new(p.y, p.z);
                let mut within = tangent.to_array();
                set.project(&mut within, p.x);
                assert!(p.x >= 0.0 && (DVec2::from(within) - tangent).length() < 1e-12);
                assert!(rest.dot(p).abs() < 1e-12);
                for c in corners.list() {
                    assert!(rest.dot(DVec3::new(1.0, c.x, c.y)) < 1e-12, "{rest}");
                }
                let h = 1e-7;
                for j in 0..3 {
                    let mut beside = z;
                    beside[j] += h;
                    let (moved, there) = project(&beside);
                    // On the border between two pieces the derivative jumps.
                    if there == d {
                        for i in 0..3 {
                            assert!(((moved[i] - p[i]) / h - d[i][j]).abs() < 1e-6);
                        }
                    }
                }
            }
        }
    }
}
