//! Sweeps over many point contacts on all cores: bodies are divided in two, and each part again.
//!
//! What lies within one part is swept at the same time as what lies within the other; then come the contacts
//! between both. How bodies are divided depends on the problem alone, so the outcome is the same for any number of
//! threads.

use std::collections::VecDeque;

use asperity_friction::set::Set;
use glamx::DVec3;

use super::point_contact::{PointContact, Twist};
use crate::local::{self, Local};
use crate::problem::ContactProblem;
use crate::units::{Unit, Units};

/// The point contacts of a problem by the part of the bodies that they lie within; none where they are few.
#[derive(Debug, Clone, Default)]
pub(super) struct Domains {
    /// In the order of their parts: those of the first half, of the second, then those between both.
    pieces: Vec<Piece>,
    /// The whole is the last.
    parts: Vec<Part>,
    /// Where each block is among all in the order of the parts; `NOWHERE` where it has no point contact.
    place: Vec<usize>,
    /// Blocks in that order, and the change of their velocities.
    blocks: Vec<usize>,
    change: Vec<Twist>,
    links: Links,
    /// The part of each point contact, in the order of the units; then its place among the pieces.
    part_of: Vec<usize>,
    /// Whether a unit is one.
    taken: Vec<bool>,
}

/// A point contact with all that a sweep reads of it.
#[derive(Debug, Clone)]
struct Piece {
    /// Number of its friction block.
    block: usize,
    point: PointContact,
    w: [f64; 9],
    inverse: [f64; 9],
    q: [f64; 3],
    give: [f64; 3],
    impulse: [f64; 3],
}

/// Bodies one after the other, as two parts or as one that is not divided.
#[derive(Debug, Clone)]
struct Part {
    /// Numbers of the two halves.
    halves: Option<[usize; 2]>,
    /// The first body, and how many the first half has.
    first: usize,
    first_bodies: usize,
    /// Contacts of its own: not within a half.
    own: usize,
    /// All contacts.
    all: usize,
}

impl Domains {
    /// Divides the bodies of the units that are point contacts with a normal row and friction of their own.
    pub(super) fn prepare(
        &mut self,
        problem: &ContactProblem,
        units: &Units,
        points: &[Option<PointContact>],
        blocks: usize,
    ) {
        self.clear();
        let taken = |(k, unit): (usize, &Unit)| {
            let point = points.get(k)?.as_ref()?;
            Some((k, unit.normal.and(unit.block)?, point))
        };
        let all = || units.list.iter().enumerate().filter_map(taken);
        if all().count() < MANY {
            return;
        }
        self.taken.extend(units.list.iter().enumerate().map(|of| taken(of).is_some()));
        self.links.connect(all().map(|(_, _, point)| point.blocks), blocks);
        self.links.order(&mut self.blocks, &mut self.place);
        self.change.clear();
        self.change.resize(self.blocks.len(), (DVec3::ZERO, DVec3::ZERO));
        self.parts.clear();
        divide(&mut self.parts, 0, self.blocks.len());
        self.part_of.clear();
        for (_, _, point) in all() {
            let part = self.part_of(point);
            self.parts[part].own += 1;
            self.part_of.push(part);
        }
        // Parts come after their halves: where each begins is known before it is.
        for k in 0..self.parts.len() {
            let halves = self.parts[k].halves;
            let within: usize = halves.into_iter().flatten().map(|half| self.parts[half].all).sum();
            self.parts[k].all = self.parts[k].own + within;
        }
        self.fill(problem, units, all());
    }

    /// The smallest part with all bodies of a contact.
    fn part_of(&self, point: &PointContact) -> usize {
        let [a, b] = point.blocks.map(|block| self.place.get(block).copied());
        let (a, b) = (a.or(b).unwrap_or(0), b.or(a).unwrap_or(0));
        let mut at = self.parts.len() - 1;
        while let Part { halves: Some(halves), first, first_bodies, .. } = self.parts[at] {
            let [a, b] = [a, b].map(|place| place >= first + first_bodies);
            if a != b {
                break;
            }
            at = halves[usize::from(a)];
        }
        at
    }

    fn fill<'a>(
        &mut self,
        problem: &ContactProblem,
        units: &Units,
        all: impl Iterator<Item = (usize, usize, &'a PointContact)>,
    ) {
        // In the order of the parts, and in each in that of the units: where those of each part begin, then slots.
        let (starts, slots) = (&mut self.links.order, &mut self.part_of);
        starts.clear();
        let mut sum = 0;
        for part in &self.parts {
            starts.push(sum);
            sum += part.own;
        }
        for slot in slots {
            starts[*slot] += 1;
            *slot = starts[*slot] - 1;
        }
        for (unit, block, point) in all {
            let Unit { local, .. } = units.list[unit];
            let row = |k: usize| point.first_row + k;
            let mut point = point.clone();
            point.blocks = point.blocks.map(|b| self.place.get(b).copied().unwrap_or(NOWHERE));
            let block_of = |w: &[f64]| std::array::from_fn(|k| w[local + k]);
            self.pieces.push(Piece {
                block,
                w: block_of(&units.local),
                inverse: block_of(&units.inverse),
                q: [0, 1, 2].map(|k| problem.q[row(k)]),
                give: [0, 1, 2].map(|k| problem.give(row(k))),
                impulse: [0.0; 3],
                point,
            });
        }
        // Each cycle of the permutation by exchanges.
        for k in 0..self.pieces.len() {
            while self.part_of[k] != k {
                let slot = self.part_of[k];
                self.pieces.swap(k, slot);
                self.part_of.swap(k, slot);
            }
        }
    }

