//! `asperity patch`: the friction of two normal maps pressed together.

mod images;
mod maps;
mod picture;
mod report;

use std::path::PathBuf;

use asperity::friction::section::{Limit, Ploughing, Sampled as _};
use asperity::friction::set::Rotation;
use asperity::friction::surface::patch::{Sampler, Sampling, Window};
use asperity_verify::pressed::Pressed;

use crate::error::CliError;
use crate::output::{print, write_picture};
use report::Report;

/// Press two normal maps together and compute the coefficients of friction for all directions in
/// which B can move over A (Andrews et al. 2021). A lies below with its u along x; B lies on it
/// face down, its u along x too unless turned.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct Args {
    /// Normal map of the lower surface: PNG, JPEG, or a glTF whose first normal texture is meant; or measured heights
    /// (.tmd).
    #[arg(long, value_name = "FILE")]
    a: PathBuf,
    /// Normal map of the upper surface.
    #[arg(long, value_name = "FILE")]
    b: PathBuf,
    /// Metres that the picture of A covers along its width; measured heights know theirs.
    #[arg(long, value_name = "M")]
    size_a: Option<f64>,
    /// Metres that the picture of B covers along its width.
    #[arg(long, value_name = "M")]
    size_b: Option<f64>,
    /// The picture of A shows heights, this many metres between black and white.
    #[arg(long, value_name = "M")]
    heights_a: Option<f64>,
    /// The picture of B shows heights, this many metres between black and white.
    #[arg(long, value_name = "M")]
    heights_b: Option<f64>,
    /// Green points down in the picture of A.
    #[arg(long)]
    flip_green_a: bool,
    /// Green points down in the picture of B.
    #[arg(long)]
    flip_green_b: bool,
    /// Take the mean slope out of both pictures.
    #[arg(long)]
    level: bool,
    /// Factor k on the coefficients of A.
    #[arg(long, value_name = "K", default_value_t = 1.0)]
    mask_a: f64,
    /// Factor k on the coefficients of B.
    #[arg(long, value_name = "K", default_value_t = 1.0)]
    mask_b: f64,
    /// Ambient coefficient.
    #[arg(long, value_name = "MU", default_value_t = 0.0, allow_negative_numbers = true)]
    ambient: f64,
    /// Turn B by this angle, from x towards y.
    #[arg(long, value_name = "DEG", default_value_t = 0.0, allow_negative_numbers = true)]
    rotate_b: f64,
    /// Directions of motion.
    #[arg(long, value_name = "K", default_value_t = 16)]
    directions: usize,
    /// Width of the patch in metres; without it, that of the smaller picture.
    #[arg(long, value_name = "W", allow_negative_numbers = true)]
    width: Option<f64>,
    /// Texels along a side of the patch.
    #[arg(long, value_name = "R", default_value_t = 16)]
    resolution: usize,
    /// Which contact area: only the apparent one is known.
    #[arg(long, value_name = "KIND", default_value = "apparent")]
    contact_area: String,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
    /// Picture of the limit curve: .svg, .png, or a name without extension for both.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Folder for pictures of normals, coefficients and coverage, one pixel a texel.
    #[arg(long, value_name = "DIR")]
    images: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    match args.contact_area.as_str() {
        "apparent" => {}
        "real" => {
            return Err(CliError::Input(
                "--contact-area real: an estimate of the real contact area from height maps \
                 (section 6 of the paper) is not in Asperity; coefficients come from slopes over \
                 the apparent area"
                    .to_owned(),
            ));
        }
        other => {
            let message = format!("--contact-area {other}: unknown; expected \"apparent\"");
            return Err(CliError::Input(message));
        }
    }
    let (a, b) = (maps::relief(args, 0)?, maps::relief(args, 1)?);
    let smaller = a.map().size().min(b.map().size()).min_element();
    let width = args.width.unwrap_or(smaller);
    let window = Window::about_point(width, args.resolution, 0.0, Rotation::IDENTITY);
    window.check()?;
    let pressed = Pressed::new(window, [&a, &b], args.rotate_b.to_radians());
    let section = Ploughing::new(args.ambient)?.with_limit(Limit::Polygon(args.directions))?;
    let sampling = Sampling { width, resolution: args.resolution, ..Sampling::default() };
    let section = section.with_sampling(sampling)?;
    let mut sampler = Sampler::with_directions(section.sampling().1.clone());
    let report = Report::new(&pressed, &section, &mut sampler)?;

    let mut notes = Vec::new();
    if let Some(path) = &args.plot {
        let drawn = picture::draw(&report, args)?;
        notes.extend(write_picture(path, &drawn)?);
    }
    if let Some(folder) = &args.images {
        notes.extend(images::write(folder, &pressed)?);
    }
    let mut text = if args.json { report.json()? + "\n" } else { report.table() };
    if !args.json {
        for path in notes {
            text += &format!("wrote {}\n", path.display());
        }
    }
    print(&text);
    Ok(())
}
