//! Contact patches: what two surfaces look like in a small window about a contact.
//!
//! A patch is a [`Window`] in the contact plane and, for each of the two surfaces, the [`Facet`]s
//! it shows there. [`Sampler`] looks at R × R texels of the window and gives the mean coefficients
//! of those that both surfaces cover (Andrews 2021, section 4, Eq. 8). Everything is plain data in
//! flat slices, so that another device can do the same.
//!
//! Coordinates are those of the contact: x along t, y along b, z along the normal, which points
//! from A to B; the origin is the middle of the window, half-way between the surfaces.

mod batch;
mod directions;
mod facet;
mod manner;
mod plough;
mod raster;
pub mod reference;
mod sampler;
mod sampling;
mod wear;

pub use batch::{Batch, Job, JobSide, SamplePatches, Samples};
pub use directions::{Directions, MAX_DIRECTIONS};
pub use facet::{Facet, Outline};
pub use manner::{Bed, Manner};
pub use plough::{Plough, PloughFrame};
pub use sampler::Sampler;
pub use sampling::{Area, Sampling};
pub use wear::Rub;

use glamx::{DVec2, DVec3};

use super::Relief;
use crate::FrictionError;
use crate::error::positive;
use crate::set::Rotation;

/// Most texels along a side of a window.
pub const MAX_RESOLUTION: usize = 2048;

/// What part of a window's depth is added to the penetration, as a part of its width (Andrews
/// 2021, section 4.1).
const DEPTH_PER_WIDTH: f64 = 0.01;

/// Where in a texel it is decided whether a surface covers it, in texels from its centre. Not the
/// centre itself: windows are centred on contact points, which are corners of faces, so that edges
/// pass through centres, and there rounding would decide, on every device in its own way.
pub const DECIDED_AT: DVec2 = DVec2::new(1.0e-3, 3.7e-4);

/// A rectangle of the contact plane and how finely it is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// Sides in metres, along the window's own axes.
    pub size: DVec2,
    /// Texels along each side, 1 to [`MAX_RESOLUTION`].
    pub resolution: usize,
    /// Only what lies within half of this on either side of the contact plane is seen, metres.
    pub depth: f64,
    /// Where the window's first side points in the contact plane. Directions are counted from it.
    pub rotation: Rotation,
    /// Only texels in here count.
    pub clip: Outline,
    /// How texels are joined.
    pub manner: Manner,
}

impl Window {
    /// A window w × w × (φ + 0.01 w) about a contact point (section 4.1), φ the penetration.
    pub fn about_point(
        width: f64,
        resolution: usize,
        penetration: f64,
        rotation: Rotation,
    ) -> Window {
        Window {
            size: DVec2::splat(width),
            resolution,
            depth: penetration.abs() + DEPTH_PER_WIDTH * width,
            rotation,
            clip: Outline::Everything,
            manner: Manner::default(),
        }
    }

    /// The window over a whole contact area, with its middle, in the coordinates of the outline.
    /// `outline` is convex. The corners must be moved by the middle before they are sampled as
    /// the window's `clip`, as everything else must. `None` where the outline has no extent.
    pub fn over_area(
        outline: &[DVec2],
        resolution: usize,
        penetration: f64,
        rotation: Rotation,
    ) -> Option<(Window, DVec2)> {
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for corner in outline {
            let local = rotation.to_axes(*corner);
            (low, high) = (low.min(local), high.max(local));
        }
        let size = high - low;
        if !(size.is_finite() && size.min_element() > 0.0) {
            return None;
        }
        let middle = rotation.to_frame(0.5 * (low + high));
        let window = Window::about_point(size.max_element(), resolution, penetration, rotation);
        Some((Window { size, ..window }, middle))
    }

    /// Checks sizes and resolution.
    pub fn check(&self) -> Result<(), FrictionError> {
        positive("width of the patch window", self.size.x)?;
        positive("height of the patch window", self.size.y)?;
        positive("depth of the patch window", self.depth)?;
        if !(1..=MAX_RESOLUTION).contains(&self.resolution) {
            return Err(FrictionError::Value {
                what: "resolution of the patch window".to_owned(),
                value: self.resolution as f64,
                expected: "1 to 2048 texels along a side",
            });
        }
        Ok(())
    }

    /// Whether a side's facets are a single one that covers all of it; `side` is 0 for A, 1 for B.
    pub fn is_covered_by(&self, facets: &[Facet], side: usize) -> bool {
        let [facet] = facets else { return false };
        let rise = self.rotation.to_axes(facet.rise).abs().dot(0.5 * self.size);
        facet.outline == Outline::Everything
            && facet.is_seen(side)
            && facet.height.abs() + rise <= 0.5 * self.depth
    }

