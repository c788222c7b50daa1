//! The exact solution of one contact while all others stand still.
//!
//! A planar contact (normal, t, b) either separates, sticks, or slips in some direction
//! d = (cos φ, sin φ). While it slips, its set gives the force per unit load s(φ), u_n = 0 gives
//! the load, and what remains is one equation for φ: the slip that results must point along d.
//! This holds for every set of dimension two, associated or not, smooth or with corners; at a
//! corner's edge s jumps, and the solution lies on the edge, where the equation is linear.

pub(crate) mod disc;
mod patch;
mod slip;
mod torques;

use asperity_friction::Rheology;
use asperity_friction::set::{MAX_DIM, Set};
use glamx::{DMat2, DVec2};

use crate::rheology;
use slip::Slip;

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
    /// Bias, compliance and drag of a block whose load is held.
    pub(crate) rheology: Option<&'a Rheology>,
    /// Whether a block without load carries nothing, not even where its set is free.
    pub(crate) alone: bool,
    /// Patch radius for torque rows, metres.
    pub(crate) radius: f64,
    /// Whether some digits will do.
    pub(crate) rough: bool,
}

/// Solves the piece. `r` holds the last impulses and receives the new ones.
pub(crate) fn solve(local: &Local, r: &mut [f64]) {
    let Some(set) = local.set else {
        r[0] = if local.w[0] > 0.0 { (-local.q[0] / local.w[0]).max(0.0) } else { 0.0 };
        return;
    };
    if let Set::Wrench(set) = set {
        r.copy_from_slice(&set.solve(local.w, local.q)); // brings its own
        return;
    }
    if local.has_normal {
        if local.q[0] >= 0.0 || local.w[0] <= 0.0 {
            r.fill(0.0); // separates, or nothing can move
            return;
        }
    } else if local.load <= 0.0 && (local.alone || !matches!(set, Set::Free(_))) {
        r.fill(0.0);
        return;
    } else if let Some(rheology) = local.rheology {
        rheology::solve(local, set, rheology, r);
        return;
    }
    solve_set(local, set, r);
}

/// The same for a block that neither gives nor drags and may carry something.
pub(crate) fn solve_set(local: &Local, set: &Set, r: &mut [f64]) {
    let n = r.len();
    let mut stick = [0.0; MAX_LOCAL];
    let regular = local.no_slip(&mut stick[..n]);
    if let (Set::LimitSurface(surface), false, true) = (set, local.has_normal, regular)
        && patch::solve(local, surface, &stick, r)
    {
        return;
    }
    let sticks = regular && {
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
        torques::solve(local, set, r);
    }
}

impl Local<'_> {
    /// The impulses that leave no velocity, −W⁻¹q; false where there are none.
    fn no_slip(&self, x: &mut [f64]) -> bool {
        let n = x.len();
        if !self.inverse[0].is_finite() {
            return false;
        }
        let rounds = if self.rough { 1 } else { 2 };
        if let (Ok(x), Some(inverse), Some(w), Some(q)) = (
            <&mut [f64; 3]>::try_from(&mut *x),
            self.inverse.first_chunk(),
            self.w.first_chunk(),
            self.q.first_chunk(),
        ) {
            let mut error = *q;
            for _ in 0..rounds {
                *x = add_product(*x, -1.0, inverse, error);
                error = add_product(*q, 1.0, w, *x);
            }
            return true;
        }
        let mut error = [0.0; MAX_LOCAL];
        error[..n].copy_from_slice(self.q);
        // The second round removes what rounding left in the inverse.
        for _ in 0..rounds {
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

/// v + sign·M x for a row-major M.
#[inline(always)]
fn add_product(v: [f64; 3], sign: f64, m: &[f64; 9], x: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| {
        v[i] + sign * m[3 * i] * x[0] + sign * m[3 * i + 1] * x[1] + sign * m[3 * i + 2] * x[2]
    })
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

/// Two friction rows: finds the direction of slip.
fn slip_2d(local: &Local, set: &Set, r: &mut [f64]) -> bool {
    let (w, q) = (local.w, local.q);
    let closest = if local.rough { 1e-4 } else { 1e-13 };
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
            closest,
        };
        (slip, q_t + w_tn * r[0] + w_tt * DVec2::new(r[1], r[2]))
    } else {
        let w_tt = DMat2::from_cols(DVec2::new(w[0], w[2]), DVec2::new(w[1], w[3]));
        let q_t = DVec2::new(q[0], q[1]);
        let slip = Slip { set, a: q_t, b: w_tt * local.load, c: 1.0, d: DVec2::ZERO, closest };
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
