//! The sampler of patches in plain code.

use std::sync::Arc;

use glamx::DVec2;
use pulp::{Arch, Simd, WithSimd};

use super::raster::{self, Edge, NOTHING};
use super::{Directions, MAX_RESOLUTION, PatchView, Plough, Sample, reference};
use crate::FrictionError;
use crate::surface::slope::Desk;

/// Looks at patches, one after the other, and allocates only when one is larger than any before.
///
/// Each texel costs two lookups and no loop over directions: its slope vector is added to the
/// sector it lies in (see [`Directions`]). A test holds it against
/// [`reference`](super::reference), which is the equations as printed.
#[derive(Debug, Clone)]
pub struct Sampler {
    directions: Arc<Directions>,
    sums: Sums,
    points: Vec<DVec2>,
    cover: [Vec<u32>; 2],
    clip: Vec<bool>,
    edges: Vec<Edge>,
    ploughs: Vec<Option<Plough>>,
    desk: Desk,
}

impl Sampler {
    /// A sampler of `directions` coefficients.
    pub fn new(directions: usize) -> Result<Sampler, FrictionError> {
        Ok(Sampler::with_directions(Arc::new(Directions::new(directions)?)))
    }

    /// The same with directions that others use too.
    pub fn with_directions(directions: Arc<Directions>) -> Sampler {
        Sampler {
            sums: Sums::new(directions.sums()),
            points: vec![DVec2::ZERO; directions.count()],
            directions,
            cover: [Vec::new(), Vec::new()],
            clip: Vec::new(),
            edges: Vec::new(),
            ploughs: Vec::new(),
            desk: Desk::default(),
        }
    }

    /// The mean coefficients over the texels that both surfaces cover (Andrews 2021, Eqs. 3 to 8,
    /// without μ₀). Never fails: a window that [`Window::check`](super::Window::check) refuses
    /// covers nothing.
    pub fn sample(&mut self, patch: &PatchView) -> Sample<'_> {
        let window = &patch.window;
        let n = window.resolution;
        if !window.manner.is_plain() {
            return self.sample_as_printed(patch);
        }
        self.sums.clear();
        let covered = if !(1..=MAX_RESOLUTION).contains(&n) {
            0
        } else if window.clip == super::Outline::Everything
            && (0..2).all(|s| window.is_covered_by(patch.sides[s].facets, s))
        {
            Arch::new().dispatch(Whole(self, patch));
            n * n
        } else {
            self.cover(patch);
            Arch::new().dispatch(Covered(self, patch))
        };
        self.directions.gather(&mut self.sums.all, &mut self.points);
        let scale = if covered == 0 { 0.0 } else { 1.0 / covered as f64 };
        for point in &mut self.points {
            *point *= scale;
        }
        Sample {
            covered,
            touching: covered,
            texels: n.saturating_mul(n),
            rotation: window.rotation,
            directions: &self.directions,
            points: &self.points,
        }
    }

    /// The same texel by texel, for what is not Eq. 8 as it stands.
    fn sample_as_printed(&mut self, patch: &PatchView) -> Sample<'_> {
        let window = &patch.window;
        let n = window.resolution;
        let (mut covered, mut touching) = (0, 0);
        self.points.fill(DVec2::ZERO);
        if (1..=MAX_RESOLUTION).contains(&n) {
            let found = reference::sample(patch, &self.directions);
            (covered, touching) = (found.covered, found.touching);
            self.points.copy_from_slice(&found.points);
        }
        Sample {
            covered,
            touching,
            texels: n.saturating_mul(n),
            rotation: window.rotation,
            directions: &self.directions,
            points: &self.points,
        }
    }

    /// Adds every texel of two facets that cover the window.
    #[inline(always)]
    fn add_whole(&mut self, patch: &PatchView) {
        let n = patch.window.resolution;
        for (which, side) in patch.sides.iter().enumerate() {
            let Some(relief) = side.relief else { continue };
            let plough = Plough::new(&patch.window, relief, &side.facets[0], which);
            let rows_at_once = (Desk::POINTS / n).max(1);
            for first in (0..n).step_by(rows_at_once) {
                let rows = rows_at_once.min(n - first);
                let (x, y) = self.sums.room(rows * n, &self.directions);
                plough.look_at_rows(relief, first, n, &mut self.desk, [x, y]);
            }
        }
        self.sums.add_waiting(&self.directions);
    }

    /// Finds what covers each texel; nothing where not both surfaces do.
    fn cover(&mut self, patch: &PatchView) {
        let texels = patch.window.resolution * patch.window.resolution;
        let [a, b] = &mut self.cover;
        a.resize(texels, NOTHING);
        b.resize(texels, NOTHING);
        raster::side(patch, 0, &mut self.edges, a);
        raster::side(patch, 1, &mut self.edges, b);
        if patch.window.clip != super::Outline::Everything {
            self.clip.clear();
            self.clip.resize(texels, false);
            let clip = &mut self.clip;
            raster::clip(patch, &mut self.edges, |texels| clip[texels].fill(true));
            for (a, inside) in a.iter_mut().zip(&self.clip) {
                if !inside {
                    *a = NOTHING;
                }
            }
        }
        for (a, b) in a.iter_mut().zip(b) {
            if *a == NOTHING || *b == NOTHING {
                (*a, *b) = (NOTHING, NOTHING);
            }
        }
    }

    /// Adds the texels that both surfaces cover, run by run, and counts them.
    #[inline(always)]
    fn add_covered(&mut self, patch: &PatchView) -> usize {
        let n = patch.window.resolution;
        let covered = self.cover[0].iter().filter(|facet| **facet != NOTHING).count();
        for (which, side) in patch.sides.iter().enumerate() {
            let Some(relief) = side.relief else { continue };
            self.ploughs.clear();
            self.ploughs.resize(side.facets.len(), None);
            for (row, line) in self.cover[which].chunks_exact(n).enumerate() {
                let mut column = 0;
                for run in line.chunk_by(|x, y| x == y) {
                    if run[0] != NOTHING {
                        let facet = run[0] as usize;
                        let plough = self.ploughs[facet].get_or_insert_with(|| {
                            Plough::new(&patch.window, relief, &side.facets[facet], which)
                        });
                        let (x, y) = self.sums.room(run.len(), &self.directions);
                        plough.look(relief, column, row, x, y);
                    }
                    column += run.len();
                }
            }
        }
        self.sums.add_waiting(&self.directions);
        covered
    }
}

