//! The direction in which a cylinder or a cone touches another solid.
//!
//! Candidates in closed form (faces, discs, corners, crossed lines), then searches over one angle
//! along each edge and along the side. Any direction gives a lower bound of the gap, so the best
//! candidate is never wrong by more than the search is coarse, and its gap only in second order.

use std::f64::consts::TAU;

use glamx::DVec3;

use super::axis::{Axis, Touch};
use super::nearest_points::on_polygon;
use super::solid::{PlacedPolyhedron, Round, Solid};

/// Of golden sections.
const RATIO: f64 = 0.618_033_988_749_894_9;

struct Search<'a> {
    a: &'a Solid,
    b: &'a Solid,
    tolerance: f64,
    best: Axis,
}

impl<'a> Search<'a> {
    fn new(a: &'a Solid, b: &'a Solid) -> Search<'a> {
        let best = Axis { normal: DVec3::Y, gap: f64::NEG_INFINITY, touch: Touch::Face };
        Search { a, b, tolerance: 1e-9 * (a.size + b.size), best }
    }

    fn at(&self, n: DVec3) -> f64 {
        self.a.separation(self.b, n)
    }

    fn consider(&mut self, normal: DVec3, touch: Touch) {
        let gap = self.at(normal);
        if gap > self.best.gap + self.tolerance {
            self.best = Axis { normal, gap, touch };
        }
    }

    /// Both ways along a line.
    fn consider_line(&mut self, direction: DVec3) {
        if let Some(n) = direction.try_normalize() {
            self.consider(n, Touch::Support);
            self.consider(-n, Touch::Support);
        }
    }

    /// The best direction on a curve of directions: samples, then golden sections.
    fn consider_curve(&mut self, from: f64, to: f64, samples: usize, n: impl Fn(f64) -> DVec3) {
        let step = (to - from) / samples as f64;
        let mut best = (from, f64::NEG_INFINITY);
        for i in 0..=samples {
            let angle = from + step * i as f64;
            let gap = self.at(n(angle));
            if gap > best.1 {
                best = (angle, gap);
            }
        }
        let (mut low, mut high) = (best.0 - step, best.0 + step);
        if to - from < TAU - 1e-9 {
            (low, high) = (low.max(from), high.min(to));
        }
        let (mut x, mut y) = (high - RATIO * (high - low), low + RATIO * (high - low));
        let (mut at_x, mut at_y) = (self.at(n(x)), self.at(n(y)));
        for _ in 0..42 {
            if at_x > at_y {
                (high, y, at_y) = (y, x, at_x);
                x = high - RATIO * (high - low);
                at_x = self.at(n(x));
            } else {
                (low, x, at_x) = (x, y, at_y);
                y = low + RATIO * (high - low);
                at_y = self.at(n(y));
            }
        }
        self.consider(n(0.5 * (low + high)), Touch::Support);
    }

    /// Walks uphill from the best direction, in ever smaller steps.
    fn climb(&mut self) {
        let (mut normal, mut gap) = (self.best.normal, self.best.gap);
        let mut step = 0.2;
        while step > 1e-9 {
            let (t, b) = normal.any_orthonormal_pair();
            let trial = |x: f64, y: f64| (normal + step * (x * t + y * b)).normalize();
            let around = [(1., 0.), (0., 1.), (-1., 0.), (0., -1.)].map(|(x, y)| trial(x, y));
            let better = around.into_iter().map(|n| (n, self.at(n))).find(|(_, g)| *g > gap);
            match better {
                Some(found) => (normal, gap) = found,
                None => step *= 0.5,
            }
        }
        self.consider(normal, Touch::Support);
    }
}

