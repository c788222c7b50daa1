//! Real contact (section 6 of Andrews 2021): texels that touch, by closed forms of a Winkler bed.

use std::f64::consts::{FRAC_2_PI, PI, TAU};

use asperity_friction::section::{Ploughing, Section as _};
use asperity_friction::set::Rotation;
use asperity_friction::surface::generate::{Grid, gaussian_roughness, gaussian_slopes, ridges};
use asperity_friction::surface::patch::Sampling;
use asperity_friction::surface::patch::{
    Bed, Facet, Manner, PatchView, Sample, Sampler, Side, Window,
};
use asperity_friction::surface::{Relief, SlopeMap, Surface, Wrap};
use glamx::{DMat2, DVec2};

/// Looks at all of a square map on A, with a smooth B, texel by texel.
fn look<T>(relief: &Relief, manner: Manner, then: impl Fn(&Sample) -> T) -> T {
    let size = relief.map().size();
    let window = Window::about_point(size.x, relief.map().dimensions().0, 0.0, Rotation::IDENTITY);
    let (a, b) = (
        [Facet::flat(DMat2::IDENTITY, 0.5 * size, 0)],
        [Facet::flat(DMat2::from_diagonal(DVec2::new(1.0, -1.0)), DVec2::ZERO, 1)],
    );
    let patch = PatchView {
        window: Window { manner, ..window },
        corners: &[],
        sides: [Side { relief: Some(relief), facets: &a }, Side { relief: None, facets: &b }],
    };
    then(&Sampler::new(16).unwrap().sample(&patch))
}

/// The manner of a bed under a mean pressure p, with p/k = `depth` metres.
fn pressed(depth: f64, area: f64) -> Manner {
    let stiffness = 3e9;
    let bed = Bed::new(Some(stiffness), Some(depth * stiffness * area), area);
    Manner { bed, ..Manner::default() }
}

/// Ridges h = a sin(qx): they touch over β = qb on either side of a crest, where
/// p/(k a) = (sin β − β cos β)/π, area β/π and μ = (2/π) a q (1 − cos β)²/(4 (sin β − β cos β)).
#[test]
fn ridges_touch_and_resist_as_the_closed_form_says() {
    let slope = 0.8;
    let map = ridges(Grid { width: 1024, height: 1, texel: 1e-3 }, 4, slope).unwrap();
    let square = SlopeMap::from_heights(
        1024,
        1024,
        &map.heights()
            .unwrap()
            .iter()
            .map(|h| f64::from(*h))
            .cycle()
            .take(1 << 20)
            .collect::<Vec<_>>(),
        DVec2::splat(1.024),
        Wrap::Repeat,
    );
    let relief = Relief::plain(square.unwrap());
    let amplitude = slope * 0.256 / TAU;
    let mut last = 0.0;
    for beta in [0.3_f64, 0.8, 1.5, 2.5] {
        let bulge = beta.sin() - beta * beta.cos();
        let (area, mu) = look(&relief, pressed(amplitude * bulge / PI, 1.0), |s| {
            (s.touching as f64 / s.covered as f64, s.mu(0))
        });
        assert!((area - beta / PI).abs() < 4.0 / 256.0, "{beta}: area {area}");
        let expected = FRAC_2_PI * slope * (1.0 - beta.cos()).powi(2) / (4.0 * bulge);
        assert!((mu / expected - 1.0).abs() < 2e-3, "{beta}: mu {mu}, expected {expected}");
        assert!(mu > last, "friction grows with the load");
        last = mu;
    }
    // Under any more load all touches, and μ is that of Eq. 8, as without the bed.
    let full = look(&relief, pressed(2.0 * amplitude, 1.0), |s| (s.touching, s.mu(0)));
    let without = look(&relief, Manner::default(), |s| (s.touching, s.mu(0)));
    assert_eq!(full.0, without.0);
    assert!((full.1 / without.1 - 1.0).abs() < 1e-6, "{full:?} {without:?}");
    // Control: without the bed the load changes nothing, and no light load has the same friction.
    assert!(without.1 > 1.3 * FRAC_2_PI * slope * 0.3 * 3.0 / 16.0);
}

/// Heights with an exponential distribution of mean s: area over load is 1/(k s), whatever the
/// load (Greenwood and Williamson 1966, for summits without curvature).
#[test]
fn exponential_heights_have_an_area_that_grows_with_the_load() {
    let (n, mean) = (512_usize, 2e-5);
    // Quantiles, shuffled by a multiplier that has no factor in common with their number.
    let height = |i: usize| {
        let rank = (i * 611_953) % (n * n);
        -mean * (1.0 - (rank as f64 + 0.5) / (n * n) as f64).ln()
    };
    let heights: Vec<f64> = (0..n * n).map(height).collect();
    let map = SlopeMap::from_heights(n, n, &heights, DVec2::splat(0.512), Wrap::Repeat).unwrap();
    let relief = Relief::plain(map);
    for part in [0.01, 0.05, 0.2, 0.6] {
        let manner = pressed(part * mean, 1.0);
        let area = look(&relief, manner, |s| s.touching as f64 / s.covered as f64);
        assert!((area / part - 1.0).abs() < 5e-3, "{part}: {area}");
    }
}

