//! The exact solution of one contact while all others stand still.
//!
//! A planar contact (normal, t, b) either separates, sticks, or slips in some direction
//! d = (cos φ, sin φ). While it slips, its set gives the force per unit load s(φ), u_n = 0 gives
//! the load, and what remains is one equation for φ: the slip that results must point along d.
//! This holds for every set of dimension two, associated or not, smooth or with corners; at a
//! corner's edge s jumps, and the solution lies on the edge, where the equation is linear.

use std::f64::consts::{PI, TAU};

use asperity_friction::set::{MAX_DIM, Set};
use glamx::{DMat2, DVec2};

use crate::local_generic;

/// Most rows of a piece: a normal and a friction block.
pub(crate) const MAX_LOCAL: usize = 1 + MAX_DIM;

/// A piece of the problem with all other impulses fixed: u = W r + q on its own rows.
pub(crate) struct Local<'a> {
    /// Row-major block of W.
    pub(crate) w: &'a [f64],
    /// Its inverse; not a number where W is singular.
    pub(crate) inverse: &'a [f64],
    /// Velocity without the piece's own impulses.
    pub(crate) q: &'a [f64],
    /// Whether the first row is a normal row that loads the block.
    pub(crate) has_normal: bool,
    /// The load where it is not.
    pub(crate) load: f64,
    /// The block's set; `None` for a lone normal row.
    pub(crate) set: Option<&'a Set>,
    /// Patch radius for torque rows, metres.
    pub(crate) radius: f64,
}

/// Solves the piece. `r` holds the last impulses and receives the new ones.
pub(crate) fn solve(local: &Local, r: &mut [f64]) {
    let n = r.len();
    let Some(set) = local.set else {
        r[0] = if local.w[0] > 0.0 { (-local.q[0] / local.w[0]).max(0.0) } else { 0.0 };
        return;
    };
    if let Set::Wrench(set) = set {
        r.copy_from_slice(&set.solve(local.w, local.q));
        return;
    }
    if local.has_normal {
        if local.q[0] >= 0.0 || local.w[0] <= 0.0 {
            r.fill(0.0); // separates, or nothing can move
            return;
        }
    } else if local.load <= 0.0 && !matches!(set, Set::Free(_)) {
        r.fill(0.0);
        return;
    }
    let mut stick = [0.0; MAX_LOCAL];
    let sticks = local.no_slip(&mut stick[..n]) && {
        let (load, friction) = split(local, &stick[..n]);
        load >= 0.0 && holds(set, friction, load)
    };
    if sticks {
        r.copy_from_slice(&stick[..n]);
        return;
    }
    let solved = match set {
        Set::Free(_) => true, // no solution (W is singular): keep the last impulse
        Set::Interval(s) => slip_1d(local, [s.min(), s.max()], r),
        _ if set.dim() == 2 => slip_2d(local, set, r),
        _ => false,
    };
    if !solved {
        local_generic::solve(local, set, r);
    }
}

impl Local<'_> {
    /// The impulses that leave no velocity, −W⁻¹q; false where there are none.
    fn no_slip(&self, x: &mut [f64]) -> bool {
        let n = x.len();
        if !self.inverse[0].is_finite() {
            return false;
        }
        let mut error = [0.0; MAX_LOCAL];
        error[..n].copy_from_slice(self.q);
        // The second round removes what rounding left in the inverse.
        for _ in 0..2 {
            for i in 0..n {
                for j in 0..n {
                    x[i] -= self.inverse[i * n + j] * error[j];
                }
            }
            for i in 0..n {
                error[i] = self.q[i];
                for j in 0..n {
                    error[i] += self.w[i * n + j] * x[j];
                }
            }
        }
        true
    }
}

/// Whether a force is in the set: exactly, up to rounding.
fn holds(set: &Set, force: &[f64], load: f64) -> bool {
    let size = force.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
    set.contains(force, load, 1e-15 * size)
}

/// The load and the friction part of a piece's impulses.
fn split<'r>(local: &Local, r: &'r [f64]) -> (f64, &'r [f64]) {
    if local.has_normal { (r[0], &r[1..]) } else { (local.load, r) }
}

/// One friction row: it slips to one side or the other.
fn slip_1d(local: &Local, bounds: [f64; 2], r: &mut [f64]) -> bool {
    if !local.has_normal {
        let [low, high] = bounds.map(|s| s * local.load);
        if local.w[0] > 0.0 {
            r[0] = (-local.q[0] / local.w[0]).clamp(low, high);
        }
        return true;
    }
    let [w_nn, w_nt, w_tn, w_tt] = [local.w[0], local.w[1], local.w[2], local.w[3]];
    // A slip in the positive sense goes with the lower bound.
    for (s, sense) in [(bounds[0], 1.0), (bounds[1], -1.0)] {
        let inverse_load = w_nn + w_nt * s;
        let load = -local.q[0] / inverse_load;
        let slip = (w_tn + w_tt * s) * load + local.q[1];
        if inverse_load > 0.0 && slip * sense >= 0.0 {
            r[0] = load;
            r[1] = s * load;
            return true;
        }
    }
    false
}

