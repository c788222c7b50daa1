//! What the tests of overlaps share.
#![allow(dead_code)]

use asperity::collide::volume::{ClosedShape, Overlap, Scratch, overlaps};
use asperity::glamx::{DPose3, DRot3, DVec3};
use asperity::shape::Shape;

/// A box with these edges.
pub(crate) fn boxed(x: f64, y: f64, z: f64) -> ClosedShape {
    let half_extents = DVec3::new(x, y, z) * 0.5;
    ClosedShape::new(&Shape::Box { half_extents }).unwrap()
}

pub(crate) fn sphere(radius: f64) -> ClosedShape {
    ClosedShape::new(&Shape::Sphere { radius }).unwrap()
}

pub(crate) fn at(x: f64, y: f64, z: f64) -> DPose3 {
    DPose3::from_translation(DVec3::new(x, y, z))
}

/// One of many poses, turned every way.
pub(crate) fn turned(k: u32) -> DPose3 {
    let k = f64::from(k);
    let rotation = DRot3::from_rotation_x(1.3 * k) * DRot3::from_rotation_y(0.7 * k + 0.1);
    let rotation = rotation * DRot3::from_rotation_z(2.1 * k);
    DPose3::from_parts(DVec3::new(0.3 * k, -0.2 * k, (0.9 * k).sin()), rotation)
}

pub(crate) fn all(
    a: &ClosedShape,
    pose_a: &DPose3,
    b: &ClosedShape,
    pose_b: &DPose3,
) -> Vec<Overlap> {
    let mut out = Vec::new();
    overlaps(a, pose_a, b, pose_b, &mut Scratch::default(), &mut out);
    out
}

/// The only overlap, if there is one.
pub(crate) fn one(
    a: &ClosedShape,
    pose_a: &DPose3,
    b: &ClosedShape,
    pose_b: &DPose3,
) -> Option<Overlap> {
    let out = all(a, pose_a, b, pose_b);
    assert!(out.len() <= 1, "{out:?}");
    out.first().copied()
}

#[track_caller]
pub(crate) fn close(value: f64, expected: f64, within: f64) {
    assert!((value - expected).abs() <= within, "{value}, expected {expected} within {within:e}");
}
