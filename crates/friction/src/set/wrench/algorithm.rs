//! Algorithm 1: the wrench that acts at one contact while all others stand still.

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
        let inside = self.patch.project(found, 1.0) == found;
        if inside { wrench } else { self.rim_or_edge(block, free, &wrench, found) }
    }

    fn wrench(&self, block: &Block, free: &Screw) -> Screw {
        let mut wrench = self.joint(block, free, DVec2::ZERO, None);
        // Where the spin torque is bounded, friction and spin torque per unit load; in each round they
        // follow what the wrench says, as far as the last two rounds let hope (Aitken).
        let (mut state, mut gap, mut follow) = ([0.0; 5], [0.0; 5], 1.0);
        for round in 0..=self.rounds {
            let load = wrench.linear.x;
            if !(load > 0.0) {
                return self.edge(block, free);
            }
            let found = wrench.cop();
            if !found.is_finite() {
                return Screw::default();
            }
            let cop = self.patch.project(found, 1.0);
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
            let wanted = [
                cop.x / radius,
                cop.y / radius,
                bounded.0.x / load,
                bounded.0.y / load,
                bounded.1 / (load * radius),
            ];
            let now =
                [state[0], state[1], friction.x / load, friction.y / load, about / (load * radius)];
            let start =
                if round == 0 { [wanted[0], wanted[1], now[2], now[3], now[4]] } else { now };
            let miss: [f64; 5] = std::array::from_fn(|k| wanted[k] - start[k]);
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
            if round > 1 {
                let turn: [f64; 5] = std::array::from_fn(|k| miss[k] - gap[k]);
                let along: f64 = (0..5).map(|k| gap[k] * turn[k]).sum();
                let square = norm(&turn).powi(2);
                if square > 0.0 {
                    follow = (-follow * along / square).clamp(0.05, 1.0);
                }
            }
            gap = miss;
            state = if round == 0 {
                wanted
            } else {
                std::array::from_fn(|k| start[k] + follow * miss[k])
            };
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

    /// Less friction and spin torque where they would push the bodies: as much as takes no energy.
    fn passive(&self, block: &Block, free: &Screw, wrench: Screw) -> Screw {
        let power = |wrench: &Screw| power(block, free, wrench);
        if self.rounds == 0 || !(power(&wrench) > 0.0) {
            return wrench;
        }
        let (cop, load) = (wrench.cop(), wrench.linear.x);
        let (friction, about) = (wrench.linear.yz(), wrench.spin_about(cop));
        let part = |t: f64| along(block, free, (friction * (t / load), about * t / load), cop);
        let admissible = |w: &Screw| {
            w.linear.x > 0.0 && self.patch.project(w.cop(), 1.0) == w.cop() && power(w) <= 0.0
        };
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
