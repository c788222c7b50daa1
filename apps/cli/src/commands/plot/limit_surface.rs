//! `asperity plot limit-surface`: what a patch can carry (Figs. 14 and 15).

use std::io::Write as _;
use std::path::{Path, PathBuf};

use asperity::friction::extent::{LimitMap, Pressure, Shape, Table};
use asperity::glamx::{DVec2, DVec3};
use clap::ValueEnum;

use crate::error::CliError;
use crate::output::write_picture;
use asperity_chart::axes::{Area, Axis, Chart, Series};
use asperity_chart::{Anchor, GREY, INK, PALETTE, Paint, Point, Svg, Text};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Patches to compare; the first is also drawn in space.
    #[arg(long = "shape", value_name = "NAME", default_values = ["circle", "square", "line"])]
    shapes: Vec<Name>,
    /// Cells along a side.
    #[arg(long, default_value_t = 101)]
    cells: usize,
    /// Beginning of the pictures' names; each is written as .svg and .png.
    #[arg(short, long, value_name = "STEM", default_value = "limit_surface")]
    output: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    Circle,
    Square,
    Line,
    LineGradient,
    LineGradientX,
    NonConvex1,
    NonConvex2,
    Hertz,
}

impl Name {
    fn shape(self) -> Shape {
        match self {
            Name::Circle => Shape::Circle,
            Name::Square => Shape::Square,
            Name::Line => Shape::Line,
            Name::LineGradient => Shape::LineGradient,
            Name::LineGradientX => Shape::LineGradientX,
            Name::NonConvex1 => Shape::NonConvex1,
            Name::NonConvex2 => Shape::NonConvex2,
            Name::Hertz => Shape::Hertz { radius: 0.01, exponent: 2.0 },
        }
    }

    fn text(self) -> String {
        self.to_possible_value().map_or(String::new(), |v| v.get_name().replace('-', " "))
    }
}

/// N_ls of the tables.
const RESOLUTION: usize = 60;
/// Velocities that are marked: tan φ = v/(r ω), φ in degrees.
const MARKED: [f64; 5] = [15.0, 30.0, 45.0, 60.0, 75.0];
/// Widest dimension of the plot area, pixels.
const AREA: Area = Area { corner: [24.0, 90.0], size: [800.0, 560.0] };

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let mut curves = vec![Curve::of("ellipsoid", &LimitMap::Ellipsoid, 1.0, DVec2::X)];
    let mut first = None;
    for name in &args.shapes {
        let pressure = name.shape().pressure(args.cells, 0.02)?;
        let map = LimitMap::from(Table::new(&pressure, RESOLUTION)?);
        let r = pressure.spin_radius();
        let (label, across) = (name.text(), !round(*name));
        let along_x = if across { format!("{label}, along x") } else { label.clone() };
        curves.push(Curve::of(&along_x, &map, r, DVec2::X));
        if across {
            curves.push(Curve::of(&format!("{label}, along y"), &map, r, DVec2::Y));
        }
        first.get_or_insert((label, pressure, map));
    }
    let stem = |part: &str| {
        let name = args.output.file_name().unwrap_or_default().to_string_lossy().into_owned();
        args.output.with_file_name(format!("{name}_{part}"))
    };
    let mut text = String::new();
    let mut write = |path: &Path, svg: &Svg| -> Result<(), CliError> {
        for file in write_picture(path, svg)? {
            text += &format!("{}\n", file.display());
        }
        Ok(())
    };
    write(&stem("curves"), &compare(&curves))?;
    if let Some((label, pressure, map)) = first {
        write(&stem("space"), &in_space(&label, &pressure, &map))?;
    }
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(())
}

/// Whether sliding along x and y is alike.
fn round(name: Name) -> bool {
    matches!(name, Name::Circle | Name::Square | Name::Hertz)
}

/// Force against the sliding and torque against the spin, over the largest ones.
struct Curve {
    name: String,
    points: Vec<Point>,
    marks: Vec<Point>,
}

impl Curve {
    fn of(name: &str, map: &LimitMap, r: f64, along: DVec2) -> Curve {
        let at = |phi: f64| {
            let (sin, cos) = phi.sin_cos();
            let h = map.lookup(r, (along * (r * sin)).extend(cos));
            [-along.dot(DVec2::new(h.x, h.y)), -h.z]
        };
        let steps = 400;
        let angle = |k: i32| std::f64::consts::FRAC_PI_2 * f64::from(k) / f64::from(steps);
        Curve {
            name: name.to_owned(),
            points: (0..=steps).map(|k| at(angle(k))).collect(),
            marks: MARKED.iter().map(|d| at(d.to_radians())).collect(),
        }
    }
}

