//! Convex solids placed in the world: a core (point, segment, polyhedron, or cylinder and cone)
//! and a radius around it.

use std::sync::Arc;

use glamx::{DMat3, DPose3, DVec3};

use crate::shape::{Polyhedron, Shape, ShapeError};

/// A convex solid in world coordinates.
#[derive(Debug, Clone)]
pub(crate) struct Solid {
    pub(crate) core: Core,
    /// Rounds the core, metres.
    pub(crate) radius: f64,
    pub(crate) centre: DVec3,
    /// Largest distance from the centre, metres.
    pub(crate) size: f64,
}

#[derive(Debug, Clone)]
pub(crate) enum Core {
    Point(DVec3),
    Segment([DVec3; 2]),
    Polyhedron(PlacedPolyhedron),
    Round(Round),
}

#[derive(Debug, Clone)]
pub(crate) struct PlacedPolyhedron {
    pub(crate) local: Arc<Polyhedron>,
    pub(crate) vertices: Vec<DVec3>,
    pub(crate) normals: Vec<DVec3>,
}

/// A cylinder or a cone: discs of two radii, one of which may be zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Round {
    pub(crate) centre: DVec3,
    /// Collider axes in the world; the second is the axis.
    pub(crate) x: DVec3,
    pub(crate) axis: DVec3,
    pub(crate) z: DVec3,
    pub(crate) half: f64,
    /// At `-half` and at `+half`.
    pub(crate) radii: [f64; 2],
}

/// A convex part of a body.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    local: Local,
    pose: DPose3,
    pub(crate) solid: Solid,
}

#[derive(Debug, Clone)]
enum Local {
    Sphere,
    Capsule(f64),
    Polyhedron(DVec3),
    Round,
}

impl Part {
    pub(crate) fn new(pose: DPose3, shape: &Shape) -> Result<Option<Part>, ShapeError> {
        let round = |half: f64, radii: [f64; 2]| {
            let (centre, x, axis, z) = (DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z);
            Core::Round(Round { centre, x, axis, z, half, radii })
        };
        let (local, core, radius, size) = match shape {
            Shape::Sphere { radius } => (Local::Sphere, Core::Point(DVec3::ZERO), *radius, *radius),
            Shape::Capsule { half_height: l, radius } => {
                (Local::Capsule(*l), Core::Segment([DVec3::ZERO; 2]), *radius, l + radius)
            }
            Shape::Cylinder { half_height: l, radius: r } => {
                (Local::Round, round(*l, [*r, *r]), 0.0, l.hypot(*r))
            }
            Shape::Cone { half_height: l, radius: r } => {
                (Local::Round, round(*l, [*r, 0.0]), 0.0, l.hypot(*r))
            }
            _ => {
                let Some(poly) = shape.polyhedron()? else { return Ok(None) };
                let n = poly.vertices.len() as f64;
                let centre = poly.vertices.iter().sum::<DVec3>() / n;
                let far = poly.vertices.iter().map(|v| (*v - centre).length());
                let size = far.fold(0.0, f64::max);
                let (vertices, normals) = (poly.vertices.clone(), Vec::new());
                let placed = PlacedPolyhedron { local: Arc::new(poly), vertices, normals };
                (Local::Polyhedron(centre), Core::Polyhedron(placed), 0.0, size)
            }
        };
        let solid = Solid { core, radius, centre: DVec3::ZERO, size };
        let mut part = Part { local, pose, solid };
        part.place(&DPose3::IDENTITY);
        Ok(Some(part))
    }

    /// Moves the part with its body.
    pub(crate) fn place(&mut self, body: &DPose3) {
        let turn = DMat3::from_quat(body.rotation) * DMat3::from_quat(self.pose.rotation);
        let origin = body.transform_point(self.pose.translation);
        let solid = &mut self.solid;
        solid.centre = origin;
        match (&mut solid.core, &self.local) {
            (Core::Point(p), _) => *p = origin,
            (Core::Segment(ends), Local::Capsule(l)) => {
                *ends = [origin - turn.y_axis * *l, origin + turn.y_axis * *l];
            }
            (Core::Polyhedron(poly), Local::Polyhedron(centre)) => {
                solid.centre = origin + turn * *centre;
                poly.vertices.clear();
                poly.vertices.extend(poly.local.vertices.iter().map(|v| origin + turn * *v));
                poly.normals.clear();
                poly.normals.extend(poly.local.faces.iter().map(|f| turn * f.normal));
            }
            (Core::Round(r), _) => {
                (r.centre, r.x, r.axis, r.z) = (origin, turn.x_axis, turn.y_axis, turn.z_axis);
            }
            _ => {}
        }
    }
}

