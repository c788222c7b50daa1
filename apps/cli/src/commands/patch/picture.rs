//! The picture of `asperity patch`.

use asperity::friction::set::{BoxSet, Interval, Rotation, Set};

use super::Args;
use super::report::Report;
use crate::error::CliError;
use asperity_chart::axes::{Area, Frame};
use asperity_chart::cone::{draw_axes, draw_curve, draw_inside};
use asperity_chart::limit::Limit;
use asperity_chart::{GREY, INK, PALETTE, Paint, Svg, Text, exact, short};

const WIDTH: f64 = 780.0;
const LEFT: f64 = 72.0;
const SIDE: f64 = WIDTH - LEFT - 28.0;
const TOP: f64 = 92.0;
const LINE: f64 = 24.0;
const POLYGON: &str = PALETTE[0];
const BOX: &str = PALETTE[1];
const CURVE: &str = PALETTE[2];

/// The set of forces on B: the polygon of support points, the curve it is cut from, and the box.
pub(super) fn draw(report: &Report, args: &Args) -> Result<Svg, CliError> {
    let limit = Limit::new(&report.set, 360)?;
    let four = four_bounds(report);
    let boxed = four.as_ref().map(|set| Limit::new(set, 4)).transpose()?;
    let mut svg = Svg::new(WIDTH, TOP + SIDE + 66.0 + 4.0 * LINE);
    let name = |path: &std::path::Path| {
        path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    };
    let title = format!("{} on {}", name(&args.b), name(&args.a));
    svg.text([LEFT, 42.0], &title, &Text::new(20.0, INK).bold());
    let turned = format!(
        "B turned by {} degrees; {} directions, {} × {} texels",
        exact(args.rotate_b),
        report.directions.len(),
        args.resolution,
        args.resolution
    );
    svg.text([LEFT, 68.0], &turned, &Text::new(14.0, GREY));

    let reach = boxed.as_ref().map_or(0.0, Limit::reach).max(limit.reach());
    let half = if reach > 0.0 { 1.15 * reach } else { 1.0 };
    let area = Area { corner: [LEFT, TOP], size: [SIDE, SIDE] };
    let frame = Frame::new(area, [-half, half], [-half, half], true);
    draw_inside(&mut svg, &frame, &limit);
    draw_axes(&mut svg, &frame);
    let box_paint = Paint::stroke(BOX, 1.5).dashed(6.0, 5.0);
    if let Some(boxed) = &boxed {
        draw_curve(&mut svg, &frame, boxed, &box_paint);
    }
    let curve: Vec<_> = report.curve.iter().map(|p| frame.at(*p)).collect();
    let curve_paint = Paint::stroke(CURVE, 1.2);
    svg.polygon(&curve, &curve_paint);
    let polygon_paint = Paint::stroke(POLYGON, 2.5);
    draw_curve(&mut svg, &frame, &limit, &polygon_paint);
    let dot = Paint::fill(POLYGON).and_stroke("#ffffff", 0.8);
    for direction in &report.directions {
        svg.circle(frame.at(direction.force), 4.0, &dot);
    }
    let [low, high] = report.range();
    let mut entries = vec![
        (
            Some(&polygon_paint),
            format!("forces on B: polygon of support points, mu {} to {}", short(low), short(high)),
        ),
        (Some(&curve_paint), "the same with 360 directions".to_owned()),
    ];
    if boxed.is_some() {
        entries.push((Some(&box_paint), "four bounds along x and y (Eq. 9)".to_owned()));
    }
    if let Some(angle) = report.principal {
        entries.push((None, format!("most friction for motion along {} degrees", short(angle))));
    }
    for (i, (paint, text)) in entries.iter().enumerate() {
        let y = TOP + SIDE + 66.0 + LINE * i as f64;
        if let Some(paint) = paint {
            svg.line([LEFT, y], [LEFT + 40.0, y], paint);
        }
        svg.text([LEFT + 52.0, y + 5.0], text, &Text::new(13.0, INK));
    }
    Ok(svg)
}

/// The box of Eq. 9, where the directions hold x, y and their opposites.
fn four_bounds(report: &Report) -> Option<Set> {
    let count = report.directions.len();
    if !count.is_multiple_of(4) {
        return None;
    }
    let mu = |quarter: usize| report.directions[quarter * count / 4].mu;
    let first = Interval::new(-mu(0), mu(2)).ok()?;
    let second = Interval::new(-mu(1), mu(3)).ok()?;
    Some(BoxSet::new(first, second, Rotation::IDENTITY).into())
}
