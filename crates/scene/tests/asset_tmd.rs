//! Measured height maps (.tmd), and pictures of heights with sixteen bits. Tests named `data_` read the
//! published scans of the folder that `ASPERITY_DATA` names.

mod scans;

use std::f64::consts::FRAC_2_PI;
use std::io::Cursor;

use ::image::{DynamicImage, ImageBuffer, ImageFormat, Luma};
use asperity::friction::set::Rotation;
use asperity::friction::surface::patch::{Facet, PatchView, Sampler, Side, Window};
use asperity::friction::surface::{Relief, SlopeMap, Wrap};
use asperity::glamx::{DMat2, DVec2};
use asperity_scene::asset::{image, tmd};
use asperity_scene::{self as scene, Assets};
use scans::{file, published};

/// Heights in mm that tell rows from columns and up from down.
fn bumpy(column: usize, row: usize) -> f32 {
    0.1 * column as f32 + 0.03 * (row * row) as f32 - 0.02 * (column * row) as f32
}

#[test]
fn heights_lengths_and_rows_are_where_the_file_has_them() {
    let map = tmd::load("a.tmd", &file("made by a test", 4, 3, [2.0, 1.2], bumpy)).unwrap();
    assert_eq!((map.width, map.height), (4, 3));
    assert!((map.size - DVec2::new(2e-3, 1.2e-3)).length() < 1e-10, "{}", map.size);
    for j in 0..3 {
        for i in 0..4 {
            // The top row of the file is the last one here.
            let expected = 1e-3 * f64::from(bumpy(i, 2 - j));
            assert!((map.heights[4 * j + i] - expected).abs() < 1e-12, "({i}, {j})");
        }
    }
    let without = tmd::load("b.tmd", &file("", 4, 3, [2.0, 1.2], bumpy)).unwrap();
    assert_eq!(without, map);
}

#[test]
fn slopes_are_differences_that_do_not_reach_across_the_border() {
    // A plane that climbs by 0.5 along u and falls by 0.25 along v, on texels of 0.5 and 0.4 mm.
    let plane = |column: usize, row: usize| 0.25 * column as f32 + 0.1 * row as f32;
    let bytes = file("", 4, 3, [2.0, 1.2], plane);
    for wrap in [Wrap::Repeat, Wrap::Clamp] {
        let map = tmd::load("a.tmd", &bytes).unwrap().into_slopes(wrap).unwrap();
        for slope in map.slopes() {
            assert!((slope[0] - 0.5).abs() < 1e-6 && (slope[1] + 0.25).abs() < 1e-6, "{slope:?}");
        }
        assert_eq!(map.wrap(), wrap);
        assert!(map.heights().is_some());
        let level = map.levelled().unwrap();
        assert!(level.slopes().iter().flatten().all(|s| s.abs() < 1e-6));
    }
}

#[test]
fn what_is_cut_off_huge_or_no_number_is_refused() {
    let whole = file("note", 4, 3, [2.0, 1.2], bumpy);
    for end in 0..whole.len() {
        assert!(tmd::load("a.tmd", &whole[..end]).is_err(), "{end} bytes were taken");
    }
    let says = |bytes: &[u8], what: &str| {
        let error = tmd::load("a.tmd", bytes).unwrap_err().to_string();
        assert!(error.starts_with("a.tmd: ") && error.contains(what), "{error}");
    };
    says(&whole[..whole.len() - 4], "4 x 3 heights are 48 bytes, but 44 follow");
    says(&[whole.as_slice(), &[0]].concat(), "but 49 follow");
    says(b"P5 4 3 255", "expected a TrueMap height map");
    // After 32 bytes and the comment: columns, rows, lengths.
    let with = |at: usize, word: [u8; 4]| {
        let mut bytes = whole.clone();
        bytes[32 + 5 + at..][..4].copy_from_slice(&word);
        bytes
    };
    // Sixteen gigabytes are promised by a hundred bytes.
    says(&with(0, u32::MAX.to_le_bytes()), "4294967295 x 3 heights; expected 2 to 16384");
    says(&with(4, 16_384_u32.to_le_bytes()), "4 x 16384 heights are 262144 bytes, but 48 follow");
    says(&with(4, 0_u32.to_le_bytes()), "4 x 0 heights");
    says(&with(8, f32::NAN.to_le_bytes()), "it covers NaN x");
    says(&with(12, (-1.0_f32).to_le_bytes()), "x -1 mm; expected lengths above zero");
    // Row 1 of the file, column 2.
    says(&with(24 + 4, f32::NAN.to_le_bytes()), "column 2 of row 1 is NaN");
    says(&with(24 + 4 * 11, f32::INFINITY.to_le_bytes()), "column 4 of row 3 is inf");
    let mut other = whole.clone();
    other[26] = b'3';
    says(&other, "expected \" v2.0\"");
    let endless = [&whole[..32], &[b'x'; 5000]].concat();
    says(&endless, "the comment does not end");
}

/// The files of a scene in memory.
struct Files(Vec<(&'static str, Vec<u8>)>);

impl Assets for Files {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let found = self.0.iter().find(|(name, _)| *name == path);
        found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| "there is none".to_owned())
    }
}

fn load(texture: &str, files: &Files) -> Result<scene::Scene, String> {
    let text = format!(
        "version = 1\ntexture.scan = {{ {texture} }}\nmaterial.scan = {{ normal = \"scan\" }}\n\
         pair.default = {{ section = {{ model = \"ploughing\" }} }}\n"
    );
    scene::load(&text, "test.toml", files).map_err(|e| e.to_string())
}

