//! Time against residual as a picture: lines for solvers, letters for whole engines.

use asperity_chart::axes::{Area, Axis, Chart, Series};
use asperity_chart::{Anchor, GREY, INK, PALETTE, Paint, Svg, Text};

use super::Measured;

/// Width and height of the chart of a moment, pixels.
const PANEL: [f64; 2] = [860.0, 400.0];
/// Room about the charts, and height of the title.
const EDGE: f64 = 24.0;
const HEAD: f64 = 56.0;
/// Radius of the dot under a letter.
const DOT: f64 = 7.0;
/// Radius of the dot of a number of sweeps.
const SPECK: f64 = 2.5;

/// One chart for each moment, below each other.
pub(super) fn draw(bodies: usize, all: &[Measured]) -> Svg {
    let height = HEAD + all.len() as f64 * (PANEL[1] + EDGE) + EDGE;
    let mut svg = Svg::new(PANEL[0] + 2.0 * EDGE, height);
    let title = format!("Time against residual, pile of {bodies}");
    svg.text([EDGE, EDGE + 18.0], &title, &Text::new(19.0, INK).bold());
    let about = "lines: solvers on the contact problems of a step, with 1, 2, 4, … sweeps; \
                 letters: whole steps of engines, judged by the same residual";
    svg.text([EDGE, EDGE + 40.0], about, &Text::new(12.5, GREY));
    for (k, measured) in all.iter().enumerate() {
        let corner = [EDGE, HEAD + EDGE + k as f64 * (PANEL[1] + EDGE)];
        panel(&mut svg, Area { corner, size: PANEL }, measured);
    }
    svg
}

fn panel(svg: &mut Svg, area: Area, Measured { moment, curves }: &Measured) {
    let point = |seconds: f64, residual: f64| {
        let residual = if residual > 0.0 { residual.log10() } else { f64::NAN };
        [(1e3 * seconds).log10(), residual]
    };
    let mut series: Vec<Series> = curves
        .iter()
        .filter(|c| c.refused.is_none())
        .map(|c| Series {
            name: c.solver.to_owned(),
            points: c.points.iter().map(|p| point(p.seconds, p.residual)).collect(),
        })
        .collect();
    let lines = series.len();
    for whole in &moment.engines {
        let points = vec![point(whole.seconds, whole.residual)];
        series.push(Series { name: whole.engine.to_owned(), points });
    }
    let axis = |label: &str| Axis { step: Some(1.0), ..Axis::new(label, "") };
    let chart = Chart {
        title: format!("{} s: {} contact points", moment.time, moment.contacts),
        x: axis("log₁₀ of milliseconds"),
        y: Axis { step: Some(2.0), ..axis("log₁₀ of the residual") },
        equal_aspect: false,
        legend: true,
        series,
    };
    chart.draw(svg, area);
    let frame = chart.frame(area);
    let right = frame.area.corner[0] + frame.area.size[0];
    for (k, series) in chart.series.iter().enumerate() {
        let paint = Paint::fill(PALETTE[k % PALETTE.len()]);
        let finite = series.points.iter().filter(|p| p.iter().all(|c| c.is_finite()));
        let pixels = finite.map(|p| frame.at(*p));
        if k < lines {
            pixels.for_each(|at| svg.circle(at, SPECK, &paint));
            continue;
        }
        // In the legend, too: in the middle of the line that is drawn there.
        let legend = [right + 28.0, frame.area.corner[1] + 10.0 + 20.0 * k as f64];
        let letter = char::from(b'A' + (k - lines) as u8).to_string();
        for at in pixels.chain([legend]) {
            svg.circle(at, DOT, &Paint::fill(INK));
            let white = Text::new(10.0, "#ffffff").anchor(Anchor::Middle);
            svg.text([at[0], at[1] + 3.6], &letter, &white);
        }
    }
}
