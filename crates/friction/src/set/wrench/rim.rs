//! Contacts whose centre of pressure is at the boundary of the patch (sections 5.4, 5.5).

use std::f64::consts::TAU;

use glamx::{DVec2, DVec3};

use super::block::Block;
use super::{Algorithm, Metric, Rim, Screw, SpinLaw, Wrench};

impl Wrench {
    /// The centre of pressure is outside: a contact at the boundary; where that does not push either,
    /// at the side that approaches.
    pub(super) fn rim_or_edge(
        &self,
        block: &Block,
        free: &Screw,
        wrench: &Screw,
        cop: DVec2,
    ) -> Screw {
        if self.signorini() {
            return self.lowest(block, free, self.boundary(block, free, wrench, cop));
        }
        let rim = self.rim(block, free, self.boundary(block, free, wrench, cop));
        if rim.linear.x > 0.0 { rim } else { self.edge(block, free) }
    }

    /// Whether all of the patch follows Signorini's law; not where it rolls, as its rim then may come down.
    fn signorini(&self) -> bool {
        self.metric == Metric::Signorini && self.rolling.velocity == DVec2::ZERO
    }

    /// A contact at the point of the boundary that comes down no less than any other once it acts: from the point
    /// where a push takes most energy, which it is without friction, that way along which the patch comes down faster
    /// until it does so no more.
    fn lowest(&self, block: &Block, free: &Screw, near: DVec2) -> Screw {
        let at = |angle: f64| {
            let (place, along) = self.patch.boundary(angle);
            let wrench = self.rim(block, free, place);
            let turn = block.apply(&wrench).angular + free.angular;
            // How the speed at which the patch leaves changes along the boundary.
            (wrench, DVec2::new(-turn.z, turn.y).dot(along))
        };
        let start = self.patch.angle_of(near);
        let (here, slope) = at(start);
        let step = -slope.signum() * TAU / self.patch.samples() as f64;
        let (mut a, mut b) = ((start, slope), (start, slope));
        for k in 1..=self.patch.samples() {
            b = (start + step * k as f64, at(start + step * k as f64).1);
            if b.1 * slope <= 0.0 {
                break;
            }
            a = b;
        }
        if b.1 * slope > 0.0 || slope == 0.0 {
            return here;
        }
        // False position, and at every third time the middle: at the corners of a polygon the slope jumps.
        for k in 1..MOST {
            let falls = b.0 - b.1 * (b.0 - a.0) / (b.1 - a.1);
            let middle = 0.5 * (a.0 + b.0);
            let next = if k % 3 == 0 || !falls.is_finite() { middle } else { falls };
            if b.1 == 0.0 || next == a.0 || next == b.0 {
                break;
            }
            let new = (next, at(next).1);
            if new.1 * b.1 <= 0.0 {
                a = b;
            }
            b = new;
        }
        at(if a.1.abs() < b.1.abs() { a.0 } else { b.0 }).0
    }

    /// Whether a contact at the boundary has a spin torque.
    pub(super) fn braked(&self) -> bool {
        self.rim == Rim::Braked && self.rounds > 0 && self.spin == SpinLaw::Corners
    }

    /// Whether the spin torque is bounded before the centre of pressure is looked at. Not with the paper's
    /// torque, which jumps at the boundary: there it would be bounded as if it were inside.
    pub(super) fn bounds_first(&self) -> bool {
        let fades = matches!(self.spin, SpinLaw::Uniform(_) | SpinLaw::None);
        self.rounds > 0 && (fades || self.braked())
    }

