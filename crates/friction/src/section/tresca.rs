//! Tresca friction: a shear strength over the area of contact, whatever the load.

use std::sync::Arc;

use super::{Needs, Section};
use crate::FrictionError;
use crate::error::non_negative;
use crate::law::{ContactState, Law, LoadRule};
use crate::registry::{AtKey, Form, Key, Model, Range};
use crate::set::Disk;

/// Forces of at most τA in the contact plane, with the strength τ and the area A of the patch, while
/// it pushes at all: soft metals under pressure, adhesive films, lubricants at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tresca {
    strength: f64,
}

impl Tresca {
    /// With this shear strength τ, pascal.
    pub fn new(strength: f64) -> Result<Tresca, FrictionError> {
        Ok(Tresca { strength: non_negative("shear strength", strength)? })
    }
}

impl Section for Tresca {
    fn name(&self) -> &'static str {
        "tresca"
    }

    fn needs(&self) -> Needs {
        Needs { area: true, even: true, ..Needs::NOTHING }
    }

    fn law(&self, contact: &ContactState) -> Law {
        let unit = Law::from(Disk::new(1.0).unwrap_or_else(|_| Disk::frictionless()));
        Law { load: LoadRule::Constant(self.strength * contact.area), ..unit }
    }
}

/// The model by name.
pub(super) static MODEL: Model<Arc<dyn Section>> = Model {
    name: "tresca",
    doc: "A shear strength times the area of the patch, whatever the load",
    keys: &[Key::required("strength", Form::Number(Range::NonNegative), "Pa")
        .about("largest shear stress over the area of contact")],
    make: |values| Ok(Arc::new(Tresca::new(values.given("strength")).at("strength")?)),
};
