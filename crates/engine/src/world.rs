//! The world: bodies, joints, materials and what acts on them.

use std::time::Duration;

use asperity_friction::FrictionError;
use asperity_friction::pairing::Pairing;
use asperity_friction::surface::patch::SamplePatches;
use glamx::{DMat3, DPose3, DVec3};
use thiserror::Error;

use crate::body::{BodyDesc, BodyId, BodyKind, Mass};
use crate::contact::{Contact, ContactCache};
use crate::drive::Drive;
use crate::dynamics::joint::MAX_ROWS;
use crate::island::Islands;
use crate::joint::{JointDesc, JointId};
use crate::measure::StepTimes;
use crate::patch_block::PatchBlock;
use crate::sample::Patches;
pub use crate::settings::{Method, Settings};
use crate::soft::{Soft, SoftStep, Softs};
use crate::wrench::{ContactKinds, RememberedWrench};
use asperity_geometry::collision::Collision;
use asperity_geometry::shape::{Shape, ShapeError};
use asperity_geometry::structure::StructureField;
use asperity_geometry::volume::VolumeError;

/// A body in a world.
#[derive(Debug, Clone)]
pub struct Body {
    /// Unique name.
    pub name: String,
    /// What moves it.
    pub kind: BodyKind,
    /// World from body.
    pub pose: DPose3,
    /// Velocity of the centre of mass, m/s.
    pub linear_velocity: DVec3,
    /// rad/s, world axes.
    pub angular_velocity: DVec3,
    /// kg; infinite where nothing pushes the body.
    pub mass: f64,
    /// Why it no longer moves, if so.
    pub frozen: Option<Frozen>,
    pub(crate) desc: BodyDesc,
    /// Centre of mass, body axes.
    pub(crate) centre: DVec3,
    /// kg m² about the centre, body axes.
    pub(crate) inertia: DMat3,
    pub(crate) inverse_inertia: DMat3,
    /// Distance of the farthest point from the centre of mass, metres.
    pub(crate) radius: f64,
    /// Force and torque that a user applies in the next step.
    pub(crate) force: DVec3,
    pub(crate) torque: DVec3,
}

/// A body that was stopped because its numbers went bad.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frozen {
    /// Name of the body.
    pub body: String,
    /// In which step, counted from 1.
    pub step: u64,
    /// Which number.
    pub field: &'static str,
    /// Why.
    pub cause: &'static str,
}

impl std::fmt::Display for Frozen {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(
            f,
            "body \"{}\" was stopped in step {}: its {} is not finite ({})",
            self.body, self.step, self.field, self.cause
        )
    }
}

/// What a step did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StepReport {
    /// Largest residual of any island.
    pub residual: f64,
    /// Most sweeps of any island.
    pub iterations: usize,
    /// Contact points, wrench contacts among them.
    pub contacts: usize,
    /// Contacts by wrench: one for each volume that two bodies share.
    pub wrenches: usize,
    /// Groups of bodies that touch.
    pub islands: usize,
    /// Islands whose solve stopped short of the tolerance.
    pub unconverged: usize,
    /// Deepest penetration, metres.
    pub penetration: f64,
    /// Near pairs whose contacts cannot be computed; they pass through each other.
    pub unsupported: usize,
    /// Bodies stopped in this step.
    pub frozen: Vec<Frozen>,
    /// Patches of surfaces that were looked at.
    pub patches: usize,
    /// Why a device could not sample them; plain code did.
    pub sampler_error: Option<String>,
    /// What happened to soft bodies; `None` where there are none.
    pub soft: Option<SoftStep>,
    /// Why contacts of soft bodies could not be computed; they stood still.
    pub soft_error: Option<String>,
}

/// Energies, joules.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Energy {
    /// Of motion.
    pub kinetic: f64,
    /// In gravity, zero at the origin, and elastic.
    pub potential: f64,
}

impl Energy {
    /// Kinetic and potential.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

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
    pub(crate) joints: Vec<JointDesc>,
    pub(crate) drives: Vec<Drive>,
    pub(crate) collision: Collision,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) blocks: Vec<PatchBlock>,
    pub(crate) cache: ContactCache,
    pub(crate) contact_kinds: ContactKinds,
    pub(crate) wrenches: Vec<RememberedWrench>,
    pub(crate) islands: Islands,
    pub(crate) joint_impulses: Vec<[f64; MAX_ROWS]>,
    pub(crate) patches: Patches,
    pub(crate) report: StepReport,
    pub(crate) times: StepTimes,
    pub(crate) softs: Softs,
    pub(crate) steps: u64,
}

