//! `asperity texture KIND`: normal maps made by rule, or from heights.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use ::image::codecs::png::PngEncoder;
use ::image::{ExtendedColorType, ImageEncoder};
use asperity::friction::surface::SlopeMap;
use asperity::friction::surface::generate::{self, Grid, Thread};
use asperity::glamx::DVec2;
use asperity_scene::asset::image::{self, Picture};
use asperity_scene::asset::tmd;
use asperity_verify::pressed::Reading;

use crate::error::CliError;
use crate::output::{print, write_whole};

/// Normal maps as PNG of sixteen bits, in the convention of glTF.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum MapKind {
    /// Roughness: independent Gaussian heights, slopes by central differences.
    Roughness {
        #[command(flatten)]
        common: Common,
        /// Mean deviation R_a of the heights in millimetres; sigma = R_a sqrt(pi/2).
        #[arg(long, value_name = "MM")]
        ra: f64,
    },
    /// Independent Gaussian slopes, different along u and v.
    Slopes {
        #[command(flatten)]
        common: Common,
        /// Deviations along u and v.
        #[arg(long, value_name = "U,V", value_parser = pair::<f64>)]
        sigma: [f64; 2],
    },
    /// Painted teeth across u. Slopes and widths are free; with a net slope the two senses differ.
    Sawtooth {
        #[command(flatten)]
        common: Common,
        /// Slopes (tan of the angle) of the climbing and the falling facets.
        #[arg(long, value_name = "UP,DOWN", value_parser = pair::<f64>)]
        slopes: [f64; 2],
        /// Widths of the climbing and the falling facets in texels.
        #[arg(long, value_name = "UP,DOWN", value_parser = pair::<usize>, default_value = "8,8")]
        widths: [usize; 2],
    },
    /// Round ridges across u.
    Ridges {
        #[command(flatten)]
        common: Common,
        /// How many over the width.
        #[arg(long, default_value_t = 16)]
        count: usize,
        /// Steepest slope.
        #[arg(long, default_value_t = 0.5)]
        slope: f64,
    },
    /// A screw thread for the side of a cylinder: u once around, v along the axis.
    Threads {
        #[command(flatten)]
        common: Common,
        /// Advance per turn in millimetres; M4 has 0.7.
        #[arg(long, value_name = "MM", default_value_t = 0.7)]
        pitch: f64,
        /// Radius in millimetres; M4 has 2.
        #[arg(long, value_name = "MM", default_value_t = 2.0)]
        radius: f64,
        /// Slopes of the flanks that climb and fall along v; a metric thread has tan 60 = 1.732.
        #[arg(long, value_name = "UP,DOWN", value_parser = pair::<f64>, default_value = "1.732,1.732")]
        flanks: [f64; 2],
        /// Turns in the picture.
        #[arg(long, default_value_t = 8)]
        turns: usize,
        /// Left-handed.
        #[arg(long)]
        left: bool,
    },
    /// Brushed metal: long scratches along u.
    Brushed {
        #[command(flatten)]
        common: Common,
        /// Mean deviation R_a in millimetres.
        #[arg(long, value_name = "MM", default_value_t = 0.02)]
        ra: f64,
        /// Length of the scratches in millimetres.
        #[arg(long, value_name = "MM", default_value_t = 60.0)]
        length: f64,
    },
    /// Sawn wood: rings that wander about u, and fibres.
    Wood {
        #[command(flatten)]
        common: Common,
        /// Mean deviation R_a in millimetres.
        #[arg(long, value_name = "MM", default_value_t = 0.2)]
        ra: f64,
        /// Distance of the rings in millimetres.
        #[arg(long, value_name = "MM", default_value_t = 20.0)]
        ring: f64,
    },
    /// A logo that stands out where a picture is white.
    Logo {
        /// Picture of the logo (red counts): PNG or JPEG.
        mask: PathBuf,
        /// Normal map to write (PNG).
        #[arg(short, long, value_name = "FILE")]
        out: PathBuf,
        /// Side of a texel in metres.
        #[arg(long, value_name = "M", default_value_t = 0.001)]
        texel: f64,
        /// How far it stands out, in millimetres.
        #[arg(long, value_name = "MM", default_value_t = 2.0)]
        depth: f64,
        /// Width of its slopes in millimetres.
        #[arg(long, value_name = "MM", default_value_t = 6.0)]
        edge: f64,
    },
    /// The normals of a picture of heights, or of measured heights.
    FromHeights {
        /// Heights: PNG or JPEG (red counts), or measured ones (.tmd).
        heights: PathBuf,
        /// Normal map to write (PNG).
        #[arg(short, long, value_name = "FILE")]
        out: PathBuf,
        /// Metres that they cover along their width; measured ones know it.
        #[arg(long, value_name = "M")]
        size: Option<f64>,
        /// Metres between black and white; not for measured ones.
        #[arg(long, value_name = "M")]
        relief: Option<f64>,
    },
}

