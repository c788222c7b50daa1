//! When bodies on their ways first touch, by conservative advancement: what is fast against its thickness does
//! not pass others between two looks at where they are.

use glamx::{DPose3, DVec3};
use parry3d_f64::bounding_volume::{Aabb, BoundingVolume as _};
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};
use rayon::prelude::*;

use super::collider::Collider;
use super::look_ahead::{apart_along, apart_at};
use super::manifold::ManifoldFinder;
use super::{Collision, may_meet};

/// The ways of bodies over some time.
pub struct Ways<'a> {
    /// Where a body is at a time.
    pub pose: &'a (dyn Fn(usize, f64) -> DPose3 + Sync),
    /// Bounds the speed of any point of a body, m/s.
    pub speed: &'a (dyn Fn(usize) -> f64 + Sync),
    /// Bounds the speed at which points of two bodies come nearer to each other along a direction from the first to
    /// the second, m/s; without a direction along any.
    pub closing: &'a (dyn Fn([usize; 2], Option<DVec3>) -> f64 + Sync),
    /// From when to when, seconds.
    pub time: [f64; 2],
}

/// Two bodies that would touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Numbers of the bodies, lower first.
    pub bodies: [usize; 2],
    /// When they all but touch, seconds.
    pub time: f64,
}

impl Collision {
    /// Which bodies would first touch on their ways, of those apart that go so far against each other that they
    /// could be beyond the other side before anyone looks, and that are not `held` by contacts; ordered by bodies.
    /// `updated` says that their ways begin where the last update saw them: what goes no farther than was looked for
    /// then meets no others than were found near each other.
    pub fn hits(&self, ways: &Ways, updated: bool, held: impl Fn([usize; 2]) -> bool) -> Vec<Hit> {
        let pairs = self.fast_pairs(ways, updated, held);
        let hit = |finder: &mut ManifoldFinder, (a, b)| self.hit([a, b], ways, finder);
        let all = pairs.into_par_iter().with_min_len(BATCH).map_init(ManifoldFinder::default, hit);
        all.flatten_iter().collect()
    }

    /// The pairs that are to be followed.
    pub(super) fn fast_pairs(
        &self,
        ways: &Ways,
        updated: bool,
        held: impl Fn([usize; 2]) -> bool,
    ) -> Vec<(usize, usize)> {
        let [from, until] = ways.time;
        let seconds = until - from;
        let travel: Vec<f64> = (0..self.bodies.len()).map(|k| (ways.speed)(k) * seconds).collect();
        let thinnest = |least: f64, body: usize| least.min(self.thickness(body));
        let thinnest = (0..self.bodies.len()).fold(f64::INFINITY, thinnest);
        let fast = |k: usize| self.bodies[k].is_some() && travel[k] > 0.5 * PASSES * thinnest;
        let fast: Vec<usize> = (0..self.bodies.len()).filter(|k| fast(*k)).collect();
        if fast.is_empty() {
            return Vec::new();
        }
        let looked = |k: &usize| {
            updated && self.bodies[*k].as_ref().is_some_and(|body| travel[*k] <= body.looked)
        };
        let beyond: Vec<usize> = fast.iter().copied().filter(|k| !looked(k)).collect();
        let mut pairs = self.crossing(&beyond, &travel, ways);
        if updated {
            let mut is_fast = vec![false; self.bodies.len()];
            for k in &fast {
                is_fast[*k] = true;
            }
            pairs.extend(self.pairs.iter().filter(|(a, b)| is_fast[*a] || is_fast[*b]));
        }
        pairs.retain(|&(a, b)| {
            let thickness = self.thickness(a).min(self.thickness(b));
            (ways.closing)([a, b], None) * seconds > PASSES * thickness
                && may_meet(&self.bodies, a, b)
                && !held([a, b])
                && !self.excluded.contains(&(a, b))
                && self.by_volume.as_ref().is_none_or(|v| v.takes(a, b).is_none())
        });
        pairs.sort_unstable();
        pairs.dedup();
        let mut first: Vec<Option<DPose3>> = vec![None; self.bodies.len()];
        for k in pairs.iter().flat_map(|&(a, b)| [a, b]) {
            first[k].get_or_insert_with(|| (ways.pose)(k, from));
        }
        pairs.retain(|&(a, b)| !self.pass_by([a, b], ways, [&first[a], &first[b]]));
        pairs
    }

    /// Whether two bodies surely stay apart: along the way from one to the other, as they begin, they do not come as
    /// near.
    fn pass_by(&self, [a, b]: [usize; 2], ways: &Ways, first: [&Option<DPose3>; 2]) -> bool {
        let (Some(of_a), Some(of_b)) = (&self.bodies[a], &self.bodies[b]) else { return false };
        let [Some(at_a), Some(at_b)] = first else { return false };
        let near = NEAR * of_a.thickness.min(of_b.thickness);
        let [from, until] = ways.time;
        let middle = |of: &Collider, at: &DPose3| {
            at.transform_point(of.pose.inverse_transform_point(of.middle()))
        };
        let normal = (middle(of_b, at_b) - middle(of_a, at_a)).normalize_or_zero();
        let closing = (ways.closing)([a, b], Some(normal)) * (until - from);
        apart_at([of_a, of_b], [at_a, at_b], normal).is_some_and(|gap| gap - closing > near)
    }

