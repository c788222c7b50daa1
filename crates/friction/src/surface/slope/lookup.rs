//! Interpolated slopes along a line, as patches ask for them.

use glamx::DVec2;

use super::SlopeMap;
use crate::surface::Wrap;

impl SlopeMap {
    /// From metres to texel units, in which texel centres are whole numbers.
    pub(in crate::surface) fn to_texels(&self, uv: DVec2) -> DVec2 {
        uv * self.texels_per_metre() - 0.5
    }

    pub(in crate::surface) fn texels_per_metre(&self) -> DVec2 {
        DVec2::new(self.width as f64, self.height as f64) / self.size
    }

    /// The way from one point to the next, in texels.
    pub(in crate::surface) fn step(&self, step: DVec2) -> Step {
        let piece = match self.wrap {
            Wrap::Clamp => usize::MAX,
            Wrap::Repeat => whole_piece(step.x, self.width).min(whole_piece(step.y, self.height)),
        };
        Step { step, piece }
    }

    /// A place moved by whole periods so that it and what lies `across` and `up` from it, a
    /// parallelogram in texels, is within the map and has all its texels side by side; `None` where
    /// that cannot be.
    pub(in crate::surface) fn settle(&self, at: DVec2, across: DVec2, up: DVec2) -> Option<DVec2> {
        let least = at + across.min(DVec2::ZERO) + up.min(DVec2::ZERO);
        let size = DVec2::new(self.width as f64, self.height as f64);
        let moved = match self.wrap {
            Wrap::Repeat => at - (least / size).floor() * size,
            Wrap::Clamp => at,
        };
        // A little room, since places in between are rounded.
        let last = size - 1.0 - ROOM;
        let is_inside = |p: DVec2| p.cmpge(DVec2::splat(ROOM)).all() && p.cmplt(last).all();
        let corners = [moved, moved + across, moved + up, moved + across + up];
        corners.into_iter().all(is_inside).then_some(moved)
    }

    /// [`SlopeMap::walk`] where [`SlopeMap::settle`] says that all points are within the map.
    #[inline(always)]
    pub(in crate::surface) fn walk_settled<S: Texel>(
        &self,
        start: DVec2,
        step: Step,
        texels: &[S],
        out: &mut [S::Value],
    ) {
        inside(start, step.step, self.width, texels, out);
    }

    /// Looks up `out.len()` points in texel units, `start`, `start + step`, …: texels of a grid
    /// like this map's, interpolated.
    #[inline(always)]
    pub(in crate::surface) fn walk<S: Texel>(
        &self,
        start: DVec2,
        step: Step,
        texels: &[S],
        out: &mut [S::Value],
    ) {
        let (w, h) = (self.width, self.height);
        let repeats = self.wrap == Wrap::Repeat;
        let count = out.len();
        let Step { step, piece } = step;
        // Whether all points of a way have their four texels side by side. Mostly they have.
        let last = DVec2::new(w as f64 - 1.0, h as f64 - 1.0);
        let is_inside = |at: DVec2, way: DVec2| {
            [at, at + way].iter().all(|p| p.cmpge(DVec2::ZERO).all() && p.cmplt(last).all())
        };
        let mut done = 0;
        while done < count {
            let n = piece.min(count - done);
            let (mut at, way) = (start + step * done as f64, step * (n - 1) as f64);
            if repeats {
                at = DVec2::new(into_period(at.x, way.x, w), into_period(at.y, way.y, h));
            }
            let out = &mut out[done..done + n];
            done += n;
            if is_inside(at, way) {
                inside(at, step, w, texels, out);
                continue;
            }
            // Across an edge of the map: a few at a time, of which most are inside again.
            for (i, out) in out.chunks_mut(4).enumerate() {
                let mut at = at + step * (4 * i) as f64;
                let way = step * (out.len() - 1) as f64;
                if repeats {
                    at = DVec2::new(into_period(at.x, way.x, w), into_period(at.y, way.y, h));
                }
                if is_inside(at, way) {
                    inside(at, step, w, texels, out);
                } else {
                    self.across(at, step, texels, out);
                }
            }
        }
    }

    /// The same for points that may have texels at both ends of the map.
    fn across<S: Texel>(&self, at: DVec2, step: DVec2, texels: &[S], out: &mut [S::Value]) {
        let (w, h) = (self.width, self.height);
        for (i, out) in out.iter_mut().enumerate() {
            let p = at + step * i as f64;
            let (x, y) = match self.wrap {
                Wrap::Repeat => (Place::repeated(p.x, w), Place::repeated(p.y, h)),
                Wrap::Clamp => (Place::clamped(p.x, w), Place::clamped(p.y, h)),
            };
            let (a, b) = (y.first * w, y.second * w);
            let four = [a + x.first, a + x.second, b + x.first, b + x.second];
            *out = S::mix(four.map(|texel| texels[texel]), x.part, y.part);
        }
    }
}

/// Texels that rounding may be wrong by.
const ROOM: f64 = 1e-6;

/// See [`SlopeMap::step`].
#[derive(Debug, Clone, Copy)]
pub(in crate::surface) struct Step {
    step: DVec2,
    /// How many points stay within half a period.
    piece: usize,
}

