//! Work from outside in a step: of forces, of motors and springs, and of bodies whose motion is prescribed.
//!
//! Kinetic energy changes by v̄·(h f + Jᵀ r) with the mean velocity v̄ of the step. What of that is from outside
//! is counted with the same mean, so that what is left is what contacts, joints and gravity did.

use glamx::{DPose3, DVec3};

use super::Ledger;
use crate::contact::{Contact, Remembered};
use crate::dynamics::joint_rows::{JointRow, Moment, Role, joint_rows};
use crate::dynamics::midpoint::Midpoint;
use crate::dynamics::way::Jacobian;
use crate::island::Island;
use crate::world::World;

/// An impulse and a torque impulse on B, and their opposite on A; world axes.
struct Push {
    bodies: [usize; 2],
    at: DVec3,
    impulse: DVec3,
    torque: DVec3,
}

impl World {
    /// Enters the work from outside, once velocities at the end of the step are known and before bodies move on.
    pub(crate) fn enter_work(&self, middle: &[Midpoint], ledger: &mut Ledger) {
        let h = self.settings.dt;
        for (k, body) in self.bodies.iter().enumerate().filter(|(_, b)| b.is_pushed()) {
            let m = &middle[k];
            let (linear, angular) = (m.linear + m.begin_linear, m.angular + m.begin_angular);
            ledger.work[k] += 0.5 * h * (body.force.dot(linear) + body.torque.dot(angular));
        }
        let mut give = |bodies: [usize; 2], remembered: &Option<Box<Remembered>>| {
            let pushed = bodies.into_iter().find(|k| middle[*k].inverse_mass > 0.0);
            if let (Some(remembered), Some(k)) = (remembered, pushed) {
                ledger.given[k] += remembered.given;
            }
        };
        for contact in &self.contacts {
            give(contact.bodies, &contact.remembered);
        }
        for block in &self.blocks {
            give(block.bodies, &block.remembered);
        }
        for contact in &self.contacts {
            enter_push(middle, ledger, &push(contact, h));
        }
        for block in &self.blocks {
            let torque = block.frame.normal * block.spin_impulse;
            let (bodies, at, impulse) = (block.bodies, block.centre, block.impulse);
            enter_push(middle, ledger, &Push { bodies, at, impulse, torque });
        }
        for island in self.islands.list() {
            self.enter_rows(middle, ledger, island);
        }
    }

    /// What motors and springs do, and joints to bodies with a prescribed motion.
    fn enter_rows(&self, middle: &[Midpoint], ledger: &mut Ledger, island: &Island) {
        let mut first = 0;
        for (&k, &count) in island.joints.iter().zip(&island.joint_rows) {
            let joint = &self.joints[k];
            let bodies = [joint.a.map(|a| a.0), Some(joint.b.0)];
            let [a, b] = bodies.map(|k| k.map_or(DPose3::IDENTITY, |k| middle[k].pose));
            let gone = middle[joint.b.0].gone;
            let moment = Moment { begin: self.time(), gone, h: self.settings.dt };
            let rows = joint_rows(joint, &a, &b, &moment);
            let given = first..first + count;
            let rows = rows.as_slice().iter().zip(&island.jacobians[given.clone()]);
            for ((row, jacobian), r) in rows.zip(&island.r[given]) {
                for (body, work) in row_work(row, jacobian, *r, bodies, middle) {
                    ledger.work[body] += work;
                }
            }
            first += count;
        }
        for &k in &island.springs {
            let Some((body, point)) = self.drives[k].spring() else { continue };
            let m = &middle[body];
            let at = m.pose.transform_point(point);
            let impulse = DVec3::from_slice(&island.r[first..first + 3]);
            ledger.work[body] += impulse.dot(mean_velocity(m, at));
            first += 3;
        }
    }
}

/// What a contact's rows carried.
fn push(contact: &Contact, h: f64) -> Push {
    let (at, normal) = (contact.centre(), contact.frame.normal);
    let (impulse, torque) = match (&contact.wrench, contact.patch) {
        (Some(wrench), _) => (contact.impulse, wrench.torque_impulse),
        // Its friction is that of the patch.
        (None, Some(_)) => (normal * (contact.load * h), DVec3::ZERO),
        (None, None) => (contact.impulse, normal * contact.spin_impulse),
    };
    Push { bodies: contact.bodies, at, impulse, torque }
}

/// Work from outside that a joint's row does on bodies that are pushed. A motor, or what changes a length, does
/// all of it; of the others it is that of bodies whose motion is prescribed.
pub(crate) fn row_work(
    row: &JointRow,
    jacobian: &Jacobian,
    impulse: f64,
    bodies: [Option<usize>; 2],
    middle: &[Midpoint],
) -> impl Iterator<Item = (usize, f64)> {
    let active =
        matches!(row.role, Role::Motor(_)) || (row.role == Role::Hold && row.target != 0.0);
    let sides = [(0, 1), (1, 0)];
    sides.into_iter().filter_map(move |(side, other)| {
        let body = bodies[side]?;
        let m = &middle[body];
        let (linear, angular) = (m.linear + m.begin_linear, m.angular + m.begin_angular);
        let work = impulse * jacobian.measure(side, 0.5 * linear, 0.5 * angular);
        match (m.inverse_mass > 0.0, active) {
            (true, true) => Some((body, work)),
            (false, false) => Some((bodies[other]?, -work)),
            _ => None,
        }
    })
}

fn mean_velocity(m: &Midpoint, at: DVec3) -> DVec3 {
    0.5 * (m.velocity(at) + m.begin_velocity(at))
}

/// What a body with a prescribed motion does to the other one.
fn enter_push(middle: &[Midpoint], ledger: &mut Ledger, push: &Push) {
    let Push { bodies: [a, b], at, impulse, torque } = *push;
    for (prescribed, other, sign) in [(a, b, 1.0), (b, a, -1.0)] {
        let m = &middle[prescribed];
        if m.inverse_mass == 0.0 {
            ledger.work[other] += sign * (impulse.dot(m.velocity(at)) + torque.dot(m.angular));
        }
    }
}