impl Solid {
    /// A triangle with two sides, to be set by [`Solid::set_triangle`].
    pub(crate) fn triangle() -> Solid {
        let (vertices, normals) = (vec![DVec3::ZERO; 3], vec![DVec3::Z, DVec3::NEG_Z]);
        let core = Core::Polyhedron(PlacedPolyhedron {
            local: Arc::new(Polyhedron::triangle()),
            vertices,
            normals,
        });
        Solid { core, radius: 0.0, centre: DVec3::ZERO, size: 0.0 }
    }

    pub(crate) fn set_triangle(&mut self, corners: [DVec3; 3], normal: DVec3) {
        if let Core::Polyhedron(poly) = &mut self.core {
            poly.vertices.copy_from_slice(&corners);
            poly.normals.copy_from_slice(&[normal, -normal]);
        }
        self.centre = (corners[0] + corners[1] + corners[2]) / 3.0;
        let far = corners.map(|c| (c - self.centre).length());
        self.size = far[0].max(far[1]).max(far[2]);
    }

    /// Largest n·x over the core.
    pub(crate) fn core_max(&self, n: DVec3) -> f64 {
        match &self.core {
            Core::Point(p) => n.dot(*p),
            Core::Segment([a, b]) => n.dot(*a).max(n.dot(*b)),
            Core::Polyhedron(poly) => poly.max(n),
            Core::Round(round) => round.max(n),
        }
    }

    /// The point of the core farthest along n.
    pub(crate) fn core_support(&self, n: DVec3) -> DVec3 {
        match &self.core {
            Core::Point(p) => *p,
            Core::Segment([a, b]) => {
                if n.dot(*a) > n.dot(*b) {
                    *a
                } else {
                    *b
                }
            }
            Core::Polyhedron(poly) => poly.support(n),
            Core::Round(round) => round.support(n),
        }
    }

    /// How far `other` lies beyond this solid along the unit vector n; negative when they overlap
    /// along it. The largest value over all n is the gap.
    pub(crate) fn separation(&self, other: &Solid, n: DVec3) -> f64 {
        let around = self.radius + other.radius;
        // About this solid's centre, so that far from the origin little is lost.
        let offset = n.dot(self.centre);
        -(other.core_max(-n) + offset) - (self.core_max(n) - offset) - around
    }

    /// Corners of the box around the solid.
    /// How far a point is from the solid, less than zero inside, metres: the most of what faces, axes and
    /// the way from the centre say. Exact inside polyhedra and balls, at most too little elsewhere.
    pub(crate) fn distance(&self, point: DVec3) -> f64 {
        let along = |n: DVec3| n.dot(point) - self.core_max(n) - self.radius;
        let out = (point - self.centre).try_normalize().map_or(-self.size, along);
        let most = |normals: &[DVec3]| normals.iter().map(|n| along(*n)).fold(out, f64::max);
        match &self.core {
            Core::Polyhedron(poly) => most(&poly.normals),
            Core::Round(round) => {
                let (_, across) = round.split(point - round.centre);
                most(&[round.axis, -round.axis, across.normalize_or(round.x)])
            }
            Core::Point(_) => out,
            Core::Segment([a, b]) => {
                let way = *b - *a;
                let part = (point - *a).dot(way) / way.length_squared();
                let foot = *a + way * if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
                point.distance(foot) - self.radius
            }
        }
    }

    pub(crate) fn bounds(&self) -> [DVec3; 2] {
        let high = |n: DVec3| self.core_max(n) + self.radius;
        let max = DVec3::new(high(DVec3::X), high(DVec3::Y), high(DVec3::Z));
        let min = -DVec3::new(high(DVec3::NEG_X), high(DVec3::NEG_Y), high(DVec3::NEG_Z));
        [min, max]
    }
}

impl PlacedPolyhedron {
    fn support(&self, n: DVec3) -> DVec3 {
        let mut best = (DVec3::ZERO, f64::NEG_INFINITY);
        for v in &self.vertices {
            let along = n.dot(*v);
            if along > best.1 {
                best = (*v, along);
            }
        }
        best.0
    }

