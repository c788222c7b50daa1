//! Slope maps and masks in the adapter's memory.

use std::sync::Arc;

use asperity_friction::surface::{Mask, Relief, Wrap};

use super::Row;
use super::place::NONE;
use crate::RenderError;
use crate::device::Gpu;

/// The reliefs of the last batch, by number.
#[derive(Debug)]
pub(super) struct Reliefs {
    pub(super) buffer: wgpu::Buffer,
    /// What each is and where it lies.
    entries: Vec<Entry>,
    /// As kernels read them.
    pub(super) rows: Vec<Row>,
    /// Texels of the buffer that are taken.
    used: u64,
    uploads: usize,
}

#[derive(Debug)]
struct Entry {
    relief: Arc<Relief>,
    start: u64,
    texels: u64,
}

/// Bytes of a texel.
const TEXEL: u64 = 8;

impl Reliefs {
    pub(super) fn new(device: &wgpu::Device) -> Reliefs {
        Reliefs {
            buffer: buffer(device, 1),
            entries: Vec::new(),
            rows: Vec::new(),
            used: 0,
            uploads: 0,
        }
    }

    pub(super) fn uploads(&self) -> usize {
        self.uploads
    }

    /// Hands over what is new. Whether the buffer is another one now.
    pub(super) fn update(
        &mut self,
        gpu: &Gpu,
        reliefs: &[Arc<Relief>],
    ) -> Result<bool, RenderError> {
        let mut is_other = false;
        for (number, relief) in reliefs.iter().enumerate() {
            let texels = texels(relief);
            match self.entries.get(number) {
                Some(entry) if Arc::ptr_eq(&entry.relief, relief) => continue,
                Some(entry) if entry.texels == texels => {
                    let start = entry.start;
                    self.hand_over(gpu, number, relief, start);
                    continue;
                }
                // Another size in the middle: it and all after it anew.
                Some(entry) => {
                    self.used = entry.start;
                    self.entries.truncate(number);
                    self.rows.truncate(number);
                }
                None => {}
            }
            if (self.used + texels) * TEXEL > self.buffer.size() {
                self.grow(gpu, &reliefs[number..])?;
                is_other = true;
            }
            let start = self.used;
            self.used += texels;
            self.hand_over(gpu, number, relief, start);
        }
        Ok(is_other)
    }

    /// Makes room for some more reliefs; what is there already is handed over again.
    fn grow(&mut self, gpu: &Gpu, more: &[Arc<Relief>]) -> Result<(), RenderError> {
        let needed = self.used + more.iter().map(|relief| texels(relief)).sum::<u64>();
        let limits = gpu.device.limits();
        let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) / TEXEL;
        let most = most.min(u64::from(u32::MAX >> 1));
        if needed > most {
            return Err(RenderError::Adapter(format!(
                "normal maps of {needed} texels in all; it has room for {most}; use smaller maps, or sample on the CPU"
            )));
        }
        self.buffer = buffer(&gpu.device, needed.next_power_of_two().min(most));
        for number in 0..self.entries.len() {
            let (relief, start) =
                (Arc::clone(&self.entries[number].relief), self.entries[number].start);
            self.hand_over(gpu, number, &relief, start);
        }
        Ok(())
    }

    fn hand_over(&mut self, gpu: &Gpu, number: usize, relief: &Arc<Relief>, start: u64) {
        let map = relief.map();
        let (width, height) = map.dimensions();
        let slopes = padded(map.slopes(), width, height, map.wrap(), |here, _| here);
        gpu.queue.write_buffer(&self.buffer, start * TEXEL, bytemuck::cast_slice(&slopes));
        let mut mask = NONE;
        if let Mask::Texels(factors) = relief.mask() {
            let pairs = padded(factors, width, height, map.wrap(), |here, next| [here, next]);
            let from = start + pairs.len() as u64;
            gpu.queue.write_buffer(&self.buffer, from * TEXEL, bytemuck::cast_slice(&pairs));
            mask = from as u32;
        }
        let clamped = u32::from(map.wrap() == Wrap::Clamp) << 31;
        let row = [start as u32, mask, width as u32 | clamped, height as u32];
        let entry = Entry { relief: Arc::clone(relief), start, texels: texels(relief) };
        if number < self.entries.len() {
            (self.entries[number], self.rows[number]) = (entry, row);
        } else {
            self.entries.push(entry);
            self.rows.push(row);
        }
        self.uploads += 1;
    }
}

/// How many texels a relief takes: those of its map and a row and a column more, and as many for
/// its mask.
fn texels(relief: &Relief) -> u64 {
    let (width, height) = relief.map().dimensions();
    let one = (width as u64 + 1) * (height as u64 + 1);
    if matches!(relief.mask(), Mask::Texels(_)) { 2 * one } else { one }
}

/// A grid with a column and a row more, which are what lies beyond its edges. `make` gets a texel
/// and the next of its row.
fn padded<T: Copy>(
    texels: &[T],
    width: usize,
    height: usize,
    wrap: Wrap,
    make: impl Fn(T, T) -> [f32; 2],
) -> Vec<[f32; 2]> {
    let inside = |i: usize, count: usize| match wrap {
        Wrap::Repeat => i % count,
        Wrap::Clamp => i.min(count - 1),
    };
    let mut out = Vec::with_capacity((width + 1) * (height + 1));
    for j in 0..=height {
        let row = &texels[inside(j, height) * width..][..width];
        out.extend((0..=width).map(|i| make(row[inside(i, width)], row[inside(i + 1, width)])));
    }
    out
}

fn buffer(device: &wgpu::Device, texels: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("maps"),
        size: texels * TEXEL,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
