//! The rows of an adapter.

use std::sync::Arc;
use std::time::Instant;

use asperity::friction::surface::patch::{Batch, Directions, SamplePatches, Samples};
use asperity_gpu::PatchSampler;

use super::patches::Patches;
use super::{Args, REPEATS, Row, Who};
use crate::error::CliError;

/// Patches of meshes that an adapter is timed on at most: their facets fill the memory.
const MOST_MESHES: usize = 100_000;
/// Seconds of work before an adapter is timed.
const AWAKE: f64 = 0.5;
/// Most times that it does the same work for that.
const MOST_REHEARSALS: f64 = 1000.0;

/// Times an adapter.
pub(super) struct Sampling {
    sampler: PatchSampler,
    directions: Arc<Directions>,
    samples: Samples,
}

impl Sampling {
    /// `None` where no adapter is asked for, or where there is none and plain code will do.
    pub(super) fn new(args: &Args) -> Result<Option<Sampling>, CliError> {
        if args.sampler == Who::Cpu {
            return Ok(None);
        }
        match PatchSampler::new() {
            Ok(sampler) => Ok(Some(Sampling {
                sampler,
                directions: Arc::new(Directions::new(args.directions)?),
                samples: Samples::default(),
            })),
            Err(why) if args.sampler == Who::Auto => {
                eprintln!("no rows of an adapter: {why}");
                Ok(None)
            }
            Err(why) => Err(CliError::Input(format!("--sampler gpu: {why} (--sampler cpu)"))),
        }
    }

    /// The fastest of some calls, after one that compiles and makes room.
    pub(super) fn time(&mut self, scene: &Patches, count: usize) -> Result<Row, CliError> {
        let timed = if scene.is_mesh() { count.min(MOST_MESHES) } else { count };
        let batch = scene.batch(timed, &self.directions);
        self.call(&batch)?;
        let mut wall = f64::INFINITY;
        let mut device = self.sampler.device_time();
        let mut spent = 0.0;
        for _ in 0..REPEATS {
            let seconds = self.call(&batch)?;
            wall = wall.min(seconds);
            device = device.min(self.sampler.device_time());
            spent += seconds;
            if spent > 8.0 {
                break;
            }
        }
        // The adapter's own time, with its clock up: one that idles while the processor works runs
        // at a fraction of it.
        if let Some(least) = device.filter(|_| !self.sampler.is_software()) {
            let rehearsals = AWAKE / least.as_secs_f64().max(1e-9);
            self.sampler.rehearse(rehearsals.min(MOST_REHEARSALS) as usize);
            for _ in 0..REPEATS {
                self.call(&batch)?;
                device = device.min(self.sampler.device_time());
            }
            self.sampler.rehearse(0);
        }
        let device = device.map(|time| time.as_secs_f64() * 1e3);
        Ok(Row {
            surfaces: scene.name(),
            sampler: "gpu",
            threads: rayon::current_num_threads(),
            patches: count,
            timed,
            microseconds_per_patch: wall * 1e6 / timed as f64,
            patches_per_millisecond: timed as f64 / (wall * 1e3),
            device_milliseconds: device,
            patches_per_device_millisecond: device.map(|ms| timed as f64 / ms),
            adapter: Some(self.sampler.adapter().to_owned()),
        })
    }

    /// Seconds that one call takes with everything.
    fn call(&mut self, batch: &Batch) -> Result<f64, CliError> {
        let started = Instant::now();
        self.sampler
            .sample(batch, &mut self.samples)
            .map_err(|why| CliError::Input(format!("bench sampling: {why}")))?;
        Ok(started.elapsed().as_secs_f64())
    }
}
