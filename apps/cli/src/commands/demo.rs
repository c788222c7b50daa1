//! `asperity demo`: what friction models do: first in a scene, then side by side.

mod sheet;

use std::f64::consts::FRAC_PI_4;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use asperity::friction::section::{Composition, Coulomb, FrictionTensors, Matchstick, Section};
use asperity::friction::surface::{Structure, Surface, SurfaceTensor};
use asperity::glamx::DVec2;
use asperity::incline::{Incline, Sample};

use crate::ending::Ending;
use crate::error::CliError;
use crate::output::{write_picture, write_whole};
use asperity_chart::Svg;
use asperity_chart::axes::{Area, Axis, Chart, Series};
use sheet::{Finding, comparison_sheet};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder for the pictures.
    #[arg(long, default_value = "out/demo")]
    out: PathBuf,
}

/// Slope of the incline, degrees.
const SLOPE: f64 = 35.0;

/// The scene that is run.
const RAMP: &str = include_str!("../../../../scenes/rigid/two_boxes_on_a_ramp.toml");

/// Runs everything; false where the scene misses one of its expectations.
pub(crate) fn run(args: &Args) -> Result<bool, CliError> {
    std::fs::create_dir_all(&args.out).map_err(CliError::at(&args.out))?;
    let met = ramp(&args.out)?;
    compare(&args.out)?;
    Ok(met)
}

/// Two identical boxes on a ramp, with the commands that anyone could type.
fn ramp(out: &Path) -> Result<bool, CliError> {
    println!(
        "Two identical boxes on a ramp of 25 degrees, one turned by 90: one slides, one holds.\n"
    );
    let scene = out.join("ramp.toml");
    write_whole(&scene, RAMP.as_bytes())?;
    let [scene, run, picture, film] =
        [scene, out.join("ramp"), out.join("ramp.png"), out.join("ramp.gif")]
            .map(|path| path.to_string_lossy().into_owned());
    let met = shell(&["run", &scene, "--out", &run])?;
    shell(&["plot", "run", &run])?;
    shell(&[
        "render",
        &run,
        "-o",
        &picture,
        "--strobe",
        "5",
        "--overlay",
        "forces",
        "--size",
        "960x540",
    ])?;
    shell(&["render", &run, "-o", &film, "--size", "480x270", "--fps", "12"])?;
    println!();
    Ok(met)
}

fn shell(words: &[&str]) -> Result<bool, CliError> {
    println!("$ asperity {}", words.join(" "));
    crate::execute_words(words).map(|ending| ending == Ending::Good)
}

fn compare(out: &Path) -> Result<(), CliError> {
    println!("One pair of materials, six friction models, five angles between their grains.");
    println!("Smallest and largest friction per unit load over all directions of slip:\n");
    let sheet = comparison_sheet()?;
    print!("{}", spread_table(&sheet.findings));
    println!(
        "\nA point mass let go on a {SLOPE} degree slope, its grain 45 degrees off the fall line:\n"
    );
    let paths = slide()?;
    for (name, samples) in &paths {
        if let Some(last) = samples.last() {
            let worst = samples.iter().fold(0.0_f64, |m, s| m.max(s.residual));
            println!(
                "  {name:36} heads {:6.2} deg off the fall line, {:.3} m in {} s (residual {worst:.0e})",
                last.heading().to_degrees(),
                last.position.length(),
                last.time
            );
        }
    }
    println!(
        "\nThe tensor and the cone have the same limit curve, an ellipse of 0.2 along and 0.5 across\n\
         the grain. The cone carries the force that dissipates most, the tensor the one it is told\n\
         to: they slide in different directions.\n"
    );
    let mut written = write_picture(&out.join("friction_models"), &sheet.picture)?;
    written.extend(write_picture(&out.join("headings"), &headings_picture(&paths))?);
    for path in written {
        println!("wrote {}", path.display());
    }
    Ok(())
}

fn spread_table(findings: &[Finding]) -> String {
    let mut text = String::new();
    let mut last = "";
    for finding in findings {
        if finding.model != last {
            let end = if last.is_empty() { "" } else { "\n" };
            let _ = write!(text, "{end}  {:34}", finding.model);
            last = finding.model;
        }
        let _ = write!(
            text,
            "  {:4.1} deg {:.2}-{:.2}",
            finding.degrees, finding.spread.smallest, finding.spread.largest
        );
    }
    text + "\n"
}

/// The same mass with different friction.
fn slide() -> Result<Vec<(&'static str, Vec<Sample>)>, CliError> {
    let grained = |name: &str| {
        let tensor = SurfaceTensor::orthotropic(0.2, 0.5)?;
        Ok::<_, CliError>(
            Surface::new(name).with_structure(Structure::Constant(DVec2::X)).with_tensor(tensor),
        )
    };
    let (plane, mass) = (grained("plane")?, grained("mass")?);
    let half = Composition::Additive { kappa: 0.5 };
    let models: [(&'static str, Box<dyn Section>); 3] = [
        ("Coulomb, 0.35", Box::new(Coulomb::new(0.35)?)),
        ("friction tensors, 0.2 and 0.5", Box::new(FrictionTensors::new(half)?)),
        ("matchstick cone, 0.2 and 0.5", Box::new(Matchstick::new(0.35, 0.2, 0.5)?)),
    ];
    let path = |(name, section): &(&'static str, Box<dyn Section>)| {
        let incline = Incline {
            slope: SLOPE.to_radians(),
            section: section.as_ref(),
            plane: (&plane, FRAC_PI_4),
            mass: (&mass, FRAC_PI_4),
            dt: 0.01,
        };
        (*name, incline.run(1.0))
    };
    Ok(models.iter().map(path).collect())
}

fn headings_picture(paths: &[(&'static str, Vec<Sample>)]) -> Svg {
    let axis = |label: &str| Axis { label: label.to_owned(), unit: "m".to_owned(), step: None };
    let chart = Chart {
        title: format!(
            "A point mass on a {SLOPE} degree slope, grain at 45 degrees, 1 s from rest"
        ),
        x: axis("down the fall line"),
        y: axis("across"),
        equal_aspect: true,
        legend: true,
        series: paths
            .iter()
            .map(|(name, samples)| Series {
                name: (*name).to_owned(),
                points: samples.iter().map(|s| s.position.to_array()).collect(),
            })
            .collect(),
    };
    let mut svg = Svg::new(900.0, 560.0);
    chart.draw(&mut svg, Area { corner: [70.0, 60.0], size: [790.0, 430.0] });
    svg
}
