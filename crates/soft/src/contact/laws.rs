//! Who gives contacts their friction laws, and what scales a law's set.

use asperity_friction::{Law, LoadRule};

use super::frames::ContactGeometry;

/// Gives contacts their friction. A function from a contact to its law, or to a set, will do.
pub trait FrictionLaws {
    /// Appends the law of each contact, with a set of two rows, in their order.
    fn laws(&mut self, contacts: &[ContactGeometry], out: &mut Vec<Law>);

    /// Whether any contact may have friction. Where none has, nobody is asked for laws.
    fn any(&self) -> bool {
        true
    }
}

impl<L: Into<Law>, F: FnMut(&ContactGeometry) -> L> FrictionLaws for F {
    fn laws(&mut self, contacts: &[ContactGeometry], out: &mut Vec<Law>) {
        out.extend(contacts.iter().map(|contact| self(contact).into()));
    }
}

/// What scales a law's set over a step of `dt` seconds at a contact with this normal impulse, N s.
#[inline]
pub(super) fn scale(law: &Law, normal: f64, dt: f64) -> f64 {
    match law.load {
        LoadRule::Normal => normal,
        LoadRule::Constant(load) if normal > 0.0 => load * dt,
        LoadRule::Constant(_) => 0.0,
    }
}
