//! Bodies at rest are left alone until something touches them.
//!
//! An island whose bodies have stood still for a while, up to rounding, falls asleep: no contacts are looked for
//! within it and nothing is solved. Its contacts stay those of the world, with what they carry; manifolds and what is
//! remembered of contacts are set aside. When something comes near, pushes one of its bodies, or settings change, all
//! of them go on from where they were, with the impulses that they had.

use glamx::{DPose3, DVec3};

use crate::body::{Body, BodyKind};
use crate::contact::Contact;
use crate::dynamics::midpoint::Midpoint;
use crate::joint::JointKind;
use crate::measure::StepTimes;
use crate::profile::Profile;
use crate::settings::Settings;
use crate::world::World;

/// Who sleeps, and who is about to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sleep {
    /// How many of the first contacts and patches are those of bodies that sleep.
    pub(crate) contacts: usize,
    pub(crate) blocks: usize,
    bodies: Vec<Rest>,
    /// How the world was stepped when bodies fell asleep.
    settings: Option<Settings>,
}

/// How long a body has stood still.
#[derive(Debug, Clone, Copy)]
struct Rest {
    pose: DPose3,
    steps: u32,
    /// The first of the bodies that fell asleep together.
    first: usize,
}

impl World {
    /// How many bodies sleep.
    pub fn asleep(&self) -> usize {
        self.bodies.iter().filter(|b| b.asleep).count()
    }

    /// Wakes a body, and all that fell asleep with it.
    pub fn wake(&mut self, body: usize) {
        if self.bodies.get(body).is_some_and(|b| b.asleep) {
            let first = self.sleep.bodies[body].first;
            self.wake_where(|rest| rest.first == first);
        }
    }

    /// Wakes all bodies.
    pub fn wake_all(&mut self) {
        self.wake_where(|_| true);
    }

    /// Makes a step in which everything sleeps and nothing else can happen; whether it was one.
    pub(crate) fn sleep_on(&mut self) -> bool {
        let still = |body: &Body| match body.kind {
            BodyKind::Fixed => true,
            BodyKind::Dynamic => {
                body.asleep && body.force == DVec3::ZERO && body.torque == DVec3::ZERO
            }
            BodyKind::Kinematic => {
                let [v, w] = [body.linear_velocity, body.angular_velocity];
                body.desc.keyframes.is_empty() && v == DVec3::ZERO && w == DVec3::ZERO
            }
        };
        let nothing = self.sleep.contacts > 0
            && self.drives.is_empty()
            && self.sleep.settings.as_ref() == Some(&self.settings)
            && self.bodies.iter().all(still);
        if nothing {
            let energy = &mut self.report.audit.energy;
            (energy.begin, energy.work, energy.rise) = (energy.end, 0.0, 0.0);
            energy.joints = 0.0;
            (self.report.residual, self.report.iterations, self.report.islands) = (0.0, 0, 0);
            (self.report.unconverged, self.times) = (0, StepTimes::default());
            self.report.frozen.clear();
            self.steps += 1;
        }
        nothing
    }

    /// Bodies half-way through the step, or where they touch, with what touches; whoever is touched wakes.
    pub(crate) fn find_awake(&mut self) -> Vec<Midpoint> {
        let other = self.sleep.settings.as_ref().is_some_and(|s| *s != self.settings);
        if other {
            self.wake_all();
        }
        let pushed = |b: &Body| b.asleep && (b.force != DVec3::ZERO || b.torque != DVec3::ZERO);
        while let Some(k) = self.bodies.iter().position(pushed) {
            self.wake(k);
        }
        // Whoever is pushed in every step would fall asleep and wake, over and over.
        for (body, rest) in self.bodies.iter().zip(&mut self.sleep.bodies) {
            if body.force != DVec3::ZERO || body.torque != DVec3::ZERO {
                rest.steps = 0;
            }
        }
        loop {
            let mut middle = self.half_way();
            if self.wake_on_moved(&middle) {
                middle = self.half_way();
            }
            if self.sleep.settings.is_some() {
                let bodies = &self.bodies;
                // What is moved from outside, but not in this step, touches nothing that sleeps.
                let still = |k: usize| {
                    let m: &Midpoint = &middle[k];
                    bodies[k].kind == BodyKind::Kinematic
                        && m.linear == DVec3::ZERO
                        && m.angular == DVec3::ZERO
                };
                self.collision.set_resting(|k| bodies[k].asleep || still(k));
            }
            self.find_touching(&mut middle);
            if !self.wake_touched() {
                self.stiffen(&mut middle);
                return middle;
            }
        }
    }

