//! Manifolds that last: found anew only when two bodies have moved against each other.
//!
//! While neither body has moved more than [`KEPT`] of the smaller one's size against the other
//! since a manifold was found, its points stay where they are on each body and its normal where
//! it is on A; only gaps and places are computed anew. The gap is then wrong by the product of two
//! such small motions, a displacement and a turn: 1e-10 of the size. A body at rest so has the
//! same contacts in every step, whatever rounding does.

use glamx::{DPose3, DVec3};
use rayon::prelude::*;

use super::Manifold;
use super::body::Body;
use super::generate::Workspace;

/// How far two bodies may move against each other before their contacts are found anew, in units
/// of the smaller one's size (half the diagonal of the box around it).
pub const KEPT: f64 = 1e-5;

/// A new point takes the place of one that is no more within this distance, in units of the
/// smaller body's size.
const SAME_PLACE: f64 = 0.05;
/// Pairs that one task looks at. Fixed, so that threads do not change results.
const BATCH: usize = 64;

/// The narrow phase: manifolds of all pairs, and what is kept of them.
#[derive(Default)]
pub(crate) struct Narrow {
    pub(crate) manifolds: Vec<Manifold>,
    pub(crate) unsupported: Vec<(usize, usize)>,
    found: Vec<Found>,
    batches: Vec<Batch>,
}

/// When and how the manifolds of a pair were found.
#[derive(Debug, Clone, Copy)]
struct Found {
    pair: (usize, usize),
    /// The smaller body as seen from the larger.
    relative: DPose3,
    /// How far apart points were looked for, metres.
    limit: f64,
    /// Its manifolds.
    first: usize,
    count: usize,
    known: bool,
}

#[derive(Default)]
struct Batch {
    workspace: Workspace,
    manifolds: Vec<Manifold>,
    found: Vec<Found>,
}

/// What is kept of manifolds from step to step.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    manifolds: Vec<Manifold>,
    found: Vec<Found>,
}

impl Narrow {
    pub(crate) fn kept(&self) -> Kept {
        Kept { manifolds: self.manifolds.clone(), found: self.found.clone() }
    }

    pub(crate) fn go_back(&mut self, kept: &Kept) {
        self.manifolds.clone_from(&kept.manifolds);
        self.found.clone_from(&kept.found);
    }

    /// Manifolds of these pairs, which are sorted.
    pub(crate) fn update(&mut self, pairs: &[(usize, usize)], bodies: &[Option<Body>]) {
        let count = pairs.len().div_ceil(BATCH);
        if self.batches.len() < count {
            self.batches.resize_with(count, Batch::default);
        }
        let (last, found) = (&self.manifolds, &self.found);
        self.batches[..count].par_iter_mut().zip(pairs.par_chunks(BATCH)).for_each(
            |(batch, pairs)| {
                batch.update(pairs, bodies, found, last);
            },
        );
        self.found.clear();
        let mut old = std::mem::take(&mut self.manifolds);
        let share = old.len() / count.max(1) + 1;
        let mut rest = old.drain(..);
        let mut manifolds = Vec::with_capacity(rest.len());
        for batch in &mut self.batches[..count] {
            let before = manifolds.len();
            self.found
                .extend(batch.found.drain(..).map(|f| Found { first: f.first + before, ..f }));
            manifolds.append(&mut batch.manifolds);
            batch.workspace.recycle(rest.by_ref().take(share));
        }
        self.manifolds = manifolds;
        self.unsupported.clear();
        self.unsupported.extend(self.found.iter().filter(|f| !f.known).map(|f| f.pair));
    }
}

