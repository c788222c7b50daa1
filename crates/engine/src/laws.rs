//! From manifolds to contacts with a friction law each.

use asperity_friction::section::Section;
use asperity_friction::surface::SurfacePoint;
use asperity_friction::{ContactFrame, ContactState};
use glamx::DVec3;

use crate::collide::surface::surface_point;
use crate::contact::{Contact, ContactKey};
use crate::dynamics::rigid::Middle;
use crate::world::{Body, World};

impl World {
    /// Fills `self.contacts` from the manifolds found half-way through the step.
    pub(crate) fn find_contacts(&mut self, middle: &[Middle]) {
        self.contacts.clear();
        let mut cursor = 0;
        for manifold in self.collision.manifolds() {
            let [a, b] = manifold.bodies;
            if middle[a].inverse_mass == 0.0 && middle[b].inverse_mass == 0.0 {
                continue;
            }
            let (body_a, body_b) = (&self.bodies[a], &self.bodies[b]);
            // Pairs without a section are refused when the second body is added.
            let Ok(pair) = self.pairing.pair(body_a.surface(), body_b.surface()) else { continue };
            let frame = ContactFrame::from_normal(manifold.normal);
            let restitution = body_a.desc.restitution.max(body_b.desc.restitution);
            for point in &manifold.points {
                let key =
                    ContactKey { bodies: manifold.bodies, parts: manifold.parts, id: point.id };
                let last = self.cache.get(&ContactKey { id: point.was, ..key }, &mut cursor);
                let at = 0.5 * (point.on_a + point.on_b);
                let approach =
                    velocity_of(body_b, &middle[b], at) - velocity_of(body_a, &middle[a], at);
                let normal_speed = approach.dot(frame.normal);
                let h = self.settings.dt;
                // Not nearer than touching at the end of the step; a bounce where it hits. A
                // contact that opened in the first half may close as far in the second, else the
                // step's mean velocity would let the normal force do work.
                // What rounding leaves of either is nothing: else the corners of a face at rest
                // would each want another speed, which a rigid body cannot have.
                let room = if point.gap > self.settings.slop { point.gap } else { 0.0 };
                let opening = if normal_speed > QUIET { normal_speed } else { 0.0 };
                let mut target = (-2.0 * room / h).min(-opening);
                if restitution > 0.0
                    && normal_speed < -self.settings.restitution_speed
                    && point.gap + 0.5 * h * normal_speed < 0.0
                {
                    target = target.max(-restitution * normal_speed);
                }
                let state = ContactState {
                    frame,
                    surfaces: [
                        self.surface_at(
                            a,
                            &middle[a],
                            point.parts[0],
                            point.on_a,
                            frame.normal,
                            pair.section.as_ref(),
                        ),
                        self.surface_at(
                            b,
                            &middle[b],
                            point.parts[1],
                            point.on_b,
                            -frame.normal,
                            pair.section.as_ref(),
                        ),
                    ],
                    slip: approach,
                    last_load: last.map(|c| c.load),
                    dt: h,
                };
                self.contacts.push(Contact {
                    bodies: manifold.bodies,
                    point: at,
                    frame,
                    gap: point.gap,
                    impulse: last.map_or(DVec3::ZERO, |c| c.impulse),
                    spin_impulse: last.map_or(0.0, |c| c.spin_impulse),
                    load: 0.0,
                    slip: DVec3::ZERO,
                    set: pair.section.law(&state).set,
                    key,
                    normal_target: target,
                    next: (DVec3::ZERO, 0.0),
                });
            }
        }
    }

    /// One body's surface at a contact, in world axes.
    #[allow(clippy::too_many_arguments)]
    fn surface_at(
        &self,
        body: usize,
        middle: &Middle,
        part: u32,
        point: DVec3,
        outward: DVec3,
        section: &dyn Section,
    ) -> SurfacePoint<'_> {
        let body = &self.bodies[body];
        let surface = &self.pairing.surfaces()[body.surface()];
        let (Some(shape), true) = (body.shape(), section.needs_surfaces()) else {
            return surface.at(DVec3::X, DVec3::Y, glamx::DVec2::ZERO);
        };
        let rotation = middle.pose.rotation;
        let local = middle.pose.inverse_transform_point(point);
        let frame = surface_point(shape, part, local, rotation.inverse() * outward);
        let mut at = surface.at(rotation * frame.tangent, rotation * frame.bitangent, frame.uv);
        if let Some(own) = body.structure().at(local, &frame) {
            at.structure = rotation * own;
        }
        at
    }
}

/// Speeds below this are rounding, m/s.
const QUIET: f64 = 1e-7;

/// Velocity of a point at the beginning of the step, about the centre half-way.
fn velocity_of(body: &Body, middle: &Middle, point: DVec3) -> DVec3 {
    if middle.inverse_mass == 0.0 {
        // Prescribed motion: the velocity of this very step.
        return middle.linear + middle.angular.cross(point - middle.centre);
    }
    body.linear_velocity + body.angular_velocity.cross(point - middle.centre)
}
