//! Pressure distributions by name.

use glamx::DVec2;

use super::Pressure;
use crate::FrictionError;
use crate::error::{non_negative, positive};

/// Pressure distributions (Fig. 8, Eqs. 43 and 44, and some more) on a square grid.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// The whole grid.
    Square,
    /// All cells whose middles are within (N − 1)/2 cells of the middle. Uniform.
    Circle,
    /// The middle column.
    Line,
    /// The middle column, largest at the top (+y) and falling linearly to one cell beyond the end.
    LineGradient,
    /// The middle row, largest at the left (−x).
    LineGradientX,
    /// Two squares apart.
    NonConvex1,
    /// A bar and a column apart.
    NonConvex2,
    /// (1 − (ρ/a)^k)^(1/k) within the radius a (Eq. 44): k = 2 is Hertz's pressure.
    Hertz {
        /// a, metres.
        radius: f64,
        /// k.
        exponent: f64,
    },
    /// A uniform ellipse.
    Ellipse {
        /// Semi-axes along x and y, metres.
        axes: [f64; 2],
    },
    /// A uniform polygon, convex or not; corners in order, metres from the middle. A cell carries
    /// as much as the polygon covers of it.
    Polygon {
        /// Corners.
        corners: Vec<DVec2>,
    },
}

/// Radius of a soft fingertip under a load, metres: c f_N^m, at most `most` (Eq. 43; the paper has
/// c = 6 cells of 0.02/21 m, m = 1/3, and 10.5 cells at most). m is from 0 to 1/3.
pub fn load_radius(scale: f64, power: f64, most: f64, load: f64) -> Result<f64, FrictionError> {
    positive("radius under unit load", scale)?;
    positive("largest radius", most)?;
    non_negative("load", load)?;
    if !(0.0..=1.0 / 3.0).contains(&power) {
        return Err(FrictionError::Value {
            what: "power of the load".to_owned(),
            value: power,
            expected: "a number from 0 to 1/3",
        });
    }
    Ok((scale * load.powf(power)).min(most))
}

impl Shape {
    /// The shape on N × N cells over `width` × `width` metres.
    pub fn pressure(&self, side: usize, width: f64) -> Result<Pressure, FrictionError> {
        let middle = side / 2;
        // Part of the way across the grid, of a cell's middle.
        let part = |i: usize| (i as f64 + 0.5) / side as f64;
        let on = |inside: bool| f64::from(u8::from(inside));
        let cells = |of: &mut dyn FnMut(usize, usize) -> f64| Pressure::from_cells(side, width, of);
        match self {
            Shape::Square => cells(&mut |_, _| 1.0),
            Shape::Circle => cells(&mut |ix, iy| {
                let [x, y] = [ix, iy].map(|i| (2 * i + 1).abs_diff(side));
                on(x * x + y * y <= side.saturating_sub(1).pow(2))
            }),
            Shape::Line => cells(&mut |ix, _| on(ix == middle)),
            Shape::LineGradient => {
                cells(&mut |ix, iy| if ix == middle { (side - iy) as f64 } else { 0.0 })
            }
            Shape::LineGradientX => {
                cells(&mut |ix, iy| if iy == middle { (side - ix) as f64 } else { 0.0 })
            }
            Shape::NonConvex1 => cells(&mut |ix, iy| {
                let (x, y) = (part(ix), part(iy));
                on(within(y, 3.0 / 7.0, 4.0 / 7.0) && !within(x, 1.0 / 7.0, 6.0 / 7.0))
            }),
            Shape::NonConvex2 => cells(&mut |ix, iy| {
                let (x, y) = (part(ix), part(iy));
                let bar = within(y, 3.0 / 7.0, 4.0 / 7.0) && x < 2.0 / 3.0;
                on(bar || (x > 6.0 / 7.0 && within(y, 4.0 / 21.0, 6.0 / 7.0)))
            }),
            Shape::Hertz { radius, exponent } => {
                let (a, k) = (positive("radius", *radius)?, positive("exponent k", *exponent)?);
                Pressure::from_fn(side, width, |x, y| profile(x.hypot(y) / a, k))
            }
            Shape::Ellipse { axes } => {
                let [a, b] = *axes;
                positive("first semi-axis", a)?;
                positive("second semi-axis", b)?;
                Pressure::from_fn(side, width, |x, y| on((x / a).hypot(y / b) <= 1.0))
            }
            Shape::Polygon { corners } => {
                if corners.len() < 3 || corners.iter().any(|c| !c.is_finite()) {
                    return Err(FrictionError::Shape(format!(
                        "polygon has {} corners; expected at least three, all finite",
                        corners.len()
                    )));
                }
                let cell = width / side as f64;
                let mut room = [Vec::new(), Vec::new()];
                Pressure::from_fn(side, width, |x, y| {
                    covered(corners, DVec2::new(x, y), cell, &mut room)
                })
            }
        }
    }
}

/// Eq. 44 without its constant, which the load decides: pressure at the part `q` of the radius.
#[inline]
pub(super) fn profile(q: f64, exponent: f64) -> f64 {
    if q > 1.0 {
        0.0
    } else if exponent == 2.0 {
        (1.0 - q * q).sqrt()
    } else {
        (1.0 - q.powf(exponent)).powf(1.0 / exponent)
    }
}

fn within(x: f64, low: f64, high: f64) -> bool {
    low < x && x < high
}

/// The part of a square cell that a polygon covers: the polygon cut by the cell's four sides, one
/// after the other.
fn covered(corners: &[DVec2], middle: DVec2, cell: f64, room: &mut [Vec<DVec2>; 2]) -> f64 {
    let [from, to] = room;
    from.clear();
    from.extend(corners.iter().map(|c| (*c - middle) / cell));
    for side in [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y] {
        to.clear();
        for i in 0..from.len() {
            let (a, b) = (from[i], from[(i + 1) % from.len()]);
            let (da, db) = (0.5 - a.dot(side), 0.5 - b.dot(side));
            if da >= 0.0 {
                to.push(a);
            }
            if (da > 0.0 && db < 0.0) || (da < 0.0 && db > 0.0) {
                to.push(a + (b - a) * (da / (da - db)));
            }
        }
        std::mem::swap(from, to);
    }
    let twice: f64 = (0..from.len()).map(|i| from[i].perp_dot(from[(i + 1) % from.len()])).sum();
    // Slivers from rounding carry nothing.
    let part = 0.5 * twice.abs();
    if part > 1e-12 { part } else { 0.0 }
}
