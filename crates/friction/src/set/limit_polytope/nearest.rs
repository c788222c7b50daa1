//! The nearest point of a convex set that is known by its furthest points (Wolfe 1976): the set's
//! points that matter, at most three, are kept, and one is added as long as it brings the nearest
//! point nearer. Ends after finitely many steps for a set with finitely many corners.

use glamx::{DMat3, DVec3};

/// The point of the set nearest to `x`; `None` where `x` is in the set.
pub(super) fn nearest(furthest: impl Fn(DVec3) -> DVec3, x: DVec3) -> Option<DVec3> {
    let mut kept = Kept::new(furthest(x));
    let (mut best, mut away) = (kept.point(), kept.away(x));
    // Of the corners met.
    let mut size = best.length();
    for _ in 0..STEPS {
        if away.length() <= INSIDE * (x.length() + size) {
            return None;
        }
        let corner = furthest(away);
        size = size.max(corner.length());
        // How much further it reaches than the plane through the point found. Differences of points of
        // the set, and not of their distances: x may be far away.
        let gain = away.dot(corner - best);
        let rounding = ROUNDING * away.length() * size;
        if gain <= rounding {
            break;
        }
        // No better corner, and yet not the nearest point: so near to x that the way there is
        // rounding.
        let unsure = away.length() <= UNSURE * (x.length() + size);
        if kept.holds(corner) {
            if unsure {
                return None;
            }
            break;
        }
        let mut more = kept;
        if !more.add(corner, x) {
            return None;
        }
        let (point, rest) = (more.point(), more.away(x));
        // ‖away‖² less ‖rest‖², from whichever keeps the digits.
        let nearer = if away.length() > size { point - best } else { away - rest };
        if !(nearer.dot(away + rest) > 0.0) {
            if unsure {
                return None;
            }
            break;
        }
        (kept, best, away) = (more, point, rest);
    }
    Some(if away.length() > size { best } else { x - away })
}

/// Corners added at most; a projection takes about ten.
const STEPS: usize = 200;
/// Nearer than this part of the lengths involved is inside: the way to a point so near is made of the
/// last digits of corners.
const INSIDE: f64 = 1e-14;
/// Where nothing brings a point nearer, this near is inside too.
const UNSURE: f64 = 1e-13;
/// Gains below this part are rounding.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Up to four points, with weights of which none is zero.
#[derive(Clone, Copy)]
struct Kept {
    points: [DVec3; 4],
    weights: [f64; 4],
    count: usize,
}

impl Kept {
    fn new(point: DVec3) -> Kept {
        Kept { points: [point; 4], weights: [1.0, 0.0, 0.0, 0.0], count: 1 }
    }

    /// The nearest of their hull.
    fn point(&self) -> DVec3 {
        let all = self.points.iter().zip(&self.weights).take(self.count);
        all.map(|(p, w)| *p * *w).sum()
    }

    /// From there to `x`; near a corner it has digits that the point itself has not.
    fn away(&self, x: DVec3) -> DVec3 {
        let all = self.points.iter().zip(&self.weights).take(self.count);
        all.map(|(p, w)| (x - *p) * *w).sum()
    }

    fn holds(&self, point: DVec3) -> bool {
        self.points[..self.count].contains(&point)
    }

    /// Adds a point and drops those that no longer matter; false where `x` is within.
    fn add(&mut self, point: DVec3, x: DVec3) -> bool {
        self.points[self.count] = point;
        self.weights[self.count] = 0.0;
        self.count += 1;
        loop {
            let Some(new) = flat(&self.points[..self.count], x) else {
                // Rounding only: a corner nearer than their plane is not in it.
                self.count -= 1;
                return true;
            };
            let inside = new[..self.count].iter().all(|w| *w > 0.0);
            if inside {
                self.weights = new;
                return self.count < 4;
            }
            // As far towards the new weights as none is below zero.
            let mut part = 1.0_f64;
            for (w, n) in self.weights[..self.count].iter().zip(&new) {
                if *n <= 0.0 && w > n {
                    part = part.min(w / (w - n));
                }
            }
            let mut left = 0;
            for k in 0..self.count {
                let w = self.weights[k] + part * (new[k] - self.weights[k]);
                if new[k] > 0.0 || w > GONE {
                    (self.points[left], self.weights[left]) = (self.points[k], w);
                    left += 1;
                }
            }
            if left == 0 || left == self.count {
                return true;
            }
            self.count = left;
        }
    }
}

/// Weights below this are none.
const GONE: f64 = 1e-14;

/// Weights, summing to one, of the point nearest to `x` of the line, plane or space through the
/// points; `None` where they do not span it.
fn flat(points: &[DVec3], x: DVec3) -> Option<[f64; 4]> {
    let side = |k: usize| points.get(k).map_or(DVec3::ZERO, |p| *p - points[0]);
    let sides = DMat3::from_cols(side(1), side(2), side(3));
    let to = x - points[0];
    let mut along = coordinates(&sides, points.len() - 1, to);
    // Once more for what is left, since thin triangles lose digits.
    along += coordinates(&sides, points.len() - 1, to - sides * along);
    let weights = [1.0 - along.x - along.y - along.z, along.x, along.y, along.z];
    along.is_finite().then_some(weights)
}

/// Coordinates along so many sides of the point of their span nearest to a vector.
fn coordinates(sides: &DMat3, count: usize, to: DVec3) -> DVec3 {
    let (e, f) = (sides.x_axis, sides.y_axis);
    match count {
        0 => DVec3::ZERO,
        1 => DVec3::X * (to.dot(e) / e.length_squared()),
        2 => {
            // What of the second side is across the first.
            let slant = f.dot(e) / e.length_squared();
            let across = f - e * slant;
            let t = to.dot(across) / across.length_squared();
            DVec3::new(to.dot(e) / e.length_squared() - t * slant, t, 0.0)
        }
        _ => sides.inverse() * to,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube of half-width one.
    fn cube(d: DVec3) -> DVec3 {
        DVec3::ONE.copysign(d)
    }

    #[test]
    fn a_cube_is_projected_on_exactly() {
        for (x, wanted) in [
            ([3.0, 0.2, -0.1], [1.0, 0.2, -0.1]),
            ([3.0, -2.0, 0.7], [1.0, -1.0, 0.7]),
            ([3.0, 2.0, -5.0], [1.0, 1.0, -1.0]),
        ] {
            let found = nearest(cube, DVec3::from_array(x)).unwrap();
            assert!((found - DVec3::from_array(wanted)).length() < 1e-14, "{x:?}: {found}");
        }
        for inside in [DVec3::ZERO, DVec3::new(0.9, -0.99, 0.3)] {
            assert!(nearest(cube, inside).is_none(), "{inside}");
        }
    }

    #[test]
    fn a_ball_without_corners_is_projected_on() {
        let ball = |d: DVec3| d.normalize_or_zero() * 2.0;
        let x = DVec3::new(3.0, -1.0, 2.0);
        let found = nearest(ball, x).unwrap();
        assert!((found - x.normalize() * 2.0).length() < 1e-7, "{found}");
        assert!(nearest(ball, DVec3::new(1.0, 1.0, 1.0)).is_none());
    }
}
