//! Bodies that would be within each other half-way through a step: their contacts are found earlier.

use std::cell::LazyCell;
use std::collections::HashSet;

use asperity_geometry::collision::{Hit, Manifold, Point};

use crate::audit::Ledger;
use crate::dynamics::midpoint::{Midpoint, part_way};
use crate::passing::fastest;
use crate::world::World;

impl World {
    /// Finds manifolds and shared volumes, half-way or before bodies are within each other: bodies that may
    /// touch in the step, and those that joints hold together, all go back as far as one of them must.
    pub(crate) fn find_touching(&mut self, middle: &mut [Midpoint]) {
        // Where the contacts of the last step would be, which costs nothing to know.
        let poses: Vec<_> = middle.iter().map(|m| m.pose).collect();
        self.collision.follow(&poses);
        self.go_back(middle, false);
        self.stop_before_hits(middle);
        self.find_near(middle);
        for round in 0..ROUNDS {
            if !self.go_back(middle, round + 1 == ROUNDS) {
                return;
            }
            self.find_near(middle);
        }
    }

    /// Finds bodies that would be within each other at the end of the step, once the islands are solved, and adds
    /// contacts where they would be. Whether there are any: then all is to be solved again.
    pub(crate) fn find_more_rigid(&mut self, middle: &[Midpoint], round: usize) -> bool {
        let mut end = middle.to_vec();
        self.islands.add_changes(&mut end);
        let Some(first) = self.look_ahead(&end, round) else { return false };
        self.begin_with_found();
        self.islands.set_aside(self.contacts.len());
        self.add_laws(middle, first);
        true
    }

    /// Adds what is still missed at the end of the step after so many rounds, once it is known how bodies move: not
    /// to what acts on them, but to the overlaps that are removed.
    pub(crate) fn find_missed(&mut self, end: &[Midpoint], rounds: usize) {
        if rounds < LOOKS_AT_LARGE || self.softs.count_in_islands() > 0 {
            return; // There is nothing, or their islands are still needed.
        }
        if let Some(first) = self.look_ahead(end, 0) {
            self.add_laws(end, first);
            self.group();
        }
    }

    /// Bodies of large islands that turned so much in the step that their contacts say little of where they are now:
    /// finds what is within each other there, and removes that, too.
    pub(crate) fn remove_overlaps_of_turns(
        &mut self,
        middle: &mut [Midpoint],
        ledger: &mut Ledger,
    ) {
        let dt = self.settings.dt;
        let turns = |k: usize| {
            let spin = middle[k].angular.length().max(middle[k].begin_angular.length());
            self.islands.is_large(k) && spin * dt > TURNS
        };
        let turns: Vec<bool> = (0..middle.len()).map(turns).collect();
        if !turns.contains(&true) || self.softs.count_in_islands() > 0 {
            return;
        }
        let first = self.collision.manifolds().len();
        let ends: Vec<_> = self.bodies.iter().map(|body| body.pose).collect();
        let travel = |k: usize| if turns[k] { f64::INFINITY } else { 0.0 };
        if self.collision.look_ahead(&ends, travel, |_, _| 0.0, |_, _| WITHIN_LARGE, &[]) > 0 {
            self.add_laws(middle, first);
            self.group();
            self.stabilise(middle, ledger);
        }
    }

    /// Finds manifolds of bodies that would be within each other at the end of the step, or pass each other before,
    /// as `end` has their velocities; the number of the first.
    fn look_ahead(&mut self, end: &[Midpoint], round: usize) -> Option<usize> {
        let first = self.collision.manifolds().len();
        let left: Vec<f64> = end.iter().map(|m| m.left).collect();
        let mut count = self.look_at(end, &left, &[], round);
        let hits = self.first_hits(end);
        if !hits.is_empty() {
            let mut until = left;
            for hit in &hits {
                for k in hit.bodies {
                    until[k] = hit.time - end[k].gone;
                }
            }
            count += self.look_at(end, &until, &hits, round);
        }
        (count > 0).then_some(first)
    }

    /// Finds manifolds of bodies that would be within each other so many seconds after contacts were found; where
    /// there are `hits`, of these alone. How many there are.
    fn look_at(&mut self, end: &[Midpoint], until: &[f64], hits: &[Hit], round: usize) -> usize {
        let bodies = &self.bodies;
        let pose = |k: usize| self.pose_at(k, &end[k], end[k].gone + until[k]);
        let ends: Vec<_> = (0..bodies.len()).map(pose).collect();
        let travel = |k: usize| {
            if hits.is_empty() { fastest(&bodies[k], &end[k]) * until[k] } else { 0.0 }
        };
        let change = |manifold: &Manifold, point: &Point| {
            let at = 0.5 * (point.on_a + point.on_b);
            let [a, b] = manifold.bodies.map(|k| until[k] * end[k].velocity(at));
            (b - a).dot(manifold.normal)
        };
        let islands = &self.islands;
        let within = |a: usize, b: usize| match islands.is_large(a) || islands.is_large(b) {
            false => WITHIN,
            true if round < LOOKS_AT_LARGE => WITHIN_LARGE,
            true => f64::INFINITY,
        };
        self.collision.look_ahead(&ends, travel, change, within, hits)
    }

