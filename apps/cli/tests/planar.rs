//! `asperity planar`: every experiment runs, and mistakes are told.

mod common;

use std::path::{Path, PathBuf};

use common::{Folder, asperity};

fn experiments() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/planar/patch");
    let mut found: Vec<PathBuf> = std::fs::read_dir(root)
        .unwrap()
        .map(|f| f.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    found.sort();
    assert!(found.len() >= 16, "{found:?}");
    found
}

#[test]
fn every_experiment_writes_tables_and_plots() {
    let folder = Folder::new("planar");
    for path in experiments() {
        let words =
            ["planar", path.to_str().unwrap(), "--duration", "0.04", "--out", "o", "--json"];
        let out = asperity(&folder, &words);
        assert_eq!(out.code, 0, "{}: {out:?}", path.display());
        let json: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
        assert!(json["spin_radius"].as_f64().unwrap() > 1e-3);
        for model in json["models"].as_array().unwrap() {
            assert!(model["rows"].as_u64().unwrap() >= 4, "{}", path.display());
        }
        for file in json["files"].as_array().unwrap() {
            assert!(folder.path.join(file.as_str().unwrap()).is_file(), "{file}");
        }
    }
}

const GOOD: &str = "
duration = 0.01
load = 1.0
[patch]
[velocity]
x = 0.01
";

#[test]
fn a_patch_from_a_picture_is_the_shape_it_shows() {
    let folder = Folder::new("mask");
    // A bright disc of radius 0.4 widths.
    let disc = image::GrayImage::from_fn(84, 84, |x, y| {
        let [x, y] = [x, y].map(|i| f64::from(i) - 41.5);
        image::Luma([if x.hypot(y) < 0.4 * 84.0 { 255 } else { 0 }])
    });
    disc.save(folder.path.join("disc.png")).unwrap();
    let text = GOOD.replace("[patch]", "[patch]\nshape = { mask = { file = \"disc.png\" } }");
    std::fs::write(folder.path.join("e.toml"), text).unwrap();
    let out = asperity(&folder, &["planar", "e.toml", "--json"]);
    assert_eq!(out.code, 0, "{out:?}");
    let json: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    // 2/3 of 8 mm.
    let r = json["spin_radius"].as_f64().unwrap();
    assert!((r / (0.008 * 2.0 / 3.0) - 1.0).abs() < 0.02, "{r}");
}

#[test]
fn mistakes_are_named() {
    let folder = Folder::new("mistakes");
    let cases = [
        ("load = 1.0", "laod = 1.0", "laod"),
        ("load = 1.0", "load = [[1.0, 0.0], [0.0, 0.0]]", "load has points out of order"),
        ("duration = 0.01", "duration = -1.0", "duration is -1"),
        ("[velocity]\nx = 0.01", "", "either [velocity] or [body]"),
        ("[patch]", "[friction]\nv_s = 0.0\n[patch]", "Stribeck speed v_s is 0"),
        ("[patch]", "[friction]\nsigma0 = -1.0\n[patch]", "sigma0 is -1"),
        ("[patch]", "[patch]\ncells = 0", "cells along a side"),
        (
            "[patch]",
            "[patch]\nshape = { ellipse = { axes = [1e-9, 1e-9] } }\ncells = 20",
            "pressure is empty",
        ),
        (
            "[patch]",
            "[patch]\nshape = { mask = { file = \"../x.png\" } }",
            "below the experiment's own folder",
        ),
        ("duration = 0.01", "duration = 0.01\nmodels = []", "models is empty"),
        ("duration = 0.01", "duration = 1.0\ndt = 0.01", "unstable"),
    ];
    for (from, to, expected) in cases {
        assert!(GOOD.contains(from));
        std::fs::write(folder.path.join("e.toml"), GOOD.replace(from, to)).unwrap();
        let out = asperity(&folder, &["planar", "e.toml"]);
        assert_eq!(out.code, 2, "{to}: {out:?}");
        assert!(out.stderr.contains(expected), "{to}: {}", out.stderr);
    }
    let out = asperity(&folder, &["verify", "pushes"]);
    assert!(out.code == 2 && out.stderr.contains("--data"), "{out:?}");
    let out = asperity(&folder, &["verify", "planar", "--data", "."]);
    assert!(out.code == 2 && out.stderr.contains("limit_surface_meta.csv"), "{out:?}");
}

#[test]
fn limit_surfaces_are_drawn() {
    let folder = Folder::new("limit");
    let words = ["plot", "limit-surface", "--cells", "11", "--shape", "line-gradient", "-o", "p"];
    let out = asperity(&folder, &words);
    assert_eq!(out.code, 0, "{out:?}");
    for name in ["p_curves.svg", "p_curves.png", "p_space.svg", "p_space.png"] {
        assert!(folder.path.join(name).is_file(), "{name}");
    }
}
