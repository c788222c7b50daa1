//! The surface of a shape as triangles, for pictures and for sampling.

mod edges;
mod revolve;

use glamx::{DPose3, DVec2, DVec3};

use super::{Polyhedron, Shape, ShapeError};
use crate::collision::surface::surface_point;

/// The surface of a shape in triangles, body axes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skin {
    /// Corners of triangles, metres.
    pub positions: Vec<DVec3>,
    /// Unit vectors out of the surface, one for each position.
    pub normals: Vec<DVec3>,
    /// Texture coordinates as [`surface_point`] has them, one for each position.
    pub uvs: Vec<DVec2>,
    /// Direction of growing u and the bitangent's sign, one for each position.
    pub tangents: Vec<[f64; 4]>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle the part that [`surface_point`] wants: of a compound, or the triangle of
    /// a mesh.
    pub parts: Vec<u32>,
    /// Sharp edges.
    pub edges: Vec<[DVec3; 2]>,
}

impl Shape {
    /// The surface in triangles. Round shapes have so many `segments` around them (at least 6),
    /// a half-space is a disc of radius `reach` about the origin.
    pub fn skin(&self, segments: usize, reach: f64) -> Result<Skin, ShapeError> {
        self.validate()?;
        let segments = segments.clamp(6, 1024);
        let mut skin = Skin::default();
        match self {
            Shape::HalfSpace { normal } => {
                skin.disc(self, DVec3::ZERO, normal.normalize(), reach, segments);
            }
            Shape::Box { .. } | Shape::ConvexHull { .. } => {
                if let Some(poly) = self.polyhedron()? {
                    skin.polyhedron(self, &poly);
                }
            }
            Shape::Sphere { .. }
            | Shape::Capsule { .. }
            | Shape::Cylinder { .. }
            | Shape::Cone { .. } => skin.revolved(self, segments),
            Shape::Mesh(mesh) => {
                skin.mesh(self, &mesh.positions, &mesh.triangles, &mesh.normals);
                skin.edges = edges::sharp(&mesh.positions, &mesh.triangles);
            }
            Shape::HeightField { .. } => {
                let mesh = self.height_mesh()?;
                let normals = smooth_normals(&mesh.positions, &mesh.triangles);
                skin.mesh(self, &mesh.positions, &mesh.triangles, &normals);
            }
            Shape::Compound(parts) => {
                for (k, (pose, shape)) in parts.iter().enumerate() {
                    skin.append(&shape.skin(segments, reach)?, *pose, k as u32);
                }
            }
        }
        Ok(skin)
    }
}

impl Skin {
    /// Adds a corner with the axes and coordinates that the shape has there.
    fn corner(&mut self, shape: &Shape, part: u32, position: DVec3, normal: DVec3) -> u32 {
        let frame = surface_point(shape, part, position, normal);
        self.corner_at(position, normal, frame.uv, frame.tangent, frame.bitangent)
    }

    fn corner_at(
        &mut self,
        position: DVec3,
        normal: DVec3,
        uv: DVec2,
        tangent: DVec3,
        bitangent: DVec3,
    ) -> u32 {
        let sign = if normal.cross(tangent).dot(bitangent) < 0.0 { -1.0 } else { 1.0 };
        self.positions.push(position);
        self.normals.push(normal);
        self.uvs.push(uv);
        self.tangents.push([tangent.x, tangent.y, tangent.z, sign]);
        self.positions.len() as u32 - 1
    }

    fn triangle(&mut self, corners: [u32; 3], part: u32) {
        self.triangles.push(corners);
        self.parts.push(part);
    }

    /// A flat face; its corners run counter-clockwise seen from outside.
    fn face(&mut self, shape: &Shape, corners: &[DVec3], normal: DVec3) {
        let numbers: Vec<u32> = corners.iter().map(|p| self.corner(shape, 0, *p, normal)).collect();
        for k in 2..numbers.len() {
            self.triangle([numbers[0], numbers[k - 1], numbers[k]], 0);
        }
    }

    fn disc(&mut self, shape: &Shape, centre: DVec3, normal: DVec3, radius: f64, segments: usize) {
        let (x, y) = normal.any_orthonormal_pair();
        let rim = |k: usize| {
            let angle = std::f64::consts::TAU * k as f64 / segments as f64;
            centre + radius * (x * angle.cos() + y * angle.sin())
        };
        let rim: Vec<DVec3> = (0..segments).map(rim).collect();
        // The pair is right-handed with the normal, so that this runs counter-clockwise.
        let rim = if x.cross(y).dot(normal) < 0.0 { rim.into_iter().rev().collect() } else { rim };
        self.face(shape, &rim, normal);
    }

    fn polyhedron(&mut self, shape: &Shape, poly: &Polyhedron) {
        for face in &poly.faces {
            let corners: Vec<DVec3> =
                face.corners.iter().map(|c| poly.vertices[*c as usize]).collect();
            self.face(shape, &corners, face.normal);
        }
        let end = |e: u32| poly.vertices[e as usize];
        let sharp = poly.edges.iter().filter(|e| {
            let [f, g] = e.faces.map(|f| poly.faces[f as usize].normal);
            f.dot(g) < edges::SHARP
        });
        self.edges.extend(sharp.map(|e| e.ends.map(end)));
    }

    /// A mesh with normals for each position, or with flat triangles where it has none.
    fn mesh(
        &mut self,
        shape: &Shape,
        positions: &[DVec3],
        triangles: &[[u32; 3]],
        normals: &[DVec3],
    ) {
        for (k, corners) in triangles.iter().enumerate() {
            let [a, b, c] = corners.map(|c| positions[c as usize]);
            let flat = (b - a).cross(c - a).normalize_or(DVec3::Y);
            let numbers = corners.map(|c| {
                // A mean over a sharp edge belongs to neither of its faces.
                let given = normals.get(c as usize).filter(|n| n.dot(flat) > edges::SHARP);
                let normal = given.copied().unwrap_or(flat);
                self.corner(shape, k as u32, positions[c as usize], normal)
            });
            self.triangle(numbers, k as u32);
        }
    }

    /// Adds a part of a compound.
    fn append(&mut self, other: &Skin, pose: DPose3, part: u32) {
        let first = self.positions.len() as u32;
        self.positions.extend(other.positions.iter().map(|p| pose.transform_point(*p)));
        self.normals.extend(other.normals.iter().map(|n| pose.rotation * *n));
        self.uvs.extend_from_slice(&other.uvs);
        self.tangents.extend(other.tangents.iter().map(|[x, y, z, w]| {
            let t = pose.rotation * DVec3::new(*x, *y, *z);
            [t.x, t.y, t.z, *w]
        }));
        for triangle in &other.triangles {
            self.triangle(triangle.map(|c| c + first), part);
        }
        let placed = |ends: &[DVec3; 2]| ends.map(|p| pose.transform_point(p));
        self.edges.extend(other.edges.iter().map(placed));
    }
}

/// Unit normals of corners: the mean of the triangles about each, by area.
pub fn smooth_normals(positions: &[DVec3], triangles: &[[u32; 3]]) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO; positions.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|c| positions[c as usize]);
        let normal = (b - a).cross(c - a);
        for c in corners {
            sums[*c as usize] += normal;
        }
    }
    sums.into_iter().map(|n| n.normalize_or(DVec3::Y)).collect()
}
