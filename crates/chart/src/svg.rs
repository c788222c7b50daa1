//! A small SVG builder: pixels, y downwards, elements in the order they are drawn.

use std::fmt::{self, Write};

/// A point in pixels, or in the units of a chart.
pub type Point = [f64; 2];

/// A picture that grows by drawing on it. Its text, as SVG, is its `Display`.
#[derive(Debug, Clone)]
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// How a shape is filled and stroked. Starts from [`Paint::fill`] or [`Paint::stroke`].
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Paint<'a> {
    fill: &'a str,
    stroke: &'a str,
    width: f64,
    dash: Option<[f64; 2]>,
    opacity: f64,
}

impl<'a> Paint<'a> {
    /// Filled with a colour, no stroke.
    pub const fn fill(colour: &'a str) -> Paint<'a> {
        Paint { fill: colour, stroke: "none", width: 0.0, dash: None, opacity: 1.0 }
    }

    /// A line of this colour and width, no fill.
    pub const fn stroke(colour: &'a str, width: f64) -> Paint<'a> {
        Paint { fill: "none", stroke: colour, width, dash: None, opacity: 1.0 }
    }

    /// Also stroked.
    pub const fn and_stroke(self, colour: &'a str, width: f64) -> Paint<'a> {
        Paint { stroke: colour, width, ..self }
    }

    /// Dashed: pixels drawn, pixels left out.
    pub const fn dashed(self, on: f64, off: f64) -> Paint<'a> {
        Paint { dash: Some([on, off]), ..self }
    }

    /// Between 0, invisible, and 1, solid.
    pub const fn opacity(self, opacity: f64) -> Paint<'a> {
        Paint { opacity, ..self }
    }
}

impl fmt::Display for Paint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, r#"fill="{}""#, self.fill)?;
        if self.stroke != "none" {
            write!(f, r#" stroke="{}" stroke-width="{}""#, self.stroke, number(self.width))?;
            f.write_str(r#" stroke-linejoin="round" stroke-linecap="round""#)?;
        }
        if let Some([on, off]) = self.dash {
            write!(f, r#" stroke-dasharray="{} {}""#, number(on), number(off))?;
        }
        if self.opacity < 1.0 {
            write!(f, r#" opacity="{}""#, number(self.opacity))?;
        }
        Ok(())
    }
}

/// Which part of a text stands at its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// How a text looks.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Text<'a> {
    size: f64,
    colour: &'a str,
    anchor: Anchor,
    bold: bool,
    upwards: bool,
}

impl<'a> Text<'a> {
    /// Upright text of this size that begins at its point.
    pub const fn new(size: f64, colour: &'a str) -> Text<'a> {
        Text { size, colour, anchor: Anchor::Start, bold: false, upwards: false }
    }

    /// Another part at its point.
    pub const fn anchor(self, anchor: Anchor) -> Text<'a> {
        Text { anchor, ..self }
    }

    /// Bold.
    pub const fn bold(self) -> Text<'a> {
        Text { bold: true, ..self }
    }

    /// Running upwards, for the label of a vertical axis.
    pub const fn upwards(self) -> Text<'a> {
        Text { upwards: true, ..self }
    }
}

impl Svg {
    /// A white canvas.
    pub fn new(width: f64, height: f64) -> Svg {
        let mut svg = Svg { width, height, body: String::new() };
        svg.rect([0.0, 0.0], [width, height], &Paint::fill("#ffffff"));
        svg
    }

