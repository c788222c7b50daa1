//! Whether a step was sound: energy that came from nowhere, overlaps against the size of bodies, joints that
//! gape.

pub(crate) mod work;

use asperity_geometry::collision::Collision;
use asperity_geometry::shape::Shape;
use glamx::DPose3;

use crate::body::Body;
use crate::contact::Contact;
use crate::dynamics::joint_rows::{Moment, Role, joint_rows};
use crate::joint::{Joint, JointId};
use crate::report::Energy;
use crate::world::World;

/// Whether a step was sound.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Audit {
    /// What energy did.
    pub energy: EnergyBalance,
    /// The overlap that is deepest against the thinner body when the step ends, if any bodies overlap.
    pub overlap: Option<Overlap>,
    /// The deepest overlap of a soft body's surface, if any is half as deep as the distance it keeps.
    pub soft: Option<SoftOverlap>,
    /// The joint that gapes most against the smaller body, if any does.
    pub gape: Option<Gape>,
}

/// What the energy of all bodies did in a step, joules. What contacts by wrench store where they give is not part of
/// it, nor are springs from outside.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct EnergyBalance {
    /// When the step began.
    pub begin: Energy,
    /// When it ended.
    pub end: Energy,
    /// Work from outside: of forces, impulses and springs, of motors, and of bodies whose motion is
    /// prescribed.
    pub work: f64,
    /// What bristles of contacts that remember gave back, by the load of the step; negative where they took some.
    pub given: f64,
    /// What joints took, beyond the work from outside: where they damp, since a step is too long for what swings by
    /// them, and of velocities that they do not leave free when the step ends; less what closing them gave. They should
    /// take none.
    pub joints: f64,
    /// What groups of bodies that act on each other gained beyond it, summed over those that gained. Contacts,
    /// joints and solver may only take energy: this should be zero.
    pub rise: f64,
}

impl EnergyBalance {
    /// What all bodies together gained beyond the work from outside and what bristles gave back, joules; below zero where energy was lost.
    pub fn net(&self) -> f64 {
        self.end.total() - self.begin.total() - self.work - self.given
    }
}

/// Two bodies that are within each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// Their numbers.
    pub bodies: [usize; 2],
    /// Metres.
    pub depth: f64,
    /// Smallest side of the box around the thinner one, metres.
    pub thickness: f64,
}

impl Overlap {
    /// Depth as a part of the thinner body.
    pub fn part(&self) -> f64 {
        self.depth / self.thickness
    }
}

/// A soft body's surface that is nearer than it may be to something, or through it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftOverlap {
    /// Number of the soft body.
    pub soft: usize,
    /// What it is too near to; the same soft body where it touches itself.
    pub other: Touched,
    /// By how much it is too near, metres. Beyond the thickness surfaces are through each other.
    pub depth: f64,
    /// The distance that surfaces keep, metres.
    pub thickness: f64,
}

/// A body of either kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touched {
    /// Number of a rigid body.
    Rigid(usize),
    /// Number of a soft body.
    Soft(usize),
}

impl SoftOverlap {
    /// Depth as a part of the thickness: above one where surfaces are through each other.
    pub fn part(&self) -> f64 {
        self.depth / self.thickness
    }
}

/// A joint that is not where it should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gape {
    /// Which.
    pub joint: JointId,
    /// How far what it holds is apart, metres: its anchors, or by a wrong angle the rim of the smaller body.
    pub gape: f64,
    /// Size of the smaller body, metres.
    pub size: f64,
}

impl Gape {
    /// The gape as a part of the smaller body.
    pub fn part(&self) -> f64 {
        self.gape / self.size
    }
}

/// The energy of each body when a step began.
pub(crate) struct Ledger {
    rigid: Vec<Energy>,
    soft: Vec<Energy>,
    /// Of each rigid body, or what acts on it, in this step; joules.
    pub(crate) work: Vec<f64>,
    /// What bristles of its contacts gave back, each contact's by one of its bodies; joules.
    given: Vec<f64>,
    /// What joints took from the island of which it is the first body, joules.
    pub(crate) joints: Vec<f64>,
}

impl World {
    /// Notes the energy of all bodies.
    pub(crate) fn open_ledger(&self) -> Ledger {
        let (rigid, soft) = self.energies();
        let [work, given, joints] = [(); 3].map(|()| vec![0.0; rigid.len()]);
        Ledger { rigid, soft, work, given, joints }
    }

    fn energies(&self) -> (Vec<Energy>, Vec<Energy>) {
        let gravity = self.settings.gravity;
        let rigid = self.bodies.iter().map(|b| b.energy(gravity)).collect();
        (rigid, self.softs().iter().map(|s| s.energy(gravity)).collect())
    }

