//! Algorithm 1: the wrench that acts at one contact while all others stand still.

use std::array;

use glamx::{DVec2, DVec3, Vec3Swizzles};

use super::block::Block;
use super::cone::on_cone;
use super::{Screw, SpinLaw, Wrench};

impl Wrench {
    /// The wrench for a 6×6 block `w` (row by row, symmetric) and the twist `free` that the contact
    /// has without a wrench (−e of the paper). Allocates nothing; a function of its arguments alone.
    ///
    /// Lines of Algorithm 1: 2–4 the caller's rows are in the contact frame already; 5–8
    /// `joint`; 9–10 centre of pressure; 11–19 `point` (`rim.rs`); 23–24 the spin torque is
    /// bounded about the centre of pressure and carried back to the middle.
    pub fn solve(&self, w: &[f64], free: &[f64]) -> [f64; 6] {
        let (block, free) = (Block::from_rows(w), Screw::from_rows(free));
        let mut rows = [0.0; 6];
        self.wrench(&block, &free).write(&mut rows);
        rows
    }

    /// What is left where rounds do not end: the bounds alone, unless they push.
    fn last_round(&self, block: &Block, free: &Screw, wrench: &Screw, bounded: Screw) -> Screw {
        let last = self.passive(block, free, bounded);
        if !self.bounds_first() || !(power(block, free, &last) > 0.0) {
            return last;
        }
        let Some(wrench) = self.spun(block, free, wrench) else { return last };
        let found = wrench.cop();
        if self.patch.holds(found) { wrench } else { self.rim_or_edge(block, free, &wrench, found) }
    }

    fn wrench(&self, block: &Block, free: &Screw) -> Screw {
        let mut wrench = self.joint(block, free, DVec2::ZERO, None);
        // Where the spin torque is bounded, friction and spin torque per unit load; in each round they follow what
        // the wrench says.
        let mut state = [0.0; 5];
        let (mut begun, mut follow, mut answers) = (state, Aitken::default(), Broyden::default());
        for round in 0..=self.rounds {
            let load = wrench.linear.x;
            if !(load > 0.0) {
                return self.edge(block, free);
            }
            let found = wrench.cop();
            if !found.is_finite() {
                return Screw::default();
            }
            let cop = self.patch.nearest(found);
            let outside = cop != found;
            let rim = || self.rim_or_edge(block, free, &wrench, found);
            // A torque that does not jump at the rim is bounded first: less of it may bring the centre of
            // pressure back inside.
            if outside && !self.bounds_first() {
                return rim();
            }
            let (friction, about) = (wrench.linear.yz(), wrench.spin_about(cop));
            let bounded = match (&self.spin, round) {
                (_, 0) => self.limit(friction, about, load, cop),
                (SpinLaw::Contensou(_), _) => self.against_twist(block, free, &wrench, cop),
                _ => {
                    // Friction is as it must be; the torque goes to where it opposes the spin.
                    let give = block.angular.x_axis.x;
                    let spin = block.apply(&wrench).angular.x + free.angular.x;
                    let against = if give > 0.0 { spin / give } else { 0.0 };
                    (friction, self.limit(friction, about - against, load, cop).1)
                }
            };
            let radius = self.radius();
            // Where friction is found anew in each round it is no part of the state.
            let half = if self.bounds_first() { self.rounds / 2 } else { self.rounds };
            let own = round <= half;
            let of = |f: DVec2| if own { f / load } else { DVec2::ZERO };
            let all = |at: DVec2, f: DVec2, spin: f64| [at.x, at.y, f.x, f.y, spin];
            let wanted = all(cop / radius, of(bounded.0), bounded.1 / (load * radius));
            let place = if round == 0 { cop / radius } else { DVec2::new(state[0], state[1]) };
            let spin = if own { about / (load * radius) } else { state[4] };
            let start = all(place, of(friction), spin);
            let miss = array::from_fn(|k| wanted[k] - start[k]);
            if norm(&miss) <= if round == 0 { 1e-15 } else { 1e-14 } {
                return if outside { rim() } else { wrench };
            }
            if round == self.rounds {
                if outside {
                    return rim();
                }
                let force = DVec3::new(load, bounded.0.x, bounded.0.y);
                return self.last_round(block, free, &wrench, Screw::at(force, bounded.1, cop));
            }
            state = match round {
                0 => wanted,
                _ if round == half => begun,
                _ if round < half => follow.next(start, miss),
                _ => self.within(answers.next(start, miss), radius),
            };
            if round == 0 {
                begun = state;
            }
            let next = DVec2::new(state[0], state[1]) * radius;
            wrench = match self.spin {
                // Friction keeps its direction as the load is found anew.
                SpinLaw::Contensou(_) => {
                    let friction = DVec2::new(state[2], state[3]);
                    along(block, free, (friction, state[4] * radius), next)
                }
                // The spin torque follows the load; forces are found anew beneath it.
                _ => self.joint(block, free, next, Some(state[4] * radius)),
            };
        }
        wrench
    }

