use glamx::{DVec2, DVec3};

use super::{TetMesh, brick};
use crate::SoftError;
use crate::error::positive;

/// A ball centred at the origin: a cube of `cells`³ cells whose shells are blown up to spheres.
/// It has 5 cells³ tetrahedra.
pub fn sphere(radius: f64, cells: u32) -> Result<TetMesh, SoftError> {
    positive("radius", radius)?;
    let mut mesh = brick(DVec3::splat(2.0), [cells; 3])?;
    for p in &mut mesh.positions {
        // The shell with largest coordinate s becomes the sphere of radius s.
        *p = cube_to_ball(*p) * radius;
    }
    mesh.orient();
    Ok(mesh)
}

/// A cylinder about y, centred at the origin: `cells[0]` across its diameter, `cells[1]` along.
pub fn cylinder(radius: f64, height: f64, cells: [u32; 2]) -> Result<TetMesh, SoftError> {
    positive("radius", radius)?;
    positive("height", height)?;
    let mut mesh = brick(DVec3::new(2.0, height, 2.0), [cells[0], cells[1], cells[0]])?;
    for p in &mut mesh.positions {
        let round = square_to_disc(DVec2::new(p.x, p.z)) * radius;
        *p = DVec3::new(round.x, p.y, round.y);
    }
    mesh.orient();
    Ok(mesh)
}

/// From the cube of half-side 1 to the ball of radius 1. Directions are spread by the tangent, so
/// that the cells of the faces are nearly alike.
fn cube_to_ball(p: DVec3) -> DVec3 {
    let s = p.abs().max_element();
    if s == 0.0 { p } else { spread(p / s).normalize() * s }
}

fn square_to_disc(p: DVec2) -> DVec2 {
    let s = p.abs().max_element();
    if s == 0.0 {
        return p;
    }
    let q = p / s * std::f64::consts::FRAC_PI_4;
    DVec2::new(q.x.tan(), q.y.tan()).normalize() * s
}

fn spread(p: DVec3) -> DVec3 {
    let q = p * std::f64::consts::FRAC_PI_4;
    DVec3::new(q.x.tan(), q.y.tan(), q.z.tan())
}
