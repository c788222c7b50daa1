use std::f64::consts::FRAC_2_PI;
use std::sync::Arc;

use glamx::{DMat2, DMat3, DVec2, DVec3};

use super::raster::{self, Edge, NOTHING};
use super::{Directions, Facet, MAX_RESOLUTION, OUTWARD, Patch, RESISTS, Sample, Window, lean};
use crate::FrictionError;
use crate::surface::slope::Step;
use crate::surface::{Mask, Relief};

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
        }
    }

    /// The mean coefficients over the texels that both surfaces cover (Andrews 2021, Eqs. 3 to 8,
    /// without μ₀). Never fails: a window that [`Window::check`](super::Window::check) refuses
    /// covers nothing.
    pub fn sample(&mut self, patch: &Patch) -> Sample<'_> {
        let window = &patch.window;
        let n = window.resolution;
        self.sums.clear();
        let covered = if !(1..=MAX_RESOLUTION).contains(&n) {
            0
        } else if window.clip == super::Outline::Everything
            && (0..2).all(|s| raster::is_whole(window, patch.sides[s].facets, s))
        {
            self.add_whole(patch);
            n * n
        } else {
            self.cover(patch);
            self.add_covered(patch)
        };
        self.directions.gather(self.sums.total(&self.directions), &mut self.points);
        let scale = if covered == 0 { 0.0 } else { 1.0 / covered as f64 };
        for point in &mut self.points {
            *point *= scale;
        }
        Sample {
            covered,
            texels: n.saturating_mul(n),
            rotation: window.rotation,
            directions: &self.directions,
            points: &self.points,
        }
    }

    /// Adds every texel of two facets that cover the window.
    fn add_whole(&mut self, patch: &Patch) {
        let n = patch.window.resolution;
        for (which, side) in patch.sides.iter().enumerate() {
            let Some(relief) = side.relief else { continue };
            let plough = Plough::new(&patch.window, relief, &side.facets[0], which);
            for row in 0..n {
                plough.look(relief, 0, row, self.sums.room(n, &self.directions));
            }
        }
    }

    /// Finds what covers each texel; nothing where not both surfaces do.
    fn cover(&mut self, patch: &Patch) {
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
            raster::clip(patch, &mut self.edges, |texel| clip[texel] = true);
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
    fn add_covered(&mut self, patch: &Patch) -> usize {
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
                        let room = self.sums.room(run.len(), &self.directions);
                        plough.look(relief, column, row, room);
                    }
                    column += run.len();
                }
            }
        }
        covered
    }
}

/// Sums by sector. Some vectors at a time are summed on their own before they are added to the
/// rest: in one long sum, each would be rounded to the digits of all.
#[derive(Debug, Clone)]
struct Sums {
    /// Vectors that are not in any sum yet.
    waiting: Vec<DVec2>,
    some: Vec<DVec2>,
    all: Vec<DVec2>,
}

impl Sums {
    /// How many vectors wait at most, unless a row has more.
    const WAITING: usize = 1024;

    fn new(count: usize) -> Sums {
        let zero = vec![DVec2::ZERO; count];
        Sums { waiting: Vec::with_capacity(Sums::WAITING), some: zero.clone(), all: zero }
    }

    fn clear(&mut self) {
        self.waiting.clear();
        self.all.fill(DVec2::ZERO);
    }

    /// Room for some more vectors, to be filled.
    fn room(&mut self, count: usize, directions: &Directions) -> &mut [DVec2] {
        if self.waiting.len() + count > Sums::WAITING {
            self.total(directions);
        }
        let from = self.waiting.len();
        self.waiting.resize(from + count, DVec2::ZERO);
        &mut self.waiting[from..]
    }

    /// The sums of everything so far.
    fn total(&mut self, directions: &Directions) -> &mut [DVec2] {
        self.some.fill(DVec2::ZERO);
        directions.add(&self.waiting, &mut self.some);
        self.waiting.clear();
        for (all, some) in self.all.iter_mut().zip(&self.some) {
            *all += *some;
        }
        &mut self.all
    }
}

/// How the slopes of one facet become vectors that resist, in the window's axes.
#[derive(Debug, Clone, Copy)]
struct Plough {
    /// Place in the map, in texels, of the centre of the window's texel (0, 0).
    origin: DVec2,
    /// The way in the map from one texel of the window to the next, along a row and a column.
    step: Step,
    column_step: DVec2,
    row_step: DVec2,
    frame: Frame,
    /// Sign of Eq. 6, the 2/π of Eq. 3, and the mask where it is constant.
    factor: f64,
    outward: f64,
}

#[derive(Debug, Clone, Copy)]
enum Frame {
    /// Parallel to the contact plane: from slopes to vectors that resist, factor included.
    Flat(DMat2),
    /// Tangent, bitangent, normal.
    Tilted(DMat3),
}

/// Texels whose masks are looked up together.
const BATCH: usize = 32;

impl Plough {
    fn new(window: &Window, relief: &Relief, facet: &Facet, which: usize) -> Plough {
        let map = relief.map();
        let scale = map.texels_per_metre();
        let n = window.resolution as f64;
        let [x, y] = [DVec2::X, DVec2::Y].map(|axis| {
            let along = facet.uv_from_plane * window.rotation.to_frame(axis);
            along * scale * (window.size.dot(axis) / n)
        });
        let origin = map.to_texels(facet.uv) - (x + y) * (0.5 * n - 0.5);
        let k = match relief.mask() {
            Mask::Constant(k) => *k,
            Mask::Texels(_) => 1.0,
        };
        let factor = RESISTS[which] * FRAC_2_PI * k;
        let turn = |v: DVec3| window.rotation.to_axes(v.truncate()).extend(v.z);
        let [t, b, m] = [facet.tangent, facet.bitangent, facet.normal].map(turn);
        let outward = OUTWARD[which];
        let is_flat = t.z == 0.0 && b.z == 0.0 && m == DVec3::Z * outward;
        // The facet's normal is m − s_u t − s_v b.
        let frame = if is_flat {
            Frame::Flat(DMat2::from_cols(t.truncate(), b.truncate()) * -factor)
        } else {
            Frame::Tilted(DMat3::from_cols(t, b, m))
        };
        Plough { origin, step: map.step(x), column_step: x, row_step: y, frame, factor, outward }
    }

    /// The vectors of a row's texels, from a column on.
    fn look(&self, relief: &Relief, column: usize, row: usize, out: &mut [DVec2]) {
        let map = relief.map();
        let start = self.origin + self.column_step * column as f64 + self.row_step * row as f64;
        map.walk(start, self.step, map.slopes(), out);
        match &self.frame {
            Frame::Flat(resist) => {
                for s in &mut *out {
                    *s = *resist * *s;
                }
            }
            Frame::Tilted(frame) => {
                for s in &mut *out {
                    let m = frame.z_axis - frame.x_axis * s.x - frame.y_axis * s.y;
                    *s = lean(m, self.outward) * self.factor;
                }
            }
        }
        if let Mask::Texels(k) = relief.mask() {
            let mut masks = [0.0; BATCH];
            for (batch, out) in out.chunks_mut(BATCH).enumerate() {
                let masks = &mut masks[..out.len()];
                map.walk(start + self.column_step * (batch * BATCH) as f64, self.step, k, masks);
                for (s, k) in out.iter_mut().zip(masks) {
                    *s *= *k;
                }
            }
        }
    }
}