    /// Wakes bodies that sleep on what is moved from outside in this step: it may be far away by its middle. Whether
    /// there are any.
    fn wake_on_moved(&mut self, middle: &[Midpoint]) -> bool {
        let moved = |k: &usize| {
            let m = &middle[*k];
            self.bodies[*k].kind == BodyKind::Kinematic
                && (m.linear != DVec3::ZERO || m.angular != DVec3::ZERO)
        };
        let held = self.contacts[..self.sleep.contacts].iter().map(|c| c.bodies);
        let on_moved = held.filter(|pair| pair.iter().any(moved));
        let touched: Vec<usize> = on_moved.flatten().filter(|k| self.bodies[*k].asleep).collect();
        for k in &touched {
            self.wake(*k);
        }
        !touched.is_empty()
    }

    /// Wakes bodies near others that do not sleep; whether there are any.
    fn wake_touched(&mut self) -> bool {
        if self.sleep.settings.is_none() {
            return false;
        }
        let by_contact = self.collision.manifolds().iter().map(|m| m.bodies);
        let by_volume = self.collision.shared_volumes().iter().map(|v| v.bodies);
        let asleep = |k: &usize| self.bodies[*k].asleep;
        let touched: Vec<usize> = by_contact.chain(by_volume).flatten().filter(asleep).collect();
        for k in &touched {
            self.wake(*k);
        }
        !touched.is_empty()
    }

    /// Wakes bodies that are touched once it is known how others move, and finds all that touches again; whether
    /// there are any.
    pub(crate) fn wake_and_start_over(&mut self, middle: &mut Vec<Midpoint>) -> bool {
        let any = self.wake_touched();
        if any {
            self.islands.solve_all();
            *middle = self.find_awake();
            self.make_laws(middle);
        }
        any
    }

