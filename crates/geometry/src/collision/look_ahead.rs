//! What bodies would share at other poses: contacts that were not found where they are.

use std::collections::HashMap;

use glamx::{DPose3, DVec3};

use super::collider::Geometry;
use super::narrow_phase::follow;
use super::seam;
use super::solid::Solid;
use super::sweep::{Hit, NEAR};
use super::{Collider, Collision, Manifold, Point, may_touch};

impl Collision {
    /// Moves the manifolds of the last update with their bodies.
    pub fn follow(&mut self, poses: &[DPose3]) {
        for manifold in &mut self.narrow.manifolds {
            let [a, b] = manifold.bodies.map(|k| poses.get(k));
            if let (Some(a), Some(b)) = (a, b) {
                follow(manifold, [a, b]);
            }
        }
    }

    /// Appends to the manifolds those of bodies that would be within each other at the poses `ends` by more than
    /// what is `within` two bodies, as a part of the thinner one's smallest side, each with the points that would be,
    /// where they are now.
    /// Only pairs that `travel` as far are looked at, metres for each body, and `hits`, bodies that all but touch
    /// there. Gaps are those that become the ones there by `change`, what the motion of a point says to first
    /// order. Points that are there already are left out: what was solved for roughly may go against them still.
    /// Returns how many there are.
    pub fn look_ahead(
        &mut self,
        ends: &[DPose3],
        travel: impl Fn(usize) -> f64,
        change: impl Fn(&Manifold, &Point) -> f64,
        within: impl Fn(usize, usize) -> f64,
        hits: &[Hit],
    ) -> usize {
        let planes = self.planes();
        let now: Vec<DPose3> = self.bodies.iter().map(|b| place_of(b.as_ref())).collect();
        let near = if hits.is_empty() { 0.0 } else { 4.0 * NEAR };
        self.place_all(ends, |_| 0.0, |thickness| near * thickness);
        let mut pairs = self.pairs_ahead();
        let Collision { bodies, excluded, ahead, by_volume, .. } = self;
        let least = |a: usize, b: usize| {
            let thickness = |k: usize| bodies[k].as_ref().map_or(f64::INFINITY, |c| c.thickness);
            within(a, b) * thickness(a).min(thickness(b))
        };
        let is_hit = |a: usize, b: usize| hits.iter().any(|h| h.bodies == [a, b]);
        pairs.retain(|&(a, b)| {
            may_touch(bodies, a, b)
                && (travel(a) + travel(b) > least(a, b) || is_hit(a, b))
                && !excluded.contains(&(a, b))
                && by_volume.as_ref().is_none_or(|v| v.takes(a, b).is_none())
        });
        pairs.sort_unstable();
        pairs.dedup();
        let mut known = self.narrow.manifolds.iter().peekable();
        pairs.retain(|&(a, b)| {
            while known.next_if(|m| m.bodies < [a, b]).is_some() {}
            let along = known.peek().filter(|m| m.bodies == [a, b]).map(|m| m.local_normal);
            is_hit(a, b)
                || !stay_apart([bodies[a].as_ref(), bodies[b].as_ref()], along, least(a, b))
        });
        ahead.update(&pairs, bodies);
        seam::close(&mut ahead.manifolds, &planes, bodies);
        let first = self.narrow.manifolds.len();
        let mut before: HashMap<[usize; 2], Vec<usize>> =
            ahead.manifolds.iter().map(|m| (m.bodies, Vec::new())).collect();
        for (k, manifold) in self.narrow.manifolds.iter().enumerate() {
            if let Some(list) = before.get_mut(&manifold.bodies) {
                list.push(k);
            }
        }
        for manifold in &ahead.manifolds {
            let [a, b] = manifold.bodies;
            let nearer = if is_hit(a, b) { f64::INFINITY } else { -least(a, b) };
            // Beyond the middle of a body the way out is on its other side: such bodies stop before they are there.
            let lost = -DEEP
                * bodies[a].iter().chain(&bodies[b]).fold(f64::INFINITY, |t, c| t.min(c.thickness));
            if manifold.points.iter().any(|p| p.gap < nearer)
                && !manifold.points.iter().any(|p| p.gap < lost)
            {
                let mut new = manifold.clone();
                new.points.retain(|p| p.gap < nearer);
                let gaps: Vec<f64> = new.points.iter().map(|p| p.gap).collect();
                follow(&mut new, [&now[a], &now[b]]);
                // What spins does not take the normal with it: it is that of where they would touch.
                new.normal = manifold.normal;
                let changes: Vec<f64> = new.points.iter().map(|p| change(&new, p)).collect();
                for (p, (gap, change)) in new.points.iter_mut().zip(gaps.iter().zip(changes)) {
                    p.gap = gap - change;
                }
                let size = least(a, b) / within(a, b);
                let there = before.get(&new.bodies).into_iter().flatten();
                let there: Vec<&Manifold> = there.map(|k| &self.narrow.manifolds[*k]).collect();
                let normal = new.normal;
                new.points.retain(|p| !there.iter().any(|m| has(m, normal, p, SAME * size)));
                if !new.points.is_empty() {
                    self.narrow.manifolds.push(new);
                }
            }
        }
        self.place_all(&now, |_| 0.0, |_| 0.0);
        self.narrow.manifolds.len() - first
    }
}

