//! The point of a convex set nearest to the origin, from its farthest points alone (Gilbert, Johnson and Keerthi
//! 1988).

use glamx::DVec3;

/// The point of a convex set nearest to the origin. `support` says the point of the set farthest along a
/// direction; `size` bounds the set. Zero where the origin is within; one that is farther than `far`, in whose
/// direction all of the set is, where the nearest is farther.
pub(crate) fn nearest(
    support: impl Fn(DVec3) -> DVec3,
    start: DVec3,
    size: f64,
    far: f64,
) -> DVec3 {
    let mut simplex = Simplex::default();
    let mut v = support(-start);
    simplex.push(v);
    for _ in 0..ROUNDS {
        let w = support(-v);
        if v.dot(w) > far * v.length() {
            break;
        }
        let left = v.length_squared() - v.dot(w);
        if !(left > ROUNDING * v.length_squared()) || simplex.holds(w) || simplex.count == 4 {
            break;
        }
        simplex.push(w);
        let next = simplex.reduce();
        if !(next.length_squared() < v.length_squared()) {
            break;
        }
        v = next;
        if v.length() <= ROUNDING * size {
            return DVec3::ZERO;
        }
    }
    v
}

/// One to four points.
#[derive(Default)]
struct Simplex {
    points: [DVec3; 4],
    count: usize,
}

impl Simplex {
    fn push(&mut self, p: DVec3) {
        self.points[self.count] = p;
        self.count += 1;
    }

    fn holds(&self, p: DVec3) -> bool {
        self.points[..self.count].contains(&p)
    }

    /// Its point nearest to the origin, which the last corner is needed for; only those corners stay that span it.
    fn reduce(&mut self) -> DVec3 {
        let [a, b, c, _] = self.points;
        let newest = self.points[self.count - 1];
        let mut best = Nearest { squared: newest.length_squared(), point: newest, corners: 0 };
        match self.count {
            1 => {}
            2 => best.edge(newest, a, 0),
            3 => best.face(newest, [a, b], [0, 1]),
            _ => {
                // Only faces that the origin is beyond can have the nearest point; the first three had it before, and
                // what is new lies on the origin's side of them.
                let mut inside = true;
                for ([p, q, other], corners) in
                    [([a, b, c], [0, 1]), ([b, c, a], [1, 2]), ([c, a, b], [2, 0])]
                {
                    let n = (p - newest).cross(q - newest);
                    if n.dot(newest) * n.dot(newest - other) < 0.0 {
                        inside = false;
                        best.face(newest, [p, q], corners);
                    }
                }
                if inside && origin_beyond([a, b, c], newest) {
                    return DVec3::ZERO;
                }
                if inside {
                    best.face(newest, [a, b], [0, 1]);
                    best.face(newest, [b, c], [1, 2]);
                    best.face(newest, [c, a], [2, 0]);
                }
            }
        }
        let before = self.points;
        self.count = 0;
        for k in (0..3).filter(|k| best.corners >> k & 1 == 1) {
            self.push(before[k]);
        }
        self.push(newest);
        best.point
    }
}

/// The nearest point so far, and which corners span it beside the last one, a bit each.
struct Nearest {
    squared: f64,
    point: DVec3,
    corners: u32,
}

impl Nearest {
    fn consider(&mut self, point: DVec3, corners: u32) {
        if point.length_squared() < self.squared {
            *self = Nearest { squared: point.length_squared(), point, corners };
        }
    }

    /// The foot of the origin on an edge from `p`, if it lies between its ends.
    fn edge(&mut self, p: DVec3, q: DVec3, number: u32) {
        let way = q - p;
        let t = -p.dot(way) / way.length_squared();
        if (0.0..=1.0).contains(&t) {
            self.consider(p + way * t, 1 << number);
        }
    }

    /// The foot on a face, if it lies within it; else those on its edges from `p`.
    fn face(&mut self, p: DVec3, [q, r]: [DVec3; 2], [first, second]: [u32; 2]) {
        let n = (q - p).cross(r - p);
        let area = n.length_squared();
        let within = |p: DVec3, q: DVec3| n.dot(p.cross(q)) >= 0.0;
        if area > 0.0 && within(p, q) && within(q, r) && within(r, p) {
            self.consider(n * (n.dot(p) / area), 1 << first | 1 << second);
            return;
        }
        self.edge(p, q, first);
        self.edge(p, r, second);
    }
}

/// Whether the origin lies on the side of a face on which another point is.
fn origin_beyond([p, q, r]: [DVec3; 3], other: DVec3) -> bool {
    let n = (q - p).cross(r - p);
    n.dot(p) * n.dot(p - other) >= 0.0
}

/// Farthest points asked for at most.
const ROUNDS: usize = 60;

/// What is nearer than this part of itself is found.
const ROUNDING: f64 = 1e-13;

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball and a box, off the origin and around it.
    #[test]
    fn nearest_points_of_balls_and_boxes() {
        let ball = |d: DVec3| DVec3::new(3.0, 1.0, -2.0) + d.normalize() * 0.5;
        let centre = DVec3::new(3.0, 1.0, -2.0);
        let found = nearest(ball, DVec3::X, 4.0, f64::INFINITY);
        assert!((found - centre * (1.0 - 0.5 / centre.length())).length() < 1e-6, "{found}");
        let corner = |d: DVec3| DVec3::new(2.0, 0.2, 0.1) + d.signum() * DVec3::new(1.0, 1.0, 1.0);
        let found = nearest(corner, DVec3::Y, 4.0, f64::INFINITY);
        assert!((found - DVec3::X).length() < 1e-12, "{found}");
        let around = |d: DVec3| DVec3::new(0.3, 0.2, 0.1) + d.signum();
        // Far enough is enough, and proven by all of the set.
        let far = nearest(ball, DVec3::Y, 4.0, 1.0);
        assert!(ball(-far).dot(far) > far.length(), "{far}");
        assert_eq!(nearest(around, DVec3::Z, 2.0, f64::INFINITY), DVec3::ZERO);
    }
}
