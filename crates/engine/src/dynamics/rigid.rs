//! Rigid bodies: Moreau's midpoint scheme.
//!
//! A step of length h goes half-way with the old velocity, finds contacts and masses there, and
//! goes the other half with the new velocity:
//!
//! x_m = x₀ + h/2 v₀,   M (v₁ − v₀) = h f + Jᵀ r,   x₁ = x_m + h/2 v₁.
//!
//! Since a rotation about ω leaves ω alone, the spin in body axes is the same at both ends of
//! each half: kinetic energy changes by exactly v̄·(h f + Jᵀ r) with v̄ = (v₀ + v₁)/2, also for
//! bodies that tumble, and a constant force does exactly the work that positions say.

use glamx::{DMat3, DPose3, DQuat, DVec3};

use crate::body::{BodyKind, Keyframe};
use crate::world::{Body, Settings};

/// A body half-way through a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Middle {
    /// World from body.
    pub(crate) pose: DPose3,
    /// Centre of mass.
    pub(crate) centre: DVec3,
    /// Velocities at the end of the step if nothing touches.
    pub(crate) linear: DVec3,
    pub(crate) angular: DVec3,
    /// 1/kg; zero where nothing pushes the body.
    pub(crate) inverse_mass: f64,
    /// World axes.
    pub(crate) inverse_inertia: DMat3,
}

impl Middle {
    /// Velocity of a point at the end of the step if nothing touches.
    pub(crate) fn velocity(&self, point: DVec3) -> DVec3 {
        self.linear + self.angular.cross(point - self.centre)
    }
}

/// The first half of a step: where a body is, and how fast it would be without contacts.
pub(crate) fn half_way(body: &Body, settings: &Settings, time: f64) -> Middle {
    let h = settings.dt;
    if !body.is_pushed() {
        let moves = body.kind == BodyKind::Kinematic && body.frozen.is_none();
        let (linear, angular) =
            if moves { prescribed(body, time, h) } else { (DVec3::ZERO, DVec3::ZERO) };
        let pose = advance(&body.pose, body.centre, linear, angular, 0.5 * h);
        return Middle {
            pose,
            centre: pose.transform_point(body.centre),
            linear,
            angular,
            inverse_mass: 0.0,
            inverse_inertia: DMat3::ZERO,
        };
    }
    let pose =
        advance(&body.pose, body.centre, body.linear_velocity, body.angular_velocity, 0.5 * h);
    let rotation = DMat3::from_quat(pose.rotation);
    let gravity = settings.gravity * body.desc.gravity_scale;
    let linear = (body.linear_velocity + h * (gravity + body.force / body.mass))
        / (1.0 + h * body.desc.linear_damping);
    let to_body = pose.rotation.inverse();
    let spin = free_spin(body, to_body * body.angular_velocity, to_body * body.torque, h);
    Middle {
        pose,
        centre: pose.transform_point(body.centre),
        linear,
        angular: (pose.rotation * spin) / (1.0 + h * body.desc.angular_damping),
        inverse_mass: 1.0 / body.mass,
        inverse_inertia: rotation * body.inverse_inertia * rotation.transpose(),
    }
}

/// A pose moved for a time with constant velocities about the centre of mass (body axes).
pub(crate) fn advance(
    pose: &DPose3,
    centre: DVec3,
    linear: DVec3,
    angular: DVec3,
    time: f64,
) -> DPose3 {
    let rotation = (DQuat::from_scaled_axis(angular * time) * pose.rotation).normalize();
    let position = pose.transform_point(centre) + linear * time;
    DPose3::from_parts(position - rotation * centre, rotation)
}

/// Euler's equations in body axes by the implicit midpoint rule:
/// I (ω₁ − ω₀) + h ω_m × I ω_m = h τ. The gyroscopic term does no work, so a free body keeps its
/// energy exactly.
fn free_spin(body: &Body, spin: DVec3, torque: DVec3, h: f64) -> DVec3 {
    let inertia = body.inertia;
    let explicit = spin + body.inverse_inertia * (torque * h);
    let mut new = explicit;
    for _ in 0..12 {
        let middle = 0.5 * (spin + new);
        let momentum = inertia * middle;
        let error = inertia * (new - spin) + h * middle.cross(momentum) - h * torque;
        let slope = inertia + 0.5 * h * (cross_matrix(middle) * inertia - cross_matrix(momentum));
        let step = slope.inverse() * error;
        new -= step;
        if !new.is_finite() {
            return explicit; // turns by more than a radian or so in a step
        }
        if step.length() <= 1e-15 * new.length() {
            break;
        }
    }
    new
}

fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, v.z, -v.y),
        DVec3::new(-v.z, 0.0, v.x),
        DVec3::new(v.y, -v.x, 0.0),
    )
}

/// Velocities that take a kinematic body to where its keyframes want it at the end of the step;
/// its own velocities where it has none.
fn prescribed(body: &Body, time: f64, h: f64) -> (DVec3, DVec3) {
    if body.desc.keyframes.is_empty() {
        return (body.linear_velocity, body.angular_velocity);
    }
    let (position, rotation) = Keyframe::pose_at(&body.desc.keyframes, time + h);
    let turn = (rotation * body.pose.rotation.inverse()).normalize();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    ((position - body.pose.translation) / h, turn.to_scaled_axis() / h)
}
