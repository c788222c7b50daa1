//! Submissions: rows to the adapter, kernels, results back.

use std::time::Duration;

use asperity_friction::surface::patch::{Batch, Samples};
use glamx::DVec2;
use rayon::prelude::*;

use super::buffers::{Buffers, READINGS, Room, Work};
use super::kernels::{Kernel, Kernels};
use super::place::{FLAT_ROWS, write_flat};
use super::plan::{Group, PatchKind, Plan};
use super::{PatchSampler, Row, facets};
use crate::RenderError;
use crate::compute::STRIDE;
use crate::device::{self, Gpu};

/// Workgroups along an axis, at most.
const MOST_GROUPS: u32 = 65535;
/// Jobs whose rows are written, or whose results are read, by one thread at a time.
const CHUNK: usize = 1024;

/// A kernel on some records.
#[derive(Debug, Clone, Copy)]
struct Dispatch {
    group: usize,
    kernel: Kernel,
    workgroups: u32,
}

/// Rows on their way, and blocks as different threads write them.
#[derive(Debug, Default)]
pub(super) struct Staging {
    rows: Vec<Row>,
    blocks: Vec<(Vec<Row>, Vec<u32>)>,
    dispatches: Vec<Dispatch>,
    works: Vec<u8>,
}

impl PatchSampler {
    /// Samples a batch that has been looked at.
    pub(super) fn run(&mut self, batch: &Batch, out: &mut Samples) -> Result<(), RenderError> {
        let PatchSampler { gpu, reliefs, .. } = self;
        gpu.watched(|| reliefs.update(gpu, &batch.reliefs).map(|_| ()))?;
        let mut from = 0;
        while from < batch.jobs.len() {
            let jobs =
                self.plan.begin(batch, from, self.batch_bytes).map_err(RenderError::Adapter)?;
            from = jobs.end;
            if self.plan.groups.iter().any(|group| group.patches > 0) {
                self.submit(batch, jobs, out)?;
            }
        }
        Ok(())
    }

    fn submit(
        &mut self,
        batch: &Batch,
        jobs: std::ops::Range<usize>,
        out: &mut Samples,
    ) -> Result<(), RenderError> {
        let PatchSampler { gpu, layout, kernels, reliefs, buffers, plan, staging, .. } = self;
        let gpu: &Gpu = gpu;
        // Where each group's results begin in the adapter's memory, and where they come back.
        let mut offsets = Vec::with_capacity(plan.groups.len());
        let (mut results, mut read) = (0_u64, 0_u64);
        for group in &plan.groups {
            let slot = group.count as u64 + 1;
            offsets.push((results, read));
            results += slot * u64::from(group.patches + group.pieces);
            read += slot * u64::from(group.patches);
        }
        gpu.watched(|| {
            for group in plan.groups.iter().filter(|group| group.patches > 0) {
                kernels.entry(group.count).or_insert_with(|| {
                    Kernels::new(&gpu.device, &batch.directions[group.directions])
                });
            }
            staging.write(batch, plan, &reliefs.rows, &offsets, kernels);
            let room = Room {
                dispatches: staging.dispatches.len(),
                rows: staging.rows.len(),
                results: 8 * results,
                read: 8 * read,
                most: self.batch_bytes,
            };
            buffers.fit(gpu, &room);
            gpu.queue.write_buffer(&buffers.work, 0, &staging.works);
            let mut encoder =
                gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            buffers.write_rows(gpu, &mut encoder, &staging.rows)?;
            for left in (0..=self.rehearsals).rev() {
                // The last one counts.
                let clock = buffers.clock().filter(|_| left == 0);
                let clock = clock.map(|clock| wgpu::ComputePassTimestampWrites {
                    query_set: &clock.queries,
                    beginning_of_pass_write_index: Some(0),
                    end_of_pass_write_index: Some(1),
                });
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                    label: Some("patches"),
                    timestamp_writes: clock,
                });
                let mut bound = usize::MAX;
                let mut bindings = None;
                for (number, dispatch) in staging.dispatches.iter().enumerate() {
                    let Some(kernels) = kernels.get(&plan.groups[dispatch.group].count) else {
                        continue;
                    };
                    if bound != dispatch.group {
                        bindings = Some(buffers.bind(gpu, layout, kernels, reliefs));
                        bound = dispatch.group;
                    }
                    pass.set_pipeline(kernels.get(&gpu.device, layout, dispatch.kernel));
                    pass.set_bind_group(0, bindings.as_ref(), &[(number as u64 * STRIDE) as u32]);
                    let (width, height) = spread(dispatch.workgroups);
                    pass.dispatch_workgroups(width, height, 1);
                }
            }
            copy_out(&mut encoder, buffers, plan, &offsets);
            gpu.queue.submit([encoder.finish()]);
            device::read(&gpu.device, &buffers.readback, 8 * read, |bytes| {
                take(bytes, batch, plan, jobs, &offsets, out)
            })??;
            buffers.reuse(gpu);
            if let Some(clock) = buffers.clock() {
                let ticks = device::read(&gpu.device, &clock.readback, READINGS, |bytes| {
                    let [from, to] = bytemuck::pod_read_unaligned::<[u64; 2]>(&bytes[..16]);
                    to.saturating_sub(from)
                })?;
                let time = Duration::try_from_secs_f64(ticks as f64 * clock.tick);
                self.device_time =
                    Some(self.device_time.unwrap_or_default() + time.unwrap_or_default());
            }
            Ok(())
        })?;
        self.submissions += 1;
        Ok(())
    }
}

