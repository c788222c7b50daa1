//! Contacts of soft bodies as rows of the contact problems of islands.
//!
//! Each soft body begins its implicit step A v = b + p without contacts; what impulses p do is A⁻¹ p.
//! Its contacts are rows beside those of rigid contacts and joints, coupled with each other through
//! A⁻¹ and with everything else through the rigid bodies they touch. What the solution leads to may
//! touch more than was known: then those contacts are added and all is solved again.

use std::collections::HashMap;
use std::ops::Range;

use asperity_soft::SoftBody;
use asperity_soft::contact::{
    ContactError, ContactKey, Dofs, NO_SURFACE, Obstacle, RigidDof, SoftProblem, Step,
};
use asperity_solve::{Bodies, FrictionBlock, Load, Operator, ProblemError};
use glamx::{DPose3, DVec3};

use super::law::{Around, Laws, find_shares};
use super::obstacle::{Moving, obstacles};
use super::{SoftContacts, Softs};
use crate::dynamics::rigid::Middle;
use crate::island::{Island, SoftRows};
use crate::world::{Body, World};

/// What is known of contacts that are solved for together with those of rigid bodies.
#[derive(Debug, Default)]
pub(crate) struct Coupled {
    /// Velocities without contacts.
    free: Vec<DVec3>,
    /// Impulse on B of each contact, world: what a solve begins with and what it found.
    impulses: Vec<DVec3>,
    /// What they were in the last step, by what touches; obstacles by their bodies.
    pub(crate) memory: HashMap<ContactKey, DVec3>,
    /// The soft body of each vertex and the rigid body of each corner.
    owners: Vec<Owner>,
    /// Body of each obstacle.
    touched: Vec<usize>,
    /// Centre of mass of each rigid body when the step begins.
    centres: Vec<DVec3>,
    /// Whether this step has such contacts.
    pub(super) active: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Soft(usize),
    Rigid(usize),
}

impl World {
    /// Begins the implicit steps of soft bodies and finds what they touch.
    pub(crate) fn meet_soft(&mut self, before: &[DPose3], middle: &[Middle]) {
        if self.softs.list.is_empty() || self.softs.kind != SoftContacts::Solver {
            return;
        }
        let World { softs, bodies, pairing, collision, patches, report, settings, .. } = self;
        let (moving, fall) = (&going(bodies, before, middle), DVec3::ZERO);
        let mut around = Around { bodies, moving, pairing, collision, patches, report, fall };
        let begun = softs.prepare(bodies, moving).and_then(|()| {
            for soft in &mut softs.list {
                soft.body.begin_response(settings.dt, settings.gravity);
            }
            softs.meet(&mut around, settings.dt)
        });
        match begun {
            Ok(()) => self.softs.coupled.active = true,
            Err(e) => self.report.soft_error = Some(e.to_string()),
        }
    }

    /// Takes over what the islands found, and solves again as long as that leads to contacts which
    /// were not known.
    pub(crate) fn solve_met(&mut self, before: &[DPose3], middle: &[Middle]) {
        if self.softs.coupled.active {
            self.solve_rounds(before, middle);
            self.softs.remember();
        }
    }

    fn solve_rounds(&mut self, before: &[DPose3], middle: &[Middle]) {
        for round in 0..=ROUNDS {
            let World {
                softs, bodies, pairing, collision, patches, report, settings, islands, ..
            } = self;
            let mut changed = middle.to_vec();
            for island in &islands.pool[..islands.count] {
                for (&k, (linear, angular)) in island.bodies.iter().zip(&island.change) {
                    changed[k].linear += *linear;
                    changed[k].angular += *angular;
                }
                let found = island.soft.iter().flat_map(|soft| &soft.impulses);
                for (&k, impulse) in island.soft_contacts.iter().zip(found) {
                    softs.coupled.impulses[k] = *impulse;
                }
            }
            softs.respond();
            if round == ROUNDS {
                return;
            }
            let (moving, fall) = (&going(bodies, before, &changed), DVec3::ZERO);
            let mut around = Around { bodies, moving, pairing, collision, patches, report, fall };
            match softs.meet_again(&mut around, settings.dt) {
                Ok(0) => return,
                Ok(_) => {}
                Err(e) => {
                    self.report.soft_error = Some(e.to_string());
                    return;
                }
            }
            self.group();
            self.solve(middle);
        }
    }
}

