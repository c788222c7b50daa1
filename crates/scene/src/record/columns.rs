//! The recorded numbers, column by column.

use asperity::world::{StepReport, World};
use serde::{Deserialize, Serialize};

use super::SoftColumns;

/// A number that is recorded in every frame, such as a probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// Its unit; empty for a plain number.
    pub unit: String,
}

impl Channel {
    /// Its head in a table: the name, and the unit in brackets where it has one.
    pub fn head(&self) -> String {
        match self.unit.as_str() {
            "" => self.name.clone(),
            unit => format!("{} [{unit}]", self.name),
        }
    }

    /// From its head. A name that itself ends in brackets reads as one with a unit.
    pub(super) fn from_head(head: &str) -> Channel {
        let parts = head.strip_suffix(']').and_then(|head| head.rsplit_once(" ["));
        let (name, unit) = parts.unwrap_or((head, ""));
        Channel { name: name.to_owned(), unit: unit.to_owned() }
    }
}

/// What was seen of a world, frame by frame. Columns of bodies hold all bodies of the first
/// frame, then all of the second, and so on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recording {
    /// Names of the bodies, in order of their numbers.
    pub bodies: Vec<String>,
    /// World from body: translation, metres.
    pub position: Vec<[f64; 3]>,
    /// World from body: quaternion x y z w.
    pub rotation: Vec<[f64; 4]>,
    /// Of the centre of mass, m/s.
    pub velocity: Vec<[f64; 3]>,
    /// rad/s, world axes.
    pub angular_velocity: Vec<[f64; 3]>,
    /// Cloth and soft solids.
    pub softs: Vec<SoftColumns>,
    /// One number per frame each.
    pub world: WorldColumns,
    /// The contacts of the frames' steps.
    pub contacts: ContactColumns,
    /// What else is recorded.
    pub channels: Vec<Channel>,
    /// All channels of the first frame, then all of the second, and so on.
    pub values: Vec<f64>,
}

/// What is recorded of the world as a whole: one number per frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WorldColumns {
    /// Steps since the start.
    pub step: Vec<u64>,
    /// Seconds.
    pub time: Vec<f64>,
    /// Joules.
    pub kinetic: Vec<f64>,
    /// In gravity, zero at the origin, joules.
    pub potential: Vec<f64>,
    /// Largest of the steps since the last frame.
    pub residual: Vec<f64>,
    /// Most sweeps of the steps since the last frame.
    pub iterations: Vec<u64>,
    /// Contact points.
    pub contacts: Vec<u64>,
    /// Groups of bodies that touch.
    pub islands: Vec<u64>,
    /// Unconverged solves since the last frame.
    pub unconverged: Vec<u64>,
    /// Deepest since the last frame, metres.
    pub penetration: Vec<f64>,
}

/// What is recorded of contacts: one row per contact and frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContactColumns {
    /// For each frame, the row after its last.
    pub end: Vec<u64>,
    /// Numbers of the two bodies, A then B.
    pub bodies: Vec<[u64; 2]>,
    /// Where they touch, metres.
    pub point: Vec<[f64; 3]>,
    /// Unit vector from A to B.
    pub normal: Vec<[f64; 3]>,
    /// Metres; negative where they overlap.
    pub gap: Vec<f64>,
    /// Mean force on B over the step, newtons.
    pub force: Vec<[f64; 3]>,
    /// Normal part of it, newtons.
    pub load: Vec<f64>,
    /// Mean torque on B about the normal over the step, N m.
    pub spin: Vec<f64>,
    /// Velocity of B relative to A in the contact plane, m/s.
    pub slip: Vec<[f64; 3]>,
}

/// The worst of some steps.
#[derive(Debug, Default)]
pub(super) struct Worst {
    residual: f64,
    iterations: usize,
    unconverged: usize,
    penetration: f64,
}

impl Worst {
    pub(super) fn see(&mut self, report: &StepReport) {
        // A residual that is not a number is the worst of all, and stays.
        if !self.residual.is_nan() && !(report.residual <= self.residual) {
            self.residual = report.residual;
        }
        self.iterations = self.iterations.max(report.iterations);
        self.unconverged += report.unconverged;
        self.penetration = self.penetration.max(report.penetration);
    }
}

impl Recording {
    /// An empty recording of the world's bodies.
    pub(super) fn new(world: &World, channels: Vec<Channel>) -> Recording {
        Recording {
            bodies: world.bodies().iter().map(|b| b.name.clone()).collect(),
            softs: world.softs().iter().map(SoftColumns::new).collect(),
            channels,
            ..Recording::default()
        }
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.world.step.len()
    }

    /// Whether there are no frames.
    pub fn is_empty(&self) -> bool {
        self.world.step.is_empty()
    }

    /// Adds a frame.
    pub(super) fn push(&mut self, world: &World, worst: &Worst, values: &[f64]) {
        // A body that joined later is not recorded: every frame holds the same bodies.
        for body in world.bodies().iter().take(self.bodies.len()) {
            let q = body.pose.rotation;
            self.position.push(body.pose.translation.to_array());
            self.rotation.push([q.x, q.y, q.z, q.w]);
            self.velocity.push(body.linear_velocity.to_array());
            self.angular_velocity.push(body.angular_velocity.to_array());
        }
        for (columns, soft) in self.softs.iter_mut().zip(world.softs()) {
            columns.push(soft);
        }
        self.world.push(world, worst);
        self.contacts.push(world);
        let missing = std::iter::repeat(f64::NAN);
        self.values.extend(values.iter().copied().chain(missing).take(self.channels.len()));
    }
}

impl WorldColumns {
    fn push(&mut self, world: &World, worst: &Worst) {
        let (energy, report) = (world.energy(), world.report());
        self.step.push(world.steps());
        self.time.push(world.time());
        self.kinetic.push(energy.kinetic);
        self.potential.push(energy.potential);
        self.residual.push(worst.residual);
        self.iterations.push(worst.iterations as u64);
        self.contacts.push(report.contacts as u64);
        self.islands.push(report.islands as u64);
        self.unconverged.push(worst.unconverged as u64);
        self.penetration.push(worst.penetration);
    }
}

impl ContactColumns {
    /// The rows of a frame.
    pub fn rows(&self, frame: usize) -> std::ops::Range<usize> {
        let start = if frame == 0 { 0 } else { self.end[frame - 1] };
        start as usize..self.end[frame] as usize
    }

    fn push(&mut self, world: &World) {
        let per_second = 1.0 / world.settings.dt;
        for contact in world.contacts() {
            self.bodies.push(contact.bodies.map(|k| k as u64));
            self.point.push(contact.point.to_array());
            self.normal.push(contact.frame.normal.to_array());
            self.gap.push(contact.gap);
            self.force.push((contact.impulse * per_second).to_array());
            self.load.push(contact.load);
            self.spin.push(contact.spin_impulse * per_second);
            self.slip.push(contact.slip.to_array());
        }
        self.end.push(self.bodies.len() as u64);
    }
}
