//! Grains that are told at the vertices of a mesh: a ball that slides over one whose grain turns from place to place,
//! against its equation of motion.
//!
//! The files of the scene are made here: `ASPERITY_REGENERATE=1 cargo test -p asperity-scene --test vertex_grain`.

mod asset_samples;

use std::fmt::Write;
use std::path::PathBuf;

use asperity::World;
use asperity::glamx::{DVec2, DVec3};
use asperity_scene::{self as scene, Assets};
use asset_samples::Gltf;

/// Strips of the sheet, their length in all, and its sides, metres.
const STRIPS: usize = 24;
const LENGTH: f64 = 4.0;
const SIDES: [f64; 2] = [-1.0, 3.0];
/// Angle from x towards z by which the grain has turned at the end.
const TURN: f64 = 150.0;
/// Along and across the grain.
const MU: [f64; 2] = [0.1, 0.8];

const SCENE: &str = "turning_grain.toml";

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes/matchstick")
}

struct Folder;

impl Assets for Folder {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        std::fs::read(folder().join(path)).map_err(|e| e.to_string())
    }
}

fn load(text: &str) -> World {
    scene::load(text, SCENE, &Folder).unwrap_or_else(|e| panic!("{e}")).world
}

fn text() -> String {
    std::fs::read_to_string(folder().join(SCENE)).unwrap()
}

/// The grain at the beginning of a strip, in body axes x and z.
fn grain(strip: usize) -> DVec2 {
    DVec2::from_angle((TURN * strip as f64 / STRIPS as f64).to_radians())
}

/// The grain at x: between both ends of a strip linearly, as the weights of triangles are.
fn grain_at(x: f64) -> DVec2 {
    let place = (x / LENGTH * STRIPS as f64).clamp(0.0, STRIPS as f64 - 1e-9);
    let part = place.fract();
    grain(place as usize).lerp(grain(place as usize + 1), part).normalize()
}

/// A flat sheet; directions have senses as they come.
struct Sheet {
    positions: Vec<DVec3>,
    grains: Vec<DVec3>,
    triangles: Vec<[usize; 3]>,
}

fn sheet() -> Sheet {
    let mut sheet = Sheet { positions: Vec::new(), grains: Vec::new(), triangles: Vec::new() };
    for strip in 0..=STRIPS {
        for (k, z) in SIDES.into_iter().enumerate() {
            let d = grain(strip) * if (2 * strip + k) % 3 == 0 { -1.0 } else { 1.0 };
            let x = LENGTH * strip as f64 / STRIPS as f64;
            sheet.positions.push(DVec3::new(x, 0.0, z));
            sheet.grains.push(DVec3::new(d.x, 0.0, d.y));
        }
    }
    for a in (0..2 * STRIPS).step_by(2) {
        sheet.triangles.extend([[a, a + 1, a + 3], [a, a + 3, a + 2]]);
    }
    sheet
}

fn ply(sheet: &Sheet) -> String {
    let mut text = String::from("ply\nformat ascii 1.0\ncomment a sheet whose grain turns\n");
    let _ = writeln!(text, "element vertex {}", sheet.positions.len());
    for name in ["x", "y", "z", "gx", "gy", "gz"] {
        let _ = writeln!(text, "property float {name}");
    }
    let _ = writeln!(text, "element face {}", sheet.triangles.len());
    text += "property list uchar int vertex_indices\nend_header\n";
    for (p, g) in sheet.positions.iter().zip(&sheet.grains) {
        let _ = writeln!(text, "{:.6} {} {} {:.6} {} {:.6}", p.x, p.y, p.z, g.x, g.y, g.z);
    }
    for [a, b, c] in &sheet.triangles {
        let _ = writeln!(text, "3 {a} {b} {c}");
    }
    text
}

