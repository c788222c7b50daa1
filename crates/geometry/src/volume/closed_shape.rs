//! Shapes that enclose a volume.

use glamx::{DMat3, DVec3};

use super::height_field;
use super::mesh::Mesh;
use crate::shape::{Shape, ShapeError};

/// A shape of which overlaps can be computed; made once for a body.
#[derive(Debug, Clone)]
pub struct ClosedShape {
    pub(super) form: Form,
    /// Of round shapes, a finer polyhedron for half-spaces; see [`FINE`].
    fine: Option<Box<Mesh>>,
}

/// What a closed shape is made of.
#[derive(Debug, Clone)]
pub(super) enum Form {
    /// Behind the plane through the origin with this normal.
    HalfSpace(DVec3),
    Sphere(Box<Sphere>),
    Mesh(Box<Mesh>),
}

/// A sphere: exact against half-spaces and spheres, a mesh against others.
#[derive(Debug, Clone)]
pub(super) struct Sphere {
    pub(super) radius: f64,
    mesh: Mesh,
}

/// How round shapes become polyhedra.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tessellation {
    /// Segments around the axis, 8 to 1024. Corners lie on the surface: the polyhedron is smaller
    /// than the shape by about 6.6/segments² of its volume for a cylinder.
    pub segments: usize,
}

impl Default for Tessellation {
    fn default() -> Tessellation {
        Tessellation { segments: 64 }
    }
}

/// Why a shape encloses no volume.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VolumeError {
    /// The shape itself is wrong.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A mesh with holes.
    #[error(
        "the mesh is open: {count} of its edges do not have as many triangles in one sense as in the other, the first is that of triangle {triangle} from {from} to {to}; expected a closed surface: fill the holes and give neighbours the same sense"
    )]
    Open {
        /// Open edges.
        count: usize,
        /// A triangle with one of them.
        triangle: usize,
        /// One end.
        from: DVec3,
        /// The other.
        to: DVec3,
    },
    /// A mesh without volume, or turned inside out.
    #[error(
        "the mesh encloses {volume} m³; expected a positive volume: triangles counter-clockwise seen from outside"
    )]
    InsideOut {
        /// Cubic metres.
        volume: f64,
    },
    /// A shape that has no inside.
    #[error(
        "a {what} encloses no volume; expected a closed shape, for example a mesh with walls and a base"
    )]
    NotClosed {
        /// What it is.
        what: &'static str,
    },
    /// Too few or too many segments.
    #[error("the tessellation has {segments} segments; expected 8 to 1024")]
    Segments {
        /// How many.
        segments: usize,
    },
}

impl ClosedShape {
    /// Half-spaces and spheres as they are, boxes and hulls by their faces, meshes by their
    /// triangles, height fields as solids that reach below their lowest point by their longer side,
    /// other round shapes and parts of compounds with the default [`Tessellation`].
    pub fn new(shape: &Shape) -> Result<ClosedShape, VolumeError> {
        ClosedShape::with(shape, Tessellation::default())
    }

    /// With so many segments around round shapes.
    pub fn with(shape: &Shape, tessellation: Tessellation) -> Result<ClosedShape, VolumeError> {
        shape.validate()?;
        let segments = tessellation.segments;
        if !(8..=1024).contains(&segments) {
            return Err(VolumeError::Segments { segments });
        }
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        let form = match shape {
            Shape::HalfSpace { normal } => Form::HalfSpace(normal.normalize()),
            Shape::Sphere { radius } => {
                surface(shape, segments, &mut positions, &mut triangles)?;
                let mesh = Mesh::new(&positions, &triangles)?;
                Form::Sphere(Box::new(Sphere { radius: *radius, mesh }))
            }
            _ => {
                surface(shape, segments, &mut positions, &mut triangles)?;
                Form::Mesh(Box::new(Mesh::new(&positions, &triangles)?))
            }
        };
        let fine = if tessellation == Tessellation::default() && is_round(shape) {
            positions.clear();
            triangles.clear();
            surface(shape, FINE, &mut positions, &mut triangles)?;
            Some(Box::new(Mesh::new(&positions, &triangles)?))
        } else {
            None
        };
        Ok(ClosedShape { form, fine })
    }

    /// A mesh, by its triangles; those of a height field as the solid below them.
    pub(crate) fn of_triangles(
        positions: &[DVec3],
        triangles: &[[u32; 3]],
        heights: bool,
    ) -> Result<ClosedShape, VolumeError> {
        if heights {
            let (mut positions, mut triangles) = (positions.to_vec(), triangles.to_vec());
            height_field::close(&mut positions, &mut triangles);
            return ClosedShape::of_triangles(&positions, &triangles, false);
        }
        Ok(ClosedShape { form: Form::Mesh(Box::new(Mesh::new(positions, triangles)?)), fine: None })
    }

    /// Triangles of the polyhedron that stands for the shape; none for a half-space.
    pub fn triangles(&self) -> usize {
        match &self.form {
            Form::HalfSpace(_) => 0,
            _ => self.mesh().triangles.len(),
        }
    }

