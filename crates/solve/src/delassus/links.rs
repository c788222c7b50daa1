//! Which bodies are linked by contacts, and an order in which linked ones are near each other.

use std::collections::VecDeque;

use super::domains::NOWHERE;

/// Which blocks are linked by contacts.
#[derive(Debug, Clone, Default)]
pub(super) struct Links {
    /// Those of block k are `ends[starts[k]..starts[k + 1]]`.
    starts: Vec<usize>,
    ends: Vec<usize>,
    queue: VecDeque<usize>,
    seen: Vec<bool>,
    pub(super) order: Vec<usize>,
}

impl Links {
    /// Links of pairs of `blocks` blocks; numbers beyond are of what stands still.
    pub(super) fn connect(
        &mut self,
        pairs: impl Iterator<Item = [usize; 2]> + Clone,
        blocks: usize,
    ) {
        let Links { starts, ends, .. } = self;
        starts.clear();
        starts.resize(blocks + 1, 0);
        let both = |[a, b]: [usize; 2]| {
            let moves = a < blocks && b < blocks;
            [(a, b), (b, a)].into_iter().filter(move |(from, _)| *from < blocks).map(
                // What touches only what stands still is linked with itself.
                move |(from, to)| if moves { (from, to) } else { (from, from) },
            )
        };
        for (from, _) in pairs.clone().flat_map(both) {
            starts[from] += 1;
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        ends.clear();
        ends.resize(sum, 0);
        for (from, to) in pairs.flat_map(both) {
            starts[from] -= 1;
            ends[starts[from]] = to;
        }
    }

    /// All blocks with links in an order in which neighbours are near each other (Cuthill and McKee 1969), and the
    /// place of each in it.
    pub(super) fn order(&mut self, blocks: &mut Vec<usize>, place: &mut Vec<usize>) {
        let count = self.starts.len() - 1;
        blocks.clear();
        place.clear();
        place.resize(count, NOWHERE);
        self.seen.clear();
        self.seen.resize(count, false);
        for k in 0..count {
            if place[k] != NOWHERE || self.starts[k] == self.starts[k + 1] {
                continue;
            }
            // From the one that is farthest from the first.
            self.order.clear();
            self.walk(k);
            let farthest = self.order.last().copied().unwrap_or(k);
            for k in self.order.drain(..) {
                self.seen[k] = false;
            }
            self.walk(farthest);
            for k in &self.order {
                place[*k] = blocks.len();
                blocks.push(*k);
            }
        }
    }

    /// All blocks linked with one, the near ones first.
    fn walk(&mut self, from: usize) {
        let Links { starts, ends, queue, seen, order, .. } = self;
        seen[from] = true;
        queue.push_back(from);
        while let Some(k) = queue.pop_front() {
            order.push(k);
            for to in &ends[starts[k]..starts[k + 1]] {
                if !std::mem::replace(&mut seen[*to], true) {
                    queue.push_back(*to);
                }
            }
        }
    }
}
