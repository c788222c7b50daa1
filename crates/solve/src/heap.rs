//! Heaps: many point contacts with isotropic friction, or with none, and nothing else.
//!
//! Such a problem is swept from beginning to end in the order of its parts (see [`Domains`]): impulses stay with their
//! contacts and velocities with their bodies, whatever is done with them, and all of it on all cores. Sums go over
//! chunks of one size in one order, so that the outcome is the same for any number of threads.

mod extrapolation;

use std::time::Instant;

use asperity_friction::LoadRule;
use asperity_friction::set::Set;
use rayon::prelude::*;

use crate::anderson::DEPTH;
use crate::block::FrictionBlock;
use crate::delassus::domains::Domains;
use crate::delassus::piece::{Mover, Piece, blocks_of};
use crate::problem::{ContactProblem, Operator};
use crate::prox::{CHECK_EVERY, SHORT_DEPTH, SoFar, is_short};
use crate::residual::Sums;
use crate::solution::{SolveOptions, SolveReport, Status};
use crate::vectors::Vectorised;
use extrapolation::Extrapolation;

/// A heap and what is known of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heap {
    domains: Domains,
    pairs: Vec<[usize; 2]>,
    /// Rows of each contact: its normal and two of friction, or its normal alone.
    rows_each: usize,
    /// The contact at each slot.
    order: Vec<usize>,
    /// By slots: now, before the last sweep, and those with the smallest residual.
    impulses: Vec<[f64; 3]>,
    before: Vec<[f64; 3]>,
    best: Vec<[f64; 3]>,
    extrapolation: Extrapolation,
    /// Of each chunk.
    sums: Vec<Sums>,
}

/// When to stop.
pub(crate) struct Goal<'a> {
    pub(crate) options: &'a SolveOptions,
    pub(crate) in_series: bool,
    pub(crate) started: Instant,
    /// The residual of what it begins with, where that is known.
    pub(crate) known: Option<f64>,
}

impl Heap {
    /// Takes a problem, if it is a heap.
    pub(crate) fn prepare(&mut self, problem: &ContactProblem) -> bool {
        let Operator::Bodies(bodies) = &problem.operator else { return false };
        let each = if problem.blocks.is_empty() { 1 } else { 3 };
        let count = problem.rows() / each;
        let contacts = || problem.blocks.iter().enumerate().all(|(k, block)| is_contact(k, block));
        let all = problem.blocks.is_empty() || problem.rows() == 3 * problem.blocks.len();
        if count < FEW || !all || !bodies.coupling.is_empty() || !contacts() {
            return false;
        }
        self.rows_each = each;
        self.pairs.clear();
        for k in 0..count {
            let Some(pair) = blocks_of(bodies, k, each) else { return false };
            self.pairs.push(pair);
        }
        let Heap { domains, pairs, order, .. } = self;
        domains.arrange(pairs, bodies);
        order.resize(count, 0);
        for (k, slot) in domains.slots.iter().enumerate() {
            order[*slot] = k;
        }
        let mut pieces = std::mem::take(&mut domains.pieces);
        pieces.resize(count, Piece::default());
        let fill = |(pieces, order): (&mut [Piece], &[usize])| {
            for (piece, k) in pieces.iter_mut().zip(order) {
                let places = domains.places(pairs[*k]);
                *piece = match each {
                    1 => Piece::of_normal(problem, bodies, *k, places)?,
                    _ => Piece::of_rows(problem, bodies, *k, places)?,
                };
            }
            Some(())
        };
        let all = pieces.par_chunks_mut(CHUNK).zip(order.par_chunks(CHUNK)).map(fill);
        let taken = all.collect::<Option<()>>().is_some();
        domains.pieces = pieces;
        taken
    }

    /// Rows that nothing can move.
    pub(crate) fn immovable(&self) -> usize {
        self.domains.pieces.iter().map(Piece::immovable).sum()
    }

