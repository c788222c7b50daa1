//! Contact patches on a graphics adapter, by compute shaders.
//!
//! One group of threads looks at a patch, or at a piece of a large one: every thread at some
//! texels, whose slope vectors it adds to sums of its own, one for each sector of the circle
//! ([`Directions`](asperity_friction::surface::patch::Directions)). Then the threads add up their
//! sums, and what comes back is K points and a count. Places in maps are prepared in double
//! precision, relative to a texel near the patch, so that it does not matter how far from the
//! origin a patch is.

mod buffers;
mod facets;
mod kernels;
mod place;
mod plan;
mod reliefs;
mod run;

use std::collections::BTreeMap;
use std::time::Duration;

use asperity_friction::surface::patch::{Batch, SamplePatches, Samples};

use crate::RenderError;
use crate::compute::{self, Layout};
use crate::device::{self, Gpu};
use buffers::Buffers;
use kernels::Kernels;
use plan::Plan;
use reliefs::Reliefs;
use run::Staging;

/// Four numbers, as kernels read them.
type Row = [u32; 4];

/// Samples patches on an adapter, in single precision.
#[derive(Debug)]
pub struct PatchSampler {
    gpu: Gpu,
    layout: Layout,
    /// By the number of directions.
    kernels: BTreeMap<usize, Kernels>,
    reliefs: Reliefs,
    buffers: Buffers,
    plan: Plan,
    staging: Staging,
    batch_bytes: u64,
    device_time: Option<Duration>,
    submissions: usize,
    rehearsals: usize,
}

impl PatchSampler {
    /// On the best adapter there is, through Vulkan or else OpenGL.
    pub fn new() -> Result<PatchSampler, RenderError> {
        compute::best(PatchSampler::on, "sample")
    }

    /// On an adapter through Vulkan.
    pub fn vulkan() -> Result<PatchSampler, RenderError> {
        PatchSampler::on(wgpu::Backends::VULKAN)
    }

    /// On an adapter through OpenGL.
    pub fn gl() -> Result<PatchSampler, RenderError> {
        PatchSampler::on(wgpu::Backends::GL)
    }

    fn on(backends: wgpu::Backends) -> Result<PatchSampler, RenderError> {
        let gpu = Gpu::new(backends, |adapter| device::compute(adapter, "sample patches"))?;
        let (layout, buffers, reliefs) = gpu.watched(|| {
            let layout = Layout::new(&gpu.device, "patches", [true, true, true, false]);
            Ok((layout, Buffers::new(&gpu), Reliefs::new(&gpu.device)))
        })?;
        let batch_bytes = compute::batch_bytes(&gpu);
        Ok(PatchSampler {
            gpu,
            layout,
            kernels: BTreeMap::new(),
            reliefs,
            buffers,
            plan: Plan::default(),
            staging: Staging::default(),
            batch_bytes,
            device_time: None,
            submissions: 0,
            rehearsals: 0,
        })
    }

    /// What samples, in words.
    pub fn adapter(&self) -> &str {
        &self.gpu.name
    }

    /// Whether the adapter is a program on the processor, which gains nothing over
    /// [`Sampler`](asperity_friction::surface::patch::Sampler).
    pub fn is_software(&self) -> bool {
        self.gpu.is_software
    }

    /// How long the adapter computed for the last call, without transfers. `None` where it cannot
    /// tell.
    pub fn device_time(&self) -> Option<Duration> {
        self.device_time
    }

    /// How many submissions the last call took: one, unless buffers would have been too large.
    pub fn submissions(&self) -> usize {
        self.submissions
    }

    /// How many reliefs were handed to the adapter so far. Those that stay are handed over once.
    pub fn uploads(&self) -> usize {
        self.reliefs.uploads()
    }

    /// Lets the adapter do its work so many times more in each call, before the time that
    /// [`PatchSampler::device_time`] tells: for measuring. A card that waits for the processor most
    /// of the time runs at a fraction of its clock.
    pub fn rehearse(&mut self, times: usize) {
        self.rehearsals = times;
    }

    /// Lets buffers of patches and of results have at most so many bytes each.
    pub fn limit_batches(&mut self, bytes: u64) {
        self.batch_bytes = self.batch_bytes.min(bytes);
    }
}

impl SamplePatches for PatchSampler {
    fn name(&self) -> String {
        self.gpu.name.clone()
    }

    fn sample(&mut self, batch: &Batch, out: &mut Samples) -> Result<(), String> {
        self.device_time = self.buffers.has_clock().then_some(Duration::ZERO);
        self.submissions = 0;
        self.plan.look_at(batch)?;
        out.reset(batch);
        self.run(batch, out).map_err(|error| error.to_string())
    }
}
