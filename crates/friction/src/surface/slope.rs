//! Slopes of a surface on a grid.

mod lookup;
mod window;

pub(super) use lookup::Step;
pub(super) use window::Desk;

use glamx::{DMat2, DVec2};

use super::{TextureMap, Wrap};
use crate::FrictionError;
use crate::error::positive;

/// The steepest slope that counts: tan θ of a facet 84.3° steep. Where θ nears 90°, tan θ
/// (Andrews 2021, Eq. 3) has no bound and one texel would decide for a whole patch.
pub const MAX_SLOPE: f64 = 10.0;

/// The small-scale slopes (∂h/∂u, ∂h/∂v) of a surface, on a grid that covers a rectangle of it.
///
/// The facet of a texel has the normal (−∂h/∂u, −∂h/∂v, 1) in (tangent, bitangent, outward normal)
/// coordinates. Between texel centres slopes are interpolated, not normals, so that the mean slope
/// of a map is that of its texels. Texels lie as in [`TextureMap`]: row 0 at v = 0.
#[derive(Debug, Clone, PartialEq)]
pub struct SlopeMap {
    width: usize,
    height: usize,
    slopes: Vec<[f32; 2]>,
    size: DVec2,
    wrap: Wrap,
    clipped: usize,
    /// Of each texel, metres, where they are known: slopes alone do not tell them.
    heights: Option<Vec<f32>>,
}

impl SlopeMap {
    /// Slopes row by row. `size` is what the map covers, in metres. Slopes steeper than
    /// [`MAX_SLOPE`] keep their direction and get that length.
    pub fn new(
        width: usize,
        height: usize,
        mut slopes: Vec<[f32; 2]>,
        size: DVec2,
        wrap: Wrap,
    ) -> Result<SlopeMap, FrictionError> {
        if width == 0 || height == 0 || width.checked_mul(height) != Some(slopes.len()) {
            return Err(FrictionError::Shape(format!(
                "slope map of {width} x {height} texels has {} slopes; expected one per texel and at least one",
                slopes.len()
            )));
        }
        positive("width of the slope map in metres", size.x)?;
        positive("height of the slope map in metres", size.y)?;
        let mut clipped = 0;
        for (i, slope) in slopes.iter_mut().enumerate() {
            let s = DVec2::new(f64::from(slope[0]), f64::from(slope[1]));
            if !s.is_finite() {
                return Err(FrictionError::Shape(format!(
                    "slope of texel ({}, {}) is {s}; expected finite numbers",
                    i % width,
                    i / width
                )));
            }
            if s.length() > MAX_SLOPE {
                clipped += 1;
                // A little less, so that rounding to f32 does not exceed the limit.
                let s = s * ((1.0 - 1e-7) * MAX_SLOPE / s.length());
                *slope = [s.x as f32, s.y as f32];
            }
        }
        Ok(SlopeMap { width, height, slopes, size, wrap, clipped, heights: None })
    }

    /// The slopes of a surface given by heights in metres, row by row, by central differences. At
    /// the borders of a map that does not repeat they are one-sided.
    ///
    /// Forward differences of independent heights would be anisotropic: their slope along a
    /// diagonal deviates by √1.5 as much as along the other.
    pub fn from_heights(
        width: usize,
        height: usize,
        heights: &[f64],
        size: DVec2,
        wrap: Wrap,
    ) -> Result<SlopeMap, FrictionError> {
        if width == 0 || height == 0 || width.checked_mul(height) != Some(heights.len()) {
            return Err(FrictionError::Shape(format!(
                "height map of {width} x {height} texels has {} heights; expected one per texel and at least one",
                heights.len()
            )));
        }
        positive("width of the height map in metres", size.x)?;
        positive("height of the height map in metres", size.y)?;
        let texel = size / DVec2::new(width as f64, height as f64);
        // Neighbours of i and how many texels apart they are.
        let around = |i: usize, n: usize| match wrap {
            Wrap::Repeat => ((i + n - 1) % n, (i + 1) % n, 2.0),
            Wrap::Clamp => {
                let (low, high) = (i.saturating_sub(1), (i + 1).min(n - 1));
                (low, high, ((high - low) as f64).max(1.0))
            }
        };
        let mut slopes = Vec::with_capacity(heights.len());
        for j in 0..height {
            let (below, above, rows) = around(j, height);
            for i in 0..width {
                let (left, right, columns) = around(i, width);
                let u = heights[j * width + right] - heights[j * width + left];
                let v = heights[above * width + i] - heights[below * width + i];
                slopes.push([(u / (columns * texel.x)) as f32, (v / (rows * texel.y)) as f32]);
            }
        }
        SlopeMap::new(width, height, slopes, size, wrap)?.with_heights(heights)
    }

    /// With the heights that its slopes are of, metres, row by row.
    pub(in crate::surface) fn with_heights(
        self,
        heights: &[f64],
    ) -> Result<SlopeMap, FrictionError> {
        let heights: Vec<f32> = heights.iter().map(|h| *h as f32).collect();
        if heights.len() != self.slopes.len() || heights.iter().any(|h| !h.is_finite()) {
            return Err(FrictionError::Shape(format!(
                "{} heights for {} slopes; expected one finite height per texel",
                heights.len(),
                self.slopes.len()
            )));
        }
        Ok(SlopeMap { heights: Some(heights), ..self })
    }