    /// Whether there are any.
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether the k-th unit is one of them.
    pub(super) fn takes(&self, k: usize) -> bool {
        self.taken.get(k).copied().unwrap_or(false)
    }

    /// There are none.
    pub(super) fn clear(&mut self) {
        self.pieces.clear();
        self.taken.clear();
    }

    /// One sweep: each contact solved exactly while the others stand still. `change` are those of all blocks.
    pub(super) fn sweep(
        &mut self,
        problem: &ContactProblem,
        rough: bool,
        r: &mut [f64],
        change: &mut [Twist],
    ) {
        for piece in &mut self.pieces {
            piece.impulse.copy_from_slice(&r[piece.point.first_row..piece.point.first_row + 3]);
        }
        for (own, block) in self.change.iter_mut().zip(&self.blocks) {
            *own = change[*block];
        }
        let Domains { pieces, parts, change: own, .. } = self;
        Sweep { problem, parts, rough }.part(parts.len() - 1, pieces, own);
        for piece in &self.pieces {
            r[piece.point.first_row..piece.point.first_row + 3].copy_from_slice(&piece.impulse);
        }
        for (own, block) in self.change.iter().zip(&self.blocks) {
            change[*block] = *own;
        }
    }
}

/// What all parts of a sweep share.
struct Sweep<'a> {
    problem: &'a ContactProblem,
    parts: &'a [Part],
    rough: bool,
}

impl Sweep<'_> {
    /// Sweeps over a part; `pieces` and `change` are its own.
    fn part(&self, k: usize, pieces: &mut [Piece], change: &mut [Twist]) {
        let part = &self.parts[k];
        let (within, own) = pieces.split_at_mut(part.all - part.own);
        if let Some([a, b]) = part.halves {
            let (pieces_a, pieces_b) = within.split_at_mut(self.parts[a].all);
            let (change_a, change_b) = change.split_at_mut(part.first_bodies);
            rayon::join(|| self.part(a, pieces_a, change_a), || self.part(b, pieces_b, change_b));
        }
        for piece in own {
            let set = &self.problem.blocks[piece.block].law.set;
            piece.solve(set, self.rough, part.first, change);
        }
    }
}

impl Piece {
    /// The exact solution while the others stand still; `change` begins with the block at `first`.
    #[inline]
    fn solve(&mut self, set: &Set, rough: bool, first: usize, change: &mut [Twist]) {
        let nothing = (DVec3::ZERO, DVec3::ZERO);
        let at = self.point.blocks.map(|place| place.wrapping_sub(first));
        let mut twists = at.map(|k| change.get(k).copied().unwrap_or(nothing));
        let old = self.impulse;
        let [a, b] = &twists;
        if old == [0.0; 3] && self.point.along(0, a, b) + self.q[0] >= 0.0 {
            return; // open, and stays so
        }
        let mut q: [f64; 3] =
            std::array::from_fn(|i| self.point.along(i, a, b) + self.q[i] + self.give[i] * old[i]);
        for i in 0..3 {
            for j in 0..3 {
                q[i] -= self.w[3 * i + j] * old[j];
            }
        }
        let piece = Local {
            w: &self.w,
            inverse: &self.inverse,
            q: &q,
            has_normal: true,
            load: 0.0,
            set: Some(set),
            rheology: None,
            alone: false,
            radius: 1.0,
            rough,
        };
        let mut new = old;
        local::solve(&piece, &mut new);
        // A number that is not finite would spread through the whole problem.
        self.impulse = new.map(|x| if x.is_finite() { x } else { 0.0 });
        let delta: [f64; 3] = std::array::from_fn(|k| self.impulse[k] - old[k]);
        if delta != [0.0; 3] {
            self.point.push(delta, &mut twists);
            for (k, twist) in at.into_iter().zip(twists) {
                if let Some(change) = change.get_mut(k) {
                    *change = twist;
                }
            }
        }
    }
}

/// Divides so many bodies from the `first` on; returns the number of the part.
fn divide(parts: &mut Vec<Part>, first: usize, bodies: usize) -> usize {
    let first_bodies = bodies / 2;
    let halves = (bodies > FEW_BODIES).then(|| {
        let a = divide(parts, first, first_bodies);
        [a, divide(parts, first + first_bodies, bodies - first_bodies)]
    });
    parts.push(Part { halves, first, first_bodies, own: 0, all: 0 });
    parts.len() - 1
}

/// Which blocks are linked by contacts.
#[derive(Debug, Clone, Default)]
struct Links {
    /// Those of block k are `ends[starts[k]..starts[k + 1]]`.
    starts: Vec<usize>,
    ends: Vec<usize>,
    queue: VecDeque<usize>,
    seen: Vec<bool>,
    order: Vec<usize>,
}

impl Links {
    /// Links of pairs of `blocks` blocks; numbers beyond are of what stands still.
    fn connect(&mut self, pairs: impl Iterator<Item = [usize; 2]> + Clone, blocks: usize) {
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
    fn order(&mut self, blocks: &mut Vec<usize>, place: &mut Vec<usize>) {
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

/// The place of what stands still.
const NOWHERE: usize = usize::MAX;

/// Point contacts from which on they are divided.
const MANY: usize = 256;

/// Bodies that are not divided: sweeping over their contacts takes long enough for a thread.
const FEW_BODIES: usize = 64;
