//! After the solve: velocities at the end of the step, what contacts carried, and what the next step
//! begins with.

use asperity_friction::extent::Screw;
use asperity_friction::memory::Carried;
use asperity_friction::pairing::Pair;
use asperity_friction::{ContactFrame, Law, LoadRule};
use glamx::DVec3;

use crate::body::{Body, BodyKind};
use crate::contact::{Contact, PatchBlock, Remembered};
use crate::dynamics::midpoint::Midpoint;
use crate::island::{Island, PatchRows};
use crate::memory::{PointMemory, WrenchMemory};
use crate::world::World;

/// Impulse on B, and torque impulse about the centre, with which a contact begins the next step;
/// world axes.
pub(crate) type Start = (DVec3, DVec3);

impl World {
    /// Takes over what the islands found: velocities, what contacts carried, what is remembered.
    pub(crate) fn remember(&mut self, middle: &mut [Midpoint]) {
        self.keep_solved();
        self.islands.add_changes(middle);
        for (body, m) in self.bodies.iter_mut().zip(middle.iter()) {
            if body.is_pushed() || body.kind == BodyKind::Kinematic {
                (body.linear_velocity, body.angular_velocity) = (m.linear, m.angular);
            }
        }
        let mut starts = vec![(DVec3::ZERO, DVec3::ZERO); self.contacts.len()];
        let World { islands, contacts, blocks, memory, settings, report, .. } = self;
        for island in islands.list() {
            report.residual = report.residual.max(island.residual);
            report.iterations = report.iterations.max(island.iterations);
            report.unconverged += usize::from(!island.converged);
            island.keep_joints(&island.keep, &mut memory.joints);
            let mut row = island.first_contact_row();
            for &k in &island.contacts {
                let rows = row..row + contacts[k].rows();
                starts[k] = contacts[k].start(&island.keep[rows.clone()]);
                contacts[k].carry(&island.r[rows.clone()], settings.dt);
                row = rows.end;
            }
            for at in &island.patches {
                blocks[at.block].carry(at, island, contacts, &mut starts);
            }
        }
        self.advance_memories(middle);
        self.keep_contacts(&starts, middle);
    }

    /// What the islands found is what the next solve of this step begins with.
    pub(crate) fn begin_with_found(&mut self) {
        let World { islands, contacts, blocks, memory, .. } = self;
        for island in islands.list() {
            island.keep_joints(&island.r, &mut memory.joints);
            let mut row = island.first_contact_row();
            for &k in &island.contacts {
                let rows = row..row + contacts[k].rows();
                let (impulse, torque) = contacts[k].start(&island.r[rows.clone()]);
                contacts[k].impulse = impulse;
                contacts[k].spin_impulse = torque.dot(contacts[k].frame.normal);
                if let Some(wrench) = &mut contacts[k].wrench {
                    wrench.torque_impulse = torque;
                }
                row = rows.end;
            }
            for at in &island.patches {
                let block = &mut blocks[at.block];
                let wrench = block.wrench(at, &island.r);
                block.impulse = block.frame.to_world(wrench.truncate());
                block.spin_impulse = wrench.z;
            }
        }
    }

    /// Makes the laws of contacts again that went too far from what theirs were made about, once the
    /// islands are solved. Whether there are any: then all is to be solved again.
    pub(crate) fn refine_laws(&mut self, middle: &[Midpoint]) -> bool {
        if self.pairing.pairs().all(|pair| pair.memory.is_none()) {
            return false;
        }
        let mut end = middle.to_vec();
        self.islands.add_changes(&mut end);
        let World { contacts, blocks, pairing, bodies, .. } = self;
        let pair = |of: [usize; 2]| {
            let [a, b] = of.map(|k| Body::surface(&bodies[k]));
            pairing.pair(a, b).ok()
        };
        let mut any = false;
        let of_contacts = contacts.iter_mut().filter(|c| c.patch.is_none());
        let of_contacts = of_contacts
            .map(|c| ((c.bodies, c.point, c.slip_target), &c.frame, &mut c.law, &mut c.remembered));
        let of_blocks = blocks.iter_mut().map(|b| {
            ((b.bodies, b.centre, b.slip_target), &b.frame, &mut b.law, &mut b.remembered)
        });
        for (place, frame, law, remembered) in of_contacts.chain(of_blocks) {
            let (Some(remembered), Some(pair)) = (remembered, pair(place.0)) else { continue };
            let Remembered { moment, without, past, .. } = &mut **remembered;
            let twist = twist(&end, place, frame);
            if let Some(new) = pair.refine(without, moment, past.as_ref(), twist) {
                (*law, any) = (new, true);
            }
        }
        if any {
            self.islands.solve_all();
        }
        any
    }