    /// Sweeps over the problem that was prepared, from the impulses `r`.
    pub(crate) fn run(
        &mut self,
        problem: &ContactProblem,
        goal: &Goal,
        r: &mut [f64],
        report: &mut SolveReport,
    ) {
        self.take(r);
        let Goal { options, in_series, .. } = *goal;
        let sweeps = options.max_iterations;
        let short = is_short(sweeps, self.order.len());
        let best = goal.known.unwrap_or_else(|| self.residual());
        report.status = Status::IterationLimit;
        if best <= options.tolerance && !(in_series && best > 0.0) {
            (report.status, report.residual) = (Status::Converged, best);
            return;
        }
        let depth = if short { SHORT_DEPTH } else { DEPTH };
        self.extrapolation.reset(self.order.len(), self.domains.movers.len(), depth);
        let mut so_far = SoFar::new(best, options.tolerance);
        let mut last_change = f64::INFINITY;
        for sweep in 1..=sweeps {
            self.before.copy_from_slice(&self.impulses);
            self.domains.sweep_once(problem, short, &mut self.impulses);
            report.iterations += 1;
            let change =
                self.extrapolation.note(&self.before, &self.impulses, &self.domains.movers);
            if is_checked(sweep, sweeps, short) {
                if !short || sweep == sweeps {
                    self.domains.start(&mut self.impulses); // what rounding left
                }
                let value = self.residual();
                report.record(report.iterations, value);
                if so_far.is_better(value) {
                    self.best.copy_from_slice(&self.impulses);
                }
                if let Some(end) = so_far.end(sweep, options, in_series, false) {
                    report.status = end;
                    break;
                }
                if options.time_limit.is_some_and(|limit| goal.started.elapsed() > limit) {
                    report.status = Status::TimeLimit;
                    break;
                }
            }
            if sweep == sweeps {
                break;
            }
            if change > 2.0 * last_change {
                self.extrapolation.forget();
            } else {
                self.extrapolation.apply(&mut self.impulses, &mut self.domains.movers);
            }
            last_change = change;
        }
        self.give(r);
        report.residual = so_far.best;
    }

    /// Begins with the impulses `r`.
    fn take(&mut self, r: &[f64]) {
        self.impulses.clear();
        let each = self.rows_each;
        self.impulses.extend(self.order.iter().map(|k| {
            let mut impulse = [0.0; 3];
            impulse[..each].copy_from_slice(&r[each * k..each * (k + 1)]);
            impulse
        }));
        self.domains.start(&mut self.impulses);
        self.best.clone_from(&self.impulses);
        self.before.resize(self.impulses.len(), [0.0; 3]);
    }

    /// Writes the best impulses.
    fn give(&self, r: &mut [f64]) {
        for (k, best) in self.order.iter().zip(&self.best) {
            let each = self.rows_each;
            r[each * k..each * (k + 1)].copy_from_slice(&best[..each]);
        }
    }

    /// The residual of the impulses.
    fn residual(&mut self) -> f64 {
        let Heap { domains: Domains { pieces, movers, .. }, impulses, sums, .. } = self;
        sums.resize(pieces.len().div_ceil(CHUNK), Sums::default());
        let chunks = pieces.par_chunks(CHUNK).zip(impulses.par_chunks(CHUNK)).zip(&mut *sums);
        chunks.for_each(|((pieces, impulses), sums)| {
            *sums = Errors { pieces, impulses, movers }.with_vectors();
        });
        sums.iter().fold(Sums::default(), |all, one| all.plus(*one)).relative()
    }
}

/// The errors of some contacts.
struct Errors<'a> {
    pieces: &'a [Piece],
    impulses: &'a [[f64; 3]],
    movers: &'a [Mover],
}

impl Vectorised for Errors<'_> {
    type Output = Sums;

    #[inline(always)]
    fn run(self) -> Sums {
        let mut sums = Sums::default();
        for (piece, impulse) in self.pieces.iter().zip(self.impulses) {
            piece.error(impulse, self.movers, &mut sums);
        }
        sums
    }
}

/// Whether a block is the friction of the k-th of point contacts with three rows each.
fn is_contact(k: usize, block: &FrictionBlock) -> bool {
    matches!(block.law.set, Set::Disk(_))
        && matches!(block.law.load, LoadRule::Normal)
        && block.law.rheology.is_none()
        && (block.normals.start, block.normals.end) == (3 * k, 3 * k + 1)
        && (block.rows.start, block.rows.end) == (3 * k + 1, 3 * k + 3)
}

/// Whether the residual is looked at after a sweep: after the first few each time where there are many, and where
/// there are few not when they are all but over.
fn is_checked(sweep: usize, sweeps: usize, short: bool) -> bool {
    let early = sweep < CHECK_EVERY && !short;
    let regular = sweep.is_multiple_of(CHECK_EVERY) && !(short && sweep + CHECK_EVERY > sweeps);
    early || regular || sweep == sweeps
}

/// Contacts that are no heap.
const FEW: usize = 24;

/// Contacts that one task looks at.
const CHUNK: usize = 512;
