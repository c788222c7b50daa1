//! What edges and corners of rigid shapes hold of edges and faces of a body in the implicit step.
//!
//! Such a contact joins vertices that others join too, so that it cannot be held by leaving
//! directions out. Its normal impulse is λ + κ (target − n·u) with u its slip: a drag in the matrix,
//! with the λ of the round before (the method of multipliers). A round leaves 1/(1 + κ G) of what the
//! one before left, where G is how far a unit impulse moves the contact. A cloth gives way as a whole,
//! by far more than its vertices alone would, so that κ as large as the blocks it acts on is enough;
//! with a hundred times as much the linear solves take five times as long.

use std::ops::Range;

use glamx::{DMat3, DVec3};

use super::contact_list::{Contacts, SoftContact};
use super::detector::{Detector, touches};
use super::drag::lifted;
use super::held_vertices::{HeldVertices, Verdict, outer, room};
use super::implicit_contact::Problem;
use super::implicit_step::Placed;
use super::laws::scale;
use super::resist::resistance;
use crate::SoftBody;
use crate::freedom::{Link, NONE, Partly};

/// What such contacts add to a linear solve. Keeps its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct AddedBlocks {
    pub(crate) links: Vec<Link>,
    /// Place of each vertex among those of which a part is held.
    place: Vec<u32>,
    /// What the contacts gave each vertex in the last solve, N s.
    pub(crate) given: Vec<DVec3>,
}

impl AddedBlocks {
    /// Nothing is added to a body of `n` vertices.
    pub(crate) fn clear(&mut self, n: usize) {
        self.links.clear();
        self.place.clear();
        self.place.resize(n, NONE);
        self.given.clear();
        self.given.resize(n, DVec3::ZERO);
    }

    /// Sorts the blocks by row and tells the vertices which are theirs; vertices that had no part
    /// held are told of as free ones.
    fn spread(&mut self, held: &[bool], partly: &mut Vec<Partly>) {
        for (k, p) in partly.iter().enumerate() {
            self.place[p.vertex] = k as u32;
        }
        self.links.retain(|link| !held[link.row]);
        self.links.sort_by_key(|link| (link.row, link.column));
        let first = |links: &[Link], k: usize| k == 0 || links[k - 1].row != links[k].row;
        for k in 0..self.links.len() {
            let Link { row, column, block } = self.links[k];
            if self.place[row] == NONE {
                self.place[row] = partly.len() as u32;
                let (free, drag) = (DMat3::IDENTITY, DMat3::ZERO);
                partly.push(Partly { vertex: row, free, drag, links: [0; 2] });
            }
            let p = &mut partly[self.place[row] as usize];
            if first(&self.links, k) {
                p.links[0] = k;
            }
            p.links[1] = k + 1;
            if row == column {
                p.drag += block;
                self.links[k].block = DMat3::ZERO;
            }
        }
    }
}

impl HeldVertices {
    /// A contact of several vertices, if they are in the range.
    fn feature(&self, n: usize, range: &Range<usize>) -> Option<usize> {
        let k = self.features[n] as usize;
        range.contains(&self.vertex_of(k)).then_some(k)
    }

    /// With which impulse these vertices touched in the last step, N s.
    pub(super) fn last_load(&self, vertices: &[u32; 4]) -> f64 {
        let place = self.feature_loads.binary_search_by_key(vertices, |(known, _)| *known);
        place.map_or(0.0, |k| self.feature_loads[k].1)
    }

    /// Takes up what bodies remember of the last step.
    pub(super) fn recall_features(&mut self, bodies: &[Placed]) {
        self.feature_loads.clear();
        let all = bodies.iter().flat_map(|b| &b.body.feature_loads);
        self.feature_loads.extend(all);
        self.feature_loads.sort_by_key(|(vertices, _)| *vertices);
    }

    /// What a body remembers of this step.
    pub(super) fn remember_features(&self, contacts: &Contacts, placed: &mut Placed) {
        let range = placed.first..placed.first + placed.body.positions.len();
        let own = (0..self.features.len()).filter_map(|n| self.feature(n, &range));
        let pressed = own.filter(|k| self.list[*k].active && self.list[*k].load > 0.0);
        placed.body.feature_loads.clear();
        let loads = pressed.map(|k| (contacts.list[k].vertices, self.list[k].load));
        placed.body.feature_loads.extend(loads);
    }