    /// A state with its place within the patch, and its spin torque within the bounds there.
    fn within(&self, state: [f64; 5], radius: f64) -> [f64; 5] {
        let place = self.patch.nearest(DVec2::new(state[0], state[1]) * radius);
        let [low, high] = self.spin_bounds(place).map(|bound| bound / radius);
        [place.x / radius, place.y / radius, state[2], state[3], state[4].clamp(low, high)]
    }

    /// Less friction and spin torque where they would push the bodies: as much as takes no energy.
    fn passive(&self, block: &Block, free: &Screw, wrench: Screw) -> Screw {
        let power = |wrench: &Screw| power(block, free, wrench);
        if self.rounds == 0 || !(power(&wrench) > 0.0) {
            return wrench;
        }
        let (cop, load) = (wrench.cop(), wrench.linear.x);
        let (friction, about) = (wrench.linear.yz(), wrench.spin_about(cop));
        let part = |t: f64| along(block, free, (friction * (t / load), about * t / load), cop);
        let admissible =
            |w: &Screw| w.linear.x > 0.0 && self.patch.holds(w.cop()) && power(w) <= 0.0;
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if admissible(&part(middle)) { low = middle } else { high = middle }
        }
        let best = part(low);
        if admissible(&best) { best } else { wrench }
    }

    /// A joint that holds rotation (but for spin, where its torque about `at` is given per unit load)
    /// and carries what the section allows (section 5.2, Eq. 4).
    pub(super) fn joint(&self, block: &Block, free: &Screw, at: DVec2, spin: Option<f64>) -> Screw {
        let rest = block.moved(at).eliminate(&free.moved(at), spin);
        let force = self.cone(&rest.block, rest.velocity);
        if force == DVec3::ZERO { Screw::default() } else { rest.wrench(force, at) }
    }

    /// One step of friction and spin against the twist at the centre of pressure.
    fn against_twist(
        &self,
        block: &Block,
        free: &Screw,
        wrench: &Screw,
        at: DVec2,
    ) -> (DVec2, f64) {
        let load = wrench.linear.x;
        let moved = block.moved(at);
        // Torques count by the length to which the limit surface has shrunk there.
        let radius = self.radius() * self.shrink(at);
        let size = moved.linear.y_axis.yz().length()
            + moved.linear.z_axis.yz().length()
            + moved.angular.x_axis.x * radius * radius
            + 2.0 * moved.coupling.x_axis.yz().length() * radius;
        let caused = block.apply(wrench);
        let spin = (caused.angular + free.angular).x;
        let slip = (caused.velocity_at(at) + free.velocity_at(at)).yz();
        let about = wrench.spin_about(at) - spin * radius * radius / size;
        self.limit(wrench.linear.yz() - slip / size, about, load, at)
    }
}

