//! Friction models of the planar limit curve, one file per paper.

mod andrews2021_ploughing;
mod coulomb;
mod erleben2020_matchstick;
mod pabst2009_tensor;

pub use andrews2021_ploughing::{Alignment, Area, Limit, Ploughing, Sampling};
pub use coulomb::{Coulomb, LoadScaling, Weakening};
pub use erleben2020_matchstick::{Matchstick, ZeroStructure};
pub use pabst2009_tensor::{Composition, FrictionTensors, SurfaceTensor};

use std::sync::Arc;

use crate::FrictionError;
use crate::law::{ContactState, Law};
use crate::set::Rotation;
use crate::surface::Surface;
use crate::surface::patch::{Directions, Sample};

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

    /// Whether the law depends on [`ContactState::free_slip`], which costs a solve without friction.
    fn needs_free_slip(&self) -> bool {
        false
    }

    /// What patch the model wants sampled, and for which directions; `None` where it looks at the
    /// contact point only. Who samples patches turns the window by [`Section::rotation`] and asks
    /// for [`Section::sampled_law`].
    fn sampling(&self) -> Option<(Sampling, &Arc<Directions>)> {
        None
    }

    /// Where the window of a sampled patch points in the contact plane.
    fn rotation(&self, contact: &ContactState) -> Rotation {
        let _ = contact;
        Rotation::IDENTITY
    }

    /// The law of a contact whose patch was sampled as [`Section::sampling`] asks.
    fn sampled_law(&self, contact: &ContactState, sample: &Sample) -> Law {
        let _ = sample;
        self.law(contact)
    }

    /// Whether the law is one disk, wherever on a patch and whichever way it points: the limit
    /// surface of a patch is then that of isotropic friction.
    fn has_limit_surface(&self) -> bool {
        false
    }

    /// Why a whole patch cannot carry spin with this section, if so. What can is a law that is a
    /// convex set of two rows: a disk, an ellipse, a box or a polygon. The law at the centre of the
    /// load is that of the whole patch.
    fn no_spin(&self) -> Option<&'static str> {
        None
    }

    /// Whether two surfaces bring what the model needs. Called when a scene is loaded.
    fn check(&self, a: &Surface, b: &Surface) -> Result<(), FrictionError> {
        let _ = (a, b);
        Ok(())
    }
}