#[test]
fn scenes_take_measured_heights_as_they_are() {
    let files = Files(vec![("a.tmd", file("", 4, 3, [2.0, 1.2], bumpy))]);
    let map = |texture: &str| -> SlopeMap {
        let scene = load(texture, &files).unwrap();
        assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
        let relief = scene.world.pairing().surfaces()[0].relief.clone().unwrap();
        relief.map().clone()
    };
    let own = map("kind = \"height\", file = \"a.tmd\"");
    assert!((own.size() - DVec2::new(2e-3, 1.2e-3)).length() < 1e-10);
    // Larger in both directions: the slopes are the same, and heights grow along.
    let large = map("kind = \"height\", file = \"a.tmd\", size = [0.02, 0.012]");
    assert_eq!(large.slopes(), own.slopes());
    let [small, tall] = [&own, &large].map(|m| m.heights().unwrap()[7]);
    assert!((tall / small - 10.0).abs() < 1e-5, "{small} {tall}");
    let level = map("kind = \"height\", file = \"a.tmd\", level = true");
    assert!(level.moments().0.length() < 1e-7 && own.moments().0.length() > 0.01);
    let refused = |texture: &str, what: &str| {
        let error = load(texture, &files).unwrap_err();
        assert!(error.starts_with("test.toml:2:") && error.contains(what), "{error}");
    };
    refused("kind = \"normal\", file = \"a.tmd\"", "expected kind = \"height\"");
    refused("kind = \"height\", file = \"a.tmd\", depth = 1", "\"depth\"");
    refused("kind = \"height\", file = \"a.tmd\", flip_green = true", "\"flip_green\"");
    let cut = Files(vec![("a.tmd", files.0[0].1[..70].to_vec())]);
    let error = load("kind = \"height\", file = \"a.tmd\"", &cut).unwrap_err();
    assert!(error.contains("test.toml:2:") && error.contains("a.tmd: "), "{error}");
}

#[test]
fn sixteen_bits_of_a_picture_of_heights_survive() {
    // One level of 65,536 a texel: in eight bits that would be flat but for a step.
    let (depth, size) = (65_535e-6, DVec2::new(0.064, 0.004));
    let slopes = |image: DynamicImage| {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, ImageFormat::Png).unwrap();
        let texture =
            image::load("h.png", bytes.get_ref()).unwrap().into_texture(size, Wrap::Clamp);
        SlopeMap::from_height_map(&texture.unwrap(), depth).unwrap().slopes().to_vec()
    };
    let fine: ImageBuffer<Luma<u16>, _> =
        ImageBuffer::from_fn(64, 4, |x, _| Luma([40_000 + x as u16]));
    let coarse = DynamicImage::from(fine.clone()).into_luma8();
    // A micrometre of height a millimetre of way.
    for slope in slopes(fine.into()) {
        assert!((slope[0] - 1e-3).abs() < 5e-6, "{slope:?}");
    }
    let flat = slopes(coarse.into()).iter().filter(|s| s[0] == 0.0).count();
    assert!(flat > 200, "{flat} of 256 are flat");
}

/// The coefficient of a whole map for motion of B along +u, −u, +v, −v, the map on A, and the main direction.
fn sampled(map: SlopeMap) -> ([f64; 4], f64) {
    let (size, (columns, _)) = (map.size(), map.dimensions());
    let window = Window { size, ..Window::about_point(size.x, columns, 0.0, Rotation::IDENTITY) };
    let relief = Relief::plain(map);
    let facets = [0, 1].map(|side| [Facet::flat(DMat2::IDENTITY, 0.5 * size, side)]);
    let sides =
        [0, 1].map(|side| Side { relief: (side == 0).then_some(&relief), facets: &facets[side] });
    let mut sampler = Sampler::new(360).unwrap();
    let sample = sampler.sample(&PatchView { window, corners: &[], sides });
    ([0, 180, 90, 270].map(|k| sample.mu(k)), sample.principal().0)
}

#[test]
fn data_scans_have_the_friction_that_a_sum_over_their_heights_gives() {
    for scan in published() {
        let map = tmd::load(scan.name, &scan.bytes).unwrap().into_slopes(Wrap::Repeat).unwrap();
        let (mean, _) = map.moments();
        let slopes = scan.slopes();
        let count = slopes.len() as f64;
        let sum = |of: &dyn Fn(DVec2) -> f64| slopes.iter().map(|s| of(*s)).sum::<f64>() / count;
        let by_hand = DVec2::new(sum(&|s| s.x), sum(&|s| s.y));
        assert!((mean - by_hand).length() < 1e-6, "{}: {mean} {by_hand}", scan.name);
        let (found, direction) = sampled(map.clone());
        let ways = [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y];
        for (d, found) in ways.into_iter().zip(found) {
            let expected = FRAC_2_PI * sum(&|s| s.dot(d).max(0.0));
            assert!(
                (found - expected).abs() < 1e-6 * expected,
                "{}: {found} {expected}",
                scan.name
            );
        }
        // The second harmonic of E|s.d|: (cos 2a, sin 2a) weighed by what |s| is along.
        let mut second = DVec2::ZERO;
        for degree in 0..360_u32 {
            let angle = f64::from(degree).to_radians();
            let d = DVec2::from_angle(angle);
            second += DVec2::from_angle(2.0 * angle) * sum(&|s| s.dot(d).max(0.0));
        }
        let off = (2.0 * direction - second.to_angle()).sin().abs();
        assert!(off < 1e-4, "{}: {direction} {second}", scan.name);
        // Turned upside down, or sideways, it is another surface.
        let turned = sampled(scan.turned().into_slopes(Wrap::Repeat).unwrap()).0;
        assert!((turned[0] - found[0]).abs() > 0.01 * found[0], "{}", scan.name);
        eprintln!(
            "{}: {found:.6?}, main direction {:.2} degrees",
            scan.name,
            direction.to_degrees()
        );
    }
}
