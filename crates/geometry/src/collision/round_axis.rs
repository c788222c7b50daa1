//! The direction in which a cylinder or a cone touches another solid.
//!
//! Candidates in closed form (faces, discs, corners, crossed lines), then searches over one angle along each edge and
//! along the side. Any direction gives a lower bound of the gap, so the best is no more wrong than the search is coarse.

use std::f64::consts::TAU;

use glamx::DVec3;

use super::axis::{Axis, Touch, Wanted};
use super::circle::{Circle, OnCircle};
use super::min_norm;
use super::nearest_points::{on_polygon, on_segment};
use super::solid::{PlacedPolyhedron, Round, Solid};

struct Search<'a> {
    a: &'a Solid,
    b: &'a Solid,
    tolerance: f64,
    best: Axis,
    /// How far the best direction is from the one so far at most, where that is known.
    within: f64,
}

/// A direction of a circle, and the way between the points that are nearest along it.
#[derive(Clone, Copy)]
struct Sample {
    angle: f64,
    on: OnCircle,
    way: DVec3,
}

impl<'a> Search<'a> {
    fn new(a: &'a Solid, b: &'a Solid) -> Search<'a> {
        let best = Axis { normal: DVec3::Y, gap: f64::NEG_INFINITY, touch: Touch::Face };
        Search { a, b, tolerance: 1e-9 * (a.size + b.size), best, within: f64::INFINITY }
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

    /// The best direction on a circle of directions. Arcs that cannot be better than what is known are left, others
    /// halved; where the best is, is then found by the slope of the separation along the circle.
    fn consider_curve(&mut self, from: f64, to: f64, arcs: usize, circle: &Circle) {
        let axis = circle.x.cross(circle.y).normalize_or_zero();
        if (self.best.normal - circle.middle).dot(axis).abs() > self.within {
            return;
        }
        let sample = |angle: f64| {
            let on = circle.at(angle);
            Sample { angle, on, way: self.way(on.normal) }
        };
        let around = self.a.radius + self.b.radius;
        let gap = |s: &Sample| s.on.normal.dot(s.way) - around;
        // The separation is the least of n·(q − p) over all points p and q: those that are nearest along one
        // direction bound it along all others.
        let bound = |a: &Sample, b: &Sample| {
            let most = |way| circle.most(way, [&a.on, &b.on]);
            most(a.way).min(most(b.way)) - around
        };
        let mut known = self.best.gap + self.tolerance;
        let (first, last) = (sample(from), sample(to));
        if to - from < 0.5 * TAU && bound(&first, &last) <= known {
            return;
        }
        let step = (to - from) / arcs as f64;
        let mut best = None;
        let mut note = |s: &Sample, known: &mut f64| {
            if gap(s) > *known {
                (best, *known) = (Some(*s), gap(s));
            }
        };
        note(&first, &mut known);
        // Where all directions are alike, none is better than the others.
        let mut left = MOST_SAMPLES;
        let mut open = [(first, last); HALVINGS + 1];
        let mut before = first;
        for i in 1..=arcs {
            let now = if i == arcs { last } else { sample(from + step * i as f64) };
            note(&now, &mut known);
            open[0] = (before, now);
            let mut count = 1;
            while count > 0 {
                count -= 1;
                let (a, b) = open[count];
                if bound(&a, &b) <= known + self.tolerance || count == HALVINGS || left == 0 {
                    continue;
                }
                left -= 1;
                let middle = sample(0.5 * (a.angle + b.angle));
                note(&middle, &mut known);
                // The better half is looked at first.
                let (x, y) = ((a, middle), (middle, b));
                (open[count], open[count + 1]) = if gap(&a) > gap(&b) { (y, x) } else { (x, y) };
                count += 2;
            }
            before = now;
        }
        if let Some(best) = best {
            let normal = self.top(circle, best.angle, step / f64::from(1_u32 << 10));
            self.consider(normal, Touch::Support);
        }
    }