/// The equation of slip: with force s per unit load, the slip is along v(s) = a + B s, and the
/// load is positive where c + d·s is.
struct Slip<'a> {
    set: &'a Set,
    a: DVec2,
    b: DMat2,
    c: f64,
    d: DVec2,
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

    fn inverse_load(&self, s: DVec2) -> f64 {
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
            Set::Disk(s) => (DMat2::from_diagonal(DVec2::splat(s.radius())), DMat2::IDENTITY),
            Set::Ellipse(s) => {
                let (mu, axis) = (s.mu(), s.rotation().to_frame(DVec2::X));
                let e = DMat2::from_cols(axis * mu.x, axis.perp() * mu.y);
                (e, e.transpose())
            }
            Set::Tensor(s) => (s.as_linear()?, DMat2::IDENTITY),
            _ => return None,
        };
        let (a, c) = (back * self.a, back * self.b * e);
        let mut d = (back * guess).try_normalize()?;
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
            if turn.abs() <= 1e-13 {
                // Now exact: the next step would be below rounding.
                let s = e * -d;
                return (d.dot(a - c * d) > 0.0 && self.inverse_load(s) > 0.0).then_some(s);
            }
        }
        None
    }

    /// The force of a slip near `guess`; a search from there, else one all round.
    fn solve(&self, guess: DVec2) -> Option<DVec2> {
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

/// Two friction rows: finds the direction of slip.
fn slip_2d(local: &Local, set: &Set, r: &mut [f64]) -> bool {
    let (w, q) = (local.w, local.q);
    let (slip, guess) = if local.has_normal {
        let w_nt = DVec2::new(w[1], w[2]);
        let w_tn = DVec2::new(w[3], w[6]);
        let w_tt = DMat2::from_cols(DVec2::new(w[4], w[7]), DVec2::new(w[5], w[8]));
        let q_t = DVec2::new(q[1], q[2]);
        // load = −q_n/(w_nn + w_nt·s); slip·(w_nn + w_nt·s) = a + B s.
        let slip = Slip {
            set,
            a: w_tn * -q[0] + q_t * w[0],
            b: w_tt * -q[0] + DMat2::from_cols(q_t * w_nt.x, q_t * w_nt.y),
            c: w[0],
            d: w_nt,
        };
        (slip, q_t + w_tn * r[0] + w_tt * DVec2::new(r[1], r[2]))
    } else {
        let w_tt = DMat2::from_cols(DVec2::new(w[0], w[2]), DVec2::new(w[1], w[3]));
        let q_t = DVec2::new(q[0], q[1]);
        let slip = Slip { set, a: q_t, b: w_tt * local.load, c: 1.0, d: DVec2::ZERO };
        (slip, q_t + w_tt * DVec2::new(r[0], r[1]))
    };
    let guess = if guess == DVec2::ZERO { slip.a } else { guess };
    let Some(s) = slip.solve(guess) else { return false };
    let load = if local.has_normal { -q[0] / slip.inverse_load(s) } else { local.load };
    if local.has_normal {
        r[0] = load;
    }
    let first = usize::from(local.has_normal);
    r[first] = s.x * load;
    r[first + 1] = s.y * load;
    true
}

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

/// Solves W x = −q for a small W by elimination with pivoting; false where W is singular.
pub(crate) fn solve_linear(w: &[f64], q: &[f64], x: &mut [f64]) -> bool {
    let n = q.len();
    let mut m = [[0.0; MAX_LOCAL + 1]; MAX_LOCAL];
    let mut size = 0.0_f64;
    for i in 0..n {
        for j in 0..n {
            m[i][j] = w[i * n + j];
            size = size.max(m[i][j].abs());
        }
        m[i][n] = -q[i];
    }
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if m[i][k].abs() > m[pivot][k].abs() {
                pivot = i;
            }
        }
        if !(m[pivot][k].abs() > 1e-14 * size) {
            return false;
        }
        m.swap(k, pivot);
        for i in k + 1..n {
            let factor = m[i][k] / m[k][k];
            for j in k..=n {
                m[i][j] -= factor * m[k][j];
            }
        }
    }
    for i in (0..n).rev() {
        let mut sum = m[i][n];
        for j in i + 1..n {
            sum -= m[i][j] * x[j];
        }
        x[i] = sum / m[i][i];
    }
    true
}
