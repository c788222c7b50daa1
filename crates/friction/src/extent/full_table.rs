//! Limit surfaces of any planar section, sampled over the whole sphere of twists.

use std::f64::consts::PI;

use glamx::{DVec2, DVec3};

use super::Pressure;
use super::table::check_resolution;
use crate::FrictionError;
use crate::set::{Kind, Set};

/// A limit surface sampled over the whole sphere of twists, for any planar section: an extension
/// of the paper's half sphere, which takes friction to be the same in opposite directions.
///
/// Every cell carries the traction of its own slip, so the nodes are points of the convex set whose
/// support function is H(v, ω) = Σ share · h(v + ω × ρ). A lookup is a mean of four of them and lies
/// in their hull, so the table never asks for more than the section allows.
#[derive(Debug, Clone, PartialEq)]
pub struct FullTable {
    resolution: usize,
    /// Wrenches per unit load, θ by θ: 4 N_ls + 1 by 2 N_ls + 1 of them.
    nodes: Vec<DVec3>,
    radius: f64,
    associated: bool,
}

impl FullTable {
    /// Samples a pressure with a planar section (disk, ellipse, box, polygon or tensor), with N_ls
    /// cells from spin to sliding.
    pub fn new(
        pressure: &Pressure,
        section: &Set,
        resolution: usize,
    ) -> Result<FullTable, FrictionError> {
        let resolution = check_resolution(resolution)?;
        if section.dim() != 2 || matches!(section, Set::Free(_)) {
            return Err(FrictionError::Shape(format!(
                "section of a limit surface is \"{}\" with {} rows; expected a bounded set of two",
                section.name(),
                section.dim()
            )));
        }
        let radius = pressure.spin_radius();
        let mut nodes = Vec::with_capacity((4 * resolution + 1) * (2 * resolution + 1));
        for i in 0..=4 * resolution {
            for j in 0..=2 * resolution {
                let step = PI / (2 * resolution) as f64;
                let (st, ct) = (i as f64 * step).sin_cos();
                let (sp, cp) = (j as f64 * step).sin_cos();
                let twist = DVec3::new(radius * ct * sp, radius * st * sp, cp);
                nodes.push(wrench(pressure, section, twist));
            }
        }
        Ok(FullTable { resolution, nodes, radius, associated: section.kind() == Kind::Convex })
    }

    /// The wrench for a twist at the centre of pressure, per unit load.
    pub fn lookup(&self, twist: DVec3) -> DVec3 {
        let slip = DVec2::new(twist.x, twist.y);
        if slip == DVec2::ZERO && twist.z == 0.0 {
            return DVec3::ZERO;
        }
        let theta = slip.to_angle().rem_euclid(2.0 * PI);
        let phi = slip.length().atan2(self.radius * twist.z);
        let scale = (2 * self.resolution) as f64 / PI;
        let (a, b) = (theta * scale, phi * scale);
        let i = (a as usize).min(4 * self.resolution - 1);
        let j = (b as usize).min(2 * self.resolution - 1);
        let (da, db) = (a - i as f64, b - j as f64);
        let stride = 2 * self.resolution + 1;
        let at = i * stride + j;
        let near = self.nodes[at] * (1.0 - db) + self.nodes[at + 1] * db;
        let far = self.nodes[at + stride] * (1.0 - db) + self.nodes[at + stride + 1] * db;
        near * (1.0 - da) + far * da
    }

    /// The nodes: wrenches on the surface.
    pub fn nodes(&self) -> &[DVec3] {
        &self.nodes
    }

    /// Whether the surface is that of maximum dissipation: not for a tensor, which has a traction
    /// only; its table is an approximation of no convex set.
    pub fn is_associated(&self) -> bool {
        self.associated
    }
}

/// The wrench of a patch with any section, summed over cells.
fn wrench(pressure: &Pressure, section: &Set, twist: DVec3) -> DVec3 {
    let mut sum = DVec3::ZERO;
    for (at, share) in pressure.iter() {
        let slip = DVec2::new(twist.x, twist.y) + at.perp() * twist.z;
        let mut force = [0.0; 2];
        section.traction(&slip.to_array(), share, &mut force);
        let force = DVec2::from_array(force);
        sum += force.extend(at.perp_dot(force));
    }
    sum
}
