//! The velocity filter of Pabst 2009, section 3 (after Bridson et al. 2002).

use asperity_friction::set::Set;
use asperity_friction::{ContactFrame, Law, LoadRule};
use glamx::DVec3;

use super::contact_list::Contacts;
use super::laws::scale;
use super::point_friction::{friction, friction_as_printed};
use super::topology::{ContactError, same_length};

/// Changes velocities contact by contact: a normal impulse cancels the approach, friction follows
/// from its size. One pass is the paper's filter; more passes come nearer to what all contacts
/// together demand. Keeps its memory.
#[derive(Debug, Clone)]
pub struct VelocityFilter {
    /// Passes over all contacts.
    pub passes: usize,
    /// How friction follows from the slip.
    pub friction: FrictionRule,
    /// Impulse on B of each contact, world, N s.
    impulses: Vec<DVec3>,
    /// Normal part of it.
    loads: Vec<f64>,
    /// Impulse of each contact that acted in this step before: where there was one, the friction of a
    /// constant load acted with it.
    pub(super) acted: Vec<DVec3>,
    inverse_masses: Vec<f64>,
}

/// How friction follows from the slip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrictionRule {
    /// From the slip that is left: a contact holds exactly where its set says so, and slides
    /// where its force sends it.
    Exact,
    /// From the slip before friction, limited to that slip (Eqs. 1 and 3 as printed). Off a
    /// tensor's axes it leaves a rest of slip where the contact should hold.
    AsPrinted,
}

/// What a filter did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FilterReport {
    /// Contacts with an impulse.
    pub active: usize,
    /// Contacts that nothing can move: all their vertices are held.
    pub immovable: usize,
    /// Contacts whose numbers are not finite; nothing was done there.
    pub skipped: usize,
    /// Angular momentum that friction added because its two points of action are a thickness
    /// apart: Σ offset × friction impulse, N m s. Normal impulses add none.
    pub torque: DVec3,
}

impl Default for VelocityFilter {
    fn default() -> VelocityFilter {
        VelocityFilter {
            passes: 1,
            friction: FrictionRule::Exact,
            impulses: Vec::new(),
            loads: Vec::new(),
            acted: Vec::new(),
            inverse_masses: Vec::new(),
        }
    }
}

impl VelocityFilter {
    /// Filters the velocities. `laws` has one law for each contact, of forces, with two
    /// rows and without rheology; none at all means no friction. A gap that is open may close within `dt`, and no further.
    pub fn apply(
        &mut self,
        contacts: &Contacts,
        laws: &[Law],
        inverse_masses: &[f64],
        velocities: &mut [DVec3],
        dt: f64,
    ) -> Result<FilterReport, ContactError> {
        check(contacts, laws, inverse_masses, velocities, dt)?;
        self.rest(contacts.list.len());
        self.inverse_masses.clear();
        let responses = contacts.list.iter().map(|c| c.inverse_mass(inverse_masses));
        self.inverse_masses.extend(responses);
        let mut report = FilterReport::default();
        for pass in 0..self.passes {
            let skipped = self.pass(contacts, laws, inverse_masses, velocities, dt);
            if pass == 0 {
                report.skipped = skipped;
            }
        }
        for (k, c) in contacts.list.iter().enumerate() {
            report.active += usize::from(self.loads[k] > 0.0);
            report.immovable += usize::from(!(self.inverse_masses[k] > 0.0));
            if self.impulses[k] != DVec3::ZERO {
                report.torque += c.offset.cross(self.impulses[k] - c.normal * self.loads[k]);
            }
        }
        Ok(report)
    }

    /// No impulses at so many contacts.
    pub(super) fn rest(&mut self, count: usize) {
        self.impulses.clear();
        self.impulses.resize(count, DVec3::ZERO);
        self.loads.clear();
        self.loads.resize(count, 0.0);
    }

    /// The impulse on B of each contact, world, N s.
    pub fn impulses(&self) -> &[DVec3] {
        &self.impulses
    }

