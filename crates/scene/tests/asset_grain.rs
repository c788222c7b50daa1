//! The grain of pictures: synthetic wood at many angles, pixels of any shape.

use std::f64::consts::{FRAC_PI_2, PI};

use asperity::friction::surface::Wrap;
use asperity::glamx::DVec2;
use asperity_scene::asset::grain::{GrainField, Options, from_picture};
use asperity_scene::asset::image::Picture;

/// A number from 0 to 1 for every whole number.
fn random(seed: i64) -> f64 {
    let mut x = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Smooth noise on a line.
fn noise(x: f64, seed: i64) -> f64 {
    let (cell, f) = (x.floor(), x - x.floor());
    let w = f * f * (3.0 - 2.0 * f);
    let at = |k: f64| random(seed * 1_000_003 + k as i64);
    at(cell) * (1.0 - w) + at(cell + 1.0) * w
}

/// Wood whose fibres run at an angle (from the right, upwards), with noise in every pixel. Pixels
/// are `aspect` times as wide as they are high.
fn wood(width: usize, height: usize, angle: f64, aspect: f64) -> Picture {
    let (sin, cos) = angle.sin_cos();
    let texel = |i: usize| {
        let (x, y) = ((i % width) as f64, -((i / width) as f64) / aspect);
        let (along, across) = (x * cos + y * sin, y * cos - x * sin);
        // Rings, fibres and their slow change along the grain.
        let rings = noise(across / 14.0, 1);
        let fibres = noise(across / 3.0 + 0.2 * noise(along / 60.0, 2), 3);
        let grey =
            0.3 + 0.3 * rings + 0.25 * fibres + 0.08 * (random(i.cast_signed() as i64 + 77) - 0.5);
        [grey as f32, 0.8 * grey as f32, 0.5 * grey as f32, 1.0]
    };
    Picture { width, height, texels: (0..width * height).map(texel).collect() }
}

/// Degrees between two lines.
fn between(a: f64, b: f64) -> f64 {
    let d = (a - b).rem_euclid(PI);
    d.min(PI - d).to_degrees()
}

/// Median error over all pixels, degrees.
fn median_error(field: &GrainField, angle: f64) -> f64 {
    let error = |[c, s]: &[f32; 2]| between(f64::from(*s).atan2(f64::from(*c)), angle);
    let mut errors: Vec<f64> = field.directions.iter().map(error).collect();
    errors.sort_by(f64::total_cmp);
    errors[errors.len() / 2]
}

#[test]
fn synthetic_wood_gives_back_its_angle_at_every_angle() {
    for k in 0..24 {
        let angle = 7.5_f64.to_radians() * f64::from(k);
        let field = from_picture(&wood(160, 120, angle, 1.0), &Options::default()).unwrap();
        let mean = between(field.mean_angle(), angle);
        let median = median_error(&field, angle);
        let degrees = angle.to_degrees();
        assert!(mean < 1.0, "{degrees}: the mean is {mean:.2} degrees off");
        assert!(median < 2.0, "{degrees}: half of the pixels are {median:.2} degrees off");
        let sure = field.confidence.iter().sum::<f32>() / field.confidence.len() as f32;
        assert!(sure > 0.5, "{degrees}: confidence {sure}");
    }
}

#[test]
fn pixels_that_are_not_square_are_measured_on_the_surface() {
    for (width, height, aspect) in [(240, 90, 1.0), (90, 200, 2.0), (200, 90, 0.5), (64, 250, 3.0)]
    {
        for degrees in [0.0_f64, 20.0, 45.0, 70.0, 90.0, 115.0, 160.0] {
            let angle = degrees.to_radians();
            let options = Options { pixel_aspect: aspect, ..Options::default() };
            let field = from_picture(&wood(width, height, angle, aspect), &options).unwrap();
            let mean = between(field.mean_angle(), angle);
            assert!(mean < 1.5, "{width} x {height}, {aspect}, {degrees}: {mean:.2} degrees off");
        }
    }
}

#[test]
fn the_texture_decodes_to_the_same_directions() {
    let angle = 30.0_f64.to_radians();
    let field = from_picture(&wood(96, 64, angle, 1.0), &Options::default()).unwrap();
    let size = DVec2::new(0.96, 0.64);
    let texture = field.to_picture().into_texture(size, Wrap::Clamp).unwrap();
    let mut worst: f64 = 0.0;
    for k in 0..400 {
        let uv = DVec2::new(random(2 * k), random(2 * k + 1)) * size;
        let s = texture.structure(uv);
        // Neighbours have the same sense: nothing cancels between texels.
        assert!(s.length() > 0.9, "{s} at {uv}");
        worst = worst.max(between(s.y.atan2(s.x), angle));
    }
    assert!(worst < 15.0, "{worst}");
}

#[test]
fn neighbours_agree_also_where_the_grain_turns_round() {
    // Rings about the lower left corner: directions turn by 90 degrees, through the vertical.
    let texel = |i: usize| {
        let (x, y) = ((i % 120) as f64 + 40.0, 119.0 - (i / 120) as f64 + 40.0);
        let grey = 0.5 + 0.4 * (x.hypot(y) * 0.7).sin();
        [grey as f32; 4]
    };
    let picture = Picture { width: 120, height: 120, texels: (0..14_400).map(texel).collect() };
    let field = from_picture(&picture, &Options::default()).unwrap();
    for i in 0..14_400 {
        let [a, b] = field.directions[i];
        for next in
            [(i % 120 < 119).then(|| i + 1), (i < 14_280).then(|| i + 120)].into_iter().flatten()
        {
            let [c, d] = field.directions[next];
            assert!(a * c + b * d > 0.9, "at {} {}", i % 120, i / 120);
        }
    }
}

#[test]
fn a_picture_that_repeats_is_seen_across_its_edges() {
    // Stripes that fit the width: upright everywhere, also at the border.
    let texel = |i: usize| [(0.5 + 0.4 * ((i % 32) as f64 * PI / 8.0).sin()) as f32; 4];
    let picture = Picture { width: 32, height: 32, texels: (0..1024).map(texel).collect() };
    let options = Options { wrap: Wrap::Repeat, ..Options::default() };
    let field = from_picture(&picture, &options).unwrap();
    assert!(median_error(&field, FRAC_PI_2) < 0.01);
    assert!(field.confidence.iter().all(|c| *c > 0.99));
}

#[test]
fn a_blank_picture_has_no_grain_and_bad_options_are_told() {
    let blank = Picture { width: 20, height: 10, texels: vec![[0.5; 4]; 200] };
    let field = from_picture(&blank, &Options::default()).unwrap();
    assert!(field.confidence.iter().all(|c| *c == 0.0));
    assert!(field.directions.iter().all(|d| *d == [0.0; 2]));
    let options = Options::default();
    for bad in [
        Options { scale: f64::NAN, ..options },
        Options { scale: 0.0, ..options },
        Options { scales: 0, ..options },
        Options { scales: 99, ..options },
        Options { neighbourhood: 1e9, ..options },
        Options { pixel_aspect: -1.0, ..options },
    ] {
        assert!(from_picture(&blank, &bad).is_err(), "{bad:?}");
    }
    let wrong = Picture { width: 20, height: 10, texels: Vec::new() };
    assert!(from_picture(&wrong, &options).is_err());
    let thin = Picture { width: 2, height: 2, texels: vec![[0.1; 4]; 4] };
    assert!(from_picture(&thin, &options).is_ok());
}
