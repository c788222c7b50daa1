//! Sweeps over many point contacts on all cores: bodies are divided in two, and each part again.
//!
//! What lies within one part is swept at the same time as what lies within the other; then come the contacts
//! between both. How bodies are divided depends on the problem alone, so the outcome is the same for any number of
//! threads.

use super::links::Links;
use super::piece::{Mover, Piece};
use super::point_contact::{PointContact, Twist};
use crate::block::FrictionBlock;
use crate::problem::{Bodies, ContactProblem};
use crate::units::Units;
use crate::vectors::Vectorised;

/// The point contacts of a problem by the part of the bodies that they lie within; none where they are few.
#[derive(Debug, Clone, Default)]
pub(crate) struct Domains {
    /// In the order of their parts: those of the first half, of the second, then those between both.
    pub(crate) pieces: Vec<Piece>,
    /// The bodies in the order of the parts.
    pub(crate) movers: Vec<Mover>,
    /// Where each point contact is among the pieces.
    pub(crate) slots: Vec<usize>,
    /// The whole is the last.
    parts: Vec<Part>,
    /// Where each block is among all in the order of the parts; `NOWHERE` where it has no point contact.
    place: Vec<usize>,
    /// Blocks in that order.
    blocks: Vec<usize>,
    links: Links,
    /// How many blocks there are, and those of each point contact: what all of the above follows from.
    count: usize,
    pairs: Vec<[usize; 2]>,
    /// Impulses of the pieces in a sweep over a problem with other units.
    impulses: Vec<[f64; 3]>,
    /// Whether a unit is a piece.
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
        let pairs: Vec<[usize; 2]> = self.pieces.iter().map(|piece| piece.places).collect();
        self.arrange(&pairs, bodies);
        let places: Vec<[usize; 2]> = pairs.iter().map(|pair| self.places(*pair)).collect();
        for (piece, places) in self.pieces.iter_mut().zip(places) {
            piece.places = places;
        }
        // Each cycle of the permutation by exchanges.
        let mut slots = self.slots.clone();
        for k in 0..self.pieces.len() {
            while slots[k] != k {
                let slot = slots[k];
                self.pieces.swap(k, slot);
                slots.swap(k, slot);
            }
        }
        self.impulses.resize(self.pieces.len(), [0.0; 3]);
    }

    /// Divides the bodies of point contacts between these blocks, and finds where each contact is then. Contacts
    /// between the same blocks as last time are where they were.
    pub(crate) fn arrange(&mut self, pairs: &[[usize; 2]], bodies: &Bodies) {
        let count = bodies.inverse_masses.len();
        if self.count != count || self.pairs != pairs {
            self.count = count;
            self.pairs.clear();
            self.pairs.extend_from_slice(pairs);
            self.links.connect(pairs.iter().copied(), count);
            self.links.order(&mut self.blocks, &mut self.place);
            self.parts.clear();
            divide(&mut self.parts, 0, self.blocks.len());
            self.sort();
        }
        self.movers.clear();
        self.movers.extend(self.blocks.iter().map(|k| Mover::new(&bodies.inverse_masses[*k])));
    }

    /// The places of two blocks.
    #[inline]
    pub(crate) fn places(&self, pair: [usize; 2]) -> [usize; 2] {
        pair.map(|block| self.place.get(block).copied().unwrap_or(NOWHERE))
    }

    /// Finds the slots of the contacts: in the order of their parts, and in each in their own.
    fn sort(&mut self) {
        self.slots.clear();
        for pair in &self.pairs {
            let places = pair.map(|block| self.place.get(block).copied().unwrap_or(NOWHERE));
            let part = part_of(&self.parts, places);
            self.parts[part].own += 1;
            self.slots.push(part);
        }
        // Parts come after their halves: where each begins is known before it is.
        let starts = &mut self.links.order;
        starts.clear();
        let mut sum = 0;
        for k in 0..self.parts.len() {
            let halves = self.parts[k].halves;
            let within: usize = halves.into_iter().flatten().map(|half| self.parts[half].all).sum();
            self.parts[k].all = self.parts[k].own + within;
            starts.push(sum);
            sum += self.parts[k].own;
        }
        for slot in &mut self.slots {
            starts[*slot] += 1;
            *slot = starts[*slot] - 1;
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
        let mut impulses = std::mem::take(&mut self.impulses);
        for (piece, impulse) in self.pieces.iter().zip(&mut impulses) {
            impulse.copy_from_slice(&r[piece.first_row..piece.first_row + 3]);
        }
        for (mover, block) in self.movers.iter_mut().zip(&self.blocks) {
            mover.twist = change[*block];
        }
        self.sweep_once(problem, rough, &mut impulses);
        for (piece, impulse) in self.pieces.iter().zip(&impulses) {
            r[piece.first_row..piece.first_row + 3].copy_from_slice(impulse);
        }
        for (mover, block) in self.movers.iter().zip(&self.blocks) {
            change[*block] = mover.twist;
        }
        self.impulses = impulses;
    }

    /// The same where the movers have their velocities, and pieces these impulses.
    pub(crate) fn sweep_once(
        &mut self,
        problem: &ContactProblem,
        rough: bool,
        impulses: &mut [[f64; 3]],
    ) {
        self.visit(impulses, Solve { blocks: problem.blocks.as_slice(), rough });
    }

    /// Gives the movers the velocities that these impulses of the pieces lead to.
    pub(crate) fn start(&mut self, impulses: &mut [[f64; 3]]) {
        for mover in &mut self.movers {
            mover.twist = Twist::default();
        }
        self.visit(impulses, Push);
    }

    /// Does something to each piece: parts side by side, then what lies between them.
    fn visit(&mut self, impulses: &mut [[f64; 3]], action: impl Action) {
        let Domains { pieces, parts, movers, .. } = self;
        Visit { parts, action }.part(parts.len() - 1, (pieces, impulses), movers);
    }
}

