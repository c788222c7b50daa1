//! Rows of soft contacts in a contact problem, and the way back from its impulses.

use asperity_friction::{ContactFrame, Law};
use asperity_solve::{
    Coupling, FrictionBlock, InverseMass, Lever, ProblemError, Row, RowAssembler, SparseMatrix,
    over_step,
};
use glamx::{DMat3, DVec3};

use super::contact_list::{Contacts, SoftContact};
use crate::SoftBody;

/// A rigid body that takes part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidDof {
    /// 1/kg.
    pub inverse_mass: f64,
    /// 1/(kg m²), world axes.
    pub inverse_inertia: DMat3,
    /// Centre of mass, world.
    pub centre: DVec3,
    /// m/s.
    pub velocity: DVec3,
    /// rad/s.
    pub angular_velocity: DVec3,
}

impl RigidDof {
    pub(super) fn inverse(&self) -> InverseMass {
        InverseMass::Body { mass: self.inverse_mass, inertia: self.inverse_inertia }
    }

    fn push(&mut self, impulse: DVec3, arm: DVec3) {
        self.velocity += impulse * self.inverse_mass;
        self.angular_velocity += self.inverse_inertia * arm.cross(impulse);
    }
}

/// What moves.
#[derive(Debug, Clone, Copy)]
pub struct Dofs<'a> {
    /// Positions of all vertices; also those of rigid features.
    pub positions: &'a [DVec3],
    /// Their velocities without contact, m/s.
    pub velocities: &'a [DVec3],
    /// 1/kg; zero for a vertex that is held, and for one of a rigid body.
    pub inverse_masses: &'a [f64],
    /// Rigid bodies that contacts push back on: the first blocks of the problem.
    pub rigid: &'a [RigidDof],
    /// For each obstacle, the rigid body it belongs to; what is not in the list does not yield.
    pub body_of_obstacle: &'a [Option<usize>],
    /// For each vertex, the rigid body it belongs to; what is not in the list is a point.
    pub body_of_vertex: &'a [Option<usize>],
    /// Length of the step, seconds.
    pub dt: f64,
}

/// What vertices answer impulses with.
#[derive(Debug, Clone, Copy)]
pub enum VertexMasses<'a> {
    /// Lumped masses: vertices are blocks of the problem, after the rigid bodies.
    Lumped,
    /// The matrices of implicit steps, as the coupling of the rows. Each body, given with its first
    /// vertex, has begun one ([`SoftBody::begin_response`]), and velocities are those that it left.
    /// Vertices of no body do not yield.
    Implicit(&'a [(usize, &'a SoftBody)]),
}

/// Contacts that become rows.
#[derive(Debug, Clone, Copy)]
pub struct RowContacts<'a> {
    /// All contacts.
    pub contacts: &'a Contacts,
    /// The law of each, of forces; none at all means no friction.
    pub laws: &'a [Law],
    /// Impulse on B of each that a solve begins with, world, N s; none at all means zero.
    pub impulses: &'a [DVec3],
}

/// Rows (normal, t, b) of soft contacts in turn.
#[derive(Debug, Clone)]
pub struct SoftRows {
    /// The first of them.
    first: usize,
    contacts: Vec<ContactLevers>,
    /// Rigid bodies, which are the blocks before those of vertices.
    rigid: usize,
    /// Rows of each contact: three, or one where there is no friction.
    per_contact: usize,
}

/// What the rows of a contact act on, before the frame's axes are taken.
#[derive(Debug, Clone, Copy)]
struct ContactLevers {
    levers: [Option<Lever>; 5],
    frame: ContactFrame,
}

impl SoftRows {
    /// Appends the rows and the friction of some of the contacts, by number. The problem's first
    /// blocks must be `dofs.rigid`. Where it fails, nothing is appended.
    pub fn append(
        rows: &mut RowAssembler,
        given: &RowContacts,
        which: impl ExactSizeIterator<Item = usize>,
        dofs: &Dofs,
        masses: VertexMasses,
    ) -> Result<SoftRows, ProblemError> {
        check(given, dofs)?;
        let mut this = SoftRows {
            first: rows.rows(),
            contacts: Vec::with_capacity(which.len()),
            rigid: dofs.rigid.len(),
            per_contact: if given.laws.is_empty() { 1 } else { 3 },
        };
        for k in which {
            this.push(rows, given, k, dofs, masses);
        }
        if let VertexMasses::Implicit(bodies) = masses {
            match this.coupling(bodies, dofs.velocities.len()) {
                Ok(coupling) => rows.couple(coupling),
                Err(e) => {
                    rows.cut(this.first);
                    return Err(e);
                }
            }
        }
        Ok(this)
    }

