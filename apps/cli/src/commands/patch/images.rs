//! Pictures of a patch, one pixel a texel (Fig. 7 of the paper).

use std::io::Cursor;
use std::path::{Path, PathBuf};

use ::image::codecs::png::PngEncoder;
use ::image::{ExtendedColorType, ImageEncoder};
use asperity::friction::surface::patch::reference::{Seen, look};
use asperity::glamx::DVec2;

use super::Pressed;
use crate::error::CliError;
use crate::output::write_whole;

/// Directions of the coefficient pictures, in the paper's order.
const FOUR: [(&str, DVec2); 4] =
    [("t", DVec2::X), ("b", DVec2::Y), ("minus_t", DVec2::NEG_X), ("minus_b", DVec2::NEG_Y)];

/// Writes normals and coefficients of both surfaces and where both are seen. Coefficients share
/// one scale: white is the largest of all.
pub(super) fn write(folder: &Path, pressed: &Pressed) -> Result<Vec<PathBuf>, CliError> {
    std::fs::create_dir_all(folder).map_err(CliError::at(folder))?;
    let n = pressed.window.resolution;
    let patch = pressed.patch();
    // Upright: the top row is the one farthest along b.
    let texels: Vec<[Option<Seen>; 2]> =
        (0..n * n).map(|i| look(&patch, i % n, n - 1 - i / n)).collect();
    let coefficient = |seen: &Seen, d: DVec2| seen.resists.dot(d).max(0.0);
    let most = texels
        .iter()
        .flatten()
        .flatten()
        .flat_map(|seen| FOUR.map(|(_, d)| coefficient(seen, d)))
        .fold(f64::MIN_POSITIVE, f64::max);
    let mut written = Vec::new();
    let mut picture = |name: String, pixel: &dyn Fn(&[Option<Seen>; 2]) -> [f64; 3]| {
        let path = folder.join(name);
        let bytes: Vec<u8> = texels
            .iter()
            .flat_map(|t| pixel(t).map(|c| (255.0 * c.clamp(0.0, 1.0)).round() as u8))
            .collect();
        let mut png = Cursor::new(Vec::new());
        PngEncoder::new(&mut png)
            .write_image(&bytes, n as u32, n as u32, ExtendedColorType::Rgb8)
            .map_err(|e| CliError::Input(format!("{}: {e}", path.display())))?;
        write_whole(&path, png.get_ref())?;
        written.push(path);
        Ok::<(), CliError>(())
    };
    for (side, name) in ["a", "b"].into_iter().enumerate() {
        picture(format!("normals_{name}.png"), &|t| {
            // B's normals point down; turned over they read as colours do.
            let sign = [1.0, -1.0][side];
            t[side].map_or([0.0; 3], |s| {
                [s.normal.x, s.normal.y, s.normal.z * sign].map(|c| 0.5 + 0.5 * c)
            })
        })?;
        for (direction, d) in FOUR {
            picture(format!("mu_{name}_{direction}.png"), &|t| {
                [t[side].map_or(0.0, |s| coefficient(&s, d) / most); 3]
            })?;
        }
    }
    picture("covered.png".to_owned(), &|t| {
        [f64::from(u8::from(t[0].is_some() && t[1].is_some())); 3]
    })?;
    Ok(written)
}