/// What is done to each piece; `movers` begin with the body at `first`.
trait Action: Sync {
    fn act(&self, piece: &Piece, impulse: &mut [f64; 3], first: usize, movers: &mut [Mover]);
}

/// Solves it exactly while the others stand still.
struct Solve<'a> {
    blocks: &'a [FrictionBlock],
    rough: bool,
}

impl Action for Solve<'_> {
    #[inline(always)]
    fn act(&self, piece: &Piece, impulse: &mut [f64; 3], first: usize, movers: &mut [Mover]) {
        piece.solve(impulse, (self.blocks, self.rough), first, movers);
    }
}

/// Tells its bodies its impulse.
struct Push;

impl Action for Push {
    #[inline(always)]
    fn act(&self, piece: &Piece, impulse: &mut [f64; 3], first: usize, movers: &mut [Mover]) {
        if *impulse != [0.0; 3] {
            piece.push(*impulse, first, movers);
        }
    }
}

/// The contacts of one part that are in neither of its halves.
struct Own<'a, A> {
    pieces: &'a [Piece],
    impulses: &'a mut [[f64; 3]],
    first: usize,
    movers: &'a mut [Mover],
    action: &'a A,
}

impl<A: Action> Vectorised for Own<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (piece, impulse) in self.pieces.iter().zip(self.impulses) {
            self.action.act(piece, impulse, self.first, self.movers);
        }
    }
}

/// What all parts of a visit share.
struct Visit<'a, A> {
    parts: &'a [Part],
    action: A,
}

impl<A: Action> Visit<'_, A> {
    /// Visits a part; `pieces`, their impulses and `movers` are its own.
    fn part(
        &self,
        k: usize,
        (pieces, impulses): (&[Piece], &mut [[f64; 3]]),
        movers: &mut [Mover],
    ) {
        let part = &self.parts[k];
        let (within, own) = pieces.split_at(part.all - part.own);
        let (within_impulses, own_impulses) = impulses.split_at_mut(part.all - part.own);
        if let Some([a, b]) = part.halves {
            let (pieces_a, pieces_b) = within.split_at(self.parts[a].all);
            let (impulses_a, impulses_b) = within_impulses.split_at_mut(self.parts[a].all);
            let (movers_a, movers_b) = movers.split_at_mut(part.first_bodies);
            rayon::join(
                || self.part(a, (pieces_a, impulses_a), movers_a),
                || self.part(b, (pieces_b, impulses_b), movers_b),
            );
        }
        let (action, first) = (&self.action, part.first);
        Own { pieces: own, impulses: own_impulses, first, movers, action }.with_vectors();
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
pub(crate) const NOWHERE: usize = usize::MAX;

/// Point contacts from which on they are divided.
pub(crate) const MANY: usize = 256;

/// Bodies that are not divided: sweeping over their contacts takes long enough for a thread.
const FEW_BODIES: usize = 64;
