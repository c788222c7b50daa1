//! Overlaps and joint errors that a step leaves, and their removal.

mod errors;
mod velocities;

use asperity_solve::{Scale, SolveOptions, Solver as _};
use glamx::DVec3;
use rayon::prelude::*;

use crate::assemble::changes;
use crate::audit::Ledger;
use crate::body::Body;
use crate::contact::Contact;
use crate::dynamics::midpoint::{Midpoint, advance};
use crate::island::{Hold, Island};
use crate::world::World;

impl World {
    /// Moves bodies apart where they overlap, and joints together where they gape: displacements
    /// along normals and held directions only, which neither friction nor velocities see. Energy that bodies
    /// gained by it, or by turns of their contacts within the step, is taken from their motion.
    pub(crate) fn stabilise(&mut self, middle: &mut [Midpoint], ledger: &mut Ledger) {
        let mut lifts = vec![0.0; self.islands.list().len()];
        if !self.joints.is_empty() || self.contacts.iter().any(overlaps) {
            let gains = self.gains(ledger);
            self.islands.open_all();
            for _ in 0..ROUNDS {
                self.find_displacements(middle);
                for (k, lift) in lifts.iter_mut().enumerate() {
                    *lift += self.displace(k, gains[k] + *lift);
                }
                if !self.islands.list().iter().any(|island| island.open) {
                    break;
                }
            }
        }
        self.pay(&lifts, ledger);
    }

    /// Solves for the displacements of each island that needs any still.
    fn find_displacements(&mut self, middle: &mut [Midpoint]) {
        for (body, m) in self.bodies.iter().zip(middle.iter_mut()) {
            m.pose = body.pose;
            m.centre = body.centre_of_mass();
        }
        let (islands, assembler) = self.assembler(middle);
        let contacts = assembler.contacts();
        islands.par_iter_mut().for_each(|island| {
            island.change.clear();
            if !island.open {
                return;
            }
            let overlap = island.contacts.iter().any(|k| overlaps(&contacts[*k]));
            if !overlap && island.joints.is_empty() {
                island.open = false;
                return;
            }
            assembler.position_problem(island);
            // Newton's method takes what sweeps do not move at once, while it is cheap.
            let (tolerance, max_iterations) =
                if island.problem.rows() <= FEW_ROWS { (1e-6, 200) } else { (1e-4, 30) };
            let options = SolveOptions { tolerance, max_iterations, time_limit: None };
            let Island { positions, problem, r, .. } = island;
            let scale = Scale::of(problem);
            if let Some(scale) = &scale {
                problem.rescale(scale, r);
            }
            positions.solve(problem, r, &options);
            if let Some(scale) = &scale {
                problem.rescale(&scale.inverse(), r);
            }
            changes(island);
        });
    }

    /// Displaces the bodies of an island that has gained `gain` joules in this step so far; by how much energy that
    /// lifts them.
    fn displace(&mut self, number: usize, gain: f64) -> f64 {
        let island = &mut self.islands.pool[number];
        if island.change.is_empty() {
            return 0.0;
        }
        let points = island.contacts.iter().all(|k| self.contacts[*k].wrench.is_none());
        limit(island, &self.bodies, points);
        let lifted = if island.joints.is_empty() {
            self.afford(number, gain, points)
        } else {
            self.close(number, gain)
        };
        for at in 0..self.islands.pool[number].contacts.len() {
            let island = &self.islands.pool[number];
            let k = island.contacts[at];
            let opens = self.opens(island, &self.contacts[k]);
            self.contacts[k].gap += opens;
        }
        let World { bodies, islands, .. } = self;
        let island = &islands.pool[number];
        for (&k, &(linear, angular)) in island.bodies.iter().zip(&island.change) {
            if linear == DVec3::ZERO && angular == DVec3::ZERO {
                continue;
            }
            let body = &mut bodies[k];
            let before = body.pose.rotation;
            body.pose = advance(&body.pose, body.centre, linear, angular, 1.0);
            // The spin turns with the body: in body axes, and so in energy, it stays the same.
            let turn = body.pose.rotation * before.inverse();
            body.angular_velocity = turn * body.angular_velocity;
        }
        lifted
    }

    /// Shortens the displacements of an island with joints to what makes errors smaller, and to what it can pay for
    /// with its motion; by how much energy they lift its bodies then. A load on a taut chain would else be lifted by
    /// joints that are next to nothing open.
    fn close(&mut self, number: usize, gain: f64) -> f64 {
        let helps = self.part_that_helps(&self.islands.pool[number]);
        let island = &mut self.islands.pool[number];
        (island.open, island.rounds) = (helps.open, island.rounds + 1);
        if helps.part < 1.0 {
            scale(&mut island.change, helps.part);
        }
        let lifted = self.lift(number);
        let affordable = (self.kinetic(number) - gain).max(0.0);
        if helps.worst > SHALLOW || lifted <= affordable {
            return lifted;
        }
        let island = &mut self.islands.pool[number];
        island.open = false;
        scale(&mut island.change, affordable / lifted);
        affordable
    }

    /// Kinetic energy of an island, joules.
    fn kinetic(&self, number: usize) -> f64 {
        let bodies = self.islands.list()[number].bodies.iter();
        bodies.map(|k| self.bodies[*k].energy(self.settings.gravity).kinetic).sum()
    }

