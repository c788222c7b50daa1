//! Searches that can be left out, because nothing is near.

use glamx::DVec3;

use super::bvh::Found;
use super::detector::{Detector, Motion};

/// What a wide search found to be apart stays apart until vertices have moved far enough. Only for
/// meshes that do not touch themselves: neighbours are always near. Keeps its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownGaps {
    /// Where the vertices were. Boxes around primitives, grown by `room`, did not overlap there.
    seen: Vec<DVec3>,
    /// Metres; zero where nothing is known.
    room: f64,
    /// Searches until it is worth looking again.
    wait: u32,
    found: Vec<Found<()>>,
}

/// Steps of the fastest vertex that a wide search looks ahead.
const AHEAD: f64 = 24.0;

/// How many times wider than an ordinary search it is at least.
const WIDER: f64 = 8.0;

/// Searches between wide searches that find something near.
const WAIT: u32 = 32;

impl KnownGaps {
    /// Whether no two primitives come within twice `margin` along the motion, whatever else it does.
    fn holds(&self, motion: &Motion, margin: f64) -> bool {
        let most = self.room - margin;
        // False also where it is not a number.
        let within = |d: DVec3| d.abs().cmplt(DVec3::splat(most)).all();
        let near = |(i, seen): (usize, &DVec3)| {
            let v = i as u32;
            within(motion.start(v) - *seen) && within(motion.end(v) - *seen)
        };
        most > 0.0
            && self.seen.len() == motion.positions.len()
            && self.seen.iter().enumerate().all(near)
    }
}

impl Detector {
    /// Whether no two primitives meet along the motion, by what is known without looking again.
    pub(crate) fn are_known_to_be_apart(&self, motion: &Motion) -> bool {
        !self.topology.any_touches_itself() && self.gaps.holds(motion, 0.0)
    }

    /// Whether no two primitives come within twice `margin` of each other along the motion. May
    /// say no where they do not; says no where numbers are not finite. Looks around from time to
    /// time.
    pub(crate) fn are_all_apart(&mut self, motion: &Motion, margin: f64) -> bool {
        if self.topology.any_touches_itself() {
            return false;
        }
        if self.gaps.holds(motion, margin) {
            return true;
        }
        self.gaps.room = 0.0;
        if self.gaps.wait > 0 {
            self.gaps.wait -= 1;
            return false;
        }
        let fastest = motion.velocities.iter().fold(0.0_f64, |m, v| m.max(v.abs().max_element()));
        let room = (WIDER * margin).max(margin + AHEAD * fastest * motion.dt);
        let mut found = std::mem::take(&mut self.gaps.found);
        let left_out = self.refit(motion, None, room, None);
        self.tree.self_overlaps(&mut found, |_, _, list| list.push(()));
        let near = found.iter().any(|f| !f.items.is_empty());
        self.gaps.found = found;
        if near || left_out > 0 {
            self.gaps.wait = WAIT;
            return false;
        }
        self.gaps.seen.clear();
        self.gaps.seen.extend_from_slice(motion.positions);
        self.gaps.room = room;
        self.gaps.holds(motion, margin)
    }
}
