//! Contacts with torque rows (spin, rolling), which have no slip angle: Newton's method on the
//! natural map, with proximal steps where Newton does not make progress.

use asperity_friction::set::Set;

use crate::local::{Local, MAX_LOCAL, solve_linear};

type Vector = [f64; MAX_LOCAL];

/// The piece in units in which torques are forces.
struct Scaled<'a> {
    n: usize,
    w: [f64; MAX_LOCAL * MAX_LOCAL],
    q: Vector,
    has_normal: bool,
    load: f64,
    set: &'a Set,
    rho_normal: f64,
    rho: f64,
}

/// Solves the piece; `r` is the start and receives the result.
pub(crate) fn solve(local: &Local, set: &Set, r: &mut [f64]) {
    let n = r.len();
    let first = usize::from(local.has_normal);
    let scaled_set = set.in_torque_units(local.radius);
    let scale = |k: usize| if k >= first + 2 && scaled_set.is_some() { local.radius } else { 1.0 };
    let mut piece = Scaled {
        n,
        w: [0.0; MAX_LOCAL * MAX_LOCAL],
        q: [0.0; MAX_LOCAL],
        has_normal: local.has_normal,
        load: local.load,
        set: scaled_set.as_ref().unwrap_or(set),
        rho_normal: 1.0,
        rho: 1.0,
    };
    let mut x = [0.0; MAX_LOCAL];
    let mut row_sum = 0.0_f64;
    for i in 0..n {
        piece.q[i] = local.q[i] * scale(i);
        x[i] = r[i] / scale(i);
        let mut sum = 0.0;
        for j in 0..n {
            let w = local.w[i * n + j] * scale(i) * scale(j);
            piece.w[i * n + j] = w;
            if j >= first {
                sum += w.abs();
            }
        }
        if i >= first {
            row_sum = row_sum.max(sum);
        }
    }
    piece.rho_normal = 1.0 / piece.w[0].max(f64::MIN_POSITIVE);
    piece.rho = 1.0 / row_sum.max(f64::MIN_POSITIVE);
    if piece.run(&mut x) > 1e-13 && piece.has_normal {
        piece.search_load(&mut x);
        piece.run(&mut x);
    }
    for i in 0..n {
        r[i] = x[i] * scale(i);
    }
}

impl Scaled<'_> {
    /// The natural map at `x`, and its norm.
    fn error(&self, x: &Vector, e: &mut Vector) -> f64 {
        let n = self.n;
        let mut u = self.q;
        for i in 0..n {
            for j in 0..n {
                u[i] += self.w[i * n + j] * x[j];
            }
        }
        let first = usize::from(self.has_normal);
        let load = if self.has_normal {
            e[0] = x[0] - (x[0] - self.rho_normal * u[0]).max(0.0);
            x[0].max(0.0)
        } else {
            self.load
        };
        for v in &mut u[first..n] {
            *v *= self.rho;
        }
        self.set.natural_map(load, &x[first..n], &u[first..n], &mut e[first..n]);
        e[..n].iter().map(|v| v * v).sum::<f64>().sqrt()
    }

    /// Newton and proximal steps from `x`; returns the error reached, relative to the impulses.
    fn run(&self, x: &mut Vector) -> f64 {
        let n = self.n;
        let mut e = [0.0; MAX_LOCAL];
        let mut error = self.error(x, &mut e);
        let mut size = self.size(x);
        for _ in 0..ROUNDS {
            size = self.size(x);
            if error <= 1e-15 * size {
                break;
            }
            if !self.newton(x, &mut e, &mut error, size) {
                // Proximal steps: x ← x − e, the normal row first.
                for _ in 0..PROX_STEPS {
                    let mut step = [0.0; MAX_LOCAL];
                    if self.has_normal {
                        self.error(x, &mut step);
                        x[0] -= step[0];
                    }
                    self.error(x, &mut step);
                    for i in usize::from(self.has_normal)..n {
                        x[i] -= step[i];
                    }
                }
                let before = error;
                error = self.error(x, &mut e);
                if error == before {
                    break;
                }
            }
        }
        error / size
    }

    /// Closes in on the load from both sides.
    ///
    /// With the load N held, friction is a strictly convex problem with one solution r_f(N). At
    /// N = 0 the bodies approach, u_n = q_n < 0; for large N, W being positive definite and zero
    /// being in the set, u_n(N) grows with N. In between lies a solution.
    fn search_load(&self, x: &mut Vector) {
        let n = self.n;
        let mut friction = Scaled { n: n - 1, has_normal: false, ..*self };
        for i in 1..n {
            for j in 1..n {
                friction.w[(i - 1) * (n - 1) + j - 1] = self.w[i * n + j];
            }
        }
        let mut f = [0.0; MAX_LOCAL];
        let mut approach = |load: f64| {
            friction.load = load;
            for i in 1..n {
                friction.q[i - 1] = self.q[i] + self.w[i * n] * load;
            }
            friction.run(&mut f);
            let by_friction: f64 = (1..n).map(|j| self.w[j] * f[j - 1]).sum();
            (self.q[0] + self.w[0] * load + by_friction, f)
        };
        let (mut low, mut high) = (0.0, -self.q[0] * self.rho_normal);
        for _ in 0..100 {
            if approach(high).0 >= 0.0 {
                break;
            }
            (low, high) = (high, 2.0 * high);
        }
        for _ in 0..LOAD_STEPS {
            let middle = 0.5 * (low + high);
            let (u, f) = approach(middle);
            x[0] = middle;
            x[1..n].copy_from_slice(&f[..n - 1]);
            if u < 0.0 { low = middle } else { high = middle }
        }
    }

    fn size(&self, x: &Vector) -> f64 {
        let by_q = |i: usize| self.q[i] * if i == 0 { self.rho_normal } else { self.rho };
        (0..self.n).fold(f64::MIN_POSITIVE, |m, i| m.max(x[i].abs()).max(by_q(i).abs()))
    }

    /// One damped Newton step with a difference Jacobian; false when it does not help.
    fn newton(&self, x: &mut Vector, e: &mut Vector, error: &mut f64, size: f64) -> bool {
        let n = self.n;
        let mut jacobian = [0.0; MAX_LOCAL * MAX_LOCAL];
        let delta = 1e-7 * size;
        for j in 0..n {
            let mut shifted = *x;
            shifted[j] += delta;
            let mut moved = [0.0; MAX_LOCAL];
            self.error(&shifted, &mut moved);
            for i in 0..n {
                jacobian[i * n + j] = (moved[i] - e[i]) / (shifted[j] - x[j]);
            }
        }
        let mut step = [0.0; MAX_LOCAL];
        if !solve_linear(&jacobian[..n * n], &e[..n], &mut step[..n]) {
            return false;
        }
        let mut damping = 1.0;
        for _ in 0..8 {
            let mut trial = *x;
            for i in 0..n {
                trial[i] += damping * step[i];
            }
            if self.has_normal {
                trial[0] = trial[0].max(0.0);
            }
            let mut trial_error = [0.0; MAX_LOCAL];
            let norm = self.error(&trial, &mut trial_error);
            if norm < 0.9 * *error {
                (*x, *e, *error) = (trial, trial_error, norm);
                return true;
            }
            damping *= 0.5;
        }
        false
    }
}

/// Newton steps, or batches of proximal steps, at most.
const ROUNDS: usize = 400;

/// Halvings of the load; Newton's method does the rest.
const LOAD_STEPS: usize = 40;

/// Proximal steps where Newton does not help.
const PROX_STEPS: usize = 30;
