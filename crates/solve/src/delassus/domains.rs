//! Sweeps over many point contacts on all cores: bodies are divided in two, and each part again.
//!
//! What lies within one part is swept at the same time as what lies within the other; then come the contacts
//! between both. How bodies are divided depends on the problem alone, so the outcome is the same for any number of
//! threads.

use super::links::Links;
use super::piece::{Mover, Piece};
use super::point_contact::{PointContact, Twist};
use crate::problem::{Bodies, ContactProblem};
use crate::units::Units;

/// The point contacts of a problem by the part of the bodies that they lie within; none where they are few.
#[derive(Debug, Clone, Default)]
pub(super) struct Domains {
    /// In the order of their parts: those of the first half, of the second, then those between both.
    pieces: Vec<Piece>,
    /// The whole is the last.
    parts: Vec<Part>,
    /// Where each block is among all in the order of the parts; `NOWHERE` where it has no point contact.
    place: Vec<usize>,
    /// Blocks in that order, as numbers and as bodies.
    blocks: Vec<usize>,
    movers: Vec<Mover>,
    links: Links,
    /// The part of each point contact, in the order of the units; then its place among the pieces.
    part_of: Vec<usize>,
    /// Whether a unit is one.
    taken: Vec<bool>,
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
        bodies: &Bodies,
    ) {
        self.clear();
        for (unit, point) in units.list.iter().zip(points) {
            let piece = point.as_ref().and_then(|point| Piece::of(point, unit, units, problem));
            self.taken.push(piece.is_some());
            self.pieces.extend(piece);
        }
        if self.pieces.len() < MANY {
            self.clear();
            return;
        }
        let count = bodies.inverse_masses.len();
        self.links.connect(self.pieces.iter().map(|piece| piece.places), count);
        self.links.order(&mut self.blocks, &mut self.place);
        self.movers.clear();
        self.movers.extend(self.blocks.iter().map(|k| Mover::new(&bodies.inverse_masses[*k])));
        for piece in &mut self.pieces {
            piece.places = piece.places.map(|b| self.place.get(b).copied().unwrap_or(NOWHERE));
        }
        self.parts.clear();
        divide(&mut self.parts, 0, self.blocks.len());
        self.part_of.clear();
        for piece in &self.pieces {
            let part = part_of(&self.parts, piece.places);
            self.parts[part].own += 1;
            self.part_of.push(part);
        }
        // Parts come after their halves: where each begins is known before it is.
        for k in 0..self.parts.len() {
            let halves = self.parts[k].halves;
            let within: usize = halves.into_iter().flatten().map(|half| self.parts[half].all).sum();
            self.parts[k].all = self.parts[k].own + within;
        }
        self.sort();
    }

    /// Puts the pieces in the order of their parts, and in each in that of the units.
    fn sort(&mut self) {
        // Where those of each part begin, then slots.
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
            piece.impulse.copy_from_slice(&r[piece.first_row..piece.first_row + 3]);
        }
        for (mover, block) in self.movers.iter_mut().zip(&self.blocks) {
            mover.twist = change[*block];
        }
        let Domains { pieces, parts, movers, .. } = self;
        Sweep { problem, parts, rough }.part(parts.len() - 1, pieces, movers);
        for piece in &self.pieces {
            r[piece.first_row..piece.first_row + 3].copy_from_slice(&piece.impulse);
        }
        for (mover, block) in self.movers.iter().zip(&self.blocks) {
            change[*block] = mover.twist;
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
    /// Sweeps over a part; `pieces` and `movers` are its own.
    fn part(&self, k: usize, pieces: &mut [Piece], movers: &mut [Mover]) {
        let part = &self.parts[k];
        let (within, own) = pieces.split_at_mut(part.all - part.own);
        if let Some([a, b]) = part.halves {
            let (pieces_a, pieces_b) = within.split_at_mut(self.parts[a].all);
            let (movers_a, movers_b) = movers.split_at_mut(part.first_bodies);
            rayon::join(|| self.part(a, pieces_a, movers_a), || self.part(b, pieces_b, movers_b));
        }
        for piece in own {
            piece.solve(&self.problem.blocks, self.rough, part.first, movers);
        }
    }
}

/// The smallest part with all bodies of a contact that have these places.
fn part_of(parts: &[Part], places: [usize; 2]) -> usize {
    let [a, b] = places.map(|place| Some(place).filter(|place| *place != NOWHERE));
    let (a, b) = (a.or(b).unwrap_or(0), b.or(a).unwrap_or(0));
    let mut at = parts.len() - 1;
    while let Part { halves: Some(halves), first, first_bodies, .. } = parts[at] {
        let [a, b] = [a, b].map(|place| place >= first + first_bodies);
        if a != b {
            break;
        }
        at = halves[usize::from(a)];
    }
    at
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

/// The place of what stands still.
pub(super) const NOWHERE: usize = usize::MAX;

/// Point contacts from which on they are divided.
const MANY: usize = 256;

/// Bodies that are not divided: sweeping over their contacts takes long enough for a thread.
const FEW_BODIES: usize = 64;