fn compare(curves: &[Curve]) -> Svg {
    let series = |c: &Curve| Series { name: c.name.clone(), points: c.points.clone() };
    let axis = |label: &str| Axis { label: label.to_owned(), unit: String::new(), step: Some(0.2) };
    let chart = Chart {
        title: String::new(),
        x: axis("force / largest force"),
        y: axis("torque / torque of pure spin"),
        equal_aspect: false,
        legend: true,
        series: curves.iter().map(series).collect(),
    };
    let [width, height] = AREA.size;
    let mut svg = Svg::new(width + 48.0, height + AREA.corner[1] + 24.0);
    let head = Text::new(19.0, INK).bold();
    svg.text([24.0, 42.0], "Limit curves of patches under Coulomb friction", &head);
    let said = "dots: v/(r ω) = tan 15°, 30°, 45°, 60°, 75°, from pure spin (top) to pure sliding";
    svg.text([24.0, 64.0], said, &Text::new(12.5, GREY));
    chart.draw(&mut svg, AREA);
    let frame = chart.frame(AREA);
    for (i, curve) in curves.iter().enumerate() {
        for mark in &curve.marks {
            let paint = Paint::fill(PALETTE[i % PALETTE.len()]).and_stroke("#ffffff", 1.0);
            svg.circle(frame.at(*mark), 5.0, &paint);
        }
    }
    svg
}

/// The whole surface, drawn from the back to the front.
fn in_space(label: &str, pressure: &Pressure, map: &LimitMap) -> Svg {
    let r = pressure.spin_radius();
    let node = |i: usize, j: usize| {
        let (theta, phi) =
            (i as f64 / ROUND as f64 * std::f64::consts::TAU, j as f64 / DOWN as f64);
        let ((st, ct), (sp, cp)) = (theta.sin_cos(), (phi * std::f64::consts::PI).sin_cos());
        map.lookup(r, DVec3::new(r * ct * sp, r * st * sp, cp))
    };
    // Seen from above, from the side of −y and a little of +x.
    let (turn, tilt) = (0.6_f64, 0.42_f64);
    let seen = |p: DVec3| {
        let x = p.x * turn.cos() - p.y * turn.sin();
        let y = p.x * turn.sin() + p.y * turn.cos();
        DVec3::new(x, p.z * tilt.cos() + y * tilt.sin(), y * tilt.cos() - p.z * tilt.sin())
    };
    let (size, scale) = ([720.0, 660.0], 205.0);
    let pixel = |p: DVec3| [0.5 * size[0] + scale * p.x, 0.56 * size[1] - scale * p.y];
    let mut faces: Vec<(f64, [DVec3; 4], f64)> = Vec::new();
    for i in 0..ROUND {
        for j in 0..DOWN {
            let corners = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
            let height = corners.iter().map(|c| c.z).sum::<f64>() / 4.0;
            let corners = corners.map(seen);
            let depth = corners.iter().map(|c| c.z).sum::<f64>() / 4.0;
            faces.push((depth, corners, height));
        }
    }
    faces.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut svg = Svg::new(size[0], size[1]);
    let title = format!("Normalised limit surface: {label}");
    svg.text([24.0, 42.0], &title, &Text::new(19.0, INK).bold());
    let said =
        "f_x and f_y over the largest force, torque over that of pure spin; lines: equal twists";
    svg.text([24.0, 64.0], said, &Text::new(12.5, GREY));
    let axes = [(DVec3::X, "f_x"), (DVec3::Y, "f_y"), (DVec3::Z, "torque")];
    let draw_axis = |svg: &mut Svg, axis: DVec3, name: &str| {
        svg.line(pixel(seen(axis)), pixel(seen(axis * 1.3)), &Paint::stroke(INK, 1.5));
        let text = Text::new(14.0, INK).anchor(Anchor::Middle);
        svg.text(pixel(seen(axis * 1.42)), name, &text);
    };
    for (_, corners, height) in &faces {
        let part = 0.5 + 0.5 * height.clamp(-1.0, 1.0);
        let mix = |low: f64, high: f64| (low + (high - low) * part).round() as u8;
        let (red, green, blue) = (mix(36.0, 240.0), mix(84.0, 214.0), mix(140.0, 120.0));
        let colour = format!("#{red:02x}{green:02x}{blue:02x}");
        let outline: Vec<Point> = corners.iter().map(|c| pixel(*c)).collect();
        svg.polygon(&outline, &Paint::fill(&colour).and_stroke("#00000040", 0.6));
    }
    // What points away is behind the surface, so its opposite end is shown.
    for (axis, name) in axes {
        if seen(axis).z > 0.0 {
            draw_axis(&mut svg, -axis, &format!("−{name}"));
        } else {
            draw_axis(&mut svg, axis, name);
        }
    }
    svg
}

/// Faces around the torque axis and from one pole to the other.
const ROUND: usize = 72;
const DOWN: usize = 36;
