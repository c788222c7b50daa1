//! Measured height maps: TrueMap files (.tmd), as profilometers and tactile scanners write them.
//!
//! The layout, all numbers little-endian: the line `Binary TrueMap Data File v2.0`, CR, LF and a zero
//! byte; a comment that ends with a zero byte; columns and rows (u32); lengths along both and offsets
//! along both (f32, mm); heights (f32, mm) row by row, the top one first.

use asperity_friction::FrictionError;
use asperity_friction::surface::{SlopeMap, Wrap};
use glamx::DVec2;

use super::AssetError;
use super::image::MAX_SIDE;

/// Heights of a surface, as they were measured.
#[derive(Debug, Clone, PartialEq)]
pub struct HeightMap {
    /// Texels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// What it covers, metres.
    pub size: DVec2,
    /// Metres, row by row from v = 0: the bottom row of the file first.
    pub heights: Vec<f64>,
}

/// What every such file begins with.
const MAGIC: &[u8] = b"Binary TrueMap Data File";

/// The version that is read, with what ends its line.
const VERSION: &[u8] = b" v2.0\r\n\0";

/// Longest comment, bytes.
const MOST_COMMENT: usize = 4096;

/// Columns, rows, two lengths and two offsets, bytes.
const NUMBERS: usize = 24;

/// Metres in a unit of the file.
const MILLIMETRE: f64 = 1e-3;

/// Whether bytes are of this kind of file, of whatever version.
pub fn is_height_map(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads a height map. Nothing is stored before the file was found to be as long as its numbers say.
pub fn load(name: &str, bytes: &[u8]) -> Result<HeightMap, AssetError> {
    let problem = |text: String| AssetError::content(name, text);
    let expected = "a TrueMap height map (.tmd)";
    let rest = bytes.strip_prefix(MAGIC);
    let rest = rest.ok_or_else(|| AssetError::Kind { file: name.to_owned(), expected })?;
    let rest = rest.strip_prefix(VERSION).ok_or_else(|| {
        let found: String =
            rest.iter().take(16).take_while(|b| **b >= b' ').map(|b| char::from(*b)).collect();
        problem(format!("a TrueMap file{found:?}; expected \" v2.0\" and the end of the line"))
    })?;
    let comment = rest.iter().take(MOST_COMMENT).position(|b| *b == 0);
    let comment = comment.ok_or_else(|| {
        problem(format!("the comment does not end; expected a zero byte within {MOST_COMMENT}"))
    })?;
    let rest = &rest[comment + 1..];
    let Some((numbers, heights)) = rest.split_at_checked(NUMBERS) else {
        return Err(problem("the file ends before the numbers of columns and rows".to_owned()));
    };
    let word = |k: usize| [0, 1, 2, 3].map(|i| numbers[4 * k + i]);
    let (width, height) = (u32::from_le_bytes(word(0)), u32::from_le_bytes(word(1)));
    if [width, height].iter().any(|n| !(2..=MAX_SIDE).contains(n)) {
        let text = format!("{width} x {height} heights; expected 2 to {MAX_SIDE} along each side");
        return Err(problem(text));
    }
    let size = DVec2::new(side(word(2)), side(word(3)));
    if !(size.is_finite() && size.min_element() > 0.0) {
        let [x, y] = (size / MILLIMETRE).to_array();
        return Err(problem(format!("it covers {x} x {y} mm; expected lengths above zero")));
    }
    let (width, height) = (width as usize, height as usize);
    if heights.len() != 4 * width * height {
        return Err(problem(format!(
            "{width} x {height} heights are {} bytes, but {} follow; expected no fewer and no more",
            4 * width * height,
            heights.len()
        )));
    }
    let heights = upright(heights, width).map_err(|(column, row, found)| {
        problem(format!(
            "the height in column {column} of row {row} is {found}; expected finite numbers (fill gaps of the \
             measurement first)"
        ))
    })?;
    Ok(HeightMap { width, height, size, heights })
}

/// Heights in metres with the bottom row first, or where one is no number.
fn upright(bytes: &[u8], width: usize) -> Result<Vec<f64>, (usize, usize, f64)> {
    let mut heights = Vec::with_capacity(bytes.len() / 4);
    let rows = bytes.len() / (4 * width);
    for (from_bottom, row) in bytes.chunks_exact(4 * width).rev().enumerate() {
        for (column, bytes) in row.chunks_exact(4).enumerate() {
            let height = length([bytes[0], bytes[1], bytes[2], bytes[3]]);
            if !height.is_finite() {
                return Err((column + 1, rows - from_bottom, height));
            }
            heights.push(height);
        }
    }
    Ok(heights)
}

/// The same as the shortest decimal number that is stored so: 0.308 mm is meant by 0.30799999833 mm, and the two sides
/// keep the ratio that was measured.
fn side(bytes: [u8; 4]) -> f64 {
    let millimetres = f32::from_le_bytes(bytes);
    millimetres.to_string().parse().map_or(f64::NAN, |length: f64| length * MILLIMETRE)
}

/// Millimetres in single precision as metres.
fn length(bytes: [u8; 4]) -> f64 {
    f64::from(f32::from_le_bytes(bytes)) * MILLIMETRE
}

impl HeightMap {
    /// Its slopes. A measured piece does not go on as it began: they are one-sided at its borders,
    /// also where copies follow each other, so that the step between two copies is no facet.
    pub fn into_slopes(self, wrap: Wrap) -> Result<SlopeMap, FrictionError> {
        let HeightMap { width, height, size, heights } = self;
        let map = SlopeMap::from_heights(width, height, &heights, size, Wrap::Clamp)?;
        Ok(map.with_wrap(wrap))
    }
}
