//! Texture lookup: between texels, beyond the edge, along a path, and as a grain.

use asperity_friction::FrictionError;
use asperity_friction::surface::{MAX_PIECES, Structure, Surface, TextureMap, Wrap};
use asperity_friction::testing::Rng;
use glamx::{DVec2, DVec3, DVec4};

/// A texture of one value per texel, the same in all channels.
fn grey(width: usize, height: usize, values: &[f32], size: DVec2, wrap: Wrap) -> TextureMap {
    let texels = values.iter().map(|v| [*v; 4]).collect();
    TextureMap::new(width, height, texels, size, wrap).unwrap()
}

/// 2 × 2 texels of 1 m with centres at ½ and 1½: 1 and 2 in the row v = ½, 4 and 8 above.
fn four(wrap: Wrap) -> TextureMap {
    grey(2, 2, &[1.0, 2.0, 4.0, 8.0], DVec2::splat(2.0), wrap)
}

fn random_texture(rng: &mut Rng, wrap: Wrap) -> TextureMap {
    let texels = (0..35).map(|_| [(); 4].map(|()| rng.unit() as f32)).collect();
    TextureMap::new(7, 5, texels, DVec2::new(0.7, 0.3), wrap).unwrap()
}

fn assert_near(found: DVec4, expected: DVec4, tolerance: f64) {
    assert!(found.distance(expected) <= tolerance, "{found} is not {expected}");
}

#[test]
fn texel_centres_give_their_texel() {
    let map = four(Wrap::Clamp);
    for (u, v, value) in [(0.5, 0.5, 1.0), (1.5, 0.5, 2.0), (0.5, 1.5, 4.0), (1.5, 1.5, 8.0)] {
        assert_eq!(map.sample(DVec2::new(u, v)), DVec4::splat(value));
    }
}

#[test]
fn lookup_between_centres_is_bilinear() {
    let map = four(Wrap::Clamp);
    // Half way in u: 1.5 below, 6 above. A quarter of the way up: 1.5 + (6 − 1.5)/4.
    assert_eq!(map.sample(DVec2::new(1.0, 0.5)), DVec4::splat(1.5));
    assert_eq!(map.sample(DVec2::new(1.0, 0.75)), DVec4::splat(2.625));
}

#[test]
fn channels_are_kept_apart() {
    let texels = vec![[0.0, 0.25, 0.5, 1.0], [1.0, 0.75, 0.5, 0.0]];
    let map = TextureMap::new(2, 1, texels, DVec2::new(2.0, 1.0), Wrap::Clamp).unwrap();
    assert_eq!(map.sample(DVec2::new(0.75, 0.5)), DVec4::new(0.25, 0.375, 0.5, 0.75));
}

#[test]
fn clamp_continues_the_border() {
    let map = four(Wrap::Clamp);
    assert_eq!(map.sample(DVec2::new(-30.0, -30.0)), DVec4::splat(1.0));
    assert_eq!(map.sample(DVec2::new(30.0, 0.5)), DVec4::splat(2.0));
    assert_eq!(map.sample(DVec2::new(1.0, 30.0)), DVec4::splat(6.0));
}

#[test]
fn repeat_is_periodic_and_joins_opposite_borders() {
    let map = four(Wrap::Repeat);
    assert_eq!(map.sample(DVec2::new(0.0, 0.5)), DVec4::splat(1.5));
    assert_eq!(map.sample(DVec2::new(2.0, 1.5)), DVec4::splat(6.0));
    let mut rng = Rng::new(1);
    let map = random_texture(&mut rng, Wrap::Repeat);
    for _ in 0..1000 {
        let uv = DVec2::new(rng.uniform(0.0, 0.7), rng.uniform(0.0, 0.3));
        let tiles = DVec2::new(rng.index(9) as f64 - 4.0, rng.index(9) as f64 - 4.0);
        assert_near(map.sample(uv + tiles * DVec2::new(0.7, 0.3)), map.sample(uv), 1e-13);
    }
}

/// Midpoints of many small pieces; the error of the quadrature itself is of second order.
fn numeric_mean(map: &TextureMap, uv: DVec2, path: DVec2) -> DVec4 {
    let n = 20_000;
    (0..n).map(|k| map.sample(uv + path * ((f64::from(k) + 0.5) / f64::from(n)))).sum::<DVec4>()
        / f64::from(n)
}

#[test]
fn mean_along_a_path_is_the_path_integral() {
    let mut rng = Rng::new(2);
    for wrap in [Wrap::Repeat, Wrap::Clamp] {
        let map = random_texture(&mut rng, wrap);
        for _ in 0..100 {
            let uv = DVec2::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0));
            let path = rng.unit_vector2() * rng.log_uniform(1e-3, 2.0);
            assert_near(map.mean_along(uv, path), numeric_mean(&map, uv, path), 1e-6);
        }
    }
}

