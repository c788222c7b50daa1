//! Generated surfaces are what they say, and normal maps survive their trip through colours.

use std::f64::consts::{FRAC_PI_2, PI};

use asperity_friction::surface::generate::{
    Grid, Thread, brushed, emboss, gaussian_roughness, gaussian_slopes, ridges, sawtooth,
    sawtooth_heights, threads, wood,
};
use asperity_friction::surface::{SlopeMap, TextureMap, Wrap};
use glamx::DVec2;

const GRID: Grid = Grid { width: 256, height: 128, texel: 0.001 };

/// Deviation of slopes along an angle.
fn deviation(map: &SlopeMap, angle: f64) -> f64 {
    let (_, covariance) = map.moments();
    let d = DVec2::from_angle(angle);
    d.dot(covariance * d).sqrt()
}

#[test]
fn roughness_has_the_slopes_of_its_height_and_no_direction() {
    let ra = 0.15e-3;
    let map = gaussian_roughness(Grid::square(512, 0.001), ra, 1).unwrap();
    let expected = ra * FRAC_PI_2.sqrt() / (2_f64.sqrt() * 0.001);
    for k in 0..8 {
        let found = deviation(&map, PI * f64::from(k) / 8.0);
        assert!((found / expected - 1.0).abs() < 0.01, "{k}: {found} {expected}");
    }
    assert!(map.moments().0.length() < 1e-7);
    assert_eq!(map, gaussian_roughness(Grid::square(512, 0.001), ra, 1).unwrap());
    assert_ne!(map, gaussian_roughness(Grid::square(512, 0.001), ra, 2).unwrap());
}

#[test]
fn painted_slopes_are_exact_and_have_the_net_slope_they_were_given() {
    let map = sawtooth(GRID, [1.0, 0.25], [12, 4]).unwrap();
    let (mean, _) = map.moments();
    assert_eq!(mean, DVec2::new((12.0 - 0.25 * 4.0) / 16.0, 0.0));
    assert_eq!((map.slopes()[11], map.slopes()[12]), ([1.0, 0.0], [-0.25, 0.0]));
    // As a height field it has none, whatever its teeth are.
    let (mean, _) = sawtooth_heights(GRID, 0.004, [4, 12]).unwrap().moments();
    assert!(mean.length() < 1e-8, "{mean}");
}

#[test]
fn grain_runs_along_u() {
    for map in [
        brushed(GRID, 1e-5, 0.05, 3).unwrap(),
        wood(GRID, 1e-4, 0.01, 3).unwrap(),
        gaussian_slopes(GRID, DVec2::new(0.1, 1.0), 3).unwrap(),
    ] {
        let ratio = deviation(&map, FRAC_PI_2) / deviation(&map, 0.0);
        assert!(ratio > 3.0, "{ratio}");
    }
    let map = ridges(GRID, 16, 0.5).unwrap();
    assert!((deviation(&map, 0.0) - 0.5 / 2_f64.sqrt()).abs() < 1e-6);
    assert!(deviation(&map, FRAC_PI_2) < 1e-12);
}

#[test]
fn a_thread_meets_itself_after_a_turn_and_climbs_across() {
    let thread = Thread { pitch: 0.7e-3, radius: 2e-3, flanks: [1.7, 1.7], right_handed: true };
    let map = threads(thread, 3, 360, 90).unwrap();
    let along = DVec2::new(2.0 * PI * thread.radius, thread.pitch).normalize();
    for slope in map.slopes() {
        let s = DVec2::new(f64::from(slope[0]), f64::from(slope[1]));
        assert!(s.dot(along).abs() < 1e-6 && (s.length() - 1.7).abs() < 1e-6);
    }
    assert!(map.moments().0.length() < 1e-6);
    // Over the seam it goes on: following the thread, the flank stays the same.
    let start = DVec2::new(0.0, 0.175e-3);
    let sign = |t: f64| map.slope(start + along * (t * 0.013)).y.signum();
    assert!((0..40).all(|i| sign(f64::from(i) / 20.0) == sign(0.0)));
}

#[test]
fn a_logo_has_slopes_at_its_edges_only_and_its_height() {
    let grid = Grid::square(64, 0.001);
    let inside = |i: usize| (16..48).contains(&(i % 64)) && (16..48).contains(&(i / 64));
    let mask: Vec<f32> = (0..64 * 64).map(|i| f32::from(u8::from(inside(i)))).collect();
    let map = emboss(grid, &mask, 0.002, 0.008).unwrap();
    let row: Vec<f64> = (0..64).map(|i| f64::from(map.slopes()[32 * 64 + i][0])).collect();
    assert!((24..40).all(|i| row[i].abs() < 1e-6) && row[2].abs() < 1e-6);
    let climb: f64 = row[..32].iter().sum::<f64>() * 0.001;
    assert!((climb - 0.002).abs() < 1e-6, "{climb}");
    assert!(emboss(grid, &mask[1..], 0.002, 0.008).is_err());
}

