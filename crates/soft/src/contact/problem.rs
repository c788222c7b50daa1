//! Contacts of deformables as a contact problem, for any solver.

use asperity_friction::ContactFrame;
use asperity_friction::set::Set;
use asperity_solve::{
    Bodies, ContactProblem, Factored, FrictionBlock, InverseMass, Load, Operator, ProblemError,
    RowEntry, SparseMatrix,
};
use glamx::{DMat3, DVec3};

use super::record::{Contacts, SoftContact};

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
}

/// One degree-of-freedom block at a contact: point velocity = linear + angular × arm.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Touch {
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
        let rigid = dofs
            .rigid
            .iter()
            .map(|b| InverseMass::Body { mass: b.inverse_mass, inertia: b.inverse_inertia });
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

    /// As [`SoftProblem::lumped`], with the matrix of an implicit step in the place of masses:
    /// `system` is M − h ∂f/∂v − h² ∂f/∂x, three rows for each vertex, and velocities are those
    /// that it gives without contact. Friction is then part of the implicit solve. The matrix
    /// must hold still what is held; vertices beyond it do not yield.
    pub fn implicit(
        name: &str,
        contacts: &Contacts,
        sets: &[Set],
        dofs: &Dofs,
        system: &SparseMatrix,
        dt: f64,
    ) -> Result<SoftProblem, ProblemError> {
        let mut this = SoftProblem::rows(name, contacts, sets, dofs, dt)?;
        let points = 3 * this.vertices;
        if system.rows() > points || system.rows() != system.columns() {
            return Err(ProblemError::Size {
                field: "system".to_owned(),
                found: format!("{} x {}", system.rows(), system.columns()),
                expected: format!("a square matrix with at most {points} rows, three per vertex"),
            });
        }
        let size = points + 6 * dofs.rigid.len();
        let mut mass: Vec<(usize, usize, f64)> = system.triplets().collect();
        mass.extend((system.rows()..points).map(|i| (i, i, HEAVY)));
        let mut force = vec![0.0; size];
        for (k, b) in dofs.rigid.iter().enumerate() {
            let first = points + 6 * k;
            // A body that cannot move: so heavy that it does not.
            let mass_of = |inverse: f64| if inverse > 0.0 { 1.0 / inverse } else { HEAVY };
            mass.extend((0..3).map(|i| (first + i, first + i, mass_of(b.inverse_mass))));
            let inertia = if b.inverse_inertia.determinant() > 0.0 {
                b.inverse_inertia.inverse()
            } else {
                DMat3::from_diagonal(DVec3::splat(HEAVY))
            };
            for i in 0..3 {
                mass.extend((0..3).map(|j| (first + 3 + i, first + 3 + j, inertia.col(j)[i])));
            }
        }
        let mass = SparseMatrix::from_triplets(size, size, mass)?;
        let mut v: Vec<f64> = dofs.velocities.iter().flat_map(DVec3::to_array).collect();
        for b in dofs.rigid {
            v.extend(b.velocity.to_array());
            v.extend(b.angular_velocity.to_array());
        }
        for (i, f) in force.iter_mut().enumerate() {
            *f = mass.row_dot(i, &v);
        }
        let mut h = Vec::new();
        for (c, (touched, frame)) in this.touched.iter().zip(&this.frames).enumerate() {
            for (axis, column) in this.axes(frame).into_iter().zip(this.columns(c)) {
                for t in touched.iter().flatten() {
                    let linear = axis * t.weight;
                    let first = if t.block < this.vertices {
                        3 * t.block
                    } else {
                        let angular = t.arm.cross(axis) * t.weight;
                        let first = points + 6 * (t.block - this.vertices);
                        h.extend((0..3).map(|i| (first + 3 + i, column, angular[i])));
                        first
                    };
                    h.extend((0..3).map(|i| (first + i, column, linear[i])));
                }
            }
        }
        let rows = this.problem.q.len();
        let h = SparseMatrix::from_triplets(size, rows, h)?;
        // What is in q beyond Hᵀ v: the room of open gaps, and obstacles that do not yield.
        let ht = h.transpose();
        let offset = (0..rows).map(|i| this.problem.q[i] - ht.row_dot(i, &v)).collect();
        let factored = Factored::new(mass, h, force, offset)?;
        this.problem.q = factored.q().to_vec();
        this.problem.operator = Operator::Factored(Box::new(factored));
        this.problem.validate()?;
        Ok(this)
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

    fn each_impulse(&self, r: &[f64], mut visit: impl FnMut(&Touch, DVec3)) {
        for (c, (touched, frame)) in self.touched.iter().zip(&self.frames).enumerate() {
            let mut impulse = DVec3::ZERO;
            for (axis, row) in self.axes(frame).into_iter().zip(self.columns(c)) {
                impulse += axis * r[row];
            }
            for t in touched.iter().flatten() {
                visit(t, impulse * t.weight);
            }
        }
    }

    fn axes(&self, frame: &ContactFrame) -> impl IntoIterator<Item = DVec3> + use<> {
        let all = [frame.normal, frame.t, frame.b];
        all.into_iter().take(self.per_contact())
    }

    fn per_contact(&self) -> usize {
        if self.problem.blocks.is_empty() { 1 } else { 3 }
    }

    fn columns(&self, contact: usize) -> std::ops::Range<usize> {
        let n = self.per_contact();
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
            this.problem.q.extend(&q[..this.per_contact()]);
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

/// Mass of what cannot move, kg.
const HEAVY: f64 = 1e12;

/// What a contact touches, and the velocity of an obstacle that does not yield.
fn touches(c: &SoftContact, contacts: &Contacts, dofs: &Dofs) -> ([Option<Touch>; 5], DVec3) {
    let mut touched = [None; 5];
    let mut fixed = DVec3::ZERO;
    let vertices = dofs.velocities.len();
    for (slot, (v, weight)) in touched.iter_mut().zip(c.parts()) {
        let body = dofs.body_of_vertex.get(v).copied().flatten();
        *slot = Some(match body.and_then(|k| dofs.rigid.get(k).map(|b| (k, b))) {
            Some((k, b)) => {
                Touch { block: vertices + k, weight, arm: dofs.positions[v] - b.centre }
            }
            None => Touch { block: v, weight, arm: DVec3::ZERO },
        });
    }
    if let Some(s) = contacts.surfaces.get(c.surface as usize) {
        let body = dofs.body_of_obstacle.get(s.obstacle as usize).copied().flatten();
        match body.and_then(|k| dofs.rigid.get(k).map(|b| (k, b))) {
            Some((k, b)) => {
                let arm = s.point - b.centre;
                touched[4] = Some(Touch { block: vertices + k, weight: -1.0, arm });
            }
            None => fixed = s.velocity,
        }
    }
    (touched, fixed)
}
