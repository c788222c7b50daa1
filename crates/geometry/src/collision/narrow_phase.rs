//! Manifolds that last: found anew only when two bodies have moved against each other.
//!
//! While neither body has moved more than a small part of the smaller one's size against the other
//! since a manifold was found, its points stay where they are on each body and its normal where
//! it is on A; only gaps and places are computed anew. The gap is then wrong by the product of two
//! such small motions, a displacement and a turn: with [`KEPT`], 1e-10 of the size. A body at rest
//! so has the same contacts in every step, whatever rounding does. Where bodies are solved for
//! roughly, manifolds need not be better, and are kept longer.

use glamx::{DPose3, DVec3};
use rayon::prelude::*;

use super::Manifold;
use super::collider::Collider;
use super::look_ahead::apart_along;
use super::manifold::ManifoldFinder;

/// How far two bodies may move against each other before their contacts are found anew, in units
/// of the smaller one's size (half the diagonal of the box around it).
pub const KEPT: f64 = 1e-5;
/// [`KEPT`] at most, where velocities are solved for roughly.
const MOST_KEPT: f64 = 3e-2;

/// How far bodies may move against each other where the solver stops at a residual of `tolerance`.
pub fn kept(tolerance: f64) -> f64 {
    (0.3 * tolerance).clamp(KEPT, MOST_KEPT)
}

/// A new point takes the place of one that is no more within this distance, in units of the
/// smaller body's size.
const SAME_PLACE: f64 = 0.05;
/// How much farther bodies that do not touch are looked for, in units of the smaller one's size.
const APART: f64 = 0.1;
/// Pairs that one task looks at. Fixed, so that threads do not change results.
const BATCH: usize = 64;

/// The narrow phase: manifolds of all pairs, and what is kept of them.
#[derive(Default)]
pub(crate) struct NarrowPhase {
    pub(crate) manifolds: Vec<Manifold>,
    pub(crate) unsupported: Vec<(usize, usize)>,
    found: Vec<Found>,
    batches: Vec<Batch>,
    /// What is known of pairs that rest.
    pub(crate) aside: Vec<(Found, Vec<Manifold>)>,
}

/// When and how the manifolds of a pair were found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub(crate) pair: (usize, usize),
    /// The smaller body as seen from the larger.
    relative: DPose3,
    /// How far apart points were looked for, metres.
    limit: f64,
    /// Its manifolds.
    first: usize,
    count: usize,
    known: bool,
}

/// What one task looks at.
#[derive(Default)]
struct Batch {
    workspace: ManifoldFinder,
    manifolds: Vec<Manifold>,
    found: Vec<Found>,
    /// How each of its pairs was found before, and the manifolds of all of them.
    before: Vec<Option<Found>>,
    old: Vec<Manifold>,
    /// Those of one pair.
    last: Vec<Manifold>,
}

/// What is kept of manifolds from step to step.
#[derive(Debug, Clone)]
pub struct Kept {
    manifolds: Vec<Manifold>,
    found: Vec<Found>,
    aside: Vec<(Found, Vec<Manifold>)>,
}

impl NarrowPhase {
    pub(crate) fn kept(&self) -> Kept {
        let NarrowPhase { manifolds, found, aside, .. } = self;
        Kept { manifolds: manifolds.clone(), found: found.clone(), aside: aside.clone() }
    }

    pub(crate) fn go_back(&mut self, kept: &Kept) {
        self.manifolds.clone_from(&kept.manifolds);
        self.found.clone_from(&kept.found);
        self.aside.clone_from(&kept.aside);
    }

    /// The normal along which two bodies touched last, axes of the first.
    pub(crate) fn known_normal(&self, pair: (usize, usize)) -> Option<DVec3> {
        let found = &self.found[self.found.binary_search_by_key(&pair, |f| f.pair).ok()?];
        let manifold = (found.count > 0).then(|| self.manifolds.get(found.first)).flatten()?;
        (manifold.bodies == [pair.0, pair.1]).then_some(manifold.local_normal)
    }

    /// Takes all that is known of pairs, with the manifolds of each. Those that were found later stay.
    pub(crate) fn take_known(&mut self) -> Vec<(Found, Vec<Manifold>)> {
        let count = self.found.iter().map(|f| f.count).sum::<usize>();
        let mut manifolds = self.manifolds.drain(..count);
        let with = |f: Found| (f, manifolds.by_ref().take(f.count).collect());
        self.found.drain(..).map(with).collect()
    }

    /// Adds what is known of a pair after all others.
    pub(crate) fn add_known(&mut self, found: Found, manifolds: Vec<Manifold>) {
        self.found.push(Found { first: self.manifolds.len(), ..found });
        self.manifolds.extend(manifolds);
    }

