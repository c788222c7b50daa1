//! Joints, limits and motors, as they are described.

use std::f64::consts::TAU;
use std::ops::Deref;

use glamx::DPose3;

use crate::body::BodyId;
use crate::profile::Profile;

/// Number of a joint in its world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub usize);

/// A joint as it is added to a world. The joint's frame on A and on B coincide when it is at rest.
#[derive(Debug, Clone)]
pub struct JointDesc {
    /// Name, for messages.
    pub name: String,
    /// What it leaves free.
    pub kind: JointKind,
    /// First body; `None` is the world.
    pub a: Option<BodyId>,
    /// Second body.
    pub b: BodyId,
    /// Joint frame in A's body axes (world axes without A).
    pub frame_a: DPose3,
    /// Joint frame in B's body axes.
    pub frame_b: DPose3,
    /// Least and greatest angle (hinge, radians) or displacement (slider, metres).
    pub limits: Option<[f64; 2]>,
    /// Drives the free direction of a hinge or slider.
    pub motor: Option<Motor>,
    /// Whether the two bodies may touch each other.
    pub collide: bool,
}

/// A joint of a world: what it was described as, and how far it has turned.
#[derive(Debug, Clone)]
pub struct Joint {
    pub(crate) desc: JointDesc,
    /// Of a hinge, from the start, whole turns counted; radians.
    pub(crate) turned: f64,
}

impl Deref for Joint {
    type Target = JointDesc;

    fn deref(&self) -> &JointDesc {
        &self.desc
    }
}

impl Joint {
    /// How far a hinge has turned from the start, whole turns counted, radians; zero of others.
    pub fn turned(&self) -> f64 {
        self.turned
    }

    /// The angle that is nearest to how far it has turned of those that differ by whole turns.
    pub(crate) fn nearest(&self, angle: f64) -> f64 {
        angle + TAU * ((self.turned - angle) / TAU).round()
    }
}

/// What a joint leaves free.
#[derive(Debug, Clone)]
pub enum JointKind {
    /// Rotation.
    Ball,
    /// Rotation about the frame's x axis.
    Hinge,
    /// Displacement along the frame's x axis.
    Slider,
    /// Nothing.
    Fixed,
    /// Everything but the distance of the two frames' origins, which follows a profile in time.
    Distance(Profile),
}

impl JointKind {
    /// What it is called in scene files and messages.
    pub fn name(&self) -> &'static str {
        match self {
            JointKind::Ball => "ball",
            JointKind::Hinge => "hinge",
            JointKind::Slider => "slider",
            JointKind::Fixed => "fixed",
            JointKind::Distance(_) => "distance",
        }
    }
}

/// A motor on the free direction of a hinge (N m, rad) or slider (N, m).
#[derive(Debug, Clone)]
pub struct Motor {
    /// What it strives for.
    pub control: Control,
    /// Greatest torque or force.
    pub max_force: f64,
}

/// What a motor strives for.
#[derive(Debug, Clone)]
pub enum Control {
    /// A velocity, reached as fast as the greatest force allows.
    Velocity(Profile),
    /// A position, by a spring and a damper integrated implicitly (stable at any stiffness).
    Position {
        /// Where to.
        target: Profile,
        /// N m/rad or N/m.
        stiffness: f64,
        /// N m s/rad or N s/m.
        damping: f64,
    },
}
