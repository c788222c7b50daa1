//! How deep bodies are within each other on their ways, those that touch already too.
//!
//! A contact says how the surfaces near it go. What turns far in a step, or is thin, may come down on another body with
//! its other end, or pass it, while its contact says that all is well.

use glamx::DPose3;
use rayon::prelude::*;

use super::Collision;
use super::collider::Collider;
use super::look_ahead::apart_at;
use super::manifold::ManifoldFinder;
use super::sweep::{BATCH, Hit, Ways};

impl Collision {
    /// Which bodies would be within each other by more than when their ways begin, and by more than [`SUNK`], and
    /// until when they are not; of those that go as far as [`Collision::hits`] asks for, ordered by bodies.
    pub fn sinking(&self, ways: &Ways) -> Vec<Hit> {
        let pairs = self.fast_pairs(ways, true, |_| false);
        let sinks = |finder: &mut ManifoldFinder, (a, b)| self.sinks([a, b], ways, finder);
        let all =
            pairs.into_par_iter().with_min_len(BATCH).map_init(ManifoldFinder::default, sinks);
        all.flatten_iter().collect()
    }

    /// The overlaps of near pairs of the last update at other poses, metres, of those pairs that are asked for; those
    /// of two meshes and of bodies that touch by volume are left out.
    pub fn depths(
        &self,
        pose: impl Fn(usize) -> DPose3 + Sync,
        asked: impl Fn([usize; 2]) -> bool,
    ) -> Vec<([usize; 2], f64)> {
        let pairs = self.pairs.iter().filter(|(a, b)| asked([*a, *b]) && self.by_points(*a, *b));
        let pairs: Vec<(usize, usize)> = pairs.copied().collect();
        let depth = |finder: &mut ManifoldFinder, (a, b): (usize, usize)| {
            let depth = self.depth_beyond([a, b], [pose(a), pose(b)], 0.0, finder)?;
            Some(([a, b], depth))
        };
        let all =
            pairs.into_par_iter().with_min_len(BATCH).map_init(ManifoldFinder::default, depth);
        all.flatten_iter().collect()
    }

    /// The one of these overlaps that is deepest by a measure of pairs, of those deeper than `least` of it; the first
    /// of equals. Most need not be found: along the normal of a contact, or the way from one body to the other, no
    /// more of them is seen than is known already.
    pub fn deepest(
        &self,
        pose: impl Fn(usize) -> DPose3 + Sync,
        asked: impl Fn([usize; 2]) -> bool,
        measure: impl Fn([usize; 2]) -> f64,
        least: f64,
    ) -> Option<([usize; 2], f64)> {
        let bound = |&(a, b): &(usize, usize)| {
            if !asked([a, b]) || !self.by_points(a, b) {
                return None;
            }
            let poses = [pose(a), pose(b)];
            let most = self.most_depth([a, b], [&poses[0], &poses[1]]) / measure([a, b]);
            (most > least).then_some((most, [a, b]))
        };
        let mut bounds: Vec<(f64, [usize; 2])> = self.pairs.iter().filter_map(bound).collect();
        bounds.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        let (mut finder, mut best) = (ManifoldFinder::default(), None);
        let mut most = least;
        for (bound, pair) in bounds {
            if bound < most {
                break;
            }
            let Some(depth) = self.depth_beyond(pair, pair.map(&pose), 0.0, &mut finder) else {
                continue;
            };
            let part = depth / measure(pair);
            let earlier = best.is_some_and(|(other, _)| part == most && pair < other);
            if part > most || earlier {
                (most, best) = (part, Some((pair, depth)));
            }
        }
        best
    }

    /// Whether how deep two bodies are is known: of two meshes only the volume that they share is.
    fn by_points(&self, a: usize, b: usize) -> bool {
        let simple = |k: usize| self.bodies[k].as_ref().is_some_and(Collider::is_simple);
        let by_volume = self.by_volume.as_ref().is_some_and(|v| v.takes(a, b).is_some());
        !by_volume && (simple(a) || simple(b))
    }

