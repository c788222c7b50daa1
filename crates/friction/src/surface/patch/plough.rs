//! From the slopes of a facet to vectors that resist.

use std::f64::consts::FRAC_2_PI;

use glamx::{DMat2, DMat3, DVec2, DVec3};

use super::{Facet, OUTWARD, RESISTS, Window, lean};
use crate::surface::slope::{Desk, Step};
use crate::surface::{Mask, Relief};

/// How the slopes of one facet become vectors that resist, in the window's axes.
#[derive(Debug, Clone, Copy)]
pub struct Plough {
    /// Place in the map, in texels, of the centre of the window's texel (0, 0). Centres of the
    /// map's texels are whole numbers.
    pub origin: DVec2,
    /// The way in the map from one texel of a row of the window to the next.
    pub column_step: DVec2,
    /// The way in the map from one row of the window to the next.
    pub row_step: DVec2,
    /// From slopes to vectors.
    pub frame: PloughFrame,
    /// Sign of Eq. 6, the 2/π of Eq. 3, and the mask where it is constant.
    pub factor: f64,
    /// Which way the surface faces along the contact normal, +1 or −1.
    pub outward: f64,
    step: Step,
    /// Whether the whole window is within the map, texels side by side.
    is_settled: bool,
}

/// From the slopes of a facet to vectors in the window's axes.
#[derive(Debug, Clone, Copy)]
pub enum PloughFrame {
    /// Parallel to the contact plane: from slopes to vectors that resist, factor included.
    Flat(DMat2),
    /// Tangent, bitangent, normal.
    Tilted(DMat3),
}

/// Texels that are looked up together.
const BATCH: usize = 16;

impl Plough {
    /// For a facet of a side, 0 for A and 1 for B.
    pub fn new(window: &Window, relief: &Relief, facet: &Facet, which: usize) -> Plough {
        let which = which.min(1);
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
            PloughFrame::Flat(DMat2::from_cols(t.truncate(), b.truncate()) * -factor)
        } else {
            PloughFrame::Tilted(DMat3::from_cols(t, b, m))
        };
        let settled = map.settle(origin, x * (n - 1.0), y * (n - 1.0));
        Plough {
            origin: settled.unwrap_or(origin),
            column_step: x,
            row_step: y,
            frame,
            factor,
            outward,
            step: map.step(x),
            is_settled: settled.is_some(),
        }
    }

    /// The vectors of whole rows of `n` texels, from a row on: their parts along x and y.
    #[inline(always)]
    pub(super) fn look_at_rows(
        &self,
        relief: &Relief,
        first: usize,
        n: usize,
        desk: &mut Desk,
        [x, y]: [&mut [f64]; 2],
    ) {
        if let PloughFrame::Flat(resist) = &self.frame
            && let Mask::Constant(_) = relief.mask()
            && self.is_settled
        {
            let start = self.origin + self.row_step * first as f64;
            let steps = [self.column_step, self.row_step];
            let places = [start, steps[0], steps[1]];
            relief.map().window_settled(places, n, resist, desk, [x, y]);
            return;
        }
        for (row, (x, y)) in x.chunks_mut(n).zip(y.chunks_mut(n)).enumerate() {
            self.look(relief, 0, first + row, x, y);
        }
    }

    /// The vectors of a row's texels, from a column on: their parts along x and y.
    #[inline(always)]
    pub(super) fn look(
        &self,
        relief: &Relief,
        column: usize,
        row: usize,
        x: &mut [f64],
        y: &mut [f64],
    ) {
        let map = relief.map();
        let start = self.origin + self.column_step * column as f64 + self.row_step * row as f64;
        for (batch, (x, y)) in x.chunks_mut(BATCH).zip(y.chunks_mut(BATCH)).enumerate() {
            let start = start + self.column_step * (batch * BATCH) as f64;
            let mut slopes = [DVec2::ZERO; BATCH];
            let slopes = &mut slopes[..x.len()];
            if self.is_settled {
                map.walk_settled(start, self.step, map.slopes(), slopes);
            } else {
                map.walk(start, self.step, map.slopes(), slopes);
            }
            match &self.frame {
                PloughFrame::Flat(resist) => {
                    let [a, b] = [resist.x_axis, resist.y_axis];
                    for ((s, x), y) in slopes.iter().zip(&mut *x).zip(&mut *y) {
                        *x = a.x * s.x + b.x * s.y;
                        *y = a.y * s.x + b.y * s.y;
                    }
                }
                PloughFrame::Tilted(frame) => {
                    for ((s, x), y) in slopes.iter().zip(&mut *x).zip(&mut *y) {
                        let m = frame.z_axis - frame.x_axis * s.x - frame.y_axis * s.y;
                        let vector = lean(m, self.outward) * self.factor;
                        (*x, *y) = (vector.x, vector.y);
                    }
                }
            }
            if let Mask::Texels(k) = relief.mask() {
                let mut masks = [0.0; BATCH];
                let masks = &mut masks[..x.len()];
                map.walk(start, self.step, k, masks);
                for ((x, y), k) in x.iter_mut().zip(y).zip(masks) {
                    *x *= *k;
                    *y *= *k;
                }
            }
        }
    }
}
