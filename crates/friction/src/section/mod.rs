//! Friction models of the planar limit curve, one file per paper.

mod coulomb;
mod erleben2020_matchstick;
mod pabst2009_tensor;

pub use coulomb::{Coulomb, LoadScaling, Weakening};
pub use erleben2020_matchstick::{Matchstick, ZeroStructure};
pub use pabst2009_tensor::{Composition, FrictionTensors, SurfaceTensor};

use crate::FrictionError;
use crate::law::{ContactState, Law};
use crate::surface::Surface;

/// A friction model: from the state of a contact to a law, once per contact and step.
///
/// Exchanging A and B must give the same forces; `testing::check_section` (feature `testing`) proves it.
pub trait Section: std::fmt::Debug + Send + Sync {
    /// The model's name in scene files and messages.
    fn name(&self) -> &'static str;

    /// The law of one contact. Never fails: what can be wrong is found by [`Section::check`].
    fn law(&self, contact: &ContactState) -> Law;

    /// Whether the law depends on what the surfaces look like at the contact. Where it does not,
    /// the contact state's surfaces need not be looked up.
    fn needs_surfaces(&self) -> bool {
        true
    }

    /// Whether two surfaces bring what the model needs. Called when a scene is loaded.
    fn check(&self, a: &Surface, b: &Surface) -> Result<(), FrictionError> {
        let _ = (a, b);
        Ok(())
    }
}