    /// A contact at a point of the boundary, which may roll about it.
    fn rim(&self, block: &Block, free: &Screw, at: DVec2) -> Screw {
        let [low, high] = if self.braked() { self.spin_bounds(at) } else { [0.0; 2] };
        if !(low < high) {
            return self.point(block, free, at, Some(0.0));
        }
        let held = self.point(block, free, at, None);
        let load = held.linear.x;
        let part = held.spin_about(at) / load;
        if !(load > 0.0) || (low <= part && part <= high) {
            return held;
        }
        let bounded = |part: f64| {
            let wrench = self.point(block, free, at, Some(part));
            (wrench, free.angular.x + block.apply(&wrench).angular.x)
        };
        let bound = part.clamp(low, high);
        let (wrench, spin) = bounded(bound);
        if spin * bound <= 0.0 {
            return wrench;
        }
        // The load that it finds makes it more than holds.
        let (mut low, mut high) = (low, high);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if bounded(middle).1 < 0.0 { low = middle } else { high = middle }
        }
        bounded(if bound > 0.0 { low } else { high }).0
    }

    /// A point contact at a point of the patch (section 5.5, Eqs. 8–10) that holds spin, or has a spin
    /// torque about the point that is given per unit load. Nothing where it does not push.
    fn point(&self, block: &Block, free: &Screw, at: DVec2, spin: Option<f64>) -> Screw {
        let rest = block.moved(at).eliminate_spin(&free.moved(at), spin);
        let wrench =
            |force: DVec3| if force.x > 0.0 { rest.wrench(force, at) } else { Screw::default() };
        let descent = self.descent(at);
        let held = self.cone(&rest.block, rest.velocity);
        if !(descent > 0.0) || held == DVec3::ZERO {
            return wrench(held);
        }
        // The rim of a rolling patch may come down, but the middle not with it.
        let middle = |force: DVec3| free.linear.x + block.apply(&wrench(force)).linear.x;
        let lowered = |by: f64| self.cone(&rest.block, rest.velocity + DVec3::X * by);
        let (mut low, mut high) = (0.0, descent);
        if middle(lowered(high)) >= 0.0 {
            return wrench(lowered(high));
        }
        for _ in 0..60 {
            let by = 0.5 * (low + high);
            if middle(lowered(by)) >= 0.0 { low = by } else { high = by }
        }
        wrench(lowered(low))
    }

    /// Where the middle is not pushed: nothing, unless some part of the patch approaches. Then that
    /// which approaches fastest (from which a push takes most energy, with that metric) is a contact. (The
    /// paper's algorithm has no such line; without
    /// it a face could sink in with one side while the other leaves.)
    pub(super) fn edge(&self, block: &Block, free: &Screw) -> Screw {
        // u_n(p) = u_n + p · g over the patch.
        let gradient = DVec2::new(-free.angular.z, free.angular.y);
        let (lowest, reach) = self.patch.lowest(gradient);
        if !(free.linear.x < reach) || self.algorithm == Algorithm::Printed {
            return Screw::default();
        }
        if self.signorini() {
            let start = self.boundary(block, free, &Screw::default(), DVec2::ZERO);
            return self.lowest(block, free, start);
        }
        let at = match self.metric {
            Metric::Mass => self.boundary(block, free, &Screw::default(), DVec2::ZERO),
            _ => lowest,
        };
        self.rim(block, free, at)
    }

    /// Where a centre of pressure outside the patch is brought to (section 5.4).
    fn boundary(&self, block: &Block, free: &Screw, wrench: &Screw, cop: DVec2) -> DVec2 {
        if self.metric == Metric::Euclidean {
            return self.patch.nearest(cop);
        }
        // What friction and spin do counts as given.
        let friction = DVec3::new(0.0, wrench.linear.y, wrench.linear.z);
        let given = Screw { linear: friction, angular: DVec3::X * wrench.angular.x };
        let caused = block.apply(&given);
        let free =
            Screw { linear: free.linear + caused.linear, angular: free.angular + caused.angular };
        // At a place of the boundary: how fast it approaches and gives way, and how both change.
        let (turn, c, m) = (free.angular, block.coupling, block.angular);
        let at = |angle: f64| {
            let (p, q) = self.patch.boundary(angle);
            let approach = |p: DVec2| turn.z * p.x - turn.y * p.y;
            let arm = |p: DVec2| 2.0 * (c.y_axis.x * p.y - c.z_axis.x * p.x);
            let give = |p: DVec2, q: DVec2| {
                m.y_axis.y * p.y * q.y - m.z_axis.y * (p.x * q.y + p.y * q.x)
                    + m.z_axis.z * p.x * q.x
            };
            Approach {
                speed: approach(p) - free.linear.x,
                more: approach(q),
                give: block.linear.x_axis.x + arm(p) + give(p, p),
                wider: arm(q) + 2.0 * give(p, q),
            }
        };
        let samples = self.patch.samples();
        let step = TAU / samples as f64;
        let (mut best, mut most) = (0, 0.0);
        for i in 0..samples {
            let energy = at(step * i as f64).energy();
            if energy > most {
                (best, most) = (i, energy);
            }
        }
        let best = step * best as f64;
        let (mut low, mut high) = (best - step, best + step);
        for _ in 0..56 {
            let middle = 0.5 * (low + high);
            if at(middle).rises() { low = middle } else { high = middle }
        }
        self.patch.boundary(0.5 * (low + high)).0
    }
}

/// Steps of false position at most: a third of them halves an angle to its last digit.
const MOST: usize = 180;

/// How a place of the boundary approaches, and how much a push there moves it; with what both change by
/// along the boundary.
struct Approach {
    speed: f64,
    more: f64,
    give: f64,
    wider: f64,
}

impl Approach {
    /// Energy that a push here takes, twice.
    fn energy(&self) -> f64 {
        if self.give > 0.0 { self.speed.max(0.0).powi(2) / self.give } else { 0.0 }
    }

    /// Whether more is taken further on.
    fn rises(&self) -> bool {
        2.0 * self.more * self.give > self.speed * self.wider
    }
}
