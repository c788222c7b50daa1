//! Shapes: what a body looks like, checked before anything is built from it.

mod error;
mod hull;
mod mass;
mod polyhedron;
mod ring;
mod skin;

use std::sync::Arc;

use glamx::{DPose3, DVec2, DVec3};
use parry3d_f64::shape::{ConvexPolyhedron, SharedShape};
use parry3d_f64::utils::Array2;

pub use error::ShapeError;
pub use mass::MassProps;
pub use polyhedron::{Edge, Face, Polyhedron};
pub use ring::RING_SIDES;
pub use skin::Skin;
pub use skin::smooth_normals;

/// Smallest extent of a shape, metres.
pub const MIN_SIZE: f64 = 1e-9;
/// Largest ratio of a shape's largest extent to its smallest.
pub const MAX_ASPECT: f64 = 1e6;

/// The shape of a body, in its axes; lengths in metres.
#[derive(Debug, Clone)]
pub enum Shape {
    /// Everything behind the plane through the body's origin.
    HalfSpace {
        /// Out of the solid side.
        normal: DVec3,
    },
    /// A box about the origin.
    Box {
        /// Half the edge lengths.
        half_extents: DVec3,
    },
    /// A sphere about the origin.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A capsule along Y.
    Capsule {
        /// Half the length of its axis, without the ends' spheres.
        half_height: f64,
        /// Radius.
        radius: f64,
    },
    /// A cylinder along Y.
    Cylinder {
        /// Half its height.
        half_height: f64,
        /// Radius.
        radius: f64,
    },
    /// A cone along Y: its base at `-half_height`, its apex at `+half_height`.
    Cone {
        /// Half its height.
        half_height: f64,
        /// Radius of the base.
        radius: f64,
    },
    /// The convex hull of points.
    ConvexHull {
        /// The points; those inside do nothing.
        points: Vec<DVec3>,
    },
    /// A triangle mesh; counter-clockwise seen from outside, solid from the outside only.
    Mesh(Arc<MeshData>),
    /// Heights over a grid in the XZ plane, centred on the origin; solid from above.
    HeightField {
        /// Heights along Y, row by row.
        heights: Vec<f64>,
        /// Samples along Z.
        rows: usize,
        /// Samples along X.
        columns: usize,
        /// Extent along X and Z.
        size: DVec2,
    },
    /// Convex parts, each placed in body axes. Where parts overlap, mass counts twice.
    Compound(Vec<(DPose3, Shape)>),
}

/// A triangle mesh with what its file says about its surface.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshData {
    /// Metres, body axes.
    pub positions: Vec<DVec3>,
    /// Indices into `positions`, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// One for each position, or empty.
    pub normals: Vec<DVec3>,
    /// One for each position, or empty.
    pub uvs: Vec<DVec2>,
    /// Direction of growing u and the bitangent's sign, one for each position, or empty.
    pub tangents: Vec<[f64; 4]>,
}