/// How often at most.
const ROUNDS: usize = 4;

fn going(bodies: &[Body], before: &[DPose3], middle: &[Middle]) -> Vec<Moving> {
    let all = bodies.iter().zip(before).zip(middle);
    all.map(|((b, before), m)| Moving::going(b, *before, m.linear, m.angular)).collect()
}

impl Softs {
    fn meet(&mut self, around: &mut Around, h: f64) -> Result<(), ContactError> {
        self.gather();
        self.coupled.free.clone_from(&self.velocities);
        let known = &mut self.coupled;
        known.centres.clear();
        known.centres.extend(around.moving.iter().map(|m| m.centre));
        known.owners.clear();
        for (k, soft) in self.list.iter().enumerate() {
            known.owners.extend(soft.body.positions.iter().map(|_| Owner::Soft(k)));
        }
        known.owners.extend(self.features.bodies().map(Owner::Rigid));
        find_shares(around.pairing, &self.list, &mut self.shares);
        self.find(around, h, false)?;
        Ok(())
    }

    fn meet_again(&mut self, around: &mut Around, h: f64) -> Result<usize, ContactError> {
        let first = self.list.iter().map(|s| s.body.positions.len()).sum();
        let (positions, velocities) = (&mut self.positions, &mut self.velocities);
        for soft in &self.list {
            let range = soft.first..soft.first + soft.body.positions.len();
            velocities[range].copy_from_slice(&soft.body.velocities);
        }
        self.features.place(
            around.bodies,
            around.moving,
            &mut positions[first..],
            &mut velocities[first..],
            &mut self.surfaces[first..],
        );
        self.find(around, h, true)
    }

    /// Finds contacts, and gives each the impulse it had in the last step; returns how many are new.
    fn find(&mut self, around: &mut Around, h: f64, again: bool) -> Result<usize, ContactError> {
        let Softs { stage, solids, surfaces, shares, positions, velocities, coupled, .. } = self;
        let Some(stage) = stage else { return Ok(0) };
        let made = obstacles(solids, around.bodies, around.moving);
        let all: Vec<&dyn Obstacle> = made.iter().map(|(_, o)| o as &dyn Obstacle).collect();
        coupled.touched = made.iter().map(|(k, _)| *k).collect();
        let step = Step {
            positions,
            velocities,
            begin_velocities: &self.begin,
            inverse_masses: &self.inverse_masses,
            obstacles: &all,
            dt: h,
        };
        let laws = Laws::new(around, surfaces, shares, &coupled.touched, solids);
        if again {
            stage.meet_again(&step, laws)?;
        } else {
            stage.meet(&step, laws)?;
            coupled.impulses.clear();
        }
        let contacts = stage.contacts();
        let old = coupled.impulses.len();
        for contact in &contacts.list[old..] {
            let key = by_body(contacts.key(contact), &coupled.touched);
            coupled.impulses.push(coupled.memory.get(&key).copied().unwrap_or_default());
        }
        Ok(contacts.list.len() - old)
    }

    /// Keeps what the contacts carry for the next step.
    fn remember(&mut self) {
        let Coupled { impulses, memory, touched, .. } = &mut self.coupled;
        memory.clear();
        let Some(stage) = &self.stage else { return };
        let contacts = stage.contacts();
        let keys = contacts.list.iter().map(|c| by_body(contacts.key(c), touched));
        memory.extend(keys.zip(impulses.iter().copied()));
    }

    /// How many soft bodies are in the problems of islands.
    pub(crate) fn coupled_count(&self) -> usize {
        if self.coupled.active { self.list.len() } else { 0 }
    }