    /// By how much energy the displacements of an island lift its bodies.
    fn lift(&self, number: usize) -> f64 {
        let island = &self.islands.pool[number];
        let lift = |(k, change): (&usize, &(DVec3, DVec3))| {
            let body = &self.bodies[*k];
            -body.mass * body.desc.gravity_scale * self.settings.gravity.dot(change.0)
        };
        island.bodies.iter().zip(&island.change).map(lift).sum()
    }

    /// Shortens the displacements of an island without joints to what it can pay for; by how much energy they lift its
    /// bodies then.
    fn afford(&mut self, number: usize, gain: f64, points: bool) -> f64 {
        let lifted = self.lift(number);
        let World { islands, contacts, collision, .. } = self;
        let island = &mut islands.pool[number];
        island.open = false;
        // Shallow overlaps are removed for what contacts took in this step; bodies in motion would be stopped for them.
        let affordable = -gain.min(0.0);
        let deepest = island.contacts.iter().map(|k| {
            let contact = &contacts[*k];
            let thickness = contact.bodies.map(|k| collision.thickness(k));
            -contact.gap / thickness[0].min(thickness[1])
        });
        let deepest = deepest.fold(SHALLOW, f64::max);
        // Wrenches go to the overlap they are meant to have, up and down.
        if !points || lifted <= affordable {
            return lifted;
        }
        let part = (affordable / lifted).max(1.0 - SHALLOW / deepest);
        scale(&mut island.change, part);
        lifted * part
    }

    /// Takes what islands gained from their motion.
    fn pay(&mut self, lifts: &[f64], ledger: &mut Ledger) {
        let gains = self.gains(ledger);
        for (k, (gain, lift)) in gains.into_iter().zip(lifts).enumerate() {
            let island = &self.islands.list()[k];
            let held = !island.joints.is_empty();
            if held {
                ledger.joints[island.bodies[0]] -= lift;
            }
            let of_contacts = island.contacts.iter().map(|k| &self.contacts[*k]);
            let of_patches = island.patches.iter().map(|at| &self.blocks[at.block]);
            if gain <= 0.0 || of_contacts.clone().any(|c| c.wrench.is_some()) {
                continue;
            }
            // Bristles and soft bodies give back what they took in other steps.
            let elastic = of_contacts.clone().any(|c| c.remembered.is_some())
                || of_patches.clone().any(|b| b.remembered.is_some())
                || !self.softs().is_empty();
            // Where joints are damped they move bodies by what they lost in other steps, unless far open.
            let gives = elastic || island.hold == Hold::Velocities && island.rounds < 2;
            let (owed, free) = if gives { (gain.min(*lift), LIFT) } else { (gain, ROUNDING) };
            let energies =
                island.bodies.iter().map(|k| self.bodies[*k].energy(self.settings.gravity));
            // What rounding makes of heights is no gain: what is all but at rest would be stopped for it.
            let (kinetic, rounding) = energies.fold((0.0, 0.0), |(kinetic, rounding), e| {
                (kinetic + e.kinetic, rounding + UNSEEN * (e.kinetic + e.potential.abs()))
            });
            if owed > free * kinetic && owed > rounding && kinetic > 0.0 {
                let slower = (1.0 - owed / kinetic).max(0.0).sqrt();
                if held {
                    ledger.joints[island.bodies[0]] += owed.min(kinetic);
                }
                for &k in &island.bodies {
                    self.bodies[k].linear_velocity *= slower;
                    self.bodies[k].angular_velocity *= slower;
                }
            }
        }
    }
}

fn overlaps(contact: &Contact) -> bool {
    contact.gap < -contact.slop
}

fn scale(change: &mut [(DVec3, DVec3)], factor: f64) {
    for (linear, angular) in change {
        (*linear, *angular) = (*linear * factor, *angular * factor);
    }
}

/// Keeps displacements to the size of what they remove. Overlaps that contradict each other, as
/// of a body in a wedge that is too narrow, would else be answered by ever larger ones. In a heap of bodies that touch
/// at `points`, those above go as far as all below them together.
fn limit(island: &mut Island, bodies: &[Body], points: bool) {
    let Island { problem, joints, change, .. } = island;
    let deepest = problem.q.iter().fold(0.0, |m: f64, error| m.max(-error));
    let worst = problem
        .q
        .iter()
        .fold(deepest, |m, error| if joints.is_empty() { m } else { m.max(error.abs()) });
    let chain = if points { (island.bodies.len() as f64).sqrt() } else { 1.0 };
    let most = 2.0 * worst * chain.max((1 + joints.len()) as f64);
    let travel = |k: usize, c: &(DVec3, DVec3)| c.0.length() + c.1.length() * bodies[k].radius;
    let farthest =
        island.bodies.iter().zip(&*change).fold(0.0, |m: f64, (k, c)| m.max(travel(*k, c)));
    if farthest > most {
        scale(change, most / farthest);
    }
}

/// How often displacements are found in a step, where joints are open still.
const ROUNDS: usize = 12;

/// Gains that are left to bodies, of their kinetic energy: rounding, and lifts where joints or bristles act.
const ROUNDING: f64 = 1e-12;
const LIFT: f64 = 1e-6;

/// What rounding makes of an energy, at most.
const UNSEEN: f64 = 1e-14;

/// Overlaps, of the thinner body, and joint errors, of the smaller, that bodies are not lifted out of by energy from
/// nowhere.
const SHALLOW: f64 = 5e-4;

/// Rows up to which all of an overlap is removed in one step.
const FEW_ROWS: usize = 600;
