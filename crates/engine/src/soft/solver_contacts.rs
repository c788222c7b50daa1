//! Contacts of soft bodies as rows of the contact problems of islands.
//!
//! Each soft body begins its implicit step A v = b + p without contacts; what impulses p do is A⁻¹ p.
//! Its contacts are rows beside those of rigid contacts and joints, coupled with each other through
//! A⁻¹ and with everything else through the rigid bodies they touch. What the solution leads to may
//! touch more than was known: then those contacts are added and all is solved again.

use asperity_soft::SoftBody;
use asperity_soft::contact::{
    ContactError, ContactStage, Dofs, Obstacle, RigidDof, RowContacts, SoftRows, Step, VertexMasses,
};
use asperity_solve::{ProblemError, RowAssembler};
use glamx::{DPose3, DVec3};

use super::obstacle::{RigidMotion, obstacles};
use super::vertex_laws::{Surroundings, VertexLaws, VertexSurfaces, find_areas, key_by_body};
use super::{SoftBodies, SoftContacts};
use crate::body::Body;
use crate::dynamics::midpoint::Midpoint;
use crate::island::Island;
use crate::world::World;

/// What is known of contacts that are solved for together with those of rigid bodies.
#[derive(Debug, Default)]
pub(crate) struct SolverContacts {
    /// Velocities without contacts.
    pub(super) free: Vec<DVec3>,
    /// Impulse on B of each contact, world: what a solve begins with and what it found.
    pub(super) impulses: Vec<DVec3>,
    /// The soft body of each vertex and the rigid body of each corner.
    owners: Vec<Owner>,
    /// Centre of mass of each rigid body when the step begins.
    centres: Vec<DVec3>,
    /// Whether this step has such contacts, and how often they were solved for.
    pub(super) active: bool,
    rounds: usize,
    /// How often steps were linearised again.
    pub(super) linearisations: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Soft(usize),
    Rigid(usize),
}

impl World {
    /// Begins the implicit steps of soft bodies and finds what they touch, where their contacts are
    /// solved for with the others.
    pub(crate) fn begin_soft(&mut self, before: &[DPose3], middle: &[Midpoint]) {
        if self.softs.list.is_empty() || self.softs.kind != SoftContacts::Solver {
            return;
        }
        let time = self.time();
        let World { softs, bodies, pairing, collision, samples, report, settings, memory, .. } =
            self;
        let (moving, fall) = (&expected_motions(bodies, before, middle), DVec3::ZERO);
        let memory = &memory.soft;
        let mut around = Surroundings {
            bodies,
            moving,
            pairing,
            collision,
            samples,
            report,
            memory,
            fall,
            time,
        };
        let begun = softs.prepare(bodies, moving, pairing).and_then(|()| {
            for soft in &mut softs.list {
                soft.body.forget_loads();
                soft.body.begin_response(settings.dt, settings.gravity);
            }
            softs.begin_contacts(&mut around, settings.dt)
        });
        match begun {
            Ok(()) => {
                let known = &mut softs.solver;
                (known.active, known.rounds, known.linearisations) = (true, 0, 0);
            }
            Err(e) => self.report.soft_error = Some(e.to_string()),
        }
    }

    /// Takes over what the islands found, and finds what that leads to. Whether there are contacts
    /// which were not known, so that all is to be solved again; else what they carry is remembered.
    pub(crate) fn find_more_soft(&mut self, before: &[DPose3], middle: &[Midpoint]) -> bool {
        if !self.softs.solver.active {
            return false;
        }
        let mut changed = middle.to_vec();
        self.islands.add_changes(&mut changed);
        let time = self.time();
        let World { softs, bodies, pairing, collision, samples, report, .. } = self;
        let (settings, islands, memory) = (&self.settings, &self.islands, &mut self.memory.soft);
        for island in islands.list() {
            for (&k, impulse) in island.soft_contacts.iter().zip(&island.soft_impulses) {
                softs.solver.impulses[k] = *impulse;
            }
        }
        softs.respond();
        softs.solver.rounds += 1;
        let mut new = Ok(0);
        if softs.solver.rounds <= ROUNDS + softs.solver.linearisations {
            let (moving, fall) = (&expected_motions(bodies, before, &changed), DVec3::ZERO);
            let memory = &*memory;
            let mut around = Surroundings {
                bodies,
                moving,
                pairing,
                collision,
                samples,
                report,
                memory,
                fall,
                time,
            };
            new = softs.add_contacts(&mut around, settings.dt);
        }
        let more =
            *new.as_ref().unwrap_or(&0) > 0 || softs.linearise_again(settings.dt, settings.gravity);
        if !more {
            softs.remember(&softs.solver.impulses, settings.dt, memory);
        }
        if let Err(e) = new {
            self.report.soft_error = Some(e.to_string());
        }
        more
    }
}

