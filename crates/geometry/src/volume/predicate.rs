//! Which side, decided exactly.
//!
//! Coordinates are taken as they are; B is thought to be shifted by an infinitesimal
//! (ε, ε², ε³) or its opposite. Then nothing is ever *on* a plane or line, answers never contradict
//! each other, and coplanar or identical faces need no case of their own: volume and moments are
//! continuous in a shift, so that they come out as if B had not been shifted.

use glamx::DVec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// Decides ties.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sides {
    /// Sense of the infinitesimal shift of B, ±1.
    pub(super) sense: f64,
    /// Whether it ever mattered.
    pub(super) tie: bool,
}

/// Six times the volume of a tetrahedron, its sign exact: quickly where rounding cannot matter.
#[inline]
fn tetrahedron(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let (p, q, r) = (a - d, b - d, c - d);
    let (x, y, z) = (q.y * r.z, q.z * r.x, q.x * r.y);
    let (u, v, w) = (q.z * r.y, q.x * r.z, q.y * r.x);
    let turn = p.x * (x - u) + p.y * (y - v) + p.z * (z - w);
    let most = p.x.abs() * (x.abs() + u.abs())
        + p.y.abs() * (y.abs() + v.abs())
        + p.z.abs() * (z.abs() + w.abs());
    // Shewchuk's bound is (7 + 56ε)ε with ε = 2⁻⁵³; this one is a little above.
    if turn.abs() > 4.0 * f64::EPSILON * most {
        return turn;
    }
    // Bodies that lie in each other share corners: exact arithmetic would find the same, slowly.
    if d == a || d == b || d == c || c == a || c == b {
        return 0.0;
    }
    orient3d(exact(a), exact(b), exact(c), exact(d))
}

fn exact(p: DVec3) -> Coord3D<f64> {
    Coord3D { x: p.x, y: p.y, z: p.z }
}

impl Sides {
    /// Six times the volume over a triangle of A (`of_b` false) or B up to a point of the other
    /// body, above zero on the side of its normal; and the sign of that, never zero.
    pub(super) fn of_plane(&mut self, of_b: bool, corners: &[DVec3; 3], p: DVec3) -> (f64, bool) {
        let height = -tetrahedron(corners[0], corners[1], corners[2], p);
        if height != 0.0 {
            return (height, height > 0.0);
        }
        self.tie = true;
        let [a, b, c] = *corners;
        let flat = |i: usize, j: usize| {
            let at = |p: DVec3| Coord { x: p[i], y: p[j] };
            orient2d(at(a), at(b), at(c))
        };
        // The point moves with B, or the plane does.
        let along = first_sign([flat(1, 2), flat(2, 0), flat(0, 1)]) * self.sense;
        (0.0, (along > 0.0) != of_b)
    }

    /// Whether the tetrahedron over an edge of A and an edge of B has a positive determinant.
    pub(super) fn of_edges(&mut self, a: [DVec3; 2], b: [DVec3; 2]) -> bool {
        let turn = tetrahedron(a[0], a[1], b[0], b[1]);
        if turn != 0.0 {
            return turn > 0.0;
        }
        self.tie = true;
        if a == b || (a[0] == b[1] && a[1] == b[0]) {
            return false; // one edge: no shift parts it from itself
        }
        // Components of (a0 − a1) × (b0 − b1), each as a determinant with exact differences.
        let flat = |i: usize, j: usize| {
            let at = |p: DVec3, z: f64| Coord3D { x: p[i], y: p[j], z };
            orient3d(at(a[0], 0.0), at(a[1], 0.0), at(b[0], 1.0), at(b[1], 1.0))
        };
        first_sign([flat(1, 2), flat(2, 0), flat(0, 1)]) * self.sense > 0.0
    }
}

/// Sign of the first number that is not zero.
fn first_sign(numbers: [f64; 3]) -> f64 {
    numbers.into_iter().find(|x| *x != 0.0).map_or(0.0, f64::signum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn above_is_where_the_normal_points() {
        let mut sides = Sides { sense: 1.0, tie: false };
        let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
        assert_eq!(sides.of_plane(false, &triangle, DVec3::Z), (1.0, true));
        assert_eq!(sides.of_plane(true, &triangle, DVec3::NEG_Z), (-1.0, false));
        assert!(!sides.tie);
    }

    #[test]
    fn shared_corners_are_what_exact_arithmetic_makes_of_them() {
        let at = |i: u32| DVec3::new(0.1, 0.7, -0.3) * f64::from(i) + DVec3::new(1.0, 0.0, 3e-9);
        let points = [at(1), at(2) + DVec3::X * 0.3, at(3) - DVec3::Y * 0.1, at(4) + DVec3::Z];
        for k in 0..256 {
            let [a, b, c, d] = [0, 2, 4, 6].map(|shift| points[k >> shift & 3]);
            let slow = orient3d(exact(a), exact(b), exact(c), exact(d));
            let quick = tetrahedron(a, b, c, d);
            assert_eq!(quick == 0.0, slow == 0.0, "{k}");
            assert!(quick * slow >= 0.0, "{k}");
        }
    }

    #[test]
    fn ties_are_decided_as_a_small_shift_of_b_decides_them() {
        let shift = DVec3::new(1e-3, 1e-6, 1e-9);
        let points: Vec<DVec3> = (0..27)
            .map(|i| DVec3::new(f64::from(i % 3), f64::from(i / 3 % 3), f64::from(i / 9)))
            .collect();
        let (mut ties, mut sides) = (0, Sides { sense: 1.0, tie: false });
        for i in 0..points.len() {
            for k in 1..26 {
                let at = |n: usize| points[(i + n * k) % 27];
                let t = [at(0), at(1), at(2)];
                let normal = (t[1] - t[0]).cross(t[2] - t[0]);
                let p = at(3) + DVec3::Z * f64::from(u8::from(k == 7));
                if normal != DVec3::ZERO {
                    let moved = t.map(|c| c + shift);
                    let expected = sides.of_plane(false, &t, p + shift).1;
                    assert_eq!(sides.of_plane(false, &t, p).1, expected, "{t:?} {p}");
                    let expected = sides.of_plane(true, &moved, p).1;
                    assert_eq!(sides.of_plane(true, &t, p).1, expected, "{t:?} {p}");
                }
                if (t[0] - t[1]).cross(t[2] - p) != DVec3::ZERO {
                    let expected = sides.of_edges([t[0], t[1]], [t[2] + shift, p + shift]);
                    sides.tie = false;
                    assert_eq!(sides.of_edges([t[0], t[1]], [t[2], p]), expected, "{t:?} {p}");
                    ties += usize::from(sides.tie);
                }
            }
        }
        assert!(ties > 50, "{ties}");
    }
}