/// [`Sampler::add_whole`] with the machine's vectors. They change no bit: nothing is fused or
/// summed in another order.
struct Whole<'a, 'b>(&'a mut Sampler, &'a PatchView<'b>);

impl WithSimd for Whole<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.0.add_whole(self.1);
    }
}

/// [`Sampler::add_covered`] with the machine's vectors.
struct Covered<'a, 'b>(&'a mut Sampler, &'a PatchView<'b>);

impl WithSimd for Covered<'_, '_> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        self.0.add_covered(self.1)
    }
}

/// Sums by sector. Some vectors at a time are summed on their own before they are added to the
/// rest: in one long sum, each would be rounded to the digits of all.
#[derive(Debug, Clone)]
struct Sums {
    /// The first `filled` are vectors that are not in any sum yet: their parts along x and y.
    waiting: [Vec<f64>; 2],
    filled: usize,
    /// Room for where vectors go.
    begun: Vec<u64>,
    some: Vec<DVec2>,
    all: Vec<DVec2>,
}

impl Sums {
    /// How many vectors wait at most, unless a row has more.
    const WAITING: usize = 1024;

    fn new(count: usize) -> Sums {
        let zero = vec![DVec2::ZERO; count];
        let waiting = [vec![0.0; Sums::WAITING], vec![0.0; Sums::WAITING]];
        Sums { waiting, filled: 0, begun: Vec::new(), some: zero.clone(), all: zero }
    }

    fn clear(&mut self) {
        self.filled = 0;
        self.all.fill(DVec2::ZERO);
    }

    /// Room for some more vectors, to be filled.
    #[inline(always)]
    fn room(&mut self, count: usize, directions: &Directions) -> (&mut [f64], &mut [f64]) {
        // Not when there is no room left: that would depend on the patches before.
        if self.filled + count > Sums::WAITING {
            self.add_waiting(directions);
        }
        let [x, y] = &mut self.waiting;
        let range = self.filled..self.filled + count;
        if range.end > x.len() {
            x.resize(range.end, 0.0);
            y.resize(range.end, 0.0);
        }
        self.filled = range.end;
        (&mut x[range.clone()], &mut y[range])
    }

    /// From now on everything so far is in `all`.
    #[inline(always)]
    fn add_waiting(&mut self, directions: &Directions) {
        self.some.fill(DVec2::ZERO);
        let [x, y] = self.waiting.each_ref().map(|part| &part[..self.filled]);
        directions.add(x, y, &mut self.begun, &mut self.some);
        self.filled = 0;
        for (all, some) in self.all.iter_mut().zip(&self.some) {
            *all += *some;
        }
    }
}
