//! Bodies so fast that they would pass others within a step.

use asperity_geometry::collision::{Hit, Ways};
use glamx::DPose3;

use crate::body::Body;
use crate::dynamics::midpoint::{Midpoint, advance, part_way};
use crate::settings::Settings;
use crate::world::World;

impl World {
    /// Bodies that would first touch between two times of the step, as `end` has their velocities.
    pub(crate) fn hits(&self, end: &[Midpoint], time: [f64; 2]) -> Vec<Hit> {
        let now = self.time();
        let World { collision, bodies, settings, .. } = self;
        let ways = Ways {
            pose: &|k, t| pose_at(&bodies[k], &end[k], settings, [now, t]),
            speed: &|k| fastest(&bodies[k], &end[k]),
            time,
        };
        collision.hits(&ways)
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
