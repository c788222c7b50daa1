//! The comparison sheet: six friction models of one pair of materials as their grains turn.

mod caption;
mod rows;

use serde::Serialize;

use crate::error::CliError;
use asperity_chart::axes::{Area, Axis, Chart, Frame, Series};
use asperity_chart::cone::{Look, SPOKE, draw_curve, draw_grain, draw_tractions, grain_paint};
use asperity_chart::limit::{Limit, Spread};
use asperity_chart::{Anchor, FAINT, GREY, INK, PALETTE, Paint, Point, Svg, Text, short};
use rows::{MEAN, Row, rows};

/// The sheet and the numbers in it.
#[derive(Debug)]
pub(crate) struct Sheet {
    /// The picture.
    pub(crate) picture: Svg,
    /// One for each panel, row by row.
    pub(crate) findings: Vec<Finding>,
}

/// What one panel shows.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Finding {
    /// The model.
    pub(crate) model: &'static str,
    /// Angle between the grains, degrees.
    pub(crate) degrees: f64,
    /// Extremes of friction over all directions of slip.
    #[serde(flatten)]
    pub(crate) spread: Spread,
}

/// Angles between the grains, degrees.
const ANGLES: [f64; 5] = [0.0, 22.5, 45.0, 67.5, 90.0];
const WIDTH: f64 = 1500.0;
const LEFT: f64 = 240.0;
const TOP: f64 = 158.0;
const PANEL: Point = [245.0, 206.0];
/// Pixels per unit of force / load, the same in every panel.
const SCALE: f64 = 152.0;
/// Arrows of slip: dark, since every row has a colour of its own.
const SLIP: &str = "#333333";
const CHART: f64 = 250.0;
/// Height of the caption.
const CAPTION: f64 = 150.0;

/// Draws the sheet.
pub(crate) fn comparison_sheet() -> Result<Sheet, CliError> {
    let rows = rows()?;
    let bottom = TOP + PANEL[1] * rows.len() as f64;
    let mut svg = Svg::new(WIDTH, bottom + CHART + CAPTION);
    draw_head(&mut svg);
    let mut findings = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let y = TOP + PANEL[1] * i as f64;
        svg.line([30.0, y], [WIDTH - 30.0, y], &Paint::stroke(FAINT, 1.0));
        draw_row_title(&mut svg, y, row, PALETTE[i]);
        for (j, degrees) in ANGLES.into_iter().enumerate() {
            let limit = row.limit(degrees, 180)?;
            let spread = limit.spread();
            findings.push(Finding { model: row.name, degrees, spread });
            svg.group([LEFT + PANEL[0] * j as f64, y], |svg| {
                draw_panel(svg, row, degrees, &limit, PALETTE[i]);
                draw_numbers(svg, &spread);
            });
        }
    }
    svg.line([30.0, bottom], [WIDTH - 30.0, bottom], &Paint::stroke(FAINT, 1.0));
    draw_charts(&mut svg, &rows, bottom + 14.0)?;
    for (i, line) in caption::lines(&rows)?.iter().enumerate() {
        let y = bottom + CHART + 40.0 + 24.0 * i as f64;
        svg.text([30.0, y], line, &Text::new(13.5, INK));
    }
    Ok(Sheet { picture: svg, findings })
}

fn draw_head(svg: &mut Svg) {
    let title = "One pair of materials, six friction models";
    svg.text([30.0, 46.0], title, &Text::new(24.0, INK).bold());
    let subtitle = "The limit of friction per unit load as the grain of B turns over the grain of A, all \
                    at one scale; beneath, smallest – largest friction, and how far it turns at most \
                    from straight against the slip.";
    svg.text([30.0, 74.0], subtitle, &Text::new(14.0, GREY));
    let (y, text) = (102.0, Text::new(13.0, INK));
    let mut x = 30.0;
    let mut entry = |svg: &mut Svg, key: &dyn Fn(&mut Svg, f64), label: &str, width: f64| {
        key(svg, x);
        svg.text([x + 40.0, y + 4.5], label, &text);
        x += 40.0 + width;
    };
    let dot = |svg: &mut Svg, x: f64| {
        svg.line([x, y], [x + 26.0, y], &Paint::stroke(SPOKE, 0.8));
        svg.circle([x + 26.0, y], 3.2, &Paint::fill(INK));
    };
    entry(svg, &dot, "friction on B", 120.0);
    let slip = |svg: &mut Svg, x: f64| {
        svg.arrow([x, y], [x + 30.0, y], &Paint::stroke(SLIP, 1.0));
    };
    entry(svg, &slip, "the slip of B over A that causes it", 270.0);
    for (i, name) in ["A", "B"].into_iter().enumerate() {
        let grain = |svg: &mut Svg, x: f64| svg.line([x, y], [x + 30.0, y], &grain_paint(i));
        entry(svg, &grain, &format!("grain of {name}"), 105.0);
    }
    let disk = |svg: &mut Svg, x: f64| svg.circle([x + 18.0, y], 11.0, &Paint::fill("#ececec"));
    entry(svg, &disk, &format!("μ = {MEAN} in every direction, for reference"), 320.0);
    for (j, degrees) in ANGLES.into_iter().enumerate() {
        let x = LEFT + PANEL[0] * (j as f64 + 0.5);
        let title = format!("grains {degrees}° apart");
        svg.text([x, TOP - 14.0], &title, &Text::new(15.0, INK).bold().anchor(Anchor::Middle));
    }
}

