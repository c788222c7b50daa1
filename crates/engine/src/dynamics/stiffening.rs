//! The stiffness of taut joints across their forces, and what of it a step is too long for.
//!
//! A force f that acts on a body at r from its centre of mass turns it back, as a string does a bead, with the
//! stiffness K = (f·r) 1 − (f rᵀ + r fᵀ)/2 against turns. Where h² K is more than the inertia I, rows of joints that follow
//! the way of a body would throw it to and fro: there the torque that a turn at the new spin calls forth is taken
//! into account,
//!
//! (I + S) ω₁ = I ω₀ + h τ + Jᵀr + S ω',   S = L V max(0, (Λ − 1)/2) Vᵀ Lᵀ,   I = L Lᵀ,   h² L⁻¹ K L⁻ᵀ = V Λ Vᵀ.
//!
//! With the spin of the last time that rows followed as ω', this is Newton's method in all but name, and no torque is left of it
//! once ω' = ω₁. Where that does not come about, where bodies are all but at rest or a
//! step is far too long, ω' = 0 and S = h² K (1 − 1/max Λ) take energy from
//! oscillations faster than a step can show. S is the
//! diagonal approximation of the geometric stiffness of Tournier, Nesme, Gilles and Faure, "Stable
//! constrained dynamics" (2015), and of Andrews, Teichmann and Kry, "Geometric stiffness for real-time constrained
//! multibody dynamics" (2017), one body at a time.

use glamx::{DMat3, DPose3, DVec3};

use crate::body::Body;
use crate::dynamics::joint_rows::{Moment, Role, joint_rows};
use crate::dynamics::midpoint::{Midpoint, Taut};
use crate::world::World;

impl World {
    /// Makes bodies slower to turn that joints hold more tightly, by the forces of the last step, than the step
    /// is short enough for.
    pub(crate) fn stiffen(&self, middle: &mut [Midpoint]) {
        if self.joints.is_empty() {
            return;
        }
        let mut stiffness = vec![DMat3::ZERO; middle.len()];
        let h = self.settings.dt;
        for (joint, impulses) in self.joints.iter().zip(&self.memory.joints) {
            let pair = [joint.a.map(|a| a.0), Some(joint.b.0)];
            let [a, b] = pair.map(|k| k.map_or(DPose3::IDENTITY, |k| middle[k].pose));
            let moment = Moment { begin: self.time(), gone: middle[joint.b.0].gone, h };
            let (mut force, mut points) = (DVec3::ZERO, None);
            let rows = joint_rows(joint, &a, &b, &moment);
            for (row, impulse) in rows.as_slice().iter().zip(impulses) {
                if !row.angular && row.role == Role::Hold {
                    force += row.direction * (impulse / h);
                    points = Some(row.points);
                }
            }
            let Some(points) = points else { continue };
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let Some(k) = pair[side].filter(|k| middle[*k].inverse_mass > 0.0) else {
                    continue;
                };
                stiffness[k] += across(sign * force, points[side] - middle[k].centre);
            }
        }
        for ((m, body), stiffness) in middle.iter_mut().zip(&self.bodies).zip(stiffness) {
            if stiffness != DMat3::ZERO {
                add(m, body, &(stiffness * (h * h)));
            }
        }
    }
}

/// The stiffness of a force at an arm against turns, without what is negative of it.
fn across(force: DVec3, arm: DVec3) -> DMat3 {
    let (along, most) = (force.dot(arm), force.length() * arm.length());
    if !(along > 0.0 && most.is_finite()) {
        return DMat3::ZERO; // It pushes the body over, or nothing is there.
    }
    let middle = (force.normalize() + arm.normalize()).normalize();
    let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
    // The eigenvalue (f·r − |f||r|)/2 of the direction between both is the only one below zero.
    DMat3::from_diagonal(DVec3::splat(along)) - 0.5 * (outer(force, arm) + outer(arm, force))
        + 0.5 * (most - along) * outer(middle, middle)
}

/// Adds what a step is too long for of h² K, world axes, to the inertia of a body.
fn add(m: &mut Midpoint, body: &Body, stiffness: &DMat3) {
    let rotation = DMat3::from_quat(m.pose.rotation);
    let stiffness = rotation.transpose() * *stiffness * rotation;
    let root = lower_root(&body.inertia);
    let to_unit = root.inverse();
    let (values, axes) = eigen(to_unit * stiffness * to_unit.transpose());
    if !(values.max_element() > 1.0) {
        return;
    }
    // As the body turns: rods are thin about their own axis, and joints keep them from turning about it.
    let spin = rotation.transpose() * m.begin_angular;
    let along = spin.dot(stiffness * spin) / spin.dot(body.inertia * spin);
    let most = if along.is_finite() { along } else { values.max_element() };
    let axes = root * axes;
    let beyond = DMat3::from_diagonal(0.5 * (values - DVec3::ONE).max(DVec3::ZERO));
    let with = |more: DMat3| {
        let inverse = (body.inertia + more).inverse();
        let angular = rotation * (inverse * (body.inertia * (rotation.transpose() * m.angular)));
        Taut { angular, inverse_inertia: rotation * inverse * rotation.transpose(), most }
    };
    let follows = with(axes * beyond * axes.transpose());
    let damped = with(stiffness * (1.0 - 1.0 / values.max_element()));
    if follows.inverse_inertia.is_finite() && damped.inverse_inertia.is_finite() {
        (m.angular, m.inverse_inertia) = (damped.angular, damped.inverse_inertia);
        m.taut = Some(follows);
    }
}

/// The lower triangle L of a positive matrix L Lᵀ (Cholesky).
fn lower_root(matrix: &DMat3) -> DMat3 {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let a = x.x.sqrt();
    let (b, c) = (x.y / a, x.z / a);
    let d = (y.y - b * b).sqrt();
    let e = (y.z - b * c) / d;
    let f = (z.z - c * c - e * e).sqrt();
    DMat3::from_cols(DVec3::new(a, b, c), DVec3::new(0.0, d, e), DVec3::new(0.0, 0.0, f))
}

/// Eigenvalues of a symmetric matrix, and their axes as columns (Jacobi's rotations).
fn eigen(matrix: DMat3) -> (DVec3, DMat3) {
    let (mut matrix, mut axes) = (matrix, DMat3::IDENTITY);
    for round in 0..ROTATIONS {
        let (p, q) = [(0, 1), (0, 2), (1, 2)][round % 3];
        let off = matrix.col(q)[p];
        if off == 0.0 {
            continue;
        }
        let half = 0.5 * (matrix.col(q)[q] - matrix.col(p)[p]) / off;
        let tan = half.signum() / (half.abs() + half.hypot(1.0));
        let cos = 1.0 / tan.hypot(1.0);
        let sin = tan * cos;
        let mut turn = DMat3::IDENTITY;
        (turn.col_mut(p)[p], turn.col_mut(q)[q]) = (cos, cos);
        (turn.col_mut(q)[p], turn.col_mut(p)[q]) = (sin, -sin);
        matrix = turn.transpose() * matrix * turn;
        axes *= turn;
    }
    (DVec3::new(matrix.x_axis.x, matrix.y_axis.y, matrix.z_axis.z), axes)
}

/// Rotations that take what is off the diagonal below rounding.
const ROTATIONS: usize = 18;
