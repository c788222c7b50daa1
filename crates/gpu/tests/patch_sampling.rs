//! Patches sampled on an adapter against the sampler in plain code.

#[path = "../../friction/tests/patches/mod.rs"]
mod patches;

use std::sync::Arc;

use asperity_friction::random::Rng;
use asperity_friction::set::Rotation;
use asperity_friction::surface::patch::{
    Batch, Directions, Facet, Job, JobSide, Outline, SamplePatches, Sampler, Samples, Window,
};
use asperity_friction::surface::{Relief, SlopeMap, Wrap};
use asperity_gpu::{PatchSampler, RenderError};
use glamx::{DMat2, DVec2};
use patches::{RandomPatch, random_patch};

/// What samplers on an adapter may differ by, as a part of a patch's largest coefficient.
const AGREEMENT: f64 = 1e-4;

/// The samplers of this machine, if it has any.
fn samplers() -> Vec<PatchSampler> {
    let mut all = Vec::new();
    for found in [PatchSampler::vulkan(), PatchSampler::gl()] {
        match found {
            Ok(sampler) => all.push(sampler),
            Err(RenderError::NoAdapter(why)) => eprintln!("not on this machine: {why}"),
            Err(why) if why.to_string().contains("no compute shaders") => {
                eprintln!("not on this machine: {why}");
            }
            Err(why) => panic!("{why}"),
        }
    }
    all
}

fn directions(batch: &mut Batch, count: usize) -> usize {
    let found = batch.directions.iter().position(|d| d.count() == count);
    found.unwrap_or_else(|| {
        batch.directions.push(Arc::new(Directions::new(count).unwrap()));
        batch.directions.len() - 1
    })
}

fn push(batch: &mut Batch, patch: RandomPatch, count: usize, is_smooth: bool) {
    let RandomPatch { reliefs, window, corners, facets } = patch;
    let first = batch.reliefs.len();
    batch.reliefs.extend(reliefs.map(Arc::new));
    let from = batch.corners.len();
    batch.corners.extend(corners);
    let sides = [0, 1].map(|side| {
        let start = batch.facets.len();
        batch.facets.extend(&facets[side]);
        let relief = Some(first + side).filter(|_| side == 0 || !is_smooth);
        JobSide { relief, facets: start..batch.facets.len() }
    });
    let directions = directions(batch, count);
    batch.jobs.push(Job { window, directions, corners: from..batch.corners.len(), sides });
}

/// Two flat faces, each with a turn and a place of its own.
fn push_flat(batch: &mut Batch, window: Window, count: usize, faces: [(f64, DVec2); 2]) {
    let sides = [0, 1].map(|side| {
        let (angle, uv) = faces[side];
        let x = DVec2::from_angle(angle);
        let axes = DMat2::from_cols(x, x.perp() * [1.0, -1.0][side]);
        batch.facets.push(Facet::flat(axes, uv, side));
        JobSide { relief: Some(side), facets: batch.facets.len() - 1..batch.facets.len() }
    });
    let directions = directions(batch, count);
    batch.jobs.push(Job { window, directions, corners: 0..0, sides });
}

fn gaussian(seed: u64, width: usize, height: usize, texel: f64, wrap: Wrap) -> Arc<Relief> {
    let mut rng = Rng::new(seed);
    let slopes = (0..width * height).map(|_| [rng.gaussian() as f32, rng.gaussian() as f32]);
    let size = DVec2::new(width as f64, height as f64) * texel;
    Arc::new(Relief::plain(SlopeMap::new(width, height, slopes.collect(), size, wrap).unwrap()))
}

/// How samples differ from those of plain code.
#[derive(Debug, Default)]
struct Difference {
    /// Largest difference of a coefficient, as a part of the patch's largest.
    mu: f64,
    /// Patches with other texels covered, and the most of them.
    coverage: usize,
    texels: usize,
    /// Points that are farther apart than coefficients may be: a slope vector square to the
    /// direction is on one side here and on the other there.
    points: usize,
    /// How many there are of each.
    patches: usize,
    all_points: usize,
}

fn difference(batch: &Batch, samples: &Samples) -> Difference {
    let mut found = Difference { patches: batch.jobs.len(), ..Difference::default() };
    for number in 0..batch.jobs.len() {
        let own = Arc::clone(&batch.directions[batch.jobs[number].directions]);
        let count = own.count();
        let mut sampler = Sampler::with_directions(own);
        let expected = sampler.sample(&batch.patch(number));
        let sample = samples.get(batch, number);
        found.all_points += count;
        if sample.covered != expected.covered {
            found.coverage += 1;
            found.texels = found.texels.max(sample.covered.abs_diff(expected.covered));
            continue;
        }
        let largest = (0..count).map(|k| expected.mu(k)).fold(0.0, f64::max);
        if largest == 0.0 {
            assert!(sample.points.iter().all(|p| p.length() < 1e-9), "patch {number}");
            continue;
        }
        for k in 0..count {
            let apart = (sample.mu(k) - expected.mu(k)).abs() / largest;
            found.mu = found.mu.max(apart);
            let apart = sample.points[k].distance(expected.points[k]) / largest;
            found.points += usize::from(!(apart < AGREEMENT));
        }
    }
    found
}

