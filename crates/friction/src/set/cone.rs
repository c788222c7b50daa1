//! Cones over sets, {(n, f): f in n·S}: projections and their derivatives.

use glamx::{DMat2, DMat3, DVec2, DVec3};

use super::Set;

impl Set {
    /// The matrix E that makes the set of the unit disc, where one does: discs and ellipses.
    pub fn disc_map(&self) -> Option<DMat2> {
        match self {
            Set::Disk(s) => Some(DMat2::from_diagonal(DVec2::splat(s.radius()))),
            Set::Ellipse(s) => {
                let (mu, axis) = (s.mu(), s.rotation().axis());
                Some(DMat2::from_cols(axis * mu.x, axis.perp() * mu.y))
            }
            _ => None,
        }
    }

    /// The matrix E that makes the set of the unit ball of its rows, where one does: discs, ellipses,
    /// ellipsoids and intervals about zero. Rows that the set does not have are zero.
    pub fn ball_map(&self) -> Option<DMat3> {
        match self {
            Set::Interval(s) if s.min() == -s.max() => {
                Some(DMat3::from_diagonal(DVec3::new(s.max(), 0.0, 0.0)))
            }
            Set::Ellipsoid(s) => {
                let (mu, axis) = (s.section().mu(), s.section().rotation().axis());
                Some(DMat3::from_cols(
                    (axis * mu.x).extend(0.0),
                    (axis.perp() * mu.y).extend(0.0),
                    DVec3::Z * s.drilling(),
                ))
            }
            _ => self
                .disc_map()
                .map(|e| DMat3::from_cols(e.x_axis.extend(0.0), e.y_axis.extend(0.0), DVec3::ZERO)),
        }
    }

    /// Corners of a planar set with straight sides, where it has such.
    pub fn corners(&self) -> Option<Corners<'_>> {
        match self {
            Set::Polygon(s) => Some(Corners::Any(s.corners())),
            Set::Box(s) => Some(Corners::Four(s.corners())),
            _ => None,
        }
    }
}

/// A projection (normal, friction) and its derivative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnCone {
    /// The nearest force of the cone.
    pub point: DVec3,
    /// How it changes with what is projected.
    pub slope: DMat3,
}

impl OnCone {
    const APEX: OnCone = OnCone { point: DVec3::ZERO, slope: DMat3::ZERO };

    fn inside(z: DVec3) -> OnCone {
        OnCone { point: z, slope: DMat3::IDENTITY }
    }
}

/// Projection of a force onto the cone ‖f‖ ≤ μ n, given its normal part and the length of its friction:
/// the normal part, and what the friction is multiplied by.
#[inline]
pub fn onto_round_cone(mu: f64, normal: f64, length: f64) -> (f64, f64) {
    // Without friction the cone is a half-line, and 0 ≤ 0 · normal says nothing.
    if normal >= 0.0 && length <= mu * normal {
        (normal, 1.0)
    } else if mu * length <= -normal {
        (0.0, 0.0)
    } else {
        let nearest = (normal + mu * length) / (1.0 + mu * mu);
        (nearest, mu * nearest / length)
    }
}

/// The same with its derivative.
pub fn project_onto_round_cone(mu: f64, z: DVec3) -> OnCone {
    let friction = DVec2::new(z.y, z.z);
    let length = friction.length();
    let (normal, along) = onto_round_cone(mu, z.x, length);
    if z.x >= 0.0 && length <= mu * z.x {
        return OnCone::inside(z);
    }
    if normal == 0.0 && along == 0.0 {
        return OnCone::APEX;
    }
    let t = friction / length;
    let part = 1.0 / (1.0 + mu * mu);
    let plane = |i: usize, j: usize| {
        let across = if i == j { 1.0 } else { 0.0 } - t[i] * t[j];
        along * across + part * mu * mu * t[i] * t[j]
    };
    let edge = t * (part * mu);
    OnCone {
        point: DVec3::new(normal, friction.x * along, friction.y * along),
        slope: DMat3::from_cols(
            DVec3::new(part, edge.x, edge.y),
            DVec3::new(edge.x, plane(0, 0), plane(1, 0)),
            DVec3::new(edge.y, plane(0, 1), plane(1, 1)),
        ),
    }
}

/// Corners of a planar set with straight sides, counter-clockwise; one or two where it is flat.
#[derive(Debug, Clone, Copy)]
pub enum Corners<'a> {
    /// Of a box.
    Four([DVec2; 4]),
    /// Of a polygon.
    Any(&'a [DVec2]),
}

