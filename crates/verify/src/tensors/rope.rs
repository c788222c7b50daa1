//! A rope that slides along a half-pipe, integrated on its own (Pabst 2009, Fig. 6).
//!
//! The rope cannot stretch and lies on the pipe y = −A cos(2πx/λ) with all of its length, so that all
//! of it has one speed v and one acceleration a along the pipe. Per length and mass its load is
//! N = g cos θ + v²κ − Tκ, with the slope θ, the curvature κ and the tension T, which obeys
//! T' = a + g sin θ ± μN and vanishes at both ends. T is linear in a: two integrations give a.

use std::f64::consts::TAU;

/// A pipe, and a rope on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rope {
    /// A, metres.
    pub(super) amplitude: f64,
    /// λ, metres.
    pub(super) wave: f64,
    /// Of the rope, metres.
    pub(super) length: f64,
    /// Coefficients of sliding to the right and to the left.
    pub(super) mu: [f64; 2],
}

/// How far the centre of a rope goes along x, metres.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Way {
    /// Farthest from where it began.
    pub(super) farthest: f64,
    /// Where it ends.
    pub(super) end: f64,
}

const GRAVITY: f64 = 9.81;
/// Parts of the rope.
const PARTS: usize = 100;
const STEP: f64 = 1e-3;

impl Rope {
    /// dy/dx, cos θ and κ.
    fn at(&self, x: f64) -> (f64, f64, f64) {
        let k = TAU / self.wave;
        let slope = self.amplitude * k * (k * x).sin();
        let cosine = 1.0 / slope.hypot(1.0);
        (slope, cosine, self.amplitude * k * k * (k * x).cos() * cosine.powi(3))
    }

    /// x a way `ds` along the pipe from x.
    fn along(&self, x: f64, ds: f64) -> f64 {
        let (_, half, _) = self.at(x + 0.5 * ds * self.at(x).1);
        x + ds * half
    }

    /// x of the middles of the parts, for the rope's middle.
    fn parts(&self, middle: f64) -> [f64; PARTS] {
        let ds = self.length / PARTS as f64;
        let mut x = [0.0; PARTS];
        x[PARTS / 2] = self.along(middle, 0.5 * ds);
        x[PARTS / 2 - 1] = self.along(middle, -0.5 * ds);
        for i in PARTS / 2 + 1..PARTS {
            x[i] = self.along(x[i - 1], ds);
        }
        for i in (0..PARTS / 2 - 1).rev() {
            x[i] = self.along(x[i + 1], -ds);
        }
        x
    }

    /// The acceleration at speed v with friction μ against the sense of motion, ±1.
    fn acceleration(&self, middle: f64, v: f64, sense: f64, mu: f64) -> f64 {
        let ds = self.length / PARTS as f64;
        // T = own + a · by.
        let (mut own, mut by) = (0.0, 0.0);
        for x in self.parts(middle) {
            let (slope, cosine, curvature) = self.at(x);
            let pull = GRAVITY * slope * cosine;
            let load = GRAVITY * cosine + v * v * curvature;
            let q = 0.5 * ds * sense * mu * curvature;
            own = (own * (1.0 - q) + ds * (pull + sense * mu * load)) / (1.0 + q);
            by = (by * (1.0 - q) + ds) / (1.0 + q);
        }
        -own / by
    }

    fn centre(&self, middle: f64) -> f64 {
        self.parts(middle).iter().sum::<f64>() / PARTS as f64
    }

    /// Lets it go with its middle at x, until it rests or for so many seconds.
    pub(super) fn slide(&self, mut x: f64, seconds: f64) -> Way {
        let start = self.centre(x);
        let (mut v, mut way) = (0.0, Way::default());
        for _ in 0..(seconds / STEP).round() as usize {
            let falls = if v == 0.0 { self.acceleration(x, 0.0, 0.0, 0.0) } else { v };
            let sense = f64::signum(falls);
            let mu = if sense > 0.0 { self.mu[0] } else { self.mu[1] };
            let a = self.acceleration(x, v, sense, mu);
            if v == 0.0 && a * sense <= 0.0 {
                break;
            }
            let next = v + STEP * a;
            v = if v * next < 0.0 { 0.0 } else { next };
            x = self.along(x, STEP * v);
            way.end = self.centre(x) - start;
            if way.end.abs() > way.farthest.abs() {
                way.farthest = way.end;
            }
        }
        way
    }
}