fn draw_row_title(svg: &mut Svg, y: f64, row: &Row, colour: &str) {
    let height = 32.0 + 20.0 * row.details.len() as f64;
    let top = y + 0.5 * (PANEL[1] - height);
    svg.rect([30.0, top], [5.0, height], &Paint::fill(colour));
    svg.text([44.0, top + 19.0], row.name, &Text::new(15.0, INK).bold());
    for (i, line) in row.details.iter().enumerate() {
        svg.text([44.0, top + 42.0 + 20.0 * i as f64], line, &Text::new(13.0, GREY));
    }
}

fn draw_panel(svg: &mut Svg, row: &Row, degrees: f64, limit: &Limit, colour: &str) {
    let half = PANEL.map(|side| 0.5 * side / SCALE);
    let area = Area { corner: [0.0, 0.0], size: PANEL };
    let frame = Frame::new(area, [-half[0], half[0]], [-half[1], half[1]], true);
    svg.circle(frame.at([0.0, 0.0]), MEAN * SCALE, &Paint::fill("#ececec"));
    for (i, angle) in [0.0, degrees.to_radians()].into_iter().enumerate() {
        // To the sides of the panel, short of the numbers beneath.
        let length = (112.0 / angle.cos().abs()).min(80.0 / angle.sin().abs());
        draw_grain(svg, frame.at([0.0, 0.0]), length, angle, row.nap, &grain_paint(i));
    }
    let look = Look { curve: colour, width: 2.0, dot: 2.8, slip: SLIP, slip_length: 17.0 };
    draw_curve(svg, &frame, limit, &Paint::stroke(look.curve, look.width));
    draw_tractions(svg, &frame, &limit.tractions(12), &look);
}

/// Smallest and largest friction, and how far it turns from straight against the slip.
fn draw_numbers(svg: &mut Svg, spread: &Spread) {
    let style = Text::new(11.0, INK);
    let y = PANEL[1] - 8.0;
    let [smallest, largest] = [spread.smallest, spread.largest].map(short);
    let range = if smallest == largest { largest } else { format!("{smallest} – {largest}") };
    svg.text([8.0, y], &range, &style);
    let turned = format!("turns {:.0}°", spread.turned);
    svg.text([PANEL[0] - 8.0, y], &turned, &style.anchor(Anchor::End));
}

/// Anisotropy over the angle between the grains, from parallel to crossed.
fn draw_charts(svg: &mut Svg, rows: &[Row], top: f64) -> Result<(), CliError> {
    let mut ratio = Vec::new();
    let mut turn = Vec::new();
    for row in rows {
        let mut points = [Vec::new(), Vec::new()];
        for degrees in (0..=90).map(f64::from) {
            let spread = row.limit(degrees, 4)?.spread();
            points[0].push([degrees, spread.largest / spread.smallest]);
            points[1].push([degrees, spread.turned]);
        }
        let [ratios, turns] = points;
        ratio.push(Series { name: row.name.to_owned(), points: ratios });
        turn.push(Series { name: row.name.to_owned(), points: turns });
    }
    let chart = |title: &str, label: &str, unit: &str, legend, series| Chart {
        title: title.to_owned(),
        x: Axis { label: "angle between the grains".into(), unit: "°".into(), step: Some(22.5) },
        y: Axis { label: label.to_owned(), unit: unit.to_owned(), step: None },
        equal_aspect: false,
        legend,
        series,
    };
    let first = Area { corner: [30.0, top], size: [590.0, CHART] };
    chart("How anisotropic", "largest / smallest", "", false, ratio).draw(svg, first);
    let second = Area { corner: [660.0, top], size: [810.0, CHART] };
    let title = "How far friction turns from straight against the slip";
    chart(title, "largest turn", "°", true, turn).draw(svg, second);
    Ok(())
}