    /// Moves on what contacts remember beyond their impulses.
    fn advance_memories(&mut self, middle: &[Midpoint]) {
        let World { contacts, blocks, pairing, bodies, settings, .. } = self;
        let pair = |of: [usize; 2]| {
            let [a, b] = of.map(|k| Body::surface(&bodies[k]));
            pairing.pair(a, b).ok()
        };
        for contact in contacts.iter_mut() {
            let place = (contact.bodies, contact.point, contact.slip_target);
            let Contact { remembered: Some(remembered), frame, law, .. } = contact else {
                continue;
            };
            let Some(pair) = pair(place.0) else { continue };
            let twist = twist(middle, place, frame);
            let impulse = frame.to_plane(contact.impulse).extend(contact.spin_impulse);
            remembered.advance(pair, &carried(law, impulse / settings.dt, contact.load, twist));
        }
        for block in blocks.iter_mut() {
            let place = (block.bodies, block.centre, block.slip_target);
            let PatchBlock { remembered: Some(remembered), frame, law, .. } = block else {
                continue;
            };
            let Some(pair) = pair(place.0) else { continue };
            let load: f64 = contacts[block.contacts.clone()].iter().map(|c| c.load).sum();
            let twist = twist(middle, place, frame);
            let impulse = frame.to_plane(block.impulse).extend(block.spin_impulse);
            remembered.advance(pair, &carried(law, impulse / settings.dt, load, twist));
        }
    }

    /// Keeps what contacts leave to the next step.
    fn keep_contacts(&mut self, starts: &[Start], middle: &[Midpoint]) {
        self.memory.clear();
        let awake = self.contacts.iter().zip(starts).skip(self.sleep.contacts);
        for (contact, &(impulse, torque)) in awake {
            let Contact { key, load, frame, remembered, .. } = contact;
            let [a, b] = contact.bodies.map(|k| &middle[k]);
            let slip = b.velocity(contact.centre()) - a.velocity(contact.centre());
            let off = (slip - contact.slip_target).reject_from_normalized(frame.normal);
            let sticks = *load > 0.0 && off.length() * self.settings.dt < STICKS * contact.slop;
            if let Some(wrench) = &contact.wrench {
                let centre = wrench.centre;
                self.memory.keep_wrench(WrenchMemory {
                    bodies: key.bodies,
                    impulse,
                    torque,
                    load: *load,
                    centre,
                    normal: frame.normal,
                    local: [a, b].map(|m| m.pose.inverse_transform_point(centre)),
                    sticks,
                    slip,
                });
                continue;
            }
            let spin_impulse = torque.dot(frame.normal);
            let point = PointMemory {
                impulse,
                spin_impulse,
                load: *load,
                sticks,
                local: contact.local,
                slip,
            };
            self.memory.keep_point(*key, point, remembered.as_ref().and_then(|r| r.past.clone()));
        }
        for block in &self.blocks[self.sleep.blocks..] {
            let (mut load, mut moment) = (0.0, DVec3::ZERO);
            for contact in &self.contacts[block.contacts.clone()] {
                load += contact.load;
                moment += contact.point * contact.load;
            }
            let centre = if load > 0.0 { moment / load } else { block.centre };
            let on = block.bodies.map(|k| middle[k].pose.inverse_transform_point(centre));
            let [a, b] = block.bodies.map(|k| middle[k].velocity(block.centre));
            self.memory.keep_patch(block, (load, on), b - a);
        }
        self.memory.sort();
    }
}

/// What slips less far than this part of the slop in a step sticks.
const STICKS: f64 = 0.01;

/// Two bodies, where they touch, and the slip there of what has none when the step ends.
type PlaceOfSlip = ([usize; 2], DVec3, DVec3);