#[test]
fn slopes_survive_as_normals_of_sixteen_bits() {
    let map = gaussian_slopes(Grid::square(64, 0.001), DVec2::new(0.7, 0.2), 9).unwrap();
    let texels = map.to_normal_map().into_iter().map(|[r, g, b]| {
        let [r, g, b] = [r, g, b].map(|c| (c * 65535.0).round() / 65535.0);
        [r, g, b, 1.0]
    });
    let texture =
        TextureMap::new(64, 64, texels.collect(), DVec2::splat(0.064), Wrap::Repeat).unwrap();
    let back = SlopeMap::from_normal_map(&texture).unwrap();
    for (a, b) in map.slopes().iter().zip(back.slopes()) {
        assert!((a[0] - b[0]).abs() < 1e-3 && (a[1] - b[1]).abs() < 1e-3, "{a:?} {b:?}");
    }
}

fn picture(texel: impl Fn(usize) -> [f32; 4]) -> TextureMap {
    TextureMap::new(16, 16, (0..256).map(texel).collect(), DVec2::ONE, Wrap::Repeat).unwrap()
}

#[test]
fn a_flat_normal_map_is_flat_in_eight_and_sixteen_bits() {
    for middle in [127.0 / 255.0, 128.0 / 255.0, 32767.0 / 65535.0, 32768.0 / 65535.0] {
        let map = SlopeMap::from_normal_map(&picture(|_| [middle, middle, 1.0, 1.0])).unwrap();
        assert!(map.slopes().iter().all(|s| *s == [0.0; 2]), "{middle}");
    }
    // Red leans along +u, green along +v: the surface falls that way.
    let map = SlopeMap::from_normal_map(&picture(|_| [0.6, 0.7, 0.9, 1.0])).unwrap();
    assert!((map.slopes()[0][0] + 0.25).abs() < 1e-6 && (map.slopes()[0][1] + 0.5).abs() < 1e-6);
}

#[test]
fn what_is_not_a_normal_map_is_refused() {
    let grey = |i: usize| (i % 16) as f32 / 15.0;
    let pictures = [
        picture(|i| [grey(i), grey(i), grey(i), 1.0]),
        picture(|_| [0.0, 0.0, 0.0, 1.0]),
        picture(|_| [1.0, 1.0, 1.0, 1.0]),
        picture(|_| [0.79, 0.79, 0.79, 1.0]),
        picture(|i| [0.6, 0.4, grey(i) * 0.3, 1.0]),
        picture(|_| [0.5, 0.5, 0.0, 1.0]),
    ];
    for picture in &pictures {
        let error = SlopeMap::from_normal_map(picture).unwrap_err().to_string();
        assert!(error.starts_with("not a normal map: "), "{error}");
    }
    // As heights they are fine.
    assert!(SlopeMap::from_height_map(&pictures[0], 0.01).is_ok());
    assert!(SlopeMap::from_height_map(&pictures[0], 0.0).is_err());
}

#[test]
fn impossible_surfaces_are_refused_by_name() {
    let message =
        |r: Result<SlopeMap, asperity_friction::FrictionError>| r.unwrap_err().to_string();
    let nothing = Grid { width: 0, height: 4, texel: 0.001 };
    assert!(message(gaussian_roughness(nothing, 1e-3, 1)).contains("0 x 4 texels"));
    let vast = Grid { width: usize::MAX, height: 2, texel: 0.001 };
    assert!(message(gaussian_slopes(vast, DVec2::ONE, 1)).contains("at most"));
    assert!(message(gaussian_roughness(GRID, f64::NAN, 1)).starts_with("roughness R_a"));
    assert!(message(sawtooth(GRID, [1.0, 0.2], [5, 2])).contains("whole number of teeth"));
    assert!(message(sawtooth(GRID, [1.0, 0.2], [0, 16])).contains("at least one texel a facet"));
    assert!(message(sawtooth(GRID, [-1.0, 0.2], [8, 8])).starts_with("climbing slope is -1"));
    assert!(message(ridges(GRID, 100, 0.2)).contains("100 ridges over 256 texels"));
    assert!(message(brushed(GRID, 1e-5, 0.0, 1)).starts_with("length of scratches"));
}

#[test]
fn a_levelled_map_keeps_its_covariance_and_loses_its_net_slope() {
    let tilted = sawtooth(GRID, [1.0, 0.2], [4, 12]).unwrap();
    let (mean, covariance) = tilted.moments();
    let (none, same) = tilted.levelled().unwrap().moments();
    assert!(mean.length() > 0.05 && none.length() < 1e-7);
    assert!((same.x_axis - covariance.x_axis).length() < 1e-6);
}
