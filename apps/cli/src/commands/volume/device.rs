//! `asperity volume --method rays --device gpu`: rays by compute shaders.

use asperity::geometry::shape::MeshData;
use asperity::geometry::volume::{Overlap, REACHES};
use asperity::glamx::{DMat3, DPose3, DVec2};
use asperity_gpu::{RayMesh, RayPair, VolumeRays};

use super::{Args, Device, Method, PatchShape};
use crate::error::CliError;

/// What a device cannot do is said before meshes are read.
pub(super) fn check(args: &Args) -> Result<(), CliError> {
    let wrong = |what: &str| Err(CliError::Input(format!("--device gpu {what}")));
    match (args.device, args.method, args.patch) {
        (Device::Gpu, Method::Exact, _) => wrong("casts rays; add --method rays"),
        (Device::Gpu, _, Some(PatchShape::Measured | PatchShape::Reach | PatchShape::Hull)) => {
            wrong(
                "knows moments, not how far an overlap reaches; use --patch rectangle or ellipse, or --device cpu",
            )
        }
        _ => Ok(()),
    }
}

pub(super) fn open() -> Result<VolumeRays, CliError> {
    VolumeRays::new()
        .map_err(|error| CliError::Input(format!("--device gpu: {error}; use --device cpu")))
}

/// What two meshes share, in the world. Its surface and its reach are unknown, and zero.
pub(super) fn overlap(
    rays: &mut VolumeRays,
    [a, b]: [&MeshData; 2],
    [pose_a, pose_b]: [&DPose3; 2],
    count: usize,
) -> Result<Option<Overlap>, CliError> {
    let meshes = [a, b].map(|m| RayMesh { positions: &m.positions, triangles: &m.triangles });
    let pair = RayPair { a: 0, b: 1, b_in_a: pose_a.inv_mul(pose_b), rays: count };
    let found = rays
        .overlaps(&meshes, &[pair])
        .map_err(|error| CliError::Input(format!("--device gpu: {error}")))?;
    let turn = DMat3::from_quat(pose_a.rotation);
    Ok(found.into_iter().flatten().next().map(|found| Overlap {
        volume: found.volume,
        centroid: pose_a.transform_point(found.centroid),
        second_moment: turn * found.second_moment * turn.transpose(),
        gradient_linear: turn * found.gradient_linear,
        gradient_angular: turn * found.gradient_angular,
        surface: 0.0,
        reach: [0.0; REACHES],
        outline: [DVec2::ZERO; REACHES],
        sides: Default::default(),
    }))
}
