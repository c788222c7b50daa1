//! Broken files give errors that name them, or meshes that keep their promises; never a panic.

mod asset_samples;

use asperity::friction::testing::Rng;
use asperity::glamx::{DVec2, DVec3};
use asperity_scene::asset::image;
use asperity_scene::asset::mesh::LoadedMesh;
use asset_samples::{OBJ, PLY, STL, binary_ply, binary_stl, glb, load, mutated, square_gltf};

fn check(mesh: &LoadedMesh) {
    let n = mesh.positions.len();
    assert!(!mesh.triangles.is_empty());
    assert_eq!(mesh.normals.len(), n);
    assert!(mesh.uvs.is_empty() || mesh.uvs.len() == n);
    assert!(mesh.tangents.is_empty() || mesh.tangents.len() == n);
    assert_eq!(mesh.triangle_material.len(), mesh.triangles.len());
    assert!(mesh.triangle_material.iter().all(|m| (*m as usize) < mesh.materials.len()));
    assert!(mesh.triangles.iter().flatten().all(|i| (*i as usize) < n));
    assert!(mesh.triangles.iter().all(|[a, b, c]| a != b && b != c && c != a));
    assert!(mesh.positions.iter().all(|p| p.is_finite()));
    assert!(mesh.uvs.iter().all(|uv: &DVec2| uv.is_finite()));
    assert!(mesh.grains.is_empty() || mesh.grains.len() == n);
    let is_unit = |g: &DVec3| *g == DVec3::ZERO || (g.length() - 1.0).abs() < 1e-9;
    assert!(mesh.grains.iter().all(is_unit));
    assert!(mesh.sources.len() == n && mesh.sources.iter().all(|s| *s < mesh.source_count));
    for (i, normal) in mesh.normals.iter().enumerate() {
        assert!((normal.length() - 1.0).abs() < 1e-9, "{normal}");
        if let Some([x, y, z, sign]) = mesh.tangents.get(i) {
            let t = DVec3::new(*x, *y, *z);
            assert!((t.length() - 1.0).abs() < 1e-9 && t.dot(*normal).abs() < 1e-6, "{t}");
            assert_eq!(sign.abs(), 1.0);
        }
    }
}

fn mutate_meshes(name: &str, bytes: &[u8], cases: usize) {
    check(&load(name, bytes).unwrap());
    let mut read = 0;
    for case in 0..cases {
        let changed = mutated(bytes, &mut Rng::for_case(name, case));
        match load(name, &changed) {
            Ok(mesh) => {
                check(&mesh);
                read += 1;
            }
            Err(error) => assert!(error.to_string().starts_with(name), "{error}"),
        }
    }
    assert!(read > 0 && read < cases, "{read} of {cases} were read: the changes test nothing");
}

#[test]
fn mutated_obj() {
    mutate_meshes("mutated.obj", OBJ.as_bytes(), 5000);
}

#[test]
fn mutated_text_stl() {
    mutate_meshes("mutated.stl", STL.as_bytes(), 5000);
}

#[test]
fn mutated_binary_stl() {
    mutate_meshes("binary.stl", &binary_stl(&load("corner.stl", STL).unwrap()), 5000);
}

#[test]
fn mutated_ply() {
    mutate_meshes("mutated.ply", PLY.as_bytes(), 5000);
    mutate_meshes("binary.ply", &binary_ply(), 5000);
}

#[test]
fn mutated_glb() {
    mutate_meshes("mutated.glb", &square_gltf(r#","scale":[1,2,3]"#).glb(), 10_000);
}

#[test]
fn mutated_glb_without_tangents() {
    let mut gltf = square_gltf(r#","rotation":[0,0,0,1]"#);
    gltf.members = gltf.members.replace(r#""TANGENT":2,"#, "").replace(r#""NORMAL":1,"#, "");
    mutate_meshes("bare.glb", &gltf.glb(), 5000);
}

/// Only digits of the document and bytes of the buffer change, so that most cases get past the
/// syntax.
#[test]
fn glb_with_other_numbers() {
    let gltf = square_gltf(r#","matrix":[1,0,0,0,0,2,0,0,0,0,3,0,4,5,6,1]"#);
    let mut read = 0;
    for case in 0..10_000 {
        let mut rng = Rng::for_case("numbers", case);
        let mut json = gltf.json(None).into_bytes();
        let mut bytes = gltf.bytes.clone();
        let digits: Vec<usize> = (0..json.len()).filter(|i| json[*i].is_ascii_digit()).collect();
        for _ in 0..=rng.index(3) {
            let at = digits[rng.index(digits.len())];
            json[at] = b'0' + rng.index(10) as u8;
            let at = rng.index(bytes.len());
            bytes[at] = if rng.chance(0.5) { rng.index(6) as u8 } else { rng.next_u64() as u8 };
        }
        match load("numbers.glb", glb(&String::from_utf8(json).unwrap(), &bytes)) {
            Ok(mesh) => {
                check(&mesh);
                read += 1;
            }
            Err(error) => assert!(error.to_string().starts_with("numbers.glb"), "{error}"),
        }
    }
    assert!(read > 100, "{read}");
}

#[test]
fn mutated_pictures() {
    use ::image::{DynamicImage, ImageFormat, RgbImage};
    let picture =
        RgbImage::from_fn(20, 12, |x, y| ::image::Rgb([(x * 12) as u8, (y * 20) as u8, 77]));
    for (name, format) in [("mutated.png", ImageFormat::Png), ("mutated.jpg", ImageFormat::Jpeg)] {
        let mut bytes = std::io::Cursor::new(Vec::new());
        DynamicImage::from(picture.clone()).write_to(&mut bytes, format).unwrap();
        for case in 0..3000 {
            let changed = mutated(bytes.get_ref(), &mut Rng::for_case(name, case));
            match image::load(name, &changed) {
                Ok(picture) => {
                    assert_eq!(picture.texels.len(), picture.width * picture.height);
                    assert!(picture.texels.iter().flatten().all(|c| (0.0..=1.0).contains(c)));
                }
                Err(error) => assert!(error.to_string().starts_with(name), "{error}"),
            }
        }
    }
}

/// Triangles between points of a small grid: coincident, folded and without area, at random.
#[test]
fn random_triangles_with_random_textures() {
    for case in 0..4000 {
        let mut rng = Rng::for_case("soup", case);
        let side = 2 + rng.index(3);
        let mut text = String::new();
        let (points, uvs) = (3 + rng.index(20), 1 + rng.index(8));
        for _ in 0..points {
            let [x, y, z] = [(); 3].map(|()| rng.index(side));
            text += &format!("v {x} {y} {z}\n");
        }
        for _ in 0..uvs {
            text += &format!("vt {} {}\n", rng.index(3), rng.index(3));
        }
        for _ in 0..=rng.index(60) {
            text += "f";
            for _ in 0..3 + rng.index(2) * rng.index(5) {
                text += &format!(" {}/{}", 1 + rng.index(points), 1 + rng.index(uvs));
            }
            text += "\n";
        }
        match load("soup.obj", &text) {
            Ok(mesh) => check(&mesh),
            Err(error) => assert!(error.to_string().contains("triangle"), "{error}\n{text}"),
        }
    }
}
