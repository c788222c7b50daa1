//! A step in which elasticity and contacts are solved together.

use std::time::Instant;

use glamx::DVec3;

use super::contact_list::SoftContact;
use super::detector::{Motion, kept_distance};
use super::drag::creep;
use super::implicit_contact::{ImplicitReport, Problem};
use super::laws::FrictionLaws;
use super::stage::{Clock, ContactStage, LawSource, StageReport, Step, asked};
use super::topology::{ContactError, Topology, same_length};
use crate::SoftBody;

/// A soft body and where its vertices begin in the lists of a [`Step`].
#[derive(Debug)]
pub struct Placed<'a> {
    /// The body. Its velocities are those at the beginning of the step.
    pub body: &'a mut SoftBody,
    /// Its first vertex.
    pub first: usize,
}

impl ContactStage {
    /// One step of elasticity and contacts. Obstacles are part of the implicit step
    /// ([`ImplicitContact`](super::ImplicitContact)), and so are contacts of a cloth with itself and
    /// with edges and corners of rigid shapes; other contacts between meshes come after it, by the filter. `step.velocities` need not be given for vertices of bodies. Velocities and
    /// positions end up in `step`; the bodies' own positions stay. There is one Newton iteration,
    /// whatever the bodies' options say, and more only where it made energy. A body with numbers that are
    /// not finite is stopped, as in [`SoftBody::free_velocities`].
    pub fn step_implicit(
        &mut self,
        mut step: Step,
        bodies: &mut [Placed],
        gravity: DVec3,
        mut friction: impl FrictionLaws,
    ) -> Result<StageReport, ContactError> {
        let mut source = asked(&mut friction);
        same_length("begin velocities", step.begin_velocities.len(), step.velocities.len())?;
        for placed in &*bodies {
            let end = placed.first + placed.body.positions.len();
            if end > step.velocities.len() {
                same_length("velocities", step.velocities.len(), end)?;
            }
        }
        let mut report = StageReport::default();
        let mut clock = Clock(Instant::now());
        self.forget();
        self.implicit.creep = creep(self.detector.thickness(), gravity.length(), step.dt);
        self.implicit.vertices.begin(step.velocities.len());
        for placed in &mut *bodies {
            if placed.body.stopped().is_none() {
                placed.body.stop_if_bad(step.dt, gravity, &[]);
            }
            let range = placed.first..placed.first + placed.body.loads.len();
            self.implicit.vertices.load[range].copy_from_slice(&placed.body.loads);
        }
        self.implicit.vertices.recall_features(bodies);
        for placed in bodies.iter_mut().filter(|b| b.body.stopped().is_none()) {
            placed.body.linearise(step.dt, gravity, &[], 0);
        }
        gather(bodies, step.velocities);
        report.times.solve += clock.lap();
        let mut found = ImplicitReport::default();
        self.find_near(&step, bodies)?;
        let mut settled = self.rounds(&mut step, bodies, &mut source, &mut found, &mut report)?;
        let mut rise = f64::INFINITY;
        for done in 1..self.implicit.options.linearisations {
            let before = std::mem::replace(&mut rise, self.linearise_again(&step, bodies, gravity));
            if rise == 0.0 || (done > WAIT && rise > 0.5 * before) {
                break;
            }
            settled = self.rounds(&mut step, bodies, &mut source, &mut found, &mut report)?;
            self.take_part(&mut step, bodies, gravity);
        }
        self.impulses.extend(self.implicit.impulses());
        for placed in &mut *bodies {
            self.keep_momentum(placed, gravity, step.dt);
            placed.body.find_work_at_pins();
            let range = placed.first..placed.first + placed.body.loads.len();
            placed.body.loads.copy_from_slice(&self.implicit.vertices.load[range]);
            self.implicit.vertices.remember_features(&self.contacts, placed);
        }
        gather(bodies, step.velocities);
        let settled = if settled { self.contacts.list.len() } else { 0 };
        report.implicit = Some(found);
        let (bodies, dt) = (&*bodies, step.dt);
        let gained = |paths: &[DVec3], velocities: &[DVec3]| {
            gained_along(bodies, paths, velocities, (dt, gravity))
        };
        self.filter_and_move(step, source, settled, (&mut report, Some(&gained)))?;
        Ok(report)
    }

