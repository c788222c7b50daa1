//! `asperity plot roughness`: friction against the roughness of two surfaces (Andrews et al. 2021, Fig. 2).

use std::path::PathBuf;

use asperity_chart::axes::{Area, Axis, Chart, Series};
use asperity_chart::{GREY, INK, PALETTE, Paint, Svg, Text};
use asperity_verify::appearance::roughness::{growth, sampled_growth};

use crate::error::CliError;
use crate::output::{print, write_picture};

/// Options of `asperity plot roughness`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Texels of the maps in millimetres, a curve each: the same heights over finer texels are steeper.
    #[arg(long, value_name = "MM", value_delimiter = ',', default_values_t = [1.0, 0.1, 0.01])]
    texels: Vec<f64>,
    /// Coefficient that is left on smooth surfaces.
    #[arg(long, value_name = "MU", default_value_t = 0.2)]
    ambient: f64,
    /// Beginning of the pictures' names; written as .svg and .png.
    #[arg(short, long, value_name = "STEM", default_value = "roughness")]
    output: PathBuf,
}

/// Deviations of heights: powers of ten, micrometres; and points for each power.
const POWERS: [f64; 2] = [-2.0, 3.0];
const CURVE: usize = 20;
const SAMPLED: usize = 3;
/// Steeper maps than of this slope are not drawn: slopes are cut at 10.
const STEEPEST: f64 = 2.0;
/// Where the chart is, pixels.
const AREA: Area = Area { corner: [24.0, 90.0], size: [800.0, 460.0] };

/// Draws the curves and says where the pictures are.
pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let good = |x: &f64| x.is_finite() && *x > 0.0;
    if args.texels.is_empty() || !args.texels.iter().all(good) {
        let message = "--texels: expected millimetres above zero".to_owned();
        return Err(CliError::Input(message));
    }
    if !args.ambient.is_finite() || args.ambient < 0.0 {
        let message = format!("--ambient is {}; expected zero or more", args.ambient);
        return Err(CliError::Input(message));
    }
    let (mut series, mut dots) = (Vec::new(), Vec::new());
    for (number, millimetres) in args.texels.iter().enumerate() {
        let texel = 1e-3 * millimetres;
        let points = |each: usize| {
            let count = ((POWERS[1] - POWERS[0]) * each as f64).round() as usize;
            let power = move |k: usize| POWERS[0] + k as f64 / each as f64;
            (0..=count).map(power).filter(move |p| 1e-6 * 10_f64.powf(*p) < STEEPEST * texel)
        };
        let mu = |power: f64| args.ambient + growth(1e-6 * 10_f64.powf(power), texel);
        let name = format!("texels of {millimetres} mm");
        series.push(Series { name, points: points(CURVE).map(|p| [p, mu(p)]).collect() });
        for power in points(SAMPLED) {
            let sampled = sampled_growth(1e-6 * 10_f64.powf(power), texel)?;
            dots.push((number, [power, args.ambient + sampled]));
        }
    }
    let label = "log10 of RMS roughness / µm".to_owned();
    let chart = Chart {
        title: String::new(),
        x: Axis { label, step: Some(1.0), ..Axis::default() },
        y: Axis::new("coefficient of friction", ""),
        equal_aspect: false,
        legend: true,
        series,
    };
    let [width, height] = AREA.size;
    let mut picture = Svg::new(width + 48.0, height + AREA.corner[1] + 24.0);
    let head = Text::new(19.0, INK).bold();
    picture.text([24.0, 42.0], "Friction against roughness", &head);
    let said = "constant on smooth surfaces, growing as slopes do; lines: closed form, dots: generated maps";
    picture.text([24.0, 64.0], said, &Text::new(12.5, GREY));
    chart.draw(&mut picture, AREA);
    let frame = chart.frame(AREA);
    for (number, dot) in dots {
        let paint = Paint::fill(PALETTE[number % PALETTE.len()]).and_stroke("#ffffff", 1.0);
        picture.circle(frame.at(dot), 5.0, &paint);
    }
    let mut text = String::new();
    for file in write_picture(&args.output, &picture)? {
        text += &format!("wrote {}\n", file.display());
    }
    print(&text);
    Ok(())
}
