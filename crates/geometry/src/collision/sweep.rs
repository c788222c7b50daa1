//! When bodies on their ways first touch, by conservative advancement: what is fast against its thickness does
//! not pass others between two looks at where they are.

use glamx::{DPose3, DVec3};
use parry3d_f64::bounding_volume::{Aabb, BoundingVolume as _};
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};

use super::manifold::ManifoldFinder;
use super::{Collision, may_meet};

/// The ways of bodies over some time.
pub struct Ways<'a> {
    /// Where a body is at a time.
    pub pose: &'a dyn Fn(usize, f64) -> DPose3,
    /// Bounds the speed of any point of a body, m/s.
    pub speed: &'a dyn Fn(usize) -> f64,
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
    /// could be beyond the other side before anyone looks; ordered by bodies.
    pub fn hits(&self, ways: &Ways) -> Vec<Hit> {
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
        let mut pairs = self.crossing(&fast, ways);
        pairs.retain(|&(a, b)| {
            let thickness = self.thickness(a).min(self.thickness(b));
            travel[a] + travel[b] > PASSES * thickness
                && may_meet(&self.bodies, a, b)
                && !self.excluded.contains(&(a, b))
                && self.by_volume.as_ref().is_none_or(|v| v.takes(a, b).is_none())
        });
        pairs.sort_unstable();
        pairs.dedup();
        let finder = &mut ManifoldFinder::default();
        pairs.into_iter().filter_map(|(a, b)| self.hit([a, b], ways, finder)).collect()
    }

    /// Pairs of fast bodies and others whose ways cross, by boxes around them; half-spaces cross all.
    fn crossing(&self, fast: &[usize], ways: &Ways) -> Vec<(usize, usize)> {
        let swept = |k: usize| {
            let body = self.bodies[k].as_ref().filter(|b| b.extent.is_finite())?;
            let [p, q] = ways.time.map(|t| (ways.pose)(k, t).translation);
            // Wherever it turns about: its origin is no farther off than its extent.
            let around = DVec3::splat(2.0 * body.extent);
            let aabb = Aabb::new(p.min(q) - around, p.max(q) + around);
            (aabb.mins.is_finite() && aabb.maxs.is_finite()).then_some(aabb)
        };
        let boxes: Vec<(usize, Aabb)> =
            (0..self.bodies.len()).filter_map(|k| Some((k, swept(k)?))).collect();
        let tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes.iter().map(|b| b.1).enumerate());
        let mut pairs = Vec::new();
        for &k in fast {
            let Some(aabb) = swept(k) else { continue };
            let near = tree.leaves(|node| node.aabb().intersects(&aabb));
            let near = near.map(|leaf| boxes[leaf as usize].0);
            pairs.extend(
                near.chain(self.broad.planes())
                    .filter(|other| *other != k)
                    .map(|other| (k.min(other), k.max(other))),
            );
        }
        pairs
    }

    /// When two bodies that are apart first touch.
    fn hit(&self, [a, b]: [usize; 2], ways: &Ways, finder: &mut ManifoldFinder) -> Option<Hit> {
        let [of_a, of_b] = [self.bodies[a].as_ref()?, self.bodies[b].as_ref()?];
        let near = NEAR * of_a.thickness.min(of_b.thickness);
        let speed = (ways.speed)(a) + (ways.speed)(b);
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
            finder.recycle(manifolds.drain(..));
            if distance <= near {
                // Those that touch are held by their contacts.
                return (round > 0).then_some(Hit { bodies: [a, b], time });
            }
            time += (distance - 0.5 * near) / speed;
            if !(time < until) {
                return None;
            }
        }
        Some(Hit { bodies: [a, b], time })
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