    /// Solves until it is settled who touches and who sticks; returns whether it is.
    fn rounds(
        &mut self,
        step: &mut Step,
        bodies: &mut [Placed],
        source: &mut LawSource,
        found: &mut ImplicitReport,
        report: &mut StageReport,
    ) -> Result<bool, ContactError> {
        let mut clock = Clock(Instant::now());
        let (mut again, mut looks) = (true, 0);
        for round in 0..self.implicit.options.rounds.max(1) {
            let mut new = self.find_new(step)?;
            if !again && new == 0 && looks < LOOKS {
                looks += 1;
                new = self.find_meeting(step, bodies)?;
            }
            report.times.find += clock.lap();
            if !again && new == 0 {
                break;
            }
            self.find_laws(step, source)?;
            report.times.laws += clock.lap();
            let problem = Problem {
                contacts: &self.contacts,
                laws: &self.laws,
                dt: step.dt,
                thickness: self.detector.thickness(),
                creep: self.implicit.creep,
                topology: self.detector.topology(),
            };
            let velocities = [step.begin_velocities, &*step.velocities];
            self.implicit.vertices.add(&problem, velocities, step.inverse_masses);
            if round == 0 {
                self.implicit.vertices.forget();
            }
            again = false;
            (found.sticking, found.sliding, found.unsettled) = (0, 0, 0);
            for placed in bodies.iter_mut().filter(|b| b.body.stopped().is_none()) {
                again |= !self.implicit.round(placed.body, placed.first, &problem, round, found);
                placed.body.stop_if_lost();
            }
            gather(bodies, step.velocities);
            report.times.solve += clock.lap();
        }
        Ok(!again)
    }

    /// Features of a cloth that it may come to touch itself with in this step, and edges and corners
    /// of rigid shapes. Those that nothing can move are left out, and those on soft solids are left
    /// to the filter.
    fn find_near(&mut self, step: &Step, bodies: &[Placed]) -> Result<(), ContactError> {
        self.near.clear();
        if self.options.meshes && bodies.iter().any(|b| b.body.is_cloth()) {
            let motion =
                Motion { positions: step.positions, velocities: step.velocities, dt: step.dt };
            self.detector.find_near(&motion, &mut self.near)?;
            let topology = self.detector.topology();
            self.near.list.retain(|c| is_of_one_cloth(c, topology, step.inverse_masses, bodies));
        }
        Ok(())
    }

    /// Contacts of cloths with themselves that they would meet at on their way although they begin
    /// far from each other; returns how many.
    fn find_meeting(&mut self, step: &Step, bodies: &[Placed]) -> Result<usize, ContactError> {
        let itself = self.detector.topology().any_touches_itself();
        if !(self.options.meshes && self.options.continuous && itself) {
            return Ok(0);
        }
        let motion = Motion { positions: step.positions, velocities: step.velocities, dt: step.dt };
        let mut found = std::mem::take(&mut self.meeting);
        self.detector.find_impacts(&motion, &[], None, &mut found)?;
        let (before, topology) = (self.contacts.list.len(), self.detector.topology());
        let thickness = self.detector.thickness();
        let new = found.iter().map(|impact| SoftContact {
            // They keep the distance that they will have to keep in the next step.
            gap: impact.contact.normal.dot(impact.contact.offset)
                - kept_distance(topology, &impact.contact, thickness),
            ..impact.contact
        });
        let new = new.filter(|c| is_of_one_cloth(c, topology, step.inverse_masses, bodies));
        self.contacts.list.extend(new);
        self.contacts.leave_out_known(before);
        self.meeting = found;
        Ok(self.contacts.list.len() - before)
    }

    /// Linearises the step about the end that was found, for bodies that gained energy from
    /// nowhere: more than contacts and pins did work. Returns how much, joules.
    fn linearise_again(&mut self, step: &Step, bodies: &mut [Placed], gravity: DVec3) -> f64 {
        self.before_newton.clear();
        self.before_newton.extend_from_slice(step.velocities);
        let mut rise = 0.0;
        for placed in bodies.iter_mut().filter(|b| b.body.stopped().is_none()) {
            let body = &mut *placed.body;
            let of = |i: usize| body.linear.gradients.product[i] - body.scratch.force[i];
            let work: f64 = body.velocities.iter().enumerate().map(|(i, v)| v.dot(of(i))).sum();
            let gained = body.gained_energy(step.dt, gravity);
            if gained > work.max(0.0) + LEAST_RISE * body.kinetic_energy() {
                body.linearise(step.dt, gravity, &[], 1);
                rise += gained - work.max(0.0);
            }
        }
        rise
    }

