//! `asperity texture logo-mask`: a letter A whose bar is a wave, as a mask for `texture logo`.

use std::f64::consts::TAU;
use std::io::Cursor;
use std::path::PathBuf;

use ::image::codecs::png::PngEncoder;
use ::image::{ExtendedColorType, ImageEncoder};
use asperity::glamx::DVec2;

use crate::commands::mesh::distance::stroke;
use crate::error::CliError;
use crate::output::{print, write_whole};

/// The logo of the project, white on black: a letter A whose bar is a wave.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Picture to write (PNG of eight bits, grey).
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Pixels along each side, 16 to 4096.
    #[arg(long, value_name = "N", default_value_t = 512)]
    pixels: usize,
    /// Black around the logo on every side, in widths of the logo, 0 to 4.
    #[arg(long, value_name = "WIDTHS", default_value_t = 0.0, allow_negative_numbers = true)]
    margin: f64,
}

/// Half the width of the strokes, in widths of the logo.
const HALF_WIDTH: f64 = 0.04;
/// Where the waves run, how far they reach to either side, their height and length.
const BAR: f64 = -0.1;
const REACH: f64 = 0.42;
const CREST: f64 = 0.045;
const LENGTH: f64 = 0.28;

/// Writes the picture.
pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let n = args.pixels;
    if !(16..=4096).contains(&n) {
        let message = format!("--pixels is {n}; expected a whole number, 16 to 4096");
        return Err(CliError::Input(message));
    }
    if !(0.0..=4.0).contains(&args.margin) {
        let message = format!("--margin is {}; expected widths of the logo, 0 to 4", args.margin);
        return Err(CliError::Input(message));
    }
    let mut png = Cursor::new(Vec::new());
    PngEncoder::new(&mut png)
        .write_image(&mask(n, args.margin), n as u32, n as u32, ExtendedColorType::L8)
        .map_err(|e| CliError::Input(format!("the mask cannot be encoded as PNG: {e}")))?;
    write_whole(&args.out, png.get_ref())?;
    let text = format!("wrote {}: asperity texture logo FILE makes normals\n", args.out.display());
    print(&text);
    Ok(())
}

/// Rows from the top. An edge is one pixel wide.
fn mask(n: usize, margin: f64) -> Vec<u8> {
    let legs = [DVec2::new(-0.27, -0.4), DVec2::new(0.0, 0.4), DVec2::new(0.27, -0.4)];
    let wave: Vec<DVec2> = (0..=96)
        .map(|k| {
            let x = REACH * (f64::from(k) / 48.0 - 1.0);
            DVec2::new(x, BAR + CREST * (TAU * x / LENGTH).cos())
        })
        .collect();
    let pixel_size = (1.0 + 2.0 * margin) / n as f64;
    let at = |i: usize| (i as f64 + 0.5 - 0.5 * n as f64) * pixel_size;
    let pixel = |row: usize, column: usize| {
        let p = DVec2::new(at(column), -at(row));
        let distance = stroke(p, &legs, HALF_WIDTH).min(stroke(p, &wave, HALF_WIDTH));
        (255.0 * (0.5 - distance / pixel_size).clamp(0.0, 1.0)).round() as u8
    };
    (0..n).flat_map(|row| (0..n).map(move |column| pixel(row, column))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logo_is_symmetric_and_keeps_off_the_edge() {
        let n = 128;
        let picture = mask(n, 0.0);
        let at = |row: usize, column: usize| picture[row * n + column];
        for row in 0..n {
            for column in 0..n {
                assert!(at(row, column).abs_diff(at(row, n - 1 - column)) <= 1);
            }
            for border in [at(row, 0), at(row, n - 1), at(0, row), at(n - 1, row)] {
                assert_eq!(border, 0);
            }
        }
        let white = picture.iter().filter(|p| **p > 127).count() as f64 / (n * n) as f64;
        assert!(white > 0.1 && white < 0.4, "{white}");
        // The apex, the bar, and the hole between them.
        assert_eq!((at(13, 64), at(70, 64), at(50, 64)), (255, 255, 0));
        // With a margin of half a width on every side, half as large.
        let wide = mask(2 * n, 0.5);
        for row in 0..n {
            let inner = (row + n / 2) * 2 * n + n / 2;
            assert_eq!(wide[inner..inner + n], picture[row * n..(row + 1) * n]);
        }
    }
}
