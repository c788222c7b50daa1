//! Patches sampled by plain code, on all cores.

use asperity_friction::surface::patch::{Batch, SamplePatches, Sampler, Samples};
use glamx::DVec2;

/// Samples patches by plain code, on all cores. Every patch is on its own, so that the number of
/// cores changes nothing.
#[derive(Debug, Default)]
pub struct PlainPatches {
    /// For each share of the patches, a sampler for each of the batch's directions.
    pools: Vec<Vec<Sampler>>,
}

/// Patches that one core takes at a time.
const SHARE: usize = 16;

impl SamplePatches for PlainPatches {
    fn name(&self) -> String {
        "plain code".to_owned()
    }

    fn sample(&mut self, batch: &Batch, out: &mut Samples) -> Result<(), String> {
        out.reset(batch);
        let shares = batch.jobs.len().div_ceil(SHARE);
        if self.pools.len() < shares {
            self.pools.resize_with(shares, Vec::new);
        }
        let Samples { covered, touching, points, start } = out;
        let counts = Counts { covered, touching };
        share(batch, start, 0, counts, points, &mut self.pools[..shares]);
        Ok(())
    }
}

/// Numbers of texels of some patches.
struct Counts<'a> {
    covered: &'a mut [u32],
    touching: &'a mut [u32],
}

impl<'a> Counts<'a> {
    fn split_at(self, middle: usize) -> (Counts<'a>, Counts<'a>) {
        let (covered, more_covered) = self.covered.split_at_mut(middle);
        let (touching, more_touching) = self.touching.split_at_mut(middle);
        let right = Counts { covered: more_covered, touching: more_touching };
        (Counts { covered, touching }, right)
    }
}

/// Samples the patches from `first` on, one for each entry of `counts`.
fn share(
    batch: &Batch,
    start: &[usize],
    first: usize,
    counts: Counts,
    points: &mut [DVec2],
    pools: &mut [Vec<Sampler>],
) {
    if pools.len() > 1 {
        let half = pools.len() / 2;
        let (left, right) = counts.split_at(half * SHARE);
        let middle = first + left.covered.len();
        let (left_points, right_points) = points.split_at_mut(start[middle] - start[first]);
        let (left_pools, right_pools) = pools.split_at_mut(half);
        rayon::join(
            || share(batch, start, first, left, left_points, left_pools),
            || share(batch, start, middle, right, right_points, right_pools),
        );
        return;
    }
    let Some(pool) = pools.first_mut() else { return };
    for directions in &batch.directions[pool.len()..] {
        pool.push(Sampler::with_directions(directions.clone()));
    }
    let begin = start[first];
    let Counts { covered, touching } = counts;
    for (k, (covered, touching)) in covered.iter_mut().zip(touching).enumerate() {
        let job = first + k;
        let sample = pool[batch.jobs[job].directions].sample(&batch.patch(job));
        *covered = sample.covered as u32;
        *touching = sample.touching as u32;
        points[start[job] - begin..start[job + 1] - begin].copy_from_slice(sample.points);
    }
}
