//! What the tests of rays share.

use std::sync::Arc;

use asperity_geometry::shape::{MeshData, Shape};
use asperity_gpu::{RayMesh, RayMoments, RayPair, RenderError, VolumeRays};
use glamx::{DPose3, DVec3};

/// The adapters of this machine, if it has any.
pub(crate) fn devices() -> Vec<VolumeRays> {
    let mut all = Vec::new();
    for found in [VolumeRays::vulkan(), VolumeRays::gl()] {
        match found {
            Ok(rays) => all.push(rays),
            Err(RenderError::NoAdapter(why)) => eprintln!("not on this machine: {why}"),
            Err(why) if why.to_string().contains("no compute shaders") => {
                eprintln!("not on this machine: {why}");
            }
            Err(why) => panic!("{why}"),
        }
    }
    all
}

/// A mesh that owns its triangles.
#[derive(Debug, Clone)]
pub(crate) struct Solid {
    pub(crate) positions: Vec<DVec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Solid {
    pub(crate) fn of(shape: &Shape) -> Solid {
        match shape {
            Shape::Mesh(mesh) => {
                Solid { positions: mesh.positions.clone(), triangles: mesh.triangles.clone() }
            }
            _ => {
                let skin = shape.skin(48, 1.0).unwrap();
                // A skin's seams meet within rounding; on this grid they meet.
                let snap = |p: &DVec3| (*p * 2.0_f64.powi(40)).round() / 2.0_f64.powi(40);
                let positions = skin.positions.iter().map(snap).collect();
                Solid { positions, triangles: skin.triangles }
            }
        }
    }

    pub(crate) fn cuboid(x: f64, y: f64, z: f64) -> Solid {
        Solid::of(&Shape::Box { half_extents: DVec3::new(x, y, z) * 0.5 })
    }

    /// Faces of a cube with edges of 2 m, cut into n × n squares.
    pub(crate) fn tiled(n: u32) -> Solid {
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let first = positions.len() as u32;
                for (i, j) in (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j))) {
                    let mut p = DVec3::ZERO;
                    p[axis] = sign;
                    p[(axis + 1) % 3] = 2.0 * f64::from(i) / f64::from(n) - 1.0;
                    p[(axis + 2) % 3] = 2.0 * f64::from(j) / f64::from(n) - 1.0;
                    positions.push(p);
                }
                let at = |i: u32, j: u32| first + i * (n + 1) + j;
                for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                    let (p, q, r, s) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
                    for [a, b, c] in [[p, q, r], [p, r, s]] {
                        triangles.push(if sign > 0.0 { [a, b, c] } else { [a, c, b] });
                    }
                }
            }
        }
        Solid { positions, triangles }
    }

    /// Several as one, each shifted.
    pub(crate) fn together(parts: &[(DVec3, &Solid)]) -> Solid {
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for (shift, part) in parts {
            let first = positions.len() as u32;
            positions.extend(part.positions.iter().map(|p| *p + *shift));
            triangles.extend(part.triangles.iter().map(|t| t.map(|c| c + first)));
        }
        Solid { positions, triangles }
    }

    pub(crate) fn inverted(&self) -> Solid {
        let triangles = self.triangles.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
        Solid { positions: self.positions.clone(), triangles }
    }

    pub(crate) fn scaled(&self, by: f64) -> Solid {
        let positions = self.positions.iter().map(|p| *p * by).collect();
        Solid { positions, triangles: self.triangles.clone() }
    }

    pub(crate) fn volume(&self) -> f64 {
        let cone = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|c| self.positions[c as usize]);
            a.dot(b.cross(c)) / 6.0
        };
        self.triangles.iter().map(cone).sum()
    }

    pub(crate) fn mesh(&self) -> RayMesh<'_> {
        RayMesh { positions: &self.positions, triangles: &self.triangles }
    }

    pub(crate) fn shape(&self) -> Shape {
        let (positions, triangles) = (self.positions.clone(), self.triangles.clone());
        Shape::Mesh(Arc::new(MeshData { positions, triangles, ..MeshData::default() }))
    }
}

/// One pair on its own.
pub(crate) fn one(
    rays: &mut VolumeRays,
    a: &Solid,
    b: &Solid,
    b_in_a: DPose3,
    count: usize,
) -> Option<RayMoments> {
    let pair = RayPair { a: 0, b: 1, b_in_a, rays: count };
    rays.overlaps(&[a.mesh(), b.mesh()], &[pair]).unwrap()[0]
}

pub(crate) fn at(x: f64, y: f64, z: f64) -> DPose3 {
    DPose3::from_translation(DVec3::new(x, y, z))
}