    /// The direction of a circle about an angle along which the separation is largest, where its slope is zero.
    fn top(&self, circle: &Circle, about: f64, reach: f64) -> DVec3 {
        let slope = |angle: f64| {
            let on = circle.at(angle);
            on.slope.dot(self.way(on.normal))
        };
        let (mut low, mut high) = (about - reach, about + reach);
        if !(slope(low) > 0.0 && slope(high) < 0.0) {
            return circle.at(about).normal;
        }
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            if slope(middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        circle.at(0.5 * (low + high)).normal
    }

    /// Looks along the way between nearest points, which nothing else is sure to find. Whether the cores are apart:
    /// then nothing is better.
    ///
    /// What is found so is held to be a little worse than it is, so that what comes after it in closed form, or to
    /// more digits, takes its place.
    fn consider_nearest(&mut self, limit: f64) -> bool {
        let size = self.a.size + self.b.size;
        let start = if self.best.gap.is_finite() { self.best.normal } else { self.between() };
        let around = self.a.radius + self.b.radius;
        let apart = min_norm::nearest(|n| self.way(-n), start, size, limit + around);
        let normal = apart.try_normalize();
        if let Some(n) = normal {
            self.consider_roughly(n, limit);
            // No direction has more between the bodies than their distance: where one has all of it, others are
            // no better.
            if apart.length() - around - self.best.gap < FOUND * size {
                self.within = NEAR;
            }
        }
        normal.is_some()
    }

    /// The same for cores that are not apart: takes them apart along the best direction so far, while that finds a
    /// better one.
    fn consider_taken_apart(&mut self, limit: f64) {
        let size = self.a.size + self.b.size;
        for _ in 0..ROUNDS {
            let before = self.best.gap;
            let shift = self.best.normal * (0.05 * size - before - self.a.radius - self.b.radius);
            let way = |n: DVec3| self.way(-n) + shift;
            let apart = min_norm::nearest(way, self.best.normal, size, f64::INFINITY);
            if let Some(n) = apart.try_normalize() {
                self.consider_roughly(n, limit);
            }
            if self.best.gap == before {
                break;
            }
        }
        if self.best.gap > -SHALLOW * size {
            self.within = ABOUT;
        }
    }

    /// Considers the direction in which the solids touched before, if they did.
    fn consider_before(&mut self, before: Option<DVec3>, limit: f64) {
        let Some(normal) = before else { return };
        self.consider_roughly(normal, limit);
    }

    /// Considers a direction, whose gap is held to be a little worse where it counts.
    fn consider_roughly(&mut self, normal: DVec3, limit: f64) {
        let before = self.best.gap;
        self.consider(normal, Touch::Support);
        if self.best.gap > before && self.best.gap <= limit {
            self.best.gap = before.max(self.best.gap - 4.0 * self.tolerance);
        }
    }

    /// From one centre to the other.
    fn between(&self) -> DVec3 {
        (self.b.centre - self.a.centre).normalize_or(DVec3::Y)
    }

    /// The best, with its gap as it is.
    fn finish(self) -> Axis {
        Axis { gap: self.at(self.best.normal), ..self.best }
    }
}

/// A polyhedron (or a triangle) and a cylinder or cone.
pub(crate) fn polyhedron(
    a: &Solid,
    b: &Solid,
    p: &PlacedPolyhedron,
    r: &Round,
    Wanted { limit, before }: Wanted,
    flat: bool,
) -> Result<Axis, f64> {
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
        return Err(search.best.gap);
    }
    if rests_on(p, face, r, flat) {
        return Ok(search.best);
    }
    search.consider_before(before, limit);
    let apart = flat || search.consider_nearest(limit);
    if search.best.gap > limit {
        return Err(search.best.gap);
    }
    for end in (0..2).filter(|&e| r.radii[e] > 0.0) {
        search.consider(-r.end_normal(end), Touch::Face);
    }
    for &v in &p.vertices {
        search.consider(-r.distance(v).1, Touch::Support);
    }
    if !apart {
        search.consider_taken_apart(limit);
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
    Ok(search.finish())
}

/// Whether the round's lowest point over a face lies inside the face, and nothing can be nearer: where that point is
/// within the solid, it must be the nearest face, since no direction has the two farther apart than the point is from
/// the end of the solid.
fn rests_on(p: &PlacedPolyhedron, face: usize, r: &Round, flat: bool) -> bool {
    let normal = p.normals[face];
    let corners = &p.local.faces[face].corners;
    let corner = |i: usize| p.vertices[corners[i] as usize];
    let depth = |f: usize, q: DVec3| p.normals[f].dot(p.corner_of(f) - q);
    let inside = |q: DVec3| {
        let nearest = || (0..p.normals.len()).all(|f| depth(f, q) >= depth(face, q));
        // Under a triangle, with its edges as far away.
        let well_under = |foot: DVec3| {
            let edges = (0..corners.len()).map(|i| [corner(i), corner((i + 1) % corners.len())]);
            edges.fold(f64::INFINITY, |d, e| d.min(on_segment(e, foot).distance(foot)))
                >= depth(face, q)
        };
        let (foot, over) = on_polygon(corner, corners.len(), normal, q);
        over && (depth(face, q) <= 0.0 || if flat { well_under(foot) } else { nearest() })
    };
    let low = r.side(r.radial(-normal));
    let end = usize::from(normal.dot(low[1]) < normal.dot(low[0]));
    let flat = r.split(normal).1.length() < 1e-9;
    inside(low[end]) || (flat && inside(r.end(end)))
}

/// A cylinder or cone and a capsule.
pub(crate) fn segment(
    a: &Solid,
    b: &Solid,
    r: &Round,
    [s, t]: [DVec3; 2],
    Wanted { limit, before }: Wanted,
) -> Result<Axis, f64> {
    let mut search = Search::new(a, b);
    search.consider_before(before, limit);
    let apart = search.consider_nearest(limit);
    if search.best.gap > limit {
        return Err(search.best.gap);
    }
    for end in (0..2).filter(|&e| r.radii[e] > 0.0) {
        search.consider(r.end_normal(end), Touch::Face);
    }
    search.consider(r.distance(s).1, Touch::Support);
    search.consider(r.distance(t).1, Touch::Support);
    search.consider_line((t - s).cross(r.axis));
    if !apart {
        search.consider_taken_apart(limit);
    }
    let along = (t - s).normalize();
    let (x, y) = along.any_orthonormal_pair();
    search.consider_curve(0.0, TAU, 16, &Circle { middle: DVec3::ZERO, x, y });
    side(&mut search, r, 1.0);
    Ok(search.finish())
}

/// Two cylinders or cones.
pub(crate) fn rounds(
    a: &Solid,
    b: &Solid,
    r: &Round,
    s: &Round,
    Wanted { limit, before }: Wanted,
) -> Result<Axis, f64> {
    let mut search = Search::new(a, b);
    search.consider_before(before, limit);
    let apart = search.consider_nearest(limit);
    if search.best.gap > limit {
        return Err(search.best.gap);
    }
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
        return Ok(search.best);
    }
    if !apart {
        search.consider_taken_apart(limit);
    }
    side(&mut search, r, 1.0);
    side(&mut search, s, -1.0);
    Ok(search.finish())
}

fn side(search: &mut Search, r: &Round, sign: f64) {
    let slope = r.radii[0] - r.radii[1];
    let scale = sign / (2.0 * r.half).hypot(slope);
    let middle = r.axis * (scale * slope);
    let [x, y] = [r.x, r.z].map(|radial| radial * (scale * 2.0 * r.half));
    search.consider_curve(0.0, TAU, 16, &Circle { middle, x, y });
}

/// The part of the bodies' size that may lie between what is known of their distance, and how far from the direction
/// that was found the best one is then.
const FOUND: f64 = 1e-8;
const NEAR: f64 = 1e-3;

/// The same for bodies within each other by less than this part of their size.
const SHALLOW: f64 = 1e-2;
const ABOUT: f64 = 0.4;

/// How often bodies within each other are taken apart at most.
const ROUNDS: usize = 8;

/// How often arcs are halved at most: to a thousandth of a degree or so.
const HALVINGS: usize = 20;

/// How many directions between the first ones are looked at, at most.
const MOST_SAMPLES: usize = 120;

/// How often the place of the best direction is halved.
const BISECTIONS: usize = 30;