impl Staging {
    /// Writes everything that kernels read of a submission.
    fn write(
        &mut self,
        batch: &Batch,
        plan: &Plan,
        reliefs: &[Row],
        offsets: &[(u64, u64)],
        kernels: &std::collections::BTreeMap<usize, Kernels>,
    ) {
        let Staging { rows, blocks, dispatches, works } = self;
        rows.clear();
        dispatches.clear();
        works.clear();
        rows.extend_from_slice(reliefs);
        let records = |g: &Group| FLAT_ROWS * g.flat.len() + g.facets.len() + g.combine.len();
        let head = reliefs.len() + plan.groups.iter().map(records).sum::<usize>();
        rows.resize(head, [0; 4]);
        let starts = write_blocks(batch, plan, blocks, rows);
        let mut first = reliefs.len();
        for (number, group) in plan.groups.iter().enumerate() {
            let patches = kernels.get(&group.count).map_or(1, |kernels| kernels.patches);
            let mut push = |kernel, first: usize, count: usize, patches: u32| {
                let workgroups = (count as u32).div_ceil(patches);
                if count > 0 {
                    let work = Work {
                        first: first as u32,
                        count: count as u32,
                        width: spread(workgroups).0,
                        results: offsets[number].0 as u32,
                        pieces: group.patches,
                        unused: [0; 3],
                    };
                    dispatches.push(Dispatch { group: number, kernel, workgroups });
                    works.extend_from_slice(bytemuck::bytes_of(&work));
                    works.resize(dispatches.len() * STRIDE as usize, 0);
                }
            };
            let end = first + FLAT_ROWS * group.flat.len();
            push(Kernel::Flat, first, group.flat.len(), patches);
            let flat = rows[first..end].par_chunks_exact_mut(FLAT_ROWS).with_min_len(CHUNK);
            flat.zip(&group.flat).for_each(|(out, piece)| {
                let from = usize::from(piece.first_row);
                let lines = from..from + usize::from(piece.rows);
                write_flat(batch, &batch.jobs[piece.source as usize], lines, piece.slot, out);
            });
            first = end;
            push(Kernel::Facets, first, group.facets.len(), patches);
            for piece in &group.facets {
                let lines = u32::from(piece.first_row) | u32::from(piece.rows) << 16;
                rows[first] = [starts[piece.source as usize], lines, piece.slot, 0];
                first += 1;
            }
            push(Kernel::Combine, first, group.combine.len(), 1);
            for [slot, from, count] in &group.combine {
                rows[first] = [*slot, *from, *count, 0];
                first += 1;
            }
        }
    }
}

