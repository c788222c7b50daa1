use asperity_friction::set::Set;

use super::frames::ContactGeometry;

/// Gives contacts their friction. A function from a contact to its set will do; what is better done
/// for many contacts at once, as looking at their surfaces, is done in [`FrictionLaws::settle`].
pub trait FrictionLaws {
    /// The friction set of a contact, with two rows; or one that stands for it until
    /// [`FrictionLaws::settle`] is called.
    fn set(&mut self, contact: &ContactGeometry) -> Set;

    /// Called with all the sets that were given since it was last called, in their order, before
    /// any of them is used.
    fn settle(&mut self, sets: &mut [Set]) {
        let _ = sets;
    }
}

impl<F: FnMut(&ContactGeometry) -> Set> FrictionLaws for F {
    fn set(&mut self, contact: &ContactGeometry) -> Set {
        self(contact)
    }
}
