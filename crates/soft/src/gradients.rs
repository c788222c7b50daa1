//! Conjugate gradients with diagonal blocks.

use glamx::{DMat3, DVec3};
use rayon::prelude::*;

use crate::coarse_correction::{Coarse, FEWEST};
use crate::freedom::{Freedom, Link, NONE, Partly, inverse};
use crate::system::{ALONE, BlockMatrix, CHUNK};
use crate::{LinearOptions, LinearReport};

/// What a linear solve leaves alone, and what it adds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held<'a> {
    /// Vertices whose values stay.
    pub(crate) whole: &'a [bool],
    /// Vertices of which a part stays. None of them is in `whole`.
    pub(crate) partly: &'a [Partly],
    /// Blocks beside the diagonal that are added, by row.
    pub(crate) links: &'a [Link],
    /// The right-hand side that residuals are relative to: without what `drag` adds.
    pub(crate) scale: &'a [DVec3],
    /// Whether the matrix is that of the last solve, and about the same vertices are held.
    pub(crate) like_last: bool,
    /// Part of the residual at the beginning that is small enough, whatever the tolerance.
    pub(crate) gain: f64,
}

/// Preconditioned conjugate gradients. Keeps its memory.
///
/// The preconditioner is the inverse diagonal blocks and, where these take long, groups of vertices.
/// The groups' factor is kept from step to step until it takes clearly longer than at its best.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gradients {
    /// Whether the last solve came to the tolerance.
    pub(crate) reached: bool,
    inverse: Vec<DMat3>,
    /// Vertices whose blocks are not only the matrix's.
    special: Vec<usize>,
    r: Vec<DVec3>,
    z: Vec<DVec3>,
    p: Vec<DVec3>,
    /// A p, without drag and whatever is held.
    ap: Vec<DVec3>,
    /// A x of the last solve, without drag and whatever is held.
    pub(crate) product: Vec<DVec3>,
    /// Sums of chunks.
    sums: Vec<f64>,
    /// For each vertex its place among those of which a part is held.
    place: Vec<u32>,
    coarse: Option<Coarse>,
    /// Whether the groups' factor is that of the present matrix.
    fits: bool,
    /// Iterations in this step, and the fewest in a step since the factor was made.
    spent: usize,
    best: usize,
    /// The right-hand side in the norm of the preconditioner, squared.
    size: f64,
}

/// Iterations of a solve after which it gets a factor of its own.
const PATIENCE: usize = 24;
/// Iterations that are less work than another round of contacts.
const FEW: usize = 4;
/// Iterations of a step more than at best that are less work than a new factor.
const SLACK: usize = 6;

/// A x = b for what is not held of x.
struct HeldSystem<'a> {
    a: &'a BlockMatrix,
    b: &'a [DVec3],
    free: &'a Freedom<'a>,
    held: &'a Held<'a>,
}

impl Gradients {
    pub(crate) fn new(n: usize) -> Gradients {
        let zero = vec![DVec3::ZERO; n];
        Gradients {
            inverse: vec![DMat3::ZERO; n],
            r: zero.clone(),
            z: zero.clone(),
            p: zero.clone(),
            ap: zero.clone(),
            product: zero,
            sums: vec![0.0; n.div_ceil(CHUNK)],
            place: vec![NONE; n],
            ..Gradients::default()
        }
    }

    /// Iterations since the matrix last changed.
    pub(crate) fn spent(&self) -> usize {
        self.spent
    }

    /// Solves A x = b for what is free, from the x given.
    pub(crate) fn solve(
        &mut self,
        a: &BlockMatrix,
        held: Held,
        b: &[DVec3],
        x: &mut [DVec3],
        options: &LinearOptions,
    ) -> LinearReport {
        for (k, p) in held.partly.iter().enumerate() {
            self.place[p.vertex] = k as u32;
        }
        let place = std::mem::take(&mut self.place);
        let free =
            Freedom { whole: held.whole, partly: held.partly, links: held.links, place: &place };
        self.invert(a, &free, held.like_last);
        if !held.like_last {
            self.fits = false;
            let slow = self.coarse.is_some() && self.spent > self.best.saturating_add(SLACK);
            self.best = self.best.min(self.spent);
            self.spent = 0;
            if slow {
                self.prepare(a, &free);
            }
        }
        if !held.like_last {
            self.size = self.measure(&free, held.scale);
        }
        let system = HeldSystem { a, b, free: &free, held: &held };
        // Inside the pool, so that it is entered once.
        let report = if a.rows() > ALONE {
            rayon::scope(|_| self.iterate(&system, x, options))
        } else {
            self.iterate(&system, x, options)
        };
        self.spent += report.iterations;
        self.place = place;
        for p in held.partly {
            self.place[p.vertex] = NONE;
        }
        report
    }

    /// Inverse diagonal blocks. Those of free vertices stay as long as the matrix does.
    fn invert(&mut self, a: &BlockMatrix, free: &Freedom, like_last: bool) {
        let Gradients { inverse: list, special, .. } = self;
        if like_last {
            for i in special.drain(..).chain(free.partly.iter().map(|p| p.vertex)) {
                list[i] = inverse(&free.block(a, i));
            }
        } else {
            for (i, out) in list.iter_mut().enumerate() {
                *out = inverse(&free.block(a, i));
            }
        }
        special.clear();
        special.extend(free.partly.iter().map(|p| p.vertex));
    }

