//! `asperity volume`.

mod common;

use common::{Folder, asperity};

/// A unit cube about the origin.
const CUBE: &str = "v -0.5 -0.5 -0.5\nv 0.5 -0.5 -0.5\nv 0.5 0.5 -0.5\nv -0.5 0.5 -0.5\nv -0.5 -0.5 0.5\nv 0.5 -0.5 0.5\nv 0.5 0.5 0.5\nv -0.5 0.5 0.5\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 4 1 5 8\n";

fn json(folder: &Folder, words: &[&str]) -> serde_json::Value {
    let out = asperity(folder, words);
    assert_eq!(out.code, 0, "{out:?}");
    serde_json::from_str(&out.stdout).unwrap()
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn two_cubes_share_a_slab() {
    let folder = Folder::new("volume");
    folder.write("cube.obj", CUBE);
    let pose = "0.25 0.9 0.25 0 0 0 1";
    let words = ["volume", "cube.obj", "cube.obj", "--pose-b", pose, "--json"];
    let report = json(&folder, &words);
    let one = &report["overlaps"][0];
    assert_eq!(report["overlaps"].as_array().unwrap().len(), 1);
    assert_eq!(numbers(&report["triangles"]), [12.0, 12.0]);
    let volume = one["volume"].as_f64().unwrap();
    assert!((volume - 0.75 * 0.75 * 0.1).abs() < 1e-15, "{volume}");
    let half = numbers(&one["ellipse"]["half_lengths"]);
    assert!(half.iter().all(|h| (h - 0.375).abs() < 0.01), "{half:?}");
    assert!(numbers(&one["normal"])[1] > 0.98);
    // The thinnest direction is straight up, and the patch then the square.
    let words = [&words[..], &["--normal", "thinnest", "--patch", "rectangle"]].concat();
    let one = &json(&folder, &words)["overlaps"][0];
    assert!((numbers(&one["normal"])[1] - 1.0).abs() < 1e-12);
    assert!(numbers(&one["ellipse"]["half_lengths"]).iter().all(|h| (h - 0.375).abs() < 1e-12));
    // Rays come near.
    let words = [&words[..], &["--method", "rays", "--rays", "200"]].concat();
    let rays = json(&folder, &words)["volume"].as_f64().unwrap();
    assert!((rays / volume - 1.0).abs() < 0.02, "{rays} {volume}");

    let out = asperity(&folder, &["volume", "cube.obj", "cube.obj", "--pose-b", "0 2 0"]);
    assert!(out.code == 0 && out.stdout.contains("no overlap"), "{out:?}");
    let out = asperity(&folder, &["volume", "cube.obj", "cube.obj", "--pose-b", "0 -0.5 0"]);
    assert!(out.stdout.contains(" 5.000000e-1 m³"), "{out:?}");
}

#[test]
fn what_is_wrong_is_said() {
    let folder = Folder::new("volume_bad");
    folder.write("cube.obj", CUBE);
    folder.write("open.obj", CUBE.trim_end().rsplit_once('\n').unwrap().0);
    folder.write("out.obj", &CUBE.replace("f 4 3 2 1", "f 1 2 3 4"));
    for (words, message) in [
        ("volume cube.obj open.obj", "open.obj: the mesh is open: 4 of its edges"),
        ("volume out.obj cube.obj", "out.obj: the mesh is open: 4 of its edges"),
        ("volume cube.obj none.obj", "none.obj: "),
        ("volume cube.obj cube.obj --pose-b 1,2", "--pose-b \"1,2\": 2 numbers; expected"),
        ("volume cube.obj cube.obj --rays 1", "--rays is 1; expected a whole number, 2 to 4096"),
    ] {
        let out = asperity(&folder, &words.split(' ').collect::<Vec<_>>());
        assert_eq!(out.code, 2, "{words}: {out:?}");
        assert!(out.stderr.contains(message), "{words}: {}", out.stderr);
    }
}
