//! Rigid bodies: Moreau's midpoint scheme.
//!
//! A step of length h goes half-way with the old velocity, finds contacts and masses there, and
//! goes the other half with the new velocity:
//!
//! x_m = x₀ + h/2 v₀,   M (v₁ − v₀) = h f + Jᵀ r,   x₁ = x_m + h/2 v₁.
//!
//! Where bodies would already be within each other half-way, contacts are found earlier: after a part
//! τ < 1/2 of the step, x_m = x₀ + τ h v₀ and x₁ = x_m + (1 − τ) h v₁. What gravity then does is
//! (1/2 − τ) h f·(v₁ − v₀) less than positions say, so that energy does not rise by it.
//!
//! Since a rotation about ω leaves ω alone, the spin in body axes is the same at both ends of
//! each half: kinetic energy changes by exactly v̄·(h f + Jᵀ r) with v̄ = (v₀ + v₁)/2, also for
//! bodies that tumble, and a constant force does exactly the work that positions say.

use glamx::{DMat3, DPose3, DQuat, DVec3};

use crate::body::{Body, BodyKind, Keyframe};
use crate::settings::Settings;

/// A body half-way through a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Midpoint {
    /// World from body.
    pub(crate) pose: DPose3,
    /// Centre of mass.
    pub(crate) centre: DVec3,
    /// Velocities at the end of the step if nothing touches.
    pub(crate) linear: DVec3,
    pub(crate) angular: DVec3,
    /// Velocities at its beginning; where the motion is prescribed, those of this very step.
    pub(crate) begin_linear: DVec3,
    pub(crate) begin_angular: DVec3,
    /// 1/kg; zero where nothing pushes the body.
    pub(crate) inverse_mass: f64,
    /// World axes.
    pub(crate) inverse_inertia: DMat3,
    /// Where that is with the stiffness of taut joints: what rows that follow take.
    pub(crate) taut: Option<Taut>,
    /// Seconds of the step that are gone, and those that are left.
    pub(crate) gone: f64,
    pub(crate) left: f64,
}

/// A body that taut joints keep from turning.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taut {
    /// Spin at the end of the step if nothing touches, rad/s.
    pub(crate) angular: DVec3,
    /// World axes.
    pub(crate) inverse_inertia: DMat3,
    /// h² K/I about the axis about which it turns.
    pub(crate) most: f64,
}

impl Midpoint {
    /// Velocity of a point at the end of the step if nothing touches.
    pub(crate) fn velocity(&self, point: DVec3) -> DVec3 {
        self.linear + self.angular.cross(point - self.centre)
    }

    /// Velocity of a point at the beginning of the step, about the centre half-way.
    pub(crate) fn begin_velocity(&self, point: DVec3) -> DVec3 {
        self.begin_linear + self.begin_angular.cross(point - self.centre)
    }

    /// A body that stays in its pose, or goes on as prescribed: nothing pushes it.
    fn unpushed(body: &Body, linear: DVec3, angular: DVec3, [gone, left]: [f64; 2]) -> Midpoint {
        let pose = advance(&body.pose, body.centre, linear, angular, gone);
        Midpoint {
            pose,
            centre: pose.transform_point(body.centre),
            linear,
            angular,
            begin_linear: linear,
            begin_angular: angular,
            inverse_mass: 0.0,
            inverse_inertia: DMat3::ZERO,
            taut: None,
            gone,
            left,
        }
    }

    /// A body as it is now, with the velocities that it has: for pictures, which move nothing.
    pub(crate) fn of_now(body: &Body) -> Midpoint {
        let (linear, angular) = (body.linear_velocity, body.angular_velocity);
        Midpoint {
            inverse_mass: if body.is_pushed() { 1.0 / body.mass } else { 0.0 },
            ..Midpoint::unpushed(body, linear, angular, [0.0; 2])
        }
    }
}

/// Where a body is in the first part of a step, `gone` seconds.
pub(crate) fn pose_part_way(body: &Body, settings: &Settings, time: f64, gone: f64) -> DPose3 {
    let (linear, angular) = if body.is_pushed() {
        (body.linear_velocity, body.angular_velocity)
    } else {
        moved_by(body, settings, time)
    };
    advance(&body.pose, body.centre, linear, angular, gone)
}

/// Velocities of what nothing pushes.
fn moved_by(body: &Body, settings: &Settings, time: f64) -> (DVec3, DVec3) {
    let moves = body.kind == BodyKind::Kinematic && body.frozen.is_none();
    if moves { prescribed(body, time, settings.dt) } else { (DVec3::ZERO, DVec3::ZERO) }
}

/// The first part of a step, `gone` seconds: where a body is, and how fast it would be at the end of the
/// step without contacts.
pub(crate) fn part_way(body: &Body, settings: &Settings, time: f64, gone: f64) -> Midpoint {
    let h = settings.dt;
    let left = h - gone;
    if !body.is_pushed() {
        let (linear, angular) = moved_by(body, settings, time);
        return Midpoint::unpushed(body, linear, angular, [gone, left]);
    }
    let (begin_linear, begin_angular) = (body.linear_velocity, body.angular_velocity);
    let pose = advance(&body.pose, body.centre, begin_linear, begin_angular, gone);
    let rotation = DMat3::from_quat(pose.rotation);
    let gravity = settings.gravity * body.desc.gravity_scale;
    let linear = (begin_linear + h * (gravity + body.force / body.mass))
        / (1.0 + h * body.desc.linear_damping);
    let to_body = pose.rotation.inverse();
    let spin = free_spin(body, to_body * begin_angular, to_body * body.torque, h);
    Midpoint {
        pose,
        centre: pose.transform_point(body.centre),
        linear,
        angular: (pose.rotation * spin) / (1.0 + h * body.desc.angular_damping),
        begin_linear,
        begin_angular,
        inverse_mass: 1.0 / body.mass,
        inverse_inertia: rotation * body.inverse_inertia * rotation.transpose(),
        taut: None,
        gone,
        left,
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

/// How much another spin a body has at the end of a step, rad/s, since its gyroscopic torque is that of the mean of its
/// spins when impulses change them by `by_impulses`; of the mean without them it is in [`part_way`].
pub(crate) fn gyration_of(body: &Body, m: &Midpoint, by_impulses: DVec3, h: f64) -> DVec3 {
    let to_body = m.pose.rotation.inverse();
    let (spin, free) = (to_body * m.begin_angular, to_body * m.angular);
    let gained = to_body * by_impulses;
    let turns = |mean: DVec3| {
        let momentum = body.inertia * mean;
        h * mean.cross(momentum).length() > UNTURNED * momentum.length()
    };
    if !turns(0.5 * (spin + free)) && !turns(0.5 * (spin + free + gained)) {
        return DVec3::ZERO;
    }
    let torque = to_body * body.torque;
    let without = free_spin(body, spin, torque, h);
    let with = free_spin(body, spin, torque + body.inertia * gained / h, h) - gained;
    m.pose.rotation * (with - without)
}

impl Taut {
    /// How much another spin than without this a body has at the end of a step, rad/s: no torque S (ω₁ − ω') is left
    /// once its spin ω₁ is what it was found to be before, ω'.
    pub(crate) fn follow(&self, body: &Body, m: &Midpoint, before: DVec3) -> DVec3 {
        let rotation = m.pose.rotation;
        let momentum = rotation * (body.inertia * (rotation.inverse() * before));
        self.angular - m.angular + before - self.inverse_inertia * momentum
    }
}

/// The part of a momentum by which it turns in a step at least, to count.
const UNTURNED: f64 = 1e-14;

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
