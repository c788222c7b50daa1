//! The only place that joins bodies, joints and contacts to contact problems.

mod contacts;
mod joints;

use asperity_solve::{ContactProblem, InverseMass, Lever, Operator, Row, RowAssembler};
use glamx::DVec3;

use crate::body::Body;
use crate::contact::{Contact, PatchBlock};
use crate::drive::Drive;
use crate::dynamics::joint_rows::MAX_ROWS;
use crate::dynamics::midpoint::Midpoint;
use crate::island::{Hold, Island, Islands};
use crate::joint::JointDesc;
use crate::world::World;

/// What islands are assembled from.
pub(crate) struct Assembler<'a> {
    bodies: &'a [Body],
    middle: &'a [Midpoint],
    /// Number of each body among its island's blocks.
    dof_block: &'a [usize],
    contacts: &'a [Contact],
    blocks: &'a [PatchBlock],
    joints: &'a [JointDesc],
    drives: &'a [Drive],
    /// Impulses of the rows of each joint in the last step.
    joint_impulses: &'a [[f64; MAX_ROWS]],
    time: f64,
    h: f64,
}

/// A relative motion of B against A that a row measures.
#[derive(Clone, Copy)]
struct Motion {
    direction: DVec3,
    angular: bool,
    points: [DVec3; 2],
}

impl World {
    /// The islands in use, and what they are assembled from.
    pub(crate) fn assembler<'a>(
        &'a mut self,
        middle: &'a [Midpoint],
    ) -> (&'a mut [Island], Assembler<'a>) {
        let Islands { pool, count, dof_block, .. } = &mut self.islands;
        let assembler = Assembler {
            bodies: &self.bodies,
            middle,
            dof_block,
            contacts: &self.contacts,
            blocks: &self.blocks,
            joints: &self.joints,
            drives: &self.drives,
            joint_impulses: &self.memory.joints,
            time: self.steps as f64 * self.settings.dt,
            h: self.settings.dt,
        };
        (&mut pool[..*count], assembler)
    }
}

impl Assembler<'_> {
    /// All contacts of the step.
    pub(crate) fn contacts(&self) -> &[Contact] {
        self.contacts
    }

    /// A patch of the step.
    pub(crate) fn block(&self, number: usize) -> &PatchBlock {
        &self.blocks[number]
    }

    /// A joint of the world.
    pub(crate) fn joint(&self, number: usize) -> &JointDesc {
        &self.joints[number]
    }

    /// A body of the world.
    pub(crate) fn body(&self, number: usize) -> &Body {
        &self.bodies[number]
    }

    /// The same half-way.
    pub(crate) fn midpoint(&self, body: usize) -> &Midpoint {
        &self.middle[body]
    }

    /// Number of each body among its island's blocks.
    pub(crate) fn dof_block(&self) -> &[usize] {
        self.dof_block
    }

    /// The velocity problem of an island, with its warm start.
    pub(crate) fn velocity_problem(&self, island: &mut Island) {
        let Island { bodies, contacts, joints, patches, springs, problem, r, .. } = island;
        let Island { joint_rows, jacobians, gyration, .. } = island;
        let mut rows = self.start(bodies, problem, r);
        joint_rows.clear();
        jacobians.clear();
        gyration.clear();
        joint_rows.extend(joints.iter().map(|k| self.push_joint(*k, jacobians, &mut rows)));
        for &k in springs.iter() {
            self.push_spring(&self.drives[k], &mut rows);
        }
        self.push_contacts(contacts, patches, &mut rows);
        if !island.joints.is_empty() {
            island.hold = Hold::Positions;
            changes(island);
            self.follow_joints(island, false);
        }
    }

    /// The problem of removing velocities that joints hold, where bodies are when the step ends.
    pub(crate) fn joint_velocity_problem(&self, island: &mut Island) {
        let Island { bodies, joints, joint_rows, jacobians, gyration, problem, r, .. } = island;
        gyration.clear();
        let mut rows = self.start(bodies, problem, r);
        joint_rows.clear();
        jacobians.clear();
        let held =
            joints.iter().map(|k| self.push_joint_velocity(&self.joints[*k], jacobians, &mut rows));
        joint_rows.extend(held);
    }

    /// The problem of removing overlaps and joint errors after a step: displacements instead of
    /// velocities, no friction.
    pub(crate) fn position_problem(&self, island: &mut Island) {
        let Island { bodies, contacts, joints, joint_rows, patches, problem, r, .. } = island;
        let gyration = &mut island.gyration;
        gyration.clear();
        joint_rows.clear();
        patches.clear();
        let mut rows = self.start(bodies, problem, r);
        for &k in joints.iter() {
            self.push_joint_error(&self.joints[k], &mut rows);
        }
        for &k in contacts.iter() {
            self.push_overlap(&self.contacts[k], &mut rows);
        }
    }

    /// An empty problem over the bodies of an island.
    fn start<'a>(
        &self,
        bodies: &[usize],
        problem: &'a mut ContactProblem,
        r: &'a mut Vec<f64>,
    ) -> RowAssembler<'a> {
        let mut rows = RowAssembler::new(problem, r);
        rows.clear(bodies.iter().map(|b| InverseMass::Body {
            mass: self.middle[*b].inverse_mass,
            inertia: self.middle[*b].inverse_inertia,
        }));
        rows
    }

    /// Appends a row over two bodies whose q is a given error instead of a velocity.
    fn push_error(
        &self,
        rows: &mut RowAssembler,
        bodies: [Option<usize>; 2],
        motion: Motion,
        error: f64,
    ) {
        self.push_row(rows, bodies, motion, Row::default());
        rows.set_q(error);
    }

    /// Appends a row over two bodies, whose q is added to: the velocity without impulses.
    fn push_row(
        &self,
        rows: &mut RowAssembler,
        bodies: [Option<usize>; 2],
        motion: Motion,
        mut row: Row,
    ) {
        let mut entries = [None; 2];
        for (side, body) in bodies.into_iter().enumerate() {
            let Some(body) = body else { continue };
            let middle = &self.middle[body];
            let weight = if side == 0 { -1.0 } else { 1.0 };
            let arm = motion.points[side] - middle.centre;
            let lever = Lever { block: self.dof_block[body], weight, arm };
            let axis = motion.direction;
            let entry = if motion.angular { lever.about(axis) } else { lever.along(axis) };
            row.q += entry.linear.dot(middle.linear) + entry.angular.dot(middle.angular);
            if middle.inverse_mass > 0.0 {
                entries[side] = Some(entry);
            }
        }
        rows.push(entries.into_iter().flatten(), row);
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
    let Island { problem, r, change, gyration, .. } = island;
    momenta(problem, r.iter().copied(), change);
    let Operator::Bodies(operator) = &problem.operator else { return };
    for (momentum, mass) in change.iter_mut().zip(&operator.inverse_masses) {
        *momentum = mass.apply(momentum.0, momentum.1);
    }
    for (change, gyration) in change.iter_mut().zip(&*gyration) {
        change.1 += *gyration;
    }
}