/// What a texel stores, and what it is computed as.
pub(in crate::surface) trait Texel: Copy {
    type Value;
    /// Bilinear mean of four texels: two of a row, two of the next.
    fn mix(four: [Self; 4], x: f64, y: f64) -> Self::Value;
}

impl Texel for f32 {
    type Value = f64;
    #[inline(always)]
    fn mix(four: [f32; 4], x: f64, y: f64) -> f64 {
        let [a, b, c, d] = four.map(f64::from);
        let [left, right] = [a + (c - a) * y, b + (d - b) * y];
        left + (right - left) * x
    }
}

impl Texel for [f32; 2] {
    type Value = DVec2;
    #[inline(always)]
    fn mix([a, b, c, d]: [[f32; 2]; 4], x: f64, y: f64) -> DVec2 {
        // As four numbers of one row and four of the next, which is how they lie in memory.
        let low = [a[0], a[1], b[0], b[1]].map(f64::from);
        let high = [c[0], c[1], d[0], d[1]].map(f64::from);
        let row: [f64; 4] = std::array::from_fn(|i| low[i] + (high[i] - low[i]) * y);
        DVec2::new(row[0] + (row[2] - row[0]) * x, row[1] + (row[3] - row[1]) * x)
    }
}

/// Interpolates at points whose four texels lie side by side, in a grid `w` wide.
#[inline(always)]
fn inside<S: Texel>(at: DVec2, step: DVec2, w: usize, texels: &[S], out: &mut [S::Value]) {
    let (many, few) = out.as_chunks_mut::<16>();
    for (i, out) in many.iter_mut().enumerate() {
        inside_chunk::<S, 16>(at + step * (16 * i) as f64, step, w, texels, out);
    }
    let done = 16 * many.len();
    for (i, out) in few.chunks_mut(4).enumerate() {
        inside_chunk::<S, 4>(at + step * (done + 4 * i) as f64, step, w, texels, out);
    }
}

/// The same for up to `N` points, whose places are computed together.
#[inline(always)]
fn inside_chunk<S: Texel, const N: usize>(
    at: DVec2,
    step: DVec2,
    w: usize,
    texels: &[S],
    out: &mut [S::Value],
) {
    let place = |at: f64, step: f64| {
        let points: [f64; N] = std::array::from_fn(|i| at + step * i as f64);
        let moved = points.map(|p| p - 0.5 + WHOLE);
        let whole = moved.map(|m| m - WHOLE);
        let parts: [f64; N] = std::array::from_fn(|i| points[i] - whole[i]);
        (whole, parts)
    };
    let (columns, x) = place(at.x, step.x);
    let (rows, y) = place(at.y, step.y);
    let first: [u64; N] =
        std::array::from_fn(|i| (rows[i] * w as f64 + columns[i] + WHOLE).to_bits() & LAST_BITS);
    for (i, out) in out.iter_mut().enumerate().take(N) {
        let low = first[i] as usize;
        let four = &texels[low..low + w + 2];
        *out = S::mix([four[0], four[1], four[w], four[w + 1]], x[i], y[i]);
    }
}

/// A coordinate as a whole number and the rest.
#[derive(Clone, Copy)]
struct Floor {
    index: u32,
    part: f64,
}

/// Numbers of this size have no digits after the point, and their last bits count.
pub(super) const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;
const LAST_BITS: u64 = (1 << 51) - 1;

/// For 0 ≤ p < 2³¹. A whole number may also come out as the one before it and a rest of 1.
#[inline]
fn floor(p: f64) -> Floor {
    let moved = (p - 0.5) + WHOLE;
    Floor { index: moved.to_bits() as u32, part: p - (moved - WHOLE) }
}

/// Two neighbouring texels along an axis.
struct Place {
    first: usize,
    second: usize,
    part: f64,
}

impl Place {
    /// In a map that repeats, for a coordinate from 0 to less than twice the period.
    #[inline]
    fn repeated(p: f64, count: usize) -> Place {
        let Floor { index, part } = floor(p);
        let index = index as usize;
        let first = if index >= count { index - count } else { index }.min(count - 1);
        let second = if first + 1 == count { 0 } else { first + 1 };
        Place { first, second, part: within(part, 1.0) }
    }

    #[inline]
    fn clamped(p: f64, count: usize) -> Place {
        let last = count - 1;
        let Floor { index, part } = floor(within(p, last as f64));
        let first = (index as usize).min(last);
        Place { first, second: (first + 1).min(last), part }
    }
}

/// From 0 to a limit. What is not a number goes to zero, unlike `clamp` has it.
#[inline]
#[allow(clippy::manual_clamp)]
fn within(p: f64, most: f64) -> f64 {
    p.max(0.0).min(most)
}

/// How many steps stay within half a period; at least one.
fn whole_piece(step: f64, count: usize) -> usize {
    let steps = 0.5 * count as f64 / step.abs();
    if steps >= 1.0 { steps as usize } else { 1 }
}

/// A coordinate moved by whole periods so that neither it nor `at + way` is below zero, and the
/// lesser of the two is within the first period or at its end. Zero where it is not finite.
#[inline]
fn into_period(at: f64, way: f64, count: usize) -> f64 {
    let n = count as f64;
    let low = if way < 0.0 { at + way } else { at };
    let moved = at - (((low / n) - 0.5 + WHOLE) - WHOLE) * n;
    if moved.abs() < 2.0 * n { moved.max(0.0) } else { 0.0 }
}
