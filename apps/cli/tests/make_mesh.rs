//! `asperity mesh`, `asperity texture logo-mask`, and the scene that both are made for.

mod common;

use common::{Folder, asperity};

fn scene(file: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/appearance").join(file)
}

#[test]
fn a_bunny_is_written_in_both_formats_and_stands_in_a_scene() {
    let folder = Folder::new("mesh");
    for file in ["bunny.glb", "bunny.obj"] {
        let words = ["mesh", "bunny", "--out", file, "--size", "0.2", "--cells", "24", "--json"];
        let out = asperity(&folder, &words);
        assert_eq!(out.code, 0, "{out:?}");
        let report: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
        let written = std::fs::metadata(folder.path.join(file)).unwrap().len();
        assert_eq!(report["bytes"], written);
        assert!(report["volume"].as_f64().unwrap() > 0.0);
        let text = format!(
            "version = 1\nworld = {{ duration = 0.5 }}\npair.default = {{ section = {{ model = \"coulomb\", mu = 0.5 }} }}\nbody = [ {{ name = \"floor\", kind = \"fixed\", shape = {{ half_space = [0, 1, 0] }} }}, {{ name = \"bunny\", shape = {{ mesh = \"{file}\" }} }} ]\nprobe = [ {{ name = \"moved\", of = \"bunny.displacement\", component = \"length\" }} ]\nexpect = [ {{ probe = \"moved\", when = \"always\", between = [0, 1e-5] }} ]\n"
        );
        folder.write("stand.toml", &text);
        let out = asperity(&folder, &["run", "stand.toml"]);
        assert_eq!(out.code, 0, "{file}: {out:?}");
    }
}

#[test]
fn what_cannot_be_made_is_said() {
    let folder = Folder::new("mesh_bad");
    for (words, message) in [
        ("mesh bunny --out bunny.ply", "bunny.ply: expected a name that ends in .glb or .obj"),
        ("mesh bunny --out b.obj --size -1", "--size is -1; expected metres"),
        ("mesh bunny --out b.obj --size inf", "--size is inf"),
        ("mesh bunny --out b.obj --cells 3", "--cells is 3; expected a whole number"),
        ("mesh teapot --out b.obj", "invalid value 'teapot'"),
        ("texture logo-mask --out m.png --pixels 0", "--pixels is 0"),
        ("texture logo-mask --out m.png --margin -1", "--margin is -1"),
    ] {
        let out = asperity(&folder, &words.split(' ').collect::<Vec<_>>());
        assert_eq!(out.code, 2, "{words}: {out:?}");
        assert!(out.stderr.contains(message), "{words}: {}", out.stderr);
    }
    assert!(!folder.path.join("b.obj").exists());
}

#[test]
fn the_mesh_of_the_scene_is_the_one_that_the_command_makes() {
    let folder = Folder::new("mesh_asset");
    let out = asperity(&folder, &["mesh", "bunny", "--out", "bunny.glb"]);
    assert_eq!(out.code, 0, "{out:?}");
    let made = std::fs::read(folder.path.join("bunny.glb")).unwrap();
    assert!(made == std::fs::read(scene("bunny.glb")).unwrap());
    assert!(made.len() < 200_000);
    assert!(std::fs::metadata(scene("logo.png")).unwrap().len() < 300_000);
}

#[test]
fn a_mask_becomes_the_normals_of_a_logo() {
    let folder = Folder::new("logo");
    for words in [
        "texture logo-mask --out mask.png --pixels 64 --margin 0.25",
        "texture logo mask.png --out logo.png --texel 0.01 --depth 10 --edge 40",
    ] {
        let out = asperity(&folder, &words.split(' ').collect::<Vec<_>>());
        assert_eq!(out.code, 0, "{out:?}");
    }
    let out =
        asperity(&folder, &["patch", "--a", "logo.png", "--b", "logo.png", "--size-a", "0.64"]);
    assert_eq!(out.code, 0, "{out:?}");
}

#[test]
fn stone_falls_at_once_and_the_edge_of_the_logo_trips_metal_and_plastic() {
    let folder = Folder::new("bunnies");
    let out = asperity(&folder, &["run", scene("bunnies.toml").to_str().unwrap()]);
    assert_eq!(out.code, 0, "{out:?}");
    assert_eq!(out.stdout.matches("met: ").count(), 8, "{}", out.stdout);
}
