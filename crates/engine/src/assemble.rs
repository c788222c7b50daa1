//! The only file that joins bodies and contact problems.

use asperity_friction::set::{Interval, Set};
use asperity_solve::{
    Bodies, ContactProblem, Coupling, FrictionBlock, InverseMass, Load, Operator, RowEntry,
};
use glamx::{DPose3, DVec3};

use crate::contact::Contact;
use crate::drive::{Drive, target_at};
use crate::dynamics::joint::{JointRow, MAX_ROWS, Role, joint_rows};
use crate::dynamics::rigid::Middle;
use crate::island::{Island, PatchRows};
use crate::joint::JointDesc;
use crate::patch_block::PatchBlock;

/// What islands are assembled from.
pub(crate) struct Parts<'a> {
    pub(crate) middle: &'a [Middle],
    /// Number of each body among its island's blocks.
    pub(crate) block: &'a [usize],
    pub(crate) contacts: &'a [Contact],
    pub(crate) blocks: &'a [PatchBlock],
    pub(crate) joints: &'a [JointDesc],
    pub(crate) drives: &'a [Drive],
    pub(crate) joint_impulses: &'a [[f64; MAX_ROWS]],
    pub(crate) time: f64,
    pub(crate) h: f64,
}

/// A relative motion of B against A that a row measures.
#[derive(Clone, Copy)]
struct Motion {
    direction: DVec3,
    angular: bool,
    points: [DVec3; 2],
}

