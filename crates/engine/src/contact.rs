//! Contacts of a step, and what is remembered of them for the next.

use asperity_friction::ContactFrame;
use asperity_friction::set::Set;
use glamx::DVec3;

/// One contact point of the last step.
#[derive(Debug, Clone)]
pub struct Contact {
    /// Numbers of the two bodies, A then B.
    pub bodies: [usize; 2],
    /// Where they touch, world axes.
    pub point: DVec3,
    /// The contact frame; its normal points from A to B.
    pub frame: ContactFrame,
    /// Distance half-way through the step, metres; negative where they overlap.
    pub gap: f64,
    /// Impulse on B, N s, world axes (before the solve: that of the last step).
    pub impulse: DVec3,
    /// Torque impulse on B about the normal, N m s; zero unless the law has a drilling torque.
    pub spin_impulse: f64,
    /// Normal force, newtons.
    pub load: f64,
    /// Velocity of B relative to A at the end of the step, in the contact plane, m/s.
    pub slip: DVec3,
    /// The admissible friction forces per unit load.
    pub set: Set,
    /// Identity that persists while the same features touch.
    pub key: ContactKey,
    /// Target for the normal velocity at the end of the step, m/s.
    pub(crate) normal_target: f64,
}

/// Identity of a contact: bodies, parts of compound shapes, features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactKey {
    /// Numbers of the bodies.
    pub bodies: [usize; 2],
    /// Parts of their shapes.
    pub parts: [u32; 2],
    /// Features.
    pub id: u64,
}

/// Impulses of the last step by contact. They are kept as world vectors, since a contact frame
/// may jump from one step to the next.
#[derive(Debug, Default)]
pub(crate) struct ContactCache {
    entries: Vec<(ContactKey, Remembered)>,
}

/// What is remembered of a contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Remembered {
    pub(crate) impulse: DVec3,
    pub(crate) spin_impulse: f64,
    pub(crate) load: f64,
}

impl ContactCache {
    pub(crate) fn get(&self, key: &ContactKey) -> Option<Remembered> {
        let index = self.entries.binary_search_by(|e| e.0.cmp(key)).ok()?;
        Some(self.entries[index].1)
    }

    pub(crate) fn store(&mut self, contacts: &[Contact]) {
        self.entries.clear();
        self.entries.extend(contacts.iter().map(|c| {
            let remembered =
                Remembered { impulse: c.impulse, spin_impulse: c.spin_impulse, load: c.load };
            (c.key, remembered)
        }));
        self.entries.sort_by_key(|entry| entry.0);
    }
}
