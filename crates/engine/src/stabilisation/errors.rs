//! What displacements leave of joint errors and overlaps, and how much of them to take.

use glamx::{DPose3, DVec3};

use crate::contact::Contact;
use crate::dynamics::joint_rows::{Moment, Role, joint_rows};
use crate::dynamics::midpoint::advance;
use crate::island::Island;
use crate::joint::JointDesc;
use crate::world::World;

/// What is wrong with where the bodies of an island are, in units of the smaller or thinner body of each pair.
#[derive(Clone, Copy, Default)]
struct Errors {
    /// Sum of the squares of joint errors and overlaps.
    squares: f64,
    /// The largest error of a joint.
    worst: f64,
}

/// What to take of displacements.
pub(super) struct Helps {
    /// The part.
    pub(super) part: f64,
    /// Whether joints are open still after it.
    pub(super) open: bool,
    /// The largest error of a joint before.
    pub(super) worst: f64,
}

impl World {
    /// The largest part of an island's displacements, by halves, that makes errors smaller, and whether joints are
    /// open still after it. Displacements are those of bodies that turn by next to nothing; where bodies turn by more,
    /// or where joints contradict each other, all of them may do harm.
    pub(super) fn part_that_helps(&self, island: &Island) -> Helps {
        let before = self.errors(island, 0.0);
        let mut part = 1.0;
        for _ in 0..=HALVES {
            let after = self.errors(island, part);
            let less = after.squares.sqrt() <= (1.0 - LEAST * part) * before.squares.sqrt();
            if less || after.worst <= CLOSED {
                return Helps { part, open: after.worst > CLOSED, worst: before.worst };
            }
            part *= 0.5;
        }
        Helps { part: 0.0, open: false, worst: before.worst }
    }

    /// The errors after a part of the island's displacements.
    fn errors(&self, island: &Island, part: f64) -> Errors {
        let mut errors = Errors::default();
        for &k in &island.joints {
            let error = self.joint_error(island, &self.joints[k], part);
            errors.squares += error * error;
            errors.worst = errors.worst.max(error);
        }
        // Volumes that bodies share change in ways of their own.
        for contact in island.contacts.iter().map(|k| &self.contacts[*k]) {
            if contact.wrench.is_none() {
                let thickness = contact.bodies.map(|k| self.collision.thickness(k));
                let gap = contact.gap + part * self.opens(island, contact);
                let error = (gap + 0.5 * contact.slop).min(0.0) / thickness[0].min(thickness[1]);
                errors.squares += error * error;
            }
        }
        errors
    }

    /// How far a joint is from where it holds, in radii of its smaller body.
    fn joint_error(&self, island: &Island, joint: &JointDesc, part: f64) -> f64 {
        let pair = [joint.a.map(|a| a.0), Some(joint.b.0)];
        let [a, b] = pair.map(|k| k.map_or(DPose3::IDENTITY, |k| self.displaced(island, k, part)));
        let pushed = |k: &usize| self.bodies[*k].is_pushed() && self.bodies[*k].radius > 0.0;
        let radii = pair.into_iter().flatten().filter(pushed).map(|k| self.bodies[k].radius);
        let Some(radius) = radii.reduce(f64::min) else { return 0.0 };
        let h = self.settings.dt;
        let moment = Moment { begin: self.time(), gone: h, h };
        let rows = joint_rows(joint, &a, &b, &moment);
        let errors = rows.as_slice().iter().map(|row| {
            let error = if row.angular { row.error } else { row.error / radius };
            match row.role {
                Role::Hold => error,
                Role::Limit => error.min(0.0),
                Role::Motor(_) => 0.0,
            }
        });
        errors.map(|error| error * error).sum::<f64>().sqrt()
    }

    /// Where a body is after a part of the island's displacements.
    fn displaced(&self, island: &Island, body: usize, part: f64) -> DPose3 {
        let pose = &self.bodies[body].pose;
        match self.displacement(island, body) {
            Some((linear, angular)) if part > 0.0 => {
                advance(pose, self.bodies[body].centre, linear, angular, part)
            }
            _ => *pose,
        }
    }

    /// How much farther apart the island's displacements take two bodies at a contact, metres.
    pub(super) fn opens(&self, island: &Island, contact: &Contact) -> f64 {
        let points = contact.on_bodies(contact.bodies.map(|body| &self.bodies[body].pose));
        let [a, b] = [0, 1].map(|side| {
            let body = contact.bodies[side];
            self.displacement(island, body).map_or(DVec3::ZERO, |(linear, angular)| {
                linear + angular.cross(points[side] - self.bodies[body].centre_of_mass())
            })
        });
        (b - a).dot(contact.frame.normal)
    }

    fn displacement(&self, island: &Island, body: usize) -> Option<(DVec3, DVec3)> {
        self.islands.dof_block.get(body).and_then(|k| island.change.get(*k)).copied()
    }
}

/// Joint errors, in radii of the smaller body, that are left to the next step.
const CLOSED: f64 = 1e-7;

/// By what part of what is taken errors must be smaller, at least.
const LEAST: f64 = 0.1;

/// How often displacements are halved.
const HALVES: usize = 6;
