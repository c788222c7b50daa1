//! Blocks of rows that describe patches of any kind; see `facets.wgsl`.

use asperity_friction::surface::patch::{
    Batch, DECIDED_AT, Facet, Job, Outline, Plough, PloughFrame, Window,
};
use glamx::{DMat3, DVec2, DVec3};

use super::Row;
use super::place::{NONE, Place, bits, place};

const EVERYTHING: u32 = 0;
const POLYGON: u32 = 1;
const DISC: u32 = 2;
const TILTED: u32 = 1 << 8;
const HAS_DEPTH: u32 = 1 << 9;
/// Rows of a facet.
const FACET_ROWS: usize = 7;

/// Most rows that the block of a job may have.
pub(super) fn most_rows(batch: &Batch, job: &Job) -> usize {
    let outline = |outline: &Outline| match outline {
        Outline::Everything => 0,
        Outline::Disc { .. } => 1,
        // No more than the patch has corners.
        Outline::Polygon { count, .. } => (*count as usize).min(job.corners.len()),
    };
    let facets = job.sides.iter().flat_map(|side| &batch.facets[side.facets.clone()]);
    let facets: usize = facets.map(|facet| FACET_ROWS + outline(&facet.outline)).sum();
    2 + facets + outline(&job.window.clip)
}

/// Appends the block of a job. Facets that cannot cover anything are left out.
pub(super) fn write(batch: &Batch, job: &Job, out: &mut Vec<Row>) {
    let window = &job.window;
    let corners = &batch.corners[job.corners.clone()];
    let begin = out.len();
    out.extend([[0; 4]; 2]);
    let mut counts = [0; 2];
    // Facets first, their outlines afterwards: where those begin is known when all are there.
    for side in 0..2 {
        for facet in &batch.facets[job.sides[side].facets.clone()] {
            if facet.is_seen(side)
                && let Some(bounds) = bounds(window, facet.outline, corners)
            {
                push_facet(batch, job, side, facet, bounds, out);
                counts[side] += 1;
            }
        }
    }
    let mut next = 0;
    for side in 0..2 {
        for facet in &batch.facets[job.sides[side].facets.clone()] {
            if facet.is_seen(side) && bounds(window, facet.outline, corners).is_some() {
                let [kind, first, count] = push_outline(window, facet.outline, corners, begin, out);
                let head = &mut out[begin + 2 + FACET_ROWS * next];
                *head = [head[0] | kind, first, count, 0];
                next += 1;
            }
        }
    }
    let relief = |side: usize| job.sides[side].relief.map_or(NONE, |number| number as u32);
    out[begin] = [counts[0], counts[1], relief(0), relief(1)];
    let [kind, first, count] = push_outline(window, window.clip, corners, begin, out);
    out[begin + 1] = [kind, first, count, window.resolution as u32];
}

fn push_facet(
    batch: &Batch,
    job: &Job,
    side: usize,
    facet: &Facet,
    [rows, columns]: [u32; 2],
    out: &mut Vec<Row>,
) {
    let window = &job.window;
    let n = window.resolution as f64;
    let half = 0.5 * window.depth;
    let rise = window.rotation.to_axes(facet.rise);
    let growth = rise * window.size / n / half;
    let height = facet.height / half - growth.dot(0.5 * n - 0.5 - DECIDED_AT);
    let reach = rise.abs().dot(0.5 * window.size);
    let mut flags = 0;
    if !(facet.height.abs() + reach <= half) {
        flags |= HAS_DEPTH;
    }
    let mut where_at = Place { base: [0; 2], origin: [0; 2], steps: [0; 4] };
    let (mut frame, mut factor) = (DMat3::ZERO, 0.0);
    if let Some(number) = job.sides[side].relief {
        let relief = &batch.reliefs[number];
        let plough = Plough::new(window, relief, facet, side);
        where_at = place(&plough, relief.map(), window.resolution);
        factor = plough.factor;
        frame = match plough.frame {
            // The matrix has the factor and the sign of m − s_u t − s_v b in it.
            PloughFrame::Flat(m) => {
                factor = -1.0;
                DMat3::from_cols(m.x_axis.extend(0.0), m.y_axis.extend(0.0), DVec3::ZERO)
            }
            PloughFrame::Tilted(frame) => {
                flags |= TILTED;
                frame
            }
        };
    }
    let Place { base, origin, steps } = where_at;
    let [t, b, m] = [frame.x_axis, frame.y_axis, frame.z_axis].map(|v| v.to_array().map(bits));
    out.extend([
        [flags, 0, 0, 0],
        [rows, columns, base[0], base[1]],
        steps,
        [origin[0], origin[1], bits(height), bits(growth.x)],
        [bits(growth.y), t[0], t[1], t[2]],
        [b[0], b[1], b[2], m[0]],
        [m[1], m[2], bits(factor), 0],
    ]);
}

