//! A patch whose load is held: one strictly convex problem for the slip that is left.

use asperity_friction::set::LimitSurface;
use glamx::{DMat3, DVec3};

use super::{Local, MAX_LOCAL};

/// Solves the patch, where `stick` are the impulses that leave no slip; false where its block of W is too near to
/// singular.
pub(super) fn solve(
    local: &Local,
    surface: &LimitSurface,
    stick: &[f64; MAX_LOCAL],
    r: &mut [f64],
) -> bool {
    let read = |v: &[f64]| DVec3::new(v[0], v[1], v[2]);
    let matrix = |m: &[f64]| DMat3::from_cols(read(m), read(&m[3..]), read(&m[6..])).transpose();
    let (w, inverse) = (matrix(local.w), matrix(local.inverse));
    // W⁻¹ is symmetric but for rounding.
    let stiffness = (inverse + inverse.transpose()) * 0.5;
    let diagonal = DVec3::new(stiffness.x_axis.x, stiffness.y_axis.y, stiffness.z_axis.z);
    let definite = diagonal.min_element() > 0.0
        && stiffness.determinant() > NEARLY_SINGULAR * diagonal.element_product();
    if !definite {
        return false;
    }
    // In units in which torques are forces.
    let unit = DVec3::new(1.0, 1.0, local.radius);
    let surface = surface.in_torque_units(local.radius);
    let per = DMat3::from_diagonal(unit.recip());
    let (stick, slip) = (read(stick) / unit, (read(local.q) + w * read(r)) * unit);
    let closest = if local.rough { ROUGH } else { f64::EPSILON };
    let least = (per * stiffness * per, -stick);
    let force = surface.slide(local.load, least, slip, closest).unwrap_or(stick) * unit;
    r.copy_from_slice(&force.to_array());
    true
}

/// A determinant, as a part of the product of the diagonal, below which an inverse has lost its digits.
const NEARLY_SINGULAR: f64 = 1e-9;

/// Part of the force that may be wrong where some digits will do.
const ROUGH: f64 = 1e-4;