impl Collision {
    /// Pairs that may touch where bodies are now, with no travel: those of the last update, but for bodies that went
    /// beyond the boxes in which others were looked for then. These are looked for in all of these boxes, and among
    /// themselves.
    fn pairs_ahead(&self) -> Vec<(usize, usize)> {
        let mut pairs = self.pairs.clone();
        self.broad.on_planes(&self.bodies, &mut pairs);
        let with_margin = |body: &Collider| {
            let margin = DVec3::splat(body.margin);
            [body.bounds[0] - margin, body.bounds[1] + margin]
        };
        let mut beyond: Vec<(usize, [DVec3; 2])> = Vec::new();
        for (k, body) in self.bodies.iter().enumerate() {
            let Some(body) = body.as_ref().filter(|b| b.placed && b.extent.is_finite()) else {
                continue;
            };
            let ([low, high], now) = (body.seen, with_margin(body));
            if !(low.cmple(now[0]).all() && now[1].cmple(high).all()) {
                beyond.push((k, now));
            }
        }
        for &(k, now) in &beyond {
            let near = self.broad.near(now).filter(|other| *other != k);
            pairs.extend(near.map(|other| (k.min(other), k.max(other))));
        }
        beyond.sort_by(|a, b| a.1[0].x.total_cmp(&b.1[0].x));
        for (at, &(k, [low, high])) in beyond.iter().enumerate() {
            let next = beyond[at + 1..].iter().take_while(|other| other.1[0].x <= high.x);
            for &(other, [other_low, other_high]) in next {
                if low.cmple(other_high).all() && other_low.cmple(high).all() {
                    pairs.push((k.min(other), k.max(other)));
                }
            }
        }
        pairs
    }
}

/// Whether a manifold has a point, up to a length.
fn has(manifold: &Manifold, normal: DVec3, point: &Point, length: f64) -> bool {
    let near = |p: &Point| {
        (p.on_b - point.on_b).length() < 100.0 * length && (p.gap - point.gap).abs() < length
    };
    (manifold.normal - normal).length() < SAME && manifold.points.iter().any(near)
}

fn place_of(body: Option<&Collider>) -> DPose3 {
    body.map_or(DPose3::IDENTITY, |b| b.pose)
}

/// Whether bodies surely overlap by no more than `least`: some direction says so, the normal of a contact that they
/// had (axes of A), or the way from one to the other.
fn stay_apart(of: [Option<&Collider>; 2], known: Option<DVec3>, least: f64) -> bool {
    let [Some(a), Some(b)] = of else { return false };
    let known = known.map(|local| a.pose.rotation * local);
    let ways = known.into_iter().chain([b.middle() - a.middle()]);
    ways.into_iter()
        .any(|way| apart_along(a, b, way.normalize_or_zero()).is_some_and(|gap| gap >= -least))
}

/// The same as [`apart_along`] of bodies at other poses than those at which they are placed.
pub(crate) fn apart_at(of: [&Collider; 2], poses: [&DPose3; 2], normal: DVec3) -> Option<f64> {
    // As seen from where the body is placed, about its origin.
    let reach = |k: usize, along: DVec3| {
        let placed = &of[k].pose;
        let along = placed.rotation * (poses[k].rotation.inverse() * along);
        farthest(of[k], along, placed.translation)
    };
    let way = poses[1].translation - poses[0].translation;
    Some(normal.dot(way) - reach(1, -normal)? - reach(0, normal)?)
}

/// How far all of B lies beyond all of A along a unit vector, metres, less than zero where they overlap along it;
/// nothing for meshes and half-spaces.
pub(crate) fn apart_along(a: &Collider, b: &Collider, normal: DVec3) -> Option<f64> {
    // Both about the same place, so that far from the origin little is lost.
    let origin = a.middle();
    Some(-farthest(b, -normal, origin)? - farthest(a, normal, origin)?)
}

/// How far a body reaches beyond a point along a direction, metres.
fn farthest(body: &Collider, direction: DVec3, from: DVec3) -> Option<f64> {
    let Geometry::Parts(parts) = &body.geometry else { return None };
    let reaches = |solid: &Solid| solid.core_max(direction) + solid.radius;
    let most = parts.iter().map(|p| reaches(&p.solid)).fold(f64::NEG_INFINITY, f64::max);
    Some(most - direction.dot(from))
}

/// Overlaps that are deeper say nothing of where a body came from, in units of the thinner one's smallest side.
const DEEP: f64 = 0.4;

/// By how much gaps of points that are the same differ, in units of the thinner body's smallest side, and normals.
const SAME: f64 = 1e-4;