    /// Where it is decided whether a surface covers texel (i, j), in the window's axes; see
    /// [`DECIDED_AT`].
    fn decided_at(&self, i: usize, j: usize) -> DVec2 {
        self.centre(i, j) + DECIDED_AT * self.size / self.resolution as f64
    }

    /// Centre of texel (i, j) in the window's axes.
    fn centre(&self, i: usize, j: usize) -> DVec2 {
        let n = self.resolution as f64;
        self.size * (DVec2::new(i as f64 + 0.5, j as f64 + 0.5) / n - 0.5)
    }
}

/// What one surface shows in a window.
#[derive(Debug, Clone, Copy, Default)]
pub struct Side<'a> {
    /// Its roughness; a surface without is smooth: it covers, but does not plough.
    pub relief: Option<&'a Relief>,
    /// Its flat pieces, in any order. Where two cover the same texel, the first one counts.
    pub facets: &'a [Facet],
}

/// Two surfaces in a window.
#[derive(Debug, Clone, Copy)]
pub struct PatchView<'a> {
    /// Where and how finely.
    pub window: Window,
    /// The corners that polygons refer to.
    pub corners: &'a [DVec2],
    /// A, then B.
    pub sides: [Side<'a>; 2],
}

/// Mean coefficients of a patch, without the ambient one.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// Texels that both surfaces cover. Where there are none, all coefficients are zero.
    pub covered: usize,
    /// Those of them that touch: fewer where surfaces are pressed on each other by a [`Bed`].
    pub touching: usize,
    /// Texels of the window.
    pub texels: usize,
    /// The window's first axis in the contact plane.
    pub rotation: Rotation,
    /// The directions in which B moves over A, from the window's first axis on.
    pub directions: &'a Directions,
    /// For each direction d the sum of all slope vectors that resist it, per unit load, in the
    /// window's axes: the point of Σ [0, g] farthest along d. Its part along d is the
    /// coefficient μ(d).
    pub points: &'a [DVec2],
}

impl Sample<'_> {
    /// The coefficient k_A μ_A + k_B μ_B of Eq. 7 for motion of B along direction `k`.
    pub fn mu(&self, k: usize) -> f64 {
        self.points[k].dot(self.directions.get(k))
    }

    /// The second harmonic of μ(d): the angle in the contact plane, −π/2 to π/2, along which
    /// friction is largest, and its amplitude over the mean. With few directions the harmonics of
    /// a ridge are taken for each other: up to 0.7° with 16, nothing to speak of with 360.
    pub fn principal(&self) -> (f64, f64) {
        let (mut mean, mut second) = (0.0, DVec2::ZERO);
        for k in 0..self.points.len() {
            let (d, p) = self.in_plane(k);
            let mu = p.dot(d);
            mean += mu;
            second += DVec2::new(d.x * d.x - d.y * d.y, 2.0 * d.x * d.y) * mu;
        }
        let strength = if mean > 0.0 { 2.0 * second.length() / mean } else { 0.0 };
        (0.5 * second.to_angle(), strength)
    }

    /// A direction, and the point farthest along it, in the contact plane.
    pub fn in_plane(&self, k: usize) -> (DVec2, DVec2) {
        (self.rotation.to_frame(self.directions.get(k)), self.rotation.to_frame(self.points[k]))
    }
}

/// The slope vector m′ tan θ of a facet's normal `m`, in the contact plane: how far the normal
/// leans, cut at [`MAX_SLOPE`](super::MAX_SLOPE). `outward` is +1 for A, whose normals point along
/// the contact normal, and −1 for B.
///
/// Andrews 2021 has the contact normal the other way round; with ours, from A to B, Eq. 6 reads
/// θ_A = arccos(n·m_A) and θ_B = arccos(−n·m_B), m′ unchanged.
#[inline]
fn lean(m: DVec3, outward: f64) -> DVec2 {
    let along = (m.z * outward).max(0.0);
    let across = m.truncate();
    let length = across.length();
    if length > super::MAX_SLOPE * along {
        // Also where it points the wrong way, or is not a vector at all.
        return if length > 0.0 { across * (super::MAX_SLOPE / length) } else { DVec2::ZERO };
    }
    across / along
}

/// The sign of Eq. 6, the only place that has it: a facet resists where its m′ points along the
/// motion of its own surface. B moves by d relative to A, A by −d relative to B.
const RESISTS: [f64; 2] = [-1.0, 1.0];

/// Which way the surfaces' outward normals point along the contact normal.
const OUTWARD: [f64; 2] = [1.0, -1.0];
