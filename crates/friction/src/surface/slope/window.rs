//! The slopes of a whole window that lies within a map, as most do.

use glamx::{DMat2, DVec2};

use super::SlopeMap;
use super::lookup::WHOLE;

/// Room for the points of a window on their way from places to slopes.
#[derive(Debug, Clone, Default)]
pub(in crate::surface) struct Desk {
    /// The first of the four texels around a point.
    first: Vec<u64>,
    /// Parts of the way to the next texel.
    x: Vec<f64>,
    y: Vec<f64>,
    /// Slopes between two rows of texels: left of the point, and right of it.
    mixed: Vec<[f64; 4]>,
}

impl Desk {
    /// So many points are quickest: they stay in the nearest cache.
    pub(in crate::surface) const POINTS: usize = 256;

    fn make_room(&mut self, points: usize) {
        self.first.resize(points, 0);
        self.x.resize(points, 0.0);
        self.y.resize(points, 0.0);
        self.mixed.resize(points, [0.0; 4]);
    }
}

impl SlopeMap {
    /// The slopes of rows of `n` points each, of which [`SlopeMap::settle`] says that they are
    /// within the map, times a matrix: as many rows as `out` has room for.
    ///
    /// Each pass does one thing to all points, so that the machine's vectors serve all of them but
    /// the lookup itself.
    #[inline(always)]
    pub(in crate::surface) fn window_settled(
        &self,
        [start, column_step, row_step]: [DVec2; 3],
        n: usize,
        matrix: &DMat2,
        desk: &mut Desk,
        [out_x, out_y]: [&mut [f64]; 2],
    ) {
        desk.make_room(out_x.len());
        let Desk { first, x, y, mixed } = desk;
        let rows = first.chunks_exact_mut(n).zip(x.chunks_exact_mut(n)).zip(y.chunks_exact_mut(n));
        for (row, ((first, x), y)) in rows.enumerate() {
            self.place(start + row_step * row as f64, column_step, first, x, y);
        }
        let w = self.width;
        let (low, high) = (&self.slopes[..self.slopes.len() - w], &self.slopes[w..]);
        for ((first, y), mixed) in first.iter().zip(&*y).zip(&mut *mixed) {
            let (first, y) = (*first as u32 as usize, *y);
            let (a, b) = (&low[first..first + 2], &high[first..first + 2]);
            let a = [a[0][0], a[0][1], a[1][0], a[1][1]].map(f64::from);
            let b = [b[0][0], b[0][1], b[1][0], b[1][1]].map(f64::from);
            let mix = |k: usize| a[k] + (b[k] - a[k]) * y;
            *mixed = [mix(0), mix(1), mix(2), mix(3)];
        }
        let [a, b] = [matrix.x_axis, matrix.y_axis];
        for (((m, x), out_x), out_y) in mixed.iter().zip(&*x).zip(out_x).zip(out_y) {
            let u = m[0] + (m[2] - m[0]) * *x;
            let v = m[1] + (m[3] - m[1]) * *x;
            *out_x = a.x * u + b.x * v;
            *out_y = a.y * u + b.y * v;
        }
    }

    /// Where the points of a row are.
    #[inline(always)]
    fn place(&self, at: DVec2, step: DVec2, first: &mut [u64], x: &mut [f64], y: &mut [f64]) {
        let w = self.width as f64;
        let floor = |p: f64| p - 0.5 + WHOLE - WHOLE;
        for (i, ((first, x), y)) in first.iter_mut().zip(x).zip(y).enumerate() {
            let i = f64::from(i as u32);
            let (at_x, at_y) = (at.x + step.x * i, at.y + step.y * i);
            let (column, row) = (floor(at_x), floor(at_y));
            (*x, *y) = (at_x - column, at_y - row);
            // Its last bits are the number of the texel.
            *first = (row * w + column + WHOLE).to_bits();
        }
    }
}
