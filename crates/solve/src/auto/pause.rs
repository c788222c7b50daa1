//! How long large problems do without what did not get there.

use crate::problem::ContactProblem;

/// How long large problems do without what did not get there: its elimination costs as much as a sweep or ten.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pause {
    left: usize,
    length: usize,
}

impl Pause {
    pub(super) fn is_over(&mut self, problem: &ContactProblem) -> bool {
        if problem.blocks.len() < LARGE {
            *self = Pause::default();
        }
        self.left = self.left.saturating_sub(1);
        self.left == 0
    }

    /// Notes that it was tried, and whether it got there.
    pub(super) fn note(&mut self, tried: bool, done: bool, longest: usize) {
        if done {
            *self = Pause::default();
        } else if tried {
            self.length = (2 * self.length).clamp(2, longest);
            self.left = self.length;
        }
    }
}

/// Contacts from which on it is left for a while where it was tried in vain, and for how many problems at most.
const LARGE: usize = 256;
pub(super) const LONGEST_PAUSE: usize = 32;

/// The same of Newton's method for large problems that rest, which takes as long as hundreds of sweeps.
pub(super) const LONGEST_PAUSE_OF_NEWTON: usize = 512;
