//! Which part of a contact is sampled, and how finely.

use super::{Bed, Manner, Window, manner};
use crate::FrictionError;
use crate::set::Rotation;

/// What is looked at (Andrews 2021, section 4.1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// w, the width of a window about a contact point, metres.
    pub width: f64,
    /// R, texels along a side of the window.
    pub resolution: usize,
    /// Which window.
    pub area: Area,
    /// k of a [`Bed`], pascals per metre, where only texels count that touch.
    pub stiffness: Option<f64>,
    /// As in [`Manner`].
    pub filter: bool,
    /// As in [`Manner`].
    pub eight_bit: bool,
}

/// Which part of a contact is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Area {
    /// A window about each contact point, as in the paper.
    #[default]
    Point,
    /// The whole area of the manifold.
    Whole,
}

impl Default for Sampling {
    /// The paper's: 0.02 m, 16 × 16 texels, about each point.
    fn default() -> Sampling {
        Sampling {
            width: 0.02,
            resolution: 16,
            area: Area::Point,
            stiffness: None,
            filter: false,
            eight_bit: false,
        }
    }
}

impl Sampling {
    /// Checks width and resolution.
    pub fn check(&self) -> Result<(), FrictionError> {
        manner::check(self.stiffness)?;
        Window::about_point(self.width, self.resolution, 0.0, Rotation::IDENTITY).check()
    }
    /// How texels are joined under the load (newtons) of the last step over an area (m²).
    pub fn manner(&self, load: Option<f64>, area: f64) -> Manner {
        let bed = Bed::new(self.stiffness, load, area);
        Manner { bed, filter: self.filter, eight_bit: self.eight_bit }
    }
}
