//! The stiffness of taut joints across their forces, and what of it a step is too long for.
//!
//! A force f that acts on a body at r from its centre of mass turns it back, as a string does a bead, with the
//! stiffness K = (f·r) 1 − (f rᵀ + r fᵀ)/2 against turns. A step h keeps directions of forces until its end, which is
//! unstable where h² K > 4 I: the light links of a taut chain are thrown to and fro, and joints open. There
//! the torque that a turn at the new spin calls forth is taken into account:
//!
//! (I + S) ω₁ = I ω₀ + h τ + Jᵀr,   S = h² K (1 − 1/ρ),   ρ = max h² K_ii/I_ii over the axes of the body, where ρ > 1.
//!
//! This is the diagonal approximation of the geometric stiffness of Tournier, Nesme, Gilles and Faure, "Stable
//! constrained dynamics" (2015), and of Andrews, Teichmann and Kry, "Geometric stiffness for real-time constrained
//! multibody dynamics" (2017), with S of one body at a time. It takes energy from oscillations faster than a step can show, and is nothing where steps are short.

use glamx::{DMat3, DPose3, DVec3};

use crate::body::Body;
use crate::dynamics::joint_rows::{Moment, Role, joint_rows};
use crate::dynamics::midpoint::Midpoint;
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
    let ratio = (0..3).map(|k| stiffness.col(k)[k] / body.inertia.col(k)[k]).fold(0.0, f64::max);
    if !(ratio > 1.0) {
        return;
    }
    let inverse = (body.inertia + stiffness * (1.0 - 1.0 / ratio)).inverse();
    if inverse.is_finite() {
        m.angular = rotation * (inverse * (body.inertia * (rotation.transpose() * m.angular)));
        m.inverse_inertia = rotation * inverse * rotation.transpose();
    }
}
