//! A block on a spring under rate-and-state friction: its differential equations, by extrapolation.

use glamx::{DMat3, DVec3};

/// How the state θ evolves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Evolution {
    /// θ̇ = 1 − Vθ/D.
    Aging,
    /// θ̇ = −(Vθ/D) ln(Vθ/D).
    Slip,
}

/// μ = a asinh(V/(2 V₀) exp((μ₀ + b ln(V₀θ/D))/a)).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Friction {
    pub(crate) mu: f64,
    pub(crate) a: f64,
    pub(crate) b: f64,
    /// V₀, m/s.
    pub(crate) speed: f64,
    /// D, m.
    pub(crate) distance: f64,
    pub(crate) evolution: Evolution,
}

impl Friction {
    /// μ and dμ/dln V; `u` is ln V, `q` is ln(V₀θ/D).
    fn at(&self, u: f64, q: f64) -> (f64, f64) {
        // asinh(eᶻ/2) = z + ln((1 + √(1 + 4 e⁻²ᶻ))/2), which does not overflow for large z.
        let z = u - self.speed.ln() + (self.mu + self.b * q) / self.a;
        let root = (1.0 + 4.0 * (-2.0 * z).exp()).sqrt();
        if z > -20.0 {
            (self.a * (z + (0.5 * (1.0 + root)).ln()), self.a / root)
        } else {
            (self.a * 0.5 * z.exp(), self.a * 0.5 * z.exp())
        }
    }

    /// μ at a speed (m/s) and a state θ (s).
    pub(crate) fn coefficient(&self, speed: f64, state: f64) -> f64 {
        self.at(speed.ln(), (self.speed * state / self.distance).ln()).0
    }

    /// θ (s) after `time` at a constant speed, from θ at its start: the closed form.
    pub(crate) fn state_after(&self, state: f64, speed: f64, time: f64) -> f64 {
        let steady = self.distance / speed;
        let fades = (-time / steady).exp();
        match self.evolution {
            Evolution::Aging if speed == 0.0 => state + time,
            Evolution::Slip if speed == 0.0 => state,
            Evolution::Aging => steady + (state - steady) * fades,
            Evolution::Slip => steady * (fades * (state / steady).ln()).exp(),
        }
    }
}

/// m x″ = k (V_p t − x) − N μ.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slider {
    pub(crate) friction: Friction,
    /// m, kg.
    pub(crate) mass: f64,
    /// N, newtons.
    pub(crate) load: f64,
    /// k, N/m.
    pub(crate) stiffness: f64,
    /// V_p, m/s.
    pub(crate) pull: f64,
}

/// What is seen at a time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// s.
    pub(crate) time: f64,
    /// Of the block, m/s.
    pub(crate) speed: f64,
    /// Of the spring, N.
    pub(crate) force: f64,
}

impl Slider {
    /// N (b − a)/D, N/m.
    pub(crate) fn critical_stiffness(&self) -> f64 {
        let f = &self.friction;
        self.load * (f.b - f.a) / f.distance
    }

    /// Rates of (stretch of the spring, ln V, ln(V₀θ/D)) and their Jacobian.
    fn rates(&self, y: DVec3) -> (DVec3, DMat3) {
        let (f, [stretch, u, q]) = (&self.friction, y.to_array());
        let (speed, inertia) = (u.exp(), self.mass * u.exp());
        let (mu, slope) = f.at(u, q);
        let faster = (self.stiffness * stretch - self.load * mu) / inertia;
        let (per, lag) = (speed / f.distance, u - f.speed.ln() + q);
        let fresh = f.speed / f.distance * (-q).exp();
        let (older, by_speed, by_state) = match f.evolution {
            Evolution::Aging => (fresh - per, -per, -fresh),
            Evolution::Slip => (-per * lag, -per * (lag + 1.0), -per),
        };
        let stiff = self.load * slope / inertia;
        let jacobian = DMat3::from_cols(
            DVec3::new(0.0, self.stiffness / inertia, 0.0),
            DVec3::new(-speed, -stiff - faster, by_speed),
            DVec3::new(0.0, -stiff * f.b / f.a, by_state),
        );
        (DVec3::new(self.pull - speed, faster, older), jacobian)
    }

