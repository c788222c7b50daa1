//! Bodies: where they are, how they move, and why one was stopped.

mod description;

use asperity_geometry::collision::Mobility;
use asperity_geometry::shape::Shape;
use asperity_geometry::structure::StructureField;
use glamx::{DMat3, DPose3, DVec3};
use thiserror::Error;

pub(crate) use description::mass_of;
pub use description::{BodyDesc, Keyframe, Mass};

use crate::report::Energy;

/// Number of a body in its world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub usize);

/// What moves a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// Forces and contacts.
    Dynamic,
    /// A prescribed motion; contacts do not push it.
    Kinematic,
    /// Nothing.
    Fixed,
}

impl BodyKind {
    /// The same to the search for contacts.
    pub(crate) fn mobility(self) -> Mobility {
        match self {
            BodyKind::Dynamic => Mobility::Free,
            BodyKind::Kinematic => Mobility::Driven,
            BodyKind::Fixed => Mobility::Fixed,
        }
    }
}

/// A body in a world.
#[derive(Debug, Clone)]
pub struct Body {
    /// Unique name.
    pub name: String,
    /// What moves it.
    pub kind: BodyKind,
    /// World from body.
    pub pose: DPose3,
    /// Velocity of the centre of mass, m/s.
    pub linear_velocity: DVec3,
    /// rad/s, world axes.
    pub angular_velocity: DVec3,
    /// kg; infinite where nothing pushes the body.
    pub mass: f64,
    /// Why it no longer moves, if so.
    pub frozen: Option<Frozen>,
    /// Whether it rests, and nothing is computed of it until something touches it.
    pub(crate) asleep: bool,
    pub(crate) desc: BodyDesc,
    /// Centre of mass, body axes.
    pub(crate) centre: DVec3,
    /// kg m² about the centre, body axes.
    pub(crate) inertia: DMat3,
    pub(crate) inverse_inertia: DMat3,
    /// Distance of the farthest point from the centre of mass, metres.
    pub(crate) radius: f64,
    /// Force and torque that a user applies in the next step.
    pub(crate) force: DVec3,
    pub(crate) torque: DVec3,
}

/// A body that was stopped because its numbers went bad.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("body \"{body}\" was stopped in step {step}: its {field} is not finite ({cause})")]
pub struct Frozen {
    /// Name of the body.
    pub body: String,
    /// In which step, counted from 1.
    pub step: u64,
    /// Which number.
    pub field: &'static str,
    /// Why.
    pub cause: &'static str,
}

impl Body {
    /// The centre of mass in the world.
    pub fn centre_of_mass(&self) -> DVec3 {
        self.pose.transform_point(self.centre)
    }

    /// Bodies that share a group above zero do not touch each other.
    pub fn group(&self) -> u32 {
        self.desc.group
    }

    /// Its shape.
    pub fn shape(&self) -> Option<&Shape> {
        self.desc.shape.as_ref()
    }

    /// Number of its material.
    pub fn surface(&self) -> usize {
        self.desc.surface
    }

    /// Where its grain comes from.
    pub fn structure(&self) -> &StructureField {
        &self.desc.structure
    }

    /// Its energy; none where nothing pushes it.
    pub fn energy(&self, gravity: DVec3) -> Energy {
        if self.kind != BodyKind::Dynamic {
            return Energy::default();
        }
        let spin = self.pose.rotation.inverse() * self.angular_velocity;
        let gravity = gravity * self.desc.gravity_scale;
        Energy {
            kinetic: 0.5
                * (self.mass * self.linear_velocity.length_squared()
                    + spin.dot(self.inertia * spin)),
            potential: -self.mass * gravity.dot(self.centre_of_mass()),
        }
    }

    /// Whether it rests, and nothing is computed of it until something touches it.
    pub fn is_asleep(&self) -> bool {
        self.asleep
    }

    /// Whether forces and contacts can move it.
    pub(crate) fn can_be_pushed(&self) -> bool {
        self.kind == BodyKind::Dynamic && self.frozen.is_none()
    }

    /// Whether forces and contacts move it in this step.
    pub(crate) fn is_pushed(&self) -> bool {
        self.can_be_pushed() && !self.asleep
    }

    /// Whether anything moves it in this step.
    pub(crate) fn moves(&self) -> bool {
        self.kind != BodyKind::Fixed && self.frozen.is_none() && !self.asleep
    }

    /// Velocity of a point of the body, world axes.
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.linear_velocity + self.angular_velocity.cross(point - self.centre_of_mass())
    }
}
