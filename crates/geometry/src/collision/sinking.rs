//! How deep bodies are within each other on their ways, those that touch already too.
//!
//! A contact says how the surfaces near it go. What turns far in a step, or is thin, may come down on another body with
//! its other end, or pass it, while its contact says that all is well.

use glamx::DPose3;
use rayon::prelude::*;

use super::Collision;
use super::collider::Collider;
use super::look_ahead::apart_along;
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

    /// The overlaps of near pairs of the last update at other poses, metres, where one of both is asked for; those of
    /// two meshes and of bodies that touch by volume are left out.
    pub fn depths(
        &self,
        pose: impl Fn(usize) -> DPose3 + Sync,
        asked: impl Fn(usize) -> bool,
    ) -> Vec<([usize; 2], f64)> {
        // Of two meshes only the volume that they share is known, not how deep they are.
        let simple = |k: usize| self.bodies[k].as_ref().is_some_and(Collider::is_simple);
        let by_points = |a, b| {
            let by_volume = self.by_volume.as_ref().is_some_and(|v| v.takes(a, b).is_some());
            !by_volume && (simple(a) || simple(b))
        };
        let pairs =
            self.pairs.iter().filter(|(a, b)| (asked(*a) || asked(*b)) && by_points(*a, *b));
        let pairs: Vec<(usize, usize)> = pairs.copied().collect();
        let depth = |finder: &mut ManifoldFinder, (a, b): (usize, usize)| {
            let of = [self.bodies[a].as_ref()?, self.bodies[b].as_ref()?];
            let depth = -least_gap([a, b], of, [pose(a), pose(b)], finder);
            (depth > 0.0).then_some(([a, b], depth))
        };
        let all =
            pairs.into_par_iter().with_min_len(BATCH).map_init(ManifoldFinder::default, depth);
        all.flatten_iter().collect()
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
        let mut depth = |time: f64| {
            let poses = [a, b].map(|k| (ways.pose)(k, time));
            -least_gap([a, b], of, poses, finder)
        };
        let allowed = depth(from).max(SUNK * thickness);
        let strides = (ways.closing)([a, b], None) * (until - from) / (STRIDE * thickness);
        let strides = strides.ceil().clamp(1.0, STRIDES);
        let at = |k: f64| from + (until - from) * (k / strides);
        let first = (1..=strides as u32).find(|k| depth(at(f64::from(*k))) > allowed)?;
        let (mut well, mut sunk) = (at(f64::from(first - 1)), at(f64::from(first)));
        for _ in 0..HALVINGS {
            let middle = 0.5 * (well + sunk);
            if depth(middle) > allowed {
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
    // Most are nowhere near each other.
    let way = poses[1].translation - poses[0].translation;
    let most = of[0].extent + of[1].extent;
    if way.length_squared() > most * most {
        return 0.0;
    }
    let [a, b] = [0, 1].map(|k| of[k].at(Some(&poses[k])));
    let middle = (b.middle() - a.middle()).normalize_or_zero();
    if apart_along(&a, &b, middle).is_some_and(|gap| gap > 0.0) {
        return 0.0;
    }
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
