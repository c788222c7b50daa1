//! Masks from measured coefficients: truth that was made, with and without noise, and what cannot be known.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_8};

use asperity::friction::set::Rotation;
use asperity::friction::surface::generate::{self, Grid};
use asperity::friction::surface::patch::{Facet, PatchView, Sampler, Side, Window};
use asperity::friction::surface::{Mask, Relief, SlopeMap, Surface};
use asperity::glamx::{DMat2, DVec2, DVec3};
use asperity_friction::testing::Rng;
use asperity_scene::fit::{Fit, Measured, coefficient, masks, read};

const GRID: Grid = Grid { width: 32, height: 32, texel: 1e-3 };

/// Teeth, an anisotropic rough surface, a rough one with a mask of its own, and a smooth one.
fn surfaces() -> Vec<Surface> {
    let teeth = generate::sawtooth(GRID, [0.8, 0.3], [4, 12]).unwrap();
    let brushed = generate::gaussian_slopes(GRID, DVec2::new(0.2, 0.6), 3).unwrap();
    let rough = generate::gaussian_slopes(GRID, DVec2::splat(0.4), 5).unwrap();
    let edges = Mask::from_edges(&rough, 0.2, 1.0);
    vec![
        Surface::new("teeth").with_relief(Relief::new(teeth, Mask::Constant(7.0)).unwrap()),
        Surface::new("brushed").with_relief(Relief::plain(brushed)),
        Surface::new("rough").with_relief(Relief::new(rough, edges).unwrap()),
        Surface::new("smooth"),
    ]
}

/// The coefficient of the whole map of a side by the sampler, for motion of B in one of sixteen directions.
fn sampled(map: &Relief, side: usize, turn: f64, k: usize) -> f64 {
    let size = map.map().size();
    let window = Window::about_point(size.x, 32, 0.0, Rotation::IDENTITY);
    // Seen from above B is a mirror image: its v runs the other way.
    let u = DVec2::from_angle(turn);
    let v = DVec3::NEG_Z.cross(u.extend(0.0)).truncate();
    let axes = if side == 0 { DMat2::IDENTITY } else { DMat2::from_cols(u, v) };
    let facets = [0, 1]
        .map(|s| [Facet::flat(if s == side { axes } else { DMat2::IDENTITY }, 0.5 * size, s)]);
    let sides = [0, 1].map(|s| Side { relief: (s == side).then_some(map), facets: &facets[s] });
    let mut sampler = Sampler::new(16).unwrap();
    sampler.sample(&PatchView { window, corners: &[], sides }).mu(k)
}

#[test]
fn coefficients_of_both_sides_are_those_of_the_sampler() {
    for surface in &surfaces()[..3] {
        let relief = surface.relief.as_ref().unwrap();
        for k in 0..16 {
            let direction = f64::from(k as u32) * FRAC_PI_8;
            for turn in [0.0, FRAC_PI_2, -FRAC_PI_2] {
                // With the other side smooth and μ₀ = 0, one measurement of 1 gives 1/μ of that side.
                for side in 0..2 {
                    let mut pair = [3, 3];
                    pair[side] = 0;
                    let numbers = [
                        surface.clone(),
                        Surface::new(""),
                        Surface::new(""),
                        Surface::new("smooth"),
                    ];
                    let one = Measured { surfaces: pair, direction, turn, mu: 1.0, line: 1 };
                    let found = masks(&numbers, &[one], Some(0.0));
                    let expected = match relief.mask() {
                        Mask::Constant(k) => 1.0 / k,
                        Mask::Texels(_) => 1.0,
                    } * sampled(relief, side, if side == 0 { 0.0 } else { turn }, k);
                    if expected < 1e-9 {
                        continue;
                    }
                    let given = 1.0 / found.factors[0].1.value;
                    assert!(
                        (given - expected).abs() < 1e-6 * expected,
                        "{} {side} {turn} {k}: {given} {expected}",
                        surface.name
                    );
                }
            }
        }
    }
}