impl Parts<'_> {
    /// The velocity problem of an island, with its warm start.
    pub(crate) fn velocity_problem(&self, island: &mut Island) {
        let Island { bodies, contacts, joints, joint_rows, springs, patches, problem, r, .. } =
            island;
        self.start(problem, bodies);
        r.clear();
        joint_rows.clear();
        patches.clear();
        for &k in joints.iter() {
            let first = r.len();
            self.joint(&self.joints[k], &self.joint_impulses[k], problem, r);
            joint_rows.push(r.len() - first);
        }
        for &k in springs.iter() {
            self.spring(&self.drives[k], problem, r);
        }
        for &k in contacts.iter() {
            let contact = &self.contacts[k];
            if let Some(block) = contact.patch
                && self.blocks[block].contacts.start == k
            {
                let count = self.blocks[block].contacts.len();
                patches.push(PatchRows { block, normals: r.len()..r.len() + count, first: 0 });
            }
            self.contact(contact, problem, r);
        }
        for rows in patches.iter_mut() {
            rows.first = r.len();
            self.patch(&self.blocks[rows.block], rows, problem, r);
        }
    }

    /// The rows (t, b, spin) of a patch, and as many for viscous drag, which is outside of the
    /// set: a damper.
    fn patch(
        &self,
        block: &PatchBlock,
        at: &PatchRows,
        problem: &mut ContactProblem,
        r: &mut Vec<f64>,
    ) {
        let bodies = block.bodies.map(Some);
        let bias = block.bias().to_array();
        let dim = block.set.dim();
        for ((direction, angular), bias) in block.rows().zip(bias) {
            let motion = Motion { direction, angular, points: [block.centre; 2] };
            self.push(problem, bodies, motion, -bias);
        }
        let load = Load::Normals(at.normals.clone());
        push_block(problem, at.first..at.first + dim, load, block.set.clone());
        let warm = block.frame.to_plane(block.warm.0).extend(block.warm.1);
        r.extend_from_slice(&warm.to_array()[..dim]);
        if block.drags() {
            for (direction, angular) in block.rows() {
                let motion = Motion { direction, angular, points: [block.centre; 2] };
                self.push(problem, bodies, motion, 0.0);
            }
            let rows = at.first + dim..at.first + 2 * dim;
            push_block(problem, rows, Load::Constant(1.0), Set::Free(dim));
            r.resize(problem.q.len(), 0.0);
        }
        give(block, at.first, block.load_impulse, problem);
    }

    /// Bristles and drag are per unit load: sets them to the load that the impulses of an island
    /// have. Returns whether that changed anything.
    pub(crate) fn reload(&self, island: &mut Island) -> bool {
        let Island { patches, problem, r, .. } = island;
        let mut changed = false;
        for at in patches.iter() {
            let load: f64 = r[at.normals.clone()].iter().sum();
            let block = &self.blocks[at.block];
            if block.bristles.is_some() && load > 0.0 {
                changed |= give(block, at.first, load, problem);
            }
        }
        changed
    }

    /// The problem of removing overlaps and joint errors after a step: displacements instead of
    /// velocities, no friction. `slop` is left alone.
    pub(crate) fn position_problem(&self, island: &mut Island, slop: f64) {
        let Island { bodies, contacts, joints, problem, r, .. } = island;
        self.start(problem, bodies);
        r.clear();
        for &k in joints.iter() {
            let joint = &self.joints[k];
            let [pose_a, pose_b] = self.joint_poses(joint);
            let rows = joint_rows(joint, &pose_a, &pose_b, self.time + 0.5 * self.h, self.h);
            let held = rows.held();
            if held > 0 {
                let first = problem.q.len();
                push_block(problem, first..first + held, Load::Constant(1.0), Set::Free(held));
            }
            for row in rows.as_slice().iter().filter(|row| !matches!(row.role, Role::Motor(_))) {
                self.push(problem, bodies_of(joint), row.into(), 0.0);
                if let Some(q) = problem.q.last_mut() {
                    *q = row.error;
                }
            }
        }
        for &k in contacts.iter() {
            let contact = &self.contacts[k];
            let normal = contact_motion(contact, contact.frame.normal, false);
            self.push(problem, contact.bodies.map(Some), normal, 0.0);
            if let Some(wrench) = &contact.wrench {
                turn_last_row(problem, contact.frame.normal, wrench.turn);
            }
            if let Some(q) = problem.q.last_mut() {
                *q = contact.gap + 0.5 * slop;
            }
        }
        r.resize(problem.q.len(), 0.0);
    }

    fn start(&self, problem: &mut ContactProblem, bodies: &[usize]) {
        problem.q.clear();
        problem.blocks.clear();
        problem.compliance.clear();
        let operator = operator(problem);
        operator.row_start.clear();
        operator.entries.clear();
        operator.inverse_masses.clear();
        operator.coupling = Coupling::default();
        operator.inverse_masses.extend(bodies.iter().map(|b| InverseMass::Body {
            mass: self.middle[*b].inverse_mass,
            inertia: self.middle[*b].inverse_inertia,
        }));
    }

    fn contact(&self, contact: &Contact, problem: &mut ContactProblem, r: &mut Vec<f64>) {
        let frame = &contact.frame;
        let first = problem.q.len();
        let dim = contact.friction_rows();
        let at = contact.wrench.as_ref().map_or(contact.point, |wrench| wrench.centre);
        let sides = contact.bodies.map(|body| {
            let middle = &self.middle[body];
            let block = (middle.inverse_mass > 0.0).then_some(self.block[body]);
            (middle, at - middle.centre, block)
        });
        let [a, b] = sides.map(|(m, arm, _)| m.linear + m.angular.cross(arm));
        let spin = sides[1].0.angular - sides[0].0.angular;
        // (normal, t, b), and torques about the normal, or about t and b, or about all three.
        let torques = match dim {
            3 => [frame.normal; 3],
            5 => [frame.normal, frame.t, frame.b],
            _ => [frame.t, frame.b, frame.b],
        };
        let rows = [frame.normal, frame.t, frame.b, torques[0], torques[1], torques[2]];
        let velocities = [b - a, b - a, b - a, spin, spin, spin];
        for k in 0..=dim {
            let direction = rows[k];
            problem.q.push(direction.dot(velocities[k]));
            let operator = operator(problem);
            for ((_, arm, block), sign) in sides.iter().zip([-1.0, 1.0]) {
                let Some(dof_block) = *block else { continue };
                let signed = direction * sign;
                let (linear, angular) =
                    if k < 3 { (signed, arm.cross(signed)) } else { (DVec3::ZERO, signed) };
                operator.entries.push(RowEntry { dof_block, linear, angular });
            }
            operator.end_row();
        }
        problem.q[first] -= contact.normal_target;
        problem.compliance.resize(problem.q.len(), 0.0);
        if let Some(wrench) = &contact.wrench {
            problem.compliance[first] = 2.0 * wrench.compliance / (self.h * self.h);
            let rows = first..problem.q.len();
            push_block(problem, rows, Load::Constant(1.0), contact.set.clone());
            for vector in [contact.impulse, wrench.torque_impulse] {
                r.extend([frame.normal, frame.t, frame.b].map(|d| vector.dot(d)));
            }
            return;
        }
        if contact.patch.is_none() {
            let load = Load::Normals(first..first + 1);
            push_block(problem, first + 1..problem.q.len(), load, contact.set.clone());
        }
        // The impulses of the last step.
        r.push(contact.impulse.dot(frame.normal).max(0.0));
        r.extend([frame.t, frame.b].iter().take(dim).map(|d| contact.impulse.dot(*d)));
        if dim == 3 {
            r.push(contact.spin_impulse);
        }
        r.resize(problem.q.len(), 0.0);
    }

    fn joint(
        &self,
        joint: &JointDesc,
        last: &[f64; MAX_ROWS],
        problem: &mut ContactProblem,
        r: &mut Vec<f64>,
    ) {
        let [pose_a, pose_b] = self.joint_poses(joint);
        let rows = joint_rows(joint, &pose_a, &pose_b, self.time, self.h);
        let held = rows.held();
        if held > 0 {
            let first = problem.q.len();
            push_block(problem, first..first + held, Load::Constant(1.0), Set::Free(held));
        }
        for row in rows.as_slice() {
            let at = problem.q.len();
            let target = match row.role {
                // Not beyond the limit at the end of the step.
                Role::Limit => -2.0 * row.error.max(0.0) / self.h,
                _ => row.target,
            };
            self.push(problem, bodies_of(joint), row.into(), target);
            problem.compliance[at] = row.compliance;
            if let Role::Motor(limit) = row.role {
                // Without a limit it pushes both ways as strongly as it must.
                let set = Interval::symmetric(limit).map_or(Set::Free(1), Set::from);
                push_block(problem, at..at + 1, Load::Constant(1.0), set);
            }
        }
        r.extend_from_slice(&last[..rows.as_slice().len()]);
    }

    fn spring(&self, drive: &Drive, problem: &mut ContactProblem, r: &mut Vec<f64>) {
        let Drive::Spring { body, point, target, stiffness, damping, max_force } = drive else {
            return;
        };
        let h = self.h;
        let give = damping + 0.5 * h * stiffness;
        if !(give > 0.0) {
            return;
        }
        let at = self.middle[body.0].pose.transform_point(*point);
        let wanted = target_at(target, self.time + h);
        for direction in [DVec3::X, DVec3::Y, DVec3::Z] {
            let row = problem.q.len();
            let speed = stiffness * direction.dot(wanted - at) / give;
            let motion = Motion { direction, angular: false, points: [at, at] };
            self.push(problem, [None, Some(body.0)], motion, speed);
            problem.compliance[row] = 1.0 / (h * give);
            // Without a limit it pulls both ways as strongly as it must.
            let set = Interval::symmetric(max_force * h).map_or(Set::Free(1), Set::from);
            push_block(problem, row..row + 1, Load::Constant(1.0), set);
        }
        r.resize(problem.q.len(), 0.0);
    }

    fn joint_poses(&self, joint: &JointDesc) -> [DPose3; 2] {
        let a = joint.a.map_or(DPose3::IDENTITY, |a| self.middle[a.0].pose);
        [a, self.middle[joint.b.0].pose]
    }

    /// Appends a row: its entries, and q = velocity without impulses − target.
    fn push(
        &self,
        problem: &mut ContactProblem,
        bodies: [Option<usize>; 2],
        motion: Motion,
        target: f64,
    ) {
        let mut q = -target;
        let mut entries = [None; 2];
        for (side, body) in bodies.into_iter().enumerate() {
            let Some(body) = body else { continue };
            let middle = &self.middle[body];
            let sign = if side == 0 { -1.0 } else { 1.0 };
            let (linear, angular) = if motion.angular {
                (DVec3::ZERO, motion.direction * sign)
            } else {
                let arm = motion.points[side] - middle.centre;
                (motion.direction * sign, arm.cross(motion.direction) * sign)
            };
            q += linear.dot(middle.linear) + angular.dot(middle.angular);
            if middle.inverse_mass > 0.0 {
                entries[side] = Some(RowEntry { dof_block: self.block[body], linear, angular });
            }
        }
        problem.q.push(q);
        problem.compliance.push(0.0);
        operator(problem).push_row(entries.into_iter().flatten());
    }
}

