//! Rows that are coupled through soft bodies, and splitting against sweeps.

use asperity_friction::set::{BoxSet, Disk, Ellipse, Interval, Rotation, Set, Tensor};
use asperity_friction::testing::Rng;
use asperity_solve::{
    Bodies, ContactProblem, Coupling, FrictionBlock, InverseMass, Load, Operator, PgsSolver,
    ProblemError, ProxSolver, RowEntry, SolveOptions, SparseMatrix, SplitSolver, Status, json,
    residual,
};
use glamx::{DMat2, DMat3, DVec2, DVec3};

const OPTIONS: SolveOptions =
    SolveOptions { tolerance: 1e-10, max_iterations: 20_000, time_limit: None };

/// A chain of `n` masses on springs, each of which touches: every third one a rigid body of 2 kg,
/// the others the ground. The first is held to the wall.
fn chain(n: usize, rng: &mut Rng, set: &Set) -> ContactProblem {
    let (mut system, mut rows) = (Vec::new(), Vec::new());
    for i in 0..3 * n {
        system.push((i, i, 0.1 + if i < 3 { 40.0 } else { 20.0 } + 20.0));
        if i >= 3 {
            system.push((i, i - 3, -20.0));
        }
    }
    let mut bodies = Bodies {
        inverse_masses: vec![InverseMass::Body { mass: 0.5, inertia: DMat3::IDENTITY * 3.0 }],
        ..Bodies::default()
    };
    let (mut q, mut blocks) = (Vec::new(), Vec::new());
    for k in 0..n {
        let arm = DVec3::new(rng.uniform(-0.5, 0.5), -0.5, rng.uniform(-0.5, 0.5));
        for (row, direction) in [DVec3::Y, DVec3::X, DVec3::Z].into_iter().enumerate() {
            rows.extend((0..3).map(|i| (3 * k + row, 3 * k + i, direction[i])));
            let (linear, angular) = (-direction, -arm.cross(direction));
            let rigid = RowEntry { dof_block: 0, linear, angular };
            bodies.push_row((k % 3 == 0).then_some(rigid));
            q.push(if row == 0 { rng.uniform(-1.0, 0.2) } else { rng.uniform(-0.5, 0.5) });
        }
        blocks.push(FrictionBlock {
            rows: 3 * k + 1..3 * k + 3,
            load: Load::Normals(3 * k..3 * k + 1),
            set: set.clone(),
        });
    }
    let system = SparseMatrix::from_triplets(3 * n, 3 * n, system).unwrap();
    let rows = SparseMatrix::from_triplets(3 * n, 3 * n, rows).unwrap();
    bodies.coupling = Coupling::new(0, system, rows, vec![0.1; 3 * n]).unwrap();
    let operator = Operator::Bodies(bodies);
    let problem =
        ContactProblem { name: "chain".into(), operator, q, compliance: Vec::new(), blocks };
    problem.validate().unwrap();
    problem
}

fn velocities(problem: &ContactProblem, r: &[f64]) -> Vec<f64> {
    let mut u = vec![0.0; problem.rows()];
    problem.velocities(r, &mut u);
    u
}

/// The same problem with W written out, column by column.
fn written_out(problem: &ContactProblem) -> ContactProblem {
    let n = problem.rows();
    let mut entries = Vec::new();
    for j in 0..n {
        let mut unit = vec![0.0; n];
        unit[j] = 1.0;
        let u = velocities(problem, &unit);
        entries.extend((0..n).map(|i| (i, j, u[i] - problem.q[i])));
    }
    let w = SparseMatrix::from_triplets(n, n, entries).unwrap();
    ContactProblem { operator: Operator::Explicit(w), ..problem.clone() }
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
            let report = solver.solve(&problem, &mut split, &OPTIONS).expect("it takes these");
            assert_eq!(report.status, Status::Converged, "{set:?}, {n}: {:e}", report.residual);
            // It measured with an estimate of W's diagonal.
            let with_w = residual(&explicit, &split).value;
            assert!(with_w <= 3.0 * OPTIONS.tolerance, "{set:?}, {n}: {with_w:e}");
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
    SplitSolver::default().solve(&problem, &mut first, &OPTIONS).expect("it takes these");
    let Operator::Bodies(bodies) = &mut problem.operator else { unreachable!() };
    let (start, system, rows, _) = bodies.coupling.parts().expect("there");
    let other = Coupling::new(start, system.clone(), rows.clone(), vec![3.0; 24]).unwrap();
    bodies.coupling = other;
    let mut second = vec![f64::NAN; 24];
    SplitSolver::default().solve(&problem, &mut second, &OPTIONS).expect("it takes these");
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
    bodies.coupling = std::mem::take(&mut bodies.coupling).starting(1);
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
