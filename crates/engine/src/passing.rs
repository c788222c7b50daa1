//! Bodies so fast that they would pass others within a step.

use asperity_geometry::collision::{Hit, Ways};
use glamx::{DPose3, DVec3};

use crate::body::Body;
use crate::dynamics::midpoint::{Midpoint, advance, pose_part_way};
use crate::settings::Settings;
use crate::world::World;

impl World {
    /// Bodies that would first touch between two times of the step, as `end` has their velocities, but for those
    /// that are `held` by contacts; `updated` once contacts of the step were looked for.
    pub(crate) fn hits(
        &self,
        end: &[Midpoint],
        time: [f64; 2],
        updated: bool,
        held: impl Fn([usize; 2]) -> bool,
    ) -> Vec<Hit> {
        self.on_ways(end, time, |ways| self.collision.hits(ways, updated, held))
    }

    /// Looks at the ways of bodies between two times of the step, as `end` has their velocities.
    fn on_ways<T>(&self, end: &[Midpoint], time: [f64; 2], look: impl FnOnce(&Ways) -> T) -> T {
        let (now, bodies, settings) = (self.time(), &self.bodies, &self.settings);
        look(&Ways {
            pose: &|k, t| pose_at(&bodies[k], &end[k], settings, [now, t]),
            speed: &|k| fastest(&bodies[k], &end[k]),
            closing: &|[a, b], along| closing([&bodies[a], &bodies[b]], [&end[a], &end[b]], along),
            time,
        })
    }

    /// Bodies that would be within others at the end of the step, or beyond them, stop where they are not yet, and
    /// what joints hold to them: what is left of their step is lost. Contacts were found and solved for, but say little
    /// of what turns far in a step.
    pub(crate) fn stop_before_sinking(&mut self, middle: &mut [Midpoint]) {
        let dt = self.settings.dt;
        let from = middle.iter().fold(dt, |least, m| least.min(m.gone));
        let jointed = self.jointed();
        let mut until = vec![dt; middle.len()];
        // What stops early is in the way of others.
        for _ in 0..ROUNDS {
            let sinking = self.on_ways(middle, [from, dt], |ways| self.collision.sinking(ways));
            if sinking.is_empty() {
                break;
            }
            for hit in &sinking {
                for k in hit.bodies {
                    until[k] = until[k].min(hit.time);
                }
            }
            self.spread(&mut until, &jointed);
            for (k, m) in middle.iter_mut().enumerate() {
                if self.bodies[k].is_pushed() {
                    m.left = m.left.min((until[k] - m.gone).max(0.0));
                }
            }
        }
        let lost = until.iter().zip(&self.bodies).filter(|(t, body)| **t < dt && body.is_pushed());
        self.report.cut_short = lost.count();
    }

    /// Where a body is at a time of the step.
    pub(crate) fn pose_at(&self, body: usize, end: &Midpoint, time: f64) -> DPose3 {
        pose_at(&self.bodies[body], end, &self.settings, [self.time(), time])
    }
}

/// Where a body is `time` seconds into a step that begins `now`.
fn pose_at(body: &Body, end: &Midpoint, settings: &Settings, [now, time]: [f64; 2]) -> DPose3 {
    if time < end.gone {
        return pose_part_way(body, settings, now, time);
    }
    let gone = (time - end.gone).min(end.left);
    advance(&end.pose, body.centre, end.linear, end.angular, gone)
}

/// How often bodies that stop early are looked for in a step at most.
const ROUNDS: usize = 8;

/// Bounds the speed of any of its points over the step, m/s.
pub(crate) fn fastest(body: &Body, end: &Midpoint) -> f64 {
    let before = end.begin_linear.length() + end.begin_angular.length() * body.radius;
    let after = end.linear.length() + end.angular.length() * body.radius;
    let speed = before.max(after);
    if speed.is_finite() && body.moves() { speed } else { 0.0 }
}

/// Bounds the speed at which points of two bodies come nearer over the step, along a direction from the first to the
/// second or along any, m/s. Each goes on with its new velocities from when contacts are found, which need not be at
/// the same time for both.
fn closing(bodies: [&Body; 2], [a, b]: [&Midpoint; 2], along: Option<DVec3>) -> f64 {
    let turns =
        |body: &Body, m: &Midpoint| m.begin_angular.length().max(m.angular.length()) * body.radius;
    let nearer = |p: DVec3, q: DVec3| along.map_or((p - q).length(), |n| (p - q).dot(n).max(0.0));
    let together = nearer(a.begin_linear, b.begin_linear).max(nearer(a.linear, b.linear));
    let mixed = nearer(a.begin_linear, b.linear).max(nearer(a.linear, b.begin_linear));
    let linear = if a.gone == b.gone { together } else { together.max(mixed) };
    let speed = linear + turns(bodies[0], a) + turns(bodies[1], b);
    let both = fastest(bodies[0], a) + fastest(bodies[1], b);
    if speed.is_finite() { speed.min(both) } else { both }
}