/// Sets the compliance of a patch's rows for a load; whether that is a change worth solving again.
fn give(block: &PatchBlock, first: usize, load_impulse: f64, problem: &mut ContactProblem) -> bool {
    let Some(compliances) = block.compliances(load_impulse) else { return false };
    let rows = block.set.dim() * if block.drags() { 2 } else { 1 };
    let mut changed = false;
    for (row, new) in (first..first + rows).zip(compliances) {
        let old = &mut problem.compliance[row];
        changed |= (*old - new).abs() > SAME_LOAD * new;
        *old = new;
    }
    changed
}

/// Compliances that differ by less than this part of them are solved with once.
const SAME_LOAD: f64 = 1e-6;

impl From<&JointRow> for Motion {
    fn from(row: &JointRow) -> Motion {
        Motion { direction: row.direction, angular: row.angular, points: row.points }
    }
}

fn contact_motion(contact: &Contact, direction: DVec3, angular: bool) -> Motion {
    let at = contact.wrench.as_ref().map_or(contact.point, |wrench| wrench.centre);
    Motion { direction, angular, points: [at; 2] }
}

/// Along the gradient of a volume bodies turn as well as move.
fn turn_last_row(problem: &mut ContactProblem, normal: DVec3, turn: DVec3) {
    let operator = operator(problem);
    let rows = operator.rows();
    let Some(row) = rows.checked_sub(1) else { return };
    for entry in &mut operator.entries[operator.row_start[row]..operator.row_start[rows]] {
        entry.angular += turn * entry.linear.dot(normal); // ±1, A or B
    }
}