/// A polyhedron (or a triangle) and a cylinder or cone.
pub(crate) fn polyhedron(
    a: &Solid,
    b: &Solid,
    p: &PlacedPolyhedron,
    r: &Round,
    limit: f64,
    flat: bool,
) -> Option<Axis> {
    let mut search = Search::new(a, b);
    let mut face = 0;
    for (f, &normal) in p.normals.iter().enumerate() {
        let before = search.best.gap;
        search.consider(normal, Touch::Face);
        if search.best.gap > before {
            face = f;
        }
    }
    if search.best.gap > limit {
        return None;
    }
    if rests_on(p, face, r) {
        return Some(search.best);
    }
    for end in (0..2).filter(|&e| r.radii[e] > 0.0) {
        search.consider(-r.end_normal(end), Touch::Face);
    }
    for &v in &p.vertices {
        search.consider(-r.distance(v).1, Touch::Support);
    }
    for (e, edge) in p.local.edges.iter().enumerate() {
        let [x, y] = p.edge(e);
        if r.radii[0] == r.radii[1] {
            search.consider_line((y - x).cross(r.axis));
        }
        let along = (y - x).normalize();
        let [n1, n2] = edge.faces.map(|f| p.normals[f as usize]);
        let middle = a.centre - 0.5 * (x + y);
        let other = along.cross(n1);
        let other = if other.dot(middle) > 0.0 { -other } else { other };
        let angle = if flat { 0.5 * TAU } else { n1.dot(n2).clamp(-1.0, 1.0).acos() };
        search.consider_curve(0.0, angle, 6, |t| (n1 * t.cos() + other * t.sin()).normalize());
    }
    Some(search.best)
}

/// Whether the round's lowest point over a face lies inside the face: nothing can be nearer.
fn rests_on(p: &PlacedPolyhedron, face: usize, r: &Round) -> bool {
    let normal = p.normals[face];
    let corners = &p.local.faces[face].corners;
    let corner = |i: usize| p.vertices[corners[i] as usize];
    let inside = |q: DVec3| on_polygon(corner, corners.len(), normal, q).1;
    let low = r.side(r.radial(-normal));
    let end = usize::from(normal.dot(low[1]) < normal.dot(low[0]));
    let flat = r.split(normal).1.length() < 1e-9;
    inside(low[end]) || (flat && inside(r.end(end)))
}

/// A cylinder or cone and a capsule.
pub(crate) fn segment(a: &Solid, b: &Solid, r: &Round, [s, t]: [DVec3; 2]) -> Axis {
    let mut search = Search::new(a, b);
    for end in (0..2).filter(|&e| r.radii[e] > 0.0) {
        search.consider(r.end_normal(end), Touch::Face);
    }
    search.consider(r.distance(s).1, Touch::Support);
    search.consider(r.distance(t).1, Touch::Support);
    search.consider_line((t - s).cross(r.axis));
    let along = (t - s).normalize();
    let (x, y) = along.any_orthonormal_pair();
    search.consider_curve(0.0, TAU, 16, |angle| x * angle.cos() + y * angle.sin());
    side(&mut search, r, 1.0);
    search.best
}

/// Two cylinders or cones.
pub(crate) fn rounds(a: &Solid, b: &Solid, r: &Round, s: &Round) -> Axis {
    let mut search = Search::new(a, b);
    for end in 0..2 {
        if r.radii[end] > 0.0 {
            search.consider(r.end_normal(end), Touch::Face);
        } else {
            search.consider(-s.distance(r.end(end)).1, Touch::Support);
        }
    }
    for end in 0..2 {
        if s.radii[end] > 0.0 {
            search.consider(-s.end_normal(end), Touch::Face);
        } else {
            search.consider(r.distance(s.end(end)).1, Touch::Support);
        }
    }
    let d = s.centre - r.centre;
    search.consider_line(r.axis.cross(s.axis));
    search.consider(r.side_normal(r.radial(d)), Touch::Support);
    search.consider(-s.side_normal(s.radial(-d)), Touch::Support);
    let (along, across) = r.split(d);
    let flush = r.axis.cross(s.axis).length() < 1e-9;
    let inner =
        r.radii[usize::from(along > 0.0)] + s.radii[usize::from(along * r.axis.dot(s.axis) < 0.0)];
    if flush && matches!(search.best.touch, Touch::Face) && across.length() < inner {
        return search.best;
    }
    side(&mut search, r, 1.0);
    side(&mut search, s, -1.0);
    search.climb();
    search.best
}

fn side(search: &mut Search, r: &Round, sign: f64) {
    let normal = |t: f64| sign * r.side_normal(r.x * t.cos() + r.z * t.sin());
    search.consider_curve(0.0, TAU, 16, normal);
}
