//! The meshes of the data folder, compared with another reader. Run with `ASPERITY_DATA` set to
//! the folder that has `data/meshes`.

mod asset_samples;

use std::path::PathBuf;

use asperity::glamx::DVec3;
use asperity_scene::asset::mesh::LoadedMesh;
use asset_samples::{binary_stl, corners, load};

/// The OBJ files with their contents, or nothing and a message.
fn meshes() -> Vec<(String, Vec<u8>)> {
    let Some(root) = std::env::var_os("ASPERITY_DATA") else {
        eprintln!("skipped: ASPERITY_DATA is not set");
        return Vec::new();
    };
    let folder = PathBuf::from(root).join("data/meshes");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "obj"));
    paths.sort();
    assert!(!paths.is_empty());
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}

fn statements(bytes: &[u8], keyword: &str) -> usize {
    let text = String::from_utf8_lossy(bytes);
    text.lines().filter(|line| line.split_whitespace().next() == Some(keyword)).count()
}

/// Volume inside a closed mesh.
fn volume(mesh: &LoadedMesh) -> f64 {
    let at = |i: u32| mesh.positions[i as usize];
    mesh.triangles.iter().map(|[a, b, c]| at(*a).dot(at(*b).cross(at(*c))) / 6.0).sum()
}

#[test]
fn data_meshes_agree_with_another_reader() {
    for (name, bytes) in meshes() {
        let mesh = load(&name, &bytes).unwrap();
        let options =
            tobj::LoadOptions { triangulate: true, single_index: true, ..Default::default() };
        let none = |_: &std::path::Path| Err(tobj::LoadError::OpenFileFailed);
        let (models, _) = tobj::load_obj_buf(&mut bytes.as_slice(), &options, none).unwrap();
        let mut theirs = Vec::new();
        for model in &models {
            let p = |i: u32| DVec3::from_slice(&model.mesh.positions[3 * i as usize..][..3]);
            theirs.extend(model.mesh.indices.chunks_exact(3).map(|t| [p(t[0]), p(t[1]), p(t[2])]));
        }
        // Triangles that repeat a vertex are left out here.
        theirs.retain(|[a, b, c]| a != b && b != c && c != a);
        let at = |i: u32| mesh.positions[i as usize];
        let mut ours: Vec<[DVec3; 3]> = mesh.triangles.iter().map(|t| t.map(at)).collect();
        ours.retain(|[a, b, c]| a != b && b != c && c != a);
        assert_eq!(ours.len(), theirs.len(), "{name}");
        let differing = ours.iter().zip(&theirs).filter(|(a, b)| a != b).count();
        eprintln!(
            "{name}: {} vertices, {} triangles, {differing} cut in another way",
            mesh.positions.len(),
            ours.len()
        );
        assert!(differing * 50 < ours.len(), "{name}: {differing}");
        assert_eq!(mesh.uvs.is_empty(), statements(&bytes, "vt") == 0, "{name}");
        assert_eq!(mesh.tangents.len(), mesh.uvs.len());
        if statements(&bytes, "vt") == 0 && statements(&bytes, "vn") == 0 {
            assert!(mesh.positions.len() <= statements(&bytes, "v"));
        }
    }
}

#[test]
fn data_meshes_round_trip_through_stl() {
    for (name, bytes) in meshes() {
        let mesh = load(&name, &bytes).unwrap();
        let copy = load("copy.stl", binary_stl(&mesh)).unwrap();
        let mut expected = corners(&mesh);
        expected.retain(|[a, b, c]| a != b && b != c && c != a);
        assert_eq!(corners(&copy), expected, "{name}");
        let scale = volume(&mesh).abs();
        assert!((volume(&copy) - volume(&mesh)).abs() <= 1e-5 * scale, "{name}");
    }
}

#[test]
fn data_normals_point_outwards() {
    for (name, bytes) in meshes() {
        let mesh = load(&name, &bytes).unwrap();
        assert!(mesh.normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-12));
        let at = |i: u32| mesh.positions[i as usize];
        let agree = mesh.triangles.iter().filter(|[a, b, c]| {
            let face = (at(*b) - at(*a)).cross(at(*c) - at(*a));
            [a, b, c].iter().all(|i| mesh.normals[**i as usize].dot(face) >= 0.0)
        });
        let share = agree.count() as f64 / mesh.triangles.len() as f64;
        assert!(share > 0.95, "{name}: {share}");
    }
}