    /// Takes bodies that would touch others on their way half-way back to when they do.
    fn stop_before_hits(&mut self, middle: &mut [Midpoint]) {
        let flush: HashSet<[usize; 2]> = self.collision.flush().collect();
        let time = [0.0, 0.5 * self.settings.dt];
        let hits = self.hits(middle, time, false, |pair| flush.contains(&pair));
        let mut gone: Vec<f64> = middle.iter().map(|m| m.gone).collect();
        for hit in hits {
            for k in hit.bodies {
                gone[k] = gone[k].min(hit.time);
            }
        }
        self.spread(&mut gone, &self.linked());
        self.set_gone(middle, gone);
    }

    /// Those bodies that would touch others in the rest of the step without a contact, each with the first one.
    fn first_hits(&mut self, end: &[Midpoint]) -> Vec<Hit> {
        let from = end.iter().fold(0.5 * self.settings.dt, |least, m| least.min(m.gone));
        let held = LazyCell::new(|| -> HashSet<[usize; 2]> {
            let flush = self.collision.flush();
            self.contacts.iter().map(|c| c.bodies).chain(flush).collect()
        });
        let mut hits = self.hits(end, [from, self.settings.dt], true, |pair| held.contains(&pair));
        hits.sort_by(|a, b| a.time.total_cmp(&b.time));
        let mut taken = vec![false; end.len()];
        hits.retain(|hit| {
            let [a, b] = hit.bodies;
            let free = |k: usize| !taken[k] || !self.bodies[k].moves();
            let first = free(a) && free(b);
            (taken[a], taken[b]) = (true, true);
            first
        });
        hits
    }

    /// Takes bodies that are within each other back to when they touch; whether there are any. In the last
    /// round they go back to where the step began, and so do those of large islands at once.
    fn go_back(&self, middle: &mut [Midpoint], last: bool) -> bool {
        let mut gone: Vec<f64> = middle.iter().map(|m| m.gone).collect();
        for manifold in self.collision.manifolds() {
            let [a, b] = manifold.bodies;
            let thickness = self.thickness(manifold.bodies);
            for point in manifold.points.iter().filter(|p| p.gap < -WITHIN * thickness) {
                let at = 0.5 * (point.on_a + point.on_b);
                let velocity = middle[b].begin_velocity(at) - middle[a].begin_velocity(at);
                let speed = -velocity.dot(manifold.normal);
                let now = middle[a].gone.max(middle[b].gone);
                if speed > 0.0 {
                    let early = last || self.islands.is_large(a) || self.islands.is_large(b);
                    let then = if early { 0.0 } else { (now + point.gap / speed).max(0.0) };
                    for k in [a, b] {
                        gone[k] = gone[k].min(then);
                    }
                } // Else they were as near when the step began.
            }
        }
        self.spread(&mut gone, &self.linked());
        self.set_gone(middle, gone)
    }

    /// Takes bodies back to where they are after so many seconds; whether there are any.
    fn set_gone(&self, middle: &mut [Midpoint], gone: Vec<f64>) -> bool {
        let (mut any, time) = (false, self.time());
        for ((m, gone), body) in middle.iter_mut().zip(gone).zip(&self.bodies) {
            if gone < m.gone {
                *m = part_way(body, &self.settings, time, gone);
                any = true;
            }
        }
        any
    }

    /// Bodies that act on each other, by contacts or joints.
    fn linked(&self) -> Vec<[usize; 2]> {
        let by_contact = self.collision.manifolds().iter().map(|m| m.bodies);
        let by_volume = self.collision.shared_volumes().iter().map(|v| v.bodies);
        by_contact.chain(by_volume).chain(self.jointed()).collect()
    }

    /// Bodies that joints hold together.
    pub(crate) fn jointed(&self) -> Vec<[usize; 2]> {
        self.joints.iter().filter_map(|j| j.a.map(|a| [a.0, j.b.0])).collect()
    }

    /// Gives bodies that are linked the least of their times.
    pub(crate) fn spread(&self, gone: &mut [f64], links: &[[usize; 2]]) {
        let moves = |k: usize| self.bodies[k].moves();
        let links: Vec<_> = links.iter().filter(|[a, b]| moves(*a) && moves(*b)).collect();
        loop {
            let mut changed = false;
            for &&[a, b] in links.iter().chain(links.iter().rev()) {
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

/// The same at the end of a step in large islands, where each look takes long, and how often they are looked at.
const WITHIN_LARGE: f64 = 5e-3;
const LOOKS_AT_LARGE: usize = 1;

/// The turn of a body in a step, in radians, beyond which a contact says little of where it is when the step ends.
const TURNS: f64 = 0.05;
