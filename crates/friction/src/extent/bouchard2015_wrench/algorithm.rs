//! Algorithm 1: the wrench that acts at one contact while all others stand still.

use std::f64::consts::TAU;

use glamx::{DVec2, DVec3, Vec3Swizzles};

use super::block::Block;
use super::cone::on_cone;
use super::{Metric, Screw, SpinLaw, Wrench};

impl Wrench {
    /// The wrench for a 6×6 block `w` (row by row, symmetric) and the twist `free` that the contact
    /// has without a wrench (−e of the paper). Allocates nothing; a function of its arguments alone.
    ///
    /// Lines of Algorithm 1: 2–4 the caller's rows are in the contact frame already; 5–8
    /// `joint`; 9–10 centre of pressure; 11–19 `point`; 23–24 the spin torque is
    /// bounded about the centre of pressure and carried back to the middle.
    pub fn solve(&self, w: &[f64], free: &[f64]) -> [f64; 6] {
        let (block, free) = (Block::from_rows(w), Screw::from_rows(free));
        let mut rows = [0.0; 6];
        self.wrench(&block, &free).write(&mut rows);
        rows
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
            let cop = wrench.cop();
            if !cop.is_finite() {
                return Screw::default();
            }
            if self.patch.project(cop, 1.0) != cop {
                let boundary = self.boundary(block, free, &wrench, cop);
                let force = self.point(block, free, boundary);
                if !(force.x > 0.0) {
                    return self.edge(block, free);
                }
                return Screw::at(force, 0.0, boundary);
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
                return wrench;
            }
            if round == self.rounds {
                let force = DVec3::new(load, bounded.0.x, bounded.0.y);
                return self.passive(block, free, Screw::at(force, bounded.1, cop));
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
        let power = |wrench: &Screw| {
            let twist = block.apply(wrench);
            let cop = wrench.cop();
            let slip = (twist.velocity_at(cop) + free.velocity_at(cop)).yz();
            slip.dot(wrench.linear.yz())
                + (twist.angular.x + free.angular.x) * wrench.spin_about(cop)
        };
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
    fn joint(&self, block: &Block, free: &Screw, at: DVec2, spin: Option<f64>) -> Screw {
        let rest = block.moved(at).eliminate(&free.moved(at), spin);
        let force = self.cone(&rest.block, rest.velocity);
        if force == DVec3::ZERO { Screw::default() } else { rest.wrench(force, at) }
    }

    /// A point contact at a point of the patch (section 5.5, Eqs. 8–10).
    fn point(&self, block: &Block, free: &Screw, at: DVec2) -> DVec3 {
        let (moved, velocity) = (block.moved(at).linear, free.velocity_at(at));
        let descent = self.descent(at);
        let held = self.cone(&moved, velocity);
        if !(descent > 0.0) || held == DVec3::ZERO {
            return held;
        }
        // The rim of a rolling patch may come down, but the middle not with it.
        let middle =
            |force: DVec3| free.linear.x + block.apply(&Screw::at(force, 0.0, at)).linear.x;
        let lowered = |by: f64| self.cone(&moved, velocity + DVec3::X * by);
        let (mut low, mut high) = (0.0, descent);
        if middle(lowered(high)) >= 0.0 {
            return lowered(high);
        }
        for _ in 0..60 {
            let by = 0.5 * (low + high);
            if middle(lowered(by)) >= 0.0 { low = by } else { high = by }
        }
        lowered(low)
    }

    /// Where the middle is not pushed: nothing, unless some part of the patch approaches. Then that
    /// which approaches fastest is a point contact. (The paper's algorithm has no such line; without
    /// it a face could sink in with one side while the other leaves.)
    fn edge(&self, block: &Block, free: &Screw) -> Screw {
        let half = self.patch.mu();
        let axes = self.patch.rotation();
        // u_n(p) = u_n + p · g over the ellipse.
        let gradient = axes.to_axes(DVec2::new(-free.angular.z, free.angular.y)) * half;
        let reach = gradient.length();
        if !(free.linear.x < reach) {
            return Screw::default();
        }
        let at = if reach > 0.0 { axes.to_frame(gradient * half / -reach) } else { DVec2::ZERO };
        let force = self.point(block, free, at);
        if force.x > 0.0 { Screw::at(force, 0.0, at) } else { Screw::default() }
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
        let radius = self.radius();
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

    /// Where a centre of pressure outside the patch is brought to (section 5.4).
    fn boundary(&self, block: &Block, free: &Screw, wrench: &Screw, cop: DVec2) -> DVec2 {
        if self.metric == Metric::Euclidean {
            return self.patch.project(cop, 1.0);
        }
        // What friction and spin do counts as given.
        let friction = DVec3::new(0.0, wrench.linear.y, wrench.linear.z);
        let given = Screw { linear: friction, angular: DVec3::X * wrench.angular.x };
        let caused = block.apply(&given);
        let free =
            Screw { linear: free.linear + caused.linear, angular: free.angular + caused.angular };
        let place =
            |angle: f64| self.patch.rotation().to_frame(DVec2::from_angle(angle) * self.patch.mu());
        // Energy that a push at the point takes, twice.
        let energy = |angle: f64| {
            let at = place(angle);
            let approach = -free.velocity_at(at).x;
            let give = block.moved(at).linear.x_axis.x;
            if give > 0.0 { approach.max(0.0).powi(2) / give } else { 0.0 }
        };
        let step = TAU / SAMPLES as f64;
        let better = |best: usize, i: usize| {
            if energy(step * i as f64) > energy(step * best as f64) { i } else { best }
        };
        let best = step * (1..SAMPLES).fold(0, better) as f64;
        let (mut low, mut high) = (best - step, best + step);
        for _ in 0..80 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if energy(a) < energy(b) { low = a } else { high = b }
        }
        place(0.5 * (low + high))
    }
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

/// Places on the boundary that are tried before the best is refined.
const SAMPLES: usize = 48;
