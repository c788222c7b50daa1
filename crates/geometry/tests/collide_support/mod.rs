//! Two bodies and their contacts.
#![allow(dead_code, unreachable_pub)]

use asperity_geometry::collision::{Collision, Manifold, Mobility};
use asperity_geometry::shape::Shape;
use glamx::{DPose3, DQuat, DVec3};

pub fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Box { half_extents: DVec3::new(x, y, z) }
}

pub fn floor() -> Shape {
    Shape::HalfSpace { normal: DVec3::Y }
}

pub fn at(x: f64, y: f64, z: f64) -> DPose3 {
    DPose3::from_translation(DVec3::new(x, y, z))
}

pub fn turned(x: f64, y: f64, z: f64, axis: DVec3, angle: f64) -> DPose3 {
    DPose3::from_parts(DVec3::new(x, y, z), DQuat::from_axis_angle(axis.normalize(), angle))
}

/// A fixed and a movable body.
pub fn pair(a: &Shape, b: &Shape) -> Collision {
    let mut collision = Collision::new();
    collision.add(0, a, Mobility::Fixed, 0).unwrap();
    collision.add(1, b, Mobility::Free, 0).unwrap();
    collision
}

pub fn contacts(a: (&Shape, DPose3), b: (&Shape, DPose3), margin: f64) -> Vec<Manifold> {
    let mut collision = pair(a.0, b.0);
    collision.update(&[a.1, b.1], |_| 0.0, 0.01, margin);
    collision.manifolds().to_vec()
}

/// The smallest gap, in both orders of the bodies; infinite without contacts.
pub fn gap(a: (&Shape, DPose3), b: (&Shape, DPose3), margin: f64) -> f64 {
    let least = |m: &[Manifold]| {
        m.iter().flat_map(|m| &m.points).map(|p| p.gap).fold(f64::INFINITY, f64::min)
    };
    let (one, two) = (least(&contacts(a, b, margin)), least(&contacts(b, a, margin)));
    assert!(one == two || (one - two).abs() < 1e-9, "order of bodies matters: {one} {two}");
    one
}

/// Uniform numbers between −1 and 1.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    pub fn rotation(&mut self) -> DQuat {
        loop {
            let (v, w) = (self.vector(), self.next());
            let q = DQuat::from_xyzw(v.x, v.y, v.z, w);
            if q.length() > 0.1 {
                return q.normalize();
            }
        }
    }
}

/// Every convex shape.
pub fn convex_shapes() -> Vec<Shape> {
    let points = (0..40).map(|i| {
        let (z, angle) = (1.0 - f64::from(2 * i + 1) / 40.0, 2.399_963 * f64::from(i));
        let r = (1.0 - z * z).sqrt();
        DVec3::new(0.3 * r * angle.cos(), 0.2 * z, 0.25 * r * angle.sin())
    });
    vec![
        cuboid(0.3, 0.2, 0.1),
        Shape::Sphere { radius: 0.2 },
        Shape::Capsule { half_height: 0.2, radius: 0.1 },
        Shape::Cylinder { half_height: 0.2, radius: 0.15 },
        Shape::Cone { half_height: 0.2, radius: 0.15 },
        Shape::ConvexHull { points: points.collect() },
    ]
}

/// Support point of a convex shape, straight from its definition.
pub fn support(shape: &Shape, pose: &DPose3, direction: DVec3) -> DVec3 {
    let d = pose.rotation.inverse() * direction;
    let flat = DVec3::new(d.x, 0.0, d.z).normalize_or_zero();
    let ends = |l: f64, low: f64, high: f64| {
        let (a, b) = (flat * low - DVec3::Y * l, flat * high + DVec3::Y * l);
        if a.dot(d) > b.dot(d) { a } else { b }
    };
    let local = match shape {
        Shape::Box { half_extents } => *half_extents * d.signum(),
        Shape::Sphere { radius } => d.normalize() * *radius,
        Shape::Capsule { half_height, radius } => {
            DVec3::Y * half_height * d.y.signum() + d.normalize() * *radius
        }
        Shape::Cylinder { half_height, radius } => ends(*half_height, *radius, *radius),
        Shape::Cone { half_height, radius } => ends(*half_height, *radius, 0.0),
        Shape::ConvexHull { points } => {
            *points.iter().max_by(|p, q| p.dot(d).total_cmp(&q.dot(d))).unwrap()
        }
        _ => unreachable!("not convex"),
    };
    pose.transform_point(local)
}
