//! What the tests of overlaps share.
#![allow(dead_code)]

use std::f64::consts::TAU;
use std::sync::Arc;

use asperity_geometry::shape::{MeshData, Shape};
use asperity_geometry::volume::{ClosedShape, Overlap, Scratch, overlaps};
use glamx::{DMat3, DPose3, DRot3, DVec3};

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

/// A mesh from positions and triangles.
pub(crate) fn mesh(positions: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Shape {
    Shape::Mesh(Arc::new(MeshData { positions, triangles, ..MeshData::default() }))
}

pub(crate) fn closed(shape: &Shape) -> ClosedShape {
    ClosedShape::new(shape).unwrap()
}

/// A torus about Y with a bump here and there.
pub(crate) fn torus(radius: f64, tube: f64, around: u32, across: u32) -> Shape {
    let at = |i: u32, j: u32| {
        let (a, b) =
            (TAU * f64::from(i) / f64::from(around), TAU * f64::from(j) / f64::from(across));
        let tube = tube * (1.0 + 0.1 * (3.0 * a).sin() * (2.0 * b).cos());
        let r = radius + tube * b.cos();
        DVec3::new(r * a.cos(), tube * b.sin(), -r * a.sin())
    };
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..around {
        for j in 0..across {
            positions.push(at(i, j));
            let n = |i: u32, j: u32| (i % around) * across + j % across;
            let (p, q, r, s) = (n(i, j), n(i + 1, j), n(i + 1, j + 1), n(i, j + 1));
            triangles.extend([[p, q, r], [p, r, s]]);
        }
    }
    mesh(positions, triangles)
}

/// Triangles of several shapes as one mesh; a pose each.
pub(crate) fn together(parts: &[(DPose3, &Shape)]) -> Shape {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for (pose, shape) in parts {
        let skin = shape.skin(24, 1.0).unwrap();
        let first = positions.len() as u32;
        // A skin's seams meet within rounding; on this grid they meet.
        let snap = |p: DVec3| (p * 2.0_f64.powi(40)).round() / 2.0_f64.powi(40);
        positions.extend(skin.positions.iter().map(|p| snap(pose.transform_point(*p))));
        triangles.extend(skin.triangles.iter().map(|t| t.map(|c| c + first)));
    }
    mesh(positions, triangles)
}

/// The triangles of a box.
pub(crate) fn box_shape(x: f64, y: f64, z: f64) -> Shape {
    Shape::Box { half_extents: DVec3::new(x, y, z) * 0.5 }
}

/// Inside out.
pub(crate) fn inverted(shape: &Shape) -> Shape {
    let skin = shape.skin(24, 1.0).unwrap();
    mesh(skin.positions, skin.triangles.into_iter().map(|[a, b, c]| [a, c, b]).collect())
}

/// How often a mesh winds around a point: the sum of solid angles over 4π.
pub(crate) fn winding(mesh: &Shape, p: DVec3) -> f64 {
    let Shape::Mesh(mesh) = mesh else { panic!("not a mesh") };
    let angle = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|c| mesh.positions[c as usize] - p);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * a.dot(b.cross(c)).atan2(below)
    };
    mesh.triangles.iter().map(angle).sum::<f64>() / (2.0 * TAU)
}

pub(crate) fn largest(m: DMat3) -> f64 {
    m.to_cols_array().into_iter().fold(0.0, |a, x| a.max(x.abs()))
}
