//! The way of a body in a step, and the mean over it of what a joint's rows measure.
//!
//! A body goes on with the mean of its velocities, weighted with the times for which it has them: its centre along
//! a line, its rotation about one axis. Along such a way what a row holds, g, changes by the integral of its
//! Jacobian, so that the mean J̄ of the Jacobian has
//!
//! h J̄ v̄ = g(end) − g(begin),   v̄ = (τ v₀ + (h − τ) v₁)/h
//!
//! to all orders: where J̄ v̄ = 0 is asked for, positions hold at the end of the step, and impulses J̄ᵀ r do no work. This
//! is the mean value discrete gradient of Harten, Lax and van Leer, which Gonzalez, "Mechanical systems subject to holonomic
//! constraints: differential-algebraic formulations and conservative integration" (1999), has for joints.

use glamx::{DPose3, DVec3};

use super::joint_rows::{JointRow, JointRows, MAX_ROWS, Moment, joint_rows, joint_rows_along};
use super::midpoint::{Midpoint, advance};
use crate::body::Body;
use crate::joint::JointDesc;

/// How a row measures the velocities of two bodies: B's less A's.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Jacobian {
    /// Along the velocities of their centres; zero for turns.
    pub(crate) linear: DVec3,
    /// Along the spins of A and of B.
    pub(crate) angular: [DVec3; 2],
}

impl Jacobian {
    /// Of a row, between bodies with these centres.
    pub(crate) fn of(row: &JointRow, centres: [DVec3; 2]) -> Jacobian {
        if row.angular {
            return Jacobian { linear: DVec3::ZERO, angular: [row.direction; 2] };
        }
        let arm = |side: usize| (row.points[side] - centres[side]).cross(row.direction);
        Jacobian { linear: row.direction, angular: [arm(0), arm(1)] }
    }

    /// What it measures of the velocities of one side, as a part of B's less A's.
    pub(crate) fn measure(&self, side: usize, linear: DVec3, angular: DVec3) -> f64 {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        sign * (self.linear.dot(linear) + self.angular[side].dot(angular))
    }
}

/// The way of a body, or of the world, in a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way {
    begin: DPose3,
    /// Centre of mass, body axes.
    centre: DVec3,
    /// How far the centre goes, and the turn, world.
    shift: DVec3,
    turn: DVec3,
}

impl Way {
    /// Of what stands still.
    pub(crate) const WORLD: Way =
        Way { begin: DPose3::IDENTITY, centre: DVec3::ZERO, shift: DVec3::ZERO, turn: DVec3::ZERO };

    /// Of a body that has these velocities after contacts are found.
    pub(crate) fn new(body: &Body, m: &Midpoint, linear: DVec3, angular: DVec3) -> Way {
        Way {
            begin: body.pose,
            centre: body.centre,
            shift: m.gone * m.begin_linear + m.left * linear,
            turn: m.gone * m.begin_angular + m.left * angular,
        }
    }

    /// Where the body is after a part of the step.
    pub(crate) fn pose(&self, part: f64) -> DPose3 {
        advance(&self.begin, self.centre, self.shift, self.turn, part)
    }
}

/// The rows of a joint where a step begins, with the mean of what they measure over the ways of its bodies.
pub(crate) fn mean_rows(
    joint: &JointDesc,
    ways: &[Way; 2],
    moment: &Moment,
) -> (JointRows, [Jacobian; MAX_ROWS]) {
    let rows = joint_rows(joint, &ways[0].begin, &ways[1].begin, moment);
    let mut mean = [Jacobian::default(); MAX_ROWS];
    // Forces at a point keep their directions.
    let axes = ways[0].pose(0.5).rotation * joint.frame_a.rotation;
    for (part, weight) in GAUSS {
        let poses = [ways[0].pose(part), ways[1].pose(part)];
        let centres = [0, 1].map(|side| poses[side].transform_point(ways[side].centre));
        let there = joint_rows_along(joint, [&poses[0], &poses[1]], axes, moment);
        for (mean, row) in mean.iter_mut().zip(there.as_slice()) {
            let jacobian = Jacobian::of(row, centres);
            mean.linear += weight * jacobian.linear;
            for side in [0, 1] {
                mean.angular[side] += weight * jacobian.angular[side];
            }
        }
    }
    (rows, mean)
}

/// Places and weights of Gauss's rule with three points: wrong by the sixth power of the turn.
const GAUSS: [(f64, f64); 3] = [
    (0.112_701_665_379_258_3, 5.0 / 18.0),
    (0.5, 4.0 / 9.0),
    (0.887_298_334_620_741_7, 5.0 / 18.0),
];
