//! Rows that are coupled through soft bodies, and splitting against sweeps.

mod written_out;

use asperity_friction::set::{BoxSet, Disk, Ellipse, Interval, Rotation, Set, Tensor};
use asperity_friction::testing::Rng;
use asperity_solve::testing::problems::soft_chain;
use asperity_solve::{
    ContactProblem, Coupling, Operator, PgsSolver, ProblemError, ProxSolver, SolveOptions, Solver,
    SparseMatrix, SplitSolver, Status, json, residual,
};
use glamx::{DMat2, DVec2};
use written_out::written_out;

const OPTIONS: SolveOptions =
    SolveOptions { tolerance: 1e-10, max_iterations: 20_000, time_limit: None };

fn chain(n: usize, rng: &mut Rng, set: &Set) -> ContactProblem {
    soft_chain(n, &set.clone().into(), rng)
}

fn velocities(problem: &ContactProblem, r: &[f64]) -> Vec<f64> {
    let mut u = vec![0.0; problem.rows()];
    problem.velocities(r, &mut u);
    u
}

fn sets() -> Vec<Set> {
    let turn = Rotation::from_angle(0.7);
    let bounds = |mu: f64| Interval::symmetric(mu).unwrap();
    vec![
        Disk::new(0.4).unwrap().into(),
        Ellipse::new(0.2, 0.6, turn).unwrap().into(),
        BoxSet::new(bounds(0.2), bounds(0.5), turn).into(),
        Set::Tensor(Tensor::linear(DMat2::from_diagonal(DVec2::new(0.2, 0.5))).unwrap()),
    ]
}

#[test]
fn splitting_sweeps_and_a_written_out_matrix_agree() {
    let mut rng = Rng::new(11);
    for set in sets() {
        for n in [1, 4, 25] {
            let problem = chain(n, &mut rng, &set);
            let explicit = written_out(&problem);
            let mut split = vec![0.0; problem.rows()];
            let mut solver = SplitSolver::default();
            let report = solver.solve(&problem, &mut split, &OPTIONS);
            assert_eq!(report.status, Status::Converged, "{set:?}, {n}: {:e}", report.residual);
            // The same with W written out, to rounding.
            let with_w = residual(&explicit, &split).value;
            assert!(with_w <= 1.01 * OPTIONS.tolerance, "{set:?}, {n}: {with_w:e}");
            let mut swept = vec![0.0; problem.rows()];
            let report = ProxSolver::default().solve(&problem, &mut swept, &OPTIONS).clone();
            assert_eq!(report.status, Status::Converged, "{set:?}, {n}: {:e}", report.residual);
            let (a, b) = (velocities(&problem, &split), velocities(&explicit, &swept));
            for (x, y) in a.iter().zip(&b) {
                assert!((x - y).abs() < 1e-7, "{set:?}, {n}: {x} and {y}");
            }
        }
    }
}

#[test]
fn boxes_are_solved_row_by_row_over_coupled_rows() {
    let mut rng = Rng::new(5);
    let bounds = |mu: f64| Interval::symmetric(mu).unwrap();
    let set = BoxSet::new(bounds(0.2), bounds(0.5), Rotation::IDENTITY).into();
    let problem = chain(12, &mut rng, &set);
    let (mut by_rows, mut by_contacts) = (vec![0.0; 36], vec![0.0; 36]);
    PgsSolver::default().solve(&problem, &mut by_rows, &OPTIONS);
    ProxSolver::default().solve(&written_out(&problem), &mut by_contacts, &OPTIONS);
    for (x, y) in by_rows.iter().zip(&by_contacts) {
        assert!((x - y).abs() < 1e-7, "{x} and {y}");
    }
}

#[test]
fn masses_only_set_the_pace() {
    let mut rng = Rng::new(2);
    let mut problem = chain(8, &mut rng, &sets()[3]);
    let mut first = vec![0.0; 24];
    SplitSolver::default().solve(&problem, &mut first, &OPTIONS);
    let Operator::Bodies(bodies) = &mut problem.operator else { unreachable!() };
    let (start, system, rows, _) = bodies.coupling.parts().expect("there");
    let other = Coupling::new(start, system.clone(), rows.clone(), vec![3.0; 24]).unwrap();
    bodies.coupling = other;
    let mut second = vec![f64::NAN; 24];
    SplitSolver::default().solve(&problem, &mut second, &OPTIONS);
    for (x, y) in first.iter().zip(&second) {
        assert!((x - y).abs() < 1e-7, "{x} and {y}");
    }
}

#[test]
fn coupled_problems_are_written_and_read() {
    let problem = chain(3, &mut Rng::new(1), &sets()[0]);
    let read = json::read(&json::write(&problem).unwrap()).unwrap();
    assert_eq!(read, problem);
}

#[test]
fn bad_couplings_are_named() {
    let matrix = |rows: usize, columns: usize| {
        let diagonal = (0..rows.min(columns)).map(|i| (i, i, 1.0));
        SparseMatrix::from_triplets(rows, columns, diagonal).unwrap()
    };
    let message = |c: Result<Coupling, ProblemError>| c.map(|_| ()).unwrap_err().to_string();
    let ones = |n: usize| vec![1.0; n];
    assert!(message(Coupling::new(0, matrix(3, 2), matrix(1, 3), ones(3))).contains("square"));
    assert!(message(Coupling::new(0, matrix(3, 3), matrix(1, 2), ones(3))).contains("rows"));
    assert!(message(Coupling::new(0, matrix(3, 3), matrix(1, 3), ones(2))).contains("masses"));
    assert!(message(Coupling::new(0, matrix(3, 3), matrix(1, 3), vec![-1.0; 3])).contains("above"));
    let mut problem = chain(2, &mut Rng::new(1), &sets()[0]);
    let Operator::Bodies(bodies) = &mut problem.operator else { unreachable!() };
    let (_, system, rows, masses) = bodies.coupling.parts().expect("there");
    bodies.coupling =
        Coupling::new(1, system.clone(), rows.clone(), masses.to_vec()).expect("rows elsewhere");
    assert!(problem.validate().unwrap_err().to_string().contains("coupling"));
}

#[test]
fn a_system_that_is_not_positive_definite_moves_nothing() {
    let mut problem = chain(1, &mut Rng::new(1), &sets()[0]);
    let Operator::Bodies(bodies) = &mut problem.operator else { unreachable!() };
    let indefinite = [(0, 0, 1.0), (1, 0, 5.0), (1, 1, 1.0), (2, 2, 1.0)];
    let (start, _, rows, masses) = bodies.coupling.parts().expect("there");
    let system = SparseMatrix::from_triplets(3, 3, indefinite).unwrap();
    bodies.coupling = Coupling::new(start, system, rows.clone(), masses.to_vec()).unwrap();
    bodies.entries.clear();
    bodies.row_start.fill(0);
    let mut r = vec![0.0; 3];
    ProxSolver::default().solve(&problem, &mut r, &OPTIONS);
    assert_eq!(r, [0.0; 3]);
}
