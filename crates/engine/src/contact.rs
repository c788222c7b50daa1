//! Contacts of a step, and what is remembered of them for the next.

use asperity_friction::ContactFrame;
use asperity_friction::set::Set;
use glamx::DVec3;

use crate::wrench::WrenchContact;

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
    /// Torque impulse on B about the normal, N m s; zero unless the law has a drilling torque. For
    /// a contact of a patch, the share of the patch's.
    pub spin_impulse: f64,
    /// Normal force, newtons.
    pub load: f64,
    /// Velocity of B relative to A at the end of the step, in the contact plane, m/s.
    pub slip: DVec3,
    /// The admissible friction forces per unit load.
    pub set: Set,
    /// Number of the block that carries its friction, where a whole patch does
    /// ([`crate::World::patch_blocks`]).
    pub patch: Option<usize>,
    /// Identity that persists while the same features touch.
    pub key: ContactKey,
    /// Target for the normal velocity at the end of the step, m/s.
    pub(crate) normal_target: f64,
    /// Impulse and spin impulse that the next step begins with.
    pub(crate) next: (DVec3, f64),
    /// What it has beyond a point, where bodies touch by one wrench. Its point is then the centre of
    /// pressure, its gap the displacement that leads to the target overlap, and its spin impulse is
    /// about the centre of pressure.
    pub wrench: Option<Box<WrenchContact>>,
}

impl Contact {
    /// Rows of friction of its own.
    pub(crate) fn friction_rows(&self) -> usize {
        match (&self.patch, &self.wrench) {
            (Some(_), _) => 0,
            (None, Some(_)) => 5,
            (None, None) => self.set.dim(),
        }
    }
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

/// What the contacts of the last step leave to the next. Impulses are kept as world vectors, since
/// a contact frame may jump from one step to the next.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContactCache {
    /// In the order of the contacts: by pair.
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
    /// What is known of a contact. Pairs of bodies must be asked for in rising order; `cursor`
    /// begins at zero and remembers where the last one was: the next is mostly beside it.
    pub(crate) fn get(&self, key: &ContactKey, cursor: &mut usize) -> Option<Remembered> {
        let of_pair = |e: &&(ContactKey, Remembered)| e.0.bodies == key.bodies;
        *cursor += self.entries[*cursor..].iter().take_while(|e| e.0.bodies < key.bodies).count();
        let ahead = self.entries[*cursor..].iter().take_while(of_pair);
        let behind = self.entries[..*cursor].iter().rev().take_while(of_pair);
        if let Some(steps) = ahead.clone().position(|e| e.0 == *key) {
            let found = self.entries[*cursor + steps].1;
            *cursor += steps + 1;
            return Some(found);
        }
        behind.clone().find(|e| e.0 == *key).map(|e| e.1)
    }

    pub(crate) fn store(&mut self, contacts: &[Contact]) {
        self.entries.clear();
        let points = contacts.iter().filter(|c| c.wrench.is_none());
        self.entries.extend(points.map(|c| {
            let (impulse, spin_impulse) = c.next;
            (c.key, Remembered { impulse, spin_impulse, load: c.load })
        }));
    }
}
