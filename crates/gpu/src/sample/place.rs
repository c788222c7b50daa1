//! Where in a map a window lies, as single precision can hold it.

use asperity_friction::surface::patch::{Batch, Job, Plough, PloughFrame};
use asperity_friction::surface::{SlopeMap, Wrap};
use glamx::DVec2;

use super::Row;

/// Rows of a record of two flat faces; see `flat.wgsl`.
pub(super) const FLAT_ROWS: usize = 7;
/// Marks that there is none.
pub(super) const NONE: u32 = u32::MAX;

/// A texel of the map near the window, the place of the window's texel (0, 0) from there, and the
/// steps along a row and a column.
pub(super) struct Place {
    pub(super) base: [u32; 2],
    pub(super) origin: [u32; 2],
    pub(super) steps: Row,
}

/// Writes the record of a patch of two flat faces, or of some rows of it.
pub(super) fn write_flat(
    batch: &Batch,
    job: &Job,
    rows: std::ops::Range<usize>,
    slot: u32,
    out: &mut [Row],
) {
    let n = job.window.resolution;
    let shape = n as u32 | (rows.start as u32) << 12 | (rows.len() as u32) << 23;
    let relief = |side: usize| job.sides[side].relief.map_or(NONE, |number| number as u32);
    out[0] = [relief(0), relief(1), shape, slot];
    for side in 0..2 {
        let out = &mut out[1 + 3 * side..4 + 3 * side];
        let Some(relief) = job.sides[side].relief.map(|number| &batch.reliefs[number]) else {
            out.fill([0; 4]);
            continue;
        };
        let facet = &batch.facets[job.sides[side].facets.start];
        let plough = Plough::new(&job.window, relief, facet, side);
        let Place { base, origin, steps } = place(&plough, relief.map(), n);
        out[0] = [base[0], base[1], origin[0], origin[1]];
        out[1] = steps;
        out[2] = match plough.frame {
            PloughFrame::Flat(m) => m.to_cols_array().map(bits),
            PloughFrame::Tilted(_) => [0; 4],
        };
    }
}

/// Whether a facet lies in the contact plane, so that `write_flat` can take it.
pub(super) fn is_flat(job: &Job, batch: &Batch, side: usize) -> bool {
    let facet = &batch.facets[job.sides[side].facets.start];
    let outward = [1.0, -1.0][side];
    facet.tangent.z == 0.0
        && facet.bitangent.z == 0.0
        && facet.normal.truncate() == DVec2::ZERO
        && facet.normal.z == outward
}

pub(super) fn place(plough: &Plough, map: &SlopeMap, resolution: usize) -> Place {
    let (width, height) = map.dimensions();
    let axis = |origin: f64, column: f64, row: f64, count: usize| {
        along(origin, column, row, count as f64, resolution as f64 - 1.0, map.wrap())
    };
    let (o, c, r) = (plough.origin, plough.column_step, plough.row_step);
    let x = axis(o.x, c.x, r.x, width);
    let y = axis(o.y, c.y, r.y, height);
    Place {
        base: [x.0, y.0],
        origin: [bits(x.1), bits(y.1)],
        steps: [x.2, y.2, x.3, y.3].map(bits),
    }
}

/// One axis of a place: base, origin, steps along a row and a column. `last` is the number of the
/// window's last texel.
fn along(
    origin: f64,
    mut column: f64,
    mut row: f64,
    count: f64,
    last: f64,
    wrap: Wrap,
) -> (u32, f64, f64, f64) {
    if wrap == Wrap::Repeat {
        // Whole periods make no difference, and single precision has no digits to spare.
        column -= count * (column / count).round();
        row -= count * (row / count).round();
    }
    let low = origin + (column * last).min(0.0) + (row * last).min(0.0);
    let whole = low.floor();
    let base = match wrap {
        Wrap::Repeat => (whole - count * (whole / count).floor()).clamp(0.0, count - 1.0) as u32,
        Wrap::Clamp => (whole.clamp(-1e9, 1e9) as i32).cast_unsigned(),
    };
    let all = [origin - whole, column, row];
    if all.iter().any(|v| !(v.abs() < 1e30)) {
        return (0, 0.0, 0.0, 0.0);
    }
    (base, all[0], column, row)
}

/// A number as kernels take it.
pub(super) fn bits(value: f64) -> u32 {
    (value as f32).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_near_their_base() {
        for wrap in [Wrap::Repeat, Wrap::Clamp] {
            let (base, origin, column, row) = along(-1e6 + 0.25, -0.5, 700.25, 512.0, 15.0, wrap);
            // Steps of 700.25 texels are ones of 188.25 in a map of 512 that repeats.
            let step = if wrap == Wrap::Repeat { 188.25 } else { 700.25 };
            assert_eq!((column, row), (-0.5, step));
            // The lowest place is 7.5 before the first: 8 and a part after the base.
            assert_eq!(origin, 8.25);
            let expected = -1e6 - 8.0;
            let expected = match wrap {
                Wrap::Repeat => f64::rem_euclid(expected, 512.0) as u32,
                Wrap::Clamp => (expected as i32).cast_unsigned(),
            };
            assert_eq!(base, expected);
        }
        assert_eq!(along(f64::NAN, 1.0, 1.0, 5.0, 15.0, Wrap::Repeat), (0, 0.0, 0.0, 0.0));
        assert_eq!(along(0.0, f64::INFINITY, 1.0, 5.0, 15.0, Wrap::Clamp).0, 0);
    }
}
