//! Four plates at arm's length: relief in the picture falls in the order of friction.

mod common;

use std::path::Path;

use common::{Folder, asperity};
use image::RgbImage;

/// Columns and rows of the picture.
const SIZE: [u32; 2] = [1280, 720];
/// The camera of the scene: eye, place it looks at, and degrees from bottom to top.
const EYE: [f64; 3] = [0.0, 0.4, 0.5];
const AT: [f64; 3] = [0.0, 0.005, -0.03];
const FOV: f64 = 30.0;
/// Middles of the plates along x, metres, from concrete to plastic.
const PLATES: [f64; 4] = [-0.18, -0.06, 0.06, 0.18];

fn scene() -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/appearance/four_plates.toml");
    std::fs::read_to_string(path).unwrap()
}

/// Where a point of the world is in the picture, pixels.
fn pixel(p: [f64; 3]) -> [f64; 2] {
    let minus = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|k| a[k] - b[k]);
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let forward = minus(AT, EYE);
    let length = dot(forward, forward).sqrt();
    let forward = forward.map(|x| x / length);
    // Looking along −z and down: right is x.
    let up = [0.0, -forward[2], forward[1]];
    let away = minus(p, EYE);
    let depth = dot(away, forward) * (0.5 * FOV).to_radians().tan();
    let [width, height] = SIZE.map(f64::from);
    [0.5 * width + 0.5 * height * away[0] / depth, 0.5 * height * (1.0 - dot(away, up) / depth)]
}

fn picture(folder: &Folder, text: &str) -> RgbImage {
    folder.write("plates.toml", text);
    let size = format!("{}x{}", SIZE[0], SIZE[1]);
    let words = ["render", "plates.toml", "-o", "plates.png", "--times", "0.6", "--size", &size];
    let out = asperity(folder, &[&words[..], &["--renderer", "cpu"]].concat());
    assert_eq!(out.code, 0, "{out:?}");
    image::load_from_memory(&folder.bytes("plates.png")).unwrap().to_rgb8()
}

/// How much neighbours in a row differ in brightness, root mean square over the mean, on the part of each plate that its
/// block has left.
fn contrasts(picture: &RgbImage) -> [f64; 4] {
    let light = |column: u32, row: u32| {
        let [r, g, b] = picture.get_pixel(column, row).0.map(f64::from);
        (r + g + b) / 3.0
    };
    PLATES.map(|x| {
        let ([left, top], [right, bottom]) =
            (pixel([x - 0.035, 0.0, 0.065]), pixel([x + 0.035, 0.0, 0.09]));
        let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for row in top.round() as u32..bottom.round() as u32 {
            for column in left.round() as u32..right.round() as u32 {
                let here = light(column, row);
                (count, sum) = (count + 1.0, sum + here);
                squares += (here - light(column + 1, row)).powi(2);
            }
        }
        (squares * count).sqrt() / sum
    })
}

#[test]
fn relief_in_the_picture_falls_in_the_order_of_friction() {
    let folder = Folder::new("gloss");
    let [concrete, iron, steel, plastic] = contrasts(&picture(&folder, &scene()));
    let all = format!("{concrete:.4} {iron:.4} {steel:.4} {plastic:.4}");
    println!("{all}");
    assert!(concrete > 2.0 * iron && iron > 2.0 * steel && steel > 2.0 * plastic, "{all}");

    // Control: with flat maps, in the same colours, nothing is left of it.
    let flat = ["0.001", "0.00015", "0.00001"]
        .iter()
        .fold(scene(), |text, ra| text.replace(&format!("ra = {ra} }}"), "ra = 0 }"));
    let flat = contrasts(&picture(&folder, &flat));
    println!("{flat:?}");
    assert!(flat.iter().all(|contrast| *contrast < 0.5 * steel), "{flat:?} against {steel}");

    // A change of the map is seen and felt: iron as rough as concrete looks rough and holds its block as concrete does.
    let changed = scene().replace("ra = 0.00015 }", "ra = 0.001 }");
    let rougher = contrasts(&picture(&folder, &changed))[1];
    assert!(rougher > 1.5 * iron, "{rougher} against {iron}");
    let out = asperity(&folder, &["run", "plates.toml", "--json"]);
    let run: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    let went = |name: &str| {
        let all = run["expectations"].as_array().unwrap();
        let found = all.iter().find(|e| e["probe"] == name).unwrap();
        -found["observed"][1].as_f64().unwrap()
    };
    assert!((went("iron") - went("concrete")).abs() < 0.006, "{} m", went("iron"));
}
