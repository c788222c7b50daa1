//! The friction of a whole patch as Newton's method sees it: a limit surface under the load of the proximal point.

use asperity_friction::set::{LimitSurface, Set};
use glamx::{DMat3, DVec3};

use super::projection::{Projected, State, Vector};
use crate::block::FrictionBlock;
use crate::problem::ContactProblem;
use crate::unit_balls::read;
use crate::units::Unit;

/// A unit that is the friction of a patch, with its torque in units in which it is a force.
pub(crate) struct Patch<'a> {
    block: &'a FrictionBlock,
    surface: LimitSurface,
    /// Patch radius on the row of the torque, one on the others.
    scale: DVec3,
}

impl<'a> Patch<'a> {
    /// Of a unit without a normal row of its own; `None` where it is another.
    pub(crate) fn of(problem: &'a ContactProblem, unit: &Unit) -> Option<Patch<'a>> {
        let block = unit.block.map(|k| &problem.blocks[k])?;
        let (Set::LimitSurface(surface), None) = (&block.law.set, unit.normal) else { return None };
        let scale = DVec3::new(1.0, 1.0, unit.radius);
        Some(Patch { block, surface: surface.in_torque_units(unit.radius), scale })
    }

    /// The impulses for velocities û, about the proximal point `centre`, with the compliance `eps`.
    pub(crate) fn projected(&self, eps: f64, u: &Vector, centre: &[f64], out: &mut Projected) {
        let slip = read(&u[..3]) * self.scale;
        let z = read(&centre[self.block.rows.clone()]) / self.scale - slip / eps;
        let load = self.block.load(centre);
        let (p, slope) = self.surface.project_with_slope(z, load, Some(-slip));
        out.state = if slope == DMat3::ZERO {
            State::Open
        } else if slope == DMat3::IDENTITY {
            State::Holds
        } else {
            State::Slips
        };
        out.potential = 0.5 * (z.length_squared() - (z - p).length_squared()) * eps;
        let r = p * self.scale;
        for k in 0..3 {
            (out.r[k], out.unit_r[k]) = (r[k], r[k]);
            for j in 0..3 {
                out.slope[k][j] = slope.col(j)[k] * self.scale[k] * self.scale[j] / eps;
            }
        }
    }

    /// The impulses alone, about the impulses `r`.
    pub(crate) fn project(&self, eps: f64, u: &Vector, r: &[f64]) -> DVec3 {
        let slip = read(&u[..3]) * self.scale;
        let z = read(&r[self.block.rows.clone()]) / self.scale - slip / eps;
        self.surface.project_along(z, self.block.load(r), Some(-slip)) * self.scale
    }

    /// Its part of the matrix while it holds, row by row.
    pub(crate) fn stiffness(&self, eps: f64) -> DVec3 {
        self.scale * self.scale / eps
    }

    /// Whether anything presses on it.
    pub(crate) fn is_pressed(&self, r: &[f64]) -> bool {
        self.block.load(r) > 0.0
    }
}
