//! Round shapes: profiles turned about Y.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glamx::{DVec2, DVec3};

use super::Skin;
use crate::shape::Shape;

/// A point of a profile: distance from Y and height, normal in the same plane, and v.
#[derive(Debug, Clone, Copy)]
struct Ring {
    radius: f64,
    height: f64,
    normal: DVec2,
    v: f64,
}

impl Skin {
    /// A sphere, capsule, cylinder or cone.
    pub(super) fn revolved(&mut self, shape: &Shape, segments: usize) {
        match *shape {
            Shape::Sphere { radius } => {
                let rings = arc(radius, 0.0, -FRAC_PI_2, FRAC_PI_2, segments / 2);
                self.turned(radius, &rings, segments);
            }
            Shape::Capsule { half_height: l, radius } => {
                let mut rings = arc(radius, -l, -FRAC_PI_2, 0.0, segments / 4);
                rings.extend(arc(radius, l, 0.0, FRAC_PI_2, segments / 4));
                self.turned(radius, &rings, segments);
            }
            Shape::Cylinder { half_height: l, radius } => {
                let ring = |y: f64| Ring { radius, height: y, normal: DVec2::X, v: y };
                self.turned(radius, &[ring(-l), ring(l)], segments);
                for end in [-1.0, 1.0] {
                    let normal = DVec3::Y * end;
                    self.disc(shape, normal * l, normal, radius, segments);
                    self.circle(end * l, radius, segments);
                }
            }
            Shape::Cone { half_height: l, radius } => {
                let normal = DVec2::new(2.0 * l, radius).normalize();
                let slant = (2.0 * l).hypot(radius);
                let ring = |s: f64| Ring {
                    radius: radius * (1.0 - s),
                    height: l * (2.0 * s - 1.0),
                    normal,
                    v: s * slant,
                };
                let steps = 8;
                let rings: Vec<Ring> =
                    (0..=steps).map(|k| ring(f64::from(k) / f64::from(steps))).collect();
                self.turned(radius, &rings, segments);
                self.disc(shape, DVec3::NEG_Y * l, DVec3::NEG_Y, radius, segments);
                self.circle(-l, radius, segments);
            }
            _ => {}
        }
    }

    /// Strips between rings, from the lowest to the highest. `girth` times the angle is u.
    fn turned(&mut self, girth: f64, rings: &[Ring], segments: usize) {
        let first = self.positions.len() as u32;
        let around = segments as u32 + 1;
        for ring in rings {
            for k in 0..=segments {
                // From −π to π, so that u grows without a jump; from X towards −Z.
                let angle = TAU * k as f64 / segments as f64 - PI;
                let out = DVec3::new(angle.cos(), 0.0, -angle.sin());
                let position = out * ring.radius + DVec3::Y * ring.height;
                let normal = out * ring.normal.x + DVec3::Y * ring.normal.y;
                let (tangent, uv) = (DVec3::Y.cross(out), DVec2::new(girth * angle, ring.v));
                self.corner_at(position, normal, uv, tangent, normal.cross(tangent));
            }
        }
        for r in 1..rings.len() as u32 {
            for k in 1..around {
                let d = first + r * around + k;
                let [a, b, c] = [d - around - 1, d - around, d - 1];
                if rings[r as usize - 1].radius > 0.0 {
                    self.triangle([a, b, d], 0);
                }
                if rings[r as usize].radius > 0.0 {
                    self.triangle([a, d, c], 0);
                }
            }
        }
    }

    /// A sharp edge all around.
    fn circle(&mut self, height: f64, radius: f64, segments: usize) {
        let at = |k: usize| {
            let angle = TAU * k as f64 / segments as f64;
            DVec3::new(radius * angle.cos(), height, radius * angle.sin())
        };
        self.edges.extend((0..segments).map(|k| [at(k), at(k + 1)]));
    }
}

/// A quarter or half of a circle about (0, `centre`), from one latitude to another.
fn arc(radius: f64, centre: f64, from: f64, to: f64, steps: usize) -> Vec<Ring> {
    let steps = steps.max(2);
    let ring = |k: usize| {
        let latitude = from + (to - from) * k as f64 / steps as f64;
        let pole = FRAC_PI_2 - latitude.abs() < 1e-9;
        let cos = if pole { 0.0 } else { latitude.cos() };
        let normal = DVec2::new(cos, latitude.sin());
        let v = centre + radius * latitude;
        Ring { radius: radius * cos, height: centre + radius * normal.y, normal, v }
    };
    (0..=steps).map(ring).collect()
}
