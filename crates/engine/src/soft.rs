//! Cloth and soft solids in a world: how they are added, and how a step moves them.
//!
//! What touches nothing that gives way is stepped after the rigid bodies: backward Euler with contacts with
//! rigid shapes as part of it ([`SoftContacts::Implicit`]) or after it ([`SoftContacts::Filter`]), contacts
//! with each other and with themselves, then positions. Rigid bodies are walls for them during the step;
//! what they were pushed with acts on dynamic ones at its end. Or ([`SoftContacts::Solver`]) their
//! contacts are solved for together with those of rigid bodies.

mod description;
mod features;
mod grain;
mod held_back;
mod nearness;
mod obstacle;
mod overlap;
mod preparation;
mod push_back;
mod relinearisation;
mod solver_contacts;
mod vertex_laws;
mod work;

use std::ops::Range;
use std::time::{Duration, Instant};

use asperity_geometry::collision::groups_touch;
use asperity_soft::contact::{
    ContactError, ContactStage, FrictionRule, Obstacle, Placed, StageOptions, StageReport, Step,
};
use asperity_soft::{SoftBody, Trouble};
use glamx::{DPose3, DVec3};

use crate::body::{Body, Frozen};
use crate::memory::{PointMemory, SoftMemory};
use crate::report::Energy;
use crate::world::{World, WorldError};
use description::usual_thickness;
pub use description::{SoftContacts, SoftDesc};
use features::Features;
pub use grain::RestStructure;
use grain::{Grains, Parts};
use obstacle::{RigidMotion, Solid, obstacles};
use solver_contacts::SolverContacts;
use vertex_laws::{Surroundings, VertexLaws, VertexSurfaces, find_areas, key_by_body};

/// Number of a soft body in its world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SoftId(pub usize);

/// A cloth or soft solid of a world.
#[derive(Debug, Clone)]
pub struct Soft {
    /// Its name.
    pub name: String,
    /// Its vertices and elements.
    pub body: SoftBody,
    /// Number of its material.
    pub surface: usize,
    /// Its grain, where that is not its material's.
    pub structure: RestStructure,
    /// Centre of mass at the start, metres.
    pub start: DVec3,
    thickness: f64,
    self_contact: bool,
    group: u32,
    /// Where its vertices were when it was added.
    rest: Vec<DVec3>,
    /// Its grain there, once it was asked for.
    grain: Parts,
    first: usize,
    /// Velocities about whose end its step was linearised last, if that was done again.
    about: Vec<DVec3>,
    /// Whether it was told that the body was stopped.
    told: bool,
}

impl Soft {
    /// Whether it touches bodies of a group.
    pub(crate) fn can_touch(&self, group: u32) -> bool {
        groups_touch(group, self.group)
    }

    /// Its vertices among those of all soft bodies.
    fn range(&self) -> Range<usize> {
        self.first..self.first + self.body.positions.len()
    }

    /// Kinetic, and in gravity and elastic, joules.
    pub(crate) fn energy(&self, gravity: DVec3) -> Energy {
        let weight = gravity * self.body.mass();
        Energy {
            kinetic: self.body.kinetic_energy(),
            potential: self.body.energy() - weight.dot(self.body.centre()),
        }
    }

    /// Whether it can touch itself.
    pub fn touches_itself(&self) -> bool {
        self.self_contact
    }
}

/// What a step did to soft bodies.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SoftStep {
    /// What contacts did.
    pub contact: StageReport,
    /// Most iterations of a linear solve.
    pub iterations: usize,
    /// Largest residual of a linear solve.
    pub linear_residual: f64,
    /// Time of elasticity.
    pub elastic: Duration,
    /// Part of the motion that was taken because the step would have brought energy from nowhere.
    pub slowed: f64,
    /// How much that would have been, joules.
    pub held_back: f64,
}

/// All soft bodies of a world, and what their contacts need.
#[derive(Debug, Default)]
pub(crate) struct SoftBodies {
    pub(crate) list: Vec<Soft>,
    /// How contacts are handled.
    pub(crate) options: StageOptions,
    /// Passes of the filter.
    pub(crate) passes: usize,
    /// How contacts are to act.
    pub(crate) asked: SoftContacts,
    /// How they act in this step: one of the three ways.
    pub(crate) kind: SoftContacts,
    /// Contacts that are solved for together with those of rigid bodies.
    pub(crate) solver: SolverContacts,
    stage: Option<ContactStage>,
    solids: Vec<Option<Solid>>,
    features: Features,
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    begin: Vec<DVec3>,
    inverse_masses: Vec<f64>,
    /// Material of each vertex.
    materials: Vec<usize>,
    /// Area of each vertex, where a section asks for it.
    areas: Vec<f64>,
    /// The grain of those that have a field.
    grains: Grains,
    /// Bodies of the obstacles of the last step.
    obstacle_bodies: Vec<usize>,
    /// Whether a law depends on the load of the last step.
    keeps_loads: bool,
    /// Whether any contact may have friction.
    resist: bool,
}

