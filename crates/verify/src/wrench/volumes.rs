//! Volume, moments and gradient of overlaps.

use std::f64::consts::{PI, TAU};

use asperity::Shape;
use asperity::geometry::volume::{ClosedShape, Overlap, Scratch, overlap_by_rays, overlaps};
use asperity::glamx::{DPose3, DQuat, DVec3};

use crate::Check;
use crate::VerifyError;
use crate::setup::built;

/// The one overlap of two shapes.
pub(crate) fn one(
    a: &ClosedShape,
    pose_a: &DPose3,
    b: &ClosedShape,
    pose_b: &DPose3,
) -> Result<Overlap, VerifyError> {
    let mut found = Vec::new();
    overlaps(a, pose_a, b, pose_b, &mut Scratch::default(), &mut found);
    match found.as_slice() {
        [one] => Ok(*one),
        more => Err(VerifyError::new(format!("expected one overlap, found {}", more.len()))),
    }
}

pub(crate) fn closed(shape: &Shape) -> Result<ClosedShape, VerifyError> {
    built(ClosedShape::new(shape))
}

fn at(x: f64, y: f64, z: f64) -> DPose3 {
    DPose3::from_translation(DVec3::new(x, y, z))
}

fn cube(half: f64) -> Shape {
    Shape::Box { half_extents: DVec3::splat(half) }
}

pub(crate) fn closed_forms() -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    let here = DPose3::IDENTITY;

    // Boxes: a box of 0.7 × 0.4 × 0.1.
    let (a, b) = (closed(&cube(0.5))?, closed(&cube(0.5))?);
    let box_box = one(&a, &here, &b, &at(0.3, 0.6, 0.9))?;
    let size = DVec3::new(0.7, 0.4, 0.1);
    let volume = size.element_product();
    checks.push(Check::relative("box in box: volume", volume, box_box.volume, 1e-9, "m³"));
    let centre = DVec3::new(0.15, 0.3, 0.45);
    let off = (box_box.centroid - centre).length();
    checks.push(Check::below("box in box: centroid", 1e-9, off, "m"));
    let moments = size * size * (volume / 12.0);
    let second = box_box.second_moment;
    let found = DVec3::new(second.x_axis.x, second.y_axis.y, second.z_axis.z);
    let off = (found - moments).length() / moments.length();
    checks.push(Check::below("box in box: second moment", 1e-9, off, "relative"));

    // A cap of height e.
    let (radius, e) = (0.3, 0.05);
    let ball = closed(&Shape::Sphere { radius })?;
    let floor = closed(&Shape::HalfSpace { normal: DVec3::Y })?;
    let cap = one(&floor, &here, &ball, &at(0.0, radius - e, 0.0))?;
    let volume = PI * e * e * (3.0 * radius - e) / 3.0;
    checks.push(Check::relative("ball in half-space: volume", volume, cap.volume, 1e-9, "m³"));
    let middle = 0.75 * (2.0 * radius - e).powi(2) / (3.0 * radius - e);
    let off = cap.centroid.y - (radius - e - middle);
    checks.push(Check::below("ball in half-space: centroid", 1e-9, off, "m"));
    let area = PI * e * (2.0 * radius - e);
    let found = cap.gradient_linear.length();
    checks.push(Check::relative("ball in half-space: gradient", area, found, 1e-9, "m²"));

    // A lens.
    let (r, d) = (0.2, 0.4);
    let small = closed(&Shape::Sphere { radius: r })?;
    let lens = one(&ball, &here, &small, &at(d, 0.0, 0.0))?;
    let volume = PI
        * (radius + r - d).powi(2)
        * (d * d + 2.0 * d * (r + radius) - 3.0 * (r - radius).powi(2))
        / (12.0 * d);
    checks.push(Check::relative("ball in ball: volume", volume, lens.volume, 1e-9, "m³"));

    // A cylinder of 64 sides: its own polyhedron exactly, the round one to tessellation error.
    let (radius, depth) = (0.3, 0.04);
    let drum = closed(&Shape::Cylinder { half_height: 0.5, radius })?;
    let table = closed(&Shape::Box { half_extents: DVec3::new(2.0, 1.0, 2.0) })?;
    let flat = one(&table, &here, &drum, &at(0.1, 1.5 - depth, 0.2))?;
    let polygon = 32.0 * (TAU / 64.0).sin() * radius * radius * depth;
    let found = flat.volume;
    checks.push(Check::relative("cylinder of 64 sides in box", polygon, found, 1e-9, "m³"));
    let round = PI * radius * radius * depth;
    let part = 6.6 / (64.0 * 64.0) * 1.01;
    checks.push(Check::relative("round cylinder in box", round, found, part, "m³"));
    Ok(checks)
}

