//! A limit curve with its tractions, drawn into a frame.

use crate::axes::{Frame, Ticks};
use crate::limit::{Limit, Traction};
use crate::{Anchor, FAINT, GREY, INK, Paint, Point, Svg, Text};

/// Inside a limit curve.
const FILL: &str = "#f3f6fa";
/// Lines from no friction to the traction.
pub const SPOKE: &str = "#9aa5b1";
/// Grain of both surfaces.
const GRAIN: &str = "#a07a3c";

/// How a limit curve and its tractions look, in pixels.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// Colour of the curve and the dots.
    pub curve: &'a str,
    /// Width of the curve.
    pub width: f64,
    /// Radius of the dots.
    pub dot: f64,
    /// Colour of the arrows of slip.
    pub slip: &'a str,
    /// Length of the arrows of slip.
    pub slip_length: f64,
}

/// Fills the inside of the curve. To be drawn first.
pub fn draw_inside(svg: &mut Svg, frame: &Frame, limit: &Limit) {
    for branch in &limit.branches {
        let mut region = pixels(frame, branch);
        if !limit.closed {
            region.push(frame.at([0.0, 0.0]));
        }
        svg.polygon(&region, &Paint::fill(FILL));
    }
}

/// The curve itself, broken where the traction jumps.
pub fn draw_curve(svg: &mut Svg, frame: &Frame, limit: &Limit, paint: &Paint) {
    for branch in &limit.branches {
        let points = pixels(frame, branch);
        if limit.closed {
            svg.polygon(&points, paint);
        } else {
            svg.polyline(&points, paint);
        }
    }
}

/// Spokes from no friction to each traction, and the arrow of the slip that causes it, which ends
/// at the dot: it comes from outside, since friction opposes slip.
pub fn draw_tractions(svg: &mut Svg, frame: &Frame, tractions: &[Traction], look: &Look) {
    let origin = frame.at([0.0, 0.0]);
    for traction in tractions {
        svg.line(origin, frame.at(traction.force), &Paint::stroke(SPOKE, 0.8));
    }
    for Traction { slip, force } in tractions {
        let tip = frame.at(*force);
        // Pixels count downwards.
        let back = |length: f64| [tip[0] - slip[0] * length, tip[1] + slip[1] * length];
        let near = look.dot + 1.0;
        svg.arrow(back(near + look.slip_length), back(near), &Paint::stroke(look.slip, 1.0));
    }
    for traction in tractions {
        let paint = Paint::fill(look.curve).and_stroke("#ffffff", 0.8);
        svg.circle(frame.at(traction.force), look.dot, &paint);
    }
}

/// The grain at `angle` (radians): a line through `middle`, an arrow where the grain has a sense.
pub fn draw_grain(
    svg: &mut Svg,
    middle: Point,
    half_length: f64,
    angle: f64,
    sense: bool,
    paint: &Paint,
) {
    let [x, y] = [half_length * angle.cos(), -half_length * angle.sin()];
    let (from, to) = ([middle[0] - x, middle[1] - y], [middle[0] + x, middle[1] + y]);
    if sense {
        svg.arrow(from, to, paint);
    } else {
        svg.line(from, to, paint);
    }
}

/// The line of A's grain (0) or of B's (1).
pub fn grain_paint(surface: usize) -> Paint<'static> {
    let paint = Paint::stroke(GRAIN, 1.4);
    if surface == 0 { paint } else { paint.dashed(6.0, 5.0) }
}

/// A grid, the axes through the origin, and their numbers at the rim, where nothing crosses them.
pub fn draw_axes(svg: &mut Svg, frame: &Frame) {
    let ([x0, x1], [y0, y1]) = (frame.x, frame.y);
    let ticks = Ticks::about(9.0, frame.x);
    let (grid, style) = (Paint::stroke(FAINT, 0.6), Text::new(12.0, INK));
    for value in &ticks.values {
        let label = ticks.label(*value);
        let [x, bottom] = frame.at([*value, y0]);
        svg.line([x, bottom], frame.at([*value, y1]), &grid);
        svg.text([x, bottom + 18.0], &label, &style.anchor(Anchor::Middle));
        let [left, y] = frame.at([x0, *value]);
        svg.line([left, y], frame.at([x1, *value]), &grid);
        svg.text([left - 6.0, y + 4.0], &label, &style.anchor(Anchor::End));
    }
    let axis = Paint::stroke(GREY, 1.0);
    svg.arrow(frame.at([x0, 0.0]), frame.at([x1, 0.0]), &axis);
    svg.arrow(frame.at([0.0, y0]), frame.at([0.0, y1]), &axis);
    let name = style.anchor(Anchor::Middle);
    let [x, bottom] = frame.at([0.5 * (x0 + x1), y0]);
    svg.text([x, bottom + 38.0], "force along x / load", &name);
    let [left, y] = frame.at([x0, 0.5 * (y0 + y1)]);
    svg.text([left - 44.0, y], "force along y / load", &name.upwards());
}

fn pixels(frame: &Frame, points: &[Point]) -> Vec<Point> {
    points.iter().map(|p| frame.at(*p)).collect()
}
