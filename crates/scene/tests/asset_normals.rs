//! Normal maps: from pictures, from glTF files, and from pictures that lie.

mod asset_samples;

use std::io::Cursor;

use ::image::{DynamicImage, ImageBuffer, ImageFormat, Rgb};
use asperity::friction::random::Rng;
use asperity::friction::surface::Wrap;
use asperity::friction::surface::generate::{Grid, gaussian_slopes, sawtooth};
use asperity::glamx::DVec2;
use asperity_scene::asset::image::{self, Picture};
use asperity_scene::asset::mesh::{self, NormalTexture};
use asperity_scene::asset::{AssetError, Resolve};
use asset_samples::{ALONE, Gltf, mutated, square_gltf};

/// A PNG of sixteen bits.
fn png(picture: &Picture) -> Vec<u8> {
    let (width, height) = (picture.width as u32, picture.height as u32);
    let image: ImageBuffer<Rgb<u16>, Vec<u16>> = ImageBuffer::from_fn(width, height, |x, y| {
        let texel = picture.texels[(y * width + x) as usize];
        Rgb([texel[0], texel[1], texel[2]].map(|c| (c * 65535.0).round() as u16))
    });
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(image).write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// Teeth across u: its picture is not the same upside down or mirrored.
fn teeth() -> Vec<u8> {
    let map = sawtooth(Grid { width: 16, height: 8, texel: 0.001 }, [1.0, 0.2], [4, 4]).unwrap();
    png(&Picture::of_normals(&map))
}

/// A square whose material has a normal texture with these members.
fn with_normals(gltf: &mut Gltf, texture: &str, images: &str, sampler: &str) {
    gltf.members = gltf.members.replace(
        r#""materials":[{"name":"oak"}]"#,
        &format!(
            r#""images":[{images}],"samplers":[{{{sampler}}}],"textures":[{{"source":0,"sampler":0}}],
            "materials":[{{"name":"oak","normalTexture":{{"index":0{texture}}}}}]"#
        ),
    );
}

fn textures(bytes: &[u8]) -> Result<Vec<NormalTexture>, AssetError> {
    mesh::normal_textures("a.glb", bytes, ALONE)
}

#[test]
fn slopes_come_back_from_a_picture() {
    let map =
        gaussian_slopes(Grid { width: 24, height: 17, texel: 0.001 }, DVec2::new(0.6, 0.2), 4);
    let map = map.unwrap();
    let picture = image::load("n.png", &png(&Picture::of_normals(&map))).unwrap();
    let back = picture.into_slopes(map.size(), Wrap::Repeat).unwrap();
    for (a, b) in map.slopes().iter().zip(back.slopes()) {
        assert!((a[0] - b[0]).abs() < 1e-3 && (a[1] - b[1]).abs() < 1e-3, "{a:?} {b:?}");
    }
    // Green upside down: the other sense along v.
    let mut picture = image::load("n.png", &png(&Picture::of_normals(&map))).unwrap();
    picture.flip_green();
    let flipped = picture.into_slopes(map.size(), Wrap::Repeat).unwrap();
    for (a, b) in back.slopes().iter().zip(flipped.slopes()) {
        assert!((a[0] - b[0]).abs() < 1e-4 && (a[1] + b[1]).abs() < 1e-3, "{a:?} {b:?}");
    }
}

#[test]
fn a_gltf_brings_its_own_normal_texture() {
    let picture = teeth();
    let mut gltf = square_gltf("");
    let view = gltf.view(&picture);
    let image = format!(r#"{{"bufferView":{view},"mimeType":"image/png"}}"#);
    with_normals(&mut gltf, r#","scale":0.5"#, &image, r#""wrapS":33071"#);
    let found = textures(&gltf.glb()).unwrap();
    let [texture] = &found[..] else { panic!("{found:?}") };
    assert_eq!((texture.material.as_str(), texture.scale, texture.wrap), ("oak", 0.5, Wrap::Clamp));
    assert_eq!(texture.bytes, picture);
    let map = texture.slopes(DVec2::new(0.016, 0.008)).unwrap();
    assert!((map.slopes()[0][0] - 0.5).abs() < 1e-3 && (map.slopes()[4][0] + 0.1).abs() < 1e-3);
    // The mesh itself is read as before, and one without has none.
    assert_eq!(mesh::load("a.glb", &gltf.glb(), ALONE).unwrap().triangles.len(), 2);
    assert_eq!(textures(&square_gltf("").glb()).unwrap(), []);
    assert_eq!(mesh::normal_textures("a.obj", b"v 0 0 0", ALONE).unwrap(), []);
}

#[test]
fn a_normal_texture_can_lie_beside_the_file() {
    let picture = teeth();
    let mut gltf = square_gltf("");
    with_normals(&mut gltf, "", r#"{"uri":"my%20teeth.png"}"#, "");
    let resolve: Resolve = &|name| {
        assert_eq!(name, "my teeth.png");
        Ok(picture.clone())
    };
    let found = mesh::normal_textures("a.glb", &gltf.glb(), resolve).unwrap();
    assert_eq!((found[0].wrap, found[0].scale), (Wrap::Repeat, 1.0));
    let error = textures(&gltf.glb()).unwrap_err().to_string();
    assert_eq!(error, "a.glb: images[0]: cannot read my teeth.png: not found");
}

#[test]
fn normal_textures_that_lie_are_refused_by_name() {
    let bad = |texture: &str, image: &str| {
        let mut gltf = square_gltf("");
        with_normals(&mut gltf, texture, image, "");
        let found = textures(&gltf.glb());
        found.and_then(|t| t[0].slopes(DVec2::ONE).map(|_| ())).unwrap_err().to_string()
    };
    let data = r#"{"uri":"data:image/png;base64,AAAA"}"#;
    for (texture, image, expected) in [
        (r#","texCoord":1"#, data, "expected TEXCOORD_0"),
        ("", "{}", "neither a buffer view nor a uri"),
        ("", r#"{"bufferView":99}"#, "not a valid glTF"),
        ("", r#"{"uri":"http://a.b/c.png"}"#, "expected a relative one"),
        ("", data, "expected a PNG or JPEG"),
    ] {
        let error = bad(texture, image);
        assert!(error.starts_with("a.glb") && error.contains(expected), "{error}");
    }
}

#[test]
fn mutated_files_give_textures_or_errors() {
    let mut gltf = square_gltf("");
    let view = gltf.view(&teeth());
    with_normals(&mut gltf, "", &format!(r#"{{"bufferView":{view}}}"#), "");
    let bytes = gltf.glb();
    assert!(textures(&bytes).is_ok());
    for number in 0..3000 {
        let broken = mutated(&bytes, &mut Rng::for_case("normal textures", number));
        for texture in textures(&broken).into_iter().flatten() {
            let _ = texture.slopes(DVec2::ONE);
        }
    }
}
