//! `asperity texture structure-from-image`: the grain of a photographed surface.

use std::io::Cursor;
use std::path::PathBuf;

use ::image::{ExtendedColorType, ImageEncoder, codecs::png::PngEncoder};
use asperity::friction::surface::Wrap;
use asperity_scene::asset::grain::{self, Options};
use asperity_scene::asset::image;
use clap::ValueEnum;

use crate::error::CliError;
use crate::output::{print, write_whole};

/// Find where the grain runs in a picture of a surface. The result is a picture for textures of
/// kind "structure": the direction in red and green, its confidence in alpha.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Picture of the surface: PNG or JPEG.
    photo: PathBuf,
    /// Texture to write (PNG).
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Finest details that count, in pixels (standard deviation).
    #[arg(long, value_name = "PIXELS", default_value_t = 1.0)]
    scale: f64,
    /// How many scales are added, each twice as coarse as the one before.
    #[arg(long, value_name = "N", default_value_t = 3)]
    scales: usize,
    /// Neighbourhood over which directions are averaged, in pixels (standard deviation).
    #[arg(long, value_name = "PIXELS", default_value_t = 6.0)]
    neighbourhood: f64,
    /// What the picture covers, as in the scene, where its pixels are not square: WIDTH,HEIGHT in
    /// metres.
    #[arg(long, value_name = "W,H", value_delimiter = ',')]
    size: Vec<f64>,
    /// Whether the picture goes on at its other side.
    #[arg(long, value_enum, default_value_t = Edge::Clamp)]
    wrap: Edge,
}

/// What lies beyond the edge of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Edge {
    /// Nothing that counts.
    Clamp,
    /// Its other side.
    Repeat,
}

/// Writes the texture and says what was found.
pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let name = args.photo.display().to_string();
    let bytes = std::fs::read(&args.photo).map_err(CliError::at(&args.photo))?;
    let photo = image::load(&name, &bytes).map_err(|e| CliError::Input(e.to_string()))?;
    let pixel_aspect = match args.size.as_slice() {
        [] => 1.0,
        [width, height] if *width > 0.0 && *height > 0.0 => {
            width / photo.width as f64 / (height / photo.height as f64)
        }
        _ => {
            let message = "--size needs two numbers above zero: WIDTH,HEIGHT in metres";
            return Err(CliError::Input(message.to_owned()));
        }
    };
    let options = Options {
        scale: args.scale,
        scales: args.scales,
        neighbourhood: args.neighbourhood,
        pixel_aspect,
        wrap: match args.wrap {
            Edge::Clamp => Wrap::Clamp,
            Edge::Repeat => Wrap::Repeat,
        },
    };
    let field = grain::from_picture(&photo, &options)
        .map_err(|e| CliError::Input(format!("{name}: {e}")))?;
    let picture = field.to_picture();
    let byte = |c: &f32| (255.0 * c).round() as u8;
    let texels: Vec<u8> = picture.texels.iter().flatten().map(byte).collect();
    let mut png = Cursor::new(Vec::new());
    let (width, height) = (picture.width as u32, picture.height as u32);
    PngEncoder::new(&mut png)
        .write_image(&texels, width, height, ExtendedColorType::Rgba8)
        .map_err(|e| CliError::Input(format!("the texture cannot be encoded as PNG: {e}")))?;
    write_whole(&args.output, png.get_ref())?;
    let count = field.confidence.len() as f64;
    let sure: f64 = field.confidence.iter().map(|c| f64::from(*c)).sum::<f64>() / count;
    let text = format!(
        "grain at {:.1} degrees in the mean, confidence {sure:.2}\nwrote {}: texture.NAME = {{ kind = \"structure\", file = \"{}\", size = [...] }}\n",
        field.mean_angle().to_degrees(),
        args.output.display(),
        args.output.file_name().unwrap_or_default().to_string_lossy()
    );
    print(&text);
    Ok(())
}
