//! Bodies of many shapes for heaps: about one unit high, on y = 0 where they can stand.

use std::f64::consts::TAU;

use asperity::glamx::{DVec2, DVec3};

use super::distance::{ellipsoid, intersection, limb, pair, union};

/// Width over which parts blend.
const BLEND: f64 = 0.04;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn ball(p: DVec3, centre: DVec3, radius: f64) -> f64 {
    p.distance(centre) - radius
}

/// A round rod along y, its rims rounded.
fn rod(p: DVec3, centre: DVec3, radius: f64, half_height: f64) -> f64 {
    let q = p - centre;
    intersection(q.x.hypot(q.z) - radius, q.y.abs() - half_height, BLEND)
}

/// A cube of edge 1 with bumps all over.
pub(super) fn bumpy_cube(p: DVec3) -> f64 {
    let q = (p - v(0.0, 0.5, 0.0)).abs() - DVec3::splat(0.4);
    let cube = q.max(DVec3::ZERO).length() + q.max_element().min(0.0) - 0.08;
    let wave = (p * (8.0 * TAU)).to_array().map(f64::cos);
    cube - 0.01 * (1.0 + wave[0] * wave[1] * wave[2])
}

pub(super) fn mug(p: DVec3) -> f64 {
    let outer = rod(p, v(0.0, 0.45, 0.0), 0.36, 0.45);
    let inner = rod(p, v(0.0, 0.6, 0.0), 0.28, 0.5);
    let q = p - v(0.38, 0.45, 0.0);
    let handle = (q.x.hypot(q.y) - 0.22).hypot(q.z) - 0.055;
    intersection(union(outer, handle, BLEND), -inner, BLEND)
}

pub(super) fn gear(p: DVec3) -> f64 {
    let flat = DVec2::new(p.x, p.z);
    let tooth = (2.0 * (10.0 * flat.y.atan2(flat.x)).cos()).tanh();
    let rim = flat.length() - (0.42 + 0.05 * tooth);
    let plate = intersection(rim, (p.y - 0.12).abs() - 0.12, BLEND);
    intersection(plate, 0.14 - flat.length(), BLEND)
}

pub(super) fn jack(p: DVec3) -> f64 {
    let q = p - v(0.0, 0.5, 0.0);
    let arm = |axis: DVec3| {
        let (end, across) = (axis * 0.38, [axis * -0.38, axis * 0.38]);
        let bar = limb(q, across, [0.06; 2]);
        union(bar, ball(q, end, 0.12).min(ball(q, -end, 0.12)), BLEND)
    };
    union(union(arm(DVec3::X), arm(DVec3::Y), BLEND), arm(DVec3::Z), BLEND)
}

pub(super) fn knot(p: DVec3) -> f64 {
    let at = |k: usize| {
        let t = TAU * k as f64 / 96.0;
        let r = 2.0 + (3.0 * t).cos();
        v(r * (2.0 * t).cos(), r * (2.0 * t).sin(), 1.3 * (3.0 * t).sin()) * 0.14
    };
    let q = p - v(0.0, 0.5, 0.0);
    (0..96).map(|k| limb(q, [at(k), at(k + 1)], [0.075; 2])).fold(f64::INFINITY, f64::min)
}

pub(super) fn star(p: DVec3) -> f64 {
    let q = p - v(0.0, 0.45, 0.0);
    let angle = q.x.atan2(q.y);
    let radius = 0.32 + 0.14 * (5.0 * angle).cos();
    // Without a crease where all angles meet.
    let flat = q.x.hypot(q.y) / radius;
    (flat.hypot(q.z / 0.15) - 1.0) * 0.15
}

pub(super) fn pear(p: DVec3) -> f64 {
    let fruit = union(
        ellipsoid(p, v(0.0, 0.3, 0.0), v(0.32, 0.3, 0.32)),
        ellipsoid(p, v(0.03, 0.6, 0.0), v(0.19, 0.22, 0.19)),
        0.15,
    );
    let stem = limb(p, [v(0.03, 0.78, 0.0), v(0.1, 0.95, 0.02)], [0.035, 0.045]);
    let leaf = ellipsoid(p, v(0.25, 0.9, 0.02), v(0.17, 0.04, 0.09));
    union(union(fruit, stem, BLEND), leaf, BLEND)
}

pub(super) fn mushroom(p: DVec3) -> f64 {
    let stem = limb(p, [v(0.0, 0.16, 0.0), v(0.04, 0.6, 0.0)], [0.16, 0.12]);
    let cap = ellipsoid(p, v(0.04, 0.55, 0.0), v(0.45, 0.4, 0.45));
    let hollow = ellipsoid(p, v(0.04, 0.42, 0.0), v(0.36, 0.22, 0.36));
    let cap = intersection(intersection(cap, 0.5 - p.y, BLEND), -hollow, BLEND);
    union(stem, cap, BLEND)
}

pub(super) fn octopus(p: DVec3) -> f64 {
    let head = ellipsoid(p, v(0.0, 0.62, 0.0), v(0.26, 0.32, 0.26));
    let arm = |k: usize| {
        let (sin, cos) = (TAU * k as f64 / 8.0).sin_cos();
        let at = |r: f64, y: f64| v(r * cos, y, r * sin);
        let upper = limb(p, [at(0.12, 0.42), at(0.32, 0.12)], [0.1, 0.075]);
        let lower = limb(p, [at(0.32, 0.12), at(0.52, 0.07)], [0.075, 0.06]);
        union(
            upper,
            union(lower, limb(p, [at(0.52, 0.07), at(0.6, 0.18)], [0.06, 0.045]), BLEND),
            BLEND,
        )
    };
    (0..8).map(arm).fold(head, |body, arm| union(body, arm, BLEND))
}

pub(super) fn duck(p: DVec3) -> f64 {
    let body = ellipsoid(p, v(0.0, 0.28, 0.0), v(0.46, 0.28, 0.3));
    let tail = limb(p, [v(-0.3, 0.38, 0.0), v(-0.52, 0.52, 0.0)], [0.13, 0.05]);
    let head = union(
        ball(p, v(0.28, 0.72, 0.0), 0.2),
        limb(p, [v(0.2, 0.42, 0.0), v(0.27, 0.62, 0.0)], [0.16, 0.13]),
        0.08,
    );
    let beak = ellipsoid(p, v(0.5, 0.69, 0.0), v(0.14, 0.045, 0.1));
    let wing = pair(p, BLEND, |p| ellipsoid(p, v(-0.06, 0.34, 0.27), v(0.27, 0.15, 0.08)));
    let front = union(union(body, head, 0.08), beak, BLEND);
    union(union(front, tail, 0.08), wing, BLEND)
}

pub(super) fn bone(p: DVec3) -> f64 {
    let shaft = limb(p, [v(0.0, 0.2, 0.0), v(0.0, 0.8, 0.0)], [0.09; 2]);
    let ends = [(-0.12, 0.14), (0.12, 0.14), (-0.12, 0.86), (0.12, 0.86)];
    ends.iter().fold(shaft, |d, (x, y)| union(d, ball(p, v(*x, *y, 0.0), 0.14), BLEND))
}
