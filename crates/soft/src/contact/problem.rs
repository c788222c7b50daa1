//! Contacts of deformables as a contact problem, for any solver.

use asperity_friction::ContactFrame;
use asperity_friction::set::Set;
use asperity_solve::{
    Bodies, ContactProblem, Coupling, FrictionBlock, InverseMass, Load, Operator, ProblemError,
    RowEntry, SparseMatrix,
};
use glamx::{DMat3, DVec3};

use super::record::{Contacts, SoftContact};
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
    fn inverse(&self) -> InverseMass {
        InverseMass::Body { mass: self.inverse_mass, inertia: self.inverse_inertia }
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
    /// Rigid bodies that contacts push back on.
    pub rigid: &'a [RigidDof],
    /// For each obstacle, the rigid body it belongs to; what is not in the list does not yield.
    pub body_of_obstacle: &'a [Option<usize>],
    /// For each vertex, the rigid body it belongs to; what is not in the list is a point.
    pub body_of_vertex: &'a [Option<usize>],
}

/// A contact problem of deformables and rigid bodies, and the way back.
#[derive(Debug, Clone)]
pub struct SoftProblem {
    /// Rows (normal, t, b) of each contact in turn.
    pub problem: ContactProblem,
    /// What each contact's rows touch, before the frame's axes are taken.
    touched: Vec<[Option<Touch>; 5]>,
    frames: Vec<ContactFrame>,
    vertices: usize,
    /// Rows of each contact: three, or one where there is no friction.
    per_contact: usize,
}

/// One degree-of-freedom block at a contact: point velocity = linear + angular × arm.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Touch {
    /// A vertex, or a rigid body after all vertices.
    block: usize,
    weight: f64,
    arm: DVec3,
}

impl SoftProblem {
    /// Vertices are blocks of three degrees of freedom with lumped masses, rigid bodies of six.
    /// `sets` has one set for each contact; none at all means no friction.
    pub fn lumped(
        name: &str,
        contacts: &Contacts,
        sets: &[Set],
        dofs: &Dofs,
        dt: f64,
    ) -> Result<SoftProblem, ProblemError> {
        let mut this = SoftProblem::rows(name, contacts, sets, dofs, dt)?;
        let points = dofs.inverse_masses.iter().map(|m| InverseMass::Point(*m));
        let rigid = dofs.rigid.iter().map(RigidDof::inverse);
        let mut bodies =
            Bodies { inverse_masses: points.chain(rigid).collect(), ..Bodies::default() };
        if contacts.list.is_empty() {
            bodies.row_start.push(0);
        }
        for (touched, frame) in this.touched.iter().zip(&this.frames) {
            for axis in this.axes(frame) {
                bodies.push_row(touched.iter().flatten().map(|t| RowEntry {
                    dof_block: t.block,
                    linear: axis * t.weight,
                    angular: t.arm.cross(axis) * t.weight,
                }));
            }
        }
        this.problem.operator = Operator::Bodies(bodies);
        this.problem.validate()?;
        Ok(this)
    }

    /// As [`SoftProblem::lumped`], with the matrices of implicit steps in the place of masses: each
    /// of `bodies`, given with its first vertex, has begun one ([`SoftBody::begin_response`]), and
    /// velocities are those that it left. Friction is then part of the implicit solve. Vertices of
    /// no body do not yield.
    pub fn implicit(
        name: &str,
        contacts: &Contacts,
        sets: &[Set],
        dofs: &Dofs,
        bodies: &[(usize, &SoftBody)],
        dt: f64,
    ) -> Result<SoftProblem, ProblemError> {
        let mut this = SoftProblem::rows(name, contacts, sets, dofs, dt)?;
        let rigid = dofs.rigid.iter().map(RigidDof::inverse);
        let mut operator = Bodies { inverse_masses: rigid.collect(), ..Bodies::default() };
        if contacts.list.is_empty() {
            operator.row_start.push(0);
        }
        for (touched, frame) in this.touched.iter().zip(&this.frames) {
            for axis in this.axes(frame) {
                let bodies = touched.iter().flatten().filter(|t| t.block >= this.vertices);
                operator.push_row(bodies.map(|t| RowEntry {
                    dof_block: t.block - this.vertices,
                    linear: axis * t.weight,
                    angular: t.arm.cross(axis) * t.weight,
                }));
            }
        }
        operator.coupling = this.couple(bodies)?;
        this.problem.operator = Operator::Bodies(operator);
        this.problem.validate()?;
        Ok(this)
    }