fn bodies_of(joint: &JointDesc) -> [Option<usize>; 2] {
    [joint.a.map(|a| a.0), Some(joint.b.0)]
}

fn push_block(problem: &mut ContactProblem, rows: std::ops::Range<usize>, load: Load, set: Set) {
    problem.blocks.push(FrictionBlock { rows, load, set });
}

/// The rows over bodies; islands have no other kind.
fn operator(problem: &mut ContactProblem) -> &mut Bodies {
    if !matches!(problem.operator, Operator::Bodies(_)) {
        problem.operator = Operator::Bodies(Bodies::default());
    }
    match &mut problem.operator {
        Operator::Bodies(bodies) => bodies,
        _ => unreachable!("set above"),
    }
}

/// Momentum that impulses give to each body, in the order of the island's blocks.
pub(crate) fn momenta(
    problem: &ContactProblem,
    impulses: impl Iterator<Item = f64>,
    out: &mut Vec<(DVec3, DVec3)>,
) {
    out.clear();
    let Operator::Bodies(operator) = &problem.operator else { return };
    out.resize(operator.inverse_masses.len(), (DVec3::ZERO, DVec3::ZERO));
    for (span, impulse) in operator.row_start.windows(2).zip(impulses) {
        if impulse == 0.0 {
            continue;
        }
        for e in &operator.entries[span[0]..span[1]] {
            let momentum = &mut out[e.dof_block];
            momentum.0 += e.linear * impulse;
            momentum.1 += e.angular * impulse;
        }
    }
}

/// Change of each body's velocities (or displacements) by the impulses of its island.
pub(crate) fn changes(island: &mut Island) {
    let Island { problem, r, change, .. } = island;
    momenta(problem, r.iter().copied(), change);
    let Operator::Bodies(operator) = &problem.operator else { return };
    for (momentum, mass) in change.iter_mut().zip(&operator.inverse_masses) {
        *momentum = mass.apply(momentum.0, momentum.1);
    }
}
