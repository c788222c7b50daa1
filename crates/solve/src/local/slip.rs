//! The direction in which a planar contact slips.

use std::f64::consts::{PI, TAU};

use asperity_friction::set::Set;
use glamx::{DMat2, DVec2};

/// The equation of slip: with force s per unit load, the slip is along v(s) = a + B s, and the
/// load is positive where c + d·s is.
pub(super) struct Slip<'a> {
    pub(super) set: &'a Set,
    pub(super) a: DVec2,
    pub(super) b: DMat2,
    pub(super) c: f64,
    pub(super) d: DVec2,
    /// Turn of the direction after which the next would be below what is wanted: its square.
    pub(super) closest: f64,
}

impl Slip<'_> {
    fn force(&self, angle: f64) -> DVec2 {
        let mut force = [0.0; 2];
        self.set.traction(&DVec2::from_angle(angle).to_array(), 1.0, &mut force);
        force.into()
    }

    fn velocity(&self, s: DVec2) -> DVec2 {
        self.a + self.b * s
    }

    pub(super) fn inverse_load(&self, s: DVec2) -> f64 {
        self.c + self.d.dot(s)
    }

    /// Angle from the assumed to the resulting slip, in (−π, π].
    fn error(&self, angle: f64) -> f64 {
        self.velocity(self.force(angle)).rotate_to_frame(angle).to_angle()
    }

    /// Newton's method for sets that are the image of a disc, s = −E d with d in the unit circle:
    /// disks, ellipses, tensors. The slip, seen where the set is a disc, is w(d) = α − C d, and
    /// must point along d; so d turns until d × w = 0.
    fn newton(&self, guess: DVec2) -> Option<DVec2> {
        let (e, back) = match self.set {
            Set::Tensor(s) => (s.as_linear()?, DMat2::IDENTITY),
            Set::Disk(_) => (self.set.disc_map()?, DMat2::IDENTITY),
            _ => (self.set.disc_map()?, self.set.disc_map()?.transpose()),
        };
        let (a, c) = (back * self.a, back * self.b * e);
        let near = (back * guess).try_normalize().and_then(|d| self.turn(e, a, c, d));
        near.or_else(|| self.turn(e, a, c, secular(a, c)?))
    }

    /// The same from a direction `d`, where the set is a disc.
    fn turn(&self, e: DMat2, a: DVec2, c: DMat2, mut d: DVec2) -> Option<DVec2> {
        for _ in 0..NEWTON_STEPS {
            let w = a - c * d;
            let slope = d.dot(w) + d.perp_dot(c * d.perp());
            if !(slope > 0.0) {
                // Far from the solution: into the direction of the slip.
                d = w.try_normalize()?;
                continue;
            }
            let turn = (d.perp_dot(w) / slope).clamp(-1.0, 1.0);
            d = (d + d.perp() * turn).normalize();
            if turn.abs() <= self.closest {
                let s = e * -d;
                return (d.dot(a - c * d) > 0.0 && self.inverse_load(s) > 0.0).then_some(s);
            }
        }
        None
    }

    /// The force of a slip near `guess`; a search from there, else one all round.
    pub(super) fn solve(&self, guess: DVec2) -> Option<DVec2> {
        if let Some(s) = self.newton(guess) {
            return Some(s);
        }
        let near = self.secant(guess.to_angle()).filter(|s| self.inverse_load(*s) > 0.0);
        near.or_else(|| self.search())
    }

    fn secant(&self, start: f64) -> Option<DVec2> {
        let (mut x0, mut e0) = (start, self.error(start));
        let (mut x1, mut e1) = (start + e0, self.error(start + e0));
        for _ in 0..SECANT_STEPS {
            if e1.abs() <= ANGLE_TOLERANCE {
                return Some(self.force(x1));
            }
            let step = -e1 * (x1 - x0) / (e1 - e0);
            if !(step.abs() <= 0.5) {
                return None;
            }
            (x0, e0) = (x1, e1);
            x1 += step;
            e1 = self.error(x1);
            if e1.abs() > 2.0 * e0.abs() {
                return None;
            }
        }
        None
    }

    /// Looks for a sign change of the error all round and closes in on it. A thin ellipse turns
    /// its force within a narrow range of slips: there the directions are spread evenly over its
    /// boundary in a second round.
    fn search(&self) -> Option<DVec2> {
        let even = |k: usize| k as f64 * (TAU / SAMPLES as f64);
        let found = self.search_among(even);
        if found.is_some() {
            return found;
        }
        let Set::Ellipse(ellipse) = self.set else { return None };
        let (mu, axis) = (ellipse.mu(), ellipse.rotation().angle());
        // The normal where the boundary is at the angle ψ, on the same turn as ψ.
        self.search_among(|k| {
            let psi = even(k);
            let normal = DVec2::new(mu.y * psi.cos(), mu.x * psi.sin());
            let turn = (normal.to_angle() - psi + PI).rem_euclid(TAU) - PI;
            axis + psi + turn
        })
    }

    fn search_among(&self, direction: impl Fn(usize) -> f64) -> Option<DVec2> {
        let mut fallback = None;
        let (mut x0, mut e0) = (direction(0), self.error(direction(0)));
        for k in 1..=SAMPLES {
            let x1 = direction(k);
            let e1 = self.error(x1);
            if (e0 <= 0.0) != (e1 <= 0.0) {
                let (s, direction) = self.bisect(x0, e0, x1, e1);
                // Where the error jumps from π to −π, the slip points the wrong way.
                let forward = direction.dot(self.velocity(s)) >= 0.0;
                if forward && self.inverse_load(s) > 0.0 {
                    // The stable root first: there the error falls with the angle.
                    if e1 < e0 {
                        return Some(s);
                    }
                    fallback = fallback.or(Some(s));
                }
            }
            (x0, e0) = (x1, e1);
        }
        fallback
    }

    /// The force and the direction of slip between two ends with errors of unlike sign.
    fn bisect(&self, mut x0: f64, mut e0: f64, mut x1: f64, mut e1: f64) -> (DVec2, DVec2) {
        while (x1 - x0).abs() > 1e-16 * x1.abs().max(1e-3) {
            // A false-position point, kept away from the ends, and the middle, by turns.
            let secant = x0 + (x1 - x0) * (e0 / (e0 - e1)).clamp(0.01, 0.99);
            for x in [secant, 0.5 * (x0 + x1)] {
                if x <= x0 || x >= x1 {
                    continue;
                }
                let e = self.error(x);
                if (e <= 0.0) == (e0 <= 0.0) {
                    (x0, e0) = (x, e);
                } else {
                    (x1, e1) = (x, e);
                }
            }
            if 0.5 * (x0 + x1) <= x0 || 0.5 * (x0 + x1) >= x1 {
                break;
            }
        }
        // Between the ends s is continuous, or it jumps along an edge: there v × d is linear.
        let direction = DVec2::from_angle(0.5 * (x0 + x1));
        let (s0, s1) = (self.force(x0), self.force(x1));
        let (g0, g1) =
            (direction.perp_dot(self.velocity(s0)), direction.perp_dot(self.velocity(s1)));
        let along = if g0 == g1 { 0.5 } else { (g0 / (g0 - g1)).clamp(0.0, 1.0) };
        (s0 + (s1 - s0) * along, direction)
    }
}