/// Velocity of B against A at a point when the step ends: (t, b, spin).
fn twist(middle: &[Midpoint], ([a, b], at, none): PlaceOfSlip, frame: &ContactFrame) -> DVec3 {
    let slip = middle[b].velocity(at) - middle[a].velocity(at) - none;
    frame.to_plane(slip).extend(frame.normal.dot(middle[b].angular - middle[a].angular))
}

/// What a law's contact carried: `force` is all of it, with the drag.
fn carried(law: &Law, force: DVec3, pressed: f64, twist: DVec3) -> Carried {
    let load = match law.load {
        LoadRule::Constant(load) if pressed > 0.0 => load,
        LoadRule::Constant(_) => 0.0,
        LoadRule::Normal => pressed,
    };
    // Where there are two rows, the third neither drags nor turns.
    let rows = if law.set.dim() < 3 { DVec3::new(1.0, 1.0, 0.0) } else { DVec3::ONE };
    let twist = twist * rows;
    let drag = law.rheology.as_ref().map_or(DVec3::ZERO, |r| r.drag * twist * load);
    Carried { wrench: (force + drag) * rows, load, twist }
}

impl Remembered {
    fn advance(&mut self, pair: &Pair, carried: &Carried) {
        let before = pair.stored(&self.moment, self.past.as_ref());
        self.past = pair.remember(&self.moment, self.past.as_ref(), carried);
        self.given = carried.load * (before - pair.stored(&self.moment, self.past.as_ref()));
    }
}

impl Contact {
    /// Impulse and torque of its rows, world axes.
    #[inline]
    pub(crate) fn start(&self, rows: &[f64]) -> Start {
        let frame = &self.frame;
        let world = |v: DVec3| frame.normal * v.x + frame.t * v.y + frame.b * v.z;
        if self.wrench.is_some() {
            let screw = Screw::from_rows(rows);
            return (world(screw.linear), world(screw.angular));
        }
        let mut impulse = frame.normal * rows[0];
        if let Some(t) = rows.get(1) {
            impulse += frame.t * *t;
        }
        if let Some(b) = rows.get(2) {
            impulse += frame.b * *b;
        }
        (impulse, frame.normal * if rows.len() == 4 { rows[3] } else { 0.0 })
    }

    /// Notes what a solve gave its rows.
    fn carry(&mut self, rows: &[f64], h: f64) {
        let (impulse, torque) = self.start(rows);
        (self.impulse, self.load) = (impulse, rows[0] / h);
        self.spin_impulse = if rows.len() == 4 { rows[3] } else { 0.0 };
        let Some(wrench) = &mut self.wrench else { return };
        (wrench.torque_impulse, self.point) = (torque, wrench.centre);
        let screw = Screw::from_rows(rows);
        if screw.linear.x > 0.0 {
            let cop = screw.cop();
            self.point += self.frame.to_world(cop);
            self.spin_impulse = screw.spin_about(cop);
        }
    }
}

impl PatchBlock {
    /// Its rows (t, b, spin).
    pub(crate) fn wrench(&self, at: &PatchRows, r: &[f64]) -> DVec3 {
        let third = if self.law.set.dim() == 3 { r[at.first + 2] } else { 0.0 };
        DVec3::new(r[at.first], r[at.first + 1], third)
    }

    /// Notes what a solve gave, and gives each contact a share by its load.
    fn carry(
        &mut self,
        at: &PatchRows,
        island: &Island,
        contacts: &mut [Contact],
        starts: &mut [Start],
    ) {
        let (wrench, keep) = (self.wrench(at, &island.r), self.wrench(at, &island.keep));
        (self.impulse, self.spin_impulse) = (self.frame.to_world(wrench.truncate()), wrench.z);
        let next = self.frame.to_world(keep.truncate());
        let normals = &island.r[at.normals.clone()];
        let load: f64 = normals.iter().sum();
        for (k, normal) in self.contacts.clone().zip(normals) {
            let share = if load > 0.0 { normal / load } else { 0.0 };
            contacts[k].impulse += self.impulse * share;
            contacts[k].spin_impulse = self.spin_impulse * share;
            starts[k].0 += next * share;
            starts[k].1 = self.frame.normal * (keep.z * share);
        }
    }
}
