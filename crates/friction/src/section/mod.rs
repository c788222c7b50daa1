//! Friction models of the planar limit curve, one file per paper.

mod andrews2021_ploughing;
mod anisotropic;
mod coulomb;
mod erleben2020_matchstick;
mod graded;
mod pabst2009_tensor;
mod tresca;

pub use andrews2021_ploughing::{Alignment, Limit, Ploughing};
pub use anisotropic::{Anisotropic, Axis};
pub use coulomb::Coulomb;
pub use erleben2020_matchstick::{Matchstick, ZeroStructure};
pub use graded::{Graded, LoadScaling, Weakening};
pub use pabst2009_tensor::{Composition, FrictionTensors};
pub use tresca::Tresca;

use std::sync::Arc;

use crate::FrictionError;
use crate::law::{ContactState, Law};
use crate::registry::Model;
use crate::set::Rotation;
use crate::surface::Surface;
use crate::surface::patch::{Directions, Sampling};

/// All sections by name.
pub static SECTIONS: &[&Model<Arc<dyn Section>>] = &[
    &coulomb::MODEL,
    &erleben2020_matchstick::MODEL,
    &pabst2009_tensor::MODEL,
    &andrews2021_ploughing::MODEL,
    &anisotropic::MODEL,
    &tresca::MODEL,
];

/// A friction model: from the state of a contact to a law, once per contact and step.
///
/// Exchanging A and B must give the same forces; `testing::check_section` (feature `testing`) proves it.
pub trait Section: std::fmt::Debug + Send + Sync {
    /// The model's name in scene files and messages.
    fn name(&self) -> &'static str;

    /// The law of one contact. Never fails: what can be wrong is found by [`Section::check`].
    fn law(&self, contact: &ContactState) -> Law;

    /// What of a contact's state the law depends on.
    fn needs(&self) -> Needs {
        Needs::SURFACES
    }

    /// How strong it is at a speed of slip, m/s, where its sets grow and shrink as a whole and smoothly with that;
    /// only ratios count. A memory lets it follow the speed within a step.
    fn strength(&self, speed: f64) -> f64 {
        let _ = speed;
        1.0
    }

    /// The model as one that looks at patches, where it is. Who samples patches puts the sample into
    /// [`ContactState::sample`].
    fn sampled(&self) -> Option<&dyn Sampled> {
        None
    }

    /// Why a whole patch cannot carry spin with this section, if so. What can is a law whose set is
    /// convex and has two rows: a disk, an ellipse, a box or a polygon. The law at the centre of the
    /// load is that of the whole patch.
    fn no_limit_surface(&self) -> Option<&'static str> {
        None
    }

    /// Whether friction between two surfaces is zero whatever the contact, so that nobody needs to be
    /// asked for a law.
    fn never_resists(&self, a: &Surface, b: &Surface) -> bool {
        let _ = (a, b);
        false
    }

    /// Whether two surfaces bring what the model needs. Called when a scene is loaded.
    fn check(&self, a: &Surface, b: &Surface) -> Result<(), FrictionError> {
        let _ = (a, b);
        Ok(())
    }
}

/// What of a contact's state must be looked up for a section; the rest may be anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent questions")]
pub struct Needs {
    /// What the surfaces are at the contact. A section that does not look at them knows no direction
    /// in the contact plane: its law is one disk, wherever on a patch.
    pub surfaces: bool,
    /// [`ContactState::free_slip`], which costs a solve without friction.
    pub free_slip: bool,
    /// [`ContactState::area`].
    pub area: bool,
    /// Whether friction is spread evenly over the area, whatever the load: that of a whole patch then
    /// acts at the middle of its area, not of its load.
    pub even: bool,
    /// [`ContactState::last_load`], which is kept from step to step.
    pub load: bool,
}

impl Needs {
    /// Nothing but the state itself.
    pub const NOTHING: Needs =
        Needs { surfaces: false, free_slip: false, area: false, even: false, load: false };
    /// What the surfaces are at the contact.
    pub const SURFACES: Needs = Needs { surfaces: true, ..Needs::NOTHING };
}

/// A section that looks at a patch of both surfaces.
pub trait Sampled {
    /// What is looked at, and for which directions.
    fn sampling(&self) -> (Sampling, &Arc<Directions>);

    /// Where the window points in the contact plane.
    fn rotation(&self, contact: &ContactState) -> Rotation;
}