#[test]
fn any_patch_agrees_with_plain_code() {
    let mut batch = Batch::default();
    let counts = [2, 3, 5, 6, 8, 16, 30, 64, 359, 360];
    for (number, count) in counts.into_iter().cycle().take(2000).enumerate() {
        let mut rng = Rng::for_case("patch", number);
        push(&mut batch, random_patch(&mut rng), count, number % 7 == 0);
    }
    for mut sampler in samplers() {
        let mut samples = Samples::default();
        sampler.sample(&batch, &mut samples).unwrap();
        let found = difference(&batch, &samples);
        eprintln!("{}: {found:?}", sampler.name());
        assert!(found.mu < AGREEMENT, "{found:?}");
        // Single precision may decide otherwise about a centre that is on an edge.
        assert!(found.coverage <= found.patches / 500 && found.texels <= 1, "{found:?}");
        assert!(found.points <= found.all_points / 4_000, "{found:?}");
    }
}

#[test]
fn a_patch_far_away_is_as_exact_as_one_at_the_origin() {
    // 4,096 texels of 1 mm, and places that are whole periods apart: up to some kilometres.
    let relief = gaussian(1, 4096, 3, 0.001, Wrap::Repeat);
    let mut batch = Batch {
        reliefs: vec![relief, gaussian(2, 64, 64, 0.001, Wrap::Repeat)],
        ..Batch::default()
    };
    let mut rng = Rng::new(7);
    let periods = [0.0, 250.0, -250.0, 1000.0];
    for _ in 0..100 {
        let uv = DVec2::new(rng.uniform(0.0, 4.096), rng.uniform(0.0, 0.003));
        let angles = [rng.uniform(-3.2, 3.2), rng.uniform(-3.2, 3.2)];
        let window =
            Window::about_point(0.02, 16, 0.0, Rotation::from_angle(rng.uniform(-3.2, 3.2)));
        for times in periods {
            let a = (angles[0], uv + DVec2::new(4.096 * times, 0.0));
            push_flat(&mut batch, window, 16, [a, (angles[1], DVec2::new(0.064 * 16000.0, 0.0))]);
        }
    }
    for mut sampler in samplers() {
        let mut samples = Samples::default();
        sampler.sample(&batch, &mut samples).unwrap();
        let found = difference(&batch, &samples);
        eprintln!("{}: {found:?}", sampler.name());
        assert!(found.mu < 2e-5 && found.coverage == 0, "{found:?}");
        for (number, points) in samples.points.chunks_exact(16 * periods.len()).enumerate() {
            let (near, far) = points.split_at(16);
            for (k, point) in far.iter().enumerate() {
                let apart = point.distance(near[k % 16]);
                assert!(apart < 1e-5, "patch {number}, point {k}: {apart:e}");
            }
        }
    }
}

#[test]
fn large_windows_are_sampled_in_pieces() {
    let mut batch = Batch {
        reliefs: vec![
            gaussian(1, 300, 200, 0.001, Wrap::Repeat),
            gaussian(2, 100, 150, 0.002, Wrap::Clamp),
        ],
        ..Batch::default()
    };
    for (resolution, count) in [(64, 16), (65, 16), (200, 7), (1000, 360), (2048, 16)] {
        let window = Window::about_point(0.25, resolution, 0.0, Rotation::from_angle(0.3));
        let faces = [(0.4, DVec2::new(0.01, 0.02)), (-1.0, DVec2::splat(0.1))];
        push_flat(&mut batch, window, count, faces);
        let clip = Outline::Disc { centre: DVec2::new(0.01, 0.02), radius: 0.113 };
        push_flat(&mut batch, Window { clip, ..window }, count, faces);
    }
    for mut sampler in samplers() {
        let mut samples = Samples::default();
        sampler.sample(&batch, &mut samples).unwrap();
        let found = difference(&batch, &samples);
        eprintln!("{}: {found:?}", sampler.name());
        assert!(found.mu < AGREEMENT, "{found:?}");
        assert_eq!(sampler.submissions(), 1);
        // Discs of a million texels and more have some that are on the edge to seven digits.
        assert!(found.texels <= 8, "{found:?}");
        for number in 0..batch.jobs.len() {
            let sample = samples.get(&batch, number);
            let part = sample.covered as f64 / sample.texels as f64;
            let expected = if number % 2 == 0 { 1.0 } else { 0.6418 };
            assert!((part - expected).abs() < 0.01, "{part}");
        }
    }
}