/// A point of the contact plane in texels of the window; where it is decided what covers a texel
/// ([`DECIDED_AT`]) are whole numbers.
fn to_texels(window: &Window, point: DVec2) -> DVec2 {
    let n = window.resolution as f64;
    window.rotation.to_axes(point) * (n / window.size) + (0.5 * n - 0.5 - DECIDED_AT)
}

/// The corners of a polygon; none where they are not there.
fn own(corners: &[DVec2], first: u32, count: u32) -> &[DVec2] {
    let end = (first as usize).saturating_add(count as usize);
    corners.get(first as usize..end).unwrap_or(&[])
}

/// The first whole number at or beyond a coordinate, from 0 to the resolution.
fn index(window: &Window, at: f64) -> u32 {
    at.ceil().clamp(0.0, window.resolution as f64) as u32
}

/// Rows and columns that an outline may cover, first and end, as a kernel takes them. `None` where
/// it covers nothing.
fn bounds(window: &Window, outline: Outline, corners: &[DVec2]) -> Option<[u32; 2]> {
    let (low, high) = match outline {
        Outline::Everything => (DVec2::splat(-1.0), DVec2::splat(window.resolution as f64)),
        Outline::Disc { centre, radius } => {
            let middle = to_texels(window, centre);
            let reach = radius * (window.resolution as f64 / window.size);
            (middle - reach, middle + reach + 1.0)
        }
        Outline::Polygon { first, count } => {
            let none = (DVec2::INFINITY, DVec2::NEG_INFINITY);
            own(corners, first, count).iter().fold(none, |(low, high), corner| {
                let corner = to_texels(window, *corner);
                (low.min(corner), high.max(corner))
            })
        }
    };
    if !(low.is_finite() && high.is_finite()) {
        return None;
    }
    let range = |low, high| {
        let (first, end) = (index(window, low), index(window, high));
        (first < end).then_some(first | end << 16)
    };
    Some([range(low.y, high.y)?, range(low.x, high.x)?])
}

/// Appends an outline: its kind, its first row from the beginning of the block, and how many.
fn push_outline(
    window: &Window,
    outline: Outline,
    corners: &[DVec2],
    begin: usize,
    out: &mut Vec<Row>,
) -> [u32; 3] {
    let first_row = out.len();
    let kind = match outline {
        Outline::Everything => EVERYTHING,
        Outline::Disc { centre, radius } => {
            let middle = to_texels(window, centre);
            let scale = window.size / window.resolution as f64 / radius;
            // A disc that is not one covers nothing: then no place is less than 1 from its middle.
            let is_disc = radius > 0.0 && middle.is_finite() && scale.is_finite();
            let scale = if is_disc { scale } else { DVec2::splat(1e6) };
            let middle = if is_disc { middle } else { DVec2::splat(-10.0) };
            out.push([middle.x, middle.y, scale.x, scale.y].map(bits));
            DISC
        }
        Outline::Polygon { first, count } => {
            let own = own(corners, first, count);
            if let Some(last) = own.last() {
                let mut before = to_texels(window, *last);
                for corner in own {
                    let corner = to_texels(window, *corner);
                    out.extend(edge(window, before, corner));
                    before = corner;
                }
            }
            POLYGON
        }
    };
    [kind, (first_row - begin) as u32, (out.len() - first_row) as u32]
}

/// An edge where it crosses rows of the window: x in the first, x per row, first row, end.
fn edge(window: &Window, a: DVec2, b: DVec2) -> Option<Row> {
    let (a, b) = if a.y <= b.y { (a, b) } else { (b, a) };
    let (first, end) = (index(window, a.y), index(window, b.y));
    let x_per_row = (b.x - a.x) / (b.y - a.y);
    let x = a.x + x_per_row * (f64::from(first) - a.y);
    (first < end && x.is_finite()).then(|| [bits(x), bits(x_per_row), first, end])
}