    /// What contacts do to each other through the soft bodies that they touch.
    fn couple(&self, bodies: &[(usize, &SoftBody)]) -> Result<Coupling, ProblemError> {
        let mut place = vec![usize::MAX; self.vertices];
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
        for (c, (touched, frame)) in self.touched.iter().zip(&self.frames).enumerate() {
            for (axis, row) in self.axes(frame).into_iter().zip(self.columns(c)) {
                for t in touched.iter().flatten() {
                    if let Some(&at) = place.get(t.block).filter(|at| **at != usize::MAX) {
                        rows.extend((0..3).map(|i| (row, at + i, axis[i] * t.weight)));
                    }
                }
            }
        }
        let n = masses.len();
        let system = SparseMatrix::from_triplets(n, n, system)?;
        let rows = SparseMatrix::from_triplets(self.problem.q.len(), n, rows)?;
        Coupling::new(0, system, rows, masses)
    }

    /// Adds what impulses `r` do to vertices with lumped masses and to rigid bodies.
    pub fn apply(
        &self,
        r: &[f64],
        inverse_masses: &[f64],
        velocities: &mut [DVec3],
        rigid: &mut [RigidDof],
    ) {
        self.each_impulse(r, |touch, impulse| {
            if touch.block < self.vertices {
                velocities[touch.block] += impulse * inverse_masses[touch.block];
            } else if let Some(body) = rigid.get_mut(touch.block - self.vertices) {
                body.velocity += impulse * body.inverse_mass;
                body.angular_velocity += body.inverse_inertia * touch.arm.cross(impulse);
            }
        });
    }

    /// The impulse that `r` puts on each vertex, N s (added to `out`), and what it does to rigid
    /// bodies: the right-hand side of an implicit solve.
    pub fn vertex_impulses(&self, r: &[f64], out: &mut [DVec3], rigid: &mut [RigidDof]) {
        self.each_impulse(r, |touch, impulse| {
            if touch.block < self.vertices {
                out[touch.block] += impulse;
            } else if let Some(body) = rigid.get_mut(touch.block - self.vertices) {
                body.velocity += impulse * body.inverse_mass;
                body.angular_velocity += body.inverse_inertia * touch.arm.cross(impulse);
            }
        });
    }

    /// Impulses of a filter, world, as rows of this problem.
    pub fn from_world(&self, impulses: &[DVec3]) -> Vec<f64> {
        let mut r = vec![0.0; self.problem.rows()];
        for (c, (impulse, frame)) in impulses.iter().zip(&self.frames).enumerate() {
            for (axis, row) in self.axes(frame).into_iter().zip(self.columns(c)) {
                r[row] = axis.dot(*impulse);
            }
        }
        r
    }

    /// The impulse on B of each contact, world, N s.
    pub fn to_world<'a>(&'a self, r: &'a [f64]) -> impl Iterator<Item = DVec3> + 'a {
        self.frames.iter().enumerate().map(move |(c, frame)| {
            let mut impulse = DVec3::ZERO;
            for (axis, row) in self.axes(frame).into_iter().zip(self.columns(c)) {
                impulse += axis * r[row];
            }
            impulse
        })
    }

    fn each_impulse(&self, r: &[f64], mut visit: impl FnMut(&Touch, DVec3)) {
        for (touched, impulse) in self.touched.iter().zip(self.to_world(r)) {
            for t in touched.iter().flatten() {
                visit(t, impulse * t.weight);
            }
        }
    }

    fn axes(&self, frame: &ContactFrame) -> impl IntoIterator<Item = DVec3> + use<> {
        let all = [frame.normal, frame.t, frame.b];
        all.into_iter().take(self.per_contact)
    }

    fn columns(&self, contact: usize) -> std::ops::Range<usize> {
        let n = self.per_contact;
        n * contact..n * (contact + 1)
    }