impl World {
    /// An empty world with these materials.
    pub fn new(settings: Settings, pairing: Pairing) -> World {
        World {
            settings,
            patches: Patches::new(pairing.surfaces()),
            pairing,
            bodies: Vec::new(),
            joints: Vec::new(),
            drives: Vec::new(),
            collision: Collision::new(),
            contacts: Vec::new(),
            blocks: Vec::new(),
            cache: ContactCache::default(),
            contact_kinds: ContactKinds::default(),
            wrenches: Vec::new(),
            islands: Islands::default(),
            joint_impulses: Vec::new(),
            report: StepReport::default(),
            times: StepTimes::default(),
            softs: Softs::default(),
            steps: 0,
        }
    }

    /// Who samples the patches of contacts from now on; `None`: plain code. Where a device fails,
    /// plain code takes over and [`StepReport::sampler_error`] says why.
    pub fn set_sampler(&mut self, device: Option<Box<dyn SamplePatches>>) {
        self.patches.set_device(device);
    }

    /// How long the sampling of patches took in all steps so far.
    pub fn sampling_time(&self) -> Duration {
        self.patches.spent
    }

    /// Name of who samples patches.
    pub fn sampler(&self) -> String {
        self.patches.name()
    }

    /// Adds a body.
    pub fn add_body(&mut self, desc: BodyDesc) -> Result<BodyId, WorldError> {
        let bad = |what: String| Err(WorldError::Bad(format!("body \"{}\": {what}", desc.name)));
        let taken = self.bodies.iter().any(|b| b.name == desc.name)
            || self.softs().iter().any(|s| s.name == desc.name);
        if taken {
            return bad("there is another body of this name".to_owned());
        }
        if desc.surface >= self.pairing.surfaces().len() {
            return bad(format!("there is no material number {}", desc.surface));
        }
        let finite = desc.pose.is_finite()
            && desc.linear_velocity.is_finite()
            && desc.angular_velocity.is_finite()
            && desc.gravity_scale.is_finite();
        if !finite {
            return bad("pose, velocities and gravity scale must be finite numbers".to_owned());
        }
        if !(0.0..=1.0).contains(&desc.restitution) {
            return bad(format!("restitution {} is not between 0 and 1", desc.restitution));
        }
        for (what, value) in [("linear", desc.linear_damping), ("angular", desc.angular_damping)] {
            if !(value.is_finite() && value >= 0.0) {
                return bad(format!("{what} damping {value} is not a finite number, zero or more"));
            }
        }
        // Every two bodies that may meet have a friction law, or the second is refused.
        for other in self.bodies.iter().filter(|b| desc.shape.is_some() && b.shape().is_some()) {
            let still = |kind: BodyKind| kind == BodyKind::Fixed;
            if !(still(other.kind) && still(desc.kind)) {
                self.pairing.pair(desc.surface, other.surface())?;
            }
        }
        let touches = |s: &&Soft| desc.shape.is_some() && s.can_touch(desc.group);
        for soft in self.softs.list.iter().filter(touches) {
            self.check_soft_pair(desc.surface, soft.surface)?;
        }
        let (mass, centre, inertia) = mass_of(&desc)?;
        let id = BodyId(self.bodies.len());
        let shape_error =
            |source: ShapeError| WorldError::Shape { body: desc.name.clone(), source };
        let dynamic = desc.kind == BodyKind::Dynamic;
        let mut radius = 0.0;
        if let Some(shape) = &desc.shape {
            let built = shape.build().map_err(shape_error)?;
            let can_move = desc.kind != BodyKind::Fixed;
            let closed = self.closed_if_needed(&desc.name, shape, desc.surface)?;
            self.collision.add(id.0, shape, can_move, desc.group).map_err(shape_error)?;
            if let Some(closed) = closed {
                self.collision.add_volume(id.0, closed, desc.surface);
            }
            let bounds = built.compute_local_aabb();
            radius = [bounds.mins, bounds.maxs]
                .iter()
                .fold(DVec3::ZERO, |m, corner| m.max((*corner - centre).abs()))
                .length();
        }
        let rotation = desc.pose.rotation.normalize();
        self.bodies.push(Body {
            name: desc.name.clone(),
            kind: desc.kind,
            pose: DPose3::from_parts(desc.pose.translation, rotation),
            linear_velocity: desc.linear_velocity,
            angular_velocity: desc.angular_velocity,
            mass,
            frozen: None,
            centre,
            inertia,
            inverse_inertia: if dynamic { inertia.inverse() } else { DMat3::ZERO },
            radius,
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
            desc,
        });
        Ok(id)
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
        let id = JointId(self.joints.len());
        self.joints.push(joint);
        self.joint_impulses.push([0.0; MAX_ROWS]);
        Ok(id)
    }

