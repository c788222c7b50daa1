//! Wear: what slip takes from the heights of a surface.

use glamx::DVec2;

use super::reference::{look, seen};
use super::{Facet, PatchView};
use crate::surface::{SlopeMap, Wrap};

/// What rubbed over a patch in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rub {
    /// Newtons.
    pub load: f64,
    /// How far B went over A at the middle of the window, metres, along t and b.
    pub way: DVec2,
    /// How far B turned against A about the normal, radians.
    pub turn: f64,
}

impl Rub {
    /// Adds the depths, metres, that each texel of a side's map loses: Archard's law, rate × pressure ×
    /// slip, with the pressures of the window's [`Bed`](super::Bed) under this load. The volume lost is
    /// rate × load × slip. What lies below the resolution of the window is lost evenly.
    pub fn wear(&self, patch: &PatchView, side: usize, rate: f64, lost: &mut [f64]) {
        let window = &patch.window;
        let n = window.resolution;
        let (Some(bed), Some(relief)) = (window.manner.bed, patch.sides[side].relief) else {
            return;
        };
        let both = (0..n * n).filter_map(|i| match look(patch, i % n, i / n) {
            [Some(a), Some(b)] => Some((i, a.height - b.height)),
            _ => None,
        });
        let (texels, heights): (Vec<usize>, Vec<f64>) = both.unzip();
        let area = window.size.element_product() / (n * n) as f64;
        let pressed = super::Bed { load: self.load, ..bed }.press(&heights, area);
        let total: f64 = pressed.iter().sum();
        if total <= 0.0 {
            return;
        }
        for (i, indentation) in texels.iter().zip(pressed).filter(|(_, p)| *p > 0.0) {
            let at = window.rotation.to_frame(window.centre(i % n, i / n));
            let decided_at = window.rotation.to_frame(window.decided_at(i % n, i / n));
            let Some(facet) = seen(patch, side, decided_at) else { continue };
            let slip = (self.way + at.perp() * self.turn).length();
            let volume = rate * self.load * (indentation / total) * slip;
            spread(patch, (facet, at), relief.map(), volume, lost);
        }
    }
}

/// Takes a volume, m³, from the texels of a map that a texel of the window covers.
fn spread(
    patch: &PatchView,
    (facet, at): (&Facet, DVec2),
    map: &SlopeMap,
    volume: f64,
    lost: &mut [f64],
) {
    let window = &patch.window;
    let cell = window.size / window.resolution as f64;
    let [x, y] = [DVec2::X * cell.x, DVec2::Y * cell.y]
        .map(|side| facet.uv_from_plane * window.rotation.to_frame(side));
    let scale = map.texels_per_metre();
    let [across, up] = [x, y].map(|side| ((side * scale).length().ceil()).clamp(1.0, MOST));
    let depth = volume * scale.element_product() / (across * up);
    let middle = facet.uv + facet.uv_from_plane * at;
    let part = |k: f64, n: f64| (k + 0.5) / n - 0.5;
    for j in 0..up as usize {
        for i in 0..across as usize {
            let place = x * part(i as f64, across) + y * part(j as f64, up);
            take(map, middle + place, depth, lost);
        }
    }
}

/// Most places along a side of a texel of the window.
const MOST: f64 = 64.0;

/// Takes a depth from the four texels about a place of a map, by how near they are.
fn take(map: &SlopeMap, uv: DVec2, depth: f64, lost: &mut [f64]) {
    let (width, height) = map.dimensions();
    let at = map.to_texels(uv);
    let (low, part) = (at.floor(), at - at.floor());
    let index = |i: f64, n: usize| match map.wrap() {
        Wrap::Repeat => i.rem_euclid(n as f64) as usize % n,
        Wrap::Clamp => i.clamp(0.0, n as f64 - 1.0) as usize,
    };
    for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        let weight = (1.0 - (part.x - dx).abs()) * (1.0 - (part.y - dy).abs());
        let texel = index(low.y + dy, height) * width + index(low.x + dx, width);
        if let Some(lost) = lost.get_mut(texel) {
            *lost += depth * weight;
        }
    }
}
