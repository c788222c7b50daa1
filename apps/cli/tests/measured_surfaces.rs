//! Measured height maps and measured coefficients on the command line.

mod common;

use common::{Folder, asperity};

/// Ridges across u, measured: 32 x 16 heights on 4 x 2 mm that climb and fall by 0.5.
fn ridges() -> Vec<u8> {
    let mut bytes = b"Binary TrueMap Data File v2.0\r\n\0made by a test\0".to_vec();
    bytes.extend([32_u32, 16].iter().flat_map(|n| n.to_le_bytes()));
    bytes.extend([4.0_f32, 2.0, 0.0, 0.0].iter().flat_map(|x| x.to_le_bytes()));
    let height = |i: u32| 0.0625 * f32::from((i % 8).min(8 - i % 8) as u16);
    bytes.extend((0..512).flat_map(|i| height(i % 32).to_le_bytes()));
    bytes
}

fn words(folder: &Folder, line: &str) -> common::Out {
    asperity(folder, &line.split_whitespace().collect::<Vec<_>>())
}

#[test]
fn patches_and_textures_take_measured_heights_in_their_own_size() {
    let folder = Folder::new("measured");
    std::fs::write(folder.path.join("ridges.tmd"), ridges()).unwrap();
    let out = words(&folder, "patch --a ridges.tmd --b ridges.tmd --resolution 64 --json");
    assert_eq!((out.code, out.stderr.as_str()), (0, ""), "{out:?}");
    let report: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    let mu = |k: usize| report["directions"][k]["mu_a"].as_f64().unwrap();
    // Half climbs by 0.5, less at crests and in valleys; nothing resists motion along the ridges.
    assert!(mu(0) > 0.1 && mu(0) < 0.25 / std::f64::consts::FRAC_PI_2 && mu(4) < 1e-9, "{}", mu(0));
    for more in ["--heights-a 1", "--flip-green-a"] {
        let out = words(&folder, &format!("patch --a ridges.tmd --b ridges.tmd {more}"));
        assert!(out.code == 2 && out.stderr.contains("ridges.tmd: it holds measured"), "{out:?}");
    }
    let out = words(&folder, "texture from-heights ridges.tmd -o normals.png");
    assert!(out.code == 0 && out.stdout.contains("covers 0.004 x 0.002 m"), "{out:?}");
    let out = words(&folder, "texture from-heights normals.png -o again.png");
    assert!(out.code == 2 && out.stderr.contains("needs --size"), "{out:?}");
    std::fs::write(folder.path.join("cut.tmd"), &ridges()[..500]).unwrap();
    let out = words(&folder, "patch --a cut.tmd --b ridges.tmd");
    assert!(
        out.code == 2 && out.stderr.contains("cut.tmd: 32 x 16 heights are 2048 bytes"),
        "{out:?}"
    );
}

const SCENE: &str = r#"
version = 1
texture.teeth = { kind = "normal", size = [0.02, 0.02], generate = { sawtooth = { slopes = [1, 0.2], widths = [16, 16] }, texels = [32, 4] } }
material.rasp = { normal = "teeth", mask = 3 }
material.plate = {}
pair.default = { section = { model = "ploughing" } }
body = [ { name = "floor", kind = "fixed", shape = { half_space = [0, 1, 0] }, material = "rasp" },
         { name = "plate", shape = { box = [1, 1, 1] }, at = [0, 0.5, 0], material = "plate" } ]
"#;

#[test]
fn masks_are_tuned_to_a_table_of_measurements() {
    let folder = Folder::new("masks");
    folder.write("rasp.toml", SCENE);
    // mu = 0.1 + 1.5 (2/pi) {0.5, 0.1, 0}: half of the texels have slope 1, half 0.2 the other way.
    let head = "a,b,direction,mu\n";
    folder.write(
        "good.csv",
        &format!("{head}rasp,plate,0,0.577465\nrasp,plate,180,0.195493\nrasp,plate,90,0.1\n"),
    );
    let out = words(&folder, "tune masks rasp.toml --table good.csv");
    assert_eq!(out.code, 0, "{out:?}");
    for part in
        ["determine 2 of 3", "mask = 1.5000", "no normal map", "mu = 0.1000", "misfit 0.0000"]
    {
        assert!(out.stdout.contains(part), "{part}: {}", out.stdout);
    }
    // One measurement for two unknowns, and one that no mask explains: friction along the grooves.
    folder.write("one.csv", &format!("{head}rasp,plate,0,0.577465\n"));
    let out = words(&folder, "tune masks rasp.toml --table one.csv");
    assert!(out.code == 0 && out.stdout.contains("not determined"), "{out:?}");
    let out = words(&folder, "tune masks rasp.toml --table one.csv --ambient 0.1");
    assert!(out.code == 0 && out.stdout.contains("mask = 1.5000"), "{out:?}");
    folder.write(
        "bad.csv",
        &format!("{head}rasp,plate,0,0.2\nrasp,plate,90,0.6\nrasp,plate,180,0.2\n"),
    );
    let out = words(&folder, "tune masks rasp.toml --table bad.csv");
    assert!(out.code == 1 && out.stdout.contains("CONTRADICTION"), "{out:?}");
    let out = words(&folder, "tune masks rasp.toml --table bad.csv --within -1");
    assert!(out.code == 2 && out.stderr.contains("--within is -1"), "{out:?}");
    folder.write("none.csv", &format!("{head}rasp,plat,0,0.2\n"));
    let out = words(&folder, "tune masks rasp.toml --table none.csv");
    assert!(
        out.code == 2 && out.stderr.contains("none.csv:2: there is no material \"plat\""),
        "{out:?}"
    );
}