impl Shape {
    /// What the shape is called in messages.
    pub fn name(&self) -> &'static str {
        match self {
            Shape::HalfSpace { .. } => "half-space",
            Shape::Box { .. } => "box",
            Shape::Sphere { .. } => "sphere",
            Shape::Capsule { .. } => "capsule",
            Shape::Cylinder { .. } => "cylinder",
            Shape::Cone { .. } => "cone",
            Shape::ConvexHull { .. } => "convex hull",
            Shape::Mesh(_) => "mesh",
            Shape::HeightField { .. } => "height field",
            Shape::Compound(_) => "compound",
        }
    }

    /// Checks everything that would make the shape unusable.
    pub fn validate(&self) -> Result<(), ShapeError> {
        match self {
            Shape::HalfSpace { normal } => {
                finite("the half-space's normal", *normal)?;
                length("the length of the half-space's normal", normal.length())
            }
            Shape::Box { half_extents: h } => {
                finite("the box's half extents", *h)?;
                length("the box's smallest half extent", h.min_element())?;
                aspect("the box", h.min_element(), h.max_element())
            }
            Shape::Sphere { radius } => length("the sphere's radius", *radius),
            Shape::Capsule { half_height, radius }
            | Shape::Cylinder { half_height, radius }
            | Shape::Cone { half_height, radius } => {
                let what = self.name();
                length(&format!("the {what}'s half height"), *half_height)?;
                length(&format!("the {what}'s radius"), *radius)?;
                aspect(&format!("the {what}"), half_height.min(*radius), half_height.max(*radius))
            }
            Shape::ConvexHull { points } => hull::convex_hull(points).map(|_| ()),
            Shape::Mesh(mesh) => mesh.validate(),
            Shape::HeightField { .. } => self.height_mesh()?.validate(),
            Shape::Compound(parts) => {
                if parts.is_empty() {
                    return Err(count("parts of the compound", 0, "at least 1"));
                }
                for (part, (pose, shape)) in parts.iter().enumerate() {
                    if !pose.is_finite() {
                        let what = format!("the pose of part {part}");
                        return Err(ShapeError::NotFinite { what, value: format!("{pose:?}") });
                    }
                    if !shape.is_convex() {
                        return Err(ShapeError::Part { part, what: shape.name() });
                    }
                    shape.validate()?;
                }
                Ok(())
            }
        }
    }

    /// The shape as parry knows it, for queries outside the engine.
    pub fn build(&self) -> Result<SharedShape, ShapeError> {
        self.validate()?;
        Ok(match self {
            Shape::HalfSpace { normal } => SharedShape::halfspace(normal.normalize()),
            Shape::Box { half_extents: h } => SharedShape::cuboid(h.x, h.y, h.z),
            Shape::Sphere { radius } => SharedShape::ball(*radius),
            Shape::Capsule { half_height, radius } => SharedShape::capsule_y(*half_height, *radius),
            Shape::Cylinder { half_height, radius } => SharedShape::cylinder(*half_height, *radius),
            Shape::Cone { half_height, radius } => SharedShape::cone(*half_height, *radius),
            Shape::ConvexHull { points } => {
                let poly = hull::convex_hull(points)?;
                let triangles = poly.triangles();
                let parry = ConvexPolyhedron::from_convex_mesh(poly.vertices, &triangles);
                let why = "its faces do not close";
                SharedShape::new(parry.ok_or(ShapeError::Hull { points: points.len(), why })?)
            }
            Shape::Mesh(mesh) => mesh.build()?,
            Shape::HeightField { heights, rows, columns, size } => {
                let by_column = (0..*columns)
                    .flat_map(|c| (0..*rows).map(move |r| heights[r * columns + c]))
                    .collect();
                let grid = Array2::new(*rows, *columns, by_column);
                SharedShape::heightfield(grid, DVec3::new(size.x, 1.0, size.y))
            }
            Shape::Compound(parts) => {
                let parts = parts.iter().map(|(pose, shape)| Ok((*pose, shape.build()?)));
                SharedShape::compound(parts.collect::<Result<_, ShapeError>>()?)
            }
        })
    }

    /// Whether the shape is a single bounded convex body.
    pub fn is_convex(&self) -> bool {
        !matches!(
            self,
            Shape::HalfSpace { .. }
                | Shape::Mesh(_)
                | Shape::HeightField { .. }
                | Shape::Compound(_)
        )
    }

    /// The convex polyhedron of a box or a hull.
    pub fn polyhedron(&self) -> Result<Option<Polyhedron>, ShapeError> {
        match self {
            Shape::Box { half_extents } => Ok(Some(Polyhedron::cuboid(*half_extents))),
            Shape::ConvexHull { points } => hull::convex_hull(points).map(Some),
            _ => Ok(None),
        }
    }

    /// The triangles of a height field: two for each cell, row by row, the first at the lower x.
    pub fn height_mesh(&self) -> Result<MeshData, ShapeError> {
        let Shape::HeightField { heights, rows, columns, size } = self else {
            return Ok(MeshData::default());
        };
        if *rows < 2 || *columns < 2 {
            let smaller = (*rows).min(*columns);
            return Err(count("rows or columns of the height field", smaller, "at least 2"));
        }
        if heights.len() != rows * columns {
            let expected = format!("{rows} rows × {columns} columns = {}", rows * columns);
            return Err(count("heights of the height field", heights.len(), &expected));
        }
        length("the height field's size along x", size.x)?;
        length("the height field's size along z", size.y)?;
        let at = |r: usize, c: usize| {
            DVec3::new(
                size.x * (c as f64 / (columns - 1) as f64 - 0.5),
                heights[r * columns + c],
                size.y * (r as f64 / (rows - 1) as f64 - 0.5),
            )
        };
        let positions = (0..*rows).flat_map(|r| (0..*columns).map(move |c| at(r, c))).collect();
        let mut triangles = Vec::with_capacity(2 * (rows - 1) * (columns - 1));
        for r in 0..rows - 1 {
            for c in 0..columns - 1 {
                let i = (r * columns + c) as u32;
                let below = i + *columns as u32;
                triangles.push([i, below, i + 1]);
                triangles.push([below, below + 1, i + 1]);
            }
        }
        Ok(MeshData { positions, triangles, ..MeshData::default() })
    }
}