    /// A line from `a` to `b`.
    pub fn line(&mut self, a: Point, b: Point, paint: &Paint) {
        let ([x1, y1], [x2, y2]) = (a.map(number), b.map(number));
        self.add(&format!(r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {paint}/>"#));
    }

    /// An open line through points.
    pub fn polyline(&mut self, points: &[Point], paint: &Paint) {
        self.add(&format!(r#"<polyline points="{}" {paint}/>"#, list(points)));
    }

    /// A closed line through points.
    pub fn polygon(&mut self, points: &[Point], paint: &Paint) {
        self.add(&format!(r#"<polygon points="{}" {paint}/>"#, list(points)));
    }

    /// A circle.
    pub fn circle(&mut self, centre: Point, radius: f64, paint: &Paint) {
        let ([x, y], r) = (centre.map(number), number(radius));
        self.add(&format!(r#"<circle cx="{x}" cy="{y}" r="{r}" {paint}/>"#));
    }

    /// A rectangle by its upper left corner and its size.
    pub fn rect(&mut self, corner: Point, size: Point, paint: &Paint) {
        let ([x, y], [w, h]) = (corner.map(number), size.map(number));
        self.add(&format!(r#"<rect x="{x}" y="{y}" width="{w}" height="{h}" {paint}/>"#));
    }

    /// A line with a head at `to`, in the paint's stroke. Nothing where it has no length.
    pub fn arrow(&mut self, from: Point, to: Point, paint: &Paint) {
        let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        let length = dx.hypot(dy);
        if length < 1e-3 {
            return;
        }
        let (ux, uy) = (dx / length, dy / length);
        let head = (3.5 + 3.0 * paint.width).min(0.6 * length);
        let base = [to[0] - ux * head, to[1] - uy * head];
        let half = 0.36 * head;
        self.line(from, base, paint);
        let wings = [[-uy * half, ux * half], [uy * half, -ux * half]];
        let [left, right] = wings.map(|w| [base[0] + w[0], base[1] + w[1]]);
        self.polygon(&[to, left, right], &Paint::fill(paint.stroke).opacity(paint.opacity));
    }

    /// A line of text whose baseline passes through `at`.
    pub fn text(&mut self, at: Point, text: &str, style: &Text) {
        let ([x, y], size) = (at.map(number), number(style.size));
        let anchor = match style.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let bold = if style.bold { r#" font-weight="bold""# } else { "" };
        let turn = if style.upwards {
            format!(r#" transform="rotate(-90 {x} {y})""#)
        } else {
            String::new()
        };
        self.add(&format!(
            r#"<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{}"{bold}{turn}>{}</text>"#,
            style.colour,
            escape(text)
        ));
    }

    /// Everything that `draw` draws, moved by `offset`.
    pub fn group(&mut self, offset: Point, draw: impl FnOnce(&mut Svg)) {
        let [x, y] = offset.map(number);
        self.add(&format!(r#"<g transform="translate({x} {y})">"#));
        draw(self);
        self.add("</g>");
    }

    fn add(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }
}

impl fmt::Display for Svg {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [w, h] = [self.width, self.height].map(number);
        writeln!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" font-family="{FONT}, Verdana, sans-serif">"#
        )?;
        f.write_str(&self.body)?;
        f.write_str("</svg>\n")
    }
}

/// The font the layout is made for.
pub const FONT: &str = "DejaVu Sans";

/// A coordinate with at most two decimals and no needless zeros. What is not finite becomes 0,
/// for an SVG with `NaN` in it is no SVG; callers leave such points out.
fn number(x: f64) -> String {
    let rounded = (x * 100.0).round() / 100.0;
    // Adding zero turns −0 into 0.
    if rounded.is_finite() { format!("{}", rounded + 0.0) } else { "0".to_owned() }
}

fn list(points: &[Point]) -> String {
    let mut text = String::with_capacity(14 * points.len());
    for (i, [x, y]) in points.iter().map(|p| p.map(number)).enumerate() {
        let gap = if i == 0 { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = write!(text, "{gap}{x},{y}");
    }
    text
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_few_decimals() {
        let cases = [
            (1.0, "1"),
            (0.125, "0.13"),
            (-0.004, "0"),
            (-0.0, "0"),
            (1234.5, "1234.5"),
            (-2.499_999, "-2.5"),
            (f64::NAN, "0"),
            (f64::INFINITY, "0"),
        ];
        for (x, text) in cases {
            assert_eq!(number(x), text);
        }
    }

    #[test]
    fn text_is_escaped() {
        let mut svg = Svg::new(10.0, 10.0);
        svg.text([1.0, 2.0], "a < b & c", &Text::new(10.0, "black"));
        assert!(svg.to_string().contains(">a &lt; b &amp; c</text>"));
    }

    #[test]
    fn an_arrow_ends_at_its_tip_and_one_without_length_is_not_drawn() {
        let mut svg = Svg::new(10.0, 10.0);
        let blank = svg.to_string();
        svg.arrow([5.0, 5.0], [5.0, 5.0], &Paint::stroke("black", 1.0));
        assert_eq!(svg.to_string(), blank);
        svg.arrow([0.0, 5.0], [30.0, 5.0], &Paint::stroke("black", 1.0));
        assert!(svg.to_string().contains(r#"points="30,5 23.5,7.34 23.5,2.66""#), "{svg}");
    }

    #[test]
    fn groups_are_closed() {
        let mut svg = Svg::new(10.0, 10.0);
        svg.group([3.0, 4.0], |svg| svg.circle([0.0, 0.0], 1.0, &Paint::fill("red")));
        let text = svg.to_string();
        assert_eq!(text.matches("<g ").count(), text.matches("</g>").count());
        assert!(text.contains(r#"<g transform="translate(3 4)">"#));
    }
}
