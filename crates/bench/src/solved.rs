//! The problems that a step of Asperity solved, as one, without open contacts.

use asperity::measure::Solved;
use asperity::solve::{Bodies, ContactProblem, FrictionBlock, Operator, RowEntry};

/// All contacts of the islands that carry something or would approach, in one problem, and their
/// impulses. Open contacts have no error, and their velocities must not count as a scale either.
pub(crate) fn closed_contacts(islands: &[Solved]) -> Solved {
    let (mut bodies, mut q, mut r, mut blocks) =
        (Bodies::default(), Vec::new(), Vec::new(), Vec::new());
    for (problem, impulses) in islands {
        let Operator::Bodies(own) = &problem.operator else { continue };
        let first_body = bodies.inverse_masses.len();
        bodies.inverse_masses.extend(&own.inverse_masses);
        let mut u = vec![0.0; problem.rows()];
        problem.velocities(impulses, &mut u);
        for block in &problem.blocks {
            let rows = || block.normals.clone().chain(block.rows.clone());
            let open = block.normals.clone().all(|row| u[row] >= 0.0);
            if open && rows().all(|row| impulses[row] == 0.0) {
                continue;
            }
            let first = q.len();
            for row in rows() {
                let entries = &own.entries[own.row_start[row]..own.row_start[row + 1]];
                let moved = |e: &RowEntry| RowEntry { dof_block: first_body + e.dof_block, ..*e };
                bodies.push_row(entries.iter().map(moved));
                q.push(problem.q[row]);
                r.push(impulses[row]);
            }
            let friction = first + block.normals.len();
            blocks.push(FrictionBlock::new(friction..q.len(), first..friction, block.law.clone()));
        }
    }
    let operator = Operator::Bodies(bodies);
    let name = String::new();
    (ContactProblem { name, operator, q, compliance: Vec::new(), blocks }, r)
}
