//! Limit surfaces of axisymmetric pressures: one curve each.

use std::f64::consts::FRAC_PI_2;

use glamx::{DVec2, DVec3};

use super::Pressure;
use super::angle::first_quadrant;
use super::steady::bilinear_wrench;
use super::table::{check_resolution, sampled_twist};
use crate::FrictionError;

/// The limit surface of an axisymmetric pressure (section III-D): one curve from pure spin to pure
/// sliding, turned about the torque axis. It is 4 N_ls times cheaper than a table, which is what
/// makes a shape that follows the load cheap.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// (force against the sliding, torque against the spin), in units of the largest ones.
    nodes: Vec<DVec2>,
}

impl Curve {
    /// Samples a pressure that is taken to be axisymmetric, with N_ls cells from spin to sliding.
    /// The grid is not quite round: the mean over sliding along an axis and along a diagonal.
    pub fn new(pressure: &Pressure, resolution: usize) -> Result<Curve, FrictionError> {
        let resolution = check_resolution(resolution)?;
        let r = pressure.spin_radius();
        let most = if r > 0.0 { r } else { 1.0 };
        let node = |j: usize| {
            let mut sum = DVec2::ZERO;
            for i in [0, resolution] {
                // θ = 0 and, with half the steps, 45°.
                let twist = sampled_twist(i, 2 * j, 2 * resolution, r);
                let force = bilinear_wrench(pressure, twist);
                let along = DVec2::new(twist.x, twist.y).normalize_or_zero();
                sum += DVec2::new(-along.dot(DVec2::new(force.x, force.y)), -force.z / most);
            }
            0.5 * sum
        };
        Ok(Curve { nodes: (0..=resolution).map(node).collect() })
    }

    /// A curve from its nodes: (force, torque) in units of the largest ones, at equal steps of φ
    /// from pure spin (0) to pure sliding (π/2), tan φ = ‖v‖/(r ω).
    pub fn from_nodes(nodes: Vec<DVec2>) -> Result<Curve, FrictionError> {
        if nodes.len() < 2 || nodes.iter().any(|n| !n.is_finite()) {
            let count = nodes.len();
            return Err(FrictionError::Shape(format!(
                "limit curve has {count} nodes; expected at least two, all finite"
            )));
        }
        Ok(Curve { nodes })
    }

    /// h(r, v), as [`super::Table::lookup`].
    #[inline]
    pub fn lookup(&self, radius: f64, twist: DVec3) -> DVec3 {
        let cells = self.nodes.len() - 1;
        let speed = (twist.x * twist.x + twist.y * twist.y).sqrt();
        let at = first_quadrant(speed, radius * twist.z.abs()) * (cells as f64 / FRAC_PI_2);
        let j = (at as usize).min(cells - 1);
        let part = at - j as f64;
        let h = self.nodes[j] * (1.0 - part) + self.nodes[j + 1] * part;
        let scale = if speed > 0.0 { -h.x / speed } else { 0.0 };
        DVec3::new(twist.x * scale, twist.y * scale, -h.y.copysign(twist.z))
    }

    /// The nodes.
    pub fn nodes(&self) -> &[DVec2] {
        &self.nodes
    }
}
