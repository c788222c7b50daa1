//! Work from outside in a step: of forces, of motors and springs, and of bodies whose motion is prescribed.
//!
//! Kinetic energy changes by v̄·(h f + Jᵀ r) with the mean velocity v̄ of the step. What of that is from outside
//! is counted with the same mean, so that what is left is what contacts, joints and gravity did.

use glamx::{DPose3, DVec3};

use super::Ledger;
use crate::assemble::momenta;
use crate::body::Body;
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
        let middle = &self.by_ways(middle);
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

    /// What acts on bodies that go their whole step with the velocity it ends with, since soft bodies touch them, does
    /// work on that way: what it gives to their motion beyond that, or less, is lost in such a step.
    fn by_ways(&self, middle: &[Midpoint]) -> Vec<Midpoint> {
        let mut middle = middle.to_vec();
        for island in self.islands.list().iter().filter(|island| !island.softs.is_empty()) {
            for &k in &island.bodies {
                let m = &mut middle[k];
                (m.begin_linear, m.begin_angular) = (m.linear, m.angular);
            }
        }
        middle
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
                ledger.joints[island.bodies[0]] += held_back(row, jacobian, *r, bodies, middle);
            }
            first += count;
        }
        if !island.joints.is_empty() {
            let mut pushes = Vec::new();
            momenta(&island.problem, island.r.iter().copied(), &mut pushes);
            for (&k, push) in island.bodies.iter().zip(&pushes) {
                let lost = turned_back(&self.bodies[k], &middle[k], push.1, self.settings.dt);
                ledger.joints[island.bodies[0]] += lost;
            }
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

/// What a joint's row takes by what it holds, joules: nothing where that is the mean of the step.
fn held_back(
    row: &JointRow,
    jacobian: &Jacobian,
    impulse: f64,
    bodies: [Option<usize>; 2],
    middle: &[Midpoint],
) -> f64 {
    if row.role != Role::Hold || row.target != 0.0 {
        return 0.0;
    }
    let along = [0, 1].into_iter().filter_map(|side| {
        let m = &middle[bodies[side]?];
        let (linear, angular) = (m.linear + m.begin_linear, m.angular + m.begin_angular);
        Some(jacobian.measure(side, 0.5 * linear, 0.5 * angular))
    });
    -impulse * along.sum::<f64>()
}

/// What a body that joints hold loses by its turning, joules: the work of what changes its momentum L beyond the impulse p
/// of its rows and the torque on it, ω̄·(p + h τ − ΔL). That is what is added to its inertia where joints damp, and its
/// gyroscopic torque where that does not follow what impulses do.
fn turned_back(body: &Body, m: &Midpoint, impulse: DVec3, h: f64) -> f64 {
    if body.desc.angular_damping != 0.0 {
        return 0.0; // That takes more.
    }
    let turn = m.angular - m.begin_angular;
    let gained = m.pose.rotation * (body.inertia * (m.pose.rotation.inverse() * turn));
    0.5 * (m.angular + m.begin_angular).dot(impulse + h * body.torque - gained)
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