/// In other units everything is the same.
#[test]
fn units_do_not_matter() {
    let map = gaussian_roughness(Grid::square(64, 1e-3), 1e-4, 7).unwrap();
    let found = [1.0, 1024.0].map(|scale| {
        let map = map.clone().with_size(map.size() * scale).unwrap();
        let relief = Relief::plain(map);
        look(&relief, pressed(1e-4 * scale, scale * scale), |s| (s.touching, s.mu(3)))
    });
    assert_eq!(found[0].0, found[1].0);
    assert!((found[0].1 / found[1].1 - 1.0).abs() < 1e-12, "{found:?}");
}

#[test]
fn normals_without_heights_are_refused_by_name() {
    let sampling = Sampling { stiffness: Some(1e9), ..Sampling::default() };
    let section = Ploughing::new(0.1).unwrap().with_sampling(sampling).unwrap();
    let slopes = gaussian_slopes(Grid::square(8, 1e-3), DVec2::ONE, 1).unwrap();
    let painted = Surface::new("painted").with_relief(Relief::plain(slopes));
    let smooth = Surface::new("smooth");
    let error = section.check(&smooth, &painted).unwrap_err().to_string();
    assert!(error.contains("\"painted\"") && error.contains("heights"), "{error}");
    let rough = gaussian_roughness(Grid::square(8, 1e-3), 1e-4, 1).unwrap();
    let rough = Surface::new("rough").with_relief(Relief::plain(rough));
    assert!(section.check(&rough, &smooth).is_ok());
    assert!(Ploughing::new(0.1).unwrap().check(&smooth, &painted).is_ok());
}

/// What a filter and eight bits do to the coefficients of ridges.
#[test]
fn filters_and_eight_bits_err_as_they_must() {
    let map = gaussian_slopes(Grid::square(64, 1e-3), DVec2::splat(0.5), 3).unwrap();
    let relief = Relief::plain(map);
    let plain = look(&relief, Manner::default(), |s| s.mu(0));
    // A texel of the map is a texel of the window: nothing to filter.
    let filter = Manner { filter: true, ..Manner::default() };
    assert!((look(&relief, filter, |s| s.mu(0)) - plain).abs() < 1e-12);
    // Rounding to 1/255 errs by at most half of that, and hardly on the mean.
    let eight = Manner { eight_bit: true, ..Manner::default() };
    let kept = look(&relief, eight, |s| s.mu(0));
    assert!(kept != plain && (kept - plain).abs() < 0.5 / 255.0, "{kept} {plain}");
    // Steep slopes are cut at 1, and that is seen: tan θ up to π/2 fits.
    let steep = gaussian_slopes(Grid::square(64, 1e-3), DVec2::splat(4.0), 3).unwrap();
    let steep = Relief::plain(steep);
    let (cut, whole) =
        (look(&steep, eight, |s| s.mu(0)), look(&steep, Manner::default(), |s| s.mu(0)));
    assert!(cut < 0.5 && whole > 0.9, "{cut} {whole}");
}

/// A filter over several texels averages slopes before Eq. 5: independent ones by the root of their
/// number.
#[test]
fn a_filter_makes_wide_windows_slippery() {
    let map = gaussian_slopes(Grid::square(256, 1e-3), DVec2::splat(0.5), 5).unwrap();
    let relief = Relief::plain(map);
    let mu = |filter: bool| {
        let window = Window::about_point(0.256, 64, 0.0, Rotation::IDENTITY);
        let facets = [0, 1].map(|side| [Facet::flat(DMat2::IDENTITY, DVec2::splat(0.128), side)]);
        let patch = PatchView {
            window: Window { manner: Manner { filter, ..Manner::default() }, ..window },
            corners: &[],
            sides: [
                Side { relief: Some(&relief), facets: &facets[0] },
                Side { relief: None, facets: &facets[1] },
            ],
        };
        Sampler::new(4).unwrap().sample(&patch).mu(0)
    };
    // 4 × 4 texels in each of the window's. Without, the lookup falls between four of them.
    assert!((mu(true) / mu(false) / 0.5 - 1.0).abs() < 0.04, "{} {}", mu(true), mu(false));
}