#[test]
fn mean_along_a_path_adds_up_from_its_parts_and_has_no_sense() {
    let mut rng = Rng::new(3);
    let map = random_texture(&mut rng, Wrap::Repeat);
    for _ in 0..1000 {
        let uv = DVec2::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0));
        let path = rng.unit_vector2() * rng.log_uniform(1e-6, 3.0);
        let share = rng.unit();
        let whole = map.mean_along(uv, path);
        let first = map.mean_along(uv, path * share);
        let second = map.mean_along(uv + path * share, path * (1.0 - share));
        assert_near(first * share + second * (1.0 - share), whole, 1e-8);
        assert_near(map.mean_along(uv + path, -path), whole, 1e-8);
    }
}

#[test]
fn no_path_gives_the_point() {
    let map = random_texture(&mut Rng::new(4), Wrap::Repeat);
    let uv = DVec2::new(0.123, 0.234);
    assert_eq!(map.mean_along(uv, DVec2::ZERO), map.sample(uv));
}

/// A path across more texels than are integrated exactly is sampled: about the texture's mean.
#[test]
fn a_very_long_path_gives_the_mean_of_the_texture() {
    let map = four(Wrap::Repeat);
    let path = DVec2::new(2.0 * MAX_PIECES as f64 * 1.000_123, 1.000_321 * MAX_PIECES as f64);
    assert_near(map.mean_along(DVec2::ZERO, path), DVec4::splat(15.0 / 4.0), 0.05);
}

/// Far from the origin a texel is a few roundings wide; the walk along the path must still end.
#[test]
fn a_path_far_from_the_origin_ends() {
    let map = four(Wrap::Repeat);
    for exponent in 0..20 {
        let uv = DVec2::new(10_f64.powi(exponent), 0.25);
        for path in [DVec2::new(2.0, 0.0), DVec2::new(-1.3, 0.4), DVec2::new(512.0, -77.7)] {
            let mean = map.mean_along(uv, path);
            assert!((1.0..=8.0).contains(&mean.x), "{mean} at {uv} along {path}");
        }
    }
}

fn structure_of(red: f32, green: f32) -> DVec2 {
    let texels = vec![[red, green, 0.9, 0.1]];
    TextureMap::new(1, 1, texels, DVec2::ONE, Wrap::Repeat).unwrap().structure(DVec2::ZERO)
}

#[test]
fn red_is_the_grain_along_the_tangent_and_green_along_the_bitangent() {
    assert_eq!(structure_of(1.0, 0.5), DVec2::X);
    assert_eq!(structure_of(0.0, 0.5), -DVec2::X);
    assert_eq!(structure_of(0.5, 1.0), DVec2::Y);
    assert_eq!(structure_of(0.75, 0.25), DVec2::new(0.5, -0.5));
}

#[test]
fn both_middle_greys_of_eight_bits_are_no_grain_and_the_next_are_one() {
    let grey = |level: u8| f32::from(level) / 255.0;
    for (red, green) in [(127, 127), (127, 128), (128, 127), (128, 128)] {
        assert_eq!(structure_of(grey(red), grey(green)), DVec2::ZERO);
    }
    assert!(structure_of(grey(129), grey(128)).x > 0.0);
    assert!(structure_of(grey(127), grey(126)).y < 0.0);
}

#[test]
fn a_painted_grain_is_laid_along_the_surface_axes() {
    let texels = vec![[1.0, 0.5, 0.0, 0.0], [0.5, 1.0, 0.0, 0.0]];
    let map = TextureMap::new(2, 1, texels, DVec2::new(2.0, 1.0), Wrap::Clamp).unwrap();
    let surface = Surface::new("oak").with_structure(Structure::Texture(map));
    let (tangent, bitangent) = (DVec3::Z, DVec3::X);
    assert_eq!(surface.at(tangent, bitangent, DVec2::new(0.5, 0.5)).structure, DVec3::Z);
    assert_eq!(surface.at(tangent, bitangent, DVec2::new(1.5, 0.5)).structure, DVec3::X);
}

#[test]
fn textures_of_the_wrong_shape_are_refused_with_what_was_expected() {
    let make = |w, h, texels: Vec<[f32; 4]>, size| TextureMap::new(w, h, texels, size, Wrap::Clamp);
    let message = |result: Result<TextureMap, FrictionError>| result.unwrap_err().to_string();
    assert_eq!(
        message(make(2, 2, vec![[0.0; 4]; 3], DVec2::ONE)),
        "texture of 2 x 2 texels has 3 values; expected one per texel and at least one"
    );
    assert!(make(0, 0, vec![], DVec2::ONE).is_err());
    assert!(make(usize::MAX, 2, vec![[0.0; 4]], DVec2::ONE).is_err());
    let mut texels = vec![[0.0; 4]; 6];
    texels[4][3] = f32::NAN;
    assert!(message(make(3, 2, texels, DVec2::ONE)).starts_with("texel (1, 1) is not finite"));
    assert_eq!(
        message(make(1, 1, vec![[0.0; 4]], DVec2::new(1.0, 0.0))),
        "texture height in metres is 0; expected a finite number above zero"
    );
}
