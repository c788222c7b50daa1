//! Charts of y over x: round ticks, labels with units, a legend.

use crate::{Anchor, FAINT, GREY, INK, PALETTE, Paint, Point, Svg, Text};

/// Lines over common axes.
#[derive(Debug, Clone)]
pub struct Chart {
    /// Above the chart; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The same number of pixels per unit along both axes.
    pub equal_aspect: bool,
    /// Whether to name the series at the right.
    pub legend: bool,
    /// The lines, in the order of [`PALETTE`].
    pub series: Vec<Series>,
}

/// What an axis shows.
#[derive(Debug, Clone, Default)]
pub struct Axis {
    /// The quantity.
    pub label: String,
    /// Its unit; empty for a plain number.
    pub unit: String,
    /// Distance of the ticks; chosen where there is none.
    pub step: Option<f64>,
}

/// A named line. Points that are not finite interrupt it.
#[derive(Debug, Clone)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points, in the units of the axes.
    pub points: Vec<Point>,
}

/// A rectangle of the picture, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// Upper left corner.
    pub corner: Point,
    /// Width and height.
    pub size: Point,
}

const LABEL: f64 = 12.0;

impl Chart {
    /// Draws the chart, labels and all, into an area of the picture.
    pub fn draw(&self, svg: &mut Svg, area: Area) {
        let (frame, [x_ticks, y_ticks]) = self.layout(area);
        let Area { corner: [left, top], size: [width, height] } = frame.area;
        let (right, bottom) = (left + width, top + height);
        let tick = Text::new(LABEL - 1.0, INK);
        for value in &x_ticks.values {
            let x = frame.at([*value, frame.y[0]])[0];
            svg.line([x, top], [x, bottom], &Paint::stroke(FAINT, 1.0));
            let at = [x, bottom + LABEL + 4.0];
            svg.text(at, &x_ticks.label(*value), &tick.anchor(Anchor::Middle));
        }
        for value in &y_ticks.values {
            let y = frame.at([frame.x[0], *value])[1];
            svg.line([left, y], [right, y], &Paint::stroke(FAINT, 1.0));
            let at = [left - 6.0, y + 0.36 * LABEL];
            svg.text(at, &y_ticks.label(*value), &tick.anchor(Anchor::End));
        }
        svg.rect([left, top], [width, height], &Paint::stroke(GREY, 1.0));
        let name = Text::new(LABEL, INK).anchor(Anchor::Middle);
        svg.text([0.5 * (left + right), bottom + 36.0], &self.x.text(), &name);
        let y_name = [area.corner[0] + LABEL, 0.5 * (top + bottom)];
        svg.text(y_name, &self.y.text(), &name.upwards());
        svg.text([left, top - 10.0], &self.title, &Text::new(LABEL + 2.0, INK).bold());
        for (i, series) in self.series.iter().enumerate() {
            for run in series.points.split(|p| !p.iter().all(|c| c.is_finite())) {
                let pixels: Vec<Point> = run.iter().map(|p| frame.at(*p)).collect();
                svg.polyline(&pixels, &stroke(i));
            }
            if self.legend {
                let (x, y) = (right + 16.0, top + 10.0 + 20.0 * i as f64);
                svg.line([x, y], [x + 24.0, y], &stroke(i));
                svg.text([x + 32.0, y + 4.0], &series.name, &Text::new(LABEL, INK));
            }
        }
    }

    /// Where the data go when the chart is drawn into an area.
    pub fn frame(&self, area: Area) -> Frame {
        self.layout(area).0
    }

    /// Where the data go, and the ticks of both axes.
    fn layout(&self, area: Area) -> (Frame, [Ticks; 2]) {
        let longest = self.series.iter().map(|s| text_width(&s.name, LABEL)).fold(0.0, f64::max);
        let right = if self.legend { 56.0 + longest } else { 12.0 };
        let (left, bottom) = (62.0, 46.0);
        let top = if self.title.is_empty() { 12.0 } else { 30.0 };
        let [x0, y0] = area.corner;
        let size = [(area.size[0] - left - right).max(1.0), (area.size[1] - top - bottom).max(1.0)];
        let inner = Area { corner: [x0 + left, y0 + top], size };
        let [x, mut y] = [0, 1].map(|axis| self.range(axis));
        let ticks = |axis: &Axis, range: [f64; 2], length: f64, spacing: f64| match axis.step {
            Some(step) => Ticks::every(step, range),
            None => Ticks::about((length / spacing).max(2.0), range),
        };
        if !self.equal_aspect {
            // The vertical axis ends at ticks, so that lines do not touch the frame.
            let step = ticks(&self.y, y, size[1], 28.0).step;
            y = [(y[0] / step).floor() * step, (y[1] / step).ceil() * step];
        }
        let frame = Frame::new(inner, x, y, self.equal_aspect);
        let ticks =
            [ticks(&self.x, frame.x, size[0], 80.0), ticks(&self.y, frame.y, size[1], 28.0)];
        (frame, ticks)
    }