    /// Adds what active contacts of several vertices do to the matrix and the right-hand side of a
    /// body.
    pub(crate) fn hold_features(
        &mut self,
        (body, first): (&SoftBody, usize),
        problem: &Problem,
        held: &[bool],
        (partly, right): (&mut Vec<Partly>, &mut [DVec3]),
        added: &mut AddedBlocks,
    ) {
        added.clear(held.len());
        let range = first..first + held.len();
        for n in 0..self.features.len() {
            let Some(k) = self.feature(n, &range) else { continue };
            let c = &problem.contacts.list[k];
            let own = || c.parts().filter(|(v, _)| range.contains(v)).map(|(v, w)| (v - first, w));
            let touch = &mut self.list[k];
            if !touch.active {
                continue;
            }
            touch.stiffness = own().map(|(i, w)| w * w * size(body.matrix.diagonal(i))).sum();
            touch.stiffness *= STIFF;
            let normal = c.normal;
            let mut block = outer(normal, normal) * touch.stiffness;
            let mut push = normal * (touch.load - touch.stiffness * room(c.gap, problem.dt));
            if let Some(law) = problem.laws.get(k) {
                let plane = &touch.plane;
                let load = scale(law, touch.load, problem.dt);
                let (symmetric, rest) = resistance(&law.set, plane.to_plane(touch.along));
                block += lifted(plane, symmetric * (load / touch.speed));
                push -= plane.to_world(rest) * load;
            }
            push -= block * touch.carried;
            for (i, w) in own() {
                right[i] += push * w;
                let link =
                    |(j, x): (usize, f64)| Link { row: i, column: j, block: block * (w * x) };
                added.links.extend(own().map(link));
            }
        }
        added.spread(held, partly);
    }

    /// Looks at contacts of several vertices after a solve.
    pub(crate) fn judge_features(
        &mut self,
        (body, first): (&SoftBody, usize),
        problem: &Problem,
        last: bool,
        given: &mut [DVec3],
        verdict: &mut Verdict,
    ) {
        let range = first..first + given.len();
        for n in 0..self.features.len() {
            let Some(k) = self.feature(n, &range) else { continue };
            let c = &problem.contacts.list[k];
            let own = || c.parts().filter(|(v, _)| range.contains(v)).map(|(v, w)| (v - first, w));
            let slip = own().fold(self.list[k].carried, |u, (i, w)| u + body.velocities[i] * w);
            let free = own().filter(|(i, _)| !body.pinned[*i]);
            let inverse_mass: f64 = free.map(|(i, w)| w * w / body.masses[i]).sum();
            if !self.list[k].active {
                self.list[k].impulse = DVec3::ZERO;
                let caught = inverse_mass > 0.0 && self.catch(k, problem, slip, inverse_mass);
                verdict.changed += usize::from(caught);
                continue;
            }
            let missing = -(c.normal.dot(slip) + room(c.gap, problem.dt));
            let load = self.list[k].load + self.list[k].stiffness * missing;
            let law = problem.laws.get(k);
            let acted = law.map_or(DVec3::ZERO, |_| self.friction_now(k, problem, slip));
            let impulse = c.normal * load + acted;
            for (i, w) in own() {
                given[i] += impulse * w;
            }
            let touch = &mut self.list[k];
            touch.impulse = impulse;
            if load < 0.0 && !last {
                (touch.active, touch.impulse, touch.load) = (false, DVec3::ZERO, 0.0);
                verdict.changed += 1;
                continue;
            }
            verdict.changed += usize::from((missing * problem.dt).abs() > NEAR * problem.thickness);
            touch.load = load.max(0.0);
            if let Some(law) = law {
                let strength = scale(law, load.max(0.0), problem.dt);
                let error = self.slides(k, problem, slip, (acted, load.max(0.0), inverse_mass));
                verdict.add(error, strength);
            }
        }
    }
}

impl Detector {
    /// Moves those that touch at these velocities from `near` to the contacts of the step.
    pub(super) fn take_touching(
        &self,
        near: &mut Vec<SoftContact>,
        velocities: &[DVec3],
        dt: f64,
        out: &mut Contacts,
    ) {
        near.retain(|c| {
            let touching = touches(c, c.combine(velocities), self.thickness(), dt);
            if touching {
                out.list.push(*c);
            }
            !touching
        });
    }
}

fn size(block: &DMat3) -> f64 {
    (block.x_axis.x + block.y_axis.y + block.z_axis.z) / 3.0
}

/// How stiff a contact of several vertices is, in parts of the diagonal blocks that it acts on.
const STIFF: f64 = 1.0;

/// Part of the thickness by which such a contact may miss its gap.
const NEAR: f64 = 1e-2;
