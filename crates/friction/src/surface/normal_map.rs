//! Normal maps as pictures store them, and back.

use glamx::DVec3;

use super::{SlopeMap, TextureMap};
use crate::FrictionError;

/// How long a stored normal may be and still pass for one: 1 but for the rounding of eight bits
/// and of lossy compression.
const LENGTHS: std::ops::RangeInclusive<f64> = 0.7..=1.3;

/// Texels that may fail these tests, as a part of all.
const STRAY: f64 = 0.1;

impl SlopeMap {
    /// The slopes of a tangent-space normal map: channels (r, g, b) hold the normal
    /// (2r − 1, 2g − 1, 2b − 1), red along growing u, green along growing v, blue outwards, as
    /// glTF has it.
    ///
    /// No integer stands for zero in such a map; the two nearest to it, of eight bits where all
    /// channels are, else of sixteen, count as zero, so that a flat map is flat. Normals that point inwards get the
    /// steepest slope.
    ///
    /// A picture that is not a normal map is refused: where more than a tenth of its vectors do
    /// not have about unit length or do not point outwards, or where their mean leans by more
    /// than 45°.
    pub fn from_normal_map(map: &TextureMap) -> Result<SlopeMap, FrictionError> {
        let is_eight_bit = map.texels().iter().flatten().all(|c| is_whole(*c * 255.0));
        let signed = |channel: f32| {
            let value = 2.0 * f64::from(channel) - 1.0;
            let step = if is_eight_bit { 1.0 / 255.0 } else { 1.0 / 65535.0 };
            if value.abs() < 1.1 * step { 0.0 } else { value }
        };
        let (mut odd_length, mut inwards, mut sum) = (0_usize, 0_usize, DVec3::ZERO);
        let slope = |texel: &[f32; 4]| {
            let m = DVec3::new(signed(texel[0]), signed(texel[1]), signed(texel[2]));
            odd_length += usize::from(!LENGTHS.contains(&m.length()));
            inwards += usize::from(m.z <= 0.0);
            sum += m;
            // Steeper than the limit is cut to it by the map.
            let z = m.z.max(1e-6);
            [(-m.x / z) as f32, (-m.y / z) as f32]
        };
        let slopes: Vec<[f32; 2]> = map.texels().iter().map(slope).collect();
        let count = slopes.len() as f64;
        let part = |n: usize| 100.0 * n as f64 / count;
        let refuse = |why: String| {
            Err(FrictionError::Shape(format!(
                "not a normal map: {why}; expected unit normals as colours, mostly bluish (for a picture of heights, say so)"
            )))
        };
        if odd_length as f64 > STRAY * count {
            return refuse(format!(
                "{:.0} % of its vectors are not of unit length",
                part(odd_length)
            ));
        }
        if inwards as f64 > STRAY * count {
            return refuse(format!("{:.0} % of its vectors point into the surface", part(inwards)));
        }
        let lean = sum.truncate().length().atan2(sum.z).to_degrees();
        if lean > 45.0 {
            return refuse(format!("its mean vector leans by {lean:.0} degrees"));
        }
        let (width, height) = map.dimensions();
        SlopeMap::new(width, height, slopes, map.size(), map.wrap())
    }

    /// The channels of the normal map of these slopes, 0 to 1, row by row from v = 0.
    pub fn to_normal_map(&self) -> Vec<[f32; 3]> {
        let normal = |s: &[f32; 2]| {
            let m = DVec3::new(-f64::from(s[0]), -f64::from(s[1]), 1.0).normalize();
            m.to_array().map(|c| (0.5 + 0.5 * c) as f32)
        };
        self.slopes().iter().map(normal).collect()
    }
}

/// Whether a channel that was divided by its largest value is this multiple of its step.
fn is_whole(multiple: f32) -> bool {
    (multiple - multiple.round()).abs() < 1e-4
}
