//! Contacts of a step: where bodies touch, by which law, and what they carried.

use std::ops::Range;

use asperity_friction::extent::{EllipsePatch, PatchLimit};
use asperity_friction::memory::{Moment, Past};
use asperity_friction::set::Kind;
use asperity_friction::{ContactFrame, Law};
use glamx::{DPose3, DVec3};

/// One contact of the last step: at a point, or by one wrench over a volume.
#[derive(Debug, Clone)]
pub struct Contact {
    /// Numbers of the two bodies, A then B.
    pub bodies: [usize; 2],
    /// Where they touch, world axes; for a wrench its centre of pressure.
    pub point: DVec3,
    /// The contact frame; its normal points from A to B.
    pub frame: ContactFrame,
    /// Distance half-way through the step, metres; negative where they overlap. For a wrench the
    /// displacement that leads to the target overlap.
    pub gap: f64,
    /// Impulse on B, N s, world axes; before the solve that with which it begins.
    pub impulse: DVec3,
    /// Torque impulse on B about the normal, N m s; zero unless the law has a spin torque. For a
    /// contact of a patch, the share of the patch's; for a wrench about its centre of pressure.
    pub spin_impulse: f64,
    /// Normal force, newtons.
    pub load: f64,
    /// Velocity of B relative to A at the end of the step, in the contact plane, m/s.
    pub slip: DVec3,
    /// The law of its friction, in its frame.
    pub law: Law,
    /// Number of the block that carries its friction, where a whole patch does
    /// ([`crate::World::patch_blocks`]).
    pub patch: Option<usize>,
    /// Identity that persists while the same features touch.
    pub key: ContactKey,
    /// What it has beyond a point, where bodies touch by one wrench.
    pub wrench: Option<Box<WrenchContact>>,
    /// Where it is on each body, body axes.
    pub(crate) local: [DVec3; 2],
    /// Overlap that is left alone, metres.
    pub(crate) slop: f64,
    /// Target for the normal velocity at the end of the step, m/s.
    pub normal_target: f64,
    /// The same for slip, world axes: what sticks may go back in the second part of a step by as much as it went
    /// in the first, else friction would do work on it.
    pub(crate) slip_target: DVec3,
    /// Where a point remembers.
    pub(crate) remembered: Option<Box<Remembered>>,
}

/// What a contact by wrench has beyond one at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WrenchContact {
    /// The overlap's centroid, about which the six rows are; world.
    pub centre: DVec3,
    /// The patch about it.
    pub patch: EllipsePatch,
    /// m³.
    pub volume: f64,
    /// Torque impulse on B about the centre, N m s, world axes.
    pub torque_impulse: DVec3,
    /// Compliance, m/N.
    pub compliance: f64,
    /// Turning of B about the centre that opens the gap as a unit displacement along the normal does,
    /// 1/m.
    pub(crate) turn: DVec3,
}

/// What a contact remembers, and what its law was made from.
#[derive(Debug, Clone)]
pub(crate) struct Remembered {
    pub(crate) moment: Moment,
    /// The law without memory.
    pub(crate) without: Law,
    /// Before the solve what was remembered of the last step; after it, of this one.
    pub(crate) past: Option<Past>,
    /// Energy that what is bent gave back in this step, by its load; joules, negative where it took some.
    pub(crate) given: f64,
}

impl Contact {
    /// Rows in a contact problem: the normal, and those of its own friction.
    pub(crate) fn rows(&self) -> usize {
        match (&self.patch, self.law.set.kind()) {
            (Some(_), _) => 1,
            // The normal is within.
            (None, Kind::LocalSolve) => self.law.set.dim(),
            (None, _) => 1 + self.law.set.dim(),
        }
    }

    /// Point about which its rows are.
    pub(crate) fn centre(&self) -> DVec3 {
        self.wrench.as_ref().map_or(self.point, |wrench| wrench.centre)
    }

    /// Where it is on A and on B at these poses of theirs, world.
    pub(crate) fn on_bodies(&self, poses: [&DPose3; 2]) -> [DVec3; 2] {
        match &self.wrench {
            Some(wrench) => [wrench.centre; 2],
            None => [0, 1].map(|side| poses[side].transform_point(self.local[side])),
        }
    }
}

/// Identity of a contact: bodies, parts of compound shapes, features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactKey {
    /// Numbers of the bodies.
    pub bodies: [usize; 2],
    /// Parts of their shapes.
    pub parts: [u32; 2],
    /// Features.
    pub id: u64,
}

/// Friction of the patch of one manifold: rows (t, b, spin) about the centre of its load, one law.
/// With a memory also a line has one, and a point, with rows (t, b). Its load is that of its contacts,
/// which have no friction of their own.
#[derive(Debug, Clone)]
pub struct PatchBlock {
    /// Numbers of the two bodies, A then B.
    pub bodies: [usize; 2],
    /// Parts of their shapes.
    pub parts: [u32; 2],
    /// Its contacts among those of the step.
    pub contacts: Range<usize>,
    /// Normal from A to B; t along the patch's longest side.
    pub frame: ContactFrame,
    /// Centre of the load of the last step; that of the patch when it is new, or where friction goes by
    /// the area. World axes.
    pub centre: DVec3,
    /// The law, in the frame.
    pub law: Law,
    /// Friction impulse on B, N s, world axes; before the solve that with which it begins.
    pub impulse: DVec3,
    /// Torque impulse on B about the normal, at the centre, N m s.
    pub spin_impulse: f64,
    pub(crate) limit: PatchLimit,
    /// As that of a contact.
    pub(crate) slip_target: DVec3,
    pub(crate) remembered: Option<Box<Remembered>>,
}

impl PatchBlock {
    /// What it remembers.
    pub fn past(&self) -> Option<&Past> {
        self.remembered.as_ref().and_then(|r| r.past.as_ref())
    }

    /// Rows as (direction, whether it is a rotation).
    pub(crate) fn rows(&self) -> impl Iterator<Item = (DVec3, bool)> {
        let all = [(self.frame.t, false), (self.frame.b, false), (self.frame.normal, true)];
        all.into_iter().take(self.law.set.dim())
    }
}
