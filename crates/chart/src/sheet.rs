//! Charts side by side under one title.

use crate::axes::{Area, Chart};
use crate::{GREY, INK, Svg, Text};

/// Charts in a row.
const COLUMNS: usize = 2;
/// Width and height of a chart with its labels, pixels.
const PANEL: [f64; 2] = [720.0, 330.0];
/// Room about the charts.
const EDGE: f64 = 24.0;
/// Room between charts.
const GAP: f64 = 20.0;
/// Height of the title.
const HEAD: f64 = 56.0;

/// Draws charts in rows.
pub fn draw(title: &str, subtitle: &str, charts: &[Chart]) -> Svg {
    let columns = charts.len().clamp(1, COLUMNS);
    let rows = charts.len().div_ceil(columns);
    let length = |count: usize, size: f64| count as f64 * (size + GAP) - GAP + 2.0 * EDGE;
    let mut svg = Svg::new(length(columns, PANEL[0]), length(rows, PANEL[1]) + HEAD);
    svg.text([EDGE, EDGE + 18.0], title, &Text::new(19.0, INK).bold());
    svg.text([EDGE, EDGE + 40.0], subtitle, &Text::new(12.5, GREY));
    for (i, chart) in charts.iter().enumerate() {
        let corner = [
            EDGE + (i % columns) as f64 * (PANEL[0] + GAP),
            HEAD + EDGE + (i / columns) as f64 * (PANEL[1] + GAP),
        ];
        chart.draw(&mut svg, Area { corner, size: PANEL });
    }
    svg
}
