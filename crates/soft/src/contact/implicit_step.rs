//! A step in which elasticity and contacts with obstacles are solved together.

use std::time::Instant;

use glamx::DVec3;

use super::detector::Motion;
use super::implicit_contact::{ImplicitReport, Problem};
use super::laws::FrictionLaws;
use super::stage::{Clock, ContactStage, LawSource, StageReport, Step};
use super::topology::{ContactError, same_length};
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
    /// ([`ImplicitContact`](super::ImplicitContact)), and so are edges and corners of rigid shapes on
    /// cloth; other contacts between meshes come after it, by the filter. `step.velocities` need not be given for vertices of bodies. Velocities and
    /// positions end up in `step`; the bodies' own positions stay. There is one Newton iteration,
    /// whatever the bodies' options say: the step is linear but for contacts. A body with numbers that are
    /// not finite is stopped, as in [`SoftBody::free_velocities`].
    pub fn step_implicit(
        &mut self,
        mut step: Step,
        bodies: &mut [Placed],
        gravity: DVec3,
        mut friction: impl FrictionLaws,
    ) -> Result<StageReport, ContactError> {
        let mut source: LawSource = Some(&mut friction);
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
        let settled = self.rounds(&mut step, bodies, &mut source, &mut found, &mut report)?;
        self.impulses.extend(self.implicit.impulses());
        for placed in &mut *bodies {
            self.keep_momentum(placed, gravity, step.dt);
            let range = placed.first..placed.first + placed.body.loads.len();
            placed.body.loads.copy_from_slice(&self.implicit.vertices.load[range]);
            self.implicit.vertices.remember_features(&self.contacts, placed);
        }
        gather(bodies, step.velocities);
        let settled = if settled { self.contacts.list.len() } else { 0 };
        report.implicit = Some(found);
        self.filter_and_move(step, source, settled, &mut report)?;
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
        let mut again = true;
        self.find_near(step, bodies)?;
        for round in 0..self.implicit.options.rounds.max(1) {
            let new = self.find_new(step)?;
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

    /// Edges and corners of rigid shapes that a cloth may come to touch in this step. Those that
    /// nothing can move are left out, and those on soft solids are left to the filter.
    fn find_near(&mut self, step: &Step, bodies: &[Placed]) -> Result<(), ContactError> {
        self.near.clear();
        let cloth = |v: usize| {
            let range = |b: &Placed| b.first..b.first + b.body.positions.len();
            bodies.iter().any(|b| b.body.is_cloth() && range(b).contains(&v))
        };
        if self.options.meshes && bodies.iter().any(|b| b.body.is_cloth()) {
            let motion =
                Motion { positions: step.positions, velocities: step.velocities, dt: step.dt };
            self.detector.find_rigid_features(&motion, &mut self.near)?;
            self.near.list.retain(|c| {
                let moves = c.inverse_mass(step.inverse_masses) > 0.0;
                moves && c.parts().any(|(v, _)| cloth(v))
            });
        }
        Ok(())
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
        let of = |k: &usize| range.contains(&self.implicit.vertices.vertex_of(*k));
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

fn gather(bodies: &[Placed], velocities: &mut [DVec3]) {
    for placed in bodies {
        let range = placed.first..placed.first + placed.body.positions.len();
        velocities[range].copy_from_slice(&placed.body.velocities);
    }
}
