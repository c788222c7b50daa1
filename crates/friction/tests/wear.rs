//! Wear of height maps: Archard's law, texel by texel.

use asperity_friction::set::Rotation;
use asperity_friction::surface::generate::{self, Grid};
use asperity_friction::surface::patch::{Bed, Facet, Manner, PatchView, Rub, Side, Window};
use asperity_friction::surface::{Relief, SlopeMap, Surface, Wrap};
use glamx::{DMat2, DVec2};

const GRID: Grid = Grid { width: 32, height: 32, texel: 1e-3 };
const RATE: f64 = 1e-6;

fn rough() -> Relief {
    Relief::plain(generate::gaussian_roughness(GRID, 2e-4, 7).unwrap())
}

/// What each texel of the map loses on a side, under a load on springs, with a window of so many texels.
fn lost(relief: &Relief, side: usize, resolution: usize, stiffness: f64, rub: Rub) -> Vec<f64> {
    let bed = Bed { stiffness, load: rub.load, area: 0.0 };
    let manner = Manner { bed: Some(bed), ..Manner::default() };
    let window =
        Window { manner, ..Window::about_point(0.032, resolution, 0.0, Rotation::IDENTITY) };
    let middle = 0.5 * relief.map().size();
    let facets = [0, 1].map(|s| [Facet::flat(DMat2::IDENTITY, middle, s)]);
    let sides = [0, 1].map(|s| Side { relief: (s == side).then_some(relief), facets: &facets[s] });
    let mut lost = vec![0.0; relief.map().slopes().len()];
    rub.wear(&PatchView { window, corners: &[], sides }, side, RATE, &mut lost);
    lost
}

fn sliding(load: f64, way: DVec2) -> Rub {
    Rub { load, way, turn: 0.0 }
}

#[test]
fn the_volume_is_rate_times_load_times_slip() {
    let relief = rough();
    let way = DVec2::new(3e-3, -4e-3);
    for side in 0..2 {
        // Coarser than the map, as fine, finer; crests alone, and all of it.
        for resolution in [5, 16, 32, 33, 80] {
            for stiffness in [1e4, 1e6, 1e9] {
                let lost = lost(&relief, side, resolution, stiffness, sliding(20.0, way));
                let volume = lost.iter().sum::<f64>() * 1e-6;
                let expected = RATE * 20.0 * 5e-3;
                assert!((volume / expected - 1.0).abs() < 1e-9, "{side} {resolution} {stiffness}");
            }
        }
    }
}

#[test]
fn crests_wear_and_valleys_do_not_where_they_do_not_touch() {
    let relief = rough();
    let heights = relief.map().heights().unwrap();
    // 20 µm deep on the mean, with heights that deviate by 250 µm.
    let lost = lost(&relief, 0, 32, 1e9, sliding(20.0, DVec2::X * 5e-3));
    let most = lost.iter().copied().fold(0.0, f64::max);
    // Texels lie on each other but for rounding.
    let (worn, bare): (Vec<usize>, Vec<usize>) = (0..1024).partition(|i| lost[*i] > 1e-9 * most);
    assert!((200..1000).contains(&bare.len()), "{}", bare.len());
    let least_worn = worn.iter().map(|i| heights[*i]).fold(f32::MAX, f32::min);
    let highest_bare = bare.iter().map(|i| heights[*i]).fold(f32::MIN, f32::max);
    assert!(least_worn >= highest_bare, "{least_worn} {highest_bare}");
}

#[test]
fn what_stands_out_falls_exponentially_where_all_touches() {
    let mut relief = rough();
    // 2.4 mm deep on the mean, with heights that deviate by 0.25 mm.
    let (stiffness, load) = (1e6, 2.5);
    let spread = |relief: &Relief| {
        let all = relief.map().heights().unwrap();
        let mean = all.iter().map(|h| f64::from(*h)).sum::<f64>() / 1024.0;
        let squares: f64 = all.iter().map(|h| (f64::from(*h) - mean).powi(2)).sum();
        let slopes: f64 = relief.map().slopes().iter().map(|s| f64::from(s[0] * s[0])).sum();
        [squares.sqrt(), slopes.sqrt()]
    };
    let first = spread(&relief);
    // 100 rubs of 5 mm with w k = 1 /m: by exp(-0.5), or 0.995 a hundred times.
    for _ in 0..100 {
        let lost = lost(&relief, 1, 32, stiffness, sliding(load, DVec2::Y * 5e-3));
        assert!(lost.iter().all(|l| *l > 0.0));
        relief = relief.worn(&lost).unwrap();
    }
    for (now, before) in spread(&relief).iter().zip(first) {
        assert!((now / before / 0.995_f64.powi(100) - 1.0).abs() < 1e-4, "{now} {before}");
    }
}

#[test]
fn level_surfaces_stay_level_and_without_springs_nothing_is_lost() {
    let flat = SlopeMap::from_heights(32, 32, &[1e-3; 1024], DVec2::splat(0.032), Wrap::Repeat);
    let flat = Relief::plain(flat.unwrap());
    let even = lost(&flat, 0, 32, 1e6, sliding(10.0, DVec2::X * 1e-3));
    let depth = RATE * 10.0 / 1.024e-3 * 1e-3;
    assert!(even.iter().all(|l| (l / depth - 1.0).abs() < 1e-9));
    let worn = flat.worn(&even).unwrap();
    assert!(worn.map().slopes().iter().flatten().all(|s| s.abs() < 1e-9));
    let relief = rough();
    let facets = [0, 1].map(|s| [Facet::flat(DMat2::IDENTITY, DVec2::ZERO, s)]);
    let sides = [0, 1].map(|s| Side { relief: Some(&relief), facets: &facets[s] });
    let window = Window::about_point(0.032, 32, 0.0, Rotation::IDENTITY);
    let mut none = vec![0.0; 1024];
    sliding(10.0, DVec2::X).wear(&PatchView { window, corners: &[], sides }, 0, RATE, &mut none);
    assert!(none.iter().all(|l| *l == 0.0));
}

#[test]
fn turning_wears_by_the_distance_from_the_middle() {
    let flat = SlopeMap::from_heights(32, 32, &[0.0; 1024], DVec2::splat(0.032), Wrap::Repeat);
    let flat = Relief::plain(flat.unwrap());
    let lost = lost(&flat, 0, 32, 1e6, Rub { load: 10.0, way: DVec2::ZERO, turn: 0.1 });
    for (i, lost) in lost.iter().enumerate() {
        let at = (DVec2::new((i % 32) as f64, (i / 32) as f64) - 15.5) * 1e-3;
        let depth = RATE * 10.0 / 1.024e-3 * 0.1 * at.length();
        assert!((lost / depth - 1.0).abs() < 1e-6, "{i}");
    }
}

#[test]
fn rates_of_wear_are_numbers_that_are_not_negative() {
    for bad in [-1e-9, f64::NAN, f64::INFINITY] {
        let error = Surface::new("oak").with_wear(bad).unwrap_err().to_string();
        assert!(error.contains("wear of \"oak\""), "{error}");
    }
}