    /// Manifolds of these pairs, which are sorted.
    /// [`Collider::kept`] says how far bodies may have moved since manifolds were found (see [`KEPT`]).
    pub(crate) fn update(&mut self, pairs: &[(usize, usize)], bodies: &[Option<Collider>]) {
        let count = pairs.len().div_ceil(BATCH);
        if self.batches.len() < count {
            self.batches.resize_with(count, Batch::default);
        }
        self.hand_out(pairs);
        self.batches[..count].par_iter_mut().zip(pairs.par_chunks(BATCH)).for_each(
            |(batch, pairs)| {
                batch.update(pairs, bodies);
            },
        );
        for batch in &mut self.batches[..count] {
            let before = self.manifolds.len();
            self.found
                .extend(batch.found.drain(..).map(|f| Found { first: f.first + before, ..f }));
            self.manifolds.append(&mut batch.manifolds);
        }
        self.unsupported.clear();
        self.unsupported.extend(self.found.iter().filter(|f| !f.known).map(|f| f.pair));
    }

    /// Gives each batch what was found of its pairs before.
    fn hand_out(&mut self, pairs: &[(usize, usize)]) {
        let NarrowPhase { manifolds, found, batches, .. } = self;
        let mut manifolds = manifolds.drain(..);
        let mut found = found.drain(..).peekable();
        for (batch, pairs) in batches.iter_mut().zip(pairs.chunks(BATCH)) {
            for &pair in pairs {
                while let Some(gone) = found.next_if(|f| f.pair < pair) {
                    batch.workspace.recycle(manifolds.by_ref().take(gone.count));
                }
                let before = found.next_if(|f| f.pair == pair);
                batch.old.extend(manifolds.by_ref().take(before.map_or(0, |f| f.count)));
                batch.before.push(before);
            }
        }
    }
}

impl Batch {
    fn update(&mut self, pairs: &[(usize, usize)], bodies: &[Option<Collider>]) {
        let Batch { workspace, manifolds, found, before, old, last } = self;
        let mut old = old.drain(..);
        for (&pair, before) in pairs.iter().zip(before.drain(..)) {
            last.extend(old.by_ref().take(before.map_or(0, |f| f.count)));
            let (Some(a), Some(b)) = (&bodies[pair.0], &bodies[pair.1]) else {
                workspace.recycle(last.drain(..));
                continue;
            };
            let limit = a.reach(b);
            let relative = relative(a, b);
            let first = manifolds.len();
            let size = a.size.min(b.size);
            // Meshes may have no points until they overlap: near ones are looked at again at once.
            let simple = a.is_simple() && b.is_simple();
            let kept = if simple { a.kept.max(b.kept) } else { KEPT };
            let holds = |f: &Found| {
                let moved = moved(f, &relative, a, b);
                // Without points, nothing was nearer than the limit then.
                let apart = simple && f.known && f.count == 0 && moved * size <= f.limit - limit;
                apart || (f.limit >= limit && moved <= kept)
            };
            if let Some(f) = before.filter(holds) {
                for m in last.iter_mut() {
                    follow(m, [&a.pose, &b.pose]);
                }
                manifolds.append(last);
                found.push(Found { first, ..f });
                continue;
            }
            // A little farther than asked, so that rounding of speeds changes nothing.
            let mut limit = limit + kept * size;
            let (ids, of) = ([pair.0, pair.1], [a, b]);
            // Most of those that are apart are so along the way from one to the other, or where they last touched.
            let way = b.middle() - a.middle();
            let ways = [
                Some(way.normalize_or_zero()),
                last.first().map(|m| a.pose.rotation * m.local_normal),
            ];
            let apart = ways.into_iter().flatten().filter_map(|way| apart_along(a, b, way));
            if let Some(gap) = apart.reduce(f64::max).filter(|gap| *gap > limit) {
                workspace.recycle(last.drain(..));
                found.push(Found { pair, relative, limit: gap, first, count: 0, known: true });
                continue;
            }
            workspace.before = ways[1].filter(|_| a.is_convex() && b.is_convex());
            let known = workspace.pair(ids, of, limit, manifolds);
            let nothing = known && manifolds.len() == first && simple;
            if let (true, Some(apart)) = (nothing, workspace.apart(limit)) {
                limit = apart;
            } else if nothing {
                // Much farther: then they need not be looked at for a while.
                let far = limit + APART * size;
                workspace.pair(ids, of, far, manifolds);
                if manifolds.len() == first {
                    limit = far;
                }
                workspace.recycle(manifolds.drain(first..));
            }
            let count = manifolds.len() - first;
            for m in &mut manifolds[first..] {
                attach(m, [&a.pose, &b.pose]);
                follow(m, [&a.pose, &b.pose]);
                inherit(m, last, SAME_PLACE * size);
            }
            workspace.recycle(last.drain(..));
            found.push(Found { pair, relative, limit, first, count, known });
        }
    }
}

/// The larger body, then the smaller.
fn by_size<'a>(a: &'a Collider, b: &'a Collider) -> [&'a Collider; 2] {
    if a.size < b.size { [b, a] } else { [a, b] }
}

/// The smaller body as seen from the larger.
fn relative(a: &Collider, b: &Collider) -> DPose3 {
    let [large, small] = by_size(a, b);
    large.pose.inverse() * small.pose
}

/// The farthest that a point of the smaller body has moved, in units of its size.
fn moved(found: &Found, now: &DPose3, a: &Collider, b: &Collider) -> f64 {
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
pub(crate) fn follow(m: &mut Manifold, poses: [&DPose3; 2]) {
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