impl Corners<'_> {
    fn list(&self) -> &[DVec2] {
        match self {
            Corners::Four(corners) => corners,
            Corners::Any(corners) => corners,
        }
    }

    /// Whether a force (normal, tangent) is within the cone.
    pub fn hold(&self, z: DVec3) -> bool {
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
    pub fn project(&self, z: DVec3) -> OnCone {
        if self.hold(z) { OnCone::inside(z) } else { self.on_the_border(z).unwrap_or(OnCone::APEX) }
    }

    fn on_the_border(&self, z: DVec3) -> Option<OnCone> {
        let corners = self.list();
        let n = corners.len();
        let mut best: Option<OnCone> = None;
        let mut consider = |point: DVec3, [x, y, z]: [DVec3; 3]| {
            if best.is_none_or(|b| point.length_squared() > b.point.length_squared()) {
                best = Some(OnCone { point, slope: DMat3::from_cols(x, y, z) });
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
    use super::*;
    use crate::set::{BoxSet, Disk, Ellipse, Ellipsoid, Interval, Polygon, Rotation};

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
        let mut vector = move || DVec3::from_array([(); 3].map(|()| random()));
        for set in sets() {
            let corners = set.corners().unwrap();
            for _ in 0..2000 {
                let z = vector();
                let OnCone { point: p, slope } = corners.project(z);
                let (rest, tangent) = (z - p, DVec2::new(p.y, p.z));
                let mut within = tangent.to_array();
                set.project(&mut within, p.x);
                assert!(p.x >= 0.0 && (DVec2::from(within) - tangent).length() < 1e-12);
                assert!(rest.dot(p).abs() < 1e-12);
                for c in corners.list() {
                    assert!(rest.dot(DVec3::new(1.0, c.x, c.y)) < 1e-12, "{rest}");
                }
                check_slope(z, |z| corners.project(z), |there| there.slope == slope);
            }
        }
        for mu in [0.0, 0.3, 2.0] {
            let disk = Disk::new(mu).unwrap();
            for _ in 0..2000 {
                let z = vector();
                let p = project_onto_round_cone(mu, z).point;
                let rest = z - p;
                assert!(DVec2::new(p.y, p.z).length() <= mu * p.x + 1e-12);
                assert!(rest.dot(p).abs() < 1e-12);
                // The polar cone: no force of the cone is nearer.
                assert!(rest.x + disk.support(DVec2::new(rest.y, rest.z), 1.0) < 1e-12);
                check_slope(z, |z| project_onto_round_cone(mu, z), |_| true);
            }
        }
    }

    /// The derivative is that of differences, where `smooth` says that it does not jump between.
    fn check_slope(z: DVec3, project: impl Fn(DVec3) -> OnCone, smooth: impl Fn(&OnCone) -> bool) {
        let (h, at) = (1e-7, project(z));
        let place = |p: &OnCone| (p.point == DVec3::ZERO, p.slope == DMat3::IDENTITY);
        for (j, axis) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
            let moved = project(z + axis * h);
            if smooth(&moved) && place(&moved) == place(&at) {
                let error = (moved.point - at.point) / h - at.slope.col(j);
                // Curvature grows as the friction shrinks.
                let bend = h / DVec2::new(z.y, z.z).length();
                assert!(error.abs().max_element() < 1e-6 + 10.0 * bend, "{z} {error}");
            }
        }
    }

    #[test]
    fn the_ball_map_makes_the_set_of_the_unit_ball() {
        let ellipse = Ellipse::new(0.2, 0.9, Rotation::from_angle(0.6)).unwrap();
        let sets: [Set; 4] = [
            Interval::symmetric(0.3).unwrap().into(),
            Disk::new(0.4).unwrap().into(),
            ellipse.into(),
            Ellipsoid::new(ellipse, 0.07).unwrap().into(),
        ];
        for set in sets {
            let map = set.ball_map().unwrap();
            for k in 0..40 {
                let x = 0.37 * f64::from(k);
                let mut d = [x.sin(), (1.7 * x).cos(), (0.6 * x).sin()];
                d[set.dim()..].fill(0.0);
                let reach = (map.transpose() * DVec3::from_array(d)).length();
                assert!((reach - set.support(&d[..set.dim()], 1.0)).abs() < 1e-15, "{set:?}");
            }
        }
        let sides = Set::from(Interval::new(-0.1, 0.3).unwrap());
        assert!(sides.ball_map().is_none(), "not about zero");
    }

    #[test]
    fn the_disc_map_makes_the_set_of_the_unit_disc() {
        let ellipse = Ellipse::new(0.2, 0.9, Rotation::from_angle(0.6)).unwrap();
        let map = Set::from(ellipse).disc_map().unwrap();
        for k in 0..20 {
            let d = DVec2::from_angle(0.3 * f64::from(k));
            let reach = (map.transpose() * d).length();
            assert!((reach - ellipse.support(d, 1.0)).abs() < 1e-15);
        }
    }
}
