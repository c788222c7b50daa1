//! `asperity texture` and `asperity patch`, from outside.

mod common;

use common::{Folder, asperity};

/// The folder with teeth and a rough surface in it.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    for arguments in [
        "texture sawtooth --slopes 1,0.2 --texels 64,64 --out teeth.png",
        "texture roughness --ra 0.1 --texels 64,64 --out rough.png",
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        let out = asperity(&folder, &words);
        assert_eq!(out.code, 0, "{out:?}");
        assert!(out.stdout.contains("covers 0.064 x 0.064 m"), "{}", out.stdout);
    }
    folder
}

fn patch(folder: &Folder, more: &str) -> common::Out {
    let arguments =
        format!("patch --a teeth.png --b rough.png --size-a 0.064 --size-b 0.064 {more}");
    asperity(folder, &arguments.split_whitespace().collect::<Vec<_>>())
}

#[test]
fn two_maps_give_coefficients_a_curve_and_pictures() {
    let folder = folder("patch");
    let out = patch(&folder, "--resolution 64 --json");
    assert_eq!(out.code, 0, "{out:?}");
    assert!(out.stderr.is_empty(), "{}", out.stderr);
    let report: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!((&report["covered"], &report["texels"]), (&4096.into(), &4096.into()));
    let directions = report["directions"].as_array().unwrap();
    assert_eq!(directions.len(), 16);
    let of = |k: usize, name: &str| directions[k][name].as_f64().unwrap();
    // A alone: (2/pi) / 2 against the steep side, a fifth of it the other way, nothing along.
    let steep = std::f64::consts::FRAC_1_PI;
    assert!((of(0, "mu_a") / steep - 1.0).abs() < 1e-3, "{}", of(0, "mu_a"));
    assert!((of(8, "mu_a") / steep - 0.2).abs() < 1e-3, "{}", of(8, "mu_a"));
    assert!(of(4, "mu_a") < 1e-12 && of(4, "mu_b") > 0.01);
    for k in 0..16 {
        assert!((of(k, "mu") - of(k, "mu_a") - of(k, "mu_b")).abs() < 1e-12);
    }
    let out = patch(&folder, "--plot curve.svg --images seen");
    assert_eq!(out.code, 0, "{out:?}");
    for file in ["curve.svg", "seen/normals_a.png", "seen/mu_b_minus_t.png", "seen/covered.png"] {
        assert!(folder.path.join(file).is_file(), "{file}");
    }
}

#[test]
fn a_missing_size_is_said_and_bad_input_is_exit_code_2() {
    let folder = folder("patch_bad");
    folder.write("text.png", "not a picture");
    let out = asperity(&folder, &["patch", "--a", "teeth.png", "--b", "rough.png"]);
    assert_eq!(out.code, 0, "{out:?}");
    assert!(out.stderr.contains("--size-a is missing; teeth.png is taken to cover 1 m"));
    for (more, message) in [
        ("--contact-area real", "real contact area"),
        ("--resolution 0", "resolution of the patch window is 0"),
        ("--directions 2", "number of directions is 2"),
        ("--width -1", "width of the patch window is -1"),
        ("--ambient -1", "ambient coefficient is -1"),
        ("--heights-b 0", "height between black and white"),
    ] {
        let out = patch(&folder, more);
        assert_eq!(out.code, 2, "{more}: {out:?}");
        assert!(out.stderr.contains(message), "{more}: {}", out.stderr);
    }
    let out = asperity(&folder, &["patch", "--a", "text.png", "--b", "rough.png"]);
    assert!(out.code == 2 && out.stderr.contains("text.png: unknown kind of file"), "{out:?}");
    let out = asperity(&folder, &["texture", "sawtooth", "--slopes", "1", "--out", "x.png"]);
    assert!(out.code == 2 && out.stderr.contains("expected two numbers"), "{out:?}");
}

#[test]
fn sampling_is_timed_in_plain_code_and_on_an_adapter() {
    let folder = Folder::new("bench-sampling");
    let bench = |sampler: &str| {
        let words = ["bench", "sampling", "--patches", "3,20", "--json", "--sampler", sampler];
        asperity(&folder, &words)
    };
    let rows = |out: &common::Out| -> Vec<serde_json::Value> {
        let all: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
        all["patches"].as_array().unwrap().clone()
    };
    let is_gpu = |row: &serde_json::Value| row["sampler"] == "gpu";
    let out = bench("cpu");
    assert_eq!(out.code, 0, "{out:?}");
    assert!(rows(&out).len() == 12 && !rows(&out).iter().any(is_gpu));
    // Two sizes of two kinds; where there is no adapter, a message that says what to do.
    let out = bench("gpu");
    let has_adapter = out.code == 0;
    if has_adapter {
        assert!(rows(&out).len() == 4 && rows(&out).iter().all(is_gpu), "{out:?}");
        assert!(rows(&out).iter().all(|row| row["adapter"].as_str().is_some()));
    } else {
        assert!(out.stderr.contains("--sampler gpu: no graphics adapter"), "{}", out.stderr);
    }
    let out = bench("auto");
    assert_eq!(out.code, 0, "{out:?}");
    let of_gpu = rows(&out).iter().filter(|row| is_gpu(row)).count();
    assert_eq!(of_gpu, if has_adapter { 4 } else { 0 });
}
