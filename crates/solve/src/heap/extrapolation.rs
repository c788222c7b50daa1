//! Extrapolation of sweeps over a heap, as in [`crate::anderson`]: of impulses, and of the velocities that follow from
//! them, so that these need not be found anew.

use rayon::prelude::*;

use super::CHUNK;
use crate::anderson::{DEPTH, solve_positive};
use crate::delassus::piece::Mover;
use crate::delassus::point_contact::Twist;
use crate::dense::dot;
use crate::vectors::Vectorised;

/// What is remembered of the last sweeps.
#[derive(Debug, Clone, Default)]
pub(super) struct Extrapolation {
    parts: Vec<Part>,
    /// Velocities after the last sweep, and how they differed from sweep to sweep.
    last: Vec<Twist>,
    twists: [Vec<Twist>; DEPTH],
    /// Products of the differences of f, and of each with the last f.
    gram: [[f64; DEPTH]; DEPTH],
    with_f: [f64; DEPTH],
    depth: usize,
    count: usize,
    next: usize,
    primed: bool,
}

/// The same of a chunk of contacts: f = G(x) − x, g = G(x), and their differences, one row each per sweep.
#[derive(Debug, Clone, Default)]
struct Part {
    df: Vec<f64>,
    dg: Vec<f64>,
    last_f: Vec<f64>,
    last_g: Vec<f64>,
    gram: [f64; DEPTH],
    with_f: f64,
    change: f64,
}

impl Extrapolation {
    /// Forgets everything; sized for so many contacts, bodies and sweeps.
    pub(super) fn reset(&mut self, contacts: usize, bodies: usize, depth: usize) {
        self.depth = depth.min(DEPTH);
        self.parts.resize_with(contacts.div_ceil(CHUNK), Part::default);
        for (k, part) in self.parts.iter_mut().enumerate() {
            let n = 3 * (contacts - k * CHUNK).min(CHUNK);
            for (list, rows) in [(&mut part.df, self.depth), (&mut part.dg, self.depth)] {
                list.resize(n * rows, 0.0);
            }
            part.last_f.resize(n, 0.0);
            part.last_g.resize(n, 0.0);
        }
        for list in self.twists.iter_mut().take(self.depth).chain([&mut self.last]) {
            list.resize(bodies, Twist::default());
        }
        self.forget();
    }

    /// Forgets all sweeps.
    pub(super) fn forget(&mut self) {
        (self.count, self.next, self.primed) = (0, 0, false);
    }

    /// Notes a sweep from `x` to `g`, after which bodies move like this; the size of its change.
    pub(super) fn note(&mut self, x: &[[f64; 3]], g: &[[f64; 3]], movers: &[Mover]) -> f64 {
        let k = self.primed.then_some(self.next);
        if let Some(k) = k {
            self.next = (k + 1) % self.depth;
            self.count = (self.count + 1).min(self.depth);
            for ((d, last), mover) in self.twists[k].iter_mut().zip(&self.last).zip(movers) {
                *d = (mover.twist.0 - last.0, mover.twist.1 - last.1);
            }
        }
        let count = self.count;
        let chunks = self.parts.par_iter_mut().zip(x.par_chunks(CHUNK)).zip(g.par_chunks(CHUNK));
        chunks.for_each(|((part, x), g)| {
            Note { part, k, count, x: x.as_flattened(), g: g.as_flattened() }.with_vectors();
        });
        for (last, mover) in self.last.iter_mut().zip(movers) {
            *last = mover.twist;
        }
        self.primed = true;
        if let Some(k) = k {
            for j in 0..count {
                let product = self.parts.iter().map(|part| part.gram[j]).sum();
                (self.gram[k][j], self.gram[j][k]) = (product, product);
                // f grew by the new difference.
                self.with_f[j] += product;
            }
            self.with_f[k] = self.parts.iter().map(|part| part.with_f).sum();
        }
        self.parts.iter().map(|part| part.change).sum::<f64>().sqrt()
    }

    /// Moves impulses and velocities to where the next sweep should start.
    pub(super) fn apply(&mut self, g: &mut [[f64; 3]], movers: &mut [Mover]) {
        let (count, mut weights) = (self.count, self.with_f);
        if count == 0
            || !solve_positive(&self.gram, &mut weights, count)
            || !weights[..count].iter().all(|w| w.is_finite())
        {
            return;
        }
        let chunks = self.parts.par_iter().zip(g.par_chunks_mut(CHUNK));
        chunks.for_each(|(part, g)| {
            Apply { part, weights: &weights[..count], g: g.as_flattened_mut() }.with_vectors();
        });
        for (d, weight) in self.twists.iter().zip(&weights[..count]) {
            for (mover, d) in movers.iter_mut().zip(d) {
                mover.twist.0 -= d.0 * *weight;
                mover.twist.1 -= d.1 * *weight;
            }
        }
    }
}

impl Part {
    /// Notes a sweep, as the k-th difference of `count` where there was one before.
    #[inline(always)]
    fn note(&mut self, k: Option<usize>, count: usize, x: &[f64], g: &[f64]) {
        let n = g.len();
        let row = |j: usize| j * n..(j + 1) * n;
        if let Some(k) = k {
            let (df, dg) = (&mut self.df[row(k)], &mut self.dg[row(k)]);
            for i in 0..n {
                let f = g[i] - x[i];
                df[i] = f - self.last_f[i];
                dg[i] = g[i] - self.last_g[i];
                self.last_f[i] = f;
            }
            for j in 0..count {
                self.gram[j] = dot(&self.df[row(k)], &self.df[row(j)]);
            }
            self.with_f = dot(&self.df[row(k)], &self.last_f);
        } else {
            for i in 0..n {
                self.last_f[i] = g[i] - x[i];
            }
        }
        self.last_g.copy_from_slice(g);
        self.change = dot(&self.last_f, &self.last_f);
    }

    #[inline(always)]
    fn apply(&self, weights: &[f64], g: &mut [f64]) {
        let n = g.len();
        for (j, weight) in weights.iter().enumerate() {
            for (g, d) in g.iter_mut().zip(&self.dg[j * n..(j + 1) * n]) {
                *g -= weight * d;
            }
        }
    }
}

/// [`Part::note`] for one part.
struct Note<'a> {
    part: &'a mut Part,
    k: Option<usize>,
    count: usize,
    x: &'a [f64],
    g: &'a [f64],
}

impl Vectorised for Note<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.part.note(self.k, self.count, self.x, self.g);
    }
}

/// [`Part::apply`] for one part.
struct Apply<'a> {
    part: &'a Part,
    weights: &'a [f64],
    g: &'a mut [f64],
}

impl Vectorised for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.part.apply(self.weights, self.g);
    }
}
