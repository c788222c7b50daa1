//! The direction in which a cylinder or a cone touches another solid.
//!
//! Candidates in closed form (faces, discs, corners, crossed lines), then searches over one angle
//! along each edge and along the side. Any direction gives a lower bound of the gap, so the best
//! candidate is never wrong by more than the search is coarse, and its gap only in second order.

use std::f64::consts::TAU;

use glamx::DVec3;

use super::axis::{Axis, Touch};
use super::min_norm;
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

/// Unit vectors `middle + x cos t + y sin t`.
struct Circle {
    middle: DVec3,
    x: DVec3,
    y: DVec3,
}

/// One of the vectors of a circle, and how it changes with the angle.
#[derive(Clone, Copy)]
struct OnCircle {
    normal: DVec3,
    slope: DVec3,
}

impl Circle {
    fn at(&self, t: f64) -> OnCircle {
        let (sin, cos) = t.sin_cos();
        OnCircle {
            normal: self.middle + self.x * cos + self.y * sin,
            slope: self.y * cos - self.x * sin,
        }
    }

    /// The most of its vectors along another one, between two of them less than half a turn apart.
    fn most(&self, way: DVec3, [from, to]: [&OnCircle; 2]) -> f64 {
        if from.slope.dot(way) > 0.0 && to.slope.dot(way) < 0.0 {
            return self.middle.dot(way) + self.x.dot(way).hypot(self.y.dot(way));
        }
        from.normal.dot(way).max(to.normal.dot(way))
    }
}

impl<'a> Search<'a> {
    fn new(a: &'a Solid, b: &'a Solid) -> Search<'a> {
        let best = Axis { normal: DVec3::Y, gap: f64::NEG_INFINITY, touch: Touch::Face };
        Search { a, b, tolerance: 1e-9 * (a.size + b.size), best }
    }

    /// From the core's point of A farthest along n to that of B farthest against it.
    fn way(&self, n: DVec3) -> DVec3 {
        self.b.core_support(-n) - self.a.core_support(n)
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

    /// The best direction on a circle of directions: samples, then golden sections where the circle may be
    /// better than what is known.
    fn consider_curve(&mut self, from: f64, to: f64, samples: usize, circle: &Circle) {
        let n = |angle: f64| circle.at(angle).normal;
        let sample = |angle: f64| {
            let on = circle.at(angle);
            (angle, on, self.way(on.normal))
        };
        // The separation is the least of n·(q − p) over all points p and q: those that are nearest along one
        // direction bound it along all others.
        let bound = |a: &(f64, OnCircle, DVec3), b: &(f64, OnCircle, DVec3)| {
            let most = |way| circle.most(way, [&a.1, &b.1]);
            most(a.2).min(most(b.2)) - self.a.radius - self.b.radius
        };
        let known = self.best.gap + self.tolerance;
        let (first, last) = (sample(from), sample(to));
        if to - from < 0.5 * TAU && bound(&first, &last) <= known {
            return;
        }
        let step = (to - from) / samples as f64;
        let (mut best, mut most) = ((from, f64::NEG_INFINITY), f64::NEG_INFINITY);
        let mut before = first;
        for i in 0..=samples {
            let now = match i {
                0 => first,
                i if i == samples => last,
                _ => sample(from + step * i as f64),
            };
            let gap = now.1.normal.dot(now.2);
            if gap > best.1 {
                best = (now.0, gap);
            }
            most = most.max(bound(&before, &now));
            before = now;
        }
        if most <= known {
            return;
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

    /// Looks along the way between nearest points: of the cores where they are apart, which nothing else is sure
    /// to find; else of the cores taken apart along the best direction so far, while that finds a better one.
    fn consider_nearest(&mut self) {
        let size = self.a.size + self.b.size;
        let apart = min_norm::nearest(|n| self.way(-n), self.best.normal, size);
        if let Some(n) = apart.try_normalize() {
            self.consider(n, Touch::Support);
            return;
        }
        for _ in 0..ROUNDS {
            let before = self.best.gap;
            let core_gap = before + self.a.radius + self.b.radius;
            let shift = self.best.normal * (0.05 * size - core_gap);
            let apart = min_norm::nearest(|n| self.way(-n) + shift, self.best.normal, size);
            if let Some(n) = apart.try_normalize() {
                self.consider(n, Touch::Support);
            }
            if self.best.gap == before {
                return;
            }
        }
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
        let circle = Circle { middle: DVec3::ZERO, x: n1, y: other };
        search.consider_curve(0.0, angle, 6, &circle);
    }
    if !flat {
        search.consider_nearest();
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
    search.consider_curve(0.0, TAU, 16, &Circle { middle: DVec3::ZERO, x, y });
    side(&mut search, r, 1.0);
    search.consider_nearest();
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
    search.consider_nearest();
    search.best
}

fn side(search: &mut Search, r: &Round, sign: f64) {
    let slope = r.radii[0] - r.radii[1];
    let scale = sign / (2.0 * r.half).hypot(slope);
    let middle = r.axis * (scale * slope);
    let [x, y] = [r.x, r.z].map(|radial| radial * (scale * 2.0 * r.half));
    search.consider_curve(0.0, TAU, 16, &Circle { middle, x, y });
}

/// How often bodies within each other are taken apart at most.
const ROUNDS: usize = 4;
