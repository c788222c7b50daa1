//! What soft bodies do to rigid ones that have made their step before.

use glamx::DVec3;

use super::SoftBodies;
use crate::body::Body;

impl SoftBodies {
    /// What pushed soft bodies pushes dynamic rigid ones back.
    pub(super) fn push_back(&mut self, bodies: &mut [Body]) {
        let Some(stage) = &self.stage else { return };
        let contacts = stage.contacts();
        let soft: usize = self.list.iter().map(|s| s.body.positions.len()).sum();
        let corners: Vec<usize> = self.features.bodies().collect();
        for (contact, impulse) in contacts.list.iter().zip(stage.impulses()) {
            if !impulse.is_finite() {
                continue;
            }
            if let Some(surface) = contacts.surfaces.get(contact.surface as usize)
                && let Some(&k) = self.obstacle_bodies.get(surface.obstacle as usize)
            {
                push(&mut bodies[k], -*impulse, surface.point);
            }
            for (vertex, weight) in contact.parts() {
                if let Some(&k) = vertex.checked_sub(soft).and_then(|k| corners.get(k)) {
                    push(&mut bodies[k], *impulse * weight, self.positions[vertex]);
                }
            }
        }
    }
}

/// An impulse on a rigid body at a point, if anything can push it.
fn push(body: &mut Body, impulse: DVec3, point: DVec3) {
    if !body.is_pushed() {
        return;
    }
    let arm = point - body.centre_of_mass();
    body.linear_velocity += impulse / body.mass;
    let turn = body.pose.rotation;
    let torque = turn.inverse() * arm.cross(impulse);
    body.angular_velocity += turn * (body.inverse_inertia * torque);
}
