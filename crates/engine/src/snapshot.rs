//! The state of a world, kept to go back to: for look-ahead, for undo, for runs that branch.

use std::collections::HashMap;

use asperity_soft::contact::ContactKey;
use glamx::{DPose3, DVec3};

use crate::contact::{Contact, ContactCache};
use crate::dynamics::joint::MAX_ROWS;
use crate::island::Islands;
use crate::patch_block::PatchBlock;
use crate::soft::Soft;
use crate::world::{Body, Frozen, StepReport, World, WorldError};
use crate::wrench::RememberedWrench;
use asperity_geometry::collision::Kept;

/// All that the steps of a world depend on, apart from what it was built from: motion, what contacts
/// remember (impulses, bristles, manifolds), and what solvers keep. A world that goes on from a
/// snapshot makes the same steps to the last bit.
#[derive(Debug, Clone)]
pub struct Snapshot {
    bodies: Vec<Motion>,
    softs: Vec<Soft>,
    soft_memory: HashMap<ContactKey, DVec3>,
    contacts: Vec<Contact>,
    blocks: Vec<PatchBlock>,
    cache: ContactCache,
    wrenches: Vec<RememberedWrench>,
    joint_impulses: Vec<[f64; MAX_ROWS]>,
    islands: Islands,
    kept: Kept,
    report: StepReport,
    steps: u64,
}

/// What changes of a body.
#[derive(Debug, Clone)]
struct Motion {
    name: String,
    pose: DPose3,
    linear: DVec3,
    angular: DVec3,
    force: DVec3,
    torque: DVec3,
    frozen: Option<Frozen>,
}

impl World {
    /// The state after the last step.
    pub fn snapshot(&self) -> Snapshot {
        let motion = |body: &Body| Motion {
            name: body.name.clone(),
            pose: body.pose,
            linear: body.linear_velocity,
            angular: body.angular_velocity,
            force: body.force,
            torque: body.torque,
            frozen: body.frozen.clone(),
        };
        Snapshot {
            bodies: self.bodies.iter().map(motion).collect(),
            softs: self.softs.list.clone(),
            soft_memory: self.softs.coupled.memory.clone(),
            contacts: self.contacts.clone(),
            blocks: self.blocks.clone(),
            cache: self.cache.clone(),
            wrenches: self.wrenches.clone(),
            joint_impulses: self.joint_impulses.clone(),
            islands: self.islands.clone(),
            kept: self.collision.kept(),
            report: self.report.clone(),
            steps: self.steps,
        }
    }

    /// Goes back to a snapshot of this world, or of one that was built alike. Refused, and nothing
    /// changed, where bodies or joints are others.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), WorldError> {
        let of_body = |b: &Body, m: &Motion| b.name == m.name;
        let of_soft = |a: &Soft, b: &Soft| {
            a.name == b.name && a.body.positions.len() == b.body.positions.len()
        };
        let same = self.bodies.len() == snapshot.bodies.len()
            && self.bodies.iter().zip(&snapshot.bodies).all(|(b, m)| of_body(b, m))
            && self.softs.list.len() == snapshot.softs.len()
            && self.softs.list.iter().zip(&snapshot.softs).all(|(a, b)| of_soft(a, b))
            && self.joints.len() == snapshot.joint_impulses.len();
        if !same {
            let message = "the snapshot is of another world: its bodies or joints are others";
            return Err(WorldError::Bad(message.to_owned()));
        }
        for (body, motion) in self.bodies.iter_mut().zip(&snapshot.bodies) {
            (body.pose, body.frozen) = (motion.pose, motion.frozen.clone());
            (body.linear_velocity, body.angular_velocity) = (motion.linear, motion.angular);
            (body.force, body.torque) = (motion.force, motion.torque);
        }
        self.softs.list.clone_from(&snapshot.softs);
        self.softs.coupled.memory.clone_from(&snapshot.soft_memory);
        self.contacts.clone_from(&snapshot.contacts);
        self.blocks.clone_from(&snapshot.blocks);
        self.cache.clone_from(&snapshot.cache);
        self.wrenches.clone_from(&snapshot.wrenches);
        self.joint_impulses.clone_from(&snapshot.joint_impulses);
        self.islands.clone_from(&snapshot.islands);
        self.collision.go_back(&snapshot.kept);
        self.report.clone_from(&snapshot.report);
        self.steps = snapshot.steps;
        Ok(())
    }
}