fn obj(sheet: &Sheet) -> String {
    let place = |p: &DVec3| format!("v {:.6} {} {}\n", p.x, p.y, p.z);
    let face = |t: &[usize; 3]| format!("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    let places: String = sheet.positions.iter().map(place).collect();
    places + &sheet.triangles.iter().map(face).collect::<String>()
}

/// Directions with their places, last vertices first.
fn csv(sheet: &Sheet) -> String {
    let mut text = String::from("# The grain of turning_grain.obj.\nx,y,z,gx,gy,gz\n");
    for (p, g) in sheet.positions.iter().zip(&sheet.grains).rev() {
        let _ = writeln!(text, "{:.6},{},{},{:.6},{},{:.6}", p.x, p.y, p.z, -g.x, 0, -g.z);
    }
    text
}

fn glb(sheet: &Sheet) -> Vec<u8> {
    let mut gltf = Gltf::default();
    let mut vectors = |list: &[DVec3]| {
        let single: Vec<[f32; 3]> = list.iter().map(|v| v.as_vec3().to_array()).collect();
        let view =
            gltf.view(&single.iter().flatten().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>());
        let end = |pick: fn(f32, f32) -> f32| {
            [0, 1, 2].map(|k| single.iter().map(|v| v[k]).reduce(pick).unwrap())
        };
        let (least, most) = (end(f32::min), end(f32::max));
        let more = format!(r#","bufferView":{view},"min":{least:?},"max":{most:?}"#);
        gltf.accessor(5126, "VEC3", list.len(), &more)
    };
    let (positions, grains) = (vectors(&sheet.positions), vectors(&sheet.grains));
    let corners: Vec<u16> = sheet.triangles.iter().flatten().map(|i| *i as u16).collect();
    let indices = gltf.indices(&corners);
    gltf.members = format!(
        r#""scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":{positions},"_GRAIN":{grains}}},"indices":{indices}}}]}}],"#
    );
    gltf.glb()
}

/// The files are those that the functions above make.
#[test]
fn the_files_of_the_scene_are_those_made_here() {
    let sheet = sheet();
    let files = [
        ("turning_grain.ply", ply(&sheet).into_bytes()),
        ("turning_grain.obj", obj(&sheet).into_bytes()),
        ("turning_grain.csv", csv(&sheet).into_bytes()),
        ("turning_grain.glb", glb(&sheet)),
    ];
    for (name, bytes) in files {
        let path = folder().join(name);
        if std::env::var_os("ASPERITY_REGENERATE").is_some() {
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(std::fs::read(&path).unwrap() == bytes, "{name} is out of date");
    }
}

/// Friction per unit load and mass against a slip: greatest dissipation in the ellipse along a grain.
fn friction(slip: DVec2, grain: DVec2, gravity: f64) -> DVec2 {
    let across = grain.perp();
    let (t, b) = (MU[0] * slip.dot(grain), MU[1] * slip.dot(across));
    -(grain * (MU[0] * t) + across * (MU[1] * b)) * (gravity / t.hypot(b))
}

type State = [DVec2; 2];

/// Place and velocity after so many seconds by Runge and Kutta's method.
fn integrate(start: State, seconds: f64, acceleration: impl Fn(f64, State) -> DVec2) -> State {
    let steps = 20_000;
    let h = seconds / f64::from(steps);
    let rate = |t: f64, [x, v]: State| [v, acceleration(t, [x, v])];
    let moved = |[x, v]: State, [dx, dv]: State, h: f64| [x + dx * h, v + dv * h];
    let mut now = start;
    for k in 0..steps {
        let t = f64::from(k) * h;
        let a = rate(t, now);
        let b = rate(t + 0.5 * h, moved(now, a, 0.5 * h));
        let c = rate(t + 0.5 * h, moved(now, b, 0.5 * h));
        let d = rate(t + h, moved(now, c, h));
        for (rate, weight) in [(a, 1.0), (b, 2.0), (c, 2.0), (d, 1.0)] {
            now = moved(now, rate, h * weight / 6.0);
        }
    }
    now
}

const GRAVITY: f64 = 9.81;
const SLOPE: f64 = 35.0;
/// Of the turntable about y, rad/s.
const SPIN: f64 = 1.2;

/// Where the ball on the slope is: down the slope, and aside along z.
fn on_slope(seconds: f64) -> DVec2 {
    let (sin, cos) = SLOPE.to_radians().sin_cos();
    let start = [DVec2::new(0.2, 0.0), DVec2::new(1.0, 0.0)];
    let pull = DVec2::new(GRAVITY * sin, 0.0);
    integrate(start, seconds, |_, [p, v]| pull + friction(v, grain_at(p.x), GRAVITY * cos))[0]
}

/// Where the ball on the turntable is, world x and z; `turns` is whether its grain turns with it.
fn on_turntable(seconds: f64, turns: bool) -> DVec2 {
    let start = [DVec2::new(1.0, 0.5), DVec2::ZERO];
    integrate(start, seconds, |t, [p, v]| {
        // A turn about +y by an angle leads x towards −z.
        let turned = DVec2::from_angle(-SPIN * t);
        let grain = grain_at(p.rotate(DVec2::from_angle(SPIN * t)).x);
        let grain = if turns { turned.rotate(grain) } else { grain };
        friction(v - SPIN * DVec2::new(p.y, -p.x), grain, GRAVITY)
    })[0]
}

/// The lanes of the slope: a PLY, a glTF, and an OBJ with a file beside it.
const LANES: [&str; 3] = ["ply", "gltf", "beside"];

/// Where the balls are in the end: on the lanes of the slope, down and aside, and on the turntable.
fn found(text: &str, step: f64) -> [DVec2; 4] {
    let mut world = load(text);
    world.settings.dt = step;
    while world.time() < 1.2 - 1e-9 {
        world.step();
        assert_eq!(world.report().unconverged, 0);
    }
    let (sin, cos) = SLOPE.to_radians().sin_cos();
    let place = |name: &str| {
        let body = world.bodies().iter().find(|b| b.name == name).unwrap();
        body.pose.translation
    };
    let mut all = [DVec2::ZERO; 4];
    for (k, lane) in LANES.into_iter().enumerate() {
        let ball = place(&format!("{lane}.ball")) - place(&format!("{lane}.slope"));
        all[k] = DVec2::new(ball.dot(DVec3::new(cos, -sin, 0.0)), ball.z);
    }
    let ball = place("turntable.ball") - place("turntable");
    all[3] = DVec2::new(ball.x, ball.z);
    all
}

fn expected() -> [DVec2; 4] {
    let slope = on_slope(1.2);
    [slope, slope, slope, on_turntable(1.2, true)]
}

/// Of order one in the step, since friction opposes the slip of its end: half the step, half the error, and what both
/// come to is within 0.2 mm of 3 m.
#[test]
fn balls_go_where_their_equation_of_motion_says() {
    let expected = expected();
    let [coarse, fine] = [0.0025, 0.00125].map(|step| found(&text(), step));
    for k in 0..4 {
        let off = [coarse[k], fine[k]].map(|p| p.distance(expected[k]));
        assert!(off[0] < 4e-3 && (0.4..0.6).contains(&(off[1] / off[0])), "{k}: {off:?}");
        let both = (2.0 * fine[k] - coarse[k]).distance(expected[k]);
        assert!(both < 2e-4, "{k}: {both:e} m off");
    }
    // The files differ in digits and senses, not in what they say.
    assert!(fine[..3].iter().all(|p| p.distance(fine[0]) < 1e-5), "{fine:?}");
}

/// With one direction everywhere, with one coefficient, or with a grain that does not turn, balls end elsewhere.
#[test]
fn controls_end_elsewhere() {
    let expected = expected();
    let vertices = [r#"{ vertices = "mesh" }"#, r#"{ vertices = "turning_grain.csv" }"#];
    let apart = |changed: &str| {
        let found = found(changed, 0.005);
        found.iter().zip(expected).map(|(a, b)| a.distance(b)).fold(f64::INFINITY, f64::min)
    };
    for angle in [0.0_f64, 30.0, 60.0, 75.0, 90.0, 120.0, 150.0] {
        let (sin, cos) = angle.to_radians().sin_cos();
        let constant = vertices.iter().fold(text(), |text, field| {
            assert!(text.contains(field));
            text.replace(field, &format!("[{cos}, 0, {sin}]"))
        });
        assert!(apart(&constant) > 0.1, "{angle}: {}", apart(&constant));
    }
    for mu in [0.1, 0.3, 0.45, 0.8] {
        let friction = "mu = 0.3, mu_t = 0.1, mu_b = 0.8";
        assert!(text().contains(friction));
        let round = text().replace(friction, &format!("mu = {mu}, mu_t = {mu}, mu_b = {mu}"));
        assert!(apart(&round) > 0.1, "{mu}: {}", apart(&round));
    }
    let still = on_turntable(1.2, false).distance(expected[3]);
    assert!(still > 0.1, "a grain that stands still would do: {still}");
}

fn problems(text: &str) -> String {
    match scene::load(text, SCENE, &Folder) {
        Err(e) => e.to_string(),
        Ok(_) => "no problem".to_owned(),
    }
}

/// A scene with one body, whose shape and structure are these.
fn with_body(body: &str) -> String {
    format!(
        "version = 1\nworld = {{ dt = 0.01 }}\npair.default = {{ section = {{ model = \"coulomb\", mu = 0.5 }} }}\nbody = [ {{ name = \"a\", kind = \"fixed\", {body} }} ]\n"
    )
}

#[test]
fn what_cannot_be_is_refused() {
    let says = |body: &str, words: &str| {
        let found = problems(&with_body(body));
        assert!(found.contains(words), "{body}\n  {found}");
        assert!(found.starts_with("turning_grain.toml:4:"), "{found}");
    };
    says(
        r#"shape = { box = [1, 1, 1] }, structure = { vertices = "mesh" }"#,
        "a shape that is a mesh",
    );
    says(
        r#"shape = { convex_mesh = "turning_grain.ply" }, structure = { vertices = "mesh" }"#,
        "a shape that is a mesh",
    );
    says(
        r#"shape = { mesh = "turning_grain.obj" }, structure = { vertices = "mesh" }"#,
        "the mesh brings no grain",
    );
    says(
        r#"shape = { mesh = "turning_grain.obj" }, structure = { vertices = "none.csv" }"#,
        "cannot read \"none.csv\"",
    );
    let material = with_body(r"shape = { box = [1, 1, 1] }").replace(
        "pair.default",
        "material.m = { structure = { vertices = \"mesh\" } }\npair.default",
    );
    assert!(
        problems(&material).contains("is for a body with a mesh of its own"),
        "{}",
        problems(&material)
    );
}
