//! Bodies so fast that they would pass others within a step.

use asperity_geometry::collision::{Hit, Ways};
use glamx::{DPose3, DVec3};

use crate::body::Body;
use crate::dynamics::midpoint::{Midpoint, advance, part_way};
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
        let now = self.time();
        let World { collision, bodies, settings, .. } = self;
        let ways = Ways {
            pose: &|k, t| pose_at(&bodies[k], &end[k], settings, [now, t]),
            speed: &|k| fastest(&bodies[k], &end[k]),
            closing: &|[a, b], along| closing([&bodies[a], &bodies[b]], [&end[a], &end[b]], along),
            time,
        };
        collision.hits(&ways, updated, held)
    }

    /// Where a body is at a time of the step.
    pub(crate) fn pose_at(&self, body: usize, end: &Midpoint, time: f64) -> DPose3 {
        pose_at(&self.bodies[body], end, &self.settings, [self.time(), time])
    }
}

/// Where a body is `time` seconds into a step that begins `now`.
fn pose_at(body: &Body, end: &Midpoint, settings: &Settings, [now, time]: [f64; 2]) -> DPose3 {
    if time < end.gone {
        return part_way(body, settings, now, time).pose;
    }
    advance(&end.pose, body.centre, end.linear, end.angular, time - end.gone)
}

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
