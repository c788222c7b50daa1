//! Charts, limit curves and friction cones as SVG and PNG. Pictures are texts and bytes; writing
//! them to files is left to the caller.
//!
//! ```
//! use asperity_chart::axes::{Area, Axis, Chart, Series};
//! use asperity_chart::{Svg, png};
//!
//! let series = vec![Series { name: "fall".to_owned(), points: vec![[0.0, 1.0], [1.0, 0.5]] }];
//! let [x, y] = [("time", "s"), ("height", "m")].map(|(label, unit)| Axis::new(label, unit));
//! let chart = Chart { title: String::new(), x, y, equal_aspect: false, legend: false, series };
//! let mut svg = Svg::new(400.0, 300.0);
//! chart.draw(&mut svg, Area { corner: [0.0, 0.0], size: [400.0, 300.0] });
//! assert!(svg.to_string().starts_with("<svg"));
//! let bytes = png::rasterise(&svg)?;
//! # Ok::<(), asperity_chart::ChartError>(())
//! ```

pub mod axes;
pub mod cone;
pub mod limit;
pub mod lines;
pub mod number;
pub mod png;
pub mod sheet;
pub mod svg;

use thiserror::Error;

pub use number::{exact, short};
pub use svg::{Anchor, Paint, Point, Svg, Text};

/// Colours that people with any colour vision can tell apart (Okabe and Ito), darkest first.
pub const PALETTE: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Text and axes.
pub const INK: &str = "#222222";
/// Text and lines of second rank.
pub const GREY: &str = "#767676";
/// Lines that guide the eye.
pub const FAINT: &str = "#dcdcdc";

/// Why something cannot be drawn.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ChartError {
    /// Friction beyond all measure, in multiples of the load.
    #[error("friction of {0:e} times the load is too large to draw")]
    TooMuchFriction(f64),
    /// A set without bounds.
    #[error("a free set has no limit to draw")]
    NoLimit,
    /// A set that does not lie in the contact plane.
    #[error("the set \"{name}\" has {rows} rows; a limit curve needs two")]
    NotPlanar {
        /// What the set is called.
        name: &'static str,
        /// How many rows it has.
        rows: usize,
    },
    /// A picture of too many pixels: width and height.
    #[error("a picture of {0} x {1} pixels is too large to draw")]
    TooLarge(u32, u32),
    /// An SVG that cannot be read.
    #[error("the picture is not valid SVG: {0}")]
    Svg(String),
    /// Pixels that cannot be encoded.
    #[error("the picture cannot be encoded as PNG: {0}")]
    Png(String),
}