    /// Takes that part of the way to the new velocities at which the step's potential is least.
    fn take_part(&mut self, step: &mut Step, bodies: &mut [Placed], gravity: DVec3) {
        for placed in bodies.iter_mut().filter(|b| b.body.stopped().is_none()) {
            let Placed { body, first } = placed;
            let start = &self.before_newton[*first..*first + body.positions.len()];
            body.take_best_part(start, &[], (step.dt, gravity));
        }
        gather(bodies, step.velocities);
    }

    /// Contacts with obstacles of vertices that have none yet, and with edges and corners of rigid
    /// shapes; returns how many.
    fn find_new(&mut self, step: &Step) -> Result<usize, ContactError> {
        let before = self.contacts.list.len();
        let motion = Motion { positions: step.positions, velocities: step.velocities, dt: step.dt };
        let held = &self.implicit.vertices;
        let skip = |v: u32| held.has_contact(v);
        self.detector.find_other_obstacles(step.obstacles, &motion, skip, &mut self.contacts)?;
        let near = &mut self.near.list;
        self.detector.take_touching(near, step.velocities, step.dt, &mut self.contacts);
        Ok(self.contacts.list.len() - before)
    }

    /// Contacts give a body all the momentum it gains: what the linear solver's error left out is
    /// shared among them by load.
    fn keep_momentum(&mut self, placed: &mut Placed, gravity: DVec3, dt: f64) {
        let Placed { body, first } = placed;
        if body.stopped().is_some() {
            return;
        }
        let range = *first..*first + body.positions.len();
        let inner = |c: &SoftContact| c.count > 1 && c.parts().all(|(v, _)| range.contains(&v));
        let of = |k: &usize| {
            range.contains(&self.implicit.vertices.vertex_of(*k)) && !inner(&self.contacts.list[*k])
        };
        // An impulse is on B, which may be the corner.
        let sign = |k: usize| if self.contacts.list[k].is_on_b(&range) { 1.0 } else { -1.0 };
        let own = || (0..self.impulses.len()).filter(of);
        let load: f64 = own().map(|k| self.impulses[k].length()).sum();
        if !(load > 0.0) {
            body.keep_momentum(dt, gravity, &[]);
            return;
        }
        if body.pinned.iter().any(|p| *p) {
            return;
        }
        let impulse: DVec3 = own().map(|k| self.impulses[k] * sign(k)).sum();
        let missing = body.gained_momentum() - gravity * (dt * body.mass()) - impulse;
        for k in 0..self.impulses.len() {
            if of(&k) {
                let share = self.impulses[k].length() / load;
                self.impulses[k] += missing * (share * sign(k));
            }
        }
    }
}

/// What bodies gain by a step of so many seconds that ends with these velocities after ways at the speeds
/// `paths`, joules.
pub(super) fn gained_along(
    bodies: &[Placed],
    paths: &[DVec3],
    velocities: &[DVec3],
    step: (f64, DVec3),
) -> f64 {
    let moving = bodies.iter().filter(|b| b.body.stopped().is_none());
    let gains = moving.map(|b| {
        let range = b.first..b.first + b.body.positions.len();
        b.body.gained_along(&paths[range.clone()], &velocities[range], step)
    });
    gains.sum()
}

fn gather(bodies: &[Placed], velocities: &mut [DVec3]) {
    for placed in bodies {
        let range = placed.first..placed.first + placed.body.positions.len();
        velocities[range].copy_from_slice(&placed.body.velocities);
    }
}

/// Whether a contact is of one cloth with itself or with a rigid shape, and something of it can move.
fn is_of_one_cloth(
    c: &SoftContact,
    topology: &Topology,
    inverse_masses: &[f64],
    bodies: &[Placed],
) -> bool {
    let soft = |v: &usize| !topology.is_rigid(*v as u32);
    let Some(v) = c.parts().map(|(v, _)| v).find(soft) else { return false };
    let range = |b: &Placed| b.first..b.first + b.body.positions.len();
    let Some(own) = bodies.iter().find(|b| range(b).contains(&v)) else { return false };
    let all = c.parts().map(|(v, _)| v).filter(soft).all(|v| range(own).contains(&v));
    all && own.body.is_cloth() && c.inverse_mass(inverse_masses) > 0.0
}

/// Linearisations after the first that may be of no use. Where cloth buckles, also the end of an
/// implicit step may have more energy than its beginning.
const WAIT: usize = 2;

/// Gain that is not worth another linearisation, as part of the motion's energy.
const LEAST_RISE: f64 = 1e-9;

/// Searches for what would meet on its way, in a step.
const LOOKS: usize = 3;