impl MeshData {
    /// Checks counts, indices, numbers and areas; names the first that is wrong.
    pub fn validate(&self) -> Result<(), ShapeError> {
        let n = self.positions.len();
        if self.triangles.is_empty() {
            return Err(count("triangles of the mesh", 0, "at least 1"));
        }
        let per_position = [
            ("normals of the mesh", self.normals.len()),
            ("uvs of the mesh", self.uvs.len()),
            ("tangents of the mesh", self.tangents.len()),
        ];
        for (what, have) in per_position {
            if have != 0 && have != n {
                return Err(count(what, have, &format!("none or {n}, one for each position")));
            }
        }
        for (i, p) in self.positions.iter().enumerate() {
            finite(&format!("position {i} of the mesh"), *p)?;
        }
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|&&c| c as usize >= n) {
                return Err(ShapeError::Index { triangle, index, count: n });
            }
            let [a, b, c] = corners.map(|c| self.positions[c as usize]);
            let area = 0.5 * (b - a).cross(c - a).length();
            let longest = (b - a).length().max((c - b).length()).max((a - c).length());
            if !(area > 0.5 * longest * longest / MAX_ASPECT) || longest < MIN_SIZE {
                return Err(ShapeError::DegenerateTriangle { triangle, area });
            }
        }
        Ok(())
    }

    fn build(&self) -> Result<SharedShape, ShapeError> {
        SharedShape::trimesh(self.positions.clone(), self.triangles.clone())
            .map_err(|_| count("triangles of the mesh", 0, "at least 1"))
    }
}

fn finite(what: &str, v: DVec3) -> Result<(), ShapeError> {
    if v.is_finite() {
        return Ok(());
    }
    Err(ShapeError::NotFinite { what: what.into(), value: v.to_string() })
}

fn length(what: &str, value: f64) -> Result<(), ShapeError> {
    if !value.is_finite() {
        return Err(ShapeError::NotFinite { what: what.into(), value: value.to_string() });
    }
    if value < MIN_SIZE {
        return Err(ShapeError::TooSmall { what: what.into(), value });
    }
    Ok(())
}

fn aspect(what: &str, smallest: f64, largest: f64) -> Result<(), ShapeError> {
    if largest <= MAX_ASPECT * smallest {
        return Ok(());
    }
    Err(ShapeError::Aspect { what: what.into(), smallest, largest })
}

fn count(what: &str, count: usize, expected: &str) -> ShapeError {
    ShapeError::Count { what: what.into(), count, expected: expected.into() }
}
