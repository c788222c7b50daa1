//! What pictures want to know of a world: its grain at any point, its joints, and the contacts of
//! a moment that was recorded.

use asperity_friction::surface::SurfacePoint;
use glamx::{DPose3, DVec3};

use crate::body::BodyId;
use crate::drive::Drive;
use crate::dynamics::midpoint::Midpoint;
use crate::joint::Joint;
use crate::world::World;
use asperity_geometry::collision::KEPT;
use asperity_geometry::collision::surface::surface_point;

impl World {
    /// The structure direction of a body at a point of its surface, all in body axes; zero where
    /// it has none. `part` is as for [`surface_point`].
    pub fn structure_at(&self, id: BodyId, part: u32, point: DVec3, outward: DVec3) -> DVec3 {
        let Some(body) = self.bodies.get(id.0) else { return DVec3::ZERO };
        let Some(shape) = body.shape() else { return DVec3::ZERO };
        let frame = surface_point(shape, part, point, outward);
        let surface = &self.pairing.surfaces()[body.surface()];
        let SurfacePoint { structure, .. } = surface.at(frame.tangent, frame.bitangent, frame.uv);
        body.structure().at(point, self.time(), &frame).unwrap_or(structure)
    }

    /// All that acts from outside, in the order it was added.
    pub fn drives(&self) -> &[Drive] {
        &self.drives
    }

    /// All joints in order of their numbers.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Puts the bodies where a recording had them, with their velocities (m/s, rad/s), and finds
    /// the contacts there. Contacts then have their sets, but carry no load, since no step is
    /// made. What is missing or not finite leaves its body where it is.
    pub fn show(&mut self, poses: &[DPose3], velocities: &[[DVec3; 2]]) {
        self.wake_all();
        for (k, body) in self.bodies.iter_mut().enumerate() {
            if let Some(pose) = poses.get(k).filter(|p| p.is_finite()) {
                body.pose = DPose3::from_parts(pose.translation, pose.rotation.normalize());
            }
            if let Some([linear, angular]) = velocities.get(k)
                && linear.is_finite()
                && angular.is_finite()
            {
                (body.linear_velocity, body.angular_velocity) = (*linear, *angular);
            }
        }
        let middle: Vec<Midpoint> = self.bodies.iter().map(Midpoint::of_now).collect();
        let poses: Vec<DPose3> = middle.iter().map(|m| m.pose).collect();
        let settings = &self.settings;
        let margin = |thickness| settings.margin_of(thickness);
        self.collision.update_kept(&poses, |_| 0.0, margin, |_| KEPT);
        self.make_laws(&middle);
    }
}
