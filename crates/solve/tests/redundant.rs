//! Bodies that are held more than once: W has fewer ranks than rows, and impulses are not unique.

use asperity_friction::set::{Disk, Set};
use asperity_solve::testing::redundant::{CASES, STARTS, redundant, start};
use asperity_solve::{
    AutoSolver, ContactProblem, DenseSolver, Operator, SolveOptions, Solver, SparseMatrix, Status,
    residual, residual_without_units,
};

const ASKED: SolveOptions =
    SolveOptions { tolerance: 1e-10, max_iterations: 20_000, time_limit: None };

#[test]
fn every_redundant_problem_is_solved_from_every_start() {
    let mut solver = AutoSolver::default();
    for case in 0..CASES {
        let problem = redundant(case);
        if let Operator::Bodies(bodies) = &problem.operator {
            let freedoms = 6 * bodies.inverse_masses.len();
            assert!(problem.rows() > freedoms, "case {case} is not redundant");
        }
        for k in 0..STARTS {
            let mut r = start(&problem, case, k);
            let report = solver.solve(&problem, &mut r, &ASKED);
            assert_eq!(report.status, Status::Converged, "case {case}, start {k}");
            let value = residual(&problem, &r).value;
            assert!(value <= ASKED.tolerance, "case {case}, start {k}: {value:e}");
        }
    }
}

#[test]
fn a_dense_matrix_alone_does_for_most() {
    let (mut solver, mut within) = (DenseSolver::default(), 0);
    for case in 0..CASES {
        let problem = redundant(case);
        let mut r = start(&problem, case, 1);
        within += usize::from(solver.solve(&problem, &mut r, &ASKED).residual <= ASKED.tolerance);
    }
    assert!(within >= 98, "{within} of {CASES}");
}

#[test]
fn a_problem_without_solution_is_told_after_a_bounded_time() {
    // Pressed together at rows that hold each other's opposite: u_0 = −1 − u_1 never opens.
    let entries = [(0, 0, 1.0), (0, 3, -1.0), (3, 0, -1.0), (3, 3, 1.0)];
    let free = [1, 2, 4, 5].map(|i| (i, i, 1.0));
    let w = SparseMatrix::from_triplets(6, 6, entries.into_iter().chain(free)).unwrap();
    let sets = vec![Set::from(Disk::new(0.5).unwrap()); 2];
    let q = vec![-1.0, 0.1, 0.0, -1.0, 0.0, 0.1];
    let problem = ContactProblem::explicit("wedged", w, q, sets).unwrap();
    let mut r = vec![0.0; 6];
    let report = AutoSolver::default().solve(&problem, &mut r, &ASKED).clone();
    assert_ne!(report.status, Status::Converged);
    assert!(r.iter().all(|x| x.is_finite()), "{r:?}");
    // Impulses grow, and the residual falls with them; the motion does not come nearer.
    let told = residual_without_units(&problem, &r);
    assert!(told.of_motion > 0.1, "{told:?}");
}

/// A thousand times the mass needs a thousand times the impulses, and is as far from a solution.
#[test]
fn the_residual_without_units_does_not_depend_on_them() {
    let problem = redundant(5);
    let Operator::Explicit(w) = &problem.operator else { panic!("W itself") };
    let r = start(&problem, 5, 1);
    let entries = w.triplets().map(|(i, j, v)| (i, j, v / 1024.0));
    let heavy = SparseMatrix::from_triplets(w.rows(), w.columns(), entries).unwrap();
    let heavy = ContactProblem { operator: Operator::Explicit(heavy), ..problem.clone() };
    let many: Vec<f64> = r.iter().map(|r| 1024.0 * r).collect();
    let (one, other) =
        (residual_without_units(&problem, &r), residual_without_units(&heavy, &many));
    assert!((one.value - other.value).abs() <= 1e-12 * one.value, "{one:?} and {other:?}");
}
