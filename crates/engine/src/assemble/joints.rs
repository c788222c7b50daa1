//! Rows of joints and of springs from outside.

use asperity_friction::set::{Interval, Set};
use asperity_solve::{FrictionBlock, Row, RowAssembler};
use glamx::{DPose3, DVec3};

use super::{Assembler, Motion};
use crate::drive::{Drive, target_at};
use crate::dynamics::joint_rows::{JointRow, JointRows, Moment, Role, joint_rows};
use crate::joint::JointDesc;

impl Assembler<'_> {
    /// The rows of a joint; returns how many.
    pub(super) fn push_joint(&self, number: usize, rows: &mut RowAssembler) -> usize {
        let joint = &self.joints[number];
        let list = self.rows_of(joint, self.middle[joint.b.0].gone);
        push_held(&list, rows);
        for (row, start) in list.as_slice().iter().zip(self.joint_impulses[number]) {
            let at = rows.rows();
            let target = match row.role {
                // Not beyond the limit at the end of the step.
                Role::Limit => -row.error.max(0.0) / self.middle[joint.b.0].left,
                _ => row.target,
            };
            let own = Row { q: -target, start, compliance: row.compliance };
            self.push_row(rows, bodies_of(joint), row.into(), own);
            if let Role::Motor(limit) = row.role {
                rows.push_block(within(at, limit));
            }
        }
        list.as_slice().len()
    }

    /// The errors of a joint's rows, without its motor.
    pub(super) fn push_joint_error(&self, joint: &JointDesc, rows: &mut RowAssembler) {
        let list = self.rows_of(joint, self.h);
        push_held(&list, rows);
        for row in list.as_slice().iter().filter(|row| !matches!(row.role, Role::Motor(_))) {
            self.push_error(rows, bodies_of(joint), row.into(), row.error);
        }
    }

    pub(super) fn push_spring(&self, drive: &Drive, rows: &mut RowAssembler) {
        let Drive::Spring { body, point, target, stiffness, damping, max_force } = drive else {
            return;
        };
        let h = self.h;
        let give = damping + self.middle[body.0].left * stiffness;
        if !(give > 0.0) {
            return;
        }
        let at = self.middle[body.0].pose.transform_point(*point);
        let wanted = target_at(target, self.time + h);
        for direction in [DVec3::X, DVec3::Y, DVec3::Z] {
            let row = rows.rows();
            let speed = stiffness * direction.dot(wanted - at) / give;
            let motion = Motion { direction, angular: false, points: [at, at] };
            let own = Row { q: -speed, compliance: 1.0 / (h * give), ..Row::default() };
            self.push_row(rows, [None, Some(body.0)], motion, own);
            rows.push_block(within(row, max_force * h));
        }
    }

    /// The rows of a joint where its bodies are, `gone` seconds after the step began.
    fn rows_of(&self, joint: &JointDesc, gone: f64) -> JointRows {
        let a = joint.a.map_or(DPose3::IDENTITY, |a| self.middle[a.0].pose);
        let moment = Moment { begin: self.time, gone, h: self.h };
        joint_rows(joint, &a, &self.middle[joint.b.0].pose, &moment)
    }
}

/// The block of the rows that hold, which come first.
fn push_held(list: &JointRows, rows: &mut RowAssembler) {
    let (first, held) = (rows.rows(), list.held());
    if held > 0 {
        rows.push_block(FrictionBlock::held(first..first + held));
    }
}

/// A row that pushes both ways up to an impulse; without a bound as strongly as it must.
fn within(row: usize, limit: f64) -> FrictionBlock {
    let set = Interval::symmetric(limit).map_or(Set::Free(1), Set::from);
    FrictionBlock::constant(row..row + 1, 1.0, set)
}

fn bodies_of(joint: &JointDesc) -> [Option<usize>; 2] {
    [joint.a.map(|a| a.0), Some(joint.b.0)]
}

impl From<&JointRow> for Motion {
    fn from(row: &JointRow) -> Motion {
        Motion { direction: row.direction, angular: row.angular, points: row.points }
    }
}
