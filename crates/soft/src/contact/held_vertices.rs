//! What obstacles hold of each vertex, and whether they still should.

use std::ops::Range;

use asperity_friction::ContactFrame;
use glamx::{DMat3, DVec3};

use super::drag::{STOPPED, lifted};
use super::implicit_contact::Problem;
use super::laws::scale;
use super::resist::resistance;

/// All vertices that touch obstacles, and what is remembered of them. Keeps its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeldVertices {
    /// One for each contact of the step.
    pub(crate) list: Vec<HeldContact>,
    /// First contact of each vertex, and the next one of the same vertex.
    head: Vec<u32>,
    vertices: Vec<u32>,
    /// Contacts of several vertices, with edges and corners of rigid shapes.
    pub(super) features: Vec<u32>,
    /// With which impulse those touched last, by their vertices, in order.
    pub(super) feature_loads: Vec<([u32; 4], f64)>,
    /// With which load each vertex touched last, N s.
    pub(crate) load: Vec<f64>,
}

/// A vertex at an obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HeldContact {
    next: u32,
    /// Its vertex; of several the first that is not rigid.
    pub(super) vertex: u32,
    pub(super) active: bool,
    /// What rigid corners add to the slip, m/s, and how stiff it is, where it has several vertices.
    pub(super) carried: DVec3,
    pub(super) stiffness: f64,
    /// Axes across the normal.
    pub(super) plane: ContactFrame,
    /// Normal impulse, N s.
    pub(super) load: f64,
    /// Direction and speed of the slip that friction is computed with; [`Problem::creep`] where it sticks.
    pub(super) along: DVec3,
    pub(super) speed: f64,
    /// Logarithms of the speed put in and got out, over [`Problem::creep`], in this round and in the one before.
    pub(super) tried: Option<[f64; 2]>,
    pub(super) before: Option<[f64; 2]>,
    /// Impulse on the vertex, world, N s.
    pub(crate) impulse: DVec3,
}

const NONE: u32 = u32::MAX;

/// What is held of a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Hold {
    Free,
    Whole(DVec3),
    Part { free: DMat3, drag: DMat3, velocity: DVec3 },
}

/// What a round of solving found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Verdict {
    /// Vertices that let go, were caught, began to slide or to stick.
    pub(crate) changed: usize,
    pub(crate) sticking: usize,
    pub(crate) sliding: usize,
    error: f64,
    loads: f64,
}

impl Verdict {
    /// Takes friction at a contact that is off the law by `error`.
    pub(super) fn add(&mut self, error: f64, strength: f64) {
        self.error += error * error;
        self.loads += strength * strength;
    }

    pub(crate) fn misfit(&self) -> f64 {
        if self.error == 0.0 { 0.0 } else { (self.error / self.loads).sqrt() }
    }
}

/// Directions in which a vertex is held, orthonormal, by which contacts.
struct HeldDirections {
    count: usize,
    along: [DVec3; 3],
    by: [usize; 3],
}

impl HeldVertices {
    /// Forgets the last step.
    pub(crate) fn begin(&mut self, vertices: usize) {
        self.list.clear();
        self.vertices.clear();
        self.features.clear();
        self.head.clear();
        self.head.resize(vertices, NONE);
        self.load.clear();
        self.load.resize(vertices, 0.0);
    }

    /// Whether a vertex has a contact.
    pub(crate) fn has_contact(&self, v: u32) -> bool {
        self.head[v as usize] != NONE
    }