#[test]
fn batches_that_are_too_large_are_split_and_give_the_same() {
    let mut batch = Batch::default();
    for number in 0..60 {
        let mut rng = Rng::for_case("split", number);
        push(&mut batch, random_patch(&mut rng), [16, 6][number % 2], false);
    }
    for mut sampler in samplers() {
        let (mut whole, mut split) = (Samples::default(), Samples::default());
        sampler.sample(&batch, &mut whole).unwrap();
        assert_eq!(sampler.submissions(), 1);
        sampler.limit_batches(10_000);
        sampler.sample(&batch, &mut split).unwrap();
        assert!(sampler.submissions() > 3, "{}", sampler.submissions());
        assert_eq!(whole, split);
        // One that does not fit at all is refused by number.
        sampler.limit_batches(1000);
        let error = sampler.sample(&batch, &mut split).unwrap_err();
        assert!(error.contains("patch 0 takes"), "{error}");
    }
}

#[test]
fn reliefs_are_handed_over_once() {
    let window = Window::about_point(0.02, 16, 0.0, Rotation::IDENTITY);
    let mut batch = Batch {
        reliefs: [1, 2, 3].map(|seed| gaussian(seed, 64, 64, 0.001, Wrap::Repeat)).to_vec(),
        ..Batch::default()
    };
    push_flat(&mut batch, window, 16, [(0.2, DVec2::ZERO), (0.1, DVec2::ONE)]);
    for mut sampler in samplers() {
        let mut batch = batch.clone();
        let mut samples = Samples::default();
        let mut check = |sampler: &mut PatchSampler, batch: &Batch, uploads: usize| {
            sampler.sample(batch, &mut samples).unwrap();
            assert_eq!(sampler.uploads(), uploads);
            let found = difference(batch, &samples);
            assert!(found.mu < AGREEMENT && found.coverage == 0, "{found:?}");
        };
        check(&mut sampler, &batch, 3);
        check(&mut sampler, &batch, 3);
        // Another one of the same size goes to the same place.
        batch.reliefs[0] = gaussian(4, 64, 64, 0.001, Wrap::Clamp);
        check(&mut sampler, &batch, 4);
        // A larger one moves those after it, here into a new buffer.
        batch.reliefs[1] = gaussian(5, 200, 100, 0.001, Wrap::Repeat);
        check(&mut sampler, &batch, 7);
        check(&mut sampler, &batch, 7);
        batch.reliefs[2] = gaussian(6, 10, 10, 0.001, Wrap::Repeat);
        check(&mut sampler, &batch, 8);
    }
}

#[test]
fn nonsense_gives_zeros_or_an_error() {
    let relief = gaussian(1, 20, 20, 0.001, Wrap::Repeat);
    let mut batch = Batch { reliefs: vec![Arc::clone(&relief), relief], ..Batch::default() };
    let good = Window::about_point(0.1, 16, 0.0, Rotation::IDENTITY);
    push_flat(&mut batch, good, 16, [(0.2, DVec2::ZERO), (0.1, DVec2::ONE)]);
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1e300, 1e-300];
    let corners = batch.corners.len();
    batch.corners.extend(bad.map(DVec2::splat));
    batch.corners.extend([DVec2::X, DVec2::Y]);
    for value in bad {
        let other = batch.jobs[0].sides[1].clone();
        let flat = Facet::flat(DMat2::IDENTITY, DVec2::splat(value), 0);
        let facets = [
            flat,
            Facet { rise: DVec2::splat(value), height: value, ..flat },
            flat.within(Outline::Polygon { first: 7, count: u32::MAX }),
            flat.within(Outline::Disc { centre: DVec2::splat(value), radius: value }),
            flat.within(Outline::Polygon { first: 0, count: 9 }),
            Facet { uv_from_plane: DMat2::from_cols_array(&[value; 4]), ..flat },
            Facet { normal: flat.normal * value, tangent: flat.tangent * value, ..flat },
        ];
        for resolution in [0, 1, 16, 2049, usize::MAX] {
            for size in [DVec2::splat(0.1), DVec2::splat(value)] {
                for facet in facets {
                    let window = Window { resolution, size, ..good };
                    batch.facets.push(facet);
                    let own = batch.facets.len() - 1..batch.facets.len();
                    let own = JobSide { relief: Some(0), facets: own };
                    let sides = [own, other.clone()];
                    let corners = corners..batch.corners.len();
                    batch.jobs.push(Job { window, directions: 0, corners, sides });
                }
            }
        }
    }
    for mut sampler in samplers() {
        let mut samples = Samples::default();
        sampler.sample(&batch, &mut samples).unwrap();
        assert!(samples.points.iter().all(|p| p.is_finite()));
        assert_eq!(samples.covered[0], 256);
        for (number, job) in batch.jobs.iter().enumerate() {
            if job.window.check().is_err() {
                assert_eq!(samples.covered[number], 0, "patch {number}");
            }
        }
        // An empty batch is one too.
        sampler.sample(&Batch::default(), &mut samples).unwrap();
        assert!(samples.points.is_empty() && sampler.submissions() == 0);
        let mut wrong = batch.clone();
        wrong.jobs[3].sides[0].relief = Some(9);
        let error = sampler.sample(&wrong, &mut samples).unwrap_err();
        assert!(error.starts_with("patch 3 refers to"), "{error}");
    }
}
