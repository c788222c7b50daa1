//! Pictures and meshes that are not what they say: a clear error or a stated fallback.

use std::io::Cursor;

use ::image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use asperity::friction::surface::Wrap;
use asperity::friction::surface::patch::Facet;
use asperity::glamx::{DMat3, DVec2, DVec3};
use asperity_scene::asset::{AssetError, image, mesh};

use crate::Check;
use crate::VerifyError;

pub(crate) fn lies() -> Result<Vec<Check>, VerifyError> {
    let noise = RgbImage::from_fn(64, 64, |x, y| {
        let c = |k: u32| (x * 37 * k + y * 91 + x * y * k) as u8;
        Rgb([c(1), c(2), c(3)])
    });
    let (png, jpeg) = (encoded(&noise, ImageFormat::Png)?, encoded(&noise, ImageFormat::Jpeg)?);
    let flat = |side| RgbImage::from_pixel(side, side, Rgb([128, 128, 255]));
    let mut vast = encoded(&flat(1), ImageFormat::Png)?;
    // The size of a PNG stands here; its check sum is found wrong at the latest.
    vast.splice(16..24, [100_000_u32.to_be_bytes(), 100_000_u32.to_be_bytes()].concat());
    let obj = |text: &str| {
        mesh::load("a.obj", text.as_bytes(), &|name| {
            Err(AssetError::Unavailable { file: name.to_owned(), problem: "not found".to_owned() })
        })
    };
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    let edge_on = [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 0.0, 1.0)];
    let point = [DVec3::ZERO; 3];
    let triangle = |corners| match Facet::triangle(corners, [DVec2::ZERO; 3], DMat3::IDENTITY, 0) {
        Some(_) => "a facet",
        None => "left out",
    };
    let two_triangles = |what: &str, more: &str| {
        let found = match obj(&format!("{square}f 1 2 3 4\n{more}")) {
            Ok(mesh) => format!("{} triangles, {} uvs", mesh.triangles.len(), mesh.uvs.len()),
            Err(error) => error.to_string(),
        };
        Check::fact(what, "2 triangles, 0 uvs", &found)
    };
    Ok(vec![
        refused("truncated PNG", slopes(&png[..png.len() / 2]), ""),
        refused("truncated JPEG", slopes(&jpeg[..jpeg.len() / 2]), "ends before"),
        refused("100,000 x 100,000 pixels", slopes(&vast), ""),
        refused("noise", slopes(&png), "not a normal map"),
        refused("a text file", slopes(b"normal map"), "expected a PNG or JPEG"),
        Check::fact(
            "1 x 1 texel, flat",
            "no slope",
            &described(slopes(&encoded(&flat(1), ImageFormat::Png)?)),
        ),
        refused("mesh with NaN", obj("v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").map(|_| ()), ""),
        two_triangles("mesh without texture coordinates", ""),
        two_triangles("mesh with a triangle of two corners", "f 1 1 2\n"),
        Check::fact("triangle seen edge-on", "left out", triangle(edge_on)),
        Check::fact("triangle that is a point", "left out", triangle(point)),
    ])
}

fn encoded(picture: &RgbImage, format: ImageFormat) -> Result<Vec<u8>, VerifyError> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(picture.clone())
        .write_to(&mut bytes, format)
        .map_err(|e| VerifyError::new(format!("a picture cannot be encoded: {e}")))?;
    Ok(bytes.into_inner())
}

/// The steepest slope of a normal map.
fn slopes(bytes: &[u8]) -> Result<f32, AssetError> {
    let picture = image::load("a.png", bytes)?;
    let map = picture
        .into_slopes(DVec2::ONE, Wrap::Repeat)
        .map_err(|e| AssetError::Content { file: "a.png".to_owned(), problem: e.to_string() })?;
    Ok(map.slopes().iter().flatten().fold(0.0, |m, s| s.abs().max(m)))
}

fn described(found: Result<f32, AssetError>) -> String {
    match found {
        Ok(0.0) => "no slope".to_owned(),
        Ok(slope) => format!("slope {slope}"),
        Err(error) => error.to_string(),
    }
}

/// Refused, with the file's name and this in the message.
fn refused<T>(what: &str, found: Result<T, AssetError>, part: &str) -> Check {
    let found = match found {
        Ok(_) => "taken".to_owned(),
        Err(error) => {
            let text = error.to_string();
            let named = text.starts_with("a.") && text.contains(part);
            if named { "refused by name".to_owned() } else { text }
        }
    };
    Check::fact(what, "refused by name", &found)
}