/// How often soft contacts are solved for again at most.
const ROUNDS: usize = 4;

/// Rigid bodies with the velocities that they will have.
fn expected_motions(bodies: &[Body], before: &[DPose3], middle: &[Midpoint]) -> Vec<RigidMotion> {
    let all = bodies.iter().zip(before).zip(middle);
    all.map(|((b, before), m)| RigidMotion::new(b, *before, m.linear, m.angular)).collect()
}

impl SoftBodies {
    /// The contacts that velocities without contacts lead to.
    fn begin_contacts(&mut self, around: &mut Surroundings, h: f64) -> Result<(), ContactError> {
        self.gather();
        self.solver.free.clone_from(&self.velocities);
        let known = &mut self.solver;
        known.centres.clear();
        known.centres.extend(around.moving.iter().map(|m| m.centre));
        known.owners.clear();
        for (k, soft) in self.list.iter().enumerate() {
            known.owners.extend(soft.body.positions.iter().map(|_| Owner::Soft(k)));
        }
        known.owners.extend(self.features.bodies().map(Owner::Rigid));
        find_areas(around.pairing, &self.list, &mut self.areas);
        self.grains.find(&mut self.list, around.time);
        self.find(around, h, false)?;
        Ok(())
    }

    /// The contacts that the velocities found lead to; returns how many are new.
    fn add_contacts(&mut self, around: &mut Surroundings, h: f64) -> Result<usize, ContactError> {
        for soft in &self.list {
            self.velocities[soft.range()].copy_from_slice(&soft.body.velocities);
        }
        let first: usize = self.list.iter().map(|s| s.body.positions.len()).sum();
        let corners = self.features.placed(around.bodies, around.moving);
        for (k, (position, velocity, _)) in corners.enumerate() {
            (self.positions[first + k], self.velocities[first + k]) = (position, velocity);
        }
        self.find(around, h, true)
    }

    /// Finds contacts, and gives each the impulse it had in the last step; returns how many are new.
    fn find(
        &mut self,
        around: &mut Surroundings,
        h: f64,
        again: bool,
    ) -> Result<usize, ContactError> {
        let Some(stage) = &mut self.stage else { return Ok(0) };
        let made = obstacles(&self.solids, around.bodies, around.moving);
        let all: Vec<&dyn Obstacle> = made.iter().map(|(_, o)| o as &dyn Obstacle).collect();
        self.obstacle_bodies = made.iter().map(|(k, _)| *k).collect();
        let step = Step {
            positions: &mut self.positions,
            velocities: &mut self.velocities,
            begin_velocities: &self.begin,
            inverse_masses: &self.inverse_masses,
            obstacles: &all,
            dt: h,
        };
        let memory = around.memory;
        let of = VertexSurfaces {
            materials: &self.materials,
            areas: &self.areas,
            grains: &self.grains,
            obstacle_bodies: &self.obstacle_bodies,
            solids: &self.solids,
            resist: self.resist,
        };
        let laws = VertexLaws::new(around, of);
        if again {
            stage.find_more_contacts(&step, laws)?;
        } else {
            stage.find_contacts(&step, laws)?;
            self.solver.impulses.clear();
        }
        let contacts = stage.contacts();
        let old = self.solver.impulses.len();
        let count = contacts.list.len();
        for k in old..count {
            let contacts = self.stage.as_ref().map(ContactStage::contacts);
            let key = contacts.map(|c| key_by_body(c.key(&c.list[k]), &self.obstacle_bodies));
            let known = key.filter(|_| self.can_give(k, around.bodies));
            let known = known.and_then(|key| memory.get(&key)).map(|point| point.impulse);
            self.solver.impulses.push(known.unwrap_or_default());
        }
        Ok(count - old)
    }

