//! Shapes and overlaps that are easily got wrong.

use std::sync::Arc;

use asperity::Shape;
use asperity::geometry::shape::MeshData;
use asperity::geometry::volume::{ClosedShape, Scratch, overlaps};
use asperity::glamx::{DPose3, DVec3};

use super::volumes::{closed, one};
use crate::Check;
use crate::VerifyError;

/// A box as a mesh, its corners moved by this.
fn mesh(half: DVec3, shift: DVec3) -> MeshData {
    let side = |k: usize, bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
    let corner = |k: usize| half * DVec3::new(side(k, 0), side(k, 1), side(k, 2)) + shift;
    let quads =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    MeshData {
        positions: (0..8).map(corner).collect(),
        triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        ..MeshData::default()
    }
}

fn shape(data: MeshData) -> Shape {
    Shape::Mesh(Arc::new(data))
}

pub(crate) fn shapes() -> Result<Vec<Check>, VerifyError> {
    let here = DPose3::IDENTITY;
    let at = |x: f64, y: f64, z: f64| DPose3::from_translation(DVec3::new(x, y, z));
    let half = DVec3::splat(0.5);
    let cube = closed(&shape(mesh(half, DVec3::ZERO)))?;
    let mut checks = Vec::new();

    let mut open = mesh(half, DVec3::ZERO);
    open.triangles.pop();
    let told = ClosedShape::new(&shape(open)).is_err_and(|e| e.to_string().contains("open"));
    checks.push(Check::fact("an open mesh", "refused", if told { "refused" } else { "taken" }));

    // Two boxes in one mesh that overlap by 0.5 m³: counted with their winding number.
    let mut twice = mesh(half, DVec3::ZERO);
    let other = mesh(half, DVec3::new(0.5, 0.0, 0.0));
    let first = twice.positions.len() as u32;
    twice.positions.extend(other.positions);
    twice.triangles.extend(other.triangles.iter().map(|t| t.map(|k| k + first)));
    let large = closed(&Shape::Box { half_extents: DVec3::splat(3.0) })?;
    let mut both = Vec::new();
    let twice = closed(&shape(twice))?;
    overlaps(&large, &here, &twice, &here, &mut Scratch::default(), &mut both);
    let found = both.iter().map(|o| o.volume).sum();
    checks.push(Check::relative("a mesh that meets itself, by winding", 2.0, found, 1e-9, "m³"));

    let sheet = one(&cube, &here, &cube, &at(0.0, 1.0 - 1e-9, 0.0))?;
    checks.push(Check::relative("a sheet of 1 nm", 1e-9, sheet.volume, 1e-6, "m³"));
    let rod = one(&cube, &here, &cube, &at(1.0 - 1e-6, 1.0 - 1e-6, 0.0))?;
    checks.push(Check::relative("a rod of 1 µm across", 1e-12, rod.volume, 1e-6, "m³"));

    let mut none = Vec::new();
    overlaps(&cube, &here, &cube, &at(0.0, 1.0, 0.0), &mut Scratch::default(), &mut none);
    let volume: f64 = none.iter().map(|o| o.volume).sum();
    checks.push(Check::below("faces that only touch: volume", 1e-15, volume, "m³"));

    let small = closed(&Shape::Box { half_extents: DVec3::splat(0.1) })?;
    let inside = one(&cube, &here, &small, &at(0.1, 0.1, 0.1))?;
    checks.push(Check::relative("one within the other", 0.008, inside.volume, 1e-9, "m³"));
    checks.push(Check::below(
        "one within the other: gradient",
        1e-12,
        inside.gradient_linear.length(),
        "m²",
    ));
    let same = one(&cube, &here, &cube, &here)?;
    checks.push(Check::relative("the same place", 1.0, same.volume, 1e-9, "m³"));
    Ok(checks)
}
