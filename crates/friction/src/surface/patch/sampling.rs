//! Which part of a contact is sampled, and how finely.

use super::Window;
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
        Sampling { width: 0.02, resolution: 16, area: Area::Point }
    }
}

impl Sampling {
    /// Checks width and resolution.
    pub fn check(&self) -> Result<(), FrictionError> {
        Window::about_point(self.width, self.resolution, 0.0, Rotation::IDENTITY).check()
    }
}
