//! Two normal maps pressed together.

use asperity::friction::surface::patch::{Facet, PatchView, Side, Window};
use asperity::friction::surface::{Relief, SlopeMap, Wrap};
use asperity::glamx::{DMat2, DVec2, DVec3};
use asperity_scene::asset::{image, tmd};

use crate::VerifyError;

/// Two reliefs in a window.
pub struct Pressed<'a> {
    /// The square that is looked at.
    pub window: Window,
    /// A below and B above; none where a surface is smooth.
    pub reliefs: [Option<&'a Relief>; 2],
    facets: [[Facet; 1]; 2],
}

impl<'a> Pressed<'a> {
    /// The middles of both maps on each other, B turned by `angle` radians.
    pub fn new(window: Window, reliefs: [&'a Relief; 2], angle: f64) -> Pressed<'a> {
        let middle = |relief: &Relief| 0.5 * relief.map().size();
        let u = DVec2::from_angle(angle);
        // Seen from above B is a mirror image: its v runs the other way.
        let v = DVec3::NEG_Z.cross(u.extend(0.0)).truncate();
        let a = Facet::flat(DMat2::IDENTITY, middle(reliefs[0]), 0);
        let b = Facet::flat(DMat2::from_cols(u, v), middle(reliefs[1]), 1);
        Pressed { window, reliefs: reliefs.map(Some), facets: [[a], [b]] }
    }

    /// One of the surfaces alone on a smooth one.
    #[must_use]
    pub fn only(&self, side: usize) -> Pressed<'a> {
        let mut reliefs = [None; 2];
        reliefs[side] = self.reliefs[side];
        Pressed { reliefs, ..*self }
    }

    /// As the sampler takes it.
    pub fn patch(&self) -> PatchView<'_> {
        let side = |i: usize| Side { relief: self.reliefs[i], facets: &self.facets[i] };
        PatchView { window: self.window, corners: &[], sides: [side(0), side(1)] }
    }
}

/// How a file is to be read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reading {
    /// Metres along its width; without it what a measured height map says, or one metre.
    pub width: Option<f64>,
    /// Metres between black and white, where it shows heights.
    pub heights: Option<f64>,
    /// Whether green points down.
    pub flip_green: bool,
}

impl Reading {
    /// The slopes of a normal map, times a scale, or of a height map: a picture, or one that was
    /// measured. `name` is what messages call the file.
    pub fn slopes(self, name: &str, bytes: &[u8], scale: f64) -> Result<SlopeMap, VerifyError> {
        let wrong = |e: &dyn std::fmt::Display| VerifyError::new(format!("{name}: {e}"));
        if tmd::is_height_map(bytes) {
            return self.measured(name, bytes);
        }
        let mut picture = image::load(name, bytes).map_err(|e| VerifyError::new(e.to_string()))?;
        if self.flip_green {
            picture.flip_green();
        }
        let width = self.width.unwrap_or(1.0);
        let size = DVec2::new(1.0, picture.height as f64 / picture.width as f64) * width;
        let map = match self.heights {
            Some(relief) => picture
                .into_texture(size, Wrap::Repeat)
                .and_then(|texture| SlopeMap::from_height_map(&texture, relief)),
            None => picture.into_slopes(size, Wrap::Repeat).and_then(|map| map.scaled(scale)),
        };
        map.map_err(|e| wrong(&e))
    }

    /// A measured height map. Another width makes all of it larger or smaller; slopes stay.
    fn measured(self, name: &str, bytes: &[u8]) -> Result<SlopeMap, VerifyError> {
        let wrong = |e: &dyn std::fmt::Display| VerifyError::new(format!("{name}: {e}"));
        if self.heights.is_some() || self.flip_green {
            return Err(wrong(
                &"it holds measured heights in millimetres; expected neither another height nor a turned green",
            ));
        }
        let map = tmd::load(name, bytes).map_err(|e| VerifyError::new(e.to_string()))?;
        let size = map.size;
        let map = map.into_slopes(Wrap::Repeat).map_err(|e| wrong(&e))?;
        let Some(width) = self.width else { return Ok(map) };
        map.with_size(size * (width / size.x)).map_err(|e| wrong(&e))
    }
}
