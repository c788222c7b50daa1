//! Bodies that would be within each other half-way through a step: their contacts are found earlier.

use crate::dynamics::midpoint::{Midpoint, part_way};
use crate::world::World;

impl World {
    /// Finds manifolds and shared volumes, half-way or before bodies are within each other: bodies that may
    /// touch in the step, and those that joints hold together, all go back as far as one of them must.
    pub(crate) fn find_touching(&mut self, middle: &mut [Midpoint]) {
        self.find_near(middle);
        for round in 0..ROUNDS {
            let mut gone: Vec<f64> = middle.iter().map(|m| m.gone).collect();
            if !self.go_back(middle, &mut gone, round + 1 == ROUNDS) {
                return;
            }
            let time = self.time();
            for ((m, gone), body) in middle.iter_mut().zip(gone).zip(&self.bodies) {
                if gone < m.gone {
                    *m = part_way(body, &self.settings, time, gone);
                }
            }
            self.find_near(middle);
        }
    }

    /// When contacts are to be found instead, seconds after the step began; whether that is earlier for any
    /// body. In the last round bodies go back to where the step began.
    fn go_back(&self, middle: &[Midpoint], gone: &mut [f64], last: bool) -> bool {
        let mut any = false;
        for manifold in self.collision.manifolds() {
            let [a, b] = manifold.bodies;
            let thickness = self.collision.thickness(a).min(self.collision.thickness(b));
            for point in manifold.points.iter().filter(|p| p.gap < -WITHIN * thickness) {
                let at = 0.5 * (point.on_a + point.on_b);
                let velocity = middle[b].begin_velocity(at) - middle[a].begin_velocity(at);
                let speed = -velocity.dot(manifold.normal);
                let now = middle[a].gone.max(middle[b].gone);
                if !(speed > 0.0 && now > 0.0) {
                    continue; // They were as near when the step began.
                }
                let then = if last { 0.0 } else { (now + point.gap / speed).max(0.0) };
                for k in [a, b] {
                    gone[k] = gone[k].min(then);
                }
                any = true;
            }
        }
        if any {
            self.spread(gone);
        }
        any
    }

    /// Gives bodies that act on each other the least of their times.
    fn spread(&self, gone: &mut [f64]) {
        let moves = |k: usize| self.bodies[k].moves();
        let by_contact = self.collision.manifolds().iter().map(|m| m.bodies);
        let by_volume = self.collision.shared_volumes().iter().map(|v| v.bodies);
        let by_joint = self.joints.iter().filter_map(|j| j.a.map(|a| [a.0, j.b.0]));
        let links: Vec<_> = by_contact
            .chain(by_volume)
            .chain(by_joint)
            .filter(|[a, b]| moves(*a) && moves(*b))
            .collect();
        loop {
            let mut changed = false;
            for &[a, b] in links.iter().chain(links.iter().rev()) {
                let least = gone[a].min(gone[b]);
                changed |= gone[a] != least || gone[b] != least;
                (gone[a], gone[b]) = (least, least);
            }
            if !changed {
                return;
            }
        }
    }
}

/// How often contacts are found again in a step at most.
const ROUNDS: usize = 3;

/// How far bodies may be within each other where contacts are found, in units of the smallest side of the
/// thinner one: so little turns no normal.
const WITHIN: f64 = 1e-3;