    /// Smallest and largest coordinate of all points along an axis; never empty.
    fn range(&self, axis: usize) -> [f64; 2] {
        let points = self.series.iter().flat_map(|s| &s.points);
        let finite = points.filter(|p| p.iter().all(|c| c.is_finite())).map(|p| p[axis]);
        let range = finite
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)]);
        match range {
            [low, high] if low < high => range,
            [low, _] if low.is_finite() => {
                let room = if low == 0.0 { 1.0 } else { 0.5 * low.abs() };
                [low - room, low + room]
            }
            _ => [0.0, 1.0],
        }
    }
}

impl Axis {
    /// Of a quantity and its unit, with ticks that are chosen.
    pub fn new(label: &str, unit: &str) -> Axis {
        Axis { label: label.to_owned(), unit: unit.to_owned(), step: None }
    }

    fn text(&self) -> String {
        match self.unit.as_str() {
            "" => self.label.clone(),
            unit => format!("{} [{unit}]", self.label),
        }
    }
}

fn stroke(i: usize) -> Paint<'static> {
    let paint = Paint::stroke(PALETTE[i % PALETTE.len()], 2.0);
    // A second round of the palette is dashed.
    if i < PALETTE.len() { paint } else { paint.dashed(6.0, 4.0) }
}

/// The map from the units of a chart to pixels.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// Where it lies.
    pub area: Area,
    /// Left and right end of the horizontal axis.
    pub x: [f64; 2],
    /// Lower and upper end of the vertical axis.
    pub y: [f64; 2],
}

impl Frame {
    /// Shows the ranges in the area. With equal aspect, one of them grows about its middle.
    pub fn new(area: Area, x: [f64; 2], y: [f64; 2], equal_aspect: bool) -> Frame {
        let mut frame = Frame { area, x, y };
        if equal_aspect {
            let scale = frame.scale(0).min(frame.scale(1));
            let grown = |[low, high]: [f64; 2], pixels: f64| {
                let (middle, half) = (0.5 * (low + high), 0.5 * pixels / scale);
                [middle - half, middle + half]
            };
            frame.x = grown(x, area.size[0]);
            frame.y = grown(y, area.size[1]);
        }
        frame
    }

    /// Pixels per unit along an axis.
    pub fn scale(&self, axis: usize) -> f64 {
        let [low, high] = [self.x, self.y][axis];
        self.area.size[axis] / (high - low)
    }

    /// A point of the chart in pixels.
    pub fn at(&self, p: Point) -> Point {
        let [left, top] = self.area.corner;
        [
            left + (p[0] - self.x[0]) * self.scale(0),
            top + self.area.size[1] - (p[1] - self.y[0]) * self.scale(1),
        ]
    }
}

/// Round numbers along an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    /// Their distance.
    pub step: f64,
    /// The numbers, growing.
    pub values: Vec<f64>,
}

impl Ticks {
    /// About so many in the range, at a distance of 1, 2 or 5 times a power of ten.
    pub fn about(count: f64, range: [f64; 2]) -> Ticks {
        let rough = (range[1] - range[0]) / count;
        let power = 10.0_f64.powf(rough.log10().floor());
        // The nearest of 1, 2, 5 and 10 by ratio.
        let factor = match rough / power {
            r if r < 2.0_f64.sqrt() => 1.0,
            r if r < 10.0_f64.sqrt() => 2.0,
            r if r < 50.0_f64.sqrt() => 5.0,
            _ => 10.0,
        };
        Ticks::every(factor * power, range)
    }

    /// The multiples of `step` in the range; none where that makes no sense.
    pub fn every(step: f64, [low, high]: [f64; 2]) -> Ticks {
        let slack = 1e-9;
        let (first, last) = ((low / step - slack).ceil(), (high / step + slack).floor());
        let count =
            if step > 0.0 && last >= first { (last - first).min(1000.0) as usize } else { 0 };
        let values = (0..=count).map(|i| (first + i as f64) * step).filter(|v| v.is_finite());
        Ticks { step, values: values.collect() }
    }

