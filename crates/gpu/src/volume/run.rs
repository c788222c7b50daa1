//! Submissions: meshes and pairs to the adapter, kernels, sums back.

use super::batch::Batch;
use super::pair::SUMS;
use crate::RenderError;
use crate::compute::{INPUT, Layout, READBACK, RESULTS, STRIDE, WORK, buffer};
use crate::device::{self, Gpu};

/// Rays of a workgroup.
pub(super) const RAYS: u32 = 256;
/// Workgroups of a dispatch, at most: what every adapter can do.
const MOST_GROUPS: u32 = 65535;
/// Workgroups of a submission on a program that acts as an adapter, which is slow: it must answer
/// in time.
const MOST_SLOW_GROUPS: u32 = 8192;
/// The two kernels and their memory, which is kept from call to call.
#[derive(Debug)]
pub(super) struct Kernels {
    layout: Layout,
    cast: wgpu::ComputePipeline,
    add: wgpu::ComputePipeline,
    work: wgpu::Buffer,
    geometry: wgpu::Buffer,
    pairs: wgpu::Buffer,
    sums: wgpu::Buffer,
    results: wgpu::Buffer,
    readback: wgpu::Buffer,
}

/// What a dispatch is about; see `rays.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Work {
    first: u32,
    pairs: u32,
    unused: [u32; 2],
}

impl Kernels {
    pub(super) fn new(device: &wgpu::Device) -> Kernels {
        let layout = Layout::new(device, "rays", [true, true, false, false]);
        let source = format!(
            "const RAYS = {RAYS}u;\n{}{}",
            include_str!("rays.wgsl"),
            include_str!("cross.wgsl")
        );
        let pipeline = |entry| layout.pipeline(device, source.clone(), entry);
        let (cast, add) = (pipeline("cast_rays"), pipeline("add_groups"));
        let make = |size, usage| buffer(device, "rays", size, usage);
        Kernels {
            layout,
            cast,
            add,
            work: make(STRIDE, WORK),
            geometry: make(16, INPUT),
            pairs: make(16, INPUT),
            sums: make(64, RESULTS),
            results: make(64, RESULTS),
            readback: make(64, READBACK),
        }
    }

    /// Casts the rays of a batch; `take` gets the sums of each pair. Returns how many submissions
    /// that took.
    pub(super) fn run(
        &mut self,
        gpu: &Gpu,
        batch: &Batch,
        mut take: impl FnMut(usize, &[f32]),
    ) -> Result<usize, RenderError> {
        let pairs = batch.pairs.len() as u32;
        let most = if gpu.is_software { MOST_SLOW_GROUPS } else { MOST_GROUPS };
        let casts = slices(batch.groups, most);
        let adds = slices(pairs, MOST_GROUPS);
        let bytes = (batch.pairs.len() * SUMS * size_of::<f32>()) as u64;
        gpu.watched(|| {
            self.fit(gpu, batch, (casts.len() + adds.len()) as u64, bytes);
            let mut works = Vec::new();
            for (first, _) in casts.iter().chain(&adds) {
                let work = Work { first: *first, pairs, unused: [0; 2] };
                works.extend_from_slice(bytemuck::bytes_of(&work));
                works.resize(works.len().next_multiple_of(STRIDE as usize), 0);
            }
            gpu.queue.write_buffer(&self.work, 0, &works);
            gpu.queue.write_buffer(&self.geometry, 0, bytemuck::cast_slice(&batch.geometry));
            gpu.queue.write_buffer(&self.pairs, 0, bytemuck::cast_slice(&batch.rows));
            let buffers = [&self.geometry, &self.pairs, &self.sums, &self.results];
            let bound = self.layout.bind(&gpu.device, (&self.work, size_of::<Work>()), buffers);
            for number in 0..casts.len() {
                let is_last = number + 1 == casts.len();
                let mut encoder =
                    gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                {
                    let mut pass =
                        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                    pass.set_pipeline(&self.cast);
                    pass.set_bind_group(0, &bound, &[(number as u64 * STRIDE) as u32]);
                    pass.dispatch_workgroups(casts[number].1, 1, 1);
                    for (k, (_, count)) in adds.iter().enumerate().filter(|_| is_last) {
                        let offset = (casts.len() + k) as u64 * STRIDE;
                        pass.set_pipeline(&self.add);
                        pass.set_bind_group(0, &bound, &[offset as u32]);
                        pass.dispatch_workgroups(*count, 1, 1);
                    }
                }
                if is_last {
                    encoder.copy_buffer_to_buffer(&self.results, 0, &self.readback, 0, bytes);
                }
                gpu.queue.submit([encoder.finish()]);
                if !is_last {
                    device::wait(&gpu.device)?;
                }
            }
            device::read(&gpu.device, &self.readback, bytes, |bytes| {
                let sums: &[f32] = bytemuck::try_cast_slice(bytes)
                    .map_err(|e| RenderError::Adapter(format!("memory is {e}")))?;
                for (number, sums) in batch.pairs.iter().zip(sums.chunks_exact(SUMS)) {
                    take(*number, sums);
                }
                Ok(())
            })?
        })?;
        Ok(casts.len())
    }

    /// Makes room.
    fn fit(&mut self, gpu: &Gpu, batch: &Batch, works: u64, results: u64) {
        let grow = |old: &mut wgpu::Buffer, needed: u64, usage| {
            if old.size() < needed {
                *old = buffer(&gpu.device, "rays", needed, usage);
            }
        };
        grow(&mut self.work, works * STRIDE, WORK);
        grow(&mut self.geometry, size_of_val(&batch.geometry[..]) as u64, INPUT);
        grow(&mut self.pairs, size_of_val(&batch.rows[..]) as u64, INPUT);
        let sums = u64::from(batch.groups) * (SUMS * size_of::<f32>()) as u64;
        grow(&mut self.sums, sums, RESULTS);
        grow(&mut self.results, results, RESULTS);
        grow(&mut self.readback, results, READBACK);
    }
}

/// First and count of pieces of at most so many.
fn slices(count: u32, most: u32) -> Vec<(u32, u32)> {
    (0..count).step_by(most as usize).map(|first| (first, most.min(count - first))).collect()
}