    fn push(
        &mut self,
        rows: &mut RowAssembler,
        given: &RowContacts,
        k: usize,
        dofs: &Dofs,
        masses: VertexMasses,
    ) {
        let c = &given.contacts.list[k];
        let frame = ContactFrame::from_normal(c.normal);
        let (levers, fixed) = levers_of(c, given.contacts, dofs);
        let mut slip = -fixed;
        for lever in levers.iter().flatten() {
            slip += match lever.block.checked_sub(self.rigid) {
                Some(v) => dofs.velocities[v] * lever.weight,
                None => {
                    let b = &dofs.rigid[lever.block];
                    (b.velocity + b.angular_velocity.cross(lever.arm)) * lever.weight
                }
            };
        }
        let room = if c.gap > 0.0 { c.gap / dofs.dt } else { 0.0 };
        let start = given.impulses.get(k).copied().unwrap_or_default();
        let first = rows.rows();
        for (axis, room) in self.axes(&frame).zip([room, 0.0, 0.0]) {
            let row = Row { q: axis.dot(slip) + room, start: axis.dot(start), ..Row::default() };
            let lumped = matches!(masses, VertexMasses::Lumped);
            let acts = levers.iter().flatten().filter(|l| lumped || l.block < self.rigid);
            rows.push(acts.map(|lever| lever.along(axis)), row);
        }
        if let Some(law) = given.laws.get(k) {
            let law = over_step(law, dofs.dt);
            rows.push_block(FrictionBlock::contact(first, first + 1..first + 3, law));
        }
        self.contacts.push(ContactLevers { levers, frame });
    }

    /// What contacts do to each other through the soft bodies that they touch.
    fn coupling(
        &self,
        bodies: &[(usize, &SoftBody)],
        vertices: usize,
    ) -> Result<Coupling, ProblemError> {
        let mut place = vec![usize::MAX; vertices];
        let (mut system, mut masses) = (Vec::new(), Vec::new());
        for (first, body) in bodies {
            let at = masses.len();
            let held = |i: usize| body.pinned[i] || body.stopped().is_some();
            for (i, mass) in body.masses.iter().enumerate() {
                if !held(i) {
                    place[first + i] = at + 3 * i;
                }
                masses.extend([if held(i) { 1.0 } else { *mass }; 3]);
            }
            for (i, j, value) in body.matrix().triplets().filter(|(i, j, _)| j <= i) {
                match (held(i / 3) || held(j / 3), i == j) {
                    (false, _) => system.push((at + i, at + j, value)),
                    (true, true) => system.push((at + i, at + j, 1.0)),
                    (true, false) => {}
                }
            }
        }
        let mut rows = Vec::new();
        for (c, contact) in self.contacts.iter().enumerate() {
            for (k, axis) in self.axes(&contact.frame).enumerate() {
                for lever in contact.levers.iter().flatten() {
                    let vertex = lever.block.checked_sub(self.rigid);
                    let at = vertex.map(|v| place[v]).filter(|at| *at != usize::MAX);
                    let row = c * self.per_contact + k;
                    let entry =
                        |at: usize| (0..3).map(move |i| (row, at + i, axis[i] * lever.weight));
                    rows.extend(at.into_iter().flat_map(entry));
                }
            }
        }
        let n = masses.len();
        let system = SparseMatrix::from_triplets(n, n, system)?;
        let rows = SparseMatrix::from_triplets(self.contacts.len() * self.per_contact, n, rows)?;
        Coupling::new(self.first, system, rows, masses)
    }

