use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glamx::DVec3;

use super::Pressure;
use super::angle::{atan2, first_quadrant};
use super::steady::{Lattice, corner_wrench, wrench};
use crate::FrictionError;

/// A pre-computed limit surface (section V-D, Eqs. 29 and 33–42), for isotropic friction.
///
/// Twists are sampled over half a sphere: θ is the direction of sliding, φ is 0 for pure spin and
/// π/2 for pure sliding. The other half is the opposite of the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// N_ls: cells from φ = 0 to π/2.
    resolution: usize,
    /// Nodes of h, θ by θ, with 4 N_ls + 1 by N_ls + 1 of them.
    nodes: Vec<DVec3>,
}

/// Finest table.
pub const MAX_RESOLUTION: usize = 500;

impl Table {
    /// Samples a pressure distribution with N_ls cells from spin to sliding (the paper: 20).
    ///
    /// Rotations about a point of the grid are means over the corners of its cell (Eq. 21), and
    /// many nodes share corners: each corner is computed once.
    pub fn new(pressure: &Pressure, resolution: usize) -> Result<Table, FrictionError> {
        let resolution = check_resolution(resolution)?;
        let r = pressure.spin_radius();
        let lattice = Lattice::of(pressure);
        let mut corners: Vec<Option<DVec3>> = vec![None; lattice.corners()];
        let most = DVec3::new(1.0, 1.0, if r > 0.0 { r } else { 1.0 });
        let mut nodes = Vec::with_capacity((4 * resolution + 1) * (resolution + 1));
        for i in 0..=4 * resolution {
            for j in 0..=resolution {
                let twist = sampled_twist(i, j, resolution, r);
                let force = match lattice.around(twist) {
                    None => wrench(pressure, twist),
                    Some((first, part)) => Lattice::mean(first, part, |corner| {
                        *corners[lattice.number(corner)]
                            .get_or_insert_with(|| corner_wrench(pressure, &lattice, corner))
                    }),
                };
                nodes.push(force / most);
            }
        }
        Ok(Table { resolution, nodes })
    }

    /// h(r, v) (Eqs. 35–42; Eq. 36 with its arguments the right way round): the wrench for a twist
    /// in units of the largest force and of the largest torque, which is r times the force.
    #[inline]
    pub fn lookup(&self, radius: f64, twist: DVec3) -> DVec3 {
        let sign = if twist.z < 0.0 { -1.0 } else { 1.0 };
        let (x, y) = (sign * twist.x, sign * twist.y);
        let mut theta = atan2(y, x);
        if theta < 0.0 {
            theta += TAU;
        }
        let phi = first_quadrant((x * x + y * y).sqrt(), radius * twist.z.abs());
        let scale = self.resolution as f64 / FRAC_PI_2;
        let (a, b) = (theta * scale, phi * scale);
        let i = (a as usize).min(4 * self.resolution - 1);
        let j = (b as usize).min(self.resolution - 1);
        let (da, db) = (a - i as f64, b - j as f64);
        let stride = self.resolution + 1;
        let at = i * stride + j;
        let near = self.nodes[at] * (1.0 - db) + self.nodes[at + 1] * db;
        let far = self.nodes[at + stride] * (1.0 - db) + self.nodes[at + stride + 1] * db;
        (near * (1.0 - da) + far * da) * sign
    }

    /// Node (i_θ, i_φ); `None` outside of the table.
    pub fn node(&self, i: usize, j: usize) -> Option<DVec3> {
        let inside = i <= 4 * self.resolution && j <= self.resolution;
        inside.then(|| self.nodes[i * (self.resolution + 1) + j])
    }

    /// N_ls.
    pub fn resolution(&self) -> usize {
        self.resolution
    }
}

/// The twist of a node (Eq. 33).
pub fn sampled_twist(i: usize, j: usize, resolution: usize, radius: f64) -> DVec3 {
    let step = PI / (2 * resolution) as f64;
    let ((st, ct), (sp, cp)) = ((i as f64 * step).sin_cos(), (j as f64 * step).sin_cos());
    DVec3::new(radius * ct * sp, radius * st * sp, cp)
}

pub(super) fn check_resolution(resolution: usize) -> Result<usize, FrictionError> {
    if (1..=MAX_RESOLUTION).contains(&resolution) {
        return Ok(resolution);
    }
    Err(FrictionError::Value {
        what: "resolution N_ls".to_owned(),
        value: resolution as f64,
        expected: "a whole number from 1 to 500",
    })
}
