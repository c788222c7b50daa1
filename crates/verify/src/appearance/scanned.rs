//! Scenes with published scans: plates slide as far as a sum over the measured texels says.

use std::f64::consts::FRAC_2_PI;
use std::path::Path;

use asperity::friction::surface::MAX_SLOPE;
use asperity::glamx::DVec2;

use crate::host::{self, at};
use crate::scenes::whole;
use crate::{Check, Host, VerifyError};

/// Speed at the start, m/s.
const SPEED: f64 = 0.5;
/// μ₀ of Eq. 7.
const AMBIENT: f64 = 0.05;
/// How far ways may be from the closed form, as a part of them.
const WITHIN: f64 = 0.002;
/// Places within a texel along each side that the sum looks at: with 4 it is 0.3 % short for the paper.
const PLACES: usize = 12;
/// The four ways: in the scene, and in the texture, whose v runs along −z on top of a box.
const WAYS: [(&str, [f64; 2], DVec2); 4] = [
    ("x", [1.0, 0.0], DVec2::X),
    ("-x", [-1.0, 0.0], DVec2::NEG_X),
    ("z", [0.0, 1.0], DVec2::NEG_Y),
    ("-z", [0.0, -1.0], DVec2::Y),
];

/// A scan, read without what scenes read it with.
#[derive(Clone)]
struct Scan {
    /// Below data/.
    folder: &'static str,
    file: &'static str,
    /// The texture in the scene.
    texture: &'static str,
    mask: f64,
    /// What one copy covers in the scene, metres.
    size: DVec2,
    columns: usize,
    slopes: Vec<DVec2>,
}

pub(crate) fn scanned(host: &dyn Host, data: &Path) -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    for scan in scans(host, data)? {
        let expected = WAYS.map(|(_, _, way)| scan.way(way));
        // Until all stand still, and a little longer.
        let duration = expected.iter().fold(0.05, |most: f64, way| most.max(2.1 * way / SPEED));
        let slide = |scan: &Scan, floor: &str| slide(host, data, scan, floor, duration);
        let found = slide(&scan, "")?;
        for (k, (name, ..)) in WAYS.iter().enumerate() {
            let what = format!("{}, along {name}", scan.file);
            checks.push(Check::relative(&what, expected[k], found[k], WITHIN, "m"));
        }
        // Another surface must miss: the same turned by a quarter, and none at all.
        let turned = slide(&scan, "rotate = { axis = \"y\", deg = 90 }")?;
        let flat = slide(&Scan { mask: 0.0, ..scan.clone() }, "")?;
        for (how, other) in [("turned by 90 degrees", turned), ("flattened", flat)] {
            let misses = (0..4).any(|k| (other[k] / expected[k] - 1.0).abs() > WITHIN);
            let found = if misses { "misses" } else { "meets" };
            checks.push(Check::fact(&format!("{} {how}", scan.file), "misses", found));
        }
    }
    Ok(checks)
}

impl Scan {
    /// How far a plate slides where its motion is along `way` of the texture.
    fn way(&self, way: DVec2) -> f64 {
        SPEED * SPEED / (2.0 * 9.81 * (AMBIENT + self.mask * FRAC_2_PI * self.climb(way)))
    }

    /// The mean of max(0, s·way) over the surface, on which slopes go straight from one texel to the next.
    fn climb(&self, way: DVec2) -> f64 {
        let (n, rows) = (self.columns, self.slopes.len() / self.columns);
        let along = |i: usize, j: usize| self.slopes[(j % rows) * n + i % n].dot(way);
        let mut sum = 0.0;
        for i in 0..self.slopes.len() {
            let (x, y) = (i % n, i / n);
            let four = [along(x, y), along(x + 1, y), along(x, y + 1), along(x + 1, y + 1)];
            for place in 0..PLACES * PLACES {
                let part = |k: usize| (k as f64 + 0.5) / PLACES as f64;
                let (p, q) = (part(place % PLACES), part(place / PLACES));
                let low = four[0] + (four[1] - four[0]) * p;
                let high = four[2] + (four[3] - four[2]) * p;
                sum += (low + (high - low) * q).max(0.0);
            }
        }
        sum / (self.slopes.len() * PLACES * PLACES) as f64
    }
}

