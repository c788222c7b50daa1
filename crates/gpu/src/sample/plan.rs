//! Which threads look at which patch, and what goes where.

use std::ops::Range;

use asperity_friction::surface::patch::{Batch, Job, Outline};
use rayon::prelude::*;

use super::facets;
use super::place::{FLAT_ROWS, is_flat};

/// Most texels of a piece of a patch, unless a row has more. Few enough for single precision: a
/// sum of so many has five digits and more.
const PIECE_TEXELS: usize = 4096;
/// Marks the slot of a piece.
const PIECE: u32 = 1 << 31;

/// What is to be done for the jobs of a batch, and for those of a submission.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) tasks: Vec<Task>,
    pub(super) groups: Vec<Group>,
    /// Jobs that have a block.
    pub(super) blocks: Vec<u32>,
}

/// One job.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Task {
    pub(super) kind: PatchKind,
    /// Which group, and its slot there.
    pub(super) group: u32,
    pub(super) slot: u32,
    pieces: u32,
    /// Rows it takes.
    rows: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PatchKind {
    /// Covers nothing.
    Nothing,
    /// Two flat faces over the whole window.
    Flat,
    /// Anything else.
    Facets,
    /// Refers to what the batch does not have.
    Bad,
}

/// Jobs with the same number of directions.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// One of the batch's directions with that number.
    pub(super) directions: usize,
    pub(super) count: usize,
    pub(super) patches: u32,
    pub(super) pieces: u32,
    pub(super) flat: Vec<Piece>,
    pub(super) facets: Vec<Piece>,
    /// Slot of a patch, its first piece, how many.
    pub(super) combine: Vec<[u32; 3]>,
}

/// A patch, or some rows of one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// The job; for facets, the number of the block.
    pub(super) source: u32,
    pub(super) first_row: u16,
    pub(super) rows: u16,
    pub(super) slot: u32,
}

impl Plan {
    /// Looks at all jobs of a batch.
    pub(super) fn look_at(&mut self, batch: &Batch) -> Result<(), String> {
        if !batch.is_plain() {
            return Err("real contact, filters and eight bits are for plain code".to_owned());
        }
        let jobs = batch.jobs.par_iter().with_min_len(1024);
        jobs.map(|job| task(batch, job)).collect_into_vec(&mut self.tasks);
        match self.tasks.iter().position(|task| task.kind == PatchKind::Bad) {
            Some(number) => Err(format!(
                "patch {number} refers to facets, corners, reliefs or directions that the batch does not have"
            )),
            None => Ok(()),
        }
    }

    /// Plans a submission from a job on: as many as fit into buffers of so many bytes.
    pub(super) fn begin(
        &mut self,
        batch: &Batch,
        from: usize,
        bytes: u64,
    ) -> Result<Range<usize>, String> {
        for group in &mut self.groups {
            group.clear();
        }
        self.blocks.clear();
        let mut data = 16 * batch.reliefs.len() as u64;
        let mut results = 0;
        for number in from..batch.jobs.len() {
            let task = self.tasks[number];
            if task.kind == PatchKind::Nothing {
                continue;
            }
            let job = &batch.jobs[number];
            let count = batch.directions[job.directions].count();
            data += 16 * task.rows as u64;
            let slots = if task.pieces > 1 { 1 + u64::from(task.pieces) } else { 1 };
            results += 8 * (count as u64 + 1) * slots;
            if data.max(results) > bytes {
                if self.groups.iter().all(|group| group.patches == 0) {
                    return Err(format!(
                        "patch {number} takes {} bytes; the adapter has room for {bytes}; give it fewer facets, or sample on the CPU",
                        data.max(results)
                    ));
                }
                return Ok(from..number);
            }
            self.add(batch, number, task, count);
        }
        Ok(from..batch.jobs.len())
    }

    fn add(&mut self, batch: &Batch, number: usize, task: Task, count: usize) {
        let at = self.groups.iter().position(|group| group.count == count).unwrap_or_else(|| {
            self.groups.push(Group { count, ..Group::default() });
            self.groups.len() - 1
        });
        let job = &batch.jobs[number];
        let group = &mut self.groups[at];
        group.directions = job.directions;
        let slot = group.patches;
        group.patches += 1;
        self.tasks[number] = Task { group: at as u32, slot, ..task };
        let (source, list) = if task.kind == PatchKind::Flat {
            (number as u32, &mut group.flat)
        } else {
            self.blocks.push(number as u32);
            (self.blocks.len() as u32 - 1, &mut group.facets)
        };
        let n = job.window.resolution;
        if task.pieces == 1 {
            list.push(Piece { source, first_row: 0, rows: n as u16, slot });
            return;
        }
        group.combine.push([slot, group.pieces, task.pieces]);
        let step = rows_of_piece(n);
        for first in (0..n).step_by(step) {
            let slot = PIECE | group.pieces;
            let rows = step.min(n - first) as u16;
            list.push(Piece { source, first_row: first as u16, rows, slot });
            group.pieces += 1;
        }
    }
}

impl Group {
    fn clear(&mut self) {
        (self.patches, self.pieces) = (0, 0);
        self.flat.clear();
        self.facets.clear();
        self.combine.clear();
    }
}

fn rows_of_piece(resolution: usize) -> usize {
    (PIECE_TEXELS / resolution).max(1)
}

fn task(batch: &Batch, job: &Job) -> Task {
    let none = Task { kind: PatchKind::Nothing, group: 0, slot: 0, pieces: 0, rows: 0 };
    let has_side = |side: usize| {
        let side = &job.sides[side];
        side.relief.is_none_or(|number| number < batch.reliefs.len())
            && batch.facets.get(side.facets.clone()).is_some()
    };
    let is_whole = has_side(0)
        && has_side(1)
        && batch.corners.get(job.corners.clone()).is_some()
        && job.directions < batch.directions.len();
    if !is_whole {
        return Task { kind: PatchKind::Bad, ..none };
    }
    if job.window.check().is_err() || job.sides.iter().any(|side| side.facets.is_empty()) {
        return none;
    }
    let pieces = job.window.resolution.div_ceil(rows_of_piece(job.window.resolution));
    let more = usize::from(pieces > 1);
    let is_flat = job.window.clip == Outline::Everything
        && (0..2).all(|side| {
            let facets = &batch.facets[job.sides[side].facets.clone()];
            job.window.is_covered_by(facets, side) && is_flat(job, batch, side)
        });
    let (kind, rows) = if is_flat {
        (PatchKind::Flat, FLAT_ROWS * pieces + more)
    } else {
        (PatchKind::Facets, facets::most_rows(batch, job) + pieces + more)
    };
    Task { kind, pieces: pieces as u32, rows, ..none }
}
