//! Convex polygons that hold the origin.

use glamx::DVec2;

use crate::FrictionError;
use crate::error::finite;

/// Any convex polygon that holds the origin: its corners per unit load, counter-clockwise.
/// Fewer than three corners are a segment or a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    corners: Vec<DVec2>,
}

impl Polygon {
    /// The convex hull of `points`. It must hold the origin: friction may always vanish.
    pub fn from_points(points: &[DVec2]) -> Result<Polygon, FrictionError> {
        for (i, p) in points.iter().enumerate() {
            finite(&format!("polygon point {i} x"), p.x)?;
            finite(&format!("polygon point {i} y"), p.y)?;
        }
        let polygon = Polygon { corners: convex_hull(points) };
        let size = polygon.corners.iter().fold(0.0_f64, |m, c| m.max(c.length()));
        // Of no points nothing can be projected.
        let holds_origin = || polygon.project(DVec2::ZERO, 1.0).length() <= 1e-12 * size;
        if polygon.corners.is_empty() || !holds_origin() {
            return Err(FrictionError::Shape(
                "the polygon does not hold the origin; friction must be able to vanish".to_owned(),
            ));
        }
        Ok(polygon)
    }

    /// Corners per unit load, counter-clockwise.
    pub fn corners(&self) -> &[DVec2] {
        &self.corners
    }

    /// Nearest admissible force: on the edge that has it straight outside, else a corner.
    pub fn project(&self, force: DVec2, load: f64) -> DVec2 {
        let n = self.corners.len();
        let mut inside = n > 2 && load > 0.0;
        let mut nearest = self.corners[0] * load;
        for i in 0..n {
            let a = self.corners[i] * load;
            let edge = self.corners[(i + 1) % n] * load - a;
            let offset = force - a;
            if n == 2 || edge.perp_dot(offset) < 0.0 {
                inside = false;
                let along = offset.dot(edge) / edge.length_squared();
                if (0.0..=1.0).contains(&along) {
                    return a + edge * along;
                }
            }
            // The difference of the squared distances, factored: far away their digits agree.
            if (nearest - a).dot(offset + (force - nearest)) < 0.0 {
                nearest = a;
            }
        }
        if inside { force } else { nearest }
    }

    /// Largest force · direction.
    pub fn support(&self, direction: DVec2, load: f64) -> f64 {
        load * self.corners.iter().fold(f64::NEG_INFINITY, |m, c| m.max(c.dot(direction)))
    }

    /// The corner that opposes the slip most. Where a whole edge does, its middle.
    pub fn traction(&self, slip: DVec2, load: f64) -> DVec2 {
        let d = -slip.normalize_or_zero();
        if d == DVec2::ZERO {
            return DVec2::ZERO;
        }
        let most = self.support(d, 1.0);
        let size = self.corners.iter().fold(0.0_f64, |m, c| m.max(c.length()));
        let tie = |c: &&DVec2| c.dot(d) >= most - 1e-14 * size;
        let (sum, count) =
            self.corners.iter().filter(tie).fold((DVec2::ZERO, 0.0), |(s, k), c| (s + *c, k + 1.0));
        sum * (load / count)
    }
}

/// How far a corner must stand out to count, as a part of the largest coordinate. What stands out
/// less is rounding: corners on a line would else make a polygon of no width and no clear inside.
const FLAT: f64 = 1e-14;

/// Andrew's monotone chain; collinear and repeated points are dropped.
fn convex_hull(points: &[DVec2]) -> Vec<DVec2> {
    let size = points.iter().fold(0.0_f64, |m, p| m.max(p.abs().max_element()));
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let mut hull: Vec<DVec2> = Vec::with_capacity(sorted.len() + 1);
    let chain = |hull: &mut Vec<DVec2>, keep: usize, p: DVec2| {
        while hull.len() >= keep + 2 {
            let (a, b) = (hull[hull.len() - 2], hull[hull.len() - 1]);
            if (b - a).perp_dot(p - a) > FLAT * size * (p - a).length() {
                break;
            }
            hull.pop();
        }
        hull.push(p);
    };
    for p in &sorted {
        chain(&mut hull, 0, *p);
    }
    let lower = hull.len() - 1;
    for p in sorted.iter().rev().skip(1) {
        chain(&mut hull, lower, *p);
    }
    hull.pop();
    hull
}
