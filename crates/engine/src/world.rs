//! The world: bodies, joints, materials and what acts on them.

mod admission;
mod extents;

use std::time::Duration;

use asperity_friction::FrictionError;
use asperity_friction::pairing::Pairing;
use asperity_friction::surface::patch::SamplePatches;
use asperity_geometry::collision::Collision;
use asperity_geometry::shape::ShapeError;
use asperity_geometry::volume::VolumeError;
use glamx::DVec3;
use thiserror::Error;

use crate::body::BodyId;
pub use crate::body::{Body, Frozen};
use crate::contact::{Contact, PatchBlock};
use crate::drive::Drive;
use crate::dynamics::joint_rows::MAX_ROWS;
use crate::island::Islands;
use crate::joint::{Joint, JointDesc, JointId};
use crate::measure::{Solved, StepTimes};
use crate::memory::ContactMemory;
pub use crate::report::{Energy, StepReport};
use crate::sampling::PatchSamples;
pub use crate::settings::{Method, Settings};
use crate::sleep::Sleep;
use crate::soft::SoftBodies;
use crate::wear::Wear;

/// Why a body or joint was refused.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum WorldError {
    /// A shape that cannot be used.
    #[error("body \"{body}\": {source}")]
    Shape {
        /// Which body.
        body: String,
        /// Why.
        source: ShapeError,
    },
    /// Friction that cannot be used.
    #[error(transparent)]
    Friction(#[from] FrictionError),
    /// A shape that encloses no volume where bodies touch by volume.
    #[error("body \"{body}\" touches by wrench, but {source}")]
    Volume {
        /// Which body.
        body: String,
        /// Why.
        source: VolumeError,
    },
    /// Anything else, with what was expected.
    #[error("{0}")]
    Bad(String),
}

/// Bodies, joints, materials and what acts on them.
#[derive(Debug)]
pub struct World {
    /// How it is stepped.
    pub settings: Settings,
    pub(crate) pairing: Pairing,
    pub(crate) bodies: Vec<Body>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) drives: Vec<Drive>,
    pub(crate) collision: Collision,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) blocks: Vec<PatchBlock>,
    pub(crate) memory: ContactMemory,
    pub(crate) islands: Islands,
    pub(crate) samples: PatchSamples,
    pub(crate) report: StepReport,
    pub(crate) times: StepTimes,
    pub(crate) solved: Option<Vec<Solved>>,
    pub(crate) softs: SoftBodies,
    pub(crate) sleep: Sleep,
    pub(crate) wear: Wear,
    pub(crate) steps: u64,
}

impl World {
    /// An empty world with these materials.
    pub fn new(settings: Settings, pairing: Pairing) -> World {
        World {
            settings,
            samples: PatchSamples::new(pairing.surfaces()),
            pairing,
            bodies: Vec::new(),
            joints: Vec::new(),
            drives: Vec::new(),
            collision: Collision::new(),
            contacts: Vec::new(),
            blocks: Vec::new(),
            memory: ContactMemory::default(),
            islands: Islands::default(),
            report: StepReport::default(),
            times: StepTimes::default(),
            solved: None,
            softs: SoftBodies::default(),
            sleep: Sleep::default(),
            wear: Wear::new(),
            steps: 0,
        }
    }

    /// Who samples the patches of contacts from now on; `None`: plain code. Where a device fails,
    /// plain code takes over and [`StepReport::sampler_error`] says why.
    pub fn set_sampler(&mut self, device: Option<Box<dyn SamplePatches>>) {
        self.samples.set_device(device);
    }

    /// How long the sampling of patches took in all steps so far.
    pub fn sampling_time(&self) -> Duration {
        self.samples.spent
    }

    /// Name of who samples patches.
    pub fn sampler(&self) -> String {
        self.samples.name()
    }