    /// The normal impulse of each contact, N s.
    pub fn loads(&self) -> &[f64] {
        &self.loads
    }

    fn pass(
        &mut self,
        contacts: &Contacts,
        laws: &[Law],
        inverse_masses: &[f64],
        velocities: &mut [DVec3],
        dt: f64,
    ) -> usize {
        let mut skipped = 0;
        for (k, c) in contacts.list.iter().enumerate() {
            let w = self.inverse_masses[k];
            if !(w > 0.0) {
                continue;
            }
            let old = self.impulses[k];
            // Relative velocity without this contact's own impulse.
            let q = contacts.slip(c, velocities) - old * w;
            if !q.is_finite() {
                skipped += 1;
                continue;
            }
            let room = if c.gap > 0.0 { c.gap / dt } else { 0.0 };
            let approach = c.normal.dot(q);
            let load = (-(approach + room) / w).max(0.0);
            let mut impulse = c.normal * load;
            if load > 0.0 && !laws.is_empty() {
                let (law, slip) = (&laws[k], q - c.normal * approach);
                let load = self.strength(k, law, load, dt);
                impulse += self.friction_at(&law.set, c.normal, slip, w, load);
            }
            let change = impulse - old;
            if change == DVec3::ZERO {
                continue;
            }
            self.impulses[k] = impulse;
            self.loads[k] = load;
            for (i, weight) in c.parts() {
                velocities[i] += change * (weight * inverse_masses[i]);
            }
        }
        skipped
    }

    /// What scales the set of a contact, N s.
    #[inline]
    fn strength(&self, k: usize, law: &Law, load: f64, dt: f64) -> f64 {
        let acted = || self.acted.get(k).is_some_and(|impulse| *impulse != DVec3::ZERO);
        if matches!(law.load, LoadRule::Constant(_)) && acted() {
            return 0.0;
        }
        scale(law, load, dt)
    }

    #[inline]
    fn friction_at(&self, set: &Set, normal: DVec3, slip: DVec3, w: f64, load: f64) -> DVec3 {
        if let Set::Disk(disk) = set {
            // Eq. 1: both rules agree, and no frame is needed.
            let (hold, limit) = (slip * (-1.0 / w), disk.radius() * load);
            let length = hold.length();
            return if length <= limit { hold } else { hold * (limit / length) };
        }
        let frame = ContactFrame::from_normal(normal);
        let q = frame.to_plane(slip);
        frame.to_world(match self.friction {
            FrictionRule::Exact => friction(set, q, w, load),
            FrictionRule::AsPrinted => friction_as_printed(set, q, w, load),
        })
    }
}

fn check(
    contacts: &Contacts,
    laws: &[Law],
    inverse_masses: &[f64],
    velocities: &[DVec3],
    dt: f64,
) -> Result<(), ContactError> {
    if !laws.is_empty() {
        same_length("friction laws", laws.len(), contacts.list.len())?;
    }
    check_laws(laws)?;
    same_length("inverse masses", inverse_masses.len(), velocities.len())?;
    if !(dt > 0.0) {
        let expected = "a time above zero";
        return Err(ContactError::Value { what: "time step", value: dt, expected });
    }
    let last = contacts.list.iter().flat_map(|c| c.parts().map(|(i, _)| i)).max();
    match last {
        Some(i) if i >= velocities.len() => same_length("velocities", velocities.len(), i + 1),
        _ => Ok(()),
    }
}

/// Whether laws can be scaled with the load alone: sets of two rows that neither give nor drag.
pub(super) fn check_laws(laws: &[Law]) -> Result<(), ContactError> {
    match laws.iter().find(|law| law.set.dim() != 2 || law.rheology.is_some()) {
        None => Ok(()),
        Some(law) if law.rheology.is_some() => Err(ContactError::Rheology),
        Some(law) => {
            same_length("the friction set of a contact, along the surface,", law.set.dim(), 2)
        }
    }
}
