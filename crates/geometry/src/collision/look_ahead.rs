//! What bodies would share at other poses: contacts that were not found where they are.

use glamx::DPose3;

use super::narrow_phase::{KEPT, follow};
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
    /// `within` of the thinner one's smallest side, each with the points that would be, where they are now.
    /// Only pairs that `travel` as far are looked at, metres for each body, and `hits`, bodies that all but touch
    /// there. Gaps are those that become the ones there by `change`, what the motion of a point says to first
    /// order. Returns how many there are.
    pub fn look_ahead(
        &mut self,
        ends: &[DPose3],
        travel: impl Fn(usize) -> f64,
        change: impl Fn(&Manifold, &Point) -> f64,
        within: f64,
        hits: &[Hit],
    ) -> usize {
        let now: Vec<DPose3> = self.bodies.iter().map(|b| place_of(b.as_ref())).collect();
        let near = if hits.is_empty() { 0.0 } else { 4.0 * NEAR };
        self.place_all(ends, |_| 0.0, |thickness| near * thickness);
        self.broad.update(&self.bodies);
        let mut pairs = Vec::new();
        self.broad.pairs(&self.bodies, &mut pairs);
        let Collision { bodies, excluded, ahead, by_volume, .. } = self;
        let least = |a: usize, b: usize| {
            let thickness = |k: usize| bodies[k].as_ref().map_or(f64::INFINITY, |c| c.thickness);
            within * thickness(a).min(thickness(b))
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
        ahead.update(&pairs, bodies, KEPT);
        let first = self.narrow.manifolds.len();
        for manifold in &ahead.manifolds {
            let [a, b] = manifold.bodies;
            let nearer = if is_hit(a, b) { f64::INFINITY } else { -least(a, b) };
            if manifold.points.iter().any(|p| p.gap < nearer) {
                let mut new = manifold.clone();
                new.points.retain(|p| p.gap < nearer);
                let gaps: Vec<f64> = new.points.iter().map(|p| p.gap).collect();
                follow(&mut new, [&now[a], &now[b]]);
                let changes: Vec<f64> = new.points.iter().map(|p| change(&new, p)).collect();
                for (p, (gap, change)) in new.points.iter_mut().zip(gaps.iter().zip(changes)) {
                    p.gap = gap - change;
                }
                self.narrow.manifolds.push(new);
            }
        }
        self.place_all(&now, |_| 0.0, |_| 0.0);
        self.narrow.manifolds.len() - first
    }
}

fn place_of(body: Option<&Collider>) -> DPose3 {
    body.map_or(DPose3::IDENTITY, |b| b.pose)
}
