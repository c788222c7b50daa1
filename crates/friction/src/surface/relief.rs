//! The visible roughness of a surface: slopes and a mask.

use glamx::DVec2;

use super::{SlopeMap, TextureMap, Wrap};
use crate::FrictionError;
use crate::error::non_negative;

/// The visible roughness of a surface: its slopes, and how strongly they plough.
#[derive(Debug, Clone, PartialEq)]
pub struct Relief {
    map: SlopeMap,
    mask: Mask,
}

/// The field mask k of a surface (Andrews 2021, Eq. 7), a factor on its coefficients.
#[derive(Debug, Clone, PartialEq)]
pub enum Mask {
    /// The same everywhere.
    Constant(f64),
    /// One factor for each texel of the slope map.
    Texels(Vec<f32>),
}

impl Relief {
    /// Slopes with a mask. Factors are finite and not negative.
    pub fn new(map: SlopeMap, mask: Mask) -> Result<Relief, FrictionError> {
        match &mask {
            Mask::Constant(k) => {
                non_negative("mask of a surface", *k)?;
            }
            Mask::Texels(factors) => {
                let (width, height) = map.dimensions();
                if factors.len() != width * height {
                    return Err(FrictionError::Shape(format!(
                        "mask of {} factors for a map of {width} x {height} texels; expected one per texel",
                        factors.len()
                    )));
                }
                if let Some(i) = factors.iter().position(|k| !(k.is_finite() && *k >= 0.0)) {
                    non_negative(
                        &format!("mask of texel ({}, {})", i % width, i / width),
                        f64::from(factors[i]),
                    )?;
                }
            }
        }
        Ok(Relief { map, mask })
    }

    /// Slopes that plough as they are: k = 1.
    pub fn plain(map: SlopeMap) -> Relief {
        Relief { map, mask: Mask::Constant(1.0) }
    }

    /// The same after each texel has lost so much height, metres; the mask stays.
    pub fn worn(&self, lost: &[f64]) -> Result<Relief, FrictionError> {
        Ok(Relief { map: self.map.worn(lost)?, mask: self.mask.clone() })
    }

    /// The slopes.
    pub fn map(&self) -> &SlopeMap {
        &self.map
    }

    /// The mask.
    pub fn mask(&self) -> &Mask {
        &self.mask
    }
}

impl Mask {
    /// `gain` times the first channel of a texture, looked up at each texel of `map`: both
    /// textures lie on the surface with their own sizes.
    pub fn from_texture(texture: &TextureMap, map: &SlopeMap, gain: f64) -> Mask {
        let (width, height) = map.dimensions();
        let texel = map.size() / DVec2::new(width as f64, height as f64);
        let at = |i: usize| {
            let centre = DVec2::new((i % width) as f64 + 0.5, (i / width) as f64 + 0.5);
            (gain * texture.sample(centre * texel).x) as f32
        };
        Mask::Texels((0..width * height).map(at).collect())
    }

    /// From an edge filter of the map (Andrews 2021, section 3.4): `floor` where the surface does
    /// not bend, `floor + gain` where it bends most. The filter is the length of the central
    /// differences of both slopes, divided by its largest value.
    pub fn from_edges(map: &SlopeMap, floor: f64, gain: f64) -> Mask {
        let (width, height) = map.dimensions();
        let near = |i: usize, n: usize| match map.wrap() {
            Wrap::Repeat => ((i + n - 1) % n, (i + 1) % n),
            Wrap::Clamp => (i.saturating_sub(1), (i + 1).min(n - 1)),
        };
        let bend = |t: usize| {
            let (i, j) = (t % width, t / width);
            let ((left, right), (below, above)) = (near(i, width), near(j, height));
            let u = map.slope_of(j * width + right) - map.slope_of(j * width + left);
            let v = map.slope_of(above * width + i) - map.slope_of(below * width + i);
            (u.length_squared() + v.length_squared()).sqrt()
        };
        let bends: Vec<f64> = (0..width * height).map(bend).collect();
        let most = bends.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        Mask::Texels(bends.iter().map(|b| (floor + gain * b / most) as f32).collect())
    }
}