    /// Adds something that acts from outside.
    pub fn add_drive(&mut self, drive: Drive) -> Result<(), WorldError> {
        let (Drive::Force { body, .. } | Drive::Impulse { body, .. } | Drive::Spring { body, .. }) =
            &drive;
        if body.0 >= self.bodies.len() {
            return Err(WorldError::Bad("a drive names a body that does not exist".to_owned()));
        }
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
            let weight = self.settings.gravity * soft.body.mass();
            energy.kinetic += soft.body.kinetic_energy();
            energy.potential += soft.body.energy() - weight.dot(soft.body.centre());
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

impl Body {
    /// The centre of mass in the world.
    pub fn centre_of_mass(&self) -> DVec3 {
        self.pose.transform_point(self.centre)
    }

    /// Its shape.
    pub fn shape(&self) -> Option<&Shape> {
        self.desc.shape.as_ref()
    }

    /// Number of its material.
    pub fn surface(&self) -> usize {
        self.desc.surface
    }

    /// Where its grain comes from.
    pub fn structure(&self) -> &StructureField {
        &self.desc.structure
    }

    /// Its energy; none where nothing pushes it.
    pub fn energy(&self, gravity: DVec3) -> Energy {
        if self.kind != BodyKind::Dynamic {
            return Energy::default();
        }
        let spin = self.pose.rotation.inverse() * self.angular_velocity;
        let gravity = gravity * self.desc.gravity_scale;
        Energy {
            kinetic: 0.5
                * (self.mass * self.linear_velocity.length_squared()
                    + spin.dot(self.inertia * spin)),
            potential: -self.mass * gravity.dot(self.centre_of_mass()),
        }
    }

    /// Whether forces and contacts move it.
    pub(crate) fn is_pushed(&self) -> bool {
        self.kind == BodyKind::Dynamic && self.frozen.is_none()
    }

    /// Velocity of a point of the body, world axes.
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.linear_velocity + self.angular_velocity.cross(point - self.centre_of_mass())
    }
}

/// Mass, centre of mass and inertia about it.
fn mass_of(desc: &BodyDesc) -> Result<(f64, DVec3, DMat3), WorldError> {
    if desc.kind != BodyKind::Dynamic {
        return Ok((f64::INFINITY, DVec3::ZERO, DMat3::ZERO));
    }
    let bad = |what: String| WorldError::Bad(format!("body \"{}\": {what}", desc.name));
    let from_shape = |density: f64| {
        let shape = desc.shape.as_ref().ok_or_else(|| {
            bad("a dynamic body without a shape needs its mass and inertia".to_owned())
        })?;
        let source = |source| WorldError::Shape { body: desc.name.clone(), source };
        let m = shape.mass_properties(density).map_err(source)?;
        Ok::<_, WorldError>((m.mass, m.centre, m.inertia))
    };
    let (mass, centre, inertia) = match desc.mass {
        Mass::Density(density) if density.is_finite() && density > 0.0 => from_shape(density)?,
        Mass::Density(density) => {
            return Err(bad(format!("density {density} is not a finite number above zero")));
        }
        Mass::Total(total) if total.is_finite() && total > 0.0 => {
            let (mass, centre, inertia) = from_shape(1.0)?;
            (total, centre, inertia * (total / mass))
        }
        Mass::Total(total) => {
            return Err(bad(format!("mass {total} is not a finite number above zero")));
        }
        Mass::Explicit { mass, centre, inertia } => (mass, centre, inertia),
    };
    let symmetric = (inertia - inertia.transpose()).abs_diff_eq(DMat3::ZERO, 1e-9 * trace(inertia));
    let positive = inertia.determinant() > 0.0 && trace(inertia) > 0.0;
    if !(mass.is_finite() && mass > 0.0 && centre.is_finite() && symmetric && positive) {
        return Err(bad(format!(
            "mass {mass} kg with this inertia is not physical; expected a positive mass and a symmetric positive definite inertia"
        )));
    }
    Ok((mass, centre, inertia))
}

fn trace(m: DMat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}