    /// The bodies, soft ones numbered after all `rigid` ones, that each contact joins.
    pub(crate) fn links(&self, rigid: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let stage = self.stage.as_ref().filter(|_| self.coupled.active);
        let node = move |owner: Owner| match owner {
            Owner::Soft(k) => rigid + k,
            Owner::Rigid(k) => k,
        };
        stage.into_iter().flat_map(move |stage| {
            let contacts = stage.contacts();
            contacts.list.iter().map(move |c| {
                let last = c.vertices[usize::from(c.count) - 1] as usize;
                let b = node(self.coupled.owners[last]);
                let a = match contacts.surfaces.get(c.surface as usize) {
                    Some(s) => self.coupled.touched[s.obstacle as usize],
                    None => node(self.coupled.owners[c.vertices[0] as usize]),
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
        middle: &[Middle],
        h: f64,
    ) -> Result<(), ProblemError> {
        let Some(stage) = self.stage.as_ref().filter(|_| !island.soft_contacts.is_empty()) else {
            return Ok(());
        };
        let contacts = stage.contacts().some(&island.soft_contacts);
        let sets: Vec<_> = island.soft_contacts.iter().map(|k| stage.sets()[*k].clone()).collect();
        let place = |k: &usize| (middle[*k].inverse_mass > 0.0).then(|| block[*k]);
        let rigid = island.bodies.iter().map(|k| RigidDof {
            inverse_mass: middle[*k].inverse_mass,
            inverse_inertia: middle[*k].inverse_inertia,
            centre: self.coupled.centres[*k],
            velocity: middle[*k].linear,
            angular_velocity: middle[*k].angular,
        });
        let rigid: Vec<RigidDof> = rigid.collect();
        let body_of_obstacle: Vec<_> = self.coupled.touched.iter().map(place).collect();
        let of_vertex = |owner: &Owner| match owner {
            Owner::Soft(_) => None,
            Owner::Rigid(k) => place(k),
        };
        let body_of_vertex: Vec<_> = self.coupled.owners.iter().map(of_vertex).collect();
        let dofs = Dofs {
            positions: &self.positions,
            velocities: &self.coupled.free,
            inverse_masses: &self.inverse_masses,
            rigid: &rigid,
            body_of_obstacle: &body_of_obstacle,
            body_of_vertex: &body_of_vertex,
        };
        let bodies: Vec<(usize, &SoftBody)> =
            island.softs.iter().map(|k| (self.list[*k].first, &self.list[*k].body)).collect();
        let soft = SoftProblem::implicit("", &contacts, &sets, &dofs, &bodies, h)?;
        let begin: Vec<DVec3> =
            island.soft_contacts.iter().map(|k| self.coupled.impulses[*k]).collect();
        island.r.extend(soft.from_world(&begin));
        join(island, soft);
        Ok(())
    }

    /// The velocities of soft bodies with the impulses that were found.
    fn respond(&mut self) {
        let Softs { list, stage, coupled, .. } = self;
        let mut impulses = vec![DVec3::ZERO; coupled.owners.len()];
        let Some(stage) = stage else { return };
        for (contact, impulse) in stage.contacts().list.iter().zip(&coupled.impulses) {
            for (v, weight) in contact.parts() {
                impulses[v] += *impulse * weight;
            }
        }
        for soft in list {
            let range = soft.first..soft.first + soft.body.positions.len();
            soft.body.end_response(&coupled.free[range.clone()], &impulses[range]);
        }
    }
}

/// The rows of soft contacts after those of an island.
fn join(island: &mut Island, mut soft: SoftProblem) {
    let first = island.problem.q.len();
    let nothing = Operator::Bodies(Bodies::default());
    let from = std::mem::replace(&mut soft.problem.operator, nothing);
    let (Operator::Bodies(from), Operator::Bodies(to)) = (from, &mut island.problem.operator)
    else {
        return;
    };
    for row in from.row_start.windows(2) {
        to.push_row(from.entries[row[0]..row[1]].iter().copied());
    }
    to.coupling = from.coupling.starting(first);
    island.problem.q.append(&mut soft.problem.q);
    island.problem.compliance.resize(island.problem.q.len(), 0.0);
    let after = |rows: &Range<usize>| rows.start + first..rows.end + first;
    island.problem.blocks.extend(soft.problem.blocks.drain(..).map(|b| FrictionBlock {
        rows: after(&b.rows),
        load: match &b.load {
            Load::Normals(rows) => Load::Normals(after(rows)),
            Load::Constant(load) => Load::Constant(*load),
        },
        set: b.set,
    }));
    island.soft = Some(SoftRows { first, problem: soft, impulses: Vec::new() });
}

/// The key of a contact with its obstacle's body in the place of the obstacle, whose number may
/// change.
fn by_body(key: ContactKey, touched: &[usize]) -> ContactKey {
    let body = |k: u32| touched.get(k as usize).map_or(NO_SURFACE, |body| *body as u32);
    (key.0, key.1, key.2.map(body))
}
