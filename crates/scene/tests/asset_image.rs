//! PNG and JPEG files.

use std::io::Cursor;

use asperity::friction::surface::Wrap;
use asperity::glamx::DVec2;
use asperity_scene::asset::image::{Picture, load};
use image::{DynamicImage, GrayImage, ImageBuffer, ImageFormat, Luma, Rgb, RgbImage, Rgba};

fn encoded(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

#[test]
fn eight_bits_are_divided_by_255() {
    let image = ImageBuffer::from_fn(3, 2, |x, y| Rgba([x as u8, y as u8, 128, 255]));
    let picture = load("a.png", &encoded(image, ImageFormat::Png)).unwrap();
    assert_eq!((picture.width, picture.height), (3, 2));
    assert_eq!(picture.texels[5], [2.0 / 255.0, 1.0 / 255.0, 128.0 / 255.0, 1.0]);
}

#[test]
fn sixteen_bits_keep_their_precision() {
    let image: ImageBuffer<Rgb<u16>, _> =
        ImageBuffer::from_fn(2, 1, |x, _| Rgb([32768 + x as u16, 1, 65535]));
    let picture = load("a.png", &encoded(image, ImageFormat::Png)).unwrap();
    assert_eq!(picture.texels[1], [32769.0 / 65535.0, 1.0 / 65535.0, 1.0, 1.0]);
}

#[test]
fn grey_becomes_three_channels() {
    let image = GrayImage::from_fn(256, 1, |x, _| Luma([x as u8]));
    let picture = load("a.png", &encoded(image, ImageFormat::Png)).unwrap();
    for (i, texel) in (0_u8..=255).zip(&picture.texels) {
        let grey = f32::from(i) / 255.0;
        assert_eq!(*texel, [grey, grey, grey, 1.0]);
    }
}

#[test]
fn jpeg_is_read_as_stored() {
    let image = RgbImage::from_pixel(16, 16, Rgb([128, 64, 200]));
    let picture = load("a.jpg", &encoded(image, ImageFormat::Jpeg)).unwrap();
    for texel in &picture.texels {
        for (found, stored) in texel.iter().zip([128.0, 64.0, 200.0, 255.0]) {
            assert!((found * 255.0 - stored).abs() <= 3.0, "{texel:?}");
        }
    }
}

#[test]
fn the_bottom_row_lies_at_v_zero() {
    let picture =
        Picture { width: 1, height: 2, texels: vec![[1.0, 0.0, 0.0, 1.0], [0.0, 0.25, 0.0, 1.0]] };
    let texture = picture.into_texture(DVec2::new(1.0, 2.0), Wrap::Clamp).unwrap();
    assert_eq!(texture.sample(DVec2::new(0.5, 0.5)).y, 0.25);
    assert_eq!(texture.sample(DVec2::new(0.5, 1.5)).x, 1.0);
}

#[test]
fn flip_green_turns_only_green() {
    let mut picture = Picture { width: 1, height: 1, texels: vec![[0.1, 0.25, 0.3, 0.4]] };
    picture.flip_green();
    assert_eq!(picture.texels, [[0.1, 0.75, 0.3, 0.4]]);
}

#[test]
fn a_picture_of_no_texels_is_no_texture() {
    let picture = Picture { width: 0, height: 0, texels: Vec::new() };
    assert!(picture.into_texture(DVec2::ONE, Wrap::Repeat).is_err());
}

/// A PNG that says it has this size, without data.
fn png_header(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = encoded(GrayImage::new(1, 1), ImageFormat::Png);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let crc = crc32(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&crc.to_be_bytes());
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 }
        })
    })
}

#[test]
fn what_is_too_large_is_refused_before_it_is_decoded() {
    for (width, height) in [(16_385, 1), (1, 16_385), (u32::MAX >> 1, 1), (16_384, 16_384)] {
        let error = load("big.png", &png_header(width, height)).unwrap_err().to_string();
        assert!(error.starts_with("big.png: "), "{error}");
        assert!(error.contains("expected at most"), "{error}");
    }
}

#[test]
fn cut_files_are_refused_by_name() {
    let image =
        RgbImage::from_fn(24, 24, |x, y| Rgb([(x * 9) as u8, (y * 7) as u8, (x * y) as u8]));
    for (name, format) in [("a.png", ImageFormat::Png), ("a.jpg", ImageFormat::Jpeg)] {
        let bytes = encoded(image.clone(), format);
        load(name, &bytes).unwrap();
        // A PNG's last chunk of 12 bytes only says that it ends.
        let end = if format == ImageFormat::Png { bytes.len() - 12 } else { bytes.len() };
        for length in 0..end {
            let error = load(name, &bytes[..length]).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{name}: ")), "{length}: {error}");
        }
    }
    let error = load("a.gif", b"GIF89a").unwrap_err().to_string();
    assert_eq!(error, "a.gif: unknown kind of file; expected a PNG or JPEG");
}