    /// Whether anything that a contact touches gives way: vertices that are not held, or a body that can be pushed.
    /// What cannot has no row: no impulse would be enough for it, and all others would be measured by that.
    pub(crate) fn can_give(&self, contact: usize, bodies: &[Body]) -> bool {
        let Some(contacts) = self.stage.as_ref().map(ContactStage::contacts) else { return false };
        let contact = &contacts.list[contact];
        let pushed = |k: usize| bodies[k].is_pushed();
        let corner = |(v, _): (usize, f64)| match self.solver.owners[v] {
            Owner::Soft(_) => false,
            Owner::Rigid(k) => pushed(k),
        };
        let surface = contacts.surfaces.get(contact.surface as usize);
        contact.inverse_mass(&self.inverse_masses) > 0.0
            || contact.parts().any(corner)
            || surface.is_some_and(|s| pushed(self.obstacle_bodies[s.obstacle as usize]))
    }

    /// How many soft bodies are in the problems of islands.
    pub(crate) fn count_in_islands(&self) -> usize {
        if self.solver.active { self.list.len() } else { 0 }
    }

    /// The bodies, soft ones numbered after all `rigid` ones, that each contact joins.
    pub(crate) fn links(&self, rigid: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let stage = self.stage.as_ref().filter(|_| self.solver.active);
        let node = move |owner: Owner| match owner {
            Owner::Soft(k) => rigid + k,
            Owner::Rigid(k) => k,
        };
        stage.into_iter().flat_map(move |stage| {
            let contacts = stage.contacts();
            contacts.list.iter().map(move |c| {
                let last = c.vertices[usize::from(c.count) - 1] as usize;
                let b = node(self.solver.owners[last]);
                let a = match contacts.surfaces.get(c.surface as usize) {
                    Some(s) => self.obstacle_bodies[s.obstacle as usize],
                    None => node(self.solver.owners[c.vertices[0] as usize]),
                };
                (a, b)
            })
        })
    }

    /// Appends the rows of an island's soft contacts to its problem, each with what it begins with.
    pub(crate) fn append(
        &self,
        island: &mut Island,
        block: &[usize],
        middle: &[Midpoint],
        h: f64,
    ) -> Result<(), ProblemError> {
        let Some(stage) = self.stage.as_ref().filter(|_| !island.soft_contacts.is_empty()) else {
            return Ok(());
        };
        let place = |k: &usize| (middle[*k].inverse_mass > 0.0).then(|| block[*k]);
        let rigid = island.bodies.iter().map(|k| RigidDof {
            inverse_mass: middle[*k].inverse_mass,
            inverse_inertia: middle[*k].inverse_inertia,
            centre: self.solver.centres[*k],
            velocity: middle[*k].linear,
            angular_velocity: middle[*k].angular,
        });
        let rigid: Vec<RigidDof> = rigid.collect();
        let body_of_obstacle: Vec<_> = self.obstacle_bodies.iter().map(place).collect();
        let of_vertex = |owner: &Owner| match owner {
            Owner::Soft(_) => None,
            Owner::Rigid(k) => place(k),
        };
        let body_of_vertex: Vec<_> = self.solver.owners.iter().map(of_vertex).collect();
        let dofs = Dofs {
            positions: &self.positions,
            velocities: &self.solver.free,
            inverse_masses: &self.inverse_masses,
            rigid: &rigid,
            body_of_obstacle: &body_of_obstacle,
            body_of_vertex: &body_of_vertex,
            dt: h,
        };
        let bodies: Vec<(usize, &SoftBody)> =
            island.softs.iter().map(|k| (self.list[*k].first, &self.list[*k].body)).collect();
        let given = RowContacts {
            contacts: stage.contacts(),
            laws: stage.laws(),
            impulses: &self.solver.impulses,
        };
        let Island { soft_contacts, soft_rows, problem, r, .. } = island;
        let (which, masses) = (soft_contacts.iter().copied(), VertexMasses::Implicit(&bodies));
        let mut rows = RowAssembler::new(problem, r);
        let first = rows.rows();
        let appended = SoftRows::append(&mut rows, &given, which, &dofs, masses)?;
        if let Err(e) = problem.validate() {
            RowAssembler::new(problem, r).cut(first);
            return Err(e);
        }
        *soft_rows = Some(appended);
        Ok(())
    }

    /// The velocities of soft bodies with the impulses that were found.
    fn respond(&mut self) {
        let SoftBodies { list, stage, solver, .. } = self;
        let mut impulses = vec![DVec3::ZERO; solver.owners.len()];
        let Some(stage) = stage else { return };
        for (contact, impulse) in stage.contacts().list.iter().zip(&solver.impulses) {
            for (v, weight) in contact.parts() {
                impulses[v] += *impulse * weight;
            }
        }
        for soft in list {
            let range = soft.range();
            soft.body.end_response(&solver.free[range.clone()], &impulses[range]);
        }
    }
}