/// The unit vector d with (C + λ) d = a for the largest λ > 0: |adj(C) a + λ a| = |λ² + λ tr C +
/// det C|, a quartic in λ, closed in on from both sides. None where nothing is on either side of a
/// root.
fn secular(a: DVec2, c: DMat2) -> Option<DVec2> {
    let (trace, det) = (c.x_axis.x + c.y_axis.y, c.determinant());
    let adjoint = a * trace - c * a;
    let size = |lambda: f64| lambda * (lambda + trace) + det;
    let excess = |lambda: f64| size(lambda).powi(2) - (adjoint + a * lambda).length_squared();
    // Above, C + λ is larger than a in every direction; below, it is singular, or λ is zero.
    let norm = c.x_axis.abs().max(c.y_axis.abs()).element_sum();
    let (mut low, mut high) = (0.0, 2.0 * (a.length() + 2.0 * norm));
    let discriminant = 0.25 * trace * trace - det;
    if discriminant >= 0.0 {
        low = f64::max(low, discriminant.sqrt() - 0.5 * trace);
    }
    if !(excess(low) <= 0.0 && excess(high) > 0.0) {
        return None;
    }
    for _ in 0..SECULAR_STEPS {
        let middle = 0.5 * (low + high);
        if excess(middle) <= 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    ((adjoint + a * high) / size(high)).try_normalize()
}

/// Halvings before the direction is near enough for Newton's method.
const SECULAR_STEPS: usize = 24;

/// Steps of Newton's method before the secant takes over.
const NEWTON_STEPS: usize = 20;

/// Secant steps before the search all round takes over.
const SECANT_STEPS: usize = 12;

/// Angle at which a slip direction counts as found, radians.
const ANGLE_TOLERANCE: f64 = 2e-16;

/// Directions that the search all round tries.
const SAMPLES: usize = 48;

trait RotateToFrame {
    fn rotate_to_frame(self, angle: f64) -> Self;
}

impl RotateToFrame for DVec2 {
    /// The vector as seen from axes turned by `angle`.
    fn rotate_to_frame(self, angle: f64) -> DVec2 {
        let d = DVec2::from_angle(angle);
        DVec2::new(d.dot(self), d.perp_dot(self))
    }
}
