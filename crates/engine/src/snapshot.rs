//! The state of a world, kept to go back to: for look-ahead, for undo, for runs that branch.

use asperity_geometry::collision::Kept;
use glamx::{DPose3, DVec3};

use crate::body::{Body, Frozen};
use crate::contact::{Contact, PatchBlock};
use crate::island::Islands;
use crate::memory::ContactMemory;
use crate::report::StepReport;
use crate::sleep::Sleep;
use crate::soft::Soft;
use crate::wear::Wear;
use crate::world::{World, WorldError};

/// All that the steps of a world depend on, apart from what it was built from: motion, what contacts
/// remember (impulses, bristles, manifolds), what wear took, and what solvers keep. A world that goes on from a
/// snapshot makes the same steps to the last bit.
#[derive(Debug, Clone)]
pub struct Snapshot {
    bodies: Vec<Motion>,
    softs: Vec<Soft>,
    contacts: Vec<Contact>,
    blocks: Vec<PatchBlock>,
    memory: ContactMemory,
    islands: Islands,
    kept: Kept,
    sleep: Sleep,
    wear: Wear,
    report: StepReport,
    /// How far hinges have turned.
    turned: Vec<f64>,
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
    asleep: bool,
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
            asleep: body.asleep,
        };
        Snapshot {
            bodies: self.bodies.iter().map(motion).collect(),
            softs: self.softs.list.clone(),
            contacts: self.contacts.clone(),
            blocks: self.blocks.clone(),
            memory: self.memory.clone(),
            islands: self.islands.clone(),
            kept: self.collision.kept(),
            sleep: self.sleep.clone(),
            wear: self.wear.clone(),
            report: self.report.clone(),
            turned: self.joints.iter().map(|joint| joint.turned).collect(),
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
            && self.joints.len() == snapshot.memory.joints.len();
        if !same {
            let message = "the snapshot is of another world: its bodies or joints are others";
            return Err(WorldError::Bad(message.to_owned()));
        }
        for (body, motion) in self.bodies.iter_mut().zip(&snapshot.bodies) {
            (body.pose, body.frozen) = (motion.pose, motion.frozen.clone());
            body.asleep = motion.asleep;
            (body.linear_velocity, body.angular_velocity) = (motion.linear, motion.angular);
            (body.force, body.torque) = (motion.force, motion.torque);
        }
        self.softs.list.clone_from(&snapshot.softs);
        self.contacts.clone_from(&snapshot.contacts);
        self.blocks.clone_from(&snapshot.blocks);
        self.memory.clone_from(&snapshot.memory);
        for (joint, turned) in self.joints.iter_mut().zip(&snapshot.turned) {
            joint.turned = *turned;
        }
        self.islands.clone_from(&snapshot.islands);
        self.sleep.clone_from(&snapshot.sleep);
        self.wear.clone_from(&snapshot.wear);
        self.samples.forget_reliefs();
        for (body, worn) in &self.wear {
            self.samples.set_relief(*body, worn.relief.clone());
        }
        self.lay_to_rest();
        self.collision.go_back(&snapshot.kept);
        self.report.clone_from(&snapshot.report);
        self.steps = snapshot.steps;
        Ok(())
    }
}
