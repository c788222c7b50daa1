//! What the contacts and joints of a step leave to the next, by identity. Impulses are kept as world
//! vectors, since a contact frame may jump from one step to the next.

use std::collections::HashMap;

use asperity_friction::extent::PatchLimit;
use asperity_friction::memory::Past;
use asperity_soft::contact::FeatureKey;
use glamx::DVec3;

use crate::contact::{ContactKey, PatchBlock};
use crate::dynamics::joint_rows::MAX_ROWS;

/// All that is remembered.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContactMemory {
    /// Of contact points, in their order: by pair.
    points: Vec<(ContactKey, PointMemory)>,
    /// Of those among them that remember more.
    pasts: Vec<(ContactKey, Past)>,
    /// Of whole patches, in their order: by pair.
    patches: Vec<PatchMemory>,
    /// Of wrenches, in their order: by pair.
    wrenches: Vec<WrenchMemory>,
    /// Impulses of the rows of each joint.
    pub(crate) joints: Vec<[f64; MAX_ROWS]>,
    /// Of soft contacts, with obstacles by their bodies; only where something asks for it.
    pub(crate) soft: SoftMemory,
    /// Of the points and patches of bodies that sleep.
    asleep: (Vec<(ContactKey, PointMemory)>, Vec<PatchMemory>),
}

/// Of soft contacts, by what touches.
pub(crate) type SoftMemory = HashMap<FeatureKey, PointMemory>;

/// Of a contact point.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PointMemory {
    /// What the next step begins with.
    pub(crate) impulse: DVec3,
    pub(crate) spin_impulse: f64,
    /// Newtons.
    pub(crate) load: f64,
    /// Whether it did not slip.
    pub(crate) sticks: bool,
    /// Where it was on each body, body axes.
    pub(crate) local: [DVec3; 2],
    /// When the step ended, as seen half-way through it, m/s.
    pub(crate) slip: DVec3,
}

/// Of a patch.
#[derive(Debug, Clone)]
pub(crate) struct PatchMemory {
    bodies: [usize; 2],
    parts: [u32; 2],
    pub(crate) past: Option<Past>,
    pub(crate) limit: PatchLimit,
    /// Newtons, and its centre on both bodies, body axes.
    pub(crate) load: f64,
    pub(crate) centre: [DVec3; 2],
    /// When the step ended, as seen half-way through it, m/s.
    pub(crate) slip: DVec3,
}

/// Of a wrench.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WrenchMemory {
    pub(crate) bodies: [usize; 2],
    /// What the next step begins with, about the centre.
    pub(crate) impulse: DVec3,
    pub(crate) torque: DVec3,
    /// Newtons.
    pub(crate) load: f64,
    pub(crate) centre: DVec3,
    pub(crate) normal: DVec3,
    /// The centre half-way on both bodies, body axes, and whether it sticks.
    pub(crate) local: [DVec3; 2],
    pub(crate) sticks: bool,
    /// At the centre when the step ended, as seen half-way through it, m/s.
    pub(crate) slip: DVec3,
}

impl ContactMemory {
    /// What is known of a contact point. Pairs of bodies must be asked for in rising order; `cursor`
    /// begins at zero and remembers where the last one was: the next is mostly beside it.
    pub(crate) fn point(&self, key: &ContactKey, cursor: &mut usize) -> Option<PointMemory> {
        let of_pair = |e: &&(ContactKey, PointMemory)| e.0.bodies == key.bodies;
        *cursor += self.points[*cursor..].iter().take_while(|e| e.0.bodies < key.bodies).count();
        let ahead = self.points[*cursor..].iter().take_while(of_pair);
        let behind = self.points[..*cursor].iter().rev().take_while(of_pair);
        if let Some(steps) = ahead.clone().position(|e| e.0 == *key) {
            let found = self.points[*cursor + steps].1;
            *cursor += steps + 1;
            return Some(found);
        }
        behind.clone().find(|e| e.0 == *key).map(|e| e.1)
    }

    /// What a contact point remembers beyond its impulse.
    pub(crate) fn past(&self, key: &ContactKey) -> Option<&Past> {
        let from = self.pasts.partition_point(|e| e.0.bodies < key.bodies);
        let of_pair = self.pasts[from..].iter().take_while(|e| e.0.bodies == key.bodies);
        of_pair.into_iter().find(|e| e.0 == *key).map(|e| &e.1)
    }

    /// What is known of the patch of two parts.
    pub(crate) fn patch(&self, bodies: [usize; 2], parts: [u32; 2]) -> Option<&PatchMemory> {
        let from = self.patches.partition_point(|p| p.bodies < bodies);
        let of_pair = self.patches[from..].iter().take_while(|p| p.bodies == bodies);
        of_pair.into_iter().find(|p| p.parts == parts)
    }

    /// The wrenches of two bodies.
    pub(crate) fn wrenches(&self, bodies: [usize; 2]) -> impl Iterator<Item = &WrenchMemory> {
        let from = self.wrenches.partition_point(|w| w.bodies < bodies);
        self.wrenches[from..].iter().take_while(move |w| w.bodies == bodies)
    }

    /// Forgets contacts, to remember those of another step.
    pub(crate) fn clear(&mut self) {
        self.points.clear();
        self.pasts.clear();
        self.patches.clear();
        self.wrenches.clear();
    }

    pub(crate) fn keep_point(&mut self, key: ContactKey, point: PointMemory, past: Option<Past>) {
        self.points.push((key, point));
        self.pasts.extend(past.map(|past| (key, past)));
    }

    /// Keeps a patch, with its load, where the centre of that was on both bodies, and the slip at its centre.
    pub(crate) fn keep_patch(
        &mut self,
        block: &PatchBlock,
        (load, centre): (f64, [DVec3; 2]),
        slip: DVec3,
    ) {
        let PatchBlock { bodies, parts, limit, .. } = block;
        let (past, limit) = (block.past().cloned(), limit.clone());
        let (bodies, parts) = (*bodies, *parts);
        self.patches.push(PatchMemory { bodies, parts, past, limit, load, centre, slip });
    }

    /// Puts contact points in the order of their pairs, where some were found later.
    pub(crate) fn sort(&mut self) {
        self.points.sort_by_key(|e| e.0.bodies);
        self.pasts.sort_by_key(|e| e.0.bodies);
        self.patches.sort_by_key(|p| p.bodies);
    }

    /// Sets aside what is remembered of pairs that sleep, and takes back what is of others.
    pub(crate) fn sort_by_sleep(&mut self, asleep: impl Fn([usize; 2]) -> bool) {
        self.points.append(&mut self.asleep.0);
        self.patches.append(&mut self.asleep.1);
        let (points, patches) = (&mut self.points, &mut self.patches);
        self.asleep.0.extend(points.extract_if(.., |p| asleep(p.0.bodies)));
        self.asleep.1.extend(patches.extract_if(.., |p| asleep(p.bodies)));
        self.sort();
    }

    pub(crate) fn keep_wrench(&mut self, wrench: WrenchMemory) {
        self.wrenches.push(wrench);
    }
}