    /// No less than how deep two bodies are at these poses, metres.
    fn most_depth(&self, [a, b]: [usize; 2], poses: [&DPose3; 2]) -> f64 {
        let (Some(of_a), Some(of_b)) = (&self.bodies[a], &self.bodies[b]) else { return 0.0 };
        let way = poses[1].translation - poses[0].translation;
        let spheres = of_a.extent + of_b.extent - way.length();
        if spheres <= 0.0 {
            return 0.0;
        }
        let known = self.narrow.known_normal((a, b)).map(|local| poses[0].rotation * local);
        let ways = [Some(way.normalize_or_zero()), known];
        let apart = ways.into_iter().flatten().filter_map(|n| apart_at([of_a, of_b], poses, n));
        apart.fold(f64::INFINITY, |most, gap| most.min(-gap))
    }

    /// How deep two bodies are at these poses, if that is more than `least`, metres.
    fn depth_beyond(
        &self,
        [a, b]: [usize; 2],
        poses: [DPose3; 2],
        least: f64,
        finder: &mut ManifoldFinder,
    ) -> Option<f64> {
        if self.most_depth([a, b], [&poses[0], &poses[1]]) <= least {
            return None;
        }
        let of = [self.bodies[a].as_ref()?, self.bodies[b].as_ref()?];
        let depth = -least_gap([a, b], of, poses, finder);
        (depth > least).then_some(depth)
    }

    /// Until when two bodies are not deeper within each other than they begin.
    pub(super) fn sinks(
        &self,
        [a, b]: [usize; 2],
        ways: &Ways,
        finder: &mut ManifoldFinder,
    ) -> Option<Hit> {
        let of = [self.bodies[a].as_ref()?, self.bodies[b].as_ref()?];
        let thickness = of[0].thickness.min(of[1].thickness);
        let [from, until] = ways.time;
        let mut depth = |time: f64, least: f64| {
            let poses = [a, b].map(|k| (ways.pose)(k, time));
            self.depth_beyond([a, b], poses, least, finder)
        };
        let strides = (ways.closing)([a, b], None) * (until - from) / (STRIDE * thickness);
        let strides = strides.ceil().clamp(1.0, STRIDES);
        let at = |k: f64| from + (until - from) * (k / strides);
        let mut looks = 1..=strides as u32;
        let (mut first, found) =
            looks.find_map(|k| Some((k, depth(at(f64::from(k)), SUNK * thickness)?)))?;
        // How deep they begin counts only where they are deep at all.
        let allowed = depth(from, SUNK * thickness).unwrap_or(SUNK * thickness);
        if found <= allowed {
            first = looks.find(|k| depth(at(f64::from(*k)), allowed).is_some())?;
        }
        let (mut well, mut sunk) = (at(f64::from(first - 1)), at(f64::from(first)));
        for _ in 0..HALVINGS {
            let middle = 0.5 * (well + sunk);
            if depth(middle, allowed).is_some() {
                sunk = middle;
            } else {
                well = middle;
            }
        }
        Some(Hit { bodies: [a, b], time: well })
    }
}

/// The least gap of two bodies at these poses; none above zero.
fn least_gap(
    bodies: [usize; 2],
    of: [&Collider; 2],
    poses: [DPose3; 2],
    finder: &mut ManifoldFinder,
) -> f64 {
    let [a, b] = [0, 1].map(|k| of[k].at(Some(&poses[k])));
    let mut manifolds = Vec::new();
    finder.pair(bodies, [&a, &b], 0.0, &mut manifolds);
    let gaps = manifolds.iter().flat_map(|m| &m.points).map(|p| p.gap);
    let least = gaps.fold(0.0, f64::min);
    finder.recycle(manifolds.drain(..));
    least
}

/// How far bodies may be within each other, in units of the thinner one's smallest side.
pub const SUNK: f64 = 0.01;

/// How far bodies go against each other at most between two looks, in the same units: so little brings none past the
/// middle of another. And the most looks.
const STRIDE: f64 = 0.25;
const STRIDES: f64 = 256.0;

/// How often the time of a look that finds them too deep is halved.
const HALVINGS: usize = 8;
