//! Surfaces made by rule: roughness, teeth, threads, grain, logos. All of them repeat at their
//! edges, except logos, and the same seed gives the same surface.
//!
//! The mean slope of a surface that repeats is zero, and μ(d) is linear in the slope where it is
//! not zero; so a *height field* that repeats resists both senses of a direction alike, whatever
//! its teeth look like. Asymmetry needs a net slope, which no such height field has but a painted
//! map can: facets of free slopes and widths ([`sawtooth`], [`threads`]).

mod emboss;
mod painted;
mod rough;

pub use emboss::emboss;
pub use painted::{Thread, ridges, sawtooth, sawtooth_heights, threads};
pub use rough::{brushed, gaussian_roughness, gaussian_slopes, wood};

use glamx::DVec2;

use crate::FrictionError;
use crate::error::positive;

/// Most texels of a generated surface.
pub const MAX_TEXELS: usize = 1 << 26;

/// Columns, rows and the side of a square texel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Texels along u.
    pub width: usize,
    /// Texels along v.
    pub height: usize,
    /// Side of a texel, metres.
    pub texel: f64,
}

impl Grid {
    /// A square grid.
    pub fn square(side: usize, texel: f64) -> Grid {
        Grid { width: side, height: side, texel }
    }

    /// What the grid covers, metres.
    pub fn size(&self) -> DVec2 {
        DVec2::new(self.width as f64, self.height as f64) * self.texel
    }

    /// How many texels, if they are neither none nor too many.
    fn count(&self) -> Result<usize, FrictionError> {
        positive("side of a texel in metres", self.texel)?;
        match self.width.checked_mul(self.height) {
            Some(count) if (1..=MAX_TEXELS).contains(&count) => Ok(count),
            _ => Err(FrictionError::Shape(format!(
                "a surface of {} x {} texels; expected at least one and at most {MAX_TEXELS} in all",
                self.width, self.height
            ))),
        }
    }
}
