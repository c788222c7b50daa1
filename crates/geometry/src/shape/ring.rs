//! Rings: cylinders with a round hole along their axis, as meshes.

use std::f64::consts::TAU;
use std::sync::Arc;

use glamx::{DVec2, DVec3};

use super::{MeshData, Shape, ShapeError, length};

/// Sides of a ring.
pub const RING_SIDES: usize = 64;

impl Shape {
    /// A ring along Y about the origin: a cylinder with a hole, as a closed mesh of [`RING_SIDES`] sides. Its
    /// corners lie a little outside of both circles, so that volume and area of a face are those of a round
    /// one, and its inertia is to the fourth power of the angle of a side.
    pub fn ring(outer: f64, inner: f64, half_height: f64) -> Result<Shape, ShapeError> {
        length("the ring's inner radius", inner)?;
        length("the ring's half height", half_height)?;
        length("the ring's outer radius", outer)?;
        length("the width of the ring, its outer radius less its inner one,", outer - inner)?;
        let step = TAU / RING_SIDES as f64;
        let grown = (step / step.sin()).sqrt();
        let radii = [outer * grown, inner * grown];
        let mut mesh = MeshData::default();
        for k in 0..RING_SIDES {
            let way = DVec2::from_angle(step * k as f64);
            for (radius, y) in
                [(0, half_height), (1, half_height), (1, -half_height), (0, -half_height)]
            {
                let at = way * radii[radius];
                mesh.positions.push(DVec3::new(at.x, y, -at.y));
            }
        }
        for k in 0..RING_SIDES as u32 {
            let next = (k + 1) % RING_SIDES as u32;
            for i in 0..4 {
                let [a, b] = [4 * k + i, 4 * k + (i + 1) % 4];
                let [c, d] = [4 * next + (i + 1) % 4, 4 * next + i];
                mesh.triangles.extend([[a, c, b], [a, d, c]]);
            }
        }
        let shape = Shape::Mesh(Arc::new(mesh));
        shape.validate()?;
        Ok(shape)
    }
}
