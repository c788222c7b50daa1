//! A problem with its matrix written out.

use asperity_solve::{ContactProblem, Operator, SparseMatrix};

/// The same problem with W written out, column by column.
pub(crate) fn written_out(problem: &ContactProblem) -> ContactProblem {
    let n = problem.rows();
    let mut entries = Vec::new();
    for j in 0..n {
        let (mut unit, mut u) = (vec![0.0; n], vec![0.0; n]);
        unit[j] = 1.0;
        problem.velocities(&unit, &mut u);
        entries.extend((0..n).map(|i| (i, j, u[i] - problem.q[i])));
    }
    let operator = Operator::Explicit(SparseMatrix::from_triplets(n, n, entries).unwrap());
    ContactProblem { operator, compliance: Vec::new(), ..problem.clone() }
}