    /// Takes up the contacts that are new in the list. Velocities are those at the beginning, and
    /// those that the step would end with as far as is known.
    pub(crate) fn add(
        &mut self,
        problem: &Problem,
        [begin, end]: [&[DVec3]; 2],
        inverse_masses: &[f64],
    ) {
        for k in self.list.len()..problem.contacts.list.len() {
            let c = &problem.contacts.list[k];
            let several = c.count > 1;
            let soft = c.parts().map(|(v, _)| v).find(|v| inverse_masses[*v] > 0.0);
            let i = soft.filter(|_| several).unwrap_or(c.vertices[0] as usize);
            let slip = problem.contacts.slip(c, end);
            let approach = c.normal.dot(slip) + room(c.gap, problem.dt);
            let last = if several { self.last_load(&c.vertices) } else { self.load[i] };
            let known = last > 0.0;
            let active = approach < 0.0 || (known && c.gap < RESTING * problem.thickness);
            let inverse_mass = c.inverse_mass(inverse_masses);
            let guess = if inverse_mass > 0.0 { -approach / inverse_mass } else { 0.0 };
            let load = if known { last } else { guess.max(0.0) };
            // It goes on sliding or resting.
            let slip = problem.contacts.slip(c, begin);
            let across = slip - c.normal * c.normal.dot(slip);
            let mut next = NONE;
            if several {
                self.features.push(k as u32);
            } else {
                if self.head[i] == NONE {
                    self.vertices.push(i as u32);
                }
                next = std::mem::replace(&mut self.head[i], k as u32);
            }
            let rigid = c.parts().filter(|(v, _)| several && problem.is_rigid(*v));
            self.list.push(HeldContact {
                next,
                vertex: i as u32,
                active,
                carried: rigid.map(|(v, w)| end[v] * w).sum(),
                stiffness: 0.0,
                plane: ContactFrame::from_normal(c.normal),
                load,
                along: across.normalize_or_zero(),
                speed: across.length().max(problem.creep),
                tried: None,
                before: None,
                impulse: DVec3::ZERO,
            });
        }
    }

    /// Forgets what vertices did that no longer touch.
    pub(crate) fn forget(&mut self) {
        for v in 0..self.head.len() {
            if self.head[v] == NONE {
                self.load[v] = 0.0;
            }
        }
    }

    /// The vertex of a contact; of several the first that is not rigid.
    pub(crate) fn vertex_of(&self, k: usize) -> usize {
        self.list[k].vertex as usize
    }

    /// How many vertices have contacts.
    pub(crate) fn count(&self) -> usize {
        self.vertices.len()
    }

    /// One of them, if it is in the range.
    pub(crate) fn vertex(&self, k: usize, range: &Range<usize>) -> Option<u32> {
        let v = self.vertices[k];
        range.contains(&(v as usize)).then_some(v)
    }

