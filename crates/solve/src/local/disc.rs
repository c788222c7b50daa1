//! The exact solution of a point contact with a disc, as [`super::solve`] finds it, for sweeps over many of them.

use glamx::{DMat2, DVec2};

use super::add_product;

/// A point contact (normal, t, b) with isotropic friction.
pub(crate) struct Disc<'a> {
    /// Row-major block of W, which is symmetric.
    pub(crate) w: &'a [f64; 9],
    /// Its inverse; not a number where W is singular.
    pub(crate) inverse: &'a [f64; 9],
    /// Coefficient of friction.
    pub(crate) mu: f64,
    /// Whether some digits will do.
    pub(crate) rough: bool,
}

impl Disc<'_> {
    /// The impulses, where q are the velocities without them and `last` the ones before; `None` where that takes a
    /// search.
    #[inline(always)]
    pub(crate) fn solve(&self, q: [f64; 3], last: [f64; 3]) -> Option<[f64; 3]> {
        let w = self.w;
        if q[0] >= 0.0 || w[0] <= 0.0 {
            return Some([0.0; 3]); // separates, or nothing can move
        }
        if self.mu == 0.0 {
            return Some([-q[0] / w[0], 0.0, 0.0]);
        }
        if self.inverse[0].is_finite() {
            let mut stick = add_product([0.0; 3], -1.0, self.inverse, q);
            if !self.rough {
                let error = add_product(q, 1.0, w, stick);
                stick = add_product(stick, -1.0, self.inverse, error);
            }
            let [load, t, b] = stick;
            let limit = self.mu * load;
            if load >= 0.0 && t * t + b * b <= limit * limit {
                return Some(stick);
            }
        }
        self.slip(q, last)
    }

    /// Newton's method for the direction d of slip, as in [`super::slip`]: with s = −μ d, slip times
    /// w_nn + w_nt·s is a + B s, and d turns until it points along that.
    #[inline(always)]
    fn slip(&self, q: [f64; 3], last: [f64; 3]) -> Option<[f64; 3]> {
        let (w, mu) = (self.w, self.mu);
        let (w_nt, w_tn) = (DVec2::new(w[1], w[2]), DVec2::new(w[3], w[6]));
        let w_tt = DMat2::from_cols(DVec2::new(w[4], w[7]), DVec2::new(w[5], w[8]));
        let q_t = DVec2::new(q[1], q[2]);
        let a = w_tn * -q[0] + q_t * w[0];
        let b = w_tt * -q[0] + DMat2::from_cols(q_t * w_nt.x, q_t * w_nt.y);
        let c = b * mu;
        let guess = q_t + w_tn * last[0] + w_tt * DVec2::new(last[1], last[2]);
        let mut d = guess.try_normalize().or_else(|| a.try_normalize())?;
        let closest = if self.rough { CLOSEST_ROUGH } else { CLOSEST };
        for _ in 0..STEPS {
            let slip = a - c * d;
            let slope = d.dot(slip) + d.perp_dot(c * d.perp());
            if !(slope > 0.0) {
                return None;
            }
            let turn = (d.perp_dot(slip) / slope).clamp(-1.0, 1.0);
            d = (d + d.perp() * turn).normalize();
            if turn.abs() <= closest {
                let inverse_load = w[0] - mu * w_nt.dot(d);
                if !(inverse_load > 0.0 && d.dot(a - c * d) > 0.0) {
                    return None;
                }
                let load = -q[0] / inverse_load;
                return Some([load, -mu * load * d.x, -mu * load * d.y]);
            }
        }
        None
    }
}

/// Turns after which the next would be below what is wanted: their square.
const CLOSEST: f64 = 1e-13;
const CLOSEST_ROUGH: f64 = 1e-4;

/// Steps of Newton's method before a search takes over.
const STEPS: usize = 12;

#[cfg(test)]
mod tests {
    use asperity_friction::set::{Disk, Set};
    use glamx::{DMat3, DVec3};

    use super::Disc;
    use crate::local::{self, Local};

    /// A pseudorandom number in [−1, 1).
    fn next(state: &mut u64) -> f64 {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// What it finds is what the search over directions finds, and it nearly always finds it.
    #[test]
    fn discs_are_solved_as_any_set_is() {
        let state = &mut 7;
        let (mut found, mut slipping) = (0, 0);
        for case in 0..10_000 {
            let vector = |state: &mut u64| DVec3::new(next(state), next(state), next(state));
            let root = DMat3::from_cols(vector(state), vector(state), vector(state));
            let w = (root * root.transpose() + DMat3::IDENTITY * 0.1).to_cols_array();
            let inverse = DMat3::from_cols_array(&w).inverse().to_cols_array();
            let mu = 1.2 * next(state).abs();
            let (q, last) = (vector(state).to_array(), [next(state).abs(), 0.0, 0.1]);
            for rough in [false, true] {
                let disc = Disc { w: &w, inverse: &inverse, mu, rough };
                let Some(ours) = disc.solve(q, last) else { continue };
                let set = Set::from(Disk::new(mu).unwrap());
                let any = Local {
                    w: &w,
                    inverse: &inverse,
                    q: &q,
                    has_normal: true,
                    load: 0.0,
                    set: Some(&set),
                    rheology: None,
                    alone: false,
                    radius: 1.0,
                    rough: false,
                };
                let mut theirs = last;
                local::solve(&any, &mut theirs);
                let scale = theirs.iter().fold(0.1f64, |m, x| m.max(x.abs()));
                let off = (0..3).map(|k| (ours[k] - theirs[k]).abs()).fold(0.0, f64::max);
                let allowed = if rough { 1e-6 } else { 1e-11 };
                assert!(off <= allowed * scale, "case {case}, rough {rough}: {ours:?}, {theirs:?}");
                found += 1;
                let held = mu * theirs[0] * (1.0 - 1e-9);
                slipping += usize::from(theirs[0] > 0.0 && theirs[1].hypot(theirs[2]) >= held);
            }
        }
        assert!(found > 19_000, "{found} of 20,000");
        assert!(slipping > 4_000, "{slipping} slip");
    }
}