    /// The impulse on B of each contact, world, N s, from the impulses of all rows of the problem.
    pub fn to_world<'a>(&'a self, r: &'a [f64]) -> impl Iterator<Item = DVec3> + 'a {
        let own = r[self.first..].chunks_exact(self.per_contact);
        self.contacts.iter().zip(own).map(|(contact, r)| {
            let mut impulse = DVec3::ZERO;
            for (axis, r) in self.axes(&contact.frame).zip(r) {
                impulse += axis * *r;
            }
            impulse
        })
    }

    /// Impulses on B of each contact, world, as those of the rows.
    pub fn from_world(&self, impulses: &[DVec3]) -> Vec<f64> {
        let each = self.contacts.iter().zip(impulses);
        each.flat_map(|(c, impulse)| self.axes(&c.frame).map(|axis| axis.dot(*impulse))).collect()
    }

    /// The impulse that `r` puts on each vertex, N s (added to `out`), and what it does to rigid
    /// bodies: the right-hand side of an implicit solve.
    pub fn vertex_impulses(&self, r: &[f64], out: &mut [DVec3], rigid: &mut [RigidDof]) {
        for (contact, impulse) in self.contacts.iter().zip(self.to_world(r)) {
            for lever in contact.levers.iter().flatten() {
                match lever.block.checked_sub(self.rigid) {
                    Some(v) => out[v] += impulse * lever.weight,
                    None => rigid[lever.block].push(impulse * lever.weight, lever.arm),
                }
            }
        }
    }

    fn axes(&self, frame: &ContactFrame) -> impl Iterator<Item = DVec3> + use<> {
        [frame.normal, frame.t, frame.b].into_iter().take(self.per_contact)
    }
}

fn check(given: &RowContacts, dofs: &Dofs) -> Result<(), ProblemError> {
    let (n, contacts) = (dofs.velocities.len(), &given.contacts.list);
    let wrong = |field: &str, found: usize, expected: String| {
        let (field, found) = (field.to_owned(), format!("{found} entries"));
        Err(ProblemError::Size { field, found, expected })
    };
    for (field, found) in
        [("positions", dofs.positions.len()), ("inverse_masses", dofs.inverse_masses.len())]
    {
        if found != n {
            return wrong(field, found, format!("{n}, one for each velocity"));
        }
    }
    for (field, found) in [("laws", given.laws.len()), ("impulses", given.impulses.len())] {
        if found != 0 && found != contacts.len() {
            return wrong(
                field,
                found,
                format!("none or {}, one for each contact", contacts.len()),
            );
        }
    }
    match contacts.iter().flat_map(SoftContact::parts).find(|(v, _)| *v >= n) {
        Some((v, _)) => wrong("velocities", n, format!("more than {v}, which a contact names")),
        None => Ok(()),
    }
}

/// What a contact acts on, and the velocity of an obstacle that does not yield. Rigid bodies are
/// touched where the soft side is, across the thickness: then friction makes no torque out of nothing.
fn levers_of(c: &SoftContact, contacts: &Contacts, dofs: &Dofs) -> ([Option<Lever>; 5], DVec3) {
    let rigid = |of: &[Option<usize>], k: usize| {
        let block = of.get(k).copied().flatten()?;
        Some((block, dofs.rigid.get(block)?.centre))
    };
    let (mut levers, mut fixed) = ([None; 5], DVec3::ZERO);
    for (k, (slot, (v, weight))) in levers.iter_mut().zip(c.parts()).enumerate() {
        let across = if k < usize::from(c.split) { c.offset } else { -c.offset };
        *slot = Some(match rigid(dofs.body_of_vertex, v) {
            Some((block, centre)) => {
                Lever { block, weight, arm: dofs.positions[v] + across - centre }
            }
            None => Lever { block: dofs.rigid.len() + v, weight, arm: DVec3::ZERO },
        });
    }
    if let Some(s) = contacts.surfaces.get(c.surface as usize) {
        match rigid(dofs.body_of_obstacle, s.obstacle as usize) {
            Some((block, centre)) => {
                let arm = s.point + c.offset - centre;
                levers[4] = Some(Lever { block, weight: -1.0, arm });
            }
            None => fixed = s.velocity,
        }
    }
    (levers, fixed)
}
