//! Bodies that rest: what is known of their contacts is set aside until they move again.

use super::Collision;
use super::collider::Mobility;
use super::narrow_phase::NarrowPhase;

impl Collision {
    /// Says of each body whether it rests. The manifolds between bodies of which none may move are set aside, and come
    /// back as they were when one does.
    pub fn set_resting(&mut self, rests: impl Fn(usize) -> bool) {
        let mut changed = false;
        for (k, body) in self.bodies.iter_mut().enumerate() {
            let Some(body) = body.as_mut().filter(|b| b.mobility != Mobility::Fixed) else {
                continue;
            };
            let now = rests(k);
            if now != body.rests {
                body.rests = now;
                self.broad.forget(k);
                changed = true;
            }
        }
        if changed {
            let bodies = &self.bodies;
            let active = |k: usize| bodies[k].as_ref().is_some_and(super::Collider::is_active);
            self.narrow.sort_by_rest(|a, b| !active(a) && !active(b));
        }
    }
}

impl NarrowPhase {
    /// Sets aside what is known of pairs that rest, and takes back what is known of others.
    fn sort_by_rest(&mut self, rests: impl Fn(usize, usize) -> bool) {
        let mut all = self.take_known();
        let mut later = std::mem::take(&mut self.manifolds);
        all.append(&mut self.aside);
        all.sort_by_key(|known| known.0.pair);
        for (found, manifolds) in all {
            let (a, b) = found.pair;
            if rests(a, b) {
                self.aside.push((found, manifolds));
            } else {
                self.add_known(found, manifolds);
            }
        }
        self.manifolds.append(&mut later);
    }
}
