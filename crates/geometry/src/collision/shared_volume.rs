//! Pairs of bodies that touch by the volumes they share, not by points.

use glamx::DPose3;
use rayon::prelude::*;

use super::collider::Collider;
use crate::volume::{ClosedShape, Overlap, Scratch, segmented_overlaps};

/// A volume that two bodies share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shared {
    /// Bodies A and B; A has the lower number.
    pub bodies: [usize; 2],
    /// Which one of theirs, in a fixed order.
    pub number: u64,
    /// The volume.
    pub overlap: Overlap,
}

/// The angle between the planes of an overlap, radians, beyond which it is cut; infinite where it is
/// left whole.
pub type Cut = f64;

/// Which pairs touch by volume, and what they share.
#[derive(Debug, Default)]
pub(crate) struct SharedVolumes {
    /// Closed shapes by body, with the number of the body's material.
    shapes: Vec<Option<(ClosedShape, usize)>>,
    /// For each two materials, row by row, how their bodies touch by volume, if they do.
    table: Vec<Option<Cut>>,
    materials: usize,
    pairs: Vec<((usize, usize), Cut)>,
    pub(crate) shared: Vec<Shared>,
    workers: Vec<Worker>,
}

#[derive(Debug, Default)]
struct Worker {
    scratch: Scratch,
    found: Vec<Overlap>,
    shared: Vec<Shared>,
}

impl SharedVolumes {
    pub(crate) fn set_table(&mut self, materials: usize, table: Vec<Option<Cut>>) {
        (self.materials, self.table) = (materials, table);
    }

    pub(crate) fn add(&mut self, body: usize, shape: ClosedShape, material: usize) {
        if self.shapes.len() <= body {
            self.shapes.resize_with(body + 1, || None);
        }
        self.shapes[body] = Some((shape, material));
    }

    pub(crate) fn knows(&self, body: usize) -> bool {
        self.shapes.get(body).is_some_and(Option::is_some)
    }

    pub(crate) fn then(&self, now: &Shared, poses: [DPose3; 2]) -> Option<Overlap> {
        let mut worker = Worker::default();
        let cut = self.takes(now.bodies[0], now.bodies[1]).unwrap_or(Cut::INFINITY);
        worker.pair(now.bodies, &self.shapes, poses, cut);
        let far = |s: &Shared| s.overlap.centroid.distance_squared(now.overlap.centroid);
        let nearest = worker.shared.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
        nearest.map(|s| s.overlap)
    }

    pub(crate) fn takes(&self, a: usize, b: usize) -> Option<Cut> {
        let material = |k: usize| Some(self.shapes.get(k)?.as_ref()?.1);
        *self.table.get(material(a)? * self.materials + material(b)?)?
    }

    /// Takes its pairs out of the list, which is sorted, and finds what they share.
    pub(crate) fn update(&mut self, pairs: &mut Vec<(usize, usize)>, bodies: &[Option<Collider>]) {
        let mut own = std::mem::take(&mut self.pairs);
        own.clear();
        pairs.retain(|&(a, b)| {
            let takes = self.takes(a, b);
            own.extend(takes.map(|cut| ((a, b), cut)));
            takes.is_none()
        });
        let count = own.len().div_ceil(BATCH);
        if self.workers.len() < count {
            self.workers.resize_with(count, Worker::default);
        }
        let shapes = &self.shapes;
        let pose = |k: usize| bodies[k].as_ref().map(|body| body.pose);
        self.workers[..count].par_iter_mut().zip(own.par_chunks(BATCH)).for_each(
            |(worker, pairs)| {
                worker.shared.clear();
                for &((a, b), cut) in pairs {
                    if let (Some(pose_a), Some(pose_b)) = (pose(a), pose(b)) {
                        worker.pair([a, b], shapes, [pose_a, pose_b], cut);
                    }
                }
            },
        );
        self.shared.clear();
        for worker in &self.workers[..count] {
            self.shared.extend_from_slice(&worker.shared);
        }
        self.pairs = own;
    }
}

impl Worker {
    fn pair(
        &mut self,
        bodies: [usize; 2],
        shapes: &[Option<(ClosedShape, usize)>],
        [pose_a, pose_b]: [DPose3; 2],
        cut: Cut,
    ) {
        let [a, b] = bodies.map(|k| shapes[k].as_ref());
        let (Some((a, _)), Some((b, _))) = (a, b) else { return };
        let Worker { scratch, found, .. } = self;
        segmented_overlaps([a, b], [&pose_a, &pose_b], cut, scratch, found);
        for (number, overlap) in self.found.iter().enumerate() {
            self.shared.push(Shared { bodies, number: number as u64, overlap: *overlap });
        }
    }
}

/// Pairs that one task looks at. Fixed, so that threads do not change results.
const BATCH: usize = 8;