    /// From a spring stretched to `force` (N) and an age θ (s), where friction balances it, for
    /// `duration` (s). `tolerance`: of each step, in units of D for the spring and 1 for logarithms.
    pub(crate) fn solve(&self, force: f64, age: f64, duration: f64, tolerance: f64) -> Vec<Sample> {
        let f = &self.friction;
        let q = (f.speed * age / f.distance).ln();
        // μ = a asinh(eᶻ/2), so z = ln(2 sinh(μ/a)).
        let wanted = force / (self.load * f.a);
        let z = wanted + (-(-2.0 * wanted).exp()).ln_1p();
        let u = z + f.speed.ln() - (f.mu + f.b * q) / f.a;
        let mut y = DVec3::new(force / self.stiffness, u, q);
        let (mut time, mut h) = (0.0, 1e-6);
        let sample =
            |time, y: DVec3| Sample { time, speed: y.y.exp(), force: self.stiffness * y.x };
        let mut samples = vec![sample(time, y)];
        while time < duration {
            let (next, error) = self.step(y, h);
            let error = error / tolerance;
            if error <= 1.0 {
                (time, y) = (time + h, next);
                samples.push(sample(time, y));
            }
            // A step that left the numbers is tried again with a tenth.
            let factor = 0.9 * error.max(1e-12).powf(-1.0 / LEVELS as f64);
            h = (h * if factor.is_finite() { factor.clamp(0.1, 3.0) } else { 0.1 }).min(LONGEST);
        }
        samples
    }

    /// One step: linearly implicit Euler in 1, 2, … parts, extrapolated; and its error.
    fn step(&self, start: DVec3, h: f64) -> (DVec3, f64) {
        let (first, jacobian) = self.rates(start);
        let mut row: Vec<DVec3> = Vec::new();
        let mut error = f64::INFINITY;
        for parts in 1..=LEVELS {
            let part = h / parts as f64;
            let inverse = (DMat3::IDENTITY - jacobian * part).inverse();
            let mut y = start + inverse * (first * part);
            for _ in 1..parts {
                y += inverse * (self.rates(y).0 * part);
            }
            // Aitken and Neville: the error of Euler's method has all powers of the part.
            let mut new = vec![y];
            for k in 1..parts {
                let ratio = parts as f64 / (parts - k) as f64 - 1.0;
                new.push(new[k - 1] + (new[k - 1] - row[k - 1]) / ratio);
            }
            if parts > 1 {
                let off = new[parts - 1] - new[parts - 2];
                error = (off / DVec3::new(self.friction.distance, 1.0, 1.0)).abs().max_element();
            }
            row = new;
        }
        let last = row[LEVELS - 1];
        (last, if last.is_finite() { error } else { f64::INFINITY })
    }
}

/// Columns of the extrapolation.
const LEVELS: usize = 5;
/// s; steps are shorter, so that largest and smallest values are met.
const LONGEST: f64 = 2e-4;

/// What one slip after the other is like.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cycle {
    /// Between slips, s.
    pub(crate) period: f64,
    /// Force before a slip less that after it, N.
    pub(crate) drop: f64,
    /// Largest speed, m/s.
    pub(crate) fastest: f64,
}

/// Times at which slips begin: where the speed rises through `threshold`.
pub(crate) fn onsets(samples: &[Sample], threshold: f64) -> Vec<f64> {
    let rises = samples.windows(2).filter(|w| w[0].speed < threshold && w[1].speed >= threshold);
    rises
        .map(|w| {
            let share = (threshold - w[0].speed) / (w[1].speed - w[0].speed);
            w[0].time + share * (w[1].time - w[0].time)
        })
        .collect()
}

/// The cycle that is repeated, from the third slip to the last; `None` with fewer than five.
pub(crate) fn cycle(samples: &[Sample], threshold: f64) -> Option<Cycle> {
    let starts = onsets(samples, threshold);
    let (from, to) = (*starts.get(2)?, *starts.get(4..)?.last()?);
    let within = samples.iter().filter(|s| (from..to).contains(&s.time));
    let (mut low, mut high, mut fastest) = (f64::INFINITY, 0.0_f64, 0.0_f64);
    for s in within {
        (low, high) = (low.min(s.force), high.max(s.force));
        fastest = fastest.max(s.speed);
    }
    Some(Cycle { period: (to - from) / (starts.len() - 3) as f64, drop: high - low, fastest })
}
