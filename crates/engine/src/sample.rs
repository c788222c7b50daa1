//! Who samples the patches of a step: plain code on all cores, or a device.

use std::sync::Arc;
use std::time::{Duration, Instant};

use asperity_friction::surface::Surface;
use asperity_friction::surface::patch::{Batch, Directions, SamplePatches, Sampler, Samples};
use glamx::DVec2;

/// The patches of a step and their coefficients.
#[derive(Default)]
pub(crate) struct Patches {
    pub(crate) batch: Batch,
    pub(crate) samples: Samples,
    /// Number of each surface's relief in the batch.
    relief_of: Vec<Option<usize>>,
    plain: PlainPatches,
    device: Option<Box<dyn SamplePatches>>,
    /// How long all sampling took so far.
    pub(crate) spent: Duration,
}

impl Patches {
    pub(crate) fn new(surfaces: &[Surface]) -> Patches {
        let mut batch = Batch::default();
        let number = |surface: &Surface| {
            let relief = surface.relief.clone()?;
            batch.reliefs.push(relief);
            Some(batch.reliefs.len() - 1)
        };
        let relief_of = surfaces.iter().map(number).collect();
        let (samples, plain) = (Samples::default(), PlainPatches::default());
        Patches { batch, samples, relief_of, plain, device: None, spent: Duration::ZERO }
    }

    pub(crate) fn set_device(&mut self, device: Option<Box<dyn SamplePatches>>) {
        self.device = device;
    }

    pub(crate) fn name(&self) -> String {
        self.device.as_ref().map_or_else(|| self.plain.name(), |d| d.name())
    }

    /// Number of a surface's relief.
    pub(crate) fn relief(&self, surface: usize) -> Option<usize> {
        self.relief_of.get(surface).copied().flatten()
    }

    /// Number of these directions.
    pub(crate) fn directions(&mut self, directions: &Arc<Directions>) -> usize {
        let list = &mut self.batch.directions;
        list.iter().position(|d| Arc::ptr_eq(d, directions)).unwrap_or_else(|| {
            list.push(directions.clone());
            list.len() - 1
        })
    }

    /// Samples the batch. Where the device cannot, plain code does, now and from now on; the
    /// error says why.
    pub(crate) fn sample(&mut self) -> Result<(), String> {
        let started = Instant::now();
        let result = self.sample_by_someone();
        self.spent += started.elapsed();
        result
    }

    fn sample_by_someone(&mut self) -> Result<(), String> {
        let failed = match &mut self.device {
            Some(device) => device.sample(&self.batch, &mut self.samples).err(),
            None => return self.plain.sample(&self.batch, &mut self.samples),
        };
        let Some(error) = failed else { return Ok(()) };
        self.device = None;
        self.plain.sample(&self.batch, &mut self.samples)?;
        Err(error)
    }
}

impl std::fmt::Debug for Patches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Patches").field("sampler", &self.name()).finish_non_exhaustive()
    }
}

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
        let Samples { covered, points, start } = out;
        share(batch, start, 0, covered, points, &mut self.pools[..shares]);
        Ok(())
    }
}

/// Samples the patches from `first` on, one for each entry of `covered`.
fn share(
    batch: &Batch,
    start: &[usize],
    first: usize,
    covered: &mut [u32],
    points: &mut [DVec2],
    pools: &mut [Vec<Sampler>],
) {
    if pools.len() > 1 {
        let half = pools.len() / 2;
        let (left, right) = covered.split_at_mut(half * SHARE);
        let middle = first + left.len();
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
    for (k, covered) in covered.iter_mut().enumerate() {
        let job = first + k;
        let sample = pool[batch.jobs[job].directions].sample(&batch.patch(job));
        *covered = sample.covered as u32;
        points[start[job] - begin..start[job + 1] - begin].copy_from_slice(sample.points);
    }
}
