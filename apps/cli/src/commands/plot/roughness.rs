//! `asperity plot roughness`: friction against the roughness of two surfaces (Andrews et al. 2021, Fig. 2).

use std::path::PathBuf;

use asperity_chart::axes::{Axis, Chart, Series};
use asperity_chart::sheet;
use asperity_verify::appearance::roughness::{growth, sampled_growth};

use crate::error::CliError;
use crate::output::{print, write_picture};

/// Options of `asperity plot roughness`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Texels of the maps in millimetres, a pair of curves each: the same heights over finer texels are steeper.
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
    let mut series = Vec::new();
    for millimetres in &args.texels {
        let texel = 1e-3 * millimetres;
        let points = |each: usize| {
            let count = ((POWERS[1] - POWERS[0]) * each as f64).round() as usize;
            let power = move |k: usize| POWERS[0] + k as f64 / each as f64;
            (0..=count).map(power).filter(move |p| 1e-6 * 10_f64.powf(*p) < STEEPEST * texel)
        };
        let mu = |power: f64| args.ambient + growth(1e-6 * 10_f64.powf(power), texel);
        series.push(Series {
            name: format!("texels of {millimetres} mm"),
            points: points(CURVE).map(|p| [p, mu(p)]).collect(),
        });
        let sampled = points(SAMPLED).map(|p| {
            let rms = 1e-6 * 10_f64.powf(p);
            Ok([p, args.ambient + sampled_growth(rms, texel)?])
        });
        let sampled: Result<Vec<[f64; 2]>, CliError> = sampled.collect();
        series.push(Series { name: format!("sampled, {millimetres} mm"), points: sampled? });
    }
    let chart = Chart {
        title: String::new(),
        x: Axis {
            label: "log10 of RMS roughness / µm".to_owned(),
            step: Some(1.0),
            ..Axis::default()
        },
        y: Axis::new("coefficient of friction", ""),
        equal_aspect: false,
        legend: true,
        series,
    };
    let said = "constant on smooth surfaces, growing once slopes are visible; closed form and generated maps";
    let picture = sheet::draw("Friction against roughness", said, &[chart]);
    let files = write_picture(&args.output, &picture)?;
    print(&files.iter().map(|file| format!("wrote {}\n", file.display())).collect::<String>());
    Ok(())
}
