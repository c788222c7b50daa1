//! Contacts for a solver outside: found at the velocities that it begins with, and again at those
//! that it ends with.

use std::collections::HashSet;
use std::time::Instant;

use glamx::DVec3;

use super::contact_list::{Contacts, FeatureKey, SoftContact};
use super::detector::{Motion, kept_distance};
use super::implicit_step::{Placed, gained_along};
use super::laws::FrictionLaws;
use super::stage::{Clock, ContactStage, StageReport, Step};
use super::topology::{ContactError, same_length};

impl ContactStage {
    /// Finds contacts and their friction laws, those with obstacles first; `step.velocities` are
    /// those without contacts. [`ContactStage::contacts`] and [`ContactStage::laws`] have them.
    pub fn find_contacts(
        &mut self,
        step: &Step,
        source: impl FrictionLaws,
    ) -> Result<(), ContactError> {
        self.forget();
        self.add_contacts(step, source, false)?;
        Ok(())
    }

    /// Adds the contacts that `step.velocities` lead to and that were not found before; returns how
    /// many. What was found stays as it is.
    pub fn find_more_contacts(
        &mut self,
        step: &Step,
        source: impl FrictionLaws,
    ) -> Result<usize, ContactError> {
        self.add_contacts(step, source, true)
    }

    /// Adds contacts; those of meshes that begin far from each other and would meet on their way once the velocities
    /// are those with contacts.
    fn add_contacts(
        &mut self,
        step: &Step,
        mut source: impl FrictionLaws,
        on_ways: bool,
    ) -> Result<usize, ContactError> {
        same_length("begin velocities", step.begin_velocities.len(), step.velocities.len())?;
        let motion = Motion { positions: step.positions, velocities: step.velocities, dt: step.dt };
        let mut found = Contacts::default();
        self.detector.find_obstacles_ahead(step.obstacles, &motion, &mut found)?;
        if self.options.meshes {
            self.detector.find(&motion, &mut found)?;
            if on_ways && self.options.continuous {
                self.find_on_ways(&motion, &mut found)?;
            }
        }
        let mut known: HashSet<FeatureKey> =
            self.contacts.list.iter().map(|c| self.contacts.key(c)).collect();
        let before = self.contacts.list.len();
        for contact in &found.list {
            if known.insert(found.key(contact)) {
                self.contacts.take(contact, &found);
            }
        }
        self.contacts.left_out = self.contacts.left_out.max(found.left_out);
        self.find_laws(step, &mut Some(&mut source))?;
        Ok(self.contacts.list.len() - before)
    }

    /// Adds contacts of meshes that would meet on their way. They keep the distance that they will have to keep in the
    /// next step.
    fn find_on_ways(&mut self, motion: &Motion, found: &mut Contacts) -> Result<(), ContactError> {
        let mut meeting = std::mem::take(&mut self.meeting);
        self.detector.find_impacts(motion, &[], None, &mut meeting)?;
        let (topology, thickness) = (self.detector.topology(), self.detector.thickness());
        found.list.extend(meeting.iter().map(|impact| {
            let kept = kept_distance(topology, &impact.contact, thickness);
            let gap = impact.contact.normal.dot(impact.contact.offset) - kept;
            SoftContact { gap, ..impact.contact }
        }));
        self.meeting = meeting;
        Ok(())
    }

    /// Ends a step whose velocities a solver outside has found: overlaps, impacts, positions.
    /// `impulses` are those on B of each contact, world, N s. Bodies have begun their steps by
    /// [`SoftBody::begin_response`](crate::SoftBody::begin_response). Overlaps are removed as far as
    /// what bodies lost in the step pays for it.
    pub fn finish_step(
        &mut self,
        step: Step,
        bodies: &[Placed],
        gravity: DVec3,
        impulses: &[DVec3],
    ) -> Result<StageReport, ContactError> {
        let dt = step.dt;
        let moves = |v: usize| step.inverse_masses[v] > 0.0;
        let each = self.contacts.list.iter().zip(impulses);
        let work = each.map(|(c, p)| {
            let parts = c.parts().filter(|(v, _)| moves(*v));
            parts.map(|(v, w)| w * p.dot(step.velocities[v])).sum::<f64>()
        });
        let work: f64 = work.sum();
        let gained = |paths: &[DVec3], velocities: &[DVec3]| {
            gained_along(bodies, paths, velocities, (dt, gravity)) - work
        };
        let mut report = StageReport::default();
        let mut clock = Clock(Instant::now());
        self.tell(&mut report);
        report.times.find = clock.lap();
        self.clear_and_move(step, &mut report, Some(&gained))?;
        Ok(report)
    }
}

impl Contacts {
    /// Adds a contact of another list.
    fn take(&mut self, contact: &SoftContact, from: &Contacts) {
        let mut contact = *contact;
        if let Some(surface) = from.surfaces.get(contact.surface as usize) {
            contact.surface = self.surfaces.len() as u32;
            self.surfaces.push(*surface);
        }
        self.list.push(contact);
    }
}