pub(crate) fn gradients() -> Result<Vec<Check>, VerifyError> {
    let (a, b) = (closed(&cube(0.5))?, closed(&Shape::Cone { half_height: 0.4, radius: 0.5 })?);
    let pose = DPose3::from_parts(
        DVec3::new(0.3, 0.5, 0.2),
        DQuat::from_scaled_axis(DVec3::new(0.4, -0.7, 1.1)),
    );
    let here = DPose3::IDENTITY;
    let found = one(&a, &here, &b, &pose)?;
    let h = 1e-5;
    let volume = |pose: DPose3| one(&a, &here, &b, &pose).map(|o| o.volume);
    let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
    for (k, axis) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
        let moved = |by: f64| DPose3::from_parts(pose.translation + axis * by, pose.rotation);
        linear[k] = (volume(moved(h))? - volume(moved(-h))?) / (2.0 * h);
        let turned = |by: f64| {
            let turn = DQuat::from_axis_angle(axis, by);
            let arm = pose.translation - found.centroid;
            DPose3::from_parts(found.centroid + turn * arm, turn * pose.rotation)
        };
        angular[k] = (volume(turned(h))? - volume(turned(-h))?) / (2.0 * h);
    }
    let off = (found.gradient_linear - linear).length() / linear.length();
    let turn = (found.gradient_angular - angular).length() / linear.length();
    Ok(vec![
        Check::below("cone in box, displaced", 1e-6, off, "relative"),
        Check::below("cone in box, turned", 1e-6, turn, "m"),
    ])
}

pub(crate) fn turned() -> Result<Vec<Check>, VerifyError> {
    let shapes =
        [closed(&Shape::Cylinder { half_height: 0.4, radius: 0.3 })?, closed(&cube(0.35))?];
    let (mut rays, mut swapped, mut own) = (0.0_f64, 0.0_f64, 0.0_f64);
    for k in 0..6 {
        let angle = f64::from(k);
        let axis = DVec3::new(angle.sin(), angle.cos(), 0.4 * angle);
        let pose = DPose3::from_parts(axis * 0.15, DQuat::from_scaled_axis(axis));
        let here = DPose3::from_parts(DVec3::ZERO, DQuat::from_rotation_x(0.3 * angle));
        let [a, b] = &shapes;
        let exact = one(a, &here, b, &pose)?;
        let back = one(b, &pose, a, &here)?;
        swapped = swapped.max((back.volume / exact.volume - 1.0).abs());
        if let Some(by_rays) = overlap_by_rays(a, &here, b, &pose, 128) {
            rays = rays.max((by_rays.volume / exact.volume - 1.0).abs());
        } else {
            rays = f64::INFINITY;
        }
        let itself = one(a, &pose, a, &pose)?;
        let sides = 32.0 * (TAU / 64.0).sin() * 0.3 * 0.3 * 0.8;
        own = own.max((itself.volume / sides - 1.0).abs());
    }
    Ok(vec![
        Check::below("128 rays across, three directions: volume", 5e-3, rays, "relative"),
        Check::below("A and B exchanged: volume", 1e-12, swapped, "relative"),
        Check::below("a mesh with itself: volume", 1e-9, own, "relative"),
    ])
}