impl World {
    /// Adds a cloth or a soft solid.
    pub fn add_soft(&mut self, desc: SoftDesc) -> Result<SoftId, WorldError> {
        self.wake_all();
        self.check_name(&desc.name, desc.surface)?;
        let thickness = desc.thickness.unwrap_or_else(|| usual_thickness(&desc.body));
        if !(thickness.is_finite() && thickness > 0.0) {
            let what = format!("thickness {thickness} is not a finite number above zero");
            return Err(WorldError::Bad(format!("body \"{}\": {what}", desc.name)));
        }
        let structure = desc.structure.check(desc.body.positions.len());
        structure.map_err(|what| WorldError::Bad(format!("body \"{}\": {what}", desc.name)))?;
        let touches = |group: u32| groups_touch(group, desc.group);
        let rigid = self.bodies.iter().filter(|b| b.shape().is_some() && touches(b.desc.group));
        let soft = self.softs.list.iter().filter(|s| s.can_touch(desc.group)).map(|s| s.surface);
        for other in
            rigid.map(Body::surface).chain(soft).chain(desc.self_contact.then_some(desc.surface))
        {
            self.check_soft_pair(other, desc.surface)?;
        }
        let (start, rest) = (desc.body.centre(), desc.body.positions.clone());
        self.softs.stage = None;
        self.softs.list.push(Soft {
            name: desc.name,
            body: desc.body,
            surface: desc.surface,
            structure: desc.structure,
            start,
            thickness,
            self_contact: desc.self_contact,
            group: desc.group,
            rest,
            grain: Parts::new(),
            first: 0,
            about: Vec::new(),
            told: false,
        });
        Ok(SoftId(self.softs.list.len() - 1))
    }

    /// The soft bodies, in the order they were added.
    pub fn softs(&self) -> &[Soft] {
        &self.softs.list
    }

    /// A soft body, to be changed between steps; sizes must stay as they are.
    pub fn soft_mut(&mut self, id: SoftId) -> Option<&mut SoftBody> {
        self.softs.list.get_mut(id.0).map(|s| &mut s.body)
    }

    /// What a stage of contacts of soft bodies does, and in how many passes of the filter; at least
    /// one.
    pub fn set_soft_stage(&mut self, options: StageOptions, passes: usize) {
        (self.softs.options, self.softs.passes) = (options, passes);
        self.softs.stage = None;
    }

    /// How contacts of soft bodies act.
    pub fn set_soft_contacts(&mut self, kind: SoftContacts) {
        (self.softs.asked, self.softs.kind) = (kind, kind);
    }

    /// The poses of rigid bodies when the step begins; nothing where there are no soft ones.
    pub(crate) fn poses_for_soft(&self) -> Vec<DPose3> {
        let poses = self.bodies.iter().map(|b| b.pose);
        poses.take(if self.softs().is_empty() { 0 } else { usize::MAX }).collect()
    }

    /// One step of all soft bodies. `before` has the poses that rigid bodies began with.
    pub(crate) fn move_soft(&mut self, before: &[DPose3]) {
        if self.softs.list.is_empty() {
            return;
        }
        self.softs.solver.active = false;
        let (h, gravity) = (self.settings.dt, self.settings.gravity);
        let clock = Instant::now();
        let mut report = SoftStep::default();
        let motion = |(b, before): (&Body, &DPose3)| RigidMotion::since(b, *before, h);
        let moving: Vec<RigidMotion> = self.bodies.iter().zip(before).map(motion).collect();
        if let Err(e) = self.softs.prepare(&self.bodies, &moving, &self.pairing) {
            self.report.soft_error = Some(e.to_string());
            return;
        }
        if self.softs.kind.filter().is_some() {
            for soft in &mut self.softs.list {
                let r = soft.body.free_velocities(h, gravity, &[]);
                report.iterations = report.iterations.max(r.linear.iterations);
                report.linear_residual = report.linear_residual.max(r.linear.residual);
            }
        }
        report.elastic = clock.elapsed();
        if let Some(stage) = &mut self.softs.stage {
            // A measurement, not part of the step: one in sixteen will do.
            let due = self.steps.is_multiple_of(RESIDUAL_EVERY);
            stage.options.residual = self.softs.options.residual && due;
        }
        let time = self.time();
        let World { softs, bodies, pairing, collision, samples, report: told, memory, .. } = self;
        let with_solve = softs.kind == SoftContacts::Implicit;
        let fall = if with_solve { gravity * h } else { DVec3::ZERO };
        let (moving, memory) = (&moving, &memory.soft);
        let mut around = Surroundings {
            bodies,
            moving,
            pairing,
            collision,
            samples,
            report: told,
            memory,
            fall,
            time,
        };
        match softs.contacts(&mut around, (h, gravity)) {
            Ok((contact, held)) => {
                (report.contact, report.slowed, report.held_back) = (contact, held.0, held.1);
            }
            Err(e) => self.report.soft_error = Some(e.to_string()),
        }
        if let Some(implicit) = report.contact.implicit {
            report.iterations = implicit.iterations;
            report.linear_residual = implicit.linear_residual;
            report.elastic = report.contact.times.solve;
        }
        for soft in self.softs.list.iter_mut().filter(|s| !s.told) {
            if let Some(trouble) = soft.body.stopped() {
                self.report.frozen.push(frozen(&soft.name, self.steps + 1, trouble));
                soft.told = true;
            }
        }
        if self.softs.kind != SoftContacts::Solver {
            self.softs.push_back(&mut self.bodies);
            self.softs.remember_loads(h, &mut self.memory.soft);
        }
        self.report.soft = Some(report);
    }
}

