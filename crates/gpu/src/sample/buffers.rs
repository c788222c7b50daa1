//! Memory of the adapter that is kept from call to call.

use super::Row;
use super::kernels::Kernels;
use super::reliefs::Reliefs;
use crate::RenderError;
use crate::compute::{INPUT, Layout, READBACK, RESULTS, STRIDE, WORK, buffer};
use crate::device::Gpu;

/// What submissions read and write.
#[derive(Debug)]
pub(super) struct Buffers {
    /// What dispatches are about, [`STRIDE`] bytes apart.
    pub(super) work: wgpu::Buffer,
    /// Where rows are written, and from where the adapter copies them. Kept, because a new piece of
    /// memory for each call would cost more than the copy.
    upload: wgpu::Buffer,
    /// Whether `upload` can be written.
    is_mapped: bool,
    pub(super) rows: wgpu::Buffer,
    pub(super) results: wgpu::Buffer,
    pub(super) readback: wgpu::Buffer,
    clock: Option<Clock>,
}

/// Takes the time of a pass.
#[derive(Debug)]
pub(super) struct Clock {
    pub(super) queries: wgpu::QuerySet,
    pub(super) resolved: wgpu::Buffer,
    pub(super) readback: wgpu::Buffer,
    /// Seconds of a tick.
    pub(super) tick: f64,
}

/// What a dispatch is about; see `common.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Work {
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) width: u32,
    pub(super) results: u32,
    pub(super) pieces: u32,
    pub(super) unused: [u32; 3],
}

/// Bytes of a clock's two readings.
pub(super) const READINGS: u64 = 16;

const UPLOAD: wgpu::BufferUsages =
    wgpu::BufferUsages::MAP_WRITE.union(wgpu::BufferUsages::COPY_SRC);

/// How much a batch needs.
pub(super) struct Room {
    pub(super) dispatches: usize,
    pub(super) rows: usize,
    /// Bytes of results, and of what is read of them.
    pub(super) results: u64,
    pub(super) read: u64,
    /// Bytes that a buffer grows to ahead of need.
    pub(super) most: u64,
}

impl Buffers {
    pub(super) fn new(gpu: &Gpu) -> Buffers {
        let make = |size, usage| buffer(&gpu.device, "patches", size, usage);
        let has_clock = gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        Buffers {
            work: make(STRIDE, WORK),
            upload: make(16, UPLOAD),
            is_mapped: false,
            rows: make(16, INPUT),
            results: make(16, RESULTS),
            readback: make(16, READBACK),
            clock: has_clock.then(|| Clock {
                queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                    label: Some("time of a pass"),
                    ty: wgpu::QueryType::Timestamp,
                    count: 2,
                }),
                resolved: make(
                    READINGS,
                    wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                ),
                readback: make(READINGS, READBACK),
                tick: f64::from(gpu.queue.get_timestamp_period()) * 1e-9,
            }),
        }
    }

    pub(super) fn has_clock(&self) -> bool {
        self.clock.is_some()
    }

    pub(super) fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Makes room.
    pub(super) fn fit(&mut self, gpu: &Gpu, room: &Room) {
        let Room { dispatches, rows, results, read, most } = *room;
        let rows = (rows * size_of::<Row>()) as u64;
        let grow = |old: &mut wgpu::Buffer, needed: u64, usage| {
            if old.size() < needed {
                let size = needed.next_power_of_two().min(most.max(needed));
                *old = buffer(&gpu.device, "patches", size, usage);
            }
        };
        grow(&mut self.work, dispatches as u64 * STRIDE, WORK);
        grow(&mut self.rows, rows, INPUT);
        grow(&mut self.results, results, RESULTS);
        grow(&mut self.readback, read, READBACK);
    }

    /// Hands over rows, in a command before those that read them.
    pub(super) fn write_rows(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        rows: &[Row],
    ) -> Result<(), RenderError> {
        let bytes: &[u8] = bytemuck::cast_slice(rows);
        let size = bytes.len() as u64;
        if !self.is_mapped || self.upload.size() < size {
            self.upload = gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("rows"),
                size: self.rows.size(),
                usage: UPLOAD,
                mapped_at_creation: true,
            });
        }
        self.is_mapped = false;
        self.upload
            .get_mapped_range_mut(..size)
            .map_err(|error| RenderError::Adapter(error.to_string()))?
            .copy_from_slice(bytes);
        self.upload.unmap();
        encoder.copy_buffer_to_buffer(&self.upload, 0, &self.rows, 0, size);
        Ok(())
    }

    /// Makes rows writable again, after the adapter has done with them.
    pub(super) fn reuse(&mut self, gpu: &Gpu) {
        let (sender, receiver) = std::sync::mpsc::channel();
        self.upload.map_async(wgpu::MapMode::Write, .., move |result| {
            let _ = sender.send(result.is_ok());
        });
        let is_idle = gpu.device.poll(wgpu::PollType::Poll).is_ok();
        self.is_mapped = is_idle && receiver.try_recv().unwrap_or(false);
    }

    /// Everything that the kernels of a number of directions look at.
    pub(super) fn bind(
        &self,
        gpu: &Gpu,
        layout: &Layout,
        kernels: &Kernels,
        reliefs: &Reliefs,
    ) -> wgpu::BindGroup {
        let work = (&self.work, size_of::<Work>());
        let buffers = [&reliefs.buffer, &kernels.bins, &self.rows, &self.results];
        layout.bind(&gpu.device, work, buffers)
    }
}