    /// Pairs of fast bodies and others whose ways cross, by boxes around them; half-spaces cross all.
    fn crossing(&self, fast: &[usize], travel: &[f64], ways: &Ways) -> Vec<(usize, usize)> {
        if fast.is_empty() {
            return Vec::new();
        }
        let swept = |k: usize| {
            let body = self.bodies[k].as_ref().filter(|b| b.extent.is_finite())?;
            let [p, q] = ways.time.map(|t| (ways.pose)(k, t).translation);
            // Wherever it turns about: its origin leaves the straight way by no more than its extent, or the way.
            let around = DVec3::splat(body.extent + travel[k].min(body.extent));
            let aabb = Aabb::new(p.min(q) - around, p.max(q) + around);
            (aabb.mins.is_finite() && aabb.maxs.is_finite()).then_some(aabb)
        };
        let boxes: Vec<(usize, Aabb)> =
            (0..self.bodies.len()).filter_map(|k| Some((k, swept(k)?))).collect();
        let mut pairs = Vec::new();
        let mut push = |k: usize, other: usize| {
            if other != k {
                pairs.push((k.min(other), k.max(other)));
            }
        };
        if fast.len() <= FEW {
            for &k in fast {
                let Some(aabb) = swept(k) else { continue };
                let near = boxes.iter().filter(|(_, other)| other.intersects(&aabb));
                near.map(|(other, _)| *other).chain(self.broad.planes()).for_each(|o| push(k, o));
            }
            return pairs;
        }
        if boxes.len() <= MANY {
            overlapping(boxes, &mut push);
            for k in fast {
                self.broad.planes().for_each(|plane| push(*k, plane));
            }
            return pairs;
        }
        let tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes.iter().map(|b| b.1).enumerate());
        for &k in fast {
            let Some(aabb) = swept(k) else { continue };
            let near = tree.leaves(|node| node.aabb().intersects(&aabb));
            let near = near.map(|leaf| boxes[leaf as usize].0);
            near.chain(self.broad.planes()).for_each(|other| push(k, other));
        }
        pairs
    }

    /// When two bodies first touch; where they touch already, until when they are no deeper within each other.
    fn hit(&self, [a, b]: [usize; 2], ways: &Ways, finder: &mut ManifoldFinder) -> Option<Hit> {
        let [of_a, of_b] = [self.bodies[a].as_ref()?, self.bodies[b].as_ref()?];
        let near = NEAR * of_a.thickness.min(of_b.thickness);
        let speed = (ways.closing)([a, b], None);
        let [mut time, until] = ways.time;
        let farthest = if of_a.is_simple() && of_b.is_simple() {
            f64::INFINITY
        } else {
            // Looking for triangles far away takes longer than going there.
            (speed * (until - time) / LEAPS).max(4.0 * of_a.size.min(of_b.size))
        };
        let mut manifolds = Vec::new();
        for round in 0..ROUNDS {
            let limit = (speed * (until - time)).min(farthest) + near;
            let [at_a, at_b] =
                [(a, of_a), (b, of_b)].map(|(k, c)| c.at(Some(&(ways.pose)(k, time))));
            finder.pair([a, b], [&at_a, &at_b], limit, &mut manifolds);
            let gaps = manifolds.iter().flat_map(|m| &m.points).map(|p| p.gap);
            let distance = gaps.fold(limit, f64::min);
            let normal = manifolds.first().map(|m| m.normal);
            finder.recycle(manifolds.drain(..));
            if distance <= near {
                let touching = round == 0;
                return if touching {
                    self.sinks([a, b], ways, finder)
                } else {
                    Some(Hit { bodies: [a, b], time })
                };
            }
            // As long as they are apart along one direction they are apart.
            let along = normal.and_then(|n| {
                let gap = apart_along(&at_a, &at_b, n)?;
                let closing = (ways.closing)([a, b], Some(n)).max(f64::MIN_POSITIVE);
                Some((gap - 0.5 * near) / closing)
            });
            let anyhow = (distance - 0.5 * near) / speed;
            time += along.map_or(anyhow, |along| along.max(anyhow));
            if !(time < until) {
                return None;
            }
        }
        Some(Hit { bodies: [a, b], time })
    }
}

/// Visits each two boxes that overlap, in the order of where they begin along the longest side of all.
fn overlapping(mut boxes: Vec<(usize, Aabb)>, visit: &mut impl FnMut(usize, usize)) {
    let low = boxes.iter().fold(DVec3::INFINITY, |low, b| low.min(b.1.mins));
    let high = boxes.iter().fold(DVec3::NEG_INFINITY, |high, b| high.max(b.1.mins));
    let side = (high - low).to_array();
    let axis = (0..3).fold(0, |best, k| if side[k] > side[best] { k } else { best });
    boxes.sort_by(|a, b| a.1.mins[axis].total_cmp(&b.1.mins[axis]));
    for (at, (k, aabb)) in boxes.iter().enumerate() {
        let next = boxes[at + 1..].iter().take_while(|b| b.1.mins[axis] <= aabb.maxs[axis]);
        next.filter(|b| b.1.intersects(aabb)).for_each(|b| visit(*k, b.0));
    }
}

/// How far two bodies may go against each other, in units of the thinner one's smallest side, for one look to
/// see them touch.
const PASSES: f64 = 0.5;

/// How near bodies all but touch, in the same units.
pub(crate) const NEAR: f64 = 1e-3;

/// In how many parts the way of bodies of many triangles is looked at, at least.
const LEAPS: f64 = 16.0;

/// Steps towards each other at most; what is still apart after them counts as touching.
const ROUNDS: usize = 64;

/// Fast bodies that are compared with all others without a tree.
const FEW: usize = 32;

/// Bodies that are sorted along one line: that takes less time than a tree.
const MANY: usize = 4096;

/// Pairs that one thread takes at a time, at least.
pub(super) const BATCH: usize = 16;