impl Batch {
    fn update(
        &mut self,
        pairs: &[(usize, usize)],
        bodies: &[Option<Body>],
        found: &[Found],
        last: &[Manifold],
    ) {
        let mut from = pairs.first().map_or(0, |pair| found.partition_point(|f| f.pair < *pair));
        for &pair in pairs {
            let (Some(a), Some(b)) = (&bodies[pair.0], &bodies[pair.1]) else { continue };
            while found.get(from).is_some_and(|f| f.pair < pair) {
                from += 1;
            }
            let before = found.get(from).filter(|f| f.pair == pair);
            let old = before.map_or(&[][..], |f| &last[f.first..f.first + f.count]);
            let limit = a.reach + b.reach;
            let relative = relative(a, b);
            let first = self.manifolds.len();
            let found = match before {
                Some(f) if f.limit >= limit && moved(f, &relative, a, b) <= KEPT => {
                    for m in old {
                        let mut m = self.workspace.copy(m);
                        follow(&mut m, [&a.pose, &b.pose]);
                        self.manifolds.push(m);
                    }
                    Found { first, ..*f }
                }
                _ => {
                    // A little farther than asked, so that rounding of speeds changes nothing.
                    let limit = limit + KEPT * a.size.min(b.size);
                    let ids = [pair.0, pair.1];
                    let known = self.workspace.pair(ids, [a, b], limit, &mut self.manifolds);
                    let count = self.manifolds.len() - first;
                    for m in &mut self.manifolds[first..] {
                        attach(m, [&a.pose, &b.pose]);
                        follow(m, [&a.pose, &b.pose]);
                        inherit(m, old, SAME_PLACE * a.size.min(b.size));
                    }
                    Found { pair, relative, limit, first, count, known }
                }
            };
            self.found.push(found);
        }
    }
}

/// The larger body, then the smaller.
fn by_size<'a>(a: &'a Body, b: &'a Body) -> [&'a Body; 2] {
    if a.size < b.size { [b, a] } else { [a, b] }
}

/// The smaller body as seen from the larger.
fn relative(a: &Body, b: &Body) -> DPose3 {
    let [large, small] = by_size(a, b);
    large.pose.inverse() * small.pose
}

/// The farthest that a point of the smaller body has moved, in units of its size.
fn moved(found: &Found, now: &DPose3, a: &Body, b: &Body) -> f64 {
    let [_, small] = by_size(a, b);
    let turn = now.rotation * found.relative.rotation.inverse();
    let angle = 2.0 * DVec3::new(turn.x, turn.y, turn.z).length();
    let travel = (now.translation - found.relative.translation).length();
    if small.size.is_finite() {
        (travel + angle * small.extent) / small.size
    } else {
        f64::INFINITY
    }
}

/// Notes where the points are on each body.
fn attach(m: &mut Manifold, poses: [&DPose3; 2]) {
    m.local_normal = poses[0].rotation.inverse() * m.normal;
    for p in &mut m.points {
        p.local =
            [poses[0].inverse_transform_point(p.on_a), poses[1].inverse_transform_point(p.on_b)];
    }
}

/// Moves a manifold with its bodies.
fn follow(m: &mut Manifold, poses: [&DPose3; 2]) {
    m.normal = (poses[0].rotation * m.local_normal).normalize();
    for p in &mut m.points {
        p.was = p.id;
        p.on_a = poses[0].transform_point(p.local[0]);
        p.on_b = poses[1].transform_point(p.local[1]);
        p.gap = m.normal.dot(p.on_b - p.on_a);
    }
}

/// New points take the place of points near them that are no more.
fn inherit(m: &mut Manifold, old: &[Manifold], reach: f64) {
    let Some(old) = old.iter().find(|o| o.parts == m.parts) else { return };
    for i in 0..m.points.len() {
        let p = m.points[i];
        if old.points.iter().any(|q| q.id == p.id) {
            continue;
        }
        let taken = |id: u64| m.points.iter().any(|q| q.id == id || q.was == id);
        let mut nearest = (reach, None);
        for q in old.points.iter().filter(|q| !taken(q.id)) {
            let apart = [0, 1].map(|k| (q.local[k] - p.local[k]).length());
            let apart = apart[0].min(apart[1]);
            if apart < nearest.0 {
                nearest = (apart, Some(q.id));
            }
        }
        if let Some(id) = nearest.1 {
            m.points[i].was = id;
        }
    }
}