    /// Adds a joint.
    pub fn add_joint(&mut self, joint: JointDesc) -> Result<JointId, WorldError> {
        let n = self.bodies.len();
        let bad = |what: &str| Err(WorldError::Bad(format!("joint \"{}\": {what}", joint.name)));
        if joint.b.0 >= n || joint.a.is_some_and(|a| a.0 >= n) {
            return bad("it names a body that does not exist");
        }
        if joint.a == Some(joint.b) {
            return bad("it joins a body to itself");
        }
        if !(joint.frame_a.is_finite() && joint.frame_b.is_finite()) {
            return bad("its frames must be finite numbers");
        }
        if joint.limits.is_some_and(|[low, high]| !(low <= high)) {
            return bad("its limits must be ordered, the least first");
        }
        if let (Some(a), false) = (joint.a, joint.collide) {
            self.collision.exclude(a.0, joint.b.0);
        }
        self.wake_all();
        let id = JointId(self.joints.len());
        self.joints.push(Joint { desc: joint, turned: 0.0 });
        self.turn_joints();
        self.memory.joints.push([0.0; MAX_ROWS]);
        Ok(id)
    }

    /// Adds something that acts from outside.
    pub fn add_drive(&mut self, drive: Drive) -> Result<(), WorldError> {
        let (Drive::Force { body, .. } | Drive::Impulse { body, .. } | Drive::Spring { body, .. }) =
            &drive;
        if body.0 >= self.bodies.len() {
            return Err(WorldError::Bad("a drive names a body that does not exist".to_owned()));
        }
        self.wake_all();
        self.drives.push(drive);
        Ok(())
    }

    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.settings.dt
    }

    /// Steps since the start.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// All bodies in order of their numbers.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// A body by its name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.bodies.iter().position(|b| b.name == name).map(BodyId)
    }

    /// Sets the velocity of a body (m/s at its centre of mass, rad/s in world axes).
    pub fn set_velocity(&mut self, id: BodyId, linear: DVec3, angular: DVec3) {
        self.wake(id.0);
        if let Some(body) = self.bodies.get_mut(id.0) {
            (body.linear_velocity, body.angular_velocity) = (linear, angular);
        }
    }

    /// A force (N, at the centre of mass) and torque (N m) for the next step only.
    pub fn apply_force(&mut self, id: BodyId, force: DVec3, torque: DVec3) {
        if let Some(body) = self.bodies.get_mut(id.0) {
            body.force += force;
            body.torque += torque;
        }
    }

    /// The contacts of the last step.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// The friction of whole patches in the last step: of pairs whose extent is "spin".
    pub fn patch_blocks(&self) -> &[PatchBlock] {
        &self.blocks
    }

    /// What the last step did.
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// The materials and their pairs.
    pub fn pairing(&self) -> &Pairing {
        &self.pairing
    }

    /// The collision state: manifolds and their patches.
    pub fn collision(&self) -> &Collision {
        &self.collision
    }

    /// Energy of all dynamic and soft bodies.
    pub fn energy(&self) -> Energy {
        let mut energy = Energy::default();
        for body in &self.bodies {
            let own = body.energy(self.settings.gravity);
            energy.kinetic += own.kinetic;
            energy.potential += own.potential;
        }
        for soft in self.softs() {
            let own = soft.energy(self.settings.gravity);
            energy.kinetic += own.kinetic;
            energy.potential += own.potential;
        }
        energy
    }

    /// A number that changes when any bit of any pose or velocity does.
    pub fn state_hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for body in &self.bodies {
            let q = body.pose.rotation;
            let numbers = [q.x, q.y, q.z, q.w]
                .into_iter()
                .chain(body.pose.translation.to_array())
                .chain(body.linear_velocity.to_array())
                .chain(body.angular_velocity.to_array());
            hash = numbers.fold(hash, mix);
        }
        for soft in self.softs() {
            let all = soft.body.positions.iter().chain(&soft.body.velocities);
            hash = all.flat_map(DVec3::to_array).fold(hash, mix);
        }
        hash
    }
}

/// FNV-1a over the eight bytes at once, then mixed.
fn mix(hash: u64, number: f64) -> u64 {
    let hash = (hash ^ number.to_bits()).wrapping_mul(0x0100_0000_01b3);
    hash ^ (hash >> 29)
}
