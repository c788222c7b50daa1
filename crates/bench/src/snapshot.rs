//! What an engine reached in a step, and the residual of it.

use asperity::friction::ContactFrame;
use asperity::friction::set::Disk;
use asperity::glamx::{DMat3, DQuat, DVec3};
use asperity::solve::{
    Bodies, ContactProblem, FrictionBlock, InverseMass, Operator, RowEntry, residual,
    residual_without_units,
};

use crate::item::{FRICTION, GRAVITY, Item};

/// Bodies and contacts of one step.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    /// In the order of the scene.
    pub(crate) bodies: Vec<Motion>,
    pub(crate) contacts: Vec<PeerContact>,
    /// Seconds.
    pub(crate) dt: f64,
}

/// A body in a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Motion {
    pub(crate) rotation: DQuat,
    /// m/s at the centre of mass before the step.
    pub(crate) before: DVec3,
    /// The same after it.
    pub(crate) linear: DVec3,
    /// rad/s after the step.
    pub(crate) angular: DVec3,
}

/// A contact point in a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PeerContact {
    /// A and B in the order of the scene.
    pub(crate) bodies: [usize; 2],
    /// From the centres of mass of A and B to the point.
    pub(crate) arms: [DVec3; 2],
    /// From A to B.
    pub(crate) normal: DVec3,
    /// On B, N s in the whole step.
    pub(crate) impulse: DVec3,
    /// How fast the bodies may approach until they touch, m/s.
    pub(crate) slack: f64,
}

/// Figures of one step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Figures {
    /// The residual of impulses and velocities.
    pub(crate) residual: f64,
    /// The same with impulses in units of a typical mass.
    pub(crate) without_units: f64,
    /// How much of the bodies' momentum the impulses leave unexplained, in units of their weight
    /// times dt (root mean square).
    pub(crate) imbalance: f64,
    /// Contacts that carry something or approach.
    pub(crate) contacts: usize,
    /// Fastest body, m/s.
    pub(crate) speed: f64,
}

impl Snapshot {
    /// The residual of `residual.rs` for velocities u after the step and impulses r of the step:
    /// the free velocities are what these two leave, q = u − W r.
    pub(crate) fn figures(&self, items: &[Item]) -> Figures {
        let (problem, r, contacts) = self.problem(items);
        let speed = self.bodies.iter().fold(0.0, |m: f64, b| m.max(b.linear.length()));
        let imbalance = self.imbalance(items);
        Figures {
            residual: residual(&problem, &r).value,
            without_units: residual_without_units(&problem, &r).value,
            imbalance,
            contacts,
            speed,
        }
    }

    /// The contacts that are not open, as a problem, with their impulses; how many they are.
    pub(crate) fn problem(&self, items: &[Item]) -> (ContactProblem, Vec<f64>, usize) {
        let mut bodies = Bodies::default();
        for (item, motion) in items.iter().zip(&self.bodies) {
            let turn = DMat3::from_quat(motion.rotation);
            let inertia = turn * item.inverse_inertia * turn.transpose();
            bodies.inverse_masses.push(InverseMass::Body { mass: item.inverse_mass, inertia });
        }
        let (mut r, mut u, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        for touch in &self.contacts {
            let speed = self.speed(touch);
            let normal_speed = speed.dot(touch.normal) + touch.slack;
            if touch.impulse == DVec3::ZERO && normal_speed >= 0.0 {
                // Open: no error, whatever its velocity, which must not count as a scale either.
                continue;
            }
            let frame = ContactFrame::from_normal(touch.normal);
            let first = r.len();
            for direction in [frame.normal, frame.t, frame.b] {
                bodies.push_row(entries(touch, direction));
                r.push(touch.impulse.dot(direction));
                u.push(speed.dot(direction));
            }
            u[first] = normal_speed;
            let Ok(disk) = Disk::new(FRICTION) else { continue };
            blocks.push(FrictionBlock::contact(first, first + 1..first + 3, disk));
        }
        let contacts = blocks.len();
        let mut problem = ContactProblem {
            name: String::new(),
            operator: Operator::Bodies(bodies),
            q: vec![0.0; r.len()],
            compliance: Vec::new(),
            blocks,
        };
        let mut pushed = vec![0.0; r.len()];
        problem.velocities(&r, &mut pushed);
        problem.q = u.iter().zip(&pushed).map(|(u, pushed)| u - pushed).collect();
        (problem, r, contacts)
    }

    /// Velocity of B relative to A after the step.
    fn speed(&self, touch: &PeerContact) -> DVec3 {
        let [a, b] = [0, 1].map(|side| {
            let motion = &self.bodies[touch.bodies[side]];
            motion.linear + motion.angular.cross(touch.arms[side])
        });
        b - a
    }

    fn imbalance(&self, items: &[Item]) -> f64 {
        let mut left: Vec<DVec3> = self
            .bodies
            .iter()
            .map(|m| m.linear - m.before + DVec3::Y * (GRAVITY * self.dt))
            .collect();
        for touch in &self.contacts {
            let [a, b] = touch.bodies;
            left[a] += touch.impulse * items[a].inverse_mass;
            left[b] -= touch.impulse * items[b].inverse_mass;
        }
        let pairs = || items.iter().zip(&left).filter(|(item, _)| !item.fixed);
        let mean = pairs().map(|(_, v)| v.length_squared()).sum::<f64>() / pairs().count() as f64;
        mean.sqrt() / (GRAVITY * self.dt)
    }
}

fn entries(touch: &PeerContact, direction: DVec3) -> [RowEntry; 2] {
    [0, 1].map(|side| {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        RowEntry {
            dof_block: touch.bodies[side],
            linear: direction * sign,
            angular: touch.arms[side].cross(direction) * sign,
        }
    })
}
