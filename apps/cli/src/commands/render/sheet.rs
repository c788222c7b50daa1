//! Pictures as PNG, one or several with captions.

use std::path::Path;

use asperity_gpu::Frame;
use resvg::tiny_skia::{Pixmap, PixmapPaint, PremultipliedColorU8, Transform};

use crate::error::CliError;
use crate::output::write_whole;
use asperity_chart::png::{SCALE, pixmap};
use asperity_chart::{GREY, INK, Svg, Text, short};

/// Pixels between the pictures of a sheet, for their captions, and for the title.
const GAP: u32 = 16;
const CAPTION: u32 = 44;
const TITLE: u32 = 64;

/// What stands under a picture.
pub(super) fn caption(time: f64) -> String {
    format!("{} s", short(time))
}

/// Writes one picture.
pub(super) fn write_frame(path: &Path, frame: &Frame) -> Result<(), CliError> {
    write_pixmap(path, &as_pixmap(frame)?)
}

/// Writes several pictures with their captions under a title.
pub(super) fn write(path: &Path, title: &str, tiles: &[(String, Frame)]) -> Result<(), CliError> {
    let Some((_, first)) = tiles.first() else {
        return Err(CliError::Input("there is no picture for the sheet".to_owned()));
    };
    let (width, height) = (first.width, first.height);
    let columns = columns(tiles.len() as u32);
    let rows = (tiles.len() as u32).div_ceil(columns);
    let size = [GAP + columns * (width + GAP), TITLE + rows * (height + CAPTION)];
    let place = |k: usize| {
        let k = k as u32;
        [GAP + k % columns * (width + GAP), TITLE + k / columns * (height + CAPTION)]
    };
    let [w, h] = size.map(|side| f64::from(side) / f64::from(SCALE));
    let unit = |x: u32| f64::from(x) / f64::from(SCALE);
    let mut svg = Svg::new(w, h);
    svg.text([unit(GAP), unit(TITLE) - 11.0], title, &Text::new(14.0, INK).bold());
    for (k, (caption, _)) in tiles.iter().enumerate() {
        let [x, y] = place(k);
        svg.text([unit(x), unit(y + height) + 13.0], caption, &Text::new(11.0, GREY));
    }
    let mut sheet = pixmap(&svg)?;
    for (k, (_, frame)) in tiles.iter().enumerate() {
        let [x, y] = place(k).map(u32::cast_signed);
        let tile = as_pixmap(frame)?;
        let paint = PixmapPaint::default();
        sheet.draw_pixmap(x, y, tile.as_ref(), &paint, Transform::identity(), None);
    }
    write_pixmap(path, &sheet)
}

/// Columns of a sheet: two for up to four pictures, three otherwise.
fn columns(count: u32) -> u32 {
    match count {
        0..=1 => 1,
        2..=4 => 2,
        _ => 3,
    }
}

fn as_pixmap(frame: &Frame) -> Result<Pixmap, CliError> {
    let (width, height) = (frame.width, frame.height);
    let mut map = Pixmap::new(width, height).ok_or_else(|| {
        CliError::Input(format!("a picture of {width} x {height} pixels is too large"))
    })?;
    for (to, [r, g, b, _]) in map.pixels_mut().iter_mut().zip(&frame.pixels) {
        if let Some(colour) = PremultipliedColorU8::from_rgba(*r, *g, *b, 255) {
            *to = colour;
        }
    }
    Ok(map)
}

fn write_pixmap(path: &Path, map: &Pixmap) -> Result<(), CliError> {
    let bytes = map
        .encode_png()
        .map_err(|e| CliError::Input(format!("the picture cannot be encoded as PNG: {e}")))?;
    write_whole(path, &bytes)
}
