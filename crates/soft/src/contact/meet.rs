//! Contacts for a solver outside: found at the velocities that it begins with, and again at those
//! that it ends with.

use std::collections::HashSet;
use std::time::Instant;

use super::detect::Motion;
use super::laws::FrictionLaws;
use super::record::{Contacts, SoftContact};
use super::stage::{Clock, ContactStage, StageReport, Step};
use super::topology::{ContactError, same_length};

/// What a contact is between, over steps: its vertices, how many of them are A's, and the obstacle
/// that is A.
pub type ContactKey = ([u32; 4], u8, Option<u32>);

impl ContactStage {
    /// Finds contacts and their friction sets, those with obstacles first; `step.velocities` are
    /// those without contacts. [`ContactStage::contacts`] and [`ContactStage::sets`] have them.
    pub fn meet(&mut self, step: &Step, law: impl FrictionLaws) -> Result<(), ContactError> {
        self.contacts.clear();
        self.sets.clear();
        self.impulses.clear();
        self.meet_again(step, law)?;
        Ok(())
    }

    /// Adds the contacts that `step.velocities` lead to and that were not found before; returns how
    /// many. What was found stays as it is.
    pub fn meet_again(
        &mut self,
        step: &Step,
        mut law: impl FrictionLaws,
    ) -> Result<usize, ContactError> {
        same_length("begin velocities", step.begin_velocities.len(), step.velocities.len())?;
        let motion = Motion { positions: step.positions, velocities: step.velocities, dt: step.dt };
        let mut found = Contacts::default();
        self.detector.find_obstacles_ahead(step.obstacles, &motion, &mut found)?;
        if self.options.meshes {
            self.detector.find(&motion, &mut found)?;
        }
        let known: HashSet<ContactKey> =
            self.contacts.list.iter().map(|c| self.contacts.key(c)).collect();
        let before = self.contacts.list.len();
        for contact in &found.list {
            if !known.contains(&found.key(contact)) {
                self.contacts.take(contact, &found);
            }
        }
        self.contacts.left_out = self.contacts.left_out.max(found.left_out);
        self.laws(step, &mut Some(&mut law))?;
        Ok(self.contacts.list.len() - before)
    }

    /// Ends a step whose velocities a solver outside has found: overlaps, impacts, positions.
    pub fn depart(&mut self, step: Step) -> Result<StageReport, ContactError> {
        let mut report = StageReport::default();
        let mut clock = Clock(Instant::now());
        self.tell(&mut report);
        report.times.find = clock.lap();
        self.clear_and_move(step, &mut report)?;
        Ok(report)
    }
}

impl Contacts {
    /// What a contact is between.
    pub fn key(&self, contact: &SoftContact) -> ContactKey {
        let obstacle = self.surfaces.get(contact.surface as usize).map(|s| s.obstacle);
        (contact.vertices, contact.split, obstacle)
    }

    /// Some of the contacts, by number, in the order given.
    #[must_use]
    pub fn some(&self, which: &[usize]) -> Contacts {
        let mut out = Contacts::default();
        for contact in which.iter().filter_map(|k| self.list.get(*k)) {
            out.take(contact, self);
        }
        out
    }

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