    /// Everything but the operator.
    fn rows(
        name: &str,
        contacts: &Contacts,
        sets: &[Set],
        dofs: &Dofs,
        dt: f64,
    ) -> Result<SoftProblem, ProblemError> {
        check(contacts, sets, dofs)?;
        let point_contact = |(k, set): (usize, &Set)| FrictionBlock {
            rows: 3 * k + 1..3 * k + 3,
            load: Load::Normals(3 * k..3 * k + 1),
            set: set.clone(),
        };
        let mut this = SoftProblem {
            problem: ContactProblem {
                name: name.to_owned(),
                operator: Operator::Bodies(Bodies::default()),
                q: Vec::new(),
                compliance: Vec::new(),
                blocks: sets.iter().enumerate().map(point_contact).collect(),
            },
            touched: Vec::with_capacity(contacts.list.len()),
            frames: contacts.list.iter().map(|c| ContactFrame::from_normal(c.normal)).collect(),
            vertices: dofs.velocities.len(),
            per_contact: if sets.is_empty() { 1 } else { 3 },
        };
        for (c, frame) in contacts.list.iter().zip(&this.frames) {
            let (touched, fixed) = touches(c, contacts, dofs);
            let mut slip = -fixed;
            for t in touched.iter().flatten() {
                slip += match t.block.checked_sub(dofs.velocities.len()) {
                    None => dofs.velocities[t.block] * t.weight,
                    Some(k) => {
                        let b = &dofs.rigid[k];
                        (b.velocity + b.angular_velocity.cross(t.arm)) * t.weight
                    }
                };
            }
            let room = if c.gap > 0.0 { c.gap / dt } else { 0.0 };
            this.touched.push(touched);
            let q = [frame.normal.dot(slip) + room, frame.t.dot(slip), frame.b.dot(slip)];
            this.problem.q.extend(&q[..this.per_contact]);
        }
        Ok(this)
    }
}

fn check(contacts: &Contacts, sets: &[Set], dofs: &Dofs) -> Result<(), ProblemError> {
    let n = dofs.velocities.len();
    let wrong = |field: &str, found: usize, expected: String| {
        let (field, found) = (field.to_owned(), format!("{found} entries"));
        Err(ProblemError::Size { field, found, expected })
    };
    if dofs.positions.len() != n {
        return wrong("positions", dofs.positions.len(), format!("{n}, one for each velocity"));
    }
    if dofs.inverse_masses.len() != n {
        let found = dofs.inverse_masses.len();
        return wrong("inverse_masses", found, format!("{n}, one for each velocity"));
    }
    if !sets.is_empty() && sets.len() != contacts.list.len() {
        let expected = format!("none or {}, one for each contact", contacts.list.len());
        return wrong("sets", sets.len(), expected);
    }
    match contacts.list.iter().flat_map(SoftContact::parts).find(|(v, _)| *v >= n) {
        Some((v, _)) => wrong("velocities", n, format!("more than {v}, which a contact names")),
        None => Ok(()),
    }
}

/// What a contact touches, and the velocity of an obstacle that does not yield. Rigid bodies are
/// touched where the soft side is, across the thickness: then friction makes no torque out of nothing.
fn touches(c: &SoftContact, contacts: &Contacts, dofs: &Dofs) -> ([Option<Touch>; 5], DVec3) {
    let mut touched = [None; 5];
    let mut fixed = DVec3::ZERO;
    let vertices = dofs.velocities.len();
    for (k, (slot, (v, weight))) in touched.iter_mut().zip(c.parts()).enumerate() {
        let across = if k < usize::from(c.split) { c.offset } else { -c.offset };
        let body = dofs.body_of_vertex.get(v).copied().flatten();
        *slot = Some(match body.and_then(|k| dofs.rigid.get(k).map(|b| (k, b))) {
            Some((k, b)) => {
                let arm = dofs.positions[v] + across - b.centre;
                Touch { block: vertices + k, weight, arm }
            }
            None => Touch { block: v, weight, arm: DVec3::ZERO },
        });
    }
    if let Some(s) = contacts.surfaces.get(c.surface as usize) {
        let body = dofs.body_of_obstacle.get(s.obstacle as usize).copied().flatten();
        match body.and_then(|k| dofs.rigid.get(k).map(|b| (k, b))) {
            Some((k, b)) => {
                let arm = s.point + c.offset - b.centre;
                touched[4] = Some(Touch { block: vertices + k, weight: -1.0, arm });
            }
            None => fixed = s.velocity,
        }
    }
    (touched, fixed)
}
