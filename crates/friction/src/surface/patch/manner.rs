//! What may be done otherwise when texels are looked at: real contact, a filter, eight bits.

use crate::FrictionError;
use crate::error::positive;

/// How texels are looked at and joined to means; the default is Eq. 8 of Andrews 2021 in floating
/// point. Anything else is computed by the equations as printed, texel by texel, on no device.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Manner {
    /// Which texels touch, and how hard (section 6); all alike where there is none.
    pub bed: Option<Bed>,
    /// Slopes are averaged over each texel of the window before Eq. 5, as a texture filter does
    /// (section 5.6), not looked up in its middle.
    pub filter: bool,
    /// Coefficients of Eq. 5 are kept in eight bits, 1 at most (section 4.2).
    pub eight_bit: bool,
}

/// Springs under the texels (a Winkler bed): they touch where they are high, and more of them the
/// more load there is.
///
/// With the height h of both surfaces together over a texel, the pressure there is k max(0, h − t),
/// and t is where the mean pressure is that of the load. Texels then count by the part of the load
/// that they carry: a coefficient is force over load, on each facet and on all. Where pressure is
/// even, as between flat surfaces, that is Eq. 8.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bed {
    /// k, pascals per metre.
    pub stiffness: f64,
    /// Newtons.
    pub load: f64,
    /// Area that carries it, m²; zero where that is what the window shows of both surfaces.
    pub area: f64,
}

impl Manner {
    /// Whether it is Eq. 8 as it stands.
    pub fn is_plain(&self) -> bool {
        *self == Manner::default()
    }
}

impl Bed {
    /// With this stiffness, under the load (newtons) of the last step over an area (m²). `None`
    /// where there was no load yet: then all texels count alike for a step.
    pub fn new(stiffness: Option<f64>, load: Option<f64>, area: f64) -> Option<Bed> {
        let load = load.filter(|load| *load > 0.0)?;
        Some(Bed { stiffness: stiffness?, load, area })
    }

    /// The sum of all indentations h − t, metres, of `count` texels of `texel` m².
    fn indentations(&self, count: usize, texel: f64) -> f64 {
        let count = count as f64;
        let area = if self.area > 0.0 { self.area } else { count * texel };
        self.load / (self.stiffness * area) * count
    }

    /// How far each texel is pressed in, metres; zero where it does not touch. `heights` are those
    /// of both surfaces together, `texel` is the area of one, m².
    pub(super) fn press(&self, heights: &[f64], texel: f64) -> Vec<f64> {
        let wanted = self.indentations(heights.len(), texel);
        let mut sorted = heights.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        // With the n highest in touch, t = (Σ h − wanted)/n; n is right once the next is below.
        // Heights are counted from the highest, so that sums keep their digits.
        let Some(top) = sorted.first().copied() else { return Vec::new() };
        let (mut sum, mut level) = (0.0, 0.0);
        for (n, height) in sorted.iter().enumerate() {
            if n > 0 && height - top <= level {
                break;
            }
            sum += height - top;
            level = (sum - wanted) / (n + 1) as f64;
        }
        heights.iter().map(|h| (h - top - level).max(0.0)).collect()
    }
}

/// Checks a stiffness of texels, pascals per metre.
pub(super) fn check(stiffness: Option<f64>) -> Result<(), FrictionError> {
    stiffness.map_or(Ok(()), |k| positive("stiffness of the surfaces", k).map(|_| ()))
}