/// How far plates as large as one copy of the scan slide along the four ways. `floor` says more of it.
fn slide(
    host: &dyn Host,
    data: &Path,
    scan: &Scan,
    floor: &str,
    duration: f64,
) -> Result<[f64; 4], VerifyError> {
    let Scan { file, texture, mask, size, columns, .. } = scan;
    let folder = folder(host, data, scan.folder);
    // Not as many texels as the scan has: else all of them would be looked at in the same places.
    let resolution = columns + 1;
    let mut text = format!(
        "version = 1\nworld = {{ gravity = 9.81, dt = 0.002, duration = {duration} }}\n\
         texture.scan = {{ file = \"{file}\", {texture} }}\n\
         material.floor = {{ normal = \"scan\", mask = {mask} }}\nmaterial.plate = {{ density = 1000 }}\n\
         pair.default = {{ section = {{ model = \"ploughing\", mu = {AMBIENT}, sampling = \"area\", \
         resolution = {resolution} }}, extent = \"spin\" }}\n\
         [[body]]\nname = \"floor\"\nkind = \"fixed\"\nshape = {{ box = [4, 0.1, 4] }}\nat = [0, -0.05, 0]\n\
         material = \"floor\"\n{floor}\n"
    );
    let thick = 0.1 * size.min_element();
    for (k, (name, [x, z], _)) in WAYS.iter().enumerate() {
        text += &format!(
            "\n[[body]]\nname = \"{name}\"\nshape = {{ box = [{}, {thick}, {}] }}\nat = [{}, {}, {}]\n\
             velocity = [{}, 0, {}]\nmaterial = \"plate\"\n\
             [[probe]]\nname = \"{name}\"\nof = \"{name}.displacement\"\nalong = [{x}, 0, {z}]\n",
            size.x,
            size.y,
            0.37 * (k as f64 - 1.5),
            0.5 * thick,
            0.31 * (k as f64 - 1.5),
            SPEED * x,
            SPEED * z,
        );
    }
    let mut scene = host::scene_of(host, &folder.join("scan.toml"), &text)?;
    whole(host, file, &mut scene)?;
    Ok([0, 1, 2, 3].map(|k| scene.probes[k].value(&scene.world)))
}

fn folder(host: &dyn Host, data: &Path, name: &str) -> std::path::PathBuf {
    host::inside(host, data, &[&format!("data/{name}"), name])
}

/// Two measured height maps, one in its own size and one a hundred times as large, and a normal map.
fn scans(host: &dyn Host, data: &Path) -> Result<[Scan; 3], VerifyError> {
    let read = |of: &'static str, file: &str| {
        let path = folder(host, data, of).join(file);
        host.read(&path).map_err(|e| at(&path, &e))
    };
    let dime = read("height_maps", "Dime.tmd")?;
    let paper = read("height_maps", "paper.tmd")?;
    let cloth = read("normal_maps", CLOTH)?;
    Ok([
        Scan {
            folder: "height_maps",
            file: "Dime.tmd",
            texture: "kind = \"height\"",
            mask: 10.0,
            size: DVec2::splat(0.018_956_6),
            columns: 300,
            slopes: measured(&dime, 300, DVec2::splat(18.956_6)),
        },
        Scan {
            folder: "height_maps",
            file: "paper.tmd",
            texture: "kind = \"height\", size = [0.032, 0.0308]",
            mask: 1.0,
            size: DVec2::new(0.032, 0.0308),
            columns: 512,
            slopes: measured(&paper, 512, DVec2::new(0.32, 0.308)),
        },
        Scan {
            folder: "normal_maps",
            file: CLOTH,
            texture: "kind = \"normal\", size = [0.03, 0.03]",
            mask: 1.0,
            size: DVec2::splat(0.03),
            columns: 256,
            slopes: painted(&cloth)?,
        },
    ])
}

/// A cloth of 256 x 256 texels.
const CLOTH: &str = "SheenCloth__technicalFabricSmall_normal_256.png";

/// Slopes of a square of heights in mm, the last numbers of a file, its top row first: differences of
/// neighbours, one-sided at the borders.
fn measured(bytes: &[u8], side: usize, millimetres: DVec2) -> Vec<DVec2> {
    let first = bytes.len().saturating_sub(4 * side * side);
    let height = |column: usize, row: usize| {
        let word = first + 4 * ((side - 1 - row) * side + column);
        let of = |k: usize| bytes.get(word + k).copied().unwrap_or(0);
        f64::from(f32::from_le_bytes([of(0), of(1), of(2), of(3)]))
    };
    let texel = millimetres / side as f64;
    let around = |i: usize| (i.max(1) - 1, (i + 1).min(side - 1));
    let slope = |i: usize| {
        let (x, y) = (i % side, i / side);
        let ((l, r), (b, t)) = (around(x), around(y));
        let u = (height(r, y) - height(l, y)) / ((r - l) as f64 * texel.x);
        let v = (height(x, t) - height(x, b)) / ((t - b) as f64 * texel.y);
        DVec2::new(u, v).clamp_length_max(MAX_SLOPE)
    };
    (0..side * side).map(slope).collect()
}

/// Slopes of a normal map of eight bits, its top row first; the two values next to the middle are zero.
fn painted(bytes: &[u8]) -> Result<Vec<DVec2>, VerifyError> {
    let picture = ::image::load_from_memory(bytes).map_err(|e| VerifyError::new(e.to_string()))?;
    let picture = picture.into_rgb8();
    let part = |c: u8| {
        let twice = 2 * i32::from(c) - 255;
        if twice.abs() <= 1 { 0.0 } else { f64::from(twice) / 255.0 }
    };
    let slope = |pixel: &::image::Rgb<u8>| {
        let [x, y, z] = pixel.0.map(part);
        DVec2::new(-x / z.max(1e-6), -y / z.max(1e-6)).clamp_length_max(MAX_SLOPE)
    };
    Ok(picture.rows().rev().flat_map(|row| row.map(slope).collect::<Vec<_>>()).collect())
}
