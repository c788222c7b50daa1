//! Bodies before and after the contacts of a step: forces from outside, positions, and bodies whose
//! numbers went bad.

use asperity_geometry::collision::{FAR, kept};
use glamx::DVec3;

use crate::body::{Body, Frozen};
use crate::drive::Drive;
use crate::dynamics::midpoint::{Midpoint, advance, part_way};
use crate::dynamics::way::Way;
use crate::passing::fastest;
use crate::report::StepReport;
use crate::world::World;

impl World {
    /// A new report; forces from outside; bodies with bad ones stopped.
    pub(crate) fn begin_step(&mut self) {
        self.report = StepReport::default();
        self.apply_drives();
        self.freeze_bad("force", "the force applied to it", |b| (b.force + b.torque).is_finite());
    }

    /// All bodies half-way through the step.
    pub(crate) fn half_way(&self) -> Vec<Midpoint> {
        let time = self.time();
        let gone = 0.5 * self.settings.dt;
        self.bodies.iter().map(|b| part_way(b, &self.settings, time, gone)).collect()
    }

    /// Finds manifolds and shared volumes where bodies are.
    pub(crate) fn find_near(&mut self, middle: &[Midpoint]) {
        let poses: Vec<_> = middle.iter().map(|m| m.pose).collect();
        let bodies = &self.bodies;
        // How far the fastest point of a body goes in what is left of the step.
        let travel = |k: usize| fastest(&bodies[k], &middle[k]) * middle[k].left;
        let settings = &self.settings;
        let margin = |thickness| settings.margin_of(thickness);
        let (islands, small) = (&self.islands, kept(settings.solver.tolerance));
        let large = if settings.bounded { small.max(KEPT_IN_LARGE) } else { small };
        let kept = |k: usize| if islands.is_large(k) { large } else { small };
        self.collision.update_kept(&poses, travel, margin, kept);
    }

    /// The second half of the step: positions, gaps and slips at its end.
    pub(crate) fn advance(&mut self, middle: &[Midpoint]) {
        let mut jointed = vec![false; middle.len()];
        for joint in &self.joints {
            for body in joint.a.into_iter().chain([joint.b]) {
                jointed[body.0] = true;
            }
        }
        for ((body, m), jointed) in self.bodies.iter_mut().zip(middle).zip(jointed) {
            if body.moves() {
                let end = advance(&m.pose, body.centre, m.linear, m.angular, m.left);
                if jointed && body.is_pushed() {
                    // Along one axis, as joints have it; the spin turns with the body.
                    body.pose = Way::new(body, m, m.linear, m.angular).pose(1.0);
                    let turn = body.pose.rotation * end.rotation.inverse();
                    body.angular_velocity = turn * m.angular;
                } else {
                    body.pose = end;
                }
            }
            (body.force, body.torque) = (DVec3::ZERO, DVec3::ZERO);
        }
        for contact in &mut self.contacts {
            let [a, b] = contact.bodies;
            let velocity_at = |point: DVec3| middle[b].velocity(point) - middle[a].velocity(point);
            let (velocity, normal) = (velocity_at(contact.point), contact.frame.normal);
            let mut opening = velocity.dot(normal);
            contact.slip = velocity - normal * opening;
            if let Some(wrench) = &contact.wrench {
                opening = velocity_at(wrench.centre).dot(normal);
            }
            contact.gap += if middle[a].left == middle[b].left || contact.wrench.is_some() {
                middle[b].left.max(middle[a].left) * opening
            } else {
                let way = |k: usize| middle[k].left * middle[k].velocity(contact.point);
                (way(b) - way(a)).dot(normal)
            };
            if let Some(wrench) = &contact.wrench {
                // What the load is meant to press in does not count.
                contact.gap += wrench.compliance * contact.load;
                self.report.wrenches += 1;
            }
            self.report.penetration = self.report.penetration.max(-contact.gap);
        }
    }

    /// Stops bodies whose numbers went bad, and tells what happened.
    pub(crate) fn end_step(&mut self) {
        self.freeze_bad("velocity", "its motion overflowed", |b| {
            b.linear_velocity.is_finite() && b.angular_velocity.is_finite()
        });
        self.freeze_bad("pose", "its motion overflowed", |b| b.pose.is_finite());
        self.freeze_bad("pose", "it is too far from the origin for contacts to be found", |b| {
            b.pose.translation.abs().max_element() < FAR
        });
        self.report.contacts = self.contacts.len();
        self.report.islands = self.islands.list().len();
        self.report.unsupported = self.collision.unsupported_pairs().len();
        self.steps += 1;
    }

    /// Stops each body whose numbers went bad, by name, and lets the rest go on.
    fn freeze_bad(
        &mut self,
        field: &'static str,
        cause: &'static str,
        good: impl Fn(&Body) -> bool,
    ) {
        let step = self.steps + 1;
        for body in self.bodies.iter_mut().filter(|b| b.frozen.is_none()) {
            if good(body) {
                continue;
            }
            let frozen = Frozen { body: body.name.clone(), step, field, cause };
            body.frozen = Some(frozen.clone());
            (body.linear_velocity, body.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
            (body.force, body.torque) = (DVec3::ZERO, DVec3::ZERO);
            if !body.pose.is_finite() {
                body.pose = body.desc.pose;
            }
            self.report.frozen.push(frozen);
        }
    }

    /// Forces and impulses from outside.
    pub(crate) fn apply_drives(&mut self) {
        let (time, h) = (self.time(), self.settings.dt);
        for drive in &self.drives {
            let (body, force, torque, point) = match drive {
                Drive::Force { body, force, torque, scale, point, from, until }
                    if *from <= time && time < *until =>
                {
                    // Half-way through the step, so that a whole cycle does what it should.
                    let scale = scale.at(time + 0.5 * h);
                    (body, *force * scale, *torque * scale, point)
                }
                Drive::Impulse { body, impulse, point, time: at }
                    if time <= *at && *at < time + h =>
                {
                    (body, *impulse / h, DVec3::ZERO, point)
                }
                _ => continue,
            };
            let body = &mut self.bodies[body.0];
            let arm = body.pose.rotation * (*point - body.centre);
            body.force += force;
            body.torque += torque + arm.cross(force);
        }
    }
}

/// How far bodies of large islands, which are solved for roughly, may move against each other before their contacts
/// are found anew, in units of the smaller one's size: gaps are then wrong by a millionth of it.
const KEPT_IN_LARGE: f64 = 1e-3;