    /// The polyhedron; empty for a half-space.
    pub(super) fn mesh(&self) -> &Mesh {
        match &self.form {
            Form::HalfSpace(_) => Mesh::empty(),
            Form::Sphere(sphere) => &sphere.mesh,
            Form::Mesh(mesh) => mesh,
        }
    }
}

impl ClosedShape {
    /// The polyhedron that meets half-spaces.
    pub(super) fn fine_mesh(&self) -> &Mesh {
        self.fine.as_deref().unwrap_or_else(|| self.mesh())
    }
}

/// Whether a shape rolls on edges that its polyhedron has and it has not.
fn is_round(shape: &Shape) -> bool {
    matches!(shape, Shape::Cylinder { .. } | Shape::Cone { .. })
}

/// Segments of cylinders and cones against half-spaces. A polygon that rolls loses energy at each of its corners, by
/// the square of the angle between its sides: a coin of 64 lay down within a second, however little it sank in.
/// What meets a half-space is found by one walk through its boxes, so that the whole costs little more.
const FINE: usize = 1024;

/// Appends the triangles of a shape.
fn surface(
    shape: &Shape,
    segments: usize,
    positions: &mut Vec<DVec3>,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), VolumeError> {
    let first = positions.len() as u32;
    let shifted = |t: [u32; 3]| t.map(|c| c + first);
    match shape {
        Shape::HalfSpace { .. } => return Err(VolumeError::NotClosed { what: shape.name() }),
        Shape::HeightField { .. } => {
            let mesh = shape.height_mesh()?;
            let (mut own, mut faces) = (mesh.positions, mesh.triangles);
            height_field::close(&mut own, &mut faces);
            positions.extend(own);
            triangles.extend(faces.into_iter().map(shifted));
        }
        Shape::Box { .. } | Shape::ConvexHull { .. } => {
            if let Some(poly) = shape.polyhedron()? {
                triangles.extend(poly.triangles().into_iter().map(shifted));
                positions.extend(poly.vertices);
            }
        }
        Shape::Mesh(mesh) => {
            triangles.extend(mesh.triangles.iter().copied().map(shifted));
            positions.extend(&mesh.positions);
        }
        Shape::Sphere { radius: r } => {
            turned(&profile_arc(*r, 0.0, segments, -1.0, 1.0), segments, positions, triangles);
        }
        Shape::Capsule { half_height: l, radius: r } => {
            let mut profile = profile_arc(*r, -l, segments, -1.0, 0.0);
            profile.extend(profile_arc(*r, *l, segments, 0.0, 1.0));
            turned(&profile, segments, positions, triangles);
        }
        Shape::Cylinder { half_height: l, radius: r } => {
            let profile = [(0.0, -l), (*r, -l), (*r, *l), (0.0, *l)];
            turned(&profile, segments, positions, triangles);
        }
        Shape::Cone { half_height: l, radius: r } => {
            turned(&[(0.0, -l), (*r, -l), (0.0, *l)], segments, positions, triangles);
        }
        Shape::Compound(parts) => {
            for (pose, part) in parts {
                let begin = positions.len();
                surface(part, segments, positions, triangles)?;
                let turn = DMat3::from_quat(pose.rotation);
                for p in &mut positions[begin..] {
                    *p = turn * *p + pose.translation;
                }
            }
        }
    }
    Ok(())
}

/// Radii and heights on a circle about (0, height), from one sine of the latitude to another
/// (−1, 0 or 1).
fn profile_arc(r: f64, height: f64, segments: usize, from: f64, to: f64) -> Vec<(f64, f64)> {
    let quarters = (to - from).abs();
    let steps = ((segments as f64 / 4.0).ceil() * quarters) as usize;
    let ring = |k: usize| {
        let angle = (from + (to - from) * k as f64 / steps as f64) * std::f64::consts::FRAC_PI_2;
        // The poles are points to the last bit.
        let pole = angle.abs() == std::f64::consts::FRAC_PI_2;
        (if pole { 0.0 } else { r * angle.cos() }, height + r * angle.sin())
    };
    (0..=steps).map(ring).collect()
}

/// Turns a profile (radius, height), from bottom to top with radius 0 at both ends, about Y.
fn turned(
    profile: &[(f64, f64)],
    segments: usize,
    positions: &mut Vec<DVec3>,
    triangles: &mut Vec<[u32; 3]>,
) {
    let ring = |positions: &mut Vec<DVec3>, (radius, height): (f64, f64)| {
        let first = positions.len() as u32;
        let count = if radius == 0.0 { 1 } else { segments };
        for k in 0..count {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / segments as f64).sin_cos();
            positions.push(DVec3::new(radius * cos, height, radius * sin));
        }
        (first, count as u32)
    };
    let mut below = ring(positions, profile[0]);
    for rim in &profile[1..] {
        let above = ring(positions, *rim);
        let at = |(first, count): (u32, u32), k: usize| first + k as u32 % count;
        for k in 0..segments {
            let (p, q) = (at(below, k), at(below, k + 1));
            let (r, s) = (at(above, k), at(above, k + 1));
            if p != q {
                triangles.push([p, r, q]);
            }
            if r != s {
                triangles.push([q, r, s]);
            }
        }
        below = above;
    }
}
