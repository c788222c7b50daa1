//! Many patches in flat lists, and their samples.

use std::ops::Range;
use std::sync::Arc;

use glamx::DVec2;

use super::{Directions, Facet, PatchView, Sample, Side, Window};
use crate::surface::Relief;

/// Many patches in flat lists, as a device takes them.
///
/// Facets, corners and reliefs are shared; a [`Job`] says which of them belong to a patch.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// The patches.
    pub jobs: Vec<Job>,
    /// Flat pieces of surfaces, those of a side of a patch one after the other.
    pub facets: Vec<Facet>,
    /// Corners of outlines, those of a patch one after the other. Outlines count from the first
    /// corner of their patch.
    pub corners: Vec<DVec2>,
    /// What surfaces look like, by the number that sides refer to. Between two batches the same
    /// number means the same relief as long as the `Arc` is the same.
    pub reliefs: Vec<Arc<Relief>>,
    /// What limit curves are asked for, by the number that jobs refer to.
    pub directions: Vec<Arc<Directions>>,
}

/// One patch of a [`Batch`].
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Where and how finely.
    pub window: Window,
    /// Which of the batch's directions.
    pub directions: usize,
    /// Its corners.
    pub corners: Range<usize>,
    /// A, then B.
    pub sides: [JobSide; 2],
}

/// What one surface shows in the window of a [`Job`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JobSide {
    /// Which of the batch's reliefs; `None` where the surface is smooth.
    pub relief: Option<usize>,
    /// Its facets.
    pub facets: Range<usize>,
}

/// Means over the patches of a batch.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Samples {
    /// For each patch, the number of texels that both surfaces cover.
    pub covered: Vec<u32>,
    /// For each patch, the number of those that touch.
    pub touching: Vec<u32>,
    /// The points of [`Sample::points`], those of a patch one after the other.
    pub points: Vec<DVec2>,
    /// Where the points of each patch begin, and where the last ones end.
    pub start: Vec<usize>,
}

/// Who samples the patches of a step: plain code on all cores, or a device.
pub trait SamplePatches: Send {
    /// Name in reports.
    fn name(&self) -> String;

    /// Samples every patch of the batch. An error says why a device could not.
    fn sample(&mut self, batch: &Batch, out: &mut Samples) -> Result<(), String>;
}

impl Batch {
    /// Whether all patches are looked at as a device does it.
    pub fn is_plain(&self) -> bool {
        self.jobs.iter().all(|job| job.window.manner.is_plain())
    }

    /// Forgets the patches, but not the reliefs and directions.
    pub fn clear(&mut self) {
        self.jobs.clear();
        self.facets.clear();
        self.corners.clear();
    }

    /// One of the patches, as [`Sampler`](super::Sampler) takes it.
    pub fn patch(&self, index: usize) -> PatchView<'_> {
        let job = &self.jobs[index];
        let side = |side: &JobSide| Side {
            relief: side.relief.map(|k| self.reliefs[k].as_ref()),
            facets: &self.facets[side.facets.clone()],
        };
        PatchView {
            window: job.window,
            corners: &self.corners[job.corners.clone()],
            sides: [side(&job.sides[0]), side(&job.sides[1])],
        }
    }
}

impl Samples {
    /// Makes room for a batch, with nothing covered.
    pub fn reset(&mut self, batch: &Batch) {
        self.covered.clear();
        self.covered.resize(batch.jobs.len(), 0);
        self.touching.clear();
        self.touching.resize(batch.jobs.len(), 0);
        self.start.clear();
        let mut end = 0;
        self.start.push(end);
        for job in &batch.jobs {
            end += batch.directions[job.directions].count();
            self.start.push(end);
        }
        self.points.clear();
        self.points.resize(end, DVec2::ZERO);
    }

    /// The means of one patch.
    pub fn get<'a>(&'a self, batch: &'a Batch, index: usize) -> Sample<'a> {
        let job = &batch.jobs[index];
        let n = job.window.resolution;
        Sample {
            covered: self.covered[index] as usize,
            touching: match job.window.manner.bed {
                Some(_) => self.touching[index] as usize,
                None => self.covered[index] as usize,
            },
            texels: n.saturating_mul(n),
            rotation: job.window.rotation,
            directions: &batch.directions[job.directions],
            points: &self.points[self.start[index]..self.start[index + 1]],
        }
    }
}