    /// Compares what is now with what was when the step began.
    pub(crate) fn audit(&mut self, ledger: &Ledger) {
        self.report.audit = Audit {
            energy: self.balance(ledger),
            overlap: self.worst_overlap(),
            soft: self.softs.worst_overlap(&self.bodies),
            gape: self.worst_gape(),
        };
    }

    fn balance(&self, ledger: &Ledger) -> EnergyBalance {
        let Ledger { rigid, soft, work, given, joints } = ledger;
        let (rigid_now, soft_now) = self.energies();
        let sum = |a: &[Energy], b: &[Energy]| a.iter().chain(b).fold(Energy::default(), plus);
        let (begin, end) = (sum(rigid, soft), sum(&rigid_now, &soft_now));
        let (work, given) = (work.iter().sum(), given.iter().sum());
        let joints = joints.iter().sum();
        let mut balance = EnergyBalance { begin, end, work, given, joints, rise: 0.0 };
        // A body that is stopped loses its motion, and may be put back to where it was.
        if !(self.report.frozen.is_empty() && begin.total().is_finite()) {
            return EnergyBalance {
                work: end.total() - begin.total(),
                given: 0.0,
                joints: 0.0,
                ..balance
            };
        }
        if !soft.is_empty() {
            balance.work += self.softs.work_of_prescribed(&self.bodies);
            balance.work += self.softs.work_of_pins();
            balance.rise = balance.net().max(0.0);
            return balance;
        }
        balance.rise = self.gains(ledger).into_iter().filter(|g| *g > 0.0).sum();
        balance
    }

    /// What the rigid bodies of each island have gained since the step began, beyond the work from outside.
    pub(crate) fn gains(&self, ledger: &Ledger) -> Vec<f64> {
        let mut gained = vec![0.0; self.islands.list().len()];
        for ((k, island), begin) in self.islands.of_body.iter().enumerate().zip(&ledger.rigid) {
            if let Some(gained) = gained.get_mut(*island) {
                let now = self.bodies[k].energy(self.settings.gravity);
                *gained += now.total() - begin.total() - ledger.work[k] - ledger.given[k];
            }
        }
        gained
    }

    /// Bodies of which contacts say little at the end of the step, since they turned far in it, or joints moved them.
    fn doubtful(&self) -> Vec<bool> {
        let dt = self.settings.dt;
        let mut asked: Vec<bool> = (self.bodies.iter().enumerate())
            .map(|(k, body)| {
                let turn = body.angular_velocity.length() * dt;
                body.moves()
                    && 0.5 * turn * turn * body.radius > UNSEEN * self.collision.thickness(k)
            })
            .collect();
        for k in self.jointed().into_iter().flatten() {
            let way = self.bodies[k].linear_velocity.length() * dt;
            asked[k] |= way > UNSEEN * self.collision.thickness(k);
        }
        asked
    }

    /// How deep bodies of which contacts say little are within others: no more of that is there to be removed.
    pub(crate) fn look_at_doubtful(&mut self) {
        let doubtful = self.doubtful();
        if !doubtful.contains(&true) {
            return;
        }
        let World { collision, bodies, contacts, .. } = self;
        let told = |c: &Contact| {
            c.gap < 0.0 && c.wrench.is_none() && c.bodies.iter().any(|k| doubtful[*k])
        };
        let mut pairs: Vec<[usize; 2]> =
            contacts.iter().filter(|c| told(c)).map(|c| c.bodies).collect();
        pairs.sort_unstable();
        let asked = |pair: [usize; 2]| pairs.binary_search(&pair).is_ok();
        let depths = collision.depths(|k| bodies[k].pose, asked);
        for contact in contacts.iter_mut() {
            if told(contact) {
                let found = depths.binary_search_by_key(&contact.bodies, |d| d.0);
                contact.gap = contact.gap.max(found.map_or(0.0, |k| -depths[k].1));
            }
        }
    }

    /// By what contacts say of the end of the step; of bodies of which they say little by where these are.
    fn worst_overlap(&self) -> Option<Overlap> {
        let asked = self.doubtful();
        let told = self.contacts.iter().filter(|c| {
            let by_points = c.wrench.is_none() && c.bodies.iter().any(|k| asked[*k]);
            c.gap < 0.0 && !by_points
        });
        let counts = |bodies: &[usize; 2]| bodies.iter().any(|k| self.bodies[*k].can_be_pushed());
        let told = told.map(|c| (c.bodies, -c.gap)).filter(|(bodies, _)| counts(bodies));
        let overlap = |(bodies, depth)| self.overlap(&self.collision, bodies, depth);
        let told = worst(told.map(overlap), |a, b| a.part() > b.part());
        if !asked.contains(&true) {
            return told;
        }
        let World { collision, bodies, .. } = self;
        let looked = collision.deepest(
            |k| bodies[k].pose,
            |pair| pair.iter().any(|k| asked[*k]) && counts(&pair),
            |pair| self.overlap(collision, pair, 0.0).thickness,
            told.map_or(0.0, |overlap| overlap.part()),
        );
        looked.map(overlap).or(told)
    }