    fn contacts_of(&self, v: u32) -> impl Iterator<Item = usize> + '_ {
        let mut at = self.head[v as usize];
        std::iter::from_fn(move || {
            let k = at as usize;
            let touch = self.list.get(k)?;
            at = touch.next;
            Some(k)
        })
    }

    /// The directions in which active contacts hold a vertex. A contact whose normal the others
    /// hold already carries nothing.
    fn frame(&self, v: u32, problem: &Problem) -> HeldDirections {
        let mut frame = HeldDirections { count: 0, along: [DVec3::ZERO; 3], by: [0; 3] };
        for k in self.contacts_of(v).filter(|k| self.list[*k].active) {
            let n = problem.contacts.list[k].normal;
            if frame.count == 0 {
                (frame.along[0], frame.by[0], frame.count) = (n, k, 1);
                continue;
            }
            let held = &frame.along[..frame.count];
            let rest = n - held.iter().map(|e| *e * e.dot(n)).sum::<DVec3>();
            if frame.count < 3 && rest.length_squared() > INDEPENDENT {
                frame.along[frame.count] = rest.normalize();
                frame.by[frame.count] = k;
                frame.count += 1;
            }
        }
        frame
    }

    /// What is held of a vertex, and what friction adds to the right-hand side.
    pub(crate) fn hold(
        &self,
        v: u32,
        problem: &Problem,
        velocity: DVec3,
        right: &mut DVec3,
    ) -> Hold {
        let frame = self.frame(v, problem);
        if frame.count == 0 {
            return Hold::Free;
        }
        let mut target = DVec3::ZERO;
        let mut free = DMat3::IDENTITY;
        for (e, k) in frame.held() {
            let c = &problem.contacts.list[k];
            let wanted = c.normal.dot(problem.contacts.surface_velocity(c) - target)
                - room(c.gap, problem.dt);
            target += e * (wanted / e.dot(c.normal));
            free -= outer(e, e);
        }
        if frame.count == 3 {
            return Hold::Whole(target);
        }
        let mut drag = DMat3::ZERO;
        for (_, k) in frame.held().filter(|(_, k)| *k < problem.laws.len()) {
            let (touch, c) = (&self.list[k], &problem.contacts.list[k]);
            let (plane, law) = (&touch.plane, &problem.laws[k]);
            let load = scale(law, touch.load, problem.dt);
            let (symmetric, rest) = resistance(&law.set, plane.to_plane(touch.along));
            let block = lifted(plane, symmetric * (load / touch.speed));
            drag += block;
            *right += block * problem.contacts.surface_velocity(c);
            *right -= plane.to_world(rest) * load;
        }
        Hold::Part { free, drag, velocity: target + free * velocity }
    }

    /// Looks at a vertex after a solve: its velocity, the reaction on it and 1/mass.
    pub(crate) fn judge(
        &mut self,
        v: u32,
        problem: &Problem,
        at: (DVec3, DVec3, f64),
        last: bool,
        verdict: &mut Verdict,
    ) {
        let (velocity, reaction, inverse_mass) = at;
        let frame = self.frame(v, problem);
        let mut changed = false;
        let mut rest = reaction;
        let mut acted = [DVec3::ZERO; 3];
        if frame.count < 3 && !problem.laws.is_empty() {
            for (slot, (_, k)) in acted.iter_mut().zip(frame.held()) {
                *slot = self.friction_now(k, problem, velocity);
                rest -= *slot;
            }
        }
        // The last direction is at right angles to all normals but the last.
        let mut loads = [0.0; 3];
        for j in (0..frame.count).rev() {
            let n = problem.contacts.list[frame.by[j]].normal;
            loads[j] = frame.along[j].dot(rest) / frame.along[j].dot(n);
            rest -= n * loads[j];
        }
        let total: f64 = loads.iter().sum();
        for (j, (_, k)) in frame.held().enumerate() {
            let n = problem.contacts.list[k].normal;
            // What is left of the reaction is the linear solver's error.
            let share = if j == 0 { rest } else { DVec3::ZERO };
            self.list[k].impulse = n * loads[j] + acted[j] + share;
            if loads[j] < 0.0 && !last {
                self.list[k].active = false;
                self.list[k].impulse = DVec3::ZERO;
                changed = true;
            }
        }
        let mut next = self.head[v as usize];
        while next != NONE {
            let k = next as usize;
            next = self.list[k].next;
            if !frame.by[..frame.count].contains(&k) {
                self.list[k].impulse = DVec3::ZERO;
                if !self.list[k].active {
                    changed |= self.catch(k, problem, velocity, inverse_mass);
                }
            }
        }
        self.load[v as usize] = total.max(0.0);
        if frame.count > 0 && !changed && !problem.laws.is_empty() {
            let mut strength = 0.0;
            let mut sticks = true;
            for (j, (_, k)) in frame.held().enumerate() {
                strength += scale(&problem.laws[k], loads[j], problem.dt);
                let was = (acted[j], loads[j].max(0.0), inverse_mass);
                let error = self.slides(k, problem, velocity, was);
                verdict.add(error, 0.0);
                sticks &= self.list[k].speed < STOPPED * loads[j] * inverse_mass;
            }
            verdict.add(0.0, strength);
            verdict.sticking += usize::from(sticks);
            verdict.sliding += usize::from(!sticks);
        }
        verdict.changed += usize::from(changed);
    }

    /// A contact that is not active: whether the vertex must be kept out after all.
    pub(super) fn catch(
        &mut self,
        k: usize,
        problem: &Problem,
        velocity: DVec3,
        inverse_mass: f64,
    ) -> bool {
        let c = &problem.contacts.list[k];
        let slip = velocity - problem.contacts.surface_velocity(c);
        let approach = c.normal.dot(slip) + room(c.gap, problem.dt);
        if approach * problem.dt > -REACHED * problem.thickness {
            return false;
        }
        let across = slip - c.normal * c.normal.dot(slip);
        let touch = &mut self.list[k];
        touch.active = true;
        touch.load = -approach / inverse_mass;
        touch.speed = across.length().max(problem.creep);
        touch.along = across.normalize_or_zero();
        (touch.tried, touch.before) = (None, None);
        true
    }
}

impl HeldDirections {
    fn held(&self) -> impl Iterator<Item = (DVec3, usize)> + use<> {
        let (along, by) = (self.along, self.by);
        (0..self.count).map(move |j| (along[j], by[j]))
    }
}

pub(super) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

pub(super) fn room(gap: f64, dt: f64) -> f64 {
    if gap > 0.0 { gap / dt } else { 0.0 }
}

/// Part of the thickness within which what touched before still counts as touching.
const RESTING: f64 = 0.1;

/// Squared sine of the least angle between two normals that both hold.
const INDEPENDENT: f64 = 1e-4;

/// Part of the thickness that a vertex may come too near before it is caught.
const REACHED: f64 = 1e-4;
