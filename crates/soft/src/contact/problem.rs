//! Contacts of deformables as a contact problem of their own, for any solver.

use asperity_friction::Law;
use asperity_solve::{ContactProblem, InverseMass, ProblemError, RowAssembler};
use glamx::DVec3;

use super::contact_list::Contacts;
use super::rows::{Dofs, RigidDof, RowContacts, SoftRows, VertexMasses};
use crate::SoftBody;

/// A contact problem of deformables and rigid bodies, and the way back.
#[derive(Debug, Clone)]
pub struct SoftProblem {
    /// The problem.
    pub problem: ContactProblem,
    /// Its rows.
    pub rows: SoftRows,
}

impl SoftProblem {
    /// Vertices are blocks of three degrees of freedom with lumped masses, rigid bodies of six.
    /// `laws` has one law for each contact; none at all means no friction.
    pub fn lumped(
        name: &str,
        contacts: &Contacts,
        laws: &[Law],
        dofs: &Dofs,
    ) -> Result<SoftProblem, ProblemError> {
        let given = RowContacts { contacts, laws, impulses: &[] };
        SoftProblem::new(name, &given, dofs, VertexMasses::Lumped)
    }

    /// With the matrices of implicit steps in the place of vertex masses
    /// ([`VertexMasses::Implicit`]): friction is then part of the implicit solve.
    pub fn implicit(
        name: &str,
        contacts: &Contacts,
        laws: &[Law],
        dofs: &Dofs,
        bodies: &[(usize, &SoftBody)],
    ) -> Result<SoftProblem, ProblemError> {
        let given = RowContacts { contacts, laws, impulses: &[] };
        SoftProblem::new(name, &given, dofs, VertexMasses::Implicit(bodies))
    }

    fn new(
        name: &str,
        given: &RowContacts,
        dofs: &Dofs,
        masses: VertexMasses,
    ) -> Result<SoftProblem, ProblemError> {
        let (mut problem, mut start) = (ContactProblem::over_blocks(name), Vec::new());
        let mut assembler = RowAssembler::new(&mut problem, &mut start);
        let rigid = dofs.rigid.iter().map(RigidDof::inverse);
        let points: &[f64] = match masses {
            VertexMasses::Lumped => dofs.inverse_masses,
            VertexMasses::Implicit(_) => &[],
        };
        assembler.clear(rigid.chain(points.iter().map(|m| InverseMass::Point(*m))));
        let all = 0..given.contacts.list.len();
        let rows = SoftRows::append(&mut assembler, given, all, dofs, masses)?;
        problem.validate()?;
        Ok(SoftProblem { problem, rows })
    }

    /// Adds what impulses `r` do to vertices with lumped masses and to rigid bodies.
    pub fn apply(
        &self,
        r: &[f64],
        inverse_masses: &[f64],
        velocities: &mut [DVec3],
        rigid: &mut [RigidDof],
    ) {
        let mut impulses = vec![DVec3::ZERO; velocities.len()];
        self.rows.vertex_impulses(r, &mut impulses, rigid);
        for ((v, impulse), mass) in velocities.iter_mut().zip(impulses).zip(inverse_masses) {
            *v += impulse * *mass;
        }
    }
}