/// Every pair of surfaces in eight directions, with these factors and this μ₀.
fn truth(factors: [f64; 4], ambient: f64) -> Vec<Measured> {
    let all = surfaces();
    let mut measured = Vec::new();
    for (a, b) in [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (0, 3), (0, 0)] {
        for k in 0..8_u32 {
            let (direction, turn) = (0.3 + f64::from(k) * 2.0 * FRAC_PI_8, 0.2 * f64::from(k));
            let mut one =
                Measured { surfaces: [a, b], direction, turn, mu: 0.0, line: measured.len() + 2 };
            // By the definition: the fit with unit factors leaves nothing of what it is given.
            let part = |surface: usize, way: DVec2| {
                all[surface]
                    .relief
                    .as_deref()
                    .map_or(0.0, |r| factors[surface] * coefficient(r, way))
            };
            let of_b = DVec2::from_angle(direction - turn);
            one.mu = ambient
                + part(a, DVec2::from_angle(direction))
                + part(b, DVec2::new(-of_b.x, of_b.y));
            measured.push(one);
        }
    }
    measured
}

fn values(found: &Fit) -> Vec<f64> {
    found.factors.iter().map(|(_, f)| f.value).collect()
}

#[test]
fn factors_that_were_put_in_come_out() {
    let measured = truth([1.7, 0.6, 3.0, 1.0], 0.12);
    let found = masks(&surfaces(), &measured, None);
    for (value, expected) in values(&found).iter().zip([1.7, 0.6, 3.0]) {
        assert!((value - expected).abs() < 1e-9, "{found:?}");
    }
    let ambient = found.ambient.unwrap();
    assert!((ambient.value - 0.12).abs() < 1e-9 && ambient.is_determined);
    assert!(found.misfit() < 1e-12);
    // All but the smooth surface, of which nothing can be known.
    assert_eq!(found.rank, (4, 5));
    let known: Vec<bool> = found.factors.iter().map(|(_, f)| f.is_determined).collect();
    assert_eq!(known, [true, true, true, false]);
    // Told another μ₀, nothing fits.
    assert!(masks(&surfaces(), &measured, Some(0.3)).misfit() > 0.01);
}

#[test]
fn noise_scatters_factors_by_their_standard_errors() {
    let clean = truth([1.7, 0.6, 3.0, 1.0], 0.12);
    let mut rng = Rng::new(11);
    let (mut squares, mut count) = (0.0, 0.0);
    for _ in 0..50 {
        let mut noisy = clean.clone();
        for one in &mut noisy {
            one.mu += 0.01 * rng.gaussian();
        }
        let found = masks(&surfaces(), &noisy, None);
        for ((_, factor), expected) in found.factors.iter().zip([1.7, 0.6, 3.0]) {
            squares += ((factor.value - expected) / factor.error.unwrap()).powi(2);
            count += 1.0;
        }
        assert!((found.misfit() - 0.01).abs() < 0.005, "{}", found.misfit());
    }
    // The mean square of what is normal is 1, give or take √(2/150).
    let mean = squares / count;
    assert!((0.6..1.6).contains(&mean), "{mean}");
    // Coefficients given to other pairs fit nothing.
    let mut mixed = clean.clone();
    let last = mixed.len() - 1;
    for k in 0..=last {
        mixed[k].mu = clean[(k * 19) % (last + 1)].mu;
    }
    assert!(masks(&surfaces(), &mixed, None).misfit() > 0.05);
}