    /// Heights from the first channel of a texture, `relief` metres between black and white.
    pub fn from_height_map(map: &TextureMap, relief: f64) -> Result<SlopeMap, FrictionError> {
        positive("height between black and white in metres", relief)?;
        let heights: Vec<f64> = map.texels().iter().map(|t| f64::from(t[0]) * relief).collect();
        let (width, height) = map.dimensions();
        SlopeMap::from_heights(width, height, &heights, map.size(), map.wrap())
    }

    /// Columns and rows.
    pub fn dimensions(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// All slopes, row by row.
    pub fn slopes(&self) -> &[[f32; 2]] {
        &self.slopes
    }

    /// What the map covers, in metres.
    pub fn size(&self) -> DVec2 {
        self.size
    }

    /// What lies beyond its edges.
    pub fn wrap(&self) -> Wrap {
        self.wrap
    }

    /// Heights of all texels, metres, row by row; `None` where only normals are known.
    pub fn heights(&self) -> Option<&[f32]> {
        self.heights.as_deref()
    }

    /// How many texels were steeper than [`MAX_SLOPE`].
    pub fn clipped(&self) -> usize {
        self.clipped
    }

    /// The same slopes over another size in metres. Heights grow with it, and are forgotten where width and height
    /// grow by different factors: no height field has the same slopes then.
    pub fn with_size(self, size: DVec2) -> Result<SlopeMap, FrictionError> {
        positive("width of the slope map in metres", size.x)?;
        positive("height of the slope map in metres", size.y)?;
        let factor = size / self.size;
        let even = (factor.x - factor.y).abs() <= 1e-9 * factor.x.max(factor.y);
        let heights = self.heights.clone().filter(|_| even).map(|h| times(h, factor.x));
        Ok(SlopeMap { size, heights, ..self })
    }

    /// The same map with something else beyond its edges; the slopes within stay.
    #[must_use]
    pub fn with_wrap(self, wrap: Wrap) -> SlopeMap {
        SlopeMap { wrap, ..self }
    }

    /// All slopes times a factor.
    pub fn scaled(mut self, factor: f64) -> Result<SlopeMap, FrictionError> {
        for slope in &mut self.slopes {
            *slope = slope.map(|s| (f64::from(s) * factor) as f32);
        }
        let scaled = SlopeMap::new(self.width, self.height, self.slopes, self.size, self.wrap)?;
        Ok(SlopeMap { heights: self.heights.map(|h| times(h, factor)), ..scaled })
    }

    /// Without its mean slope: what a tilt of the whole map adds, which no repeated surface can
    /// have, is taken away.
    pub fn levelled(mut self) -> Result<SlopeMap, FrictionError> {
        let (mean, _) = self.moments();
        for slope in &mut self.slopes {
            let level = DVec2::new(f64::from(slope[0]), f64::from(slope[1])) - mean;
            *slope = [level.x as f32, level.y as f32];
        }
        let texel = self.size / DVec2::new(self.width as f64, self.height as f64);
        let width = self.width;
        let level = |(i, h): (usize, &f32)| {
            let at = DVec2::new((i % width) as f64, (i / width) as f64) * texel;
            (f64::from(*h) - mean.dot(at)) as f32
        };
        let heights = self.heights.as_ref().map(|h| h.iter().enumerate().map(level).collect());
        let levelled = SlopeMap::new(self.width, self.height, self.slopes, self.size, self.wrap)?;
        Ok(SlopeMap { heights, ..levelled })
    }

    /// The map after each texel has lost so much height, metres: slopes change by the differences of
    /// what is lost, so that those of a map that was painted or levelled stay where nothing is.
    pub fn worn(&self, lost: &[f64]) -> Result<SlopeMap, FrictionError> {
        let (size, wrap) = (self.size, self.wrap);
        let off = SlopeMap::from_heights(self.width, self.height, lost, size, wrap)?;
        let both = self.slopes.iter().zip(&off.slopes);
        let slopes = both.map(|(s, o)| [s[0] - o[0], s[1] - o[1]]).collect();
        let heights = self.heights.as_ref().map(|all| {
            all.iter().zip(lost).map(|(h, lost)| (f64::from(*h) - lost) as f32).collect()
        });
        let worn = SlopeMap::new(self.width, self.height, slopes, size, wrap)?;
        Ok(SlopeMap { heights, ..worn })
    }

    /// Interpolated slope at a point of the surface, in metres.
    pub fn slope(&self, uv: DVec2) -> DVec2 {
        let mut slope = [DVec2::ZERO];
        self.walk(self.to_texels(uv), self.step(DVec2::ZERO), &self.slopes, &mut slope);
        slope[0]
    }

    /// Mean slope of the texels, and the mean of s sᵀ about it.
    pub fn moments(&self) -> (DVec2, DMat2) {
        let n = self.slopes.len() as f64;
        let mean = (0..self.slopes.len()).map(|i| self.slope_of(i)).sum::<DVec2>() / n;
        let mut sum = DMat2::ZERO;
        for i in 0..self.slopes.len() {
            let s = self.slope_of(i) - mean;
            sum += DMat2::from_cols(s * s.x, s * s.y);
        }
        (mean, sum * (1.0 / n))
    }

    #[inline]
    pub(super) fn slope_of(&self, texel: usize) -> DVec2 {
        let [u, v] = self.slopes[texel];
        DVec2::new(f64::from(u), f64::from(v))
    }
}

/// All heights times a factor.
fn times(mut heights: Vec<f32>, factor: f64) -> Vec<f32> {
    for h in &mut heights {
        *h = (f64::from(*h) * factor) as f32;
    }
    heights
}
