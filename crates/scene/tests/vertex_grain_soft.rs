//! Grains that are told at the vertices of cloth and soft solids.

use std::fmt::Write;

use asperity::glamx::DVec3;
use asperity_scene::{self as scene, Assets};

/// Files by name.
struct Files(Vec<(&'static str, String)>);

impl Assets for Files {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let found = self.0.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.clone().into_bytes()).ok_or_else(|| "not found".to_owned())
    }
}

/// A sheet of 4 by 4 cells of 0.1 m with texture coordinates, cut through its middle: the vertices there are twice in
/// the file.
fn cut_sheet() -> String {
    let mut text = String::new();
    let mut faces = String::new();
    for half in 0..2 {
        for column in 2 * half..=2 * half + 2 {
            for row in 0..5 {
                let (x, z) = (0.1 * f64::from(column) - 0.2, 0.1 * f64::from(row) - 0.2);
                let _ = writeln!(text, "v {x:.3} 0 {z:.3}\nvt {x:.3} {:.3}", -z);
            }
        }
        for column in 0..2 {
            for row in 0..4 {
                let a = 15 * half + 5 * column + row + 1;
                let corner = |i: i32| format!("{i}/{i}");
                let [a, b, c, d] = [a, a + 1, a + 6, a + 5].map(corner);
                let _ = writeln!(faces, "f {a} {b} {c} {d}");
            }
        }
    }
    text + &faces
}

/// Directions of the sheet's 30 vertices, in order; those of the second half may be others.
fn in_order(first: &str, second: &str) -> String {
    format!("gx gy gz\n{}{}", format!("{first}\n").repeat(15), format!("{second}\n").repeat(15))
}

/// A soft body that slides on a floor, 0.05 s later.
fn slid(body: &str, files: Vec<(&'static str, String)>) -> Result<Vec<DVec3>, String> {
    let text = format!(
        r#"
version = 1
world = {{ dt = 0.005, gravity = [3, -9.81, 3] }}
pair.default = {{ section = {{ model = "matchstick", mu = 0.3, mu_t = 0.05, mu_b = 0.9 }} }}
body = [ {{ name = "floor", kind = "fixed", shape = {{ box = [4, 0.2, 4] }}, at = [0, -0.1, 0] }},
         {{ name = "soft", velocity = [1, 0, 1], {body} }} ]
"#
    );
    let loaded = scene::load(&text, "soft.toml", &Files(files)).map_err(|e| e.to_string())?;
    let mut world = loaded.world;
    for _ in 0..10 {
        world.step();
    }
    Ok(world.softs()[0].body.positions.clone())
}

fn apart(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
fn cloth_and_solids_have_a_grain_at_their_vertices() {
    let cloth = r#"at = [0, 0.002, 0], cloth = { file = "sheet.obj" }, structure = "#;
    let sheet = |structure: &str, grain: String| {
        slid(&format!("{cloth}{structure}"), vec![("sheet.obj", cut_sheet()), ("g.csv", grain)])
    };
    let at_vertices = r#"{ vertices = "g.csv" }"#;
    let told = sheet(at_vertices, in_order("1 0 0", "-2 0 0")).unwrap();
    let constant = sheet("[1, 0, 0]", String::new()).unwrap();
    let across = sheet("[0, 0, 1]", String::new()).unwrap();
    assert!(apart(&told, &constant) < 1e-9, "{}", apart(&told, &constant));
    assert!(apart(&across, &constant) > 1e-3, "control: {}", apart(&across, &constant));
    let error = sheet(at_vertices, in_order("1 0 0", "0 0 1")).unwrap_err();
    assert!(error.contains("are sewn together and have different grains"), "{error}");

    let solid =
        "at = [0, 0.11, 0], solid = { box = [0.2, 0.2, 0.2], cells = [2, 2, 2] }, structure = ";
    let mut places = String::from("x y z gx gy gz\n");
    for (x, y, z) in (0..27).map(|k| (k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1)) {
        if (x, y, z) != (0, 0, 0) {
            let sense = if (x + y + z) % 2 == 0 { 1 } else { -1 };
            let _ = writeln!(places, "{x}e-1 {y}e-1 {z}e-1 {sense} 0 0");
        }
    }
    let block = |structure: &str, grain: &str| {
        slid(&format!("{solid}{structure}"), vec![("g.csv", grain.to_owned())])
    };
    let told = block(at_vertices, &places).unwrap();
    let constant = block("[1, 0, 0]", "").unwrap();
    let across = block("[0, 0, 1]", "").unwrap();
    assert!(apart(&told, &constant) < 1e-9, "{}", apart(&told, &constant));
    assert!(apart(&across, &constant) > 1e-3, "control: {}", apart(&across, &constant));
    let short = places.lines().take(20).collect::<Vec<_>>().join("\n");
    let error = block(at_vertices, &short).unwrap_err();
    assert!(error.contains("g.csv: no direction for vertex"), "{error}");
    let error = block(r#"{ vertices = "mesh" }"#, "").unwrap_err();
    assert!(error.contains("there is no mesh file"), "{error}");
}