/// The filter's residual is measured in one of so many steps.
const RESIDUAL_EVERY: u64 = 16;

fn frozen(name: &str, step: u64, trouble: &Trouble) -> Frozen {
    let cause = "a vertex of the soft body";
    Frozen { body: name.to_owned(), step, field: trouble.field, cause }
}

impl SoftBodies {
    /// What a contact stage works on, with what it takes: the velocities of vertices are those of
    /// their bodies now, and nothing that is held has a mass.
    fn gather(&mut self) {
        self.velocities.copy_from_slice(&self.begin);
        for soft in &self.list {
            let held = soft.body.stopped().is_some();
            for (i, v) in soft.body.velocities.iter().enumerate() {
                let k = soft.first + i;
                self.velocities[k] = *v;
                let fixed = held || soft.body.pinned[i];
                self.inverse_masses[k] = if fixed { 0.0 } else { 1.0 / soft.body.masses[i] };
            }
        }
    }

    /// Contacts and positions.
    fn contacts(
        &mut self,
        around: &mut Surroundings,
        (h, gravity): (f64, DVec3),
    ) -> Result<(StageReport, (f64, f64)), ContactError> {
        self.gather();
        let SoftBodies {
            list,
            stage,
            solids,
            areas,
            grains,
            kind,
            positions,
            velocities,
            solver,
            ..
        } = self;
        let Some(stage) = stage else { return Ok((StageReport::default(), (0.0, 0.0))) };
        let made = obstacles(solids, around.bodies, around.moving);
        let all: Vec<&dyn Obstacle> = made.iter().map(|(_, o)| o as &dyn Obstacle).collect();
        let step = Step {
            positions,
            velocities,
            begin_velocities: &self.begin,
            inverse_masses: &self.inverse_masses,
            obstacles: &all,
            dt: h,
        };
        self.obstacle_bodies = made.iter().map(|(k, _)| *k).collect();
        find_areas(around.pairing, list, areas);
        grains.find(list, around.time);
        let of = VertexSurfaces {
            materials: &self.materials,
            areas,
            grains,
            obstacle_bodies: &self.obstacle_bodies,
            solids,
            resist: self.resist,
        };
        let laws = VertexLaws::new(around, of);
        let placed = list.iter_mut().map(|s| Placed { first: s.first, body: &mut s.body });
        let mut placed: Vec<Placed> = placed.collect();
        stage.filter.friction = kind.filter().unwrap_or(FrictionRule::Exact);
        let report = match kind {
            SoftContacts::Filter | SoftContacts::FilterAsPrinted => stage.step(step, laws)?,
            SoftContacts::Solver => stage.finish_step(step, &placed, gravity, &solver.impulses)?,
            SoftContacts::Implicit | SoftContacts::Auto => {
                stage.step_implicit(step, &mut placed, gravity, laws)?
            }
        };
        let held = self.hold_back(h, gravity);
        for soft in &mut self.list {
            let range = soft.range();
            if soft.body.stopped().is_none() {
                soft.body.positions.copy_from_slice(&self.positions[range.clone()]);
                soft.body.velocities.copy_from_slice(&self.velocities[range]);
            }
        }
        Ok((report, held))
    }

    /// Keeps what contacts carried for the laws of the next step, where one depends on it.
    fn remember_loads(&self, h: f64, memory: &mut SoftMemory) {
        match &self.stage {
            Some(stage) if self.keeps_loads => self.remember(stage.impulses(), h, memory),
            _ => memory.clear(),
        }
    }

    /// Keeps the impulses on B of contacts, world, and their loads for the next step.
    fn remember(&self, impulses: &[DVec3], h: f64, memory: &mut SoftMemory) {
        memory.clear();
        let Some(stage) = &self.stage else { return };
        let contacts = stage.contacts();
        memory.extend(contacts.list.iter().zip(impulses).map(|(contact, impulse)| {
            let load = contact.normal.dot(*impulse).max(0.0) / h;
            let key = key_by_body(contacts.key(contact), &self.obstacle_bodies);
            (key, PointMemory { impulse: *impulse, load, ..PointMemory::default() })
        }));
    }
}
