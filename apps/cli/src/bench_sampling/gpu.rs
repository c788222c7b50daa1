//! The rows of an adapter.

use std::sync::Arc;
use std::time::{Duration, Instant};

use asperity::friction::surface::patch::{Directions, SamplePatches, Samples};
use asperity_gpu::PatchSampler;

use super::patches::Patches;
use super::{Args, REPEATS, Row, Who};
use crate::error::CliError;

/// Patches of meshes that an adapter is timed on at most: their facets fill the memory.
const MOST_MESHES: usize = 100_000;
/// Seconds of work before an adapter is timed.
const AWAKE: f64 = 0.5;

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

    /// The fastest of some calls, after some that compile, make room and wake the card: one that
    /// idled while the processor worked runs at a fraction of its clock.
    pub(super) fn time(&mut self, scene: &Patches, count: usize) -> Result<Row, CliError> {
        let timed = if scene.is_mesh() { count.min(MOST_MESHES) } else { count };
        let batch = scene.batch(timed, &self.directions);
        let (mut wall, mut device) = (f64::INFINITY, None::<Duration>);
        let (mut spent, mut repeat) = (0.0_f64, 0);
        while repeat < REPEATS {
            let started = Instant::now();
            self.sampler
                .sample(&batch, &mut self.samples)
                .map_err(|why| CliError::Input(format!("bench sampling: {why}")))?;
            let seconds = started.elapsed().as_secs_f64();
            let awake = spent > AWAKE;
            spent += seconds;
            if awake {
                repeat += 1;
                wall = wall.min(seconds);
                let own = self.sampler.device_time();
                device = own.map(|own| device.map_or(own, |least| least.min(own)));
            }
            if repeat > 0 && spent > 8.0 {
                break;
            }
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
}