/// Power of friction and spin torque; below zero where they take energy.
fn power(block: &Block, free: &Screw, wrench: &Screw) -> f64 {
    let twist = block.apply(wrench);
    let cop = wrench.cop();
    let slip = (twist.velocity_at(cop) + free.velocity_at(cop)).yz();
    slip.dot(wrench.linear.yz()) + (twist.angular.x + free.angular.x) * wrench.spin_about(cop)
}

/// States that follow what they lead to as far as the last two rounds let hope.
#[derive(Default)]
struct Aitken {
    last: Option<([f64; 5], f64)>,
}

impl Aitken {
    fn next(&mut self, x: [f64; 5], g: [f64; 5]) -> [f64; 5] {
        let mut follow = 1.0;
        if let Some((old, last)) = self.last {
            follow = last;
            let turn = array::from_fn(|k| g[k] - old[k]);
            let square = norm(&turn).powi(2);
            if square > 0.0 {
                follow = (-follow * dot(&old, &turn) / square).clamp(0.05, 1.0);
            }
        }
        self.last = Some((g, follow));
        array::from_fn(|k| x[k] + follow * g[k])
    }
}

/// Broyden's method for a state x that misses what it leads to by g(x): x ← x + H g, where H takes differences of g
/// back to those of −x. Where a body that is tall for its patch spins, the place at which it does so moves forty times as
/// far as the one it was held at: just to follow leads away there.
#[derive(Default)]
struct Broyden {
    /// What was taken off the identity to have H: rank-one terms.
    terms: [([f64; 5], [f64; 5]); TERMS],
    count: usize,
    last: Option<([f64; 5], [f64; 5])>,
}

impl Broyden {
    fn next(&mut self, x: [f64; 5], g: [f64; 5]) -> [f64; 5] {
        if let Some((old_x, old_g)) = self.last
            && self.count < TERMS
        {
            let s = array::from_fn(|k| x[k] - old_x[k]);
            let hy = self.apply(&array::from_fn(|k| g[k] - old_g[k]));
            let along = dot(&s, &hy);
            if along.abs() > 1e-12 * norm(&s) * norm(&hy) {
                let sh = self.apply_transposed(&s);
                self.terms[self.count] = (array::from_fn(|k| (-s[k] - hy[k]) / along), sh);
                self.count += 1;
            }
        } else if self.count == TERMS {
            *self = Broyden::default();
        }
        self.last = Some((x, g));
        let step = self.apply(&g);
        array::from_fn(|k| x[k] + step[k])
    }

    fn apply(&self, v: &[f64; 5]) -> [f64; 5] {
        let add = |sum: [f64; 5], (a, b): &([f64; 5], [f64; 5])| {
            let part = dot(b, v);
            array::from_fn(|k| sum[k] + a[k] * part)
        };
        self.terms[..self.count].iter().fold(*v, add)
    }

    fn apply_transposed(&self, v: &[f64; 5]) -> [f64; 5] {
        let add = |sum: [f64; 5], (a, b): &([f64; 5], [f64; 5])| {
            let part = dot(a, v);
            array::from_fn(|k| sum[k] + b[k] * part)
        };
        self.terms[..self.count].iter().fold(*v, add)
    }
}

/// Terms after which it begins anew.
const TERMS: usize = 20;

fn dot(a: &[f64; 5], b: &[f64; 5]) -> f64 {
    (0..5).map(|k| a[k] * b[k]).sum()
}

fn norm(v: &[f64; 5]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The wrench with friction and spin torque about a point given per unit load, rolling held.
fn along(block: &Block, free: &Screw, (friction, spin): (DVec2, f64), cop: DVec2) -> Screw {
    let rest = block.moved(cop).eliminate(&free.moved(cop), Some(spin));
    if rest.velocity.x >= 0.0 {
        return Screw::default();
    }
    rest.wrench(on_cone(&rest.block, rest.velocity, friction), cop)
}
