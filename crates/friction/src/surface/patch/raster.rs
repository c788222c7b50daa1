//! Which facet covers which texel of a window.

use std::ops::Range;

use glamx::DVec2;

use super::{DECIDED_AT, Facet, Outline, PatchView, Window};

/// Marks a texel that nothing covers.
pub(super) const NOTHING: u32 = u32::MAX;

/// Fills `cover` with the number of the facet of a side that covers each texel (see [`DECIDED_AT`]).
/// Outlines are half-open: of two that share an edge, one has its texels.
pub(super) fn side(patch: &PatchView, which: usize, edges: &mut Vec<Edge>, cover: &mut [u32]) {
    cover.fill(NOTHING);
    for (number, facet) in patch.sides[which].facets.iter().enumerate() {
        if facet.is_seen(which) {
            let shape = Shape::new(&patch.window, facet.outline, patch.corners, edges);
            draw(&patch.window, &shape, Some(facet), |texels| {
                for cover in &mut cover[texels] {
                    if *cover == NOTHING {
                        *cover = number as u32;
                    }
                }
            });
        }
    }
}

/// Visits the texels that the window's own outline covers, row by row.
pub(super) fn clip(patch: &PatchView, edges: &mut Vec<Edge>, visit: impl FnMut(Range<usize>)) {
    let shape = Shape::new(&patch.window, patch.window.clip, patch.corners, edges);
    draw(&patch.window, &shape, None, visit);
}

/// An edge of a polygon, from its lower to its higher end, so that neighbours find the very same
/// points on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    low: DVec2,
    high: f64,
    x_per_y: f64,
}

impl Edge {
    fn new(a: DVec2, b: DVec2) -> Edge {
        let (a, b) = if a.y <= b.y { (a, b) } else { (b, a) };
        Edge { low: a, high: b.y, x_per_y: (b.x - a.x) / (b.y - a.y) }
    }
}

/// An outline in the window's axes.
enum Shape<'a> {
    Everything,
    Polygon(&'a [Edge]),
    Disc(DVec2, f64),
}

impl<'a> Shape<'a> {
    fn new(
        window: &Window,
        outline: Outline,
        all: &[DVec2],
        edges: &'a mut Vec<Edge>,
    ) -> Shape<'a> {
        match outline {
            Outline::Everything => Shape::Everything,
            Outline::Disc { centre, radius } => {
                Shape::Disc(window.rotation.to_axes(centre), radius)
            }
            Outline::Polygon { first, count } => {
                let end = (first as usize).saturating_add(count as usize);
                let own = all.get(first as usize..end).unwrap_or(&[]);
                edges.clear();
                if let Some(last) = own.last() {
                    let mut before = window.rotation.to_axes(*last);
                    for corner in own {
                        let corner = window.rotation.to_axes(*corner);
                        edges.push(Edge::new(before, corner));
                        before = corner;
                    }
                }
                Shape::Polygon(edges)
            }
        }
    }

    /// From the lowest to the highest y.
    fn height(&self) -> [f64; 2] {
        match self {
            Shape::Everything => [f64::NEG_INFINITY, f64::INFINITY],
            Shape::Disc(centre, radius) => [centre.y - radius, centre.y + radius],
            Shape::Polygon(edges) => {
                edges.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], edge| {
                    [low.min(edge.low.y), high.max(edge.high)]
                })
            }
        }
    }

    /// From the first to the last x at this y.
    #[inline(always)]
    fn width_at(&self, y: f64) -> [f64; 2] {
        let nothing = [f64::INFINITY, f64::NEG_INFINITY];
        match self {
            Shape::Everything => [f64::NEG_INFINITY, f64::INFINITY],
            Shape::Disc(centre, radius) => {
                let half2 = radius * radius - (y - centre.y) * (y - centre.y);
                if half2 > 0.0 {
                    [centre.x - half2.sqrt(), centre.x + half2.sqrt()]
                } else {
                    nothing
                }
            }
            Shape::Polygon(edges) => {
                let [mut from, mut to] = nothing;
                for edge in *edges {
                    if edge.low.y <= y && y < edge.high {
                        let x = edge.low.x + edge.x_per_y * (y - edge.low.y);
                        (from, to) = (least(from, x), most(to, x));
                    }
                }
                [from, to]
            }
        }
    }
}

/// Visits the texels that lie in a shape and, for a facet, within the window's depth, row by row.
#[inline(always)]
fn draw(
    window: &Window,
    shape: &Shape,
    facet: Option<&Facet>,
    mut visit: impl FnMut(Range<usize>),
) {
    let n = window.resolution;
    let texel = window.size / n as f64;
    let per_metre = 1.0 / texel;
    // The first texel that is at or beyond a coordinate: its ceiling. What is not a number goes
    // to 0.
    let index = |at: f64, per_metre: f64, decided_at: f64| {
        let place = at * per_metre + (0.5 * n as f64 - 0.5 - decided_at);
        let place = least(most(0.0, place), n as f64);
        let below = place as u32;
        (below + u32::from(f64::from(below) < place)) as usize
    };
    let [low, high] = shape.height();
    if !(low <= high) {
        return;
    }
    let rows =
        index(low, per_metre.y, DECIDED_AT.y)..(index(high, per_metre.y, DECIDED_AT.y) + 1).min(n);
    let rise = facet.map_or(DVec2::ZERO, |f| window.rotation.to_axes(f.rise));
    let per_rise = 1.0 / rise.x;
    for row in rows {
        let y = window.decided_at(0, row).y;
        let [mut from, mut to] = shape.width_at(y);
        if let Some(facet) = facet {
            // |height + rise·(x, y)| ≤ depth/2
            let (middle, half) = (facet.height + rise.y * y, 0.5 * window.depth);
            if rise.x == 0.0 {
                if !(middle.abs() <= half) {
                    continue;
                }
            } else {
                let ends = [(-half - middle) * per_rise, (half - middle) * per_rise];
                from = most(from, least(ends[1], ends[0]));
                to = least(to, most(ends[1], ends[0]));
            }
        }
        if from < to {
            let first = index(from, per_metre.x, DECIDED_AT.x);
            let end = index(to, per_metre.x, DECIDED_AT.x);
            if first < end {
                visit(row * n + first..row * n + end);
            }
        }
    }
}

/// The lesser one, `a` where `b` is not a number: one instruction, which `f64::min` is not.
#[inline(always)]
fn least(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The greater one, `a` where `b` is not a number.
#[inline(always)]
fn most(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}