    pub(crate) fn max(&self, n: DVec3) -> f64 {
        self.vertices.iter().map(|v| n.dot(*v)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// A corner of a face.
    pub(crate) fn corner_of(&self, face: usize) -> DVec3 {
        self.vertices[self.local.faces[face].corners[0] as usize]
    }

    pub(crate) fn edge(&self, e: usize) -> [DVec3; 2] {
        self.local.edges[e].ends.map(|v| self.vertices[v as usize])
    }

    /// The face whose normal is nearest to `direction`.
    pub(crate) fn face_towards(&self, direction: DVec3) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (f, n) in self.normals.iter().enumerate() {
            // The first of equals: rounding must not decide between two faces.
            if n.dot(direction) > best.1 + 1e-12 {
                best = (f, n.dot(direction));
            }
        }
        best.0
    }
}

impl Round {
    pub(crate) fn max(&self, n: DVec3) -> f64 {
        let (along, across) = self.split(n);
        let across = across.length();
        let low = self.radii[0] * across - self.half * along;
        let high = self.radii[1] * across + self.half * along;
        n.dot(self.centre) + low.max(high)
    }

    fn support(&self, n: DVec3) -> DVec3 {
        let (along, across) = self.split(n);
        let length = across.length();
        let low = self.radii[0] * length - self.half * along;
        let high = self.radii[1] * length + self.half * along;
        let end = usize::from(high > low);
        self.end(end) + self.radial_of(along, across, length) * self.radii[end]
    }

    /// The parts of a vector along the axis and across it.
    pub(crate) fn split(&self, n: DVec3) -> (f64, DVec3) {
        let along = n.dot(self.axis);
        (along, n - along * self.axis)
    }

    /// Unit vector across the axis nearest to `n`; the body's x axis where n is along the axis.
    pub(crate) fn radial(&self, n: DVec3) -> DVec3 {
        let (along, across) = self.split(n);
        self.radial_of(along, across, across.length())
    }

    /// The same from its parts and the length of the part across.
    fn radial_of(&self, along: f64, across: DVec3, length: f64) -> DVec3 {
        // What rounding leaves of a vector along the axis may point anywhere.
        if length > 1e-9 * along.abs() { across / length } else { self.x }
    }

    pub(crate) fn end(&self, end: usize) -> DVec3 {
        self.centre + self.axis * if end == 0 { -self.half } else { self.half }
    }

    /// Outward normal of an end's disc.
    pub(crate) fn end_normal(&self, end: usize) -> DVec3 {
        if end == 0 { -self.axis } else { self.axis }
    }

    /// The two ends of the line on the side in a radial direction.
    pub(crate) fn side(&self, radial: DVec3) -> [DVec3; 2] {
        [0, 1].map(|e| self.end(e) + radial * self.radii[e])
    }

    /// Outward normal of the side in a radial direction.
    pub(crate) fn side_normal(&self, radial: DVec3) -> DVec3 {
        let slope = self.radii[0] - self.radii[1];
        (radial * (2.0 * self.half) + self.axis * slope).normalize()
    }

    /// Signed distance of a point and the outward direction to it.
    pub(crate) fn distance(&self, p: DVec3) -> (f64, DVec3) {
        let (y, across) = self.split(p - self.centre);
        let x = across.length();
        let radial = self.radial(p - self.centre);
        let side = self.side_normal(radial);
        let along_side = {
            let [a, b] = self.side(radial);
            (b - a).normalize()
        };
        let [low, high] = self.side(radial);
        let to_side = side.dot(p - low);
        let inside = to_side.max(y - self.half).max(-y - self.half);
        if inside <= 0.0 {
            return if inside == to_side {
                (to_side, side)
            } else if inside == y - self.half && self.radii[1] > 0.0 {
                (inside, self.axis)
            } else {
                (inside, if y > 0.0 { side } else { -self.axis })
            };
        }
        // Outside: nearest to the top disc, the bottom disc or the side.
        if y >= self.half && x <= self.radii[1] {
            return (y - self.half, self.axis);
        }
        if y <= -self.half && x <= self.radii[0] {
            return (-y - self.half, -self.axis);
        }
        let t = along_side.dot(p - low);
        if t > 0.0 && t < along_side.dot(high - low) && to_side > 0.0 {
            return (to_side, side);
        }
        let corner = if t <= 0.0 { low } else { high };
        let d = p - corner;
        (d.length(), d.try_normalize().unwrap_or(side))
    }
}
