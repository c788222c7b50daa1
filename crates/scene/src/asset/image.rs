//! Pictures as data: PNG and JPEG to numbers, without any conversion of colours.
//!
//! What a texture of structure or normals stores are numbers, not colours, so neither gamma nor
//! colour profiles are applied: a channel is what the file stores, divided by the largest value
//! it could store.

use std::io::Cursor;

use ::image::{
    ColorType, DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits,
};
use asperity_friction::FrictionError;
use asperity_friction::surface::{SlopeMap, TextureMap, Wrap};
use glamx::DVec2;

use super::AssetError;

/// Most texels along a side.
pub const MAX_SIDE: u32 = 16_384;

/// Most bytes of a picture, as [`Picture`] keeps it and for the decoder: 1 GiB.
pub const MAX_BYTES: u64 = 1 << 30;

/// A picture: red, green, blue and alpha from 0 to 1, row by row from the top.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Texels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Row by row from the top, each from left to right.
    pub texels: Vec<[f32; 4]>,
}

/// Reads a PNG or JPEG; its content decides which. Grey becomes three equal channels, and what
/// has no alpha gets 1.
pub fn load(name: &str, bytes: &[u8]) -> Result<Picture, AssetError> {
    let problem = |text: String| AssetError::content(name, text);
    let mut reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|error| problem(error.to_string()))?;
    match reader.format() {
        Some(ImageFormat::Jpeg) if !is_whole_jpeg(bytes) => {
            return Err(problem("the file ends before the picture does".to_owned()));
        }
        Some(ImageFormat::Png | ImageFormat::Jpeg) => {}
        _ => {
            return Err(AssetError::Kind { file: name.to_owned(), expected: "a PNG or JPEG" });
        }
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    let most = MAX_BYTES / size_of::<[f32; 4]>() as u64;
    let expected = format!("expected at most {MAX_SIDE} texels a side and {most} in all");
    let describe = |error: ImageError| match error {
        ImageError::Limits(_) => problem(format!("too large; {expected}")),
        error => problem(error.to_string()),
    };
    let decoder = reader.into_decoder().map_err(describe)?;
    let (width, height) = decoder.dimensions();
    let count = u64::from(width) * u64::from(height);
    if width > MAX_SIDE || height > MAX_SIDE || count > most {
        return Err(problem(format!("{width} x {height} texels; {expected}")));
    }
    let image = DynamicImage::from_decoder(decoder).map_err(describe)?;
    let texels = match image.color() {
        ColorType::L8 | ColorType::La8 | ColorType::Rgb8 | ColorType::Rgba8 => {
            let eight = image.into_rgba8();
            eight.pixels().map(|pixel| pixel.0.map(|c| f32::from(c) / 255.0)).collect()
        }
        _ => {
            let sixteen = image.into_rgba16();
            sixteen.pixels().map(|pixel| pixel.0.map(|c| f32::from(c) / 65535.0)).collect()
        }
    };
    Ok(Picture { width: width as usize, height: height as usize, texels })
}

impl Picture {
    /// A texture that covers `size` metres.
    ///
    /// The picture stands upright: its bottom row lies at v = 0 and v grows upwards, so that a
    /// green channel above one half points along growing v, the +Y of glTF.
    pub fn into_texture(self, size: DVec2, wrap: Wrap) -> Result<TextureMap, FrictionError> {
        let mut texels = Vec::with_capacity(self.texels.len());
        for row in self.texels.chunks(self.width.max(1)).rev() {
            texels.extend_from_slice(row);
        }
        TextureMap::new(self.width, self.height, texels, size, wrap)
    }

    /// The slopes of a normal map that covers `size` metres; see
    /// [`SlopeMap::from_normal_map`]. A picture that is none is refused.
    pub fn into_slopes(self, size: DVec2, wrap: Wrap) -> Result<SlopeMap, FrictionError> {
        SlopeMap::from_normal_map(&self.into_texture(size, wrap)?)
    }

    /// The picture of a slope map's normals, upright.
    pub fn of_normals(map: &SlopeMap) -> Picture {
        let (width, height) = map.dimensions();
        let rows = map.to_normal_map();
        let texels = rows.chunks(width).rev().flatten().map(|[r, g, b]| [*r, *g, *b, 1.0]);
        Picture { width, height, texels: texels.collect() }
    }

    /// Turns the green channel round, for pictures in which it points down.
    pub fn flip_green(&mut self) {
        for texel in &mut self.texels {
            texel[1] = 1.0 - texel[1];
        }
    }
}

/// Whether a JPEG's data reach its end mark: the decoder fills up with grey if they do not.
fn is_whole_jpeg(bytes: &[u8]) -> bool {
    const START_OF_SCAN: u8 = 0xda;
    // After the two bytes that start the file come segments: FF, kind, length (which counts
    // itself), content. Within the scan that follows them, FF is followed by D9 only at the end.
    let mut rest = bytes.get(2..).unwrap_or(&[]);
    loop {
        match rest {
            [0xff, 0xff, ..] => rest = &rest[1..],
            [0xff, START_OF_SCAN, scan @ ..] => {
                return scan.windows(2).any(|pair| pair == [0xff, 0xd9]);
            }
            [0xff, _, high, low, ..] => {
                let length = usize::from(u16::from_be_bytes([*high, *low]));
                match rest.get(2 + length..) {
                    Some(next) => rest = next,
                    None => return false,
                }
            }
            _ => return false,
        }
    }
}
