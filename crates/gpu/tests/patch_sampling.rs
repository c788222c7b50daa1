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
use asperity_gpu::PatchSampler;
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
            Err(why) => eprintln!("not on this machine: {why}"),
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
