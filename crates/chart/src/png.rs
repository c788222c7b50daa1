//! The PNG of an SVG.

pub use resvg::tiny_skia::Pixmap;
use resvg::tiny_skia::Transform;
use resvg::usvg::{Options, Tree};

use crate::ChartError;
use crate::svg::{FONT, Svg};

/// Pixels of the PNG per pixel of the SVG.
pub const SCALE: f32 = 2.0;

/// The picture as the bytes of a PNG file.
pub fn rasterise(svg: &Svg) -> Result<Vec<u8>, ChartError> {
    pixmap(svg)?.encode_png().map_err(|error| ChartError::Png(error.to_string()))
}

/// The picture as pixels. The font comes with the program, so that the picture is the same on
/// every machine.
pub fn pixmap(svg: &Svg) -> Result<Pixmap, ChartError> {
    let mut options = Options { font_family: FONT.to_owned(), ..Options::default() };
    for font in [dejavu::sans::regular(), dejavu::sans::bold()] {
        options.fontdb_mut().load_font_data(font.to_vec());
    }
    let tree = Tree::from_str(&svg.to_string(), &options)
        .map_err(|error| ChartError::Svg(error.to_string()))?;
    let size = tree.size();
    let [width, height] = [size.width(), size.height()].map(|side| (SCALE * side).round() as u32);
    let mut pixels = Pixmap::new(width, height).ok_or(ChartError::TooLarge(width, height))?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    Ok(pixels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Paint, Text};

    /// Width and height from the IHDR chunk, which always comes first.
    fn dimensions(png: &[u8]) -> [u32; 2] {
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        assert_eq!(&png[12..16], b"IHDR");
        [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
    }

    fn pixels(svg: &Svg) -> Pixmap {
        Pixmap::decode_png(&rasterise(svg).unwrap()).unwrap()
    }

    #[test]
    fn a_png_has_twice_the_size_of_its_svg() {
        let png = rasterise(&Svg::new(123.0, 45.0)).unwrap();
        assert_eq!(dimensions(&png), [246, 90]);
    }

    #[test]
    fn shapes_land_where_they_are_drawn() {
        let mut svg = Svg::new(40.0, 40.0);
        svg.circle([10.0, 30.0], 5.0, &Paint::fill("#ff0000"));
        let pixels = pixels(&svg);
        let colour = |x, y| pixels.pixel(x, y).map(|p| [p.red(), p.green(), p.blue()]);
        assert_eq!(colour(20, 60), Some([255, 0, 0]));
        assert_eq!(colour(60, 20), Some([255, 255, 255]));
    }

    #[test]
    fn text_is_drawn_without_the_fonts_of_the_machine() {
        for style in [Text::new(20.0, "black"), Text::new(20.0, "black").bold()] {
            let mut svg = Svg::new(60.0, 30.0);
            svg.text([5.0, 22.0], "μ −", &style);
            let dark = pixels(&svg).pixels().iter().filter(|p| p.red() < 100).count();
            assert!(dark > 80, "{dark} dark pixels");
        }
    }
}