#[test]
fn what_measurements_do_not_determine_is_said() {
    let all = truth([1.7, 0.6, 3.0, 1.0], 0.12);
    // Two rough surfaces in one direction: one number for three unknowns.
    let one = masks(&surfaces(), &all[..1], None);
    assert_eq!(one.rank, (1, 3));
    assert!(one.factors.iter().all(|(_, f)| !f.is_determined && f.error.is_none()), "{one:?}");
    assert!(one.misfit() < 1e-12);
    // The same pair in all directions: the two differ in how they depend on it, and μ₀ does not.
    let pair = masks(&surfaces(), &all[..8], None);
    assert_eq!(pair.rank, (3, 3));
    // A rough surface alone on a smooth one in one direction, with μ₀ known.
    let alone = Measured { surfaces: [1, 3], direction: 0.3, turn: 0.0, mu: 0.4, line: 2 };
    let found = masks(&surfaces(), &[alone], Some(0.1));
    assert!(found.factors[0].1.is_determined && found.factors[0].1.value > 0.0);
    assert!(!found.factors[1].1.is_determined);
    assert!(!masks(&surfaces(), &[alone], None).factors[0].1.is_determined);
}

#[test]
fn factors_are_not_negative_and_contradictions_show_as_misfit() {
    let mut measured = truth([1.7, 0.0, 3.0, 1.0], 0.12);
    // Less friction where the brushed surface is rough: no factor explains that.
    for one in measured.iter_mut().filter(|m| m.surfaces[0] == 1 && m.surfaces[1] == 3) {
        one.mu = 0.02;
    }
    let found = masks(&surfaces(), &measured, None);
    assert_eq!(found.factors[1].1.value, 0.0, "{found:?}");
    assert!(values(&found).iter().all(|k| *k >= 0.0) && found.ambient.unwrap().value >= 0.0);
    // Once 0.3 and once 0.6 for the same: the best is half-way, and 0.15 is left of each.
    let same = |mu: f64| Measured { surfaces: [1, 3], direction: 0.3, turn: 0.0, mu, line: 2 };
    let found = masks(&surfaces(), &[same(0.3), same(0.6)], Some(0.0));
    assert!((found.misfit() - 0.15).abs() < 1e-12 && (found.worst().1 - 0.15).abs() < 1e-12);
}

#[test]
fn tables_are_read_by_their_heads_and_refused_by_line() {
    let surfaces = surfaces();
    let text = "# measured\nmu, direction, a, b, turn\n0.4, 90, teeth, smooth, 0\n\n0.5,-45,rough,teeth,30\n";
    let found = read("t.csv", text, &surfaces).unwrap();
    assert_eq!(found[0].surfaces, [0, 3]);
    assert_eq!((found[1].line, found[1].mu), (5, 0.5));
    assert!((found[1].turn - 30_f64.to_radians()).abs() < 1e-15);
    assert!((found[0].direction - FRAC_PI_2).abs() < 1e-15);
    for (text, what) in [
        ("", "t.csv: the table is empty"),
        ("a,b,direction,mu\n", "nothing else"),
        ("a,b,mu\n", "t.csv:1: there is no column \"direction\""),
        ("a,b,direction,mu,slope\n", "t.csv:1: unknown column \"slope\""),
        ("a,b,direction,mu,mu\n", "t.csv:1: a second column \"mu\""),
        ("a,b,direction,mu\nteeth,smooth,0\n", "t.csv:2: 3 values; expected 4"),
        (
            "a,b,direction,mu\nteeth,smoth,0,1\n",
            "t.csv:2: there is no material \"smoth\"; did you mean \"smooth\"?",
        ),
        ("a,b,direction,mu\nteeth,smooth,x,1\n", "t.csv:2: direction is \"x\""),
        ("a,b,direction,mu\nteeth,smooth,0,nan\n", "t.csv:2: mu is \"nan\""),
        ("a,b,direction,mu\nteeth,smooth,0,-1\n", "t.csv:2: mu is -1"),
    ] {
        let error = read("t.csv", text, &surfaces).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn a_level_map_of_zeros_has_no_coefficient() {
    let flat = SlopeMap::new(
        2,
        2,
        vec![[0.0; 2]; 4],
        DVec2::ONE,
        asperity::friction::surface::Wrap::Repeat,
    );
    assert_eq!(coefficient(&Relief::plain(flat.unwrap()), DVec2::X), 0.0);
}