/// Appends the blocks of patches, and says where each begins.
fn write_blocks(
    batch: &Batch,
    plan: &Plan,
    blocks: &mut Vec<(Vec<Row>, Vec<u32>)>,
    rows: &mut Vec<Row>,
) -> Vec<u32> {
    blocks.resize_with(plan.blocks.len().div_ceil(CHUNK).max(blocks.len()), Default::default);
    let chunks = plan.blocks.par_chunks(CHUNK);
    chunks.zip(blocks.par_iter_mut()).for_each(|(jobs, (rows, starts))| {
        rows.clear();
        starts.clear();
        for job in jobs {
            starts.push(rows.len() as u32);
            facets::write(batch, &batch.jobs[*job as usize], rows);
        }
    });
    let mut all = Vec::with_capacity(plan.blocks.len());
    for (block, starts) in blocks.iter().take(plan.blocks.len().div_ceil(CHUNK)) {
        let from = rows.len() as u32;
        all.extend(starts.iter().map(|start| from + start));
        rows.extend_from_slice(block);
    }
    all
}

/// Workgroups along two axes.
fn spread(workgroups: u32) -> (u32, u32) {
    let width = workgroups.clamp(1, MOST_GROUPS);
    (width, workgroups.div_ceil(width))
}

fn copy_out(
    encoder: &mut wgpu::CommandEncoder,
    buffers: &Buffers,
    plan: &Plan,
    offsets: &[(u64, u64)],
) {
    for (group, (from, to)) in plan.groups.iter().zip(offsets) {
        let bytes = 8 * (group.count as u64 + 1) * u64::from(group.patches);
        if bytes > 0 {
            let (results, readback) = (&buffers.results, &buffers.readback);
            encoder.copy_buffer_to_buffer(results, 8 * from, readback, 8 * to, bytes);
        }
    }
    if let Some(clock) = buffers.clock() {
        encoder.resolve_query_set(&clock.queries, 0..2, &clock.resolved, 0);
        encoder.copy_buffer_to_buffer(&clock.resolved, 0, &clock.readback, 0, READINGS);
    }
}

/// Takes over what came back for some jobs.
fn take(
    bytes: &[u8],
    batch: &Batch,
    plan: &Plan,
    jobs: std::ops::Range<usize>,
    offsets: &[(u64, u64)],
    out: &mut Samples,
) -> Result<(), RenderError> {
    let failed = |e: bytemuck::PodCastError| RenderError::Adapter(format!("memory is {e}"));
    let results: &[[u32; 2]] = bytemuck::try_cast_slice(bytes).map_err(failed)?;
    let number = |bits: u32| {
        let value = f64::from(f32::from_bits(bits));
        if value.is_finite() { value } else { 0.0 }
    };
    // A share of the points and counts for each thread.
    let mut points = &mut out.points[out.start[jobs.start]..out.start[jobs.end]];
    let mut shares = Vec::with_capacity(jobs.len().div_ceil(CHUNK));
    for (chunk, counts) in out.covered[jobs.clone()].chunks_mut(CHUNK).enumerate() {
        let first = jobs.start + chunk * CHUNK;
        let length = out.start[first + counts.len()] - out.start[first];
        let (own, rest) = std::mem::take(&mut points).split_at_mut(length);
        points = rest;
        shares.push((first, counts, own));
    }
    shares.into_par_iter().for_each(|(first, counts, mut points)| {
        for (i, covered) in counts.iter_mut().enumerate() {
            let task = plan.tasks[first + i];
            let count = batch.directions[batch.jobs[first + i].directions].count();
            let (own, rest) = std::mem::take(&mut points).split_at_mut(count);
            points = rest;
            if task.kind == PatchKind::Nothing {
                continue;
            }
            let from = offsets[task.group as usize].1 as usize + task.slot as usize * (count + 1);
            let result = &results[from..=from + count];
            *covered = result[0][0];
            for (point, value) in own.iter_mut().zip(&result[1..]) {
                *point = DVec2::new(number(value[0]), number(value[1]));
            }
        }
    });
    Ok(())
}