    /// A tick in just the decimals that tell it from its neighbours.
    pub fn label(&self, value: f64) -> String {
        let largest = self.values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let text = if value.abs() < 1e-9 * self.step {
            "0".to_owned()
        } else if self.step < 1e-4 || largest >= 1e6 {
            // Rounded first: 3 × 1e-7 is not quite 3e-7.
            let rounded: f64 = format!("{value:.9e}").parse().unwrap_or(value);
            format!("{rounded:e}")
        } else {
            let decimals = |d: &usize| {
                let scaled = self.step * 10.0_f64.powf(*d as f64);
                (scaled - scaled.round()).abs() < 1e-6 * scaled
            };
            let needed = (0..9).find(decimals).unwrap_or(9);
            format!("{value:.needed$}")
        };
        text.replace('-', "−")
    }
}

/// Estimated width of a text in pixels, rather too large than too small.
pub fn text_width(text: &str, size: f64) -> f64 {
    0.6 * size * text.chars().count() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Area = Area { corner: [100.0, 50.0], size: [400.0, 200.0] };

    fn labels(ticks: &Ticks) -> Vec<String> {
        ticks.values.iter().map(|v| ticks.label(*v)).collect()
    }

    #[test]
    fn ticks_are_round() {
        let cases: [([f64; 2], &[&str]); 6] = [
            ([0.0, 1.0], &["0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
            ([-0.55, 0.55], &["−0.4", "−0.2", "0", "0.2", "0.4"]),
            ([3.0, 47.0], &["10", "20", "30", "40"]),
            ([0.0, 4e-7], &["0", "1e−7", "2e−7", "3e−7", "4e−7"]),
            ([0.0, 4e6], &["0", "1e6", "2e6", "3e6", "4e6"]),
            ([99.9, 100.3], &["99.9", "100.0", "100.1", "100.2", "100.3"]),
        ];
        for (range, expected) in cases {
            assert_eq!(labels(&Ticks::about(5.0, range)), expected, "{range:?}");
        }
        let angles = Ticks::every(22.5, [0.0, 90.0]);
        assert_eq!(labels(&angles), ["0", "22.5", "45.0", "67.5", "90.0"]);
    }

    #[test]
    fn senseless_ticks_are_left_out() {
        for step in [0.0, -1.0, f64::NAN] {
            assert!(Ticks::every(step, [0.0, 1.0]).values.len() <= 1, "{step}");
        }
    }

    #[test]
    fn equal_aspect_keeps_the_middle_and_shows_everything() {
        let frame = Frame::new(AREA, [0.0, 1.0], [-2.0, 2.0], true);
        assert_eq!(frame.scale(0), frame.scale(1));
        assert_eq!(frame.at([0.5, 0.0]), [300.0, 150.0]);
        assert_eq!(frame.y, [-2.0, 2.0]);
        assert!(frame.x[0] < 0.0 && frame.x[1] > 1.0);
    }

    #[test]
    fn points_go_to_the_corners_of_the_frame() {
        let frame = Frame::new(AREA, [0.0, 2.0], [10.0, 20.0], false);
        assert_eq!(frame.at([0.0, 10.0]), [100.0, 250.0]);
        assert_eq!(frame.at([2.0, 20.0]), [500.0, 50.0]);
    }

    #[test]
    fn points_that_are_not_finite_interrupt_a_line() {
        let line = |points: Vec<Point>| {
            let mut svg = Svg::new(600.0, 300.0);
            let series = vec![Series { name: "force".into(), points }];
            let (x, y) = (Axis::default(), Axis { unit: "N".into(), ..Axis::default() });
            let title = String::new();
            Chart { title, x, y, equal_aspect: false, legend: true, series }.draw(&mut svg, AREA);
            svg.to_string()
        };
        let whole = line(vec![[0.0, 1.0], [1.0, 2.0]]);
        let broken = line(vec![[0.0, 1.0], [1.0, 1.0], [2.0, f64::NAN], [3.0, 2.0], [4.0, 1.0]]);
        assert_eq!(whole.matches("<polyline").count(), 1);
        assert_eq!(broken.matches("<polyline").count(), 2);
        assert!(!broken.contains("NaN") && broken.contains(">force</text>"));
        // Charts of nothing, and of one point, are drawn too.
        assert!(!line(vec![]).contains("NaN") && !line(vec![[1.0, 0.0]]).contains("NaN"));
    }
}