    pub(crate) fn overlap(&self, collision: &Collision, bodies: [usize; 2], depth: f64) -> Overlap {
        let thickness = |k: usize| match self.bodies[k].shape() {
            // Of what stands still, a mesh is the surface of something.
            Some(Shape::Mesh(_) | Shape::HeightField { .. }) if !self.bodies[k].can_be_pushed() => {
                f64::INFINITY
            }
            _ => collision.thickness(k),
        };
        Overlap { bodies, depth, thickness: thickness(bodies[0]).min(thickness(bodies[1])) }
    }

    /// Bodies that are within each other where they are now, one of which can be pushed: the deepest overlap of
    /// each two. Changes nothing, and finds what touches anew, as long as a step does.
    pub fn overlaps(&self) -> Vec<Overlap> {
        let mut collision = Collision::new();
        for (k, body) in self.bodies.iter().enumerate() {
            // Bodies were added with these shapes before.
            let added =
                body.shape().map(|s| collision.add(k, s, body.kind.mobility(), body.desc.group));
            debug_assert!(!matches!(added, Some(Err(_))));
        }
        for joint in self.joints.iter().filter(|j| !j.collide) {
            if let Some(a) = joint.a {
                collision.exclude(a.0, joint.b.0);
            }
        }
        let poses: Vec<DPose3> = self.bodies.iter().map(|b| b.pose).collect();
        collision.update(&poses, |_| 0.0, 0.0, 0.0);
        let mut found: Vec<Overlap> = Vec::new();
        for manifold in collision.manifolds() {
            let pushed = manifold.bodies.iter().any(|k| self.bodies[*k].can_be_pushed());
            let depth = -manifold.points.iter().fold(0.0, |m: f64, p| m.min(p.gap));
            if !(pushed && depth > 0.0) {
                continue;
            }
            let new = self.overlap(&collision, manifold.bodies, depth);
            match found.last_mut().filter(|last| last.bodies == new.bodies) {
                Some(last) => last.depth = last.depth.max(new.depth),
                None => found.push(new),
            }
        }
        found
    }

    fn worst_gape(&self) -> Option<Gape> {
        let all = self.joints.iter().enumerate().filter_map(|(k, joint)| {
            let gape = self.gape(joint)?;
            Some(Gape { joint: JointId(k), ..gape })
        });
        worst(all, |a, b| a.part() > b.part())
    }

    /// How far a joint gapes; `None` where none of its bodies has a size, or nothing moves them.
    fn gape(&self, joint: &Joint) -> Option<Gape> {
        let pair = [joint.a.map(|a| &self.bodies[a.0]), Some(&self.bodies[joint.b.0])];
        let [a, b] = pair.map(|body| body.map_or(DPose3::IDENTITY, |body| body.pose));
        let sized = |body: &&Body| body.can_be_pushed() && body.radius > 0.0;
        let radius = pair.into_iter().flatten().filter(sized).map(|b| b.radius).reduce(f64::min)?;
        let moment = Moment { begin: self.time(), gone: 0.0, h: self.settings.dt };
        let (mut linear, mut angular, mut beyond) = (0.0, 0.0, 0.0_f64);
        for row in joint_rows(joint, &a, &b, &moment).as_slice() {
            let scale = if row.angular { radius } else { 1.0 };
            match row.role {
                Role::Hold if row.angular => angular += row.error * row.error,
                Role::Hold => linear += row.error * row.error,
                Role::Limit => beyond = beyond.max(-row.error * scale),
                Role::Motor(_) => {}
            }
        }
        let gape = f64::sqrt(linear).max(radius * f64::sqrt(angular)).max(beyond);
        Some(Gape { joint: JointId(0), gape, size: 2.0 * radius })
    }
}

fn plus(a: Energy, b: &Energy) -> Energy {
    Energy { kinetic: a.kinetic + b.kinetic, potential: a.potential + b.potential }
}

/// How far what contacts say of a body may be from where it is, in units of its smallest side.
const UNSEEN: f64 = 1e-3;

/// The first of those that no other is worse than.
fn worst<T: Copy>(all: impl Iterator<Item = T>, worse: impl Fn(&T, &T) -> bool) -> Option<T> {
    all.reduce(|a, b| if worse(&b, &a) { b } else { a })
}