/// What all generated surfaces have.
#[derive(Debug, clap::Args)]
pub(crate) struct Common {
    /// Normal map to write (PNG).
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Texels along u and v.
    #[arg(long, value_name = "W,H", value_parser = pair::<usize>, default_value = "512,512")]
    texels: [usize; 2],
    /// Side of a texel in metres.
    #[arg(long, value_name = "M", default_value_t = 0.001)]
    texel: f64,
    /// Another seed makes another surface of the same kind.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Two values with a comma between them.
fn pair<T: std::str::FromStr>(text: &str) -> Result<[T; 2], String> {
    let parsed: Option<Vec<T>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    parsed.and_then(|v| v.try_into().ok()).ok_or_else(|| "expected two numbers: A,B".to_owned())
}

impl Common {
    fn grid(&self) -> Grid {
        Grid { width: self.texels[0], height: self.texels[1], texel: self.texel }
    }
}

const MM: f64 = 1e-3;

/// Writes the normal map and says how large the surface is.
pub(crate) fn run(kind: &MapKind) -> Result<(), CliError> {
    let (map, out) = match kind {
        MapKind::Roughness { common, ra } => {
            (generate::gaussian_roughness(common.grid(), ra * MM, common.seed)?, &common.out)
        }
        MapKind::Slopes { common, sigma } => {
            let sigma = DVec2::from_array(*sigma);
            (generate::gaussian_slopes(common.grid(), sigma, common.seed)?, &common.out)
        }
        MapKind::Sawtooth { common, slopes, widths } => {
            (generate::sawtooth(common.grid(), *slopes, *widths)?, &common.out)
        }
        MapKind::Ridges { common, count, slope } => {
            (generate::ridges(common.grid(), *count, *slope)?, &common.out)
        }
        MapKind::Threads { common, pitch, radius, flanks, turns, left } => {
            let thread = Thread {
                pitch: pitch * MM,
                radius: radius * MM,
                flanks: *flanks,
                right_handed: !left,
            };
            let map = generate::threads(thread, *turns, common.texels[0], common.texels[1])?;
            (map, &common.out)
        }
        MapKind::Brushed { common, ra, length } => {
            let map = generate::brushed(common.grid(), ra * MM, length * MM, common.seed)?;
            (map, &common.out)
        }
        MapKind::Wood { common, ra, ring } => {
            (generate::wood(common.grid(), ra * MM, ring * MM, common.seed)?, &common.out)
        }
        MapKind::Logo { mask, out, texel, depth, edge } => {
            let picture = read(mask)?;
            let grid = Grid { width: picture.width, height: picture.height, texel: *texel };
            let rows = picture.texels.chunks(picture.width.max(1)).rev();
            let mask: Vec<f32> = rows.flatten().map(|t| t[0]).collect();
            (generate::emboss(grid, &mask, depth * MM, edge * MM)?, out)
        }
        MapKind::FromHeights { heights, out, size, relief } => {
            (from_heights(heights, *size, *relief)?, out)
        }
    };
    write(&map, out)?;
    let (mean, covariance) = map.moments();
    let deviation = DVec2::new(covariance.x_axis.x, covariance.y_axis.y).map(f64::sqrt);
    let mut text = format!(
        "slopes deviate by {:.4} along u and {:.4} along v about a mean of ({:.4}, {:.4})\n",
        deviation.x, deviation.y, mean.x, mean.y
    );
    if map.clipped() > 0 {
        text += &format!("{} texels are steeper than 84.3 degrees and were cut\n", map.clipped());
    }
    let size = map.size();
    text += &format!("wrote {}: covers {} x {} m\n", out.display(), size.x, size.y);
    print(&text);
    Ok(())
}

fn from_heights(
    path: &Path,
    width: Option<f64>,
    heights: Option<f64>,
) -> Result<SlopeMap, CliError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(CliError::at(path))?;
    if !tmd::is_height_map(&bytes) && (width.is_none() || heights.is_none()) {
        let message = format!(
            "{name}: a picture of heights needs --size, the metres along its width, and --relief, the metres \
             between black and white"
        );
        return Err(CliError::Input(message));
    }
    let reading = Reading { width, heights, flip_green: false };
    Ok(reading.slopes(&name, &bytes, 1.0)?)
}

fn read(path: &Path) -> Result<Picture, CliError> {
    let bytes = std::fs::read(path).map_err(CliError::at(path))?;
    image::load(&path.display().to_string(), &bytes).map_err(|e| CliError::Input(e.to_string()))
}

/// A PNG of sixteen bits a channel.
fn write(map: &SlopeMap, path: &Path) -> Result<(), CliError> {
    let picture = Picture::of_normals(map);
    let bytes: Vec<u8> = picture
        .texels
        .iter()
        .flat_map(|t| [t[0], t[1], t[2]])
        .flat_map(|c| ((65535.0 * c).round() as u16).to_ne_bytes())
        .collect();
    let (width, height) = (picture.width as u32, picture.height as u32);
    let mut png = Cursor::new(Vec::new());
    PngEncoder::new(&mut png)
        .write_image(&bytes, width, height, ExtendedColorType::Rgb16)
        .map_err(|e| CliError::Input(format!("the map cannot be encoded as PNG: {e}")))?;
    write_whole(path, png.get_ref())
}