    /// Makes the factor of the groups.
    fn prepare(&mut self, a: &BlockMatrix, free: &Freedom) {
        self.coarse.get_or_insert_with(|| Coarse::new(a)).factor(a, free);
        self.fits = true;
        self.best = usize::MAX;
    }

    fn iterate(
        &mut self,
        system: &HeldSystem,
        x: &mut [DVec3],
        options: &LinearOptions,
    ) -> LinearReport {
        let HeldSystem { a, b, free, held } = *system;
        a.multiply(x, &mut self.product);
        let product = &self.product;
        each(&mut self.r, &mut self.sums, |first, part| {
            for (i, r) in (first..).zip(part) {
                *r = free.project(i, b[i] - free.with_drag(i, product[i], x));
            }
            0.0
        });
        let mut rz = self.precondition(free);
        let mut report = LinearReport::default();
        let least = rz * f64::EPSILON;
        let content = held.gain * held.gain * rz;
        let aim = |size: f64| options.tolerance * options.tolerance * size.max(least);
        self.p.copy_from_slice(&self.z);
        while rz > aim(self.size)
            && (rz > content || report.iterations < FEW)
            && report.iterations < options.max_iterations
        {
            let p = &self.p;
            let curvature = each(&mut self.ap, &mut self.sums, |first, part| {
                a.rows_times(first, p, part);
                // What is held has no part in p.
                (first..).zip(part).map(|(i, ap)| p[i].dot(free.with_drag(i, *ap, p))).sum()
            });
            if !(curvature > 0.0) {
                break;
            }
            let step = rz / curvature;
            let (p, ap) = (&self.p, &self.ap);
            each(x, &mut self.sums, |first, part| add(part, &p[first..], step));
            each(&mut self.product, &mut self.sums, |first, part| add(part, &ap[first..], step));
            each(&mut self.r, &mut self.sums, |first, part| {
                for (i, r) in (first..).zip(part) {
                    *r -= free.project(i, free.with_drag(i, ap[i], p)) * step;
                }
                0.0
            });
            report.iterations += 1;
            if report.iterations == PATIENCE && !self.fits && a.rows() >= FEWEST {
                self.prepare(a, free);
                self.size = self.measure(free, held.scale);
                // In another norm: begins anew.
                rz = f64::INFINITY;
            }
            let next = self.precondition(free);
            let turn = next / rz;
            rz = next;
            let z = &self.z;
            each(&mut self.p, &mut self.sums, |first, part| {
                for (p, z) in part.iter_mut().zip(&z[first..]) {
                    *p = *z + *p * turn;
                }
                0.0
            });
        }
        self.reached = rz <= aim(self.size);
        report.residual = if rz == 0.0 { 0.0 } else { (rz / self.size).sqrt() };
        report
    }

    /// The square of a vector in the norm of the preconditioner, as far as it is free.
    fn measure(&mut self, free: &Freedom, vector: &[DVec3]) -> f64 {
        std::mem::swap(&mut self.r, &mut self.ap);
        each(&mut self.r, &mut self.sums, |first, part| {
            for (i, r) in (first..).zip(part) {
                *r = free.project(i, vector[i]);
            }
            0.0
        });
        let size = self.precondition(free);
        std::mem::swap(&mut self.r, &mut self.ap);
        size
    }

    /// z from r, zero on what is held, and r·z.
    fn precondition(&mut self, free: &Freedom) -> f64 {
        let (r, inverse) = (&self.r, &self.inverse);
        let coarse = self.coarse.as_mut().map(|coarse| {
            coarse.solve(r);
            &*coarse
        });
        each(&mut self.z, &mut self.sums, |first, part| {
            let mut sum = 0.0;
            for (i, z) in (first..).zip(part) {
                let smooth = coarse.map_or(DVec3::ZERO, |c| c.at(i));
                *z = free.project(i, inverse[i] * r[i] + smooth);
                sum += r[i].dot(*z);
            }
            sum
        })
    }
}

/// Adds `factor` times another list.
fn add(list: &mut [DVec3], other: &[DVec3], factor: f64) -> f64 {
    for (x, y) in list.iter_mut().zip(other) {
        *x += *y * factor;
    }
    0.0
}

/// Works on a list and adds up what the work returns: by chunks of fixed size, given with the place
/// of their first item, so that it comes to the same bits for any number of threads.
fn each(
    list: &mut [DVec3],
    sums: &mut [f64],
    work: impl Fn(usize, &mut [DVec3]) -> f64 + Sync,
) -> f64 {
    let run = |(c, (part, total)): (usize, (&mut [DVec3], &mut f64))| {
        *total = work(c * CHUNK, part);
    };
    if list.len() <= ALONE {
        list.chunks_mut(CHUNK).zip(&mut *sums).enumerate().for_each(run);
    } else {
        list.par_chunks_mut(CHUNK).zip(&mut *sums).enumerate().for_each(run);
    }
    sums.iter().sum()
}
