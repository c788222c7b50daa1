//! The rows of a joint: what it holds, its limits and its motor.

use glamx::{DPose3, DQuat, DVec3};

use crate::joint::{Control, JointDesc, JointKind};

/// Most rows of a joint: six held, two limits, a motor.
pub(crate) const MAX_ROWS: usize = 9;

/// One row of a joint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointRow {
    /// Direction (linear) or axis (angular), world.
    pub(crate) direction: DVec3,
    /// Whether it is about rotation.
    pub(crate) angular: bool,
    /// Where the impulse acts on A and on B.
    pub(crate) points: [DVec3; 2],
    /// Position error that the row removes, metres or radians; for a limit the distance to it, for a spring how far
    /// it is open.
    pub(crate) error: f64,
    /// Relative velocity that the row strives for, on the mean of the step where it holds, at its end else.
    pub(crate) target: f64,
    /// What gives, of a motor that strives for a position.
    pub(crate) spring: Option<Spring>,
    /// What it may do.
    pub(crate) role: Role,
}

/// A spring and a damper along a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spring {
    /// N m/rad or N/m.
    pub(crate) stiffness: f64,
    /// N m s/rad or N s/m.
    pub(crate) damping: f64,
    /// How far what it strives for goes in the step.
    pub(crate) goes: f64,
}

/// What a row may do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Role {
    /// Pull and push without bound.
    Hold,
    /// Push only.
    Limit,
    /// Pull and push up to an impulse.
    Motor(f64),
}

/// The rows of a joint: those that hold first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointRows {
    rows: [JointRow; MAX_ROWS],
    count: usize,
}

impl JointRows {
    pub(crate) fn as_slice(&self) -> &[JointRow] {
        &self.rows[..self.count]
    }

    /// How many rows hold.
    pub(crate) fn held(&self) -> usize {
        self.as_slice().iter().filter(|r| r.role == Role::Hold).count()
    }

    fn push(&mut self, row: JointRow) {
        self.rows[self.count] = row;
        self.count += 1;
    }
}

/// A moment within a step, seconds.
pub(crate) struct Moment {
    /// When the step begins.
    pub(crate) begin: f64,
    /// What is gone of it.
    pub(crate) gone: f64,
    /// Its length.
    pub(crate) h: f64,
}

/// The rows of a joint between bodies in these poses, at a moment of a step.
pub(crate) fn joint_rows(
    joint: &JointDesc,
    pose_a: &DPose3,
    pose_b: &DPose3,
    moment: &Moment,
) -> JointRows {
    let axes = pose_a.rotation * joint.frame_a.rotation;
    joint_rows_along(joint, [pose_a, pose_b], axes, moment)
}

/// The same, with anchors held together along other axes than those of A.
pub(crate) fn joint_rows_along(
    joint: &JointDesc,
    [pose_a, pose_b]: [&DPose3; 2],
    along: DQuat,
    moment: &Moment,
) -> JointRows {
    let Moment { begin, gone, h } = *moment;
    let frame_a = *pose_a * joint.frame_a;
    let frame_b = *pose_b * joint.frame_b;
    let (anchor_a, anchor_b) = (frame_a.translation, frame_b.translation);
    let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|e| frame_a.rotation * e);
    let apart = anchor_b - anchor_a;
    let row = JointRow {
        direction: axes[0],
        angular: false,
        // A slider's forces act where B's anchor is; for the others both points coincide.
        points: [anchor_b, anchor_b],
        error: 0.0,
        target: 0.0,
        spring: None,
        role: Role::Hold,
    };
    let mut rows = JointRows { rows: [row; MAX_ROWS], count: 0 };
    // Rotation from A's frame to B's, as a vector in A's frame.
    let turn = (frame_a.rotation.inverse() * frame_b.rotation).normalize();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let turned = turn.to_scaled_axis();
    let linear = |k: usize| JointRow { direction: axes[k], error: apart.dot(axes[k]), ..row };
    let angular =
        |k: usize| JointRow { direction: axes[k], angular: true, error: turned[k], ..row };
    let together = |rows: &mut JointRows| {
        for direction in [DVec3::X, DVec3::Y, DVec3::Z].map(|e| along * e) {
            let error = apart.dot(direction);
            rows.push(JointRow { direction, points: [anchor_a, anchor_b], error, ..row });
        }
    };
    let aligned = |rows: &mut JointRows| {
        for k in 0..3 {
            rows.push(angular(k));
        }
    };
    match &joint.kind {
        JointKind::Ball => together(&mut rows),
        JointKind::Hinge => {
            together(&mut rows);
            // The part of the turn that is not about x: where B's x axis points.
            let off = frame_a.rotation.inverse() * (frame_b.rotation * DVec3::X);
            rows.push(JointRow { error: -off.z, ..angular(1) });
            rows.push(JointRow { error: off.y, ..angular(2) });
        }
        JointKind::Slider => {
            rows.push(linear(1));
            rows.push(linear(2));
            aligned(&mut rows);
        }
        JointKind::Fixed => {
            together(&mut rows);
            aligned(&mut rows);
        }
        JointKind::Distance(length) => {
            let distance = apart.length();
            let direction = if distance > 0.0 { apart / distance } else { axes[0] };
            rows.push(JointRow {
                direction,
                points: [anchor_a, anchor_b],
                error: distance - length.at(begin + gone),
                target: (length.at(begin + h) - length.at(begin)) / h,
                ..row
            });
        }
    }
    let free = match joint.kind {
        JointKind::Hinge => Some(JointRow { error: 2.0 * turn.x.atan2(turn.w), ..angular(0) }),
        JointKind::Slider => Some(linear(0)),
        _ => None,
    };
    if let Some(free) = free {
        add_limits_and_motor(&mut rows, joint, free, moment);
    }
    rows
}

fn add_limits_and_motor(rows: &mut JointRows, joint: &JointDesc, free: JointRow, moment: &Moment) {
    let Moment { begin, h, .. } = *moment;
    let position = free.error;
    if let Some([low, high]) = joint.limits {
        let limit = JointRow { role: Role::Limit, ..free };
        rows.push(JointRow { error: position - low, ..limit });
        rows.push(JointRow { direction: -free.direction, error: high - position, ..limit });
    }
    let Some(motor) = &joint.motor else { return };
    let driven = JointRow { error: 0.0, role: Role::Motor(motor.max_force * h), ..free };
    match &motor.control {
        Control::Velocity(profile) => {
            rows.push(JointRow { target: profile.at(begin + h), ..driven });
        }
        Control::Position { target, stiffness, damping } => {
            if stiffness + damping > 0.0 {
                let (from, to) = (target.at(begin), target.at(begin + h));
                let (stiffness, damping) = (*stiffness, *damping);
                let spring = Some(Spring { stiffness, damping, goes: to - from });
                rows.push(JointRow { error: position - from, spring, ..driven });
            }
        }
    }
}