    /// Lets islands fall asleep whose bodies have stood still for long enough.
    pub(crate) fn fall_asleep(&mut self) {
        self.report.asleep = self.asleep();
        if !self.settings.sleep || !self.softs().is_empty() {
            return self.wake_all();
        }
        let World { bodies, islands, settings, sleep, .. } = self;
        for k in sleep.bodies.len()..bodies.len() {
            sleep.bodies.push(Rest { pose: bodies[k].pose, steps: 0, first: k });
        }
        let mut calm = vec![u32::MAX; islands.list().len()];
        for (k, body) in bodies.iter().enumerate().filter(|(_, b)| b.is_pushed()) {
            let rest = &mut sleep.bodies[k];
            rest.steps = if stands_still(body, &rest.pose, settings) { rest.steps + 1 } else { 0 };
            rest.pose = body.pose;
            if let Some(calm) = calm.get_mut(islands.of_body[k]) {
                *calm = rest.steps.min(*calm);
            }
        }
        for (k, calm) in calm.iter_mut().enumerate() {
            if *calm >= CALM && !self.may_sleep(k) {
                *calm = 0;
            }
        }
        if calm.iter().all(|steps| *steps < CALM) {
            return;
        }
        let World { bodies, islands, sleep, .. } = self;
        let mut first = vec![usize::MAX; calm.len()];
        for (k, body) in bodies.iter_mut().enumerate() {
            let island = islands.of_body[k];
            if calm.get(island).is_some_and(|steps| *steps >= CALM) {
                first[island] = first[island].min(k);
                sleep.bodies[k].first = first[island];
                (body.linear_velocity, body.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
                body.asleep = true;
            }
        }
        sleep.settings = Some(self.settings.clone());
        self.report.asleep = self.asleep();
        self.lay_to_rest();
    }

    /// Whether nothing acts on an island that could set it in motion by itself.
    fn may_sleep(&self, island: usize) -> bool {
        let island = &self.islands.list()[island];
        let drives = |k: &usize| {
            let joint = &self.joints[*k];
            let changes =
                matches!(&joint.kind, JointKind::Distance(p) if !matches!(p, Profile::Constant(_)));
            let moved = |id: crate::BodyId| self.bodies[id.0].kind == BodyKind::Kinematic;
            joint.motor.is_some() || changes || joint.a.is_some_and(moved) || moved(joint.b)
        };
        let remembers = |c: &Contact| {
            let patch = c.patch.and_then(|k| self.blocks[k].remembered.as_ref());
            c.wrench.is_some() || c.remembered.is_some() || patch.is_some()
        };
        // What its grain holds now it may let go later.
        let changes =
            |c: &Contact| c.bodies.iter().any(|body| self.bodies[*body].structure().follows_time());
        island.springs.is_empty()
            && !island.joints.iter().any(drives)
            && !island
                .contacts
                .iter()
                .map(|k| &self.contacts[*k])
                .any(|contact| remembers(contact) || changes(contact))
    }

    fn wake_where(&mut self, wakes: impl Fn(&Rest) -> bool) {
        if self.sleep.settings.is_none() {
            return;
        }
        for (body, rest) in self.bodies.iter_mut().zip(&mut self.sleep.bodies) {
            if body.asleep && wakes(rest) {
                (body.asleep, rest.steps) = (false, 0);
            }
        }
        if self.bodies.iter().all(|b| !b.asleep) {
            self.sleep.settings = None;
        }
        self.lay_to_rest();
    }

    /// Puts the contacts of bodies that sleep before all others, and sets aside what is known of them.
    pub(crate) fn lay_to_rest(&mut self) {
        let World { bodies, contacts, blocks, sleep, memory, collision, .. } = self;
        let sleeps = |pair: [usize; 2]| {
            pair.iter().all(|k| !bodies[*k].is_pushed()) && pair.iter().any(|k| bodies[*k].asleep)
        };
        let (new_contacts, count) = order(contacts, |c| sleeps(c.bodies));
        let (new_blocks, blocks_count) = order(blocks, |b| sleeps(b.bodies));
        (sleep.contacts, sleep.blocks) = (count, blocks_count);
        for contact in contacts.iter_mut() {
            contact.patch = contact.patch.map(|k| new_blocks[k]);
        }
        for block in blocks.iter_mut() {
            let first = new_contacts.get(block.contacts.start).copied().unwrap_or(0);
            block.contacts = first..first + block.contacts.len();
        }
        memory.sort_by_sleep(sleeps);
        collision.set_resting(|k| bodies[k].asleep);
    }
}

/// Whether a body stands still, up to rounding, and did not go elsewhere in the last step.
fn stands_still(body: &Body, before: &DPose3, settings: &Settings) -> bool {
    let dt = settings.dt;
    let least = (STILL * settings.gravity.length() * dt).max(ROUNDING * body.radius / dt);
    let speed = body.linear_velocity.length() + body.angular_velocity.length() * body.radius;
    let turn = body.pose.rotation * before.rotation.inverse();
    let way = (body.pose.translation - before.translation).length()
        + 2.0 * DVec3::new(turn.x, turn.y, turn.z).length() * body.radius;
    speed <= least && way <= least * dt
}

/// Puts those first that `first` names, in the order they are in; the new place of each, and how many these are.
fn order<T>(list: &mut Vec<T>, first: impl Fn(&T) -> bool) -> (Vec<usize>, usize) {
    let named: Vec<bool> = list.iter().map(first).collect();
    let count = named.iter().filter(|n| **n).count();
    let mut next = [0, count];
    let place = |named: &bool| {
        let next = &mut next[usize::from(!named)];
        *next += 1;
        *next - 1
    };
    let places: Vec<usize> = named.iter().map(place).collect();
    let mut numbered: Vec<(usize, T)> = places.iter().copied().zip(list.drain(..)).collect();
    numbered.sort_by_key(|n| n.0);
    list.extend(numbered.into_iter().map(|n| n.1));
    (places, count)
}

/// Steps without motion before an island falls asleep.
const CALM: u32 = 20;

/// Speed of what stands still, in units of what gravity gives a body in a step.
const STILL: f64 = 1e-8;

/// The same where there is no gravity, in radii a step.
const ROUNDING: f64 = 1e-12;
