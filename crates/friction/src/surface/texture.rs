//! Textures over surfaces: four channels on a grid.

use glamx::{DVec2, DVec4};

use crate::FrictionError;
use crate::error::positive;

/// What lies beyond the edge of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrap {
    /// The texture again.
    Repeat,
    /// Its border texels.
    Clamp,
}

/// Four channels on a grid that covers a rectangle of the surface, `size` metres wide and high.
///
/// Row 0 is at v = 0; texel (i, j) has its centre at ((i + ½)/width, (j + ½)/height) of the size.
/// Between centres the lookup is bilinear.
#[derive(Debug, Clone, PartialEq)]
pub struct TextureMap {
    width: usize,
    height: usize,
    texels: Vec<[f32; 4]>,
    size: DVec2,
    wrap: Wrap,
}

impl TextureMap {
    /// Texels row by row. `size` is what the texture covers, in metres.
    pub fn new(
        width: usize,
        height: usize,
        texels: Vec<[f32; 4]>,
        size: DVec2,
        wrap: Wrap,
    ) -> Result<TextureMap, FrictionError> {
        if width == 0 || height == 0 || width.checked_mul(height) != Some(texels.len()) {
            return Err(FrictionError::Shape(format!(
                "texture of {width} x {height} texels has {} values; expected one per texel and at least one",
                texels.len()
            )));
        }
        positive("texture width in metres", size.x)?;
        positive("texture height in metres", size.y)?;
        if let Some(i) = texels.iter().position(|t| t.iter().any(|c| !c.is_finite())) {
            return Err(FrictionError::Shape(format!(
                "texel ({}, {}) is not finite: {:?}",
                i % width,
                i / width,
                texels[i]
            )));
        }
        Ok(TextureMap { width, height, texels, size, wrap })
    }

    /// All texels, row by row.
    pub fn texels(&self) -> &[[f32; 4]] {
        &self.texels
    }

    /// Columns and rows.
    pub fn dimensions(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// What the texture covers, in metres.
    pub fn size(&self) -> DVec2 {
        self.size
    }

    /// What lies beyond its edges.
    pub fn wrap(&self) -> Wrap {
        self.wrap
    }

    /// Bilinear lookup at a point of the surface, in metres.
    pub fn sample(&self, uv: DVec2) -> DVec4 {
        self.sample_texel(self.to_texels(uv))
    }

    /// Structure direction in (tangent, bitangent) coordinates from the red and green channels
    /// (Erleben 2020, section 5.1): (2r − 1, 2g − 1). What is shorter than half a step of an
    /// 8-bit channel around grey counts as zero.
    pub fn structure(&self, uv: DVec2) -> DVec2 {
        let c = self.sample(uv);
        let s = DVec2::new(2.0 * c.x - 1.0, 2.0 * c.y - 1.0);
        if s.length() <= 1.5 / 255.0 { DVec2::ZERO } else { s }
    }

    /// Mean of the texture along the straight path from `uv` to `uv + path` (metres).
    ///
    /// Along a line the bilinear lookup is quadratic between the rows and columns of texel
    /// centres it crosses, so Simpson's rule on those pieces is exact. A path across more than
    /// [`MAX_PIECES`] texels is sampled at that many points instead.
    pub fn mean_along(&self, uv: DVec2, path: DVec2) -> DVec4 {
        let start = self.to_texels(uv);
        let step = self.to_texels(uv + path) - start;
        let crossings = step.x.abs() + step.y.abs();
        if !(crossings.is_finite() && start.is_finite()) || crossings == 0.0 {
            return self.sample_texel(start);
        }
        if crossings > MAX_PIECES as f64 {
            let n = MAX_PIECES as f64;
            // One point in each of n pieces; at equal distances they could fall in step with the
            // texture and all see the same texel.
            let at = |k: usize| {
                let within = (k as f64 * GOLDEN).fract();
                self.sample_texel(start + step * ((k as f64 + within) / n))
            };
            return (0..MAX_PIECES).map(at).sum::<DVec4>() / n;
        }
        let mut sum = DVec4::ZERO;
        let mut s = 0.0;
        let mut from = self.sample_texel(start);
        while s < 1.0 {
            let end = next_crossing(start.x, step.x, s).min(next_crossing(start.y, step.y, s));
            let middle = self.sample_texel(start + step * (0.5 * (s + end)));
            let to = self.sample_texel(start + step * end);
            sum += (from + 4.0 * middle + to) * ((end - s) / 6.0);
            (s, from) = (end, to);
        }
        sum
    }

    /// From metres to texel units, in which texel centres are whole numbers.
    fn to_texels(&self, uv: DVec2) -> DVec2 {
        uv / self.size * DVec2::new(self.width as f64, self.height as f64) - 0.5
    }

    fn sample_texel(&self, at: DVec2) -> DVec4 {
        let (x0, y0) = (at.x.floor(), at.y.floor());
        let (fx, fy) = (at.x - x0, at.y - y0);
        let [xa, xb] = [x0, x0 + 1.0].map(|x| wrap(x, self.width, self.wrap));
        let [ya, yb] = [y0, y0 + 1.0].map(|y| wrap(y, self.height, self.wrap));
        let texel =
            |x: usize, y: usize| DVec4::from_array(self.texels[y * self.width + x].map(f64::from));
        let top = texel(xa, ya) * (1.0 - fx) + texel(xb, ya) * fx;
        let bottom = texel(xa, yb) * (1.0 - fx) + texel(xb, yb) * fx;
        top * (1.0 - fy) + bottom * fy
    }
}

/// Most pieces of a path that are integrated exactly.
pub const MAX_PIECES: usize = 4096;

/// The golden ratio less one: its multiples fill an interval evenly.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Parameter, beyond `s` and at most 1, at which `start + s·step` next reaches a whole number.
fn next_crossing(start: f64, step: f64, s: f64) -> f64 {
    if step == 0.0 {
        return 1.0;
    }
    let at = start + step * s;
    // A little beyond `at`, and beyond its rounding, so that a crossing just made is not found
    // again.
    let nudge = 1e-9_f64.max(4.0 * f64::EPSILON * at.abs());
    let target = if step > 0.0 { (at + nudge).floor() + 1.0 } else { (at - nudge).ceil() - 1.0 };
    ((target - start) / step).clamp(s + f64::EPSILON, 1.0)
}

/// Index of a whole-numbered texel coordinate; anything not finite is texel 0.
fn wrap(index: f64, count: usize, wrap: Wrap) -> usize {
    let n = count as f64;
    let wrapped = match wrap {
        Wrap::Repeat => index.rem_euclid(n),
        Wrap::Clamp => index.clamp(0.0, n - 1.0),
    };
    (wrapped as usize).min(count - 1)
}
