//! Wrench blocks in contact problems: one block and stacks of them.

use asperity_friction::extent::{Screw, Wrench};
use asperity_friction::set::{Disk, Ellipse, Rotation, Set};
use asperity_solve::json::{read, write};
use asperity_solve::{
    Bodies, ContactProblem, DenseSolver, FrictionBlock, InverseMass, LocalSolve, NewtonSolver,
    Note, Operator, PgsSolver, ProxSolver, RFactor, RowEntry, SolveOptions, Solver, SplitSolver,
    Status, Support, residual,
};
use glamx::{DMat3, DVec2, DVec3};

const UP: DVec3 = DVec3::Y;
const H: f64 = 0.01;

fn wrench(a: f64, b: f64, mu: f64) -> Set {
    let patch = Ellipse::new(a, b, Rotation::IDENTITY).unwrap();
    Wrench::new(patch, Disk::new(mu).unwrap().into()).unwrap().into()
}

/// Rows (normal, t, b, spin, roll t, roll b) of a contact at `at` between bodies of these centres;
/// the normal is up, t is x and b is −z, so that n × t = b.
fn rows(bodies: &mut Bodies, at: DVec3, touching: &[(usize, DVec3, f64)]) {
    let axes = [UP, DVec3::X, UP.cross(DVec3::X)];
    for k in 0..6 {
        let axis = axes[k % 3];
        bodies.push_row(touching.iter().map(|(dof_block, centre, sign)| {
            let arm = at - *centre;
            let (linear, angular) = if k < 3 {
                (axis * *sign, arm.cross(axis) * *sign)
            } else {
                (DVec3::ZERO, axis * *sign)
            };
            RowEntry { dof_block: *dof_block, linear, angular }
        }));
    }
}

/// A stack of cubes of edge one, each with this mass, resting on each other, the lowest on the ground.
/// Velocities are what gravity gives in a step, and `push` along x for the top one.
fn stack(masses: &[f64], mu: f64, push: f64) -> ContactProblem {
    let mut bodies = Bodies::default();
    let (mut q, mut blocks) = (Vec::new(), Vec::new());
    let centre = |k: usize| DVec3::new(0.0, 0.5 + k as f64, 0.0);
    let velocity = |k: usize| {
        let x = if k + 1 == masses.len() { push } else { 0.0 };
        DVec3::new(x, -9.81 * H, 0.0)
    };
    for (k, mass) in masses.iter().enumerate() {
        let inertia = DMat3::from_diagonal(DVec3::splat(6.0 / mass));
        bodies.inverse_masses.push(InverseMass::Body { mass: 1.0 / mass, inertia });
        let at = DVec3::new(0.0, k as f64, 0.0);
        let first = q.len();
        let mut touching = vec![(k, centre(k), 1.0)];
        let mut relative = velocity(k);
        if k > 0 {
            touching.push((k - 1, centre(k - 1), -1.0));
            relative -= velocity(k - 1);
        }
        rows(&mut bodies, at, &touching);
        q.extend([relative.y, relative.x, 0.0, 0.0, 0.0, 0.0]);
        let set = wrench(0.5, 0.5, mu);
        blocks.push(FrictionBlock::constant(first..first + 6, 1.0, set));
    }
    let operator = Operator::Bodies(bodies);
    ContactProblem { name: "stack".to_owned(), operator, q, compliance: Vec::new(), blocks }
}

fn solve(problem: &ContactProblem, r: &mut [f64], tolerance: f64) -> usize {
    problem.validate().unwrap();
    let options = SolveOptions { tolerance, ..SolveOptions::default() };
    let mut solver = ProxSolver::default();
    let report = solver.solve(problem, r, &options);
    assert!(report.residual <= tolerance, "{report:?}");
    // The one residual, recomputed.
    let again = residual(problem, r).value;
    assert!(again <= 2.0 * tolerance, "{again}");
    report.iterations
}

#[test]
fn a_stack_carries_its_weight() {
    let masses = [1.0, 2.0, 3.0, 4.0, 5.0];
    let problem = stack(&masses, 0.5, 0.0);
    let mut r = vec![0.0; problem.rows()];
    solve(&problem, &mut r, 1e-12);
    for k in 0..masses.len() {
        let above: f64 = masses[k..].iter().sum();
        assert!((r[6 * k] - above * 9.81 * H).abs() < 1e-10, "{r:?}");
        assert!(r[6 * k + 1..6 * k + 6].iter().all(|x| x.abs() < 1e-10));
    }
}

#[test]
fn a_push_at_the_top_moves_the_pressure_of_every_layer() {
    // All hold. A force f at the top of layer k's arm shifts the pressure by f × arm / load.
    let (masses, push) = ([1.0; 4], 0.02);
    let problem = stack(&masses, 0.9, push);
    let mut r = vec![0.0; problem.rows()];
    solve(&problem, &mut r, 1e-12);
    for k in 0..4 {
        let screw = Screw::from_rows(&r[6 * k..6 * k + 6]);
        let load = 9.81 * H * (4 - k) as f64;
        let arm = 3.5 - k as f64;
        let expected = DVec2::new(push * arm / load, 0.0);
        assert!((screw.cop() - expected).length() < 1e-9, "{k} {} {expected}", screw.cop());
        assert!((screw.linear.y + push).abs() < 1e-10);
    }
}

#[test]
fn one_sliding_block_needs_two_sweeps_and_the_update_vanishes() {
    let problem = stack(&[3.0], 0.3, 2.0);
    let mut r = vec![0.0; 6];
    let mut changes = Vec::new();
    let sweeps =
        ProxSolver::default().sweep_until(&problem, &mut r, 1e-15, 10, |c| changes.push(c));
    assert!(sweeps.is_some_and(|n| n <= 3), "{changes:?}");
    assert!((r[0] - 3.0 * 9.81 * H).abs() < 1e-14);
    assert!((r[1] + 0.3 * r[0]).abs() < 1e-14);
    assert!(residual(&problem, &r).value < 1e-14);
}

#[test]
fn a_warm_start_is_at_the_goal() {
    let problem = stack(&[1.0, 50.0, 1.0, 50.0], 0.4, 0.3);
    let mut r = vec![0.0; problem.rows()];
    let cold = solve(&problem, &mut r, 1e-10);
    let warm = solve(&problem, &mut r.clone(), 1e-10);
    assert!(cold > 2 && warm == 0, "{cold} {warm}");
    let mut again = vec![0.0; problem.rows()];
    solve(&problem, &mut again, 1e-10);
    assert!(r.iter().zip(&again).all(|(a, b)| a.to_bits() == b.to_bits()));
}

#[test]
fn proximal_steps_solve_a_wrench_by_its_own_algorithm() {
    let problem = stack(&[1.0, 1.0], 0.4, 0.3);
    let mut r = vec![0.0; problem.rows()];
    let mut solver = ProxSolver::new(LocalSolve::Step(RFactor::BlockInverse));
    let report = solver.solve(&problem, &mut r, &SolveOptions::default());
    assert!(report.residual <= 1e-8, "{report:?}");
}

#[test]
fn wrong_wrenches_have_an_error() {
    let problem = stack(&[2.0], 0.5, 0.0);
    let mut r = vec![0.0; 6];
    solve(&problem, &mut r, 1e-12);
    let size = r[0];
    for (row, by) in [(0, 0.1), (1, 0.7), (3, 1.0), (4, 0.6), (5, -0.6)] {
        let mut wrong = r.clone();
        wrong[row] += by * size;
        assert!(residual(&problem, &wrong).value > 0.01, "{row}");
    }
    r[0] = -r[0];
    assert!(residual(&problem, &r).value > 0.5);
}

#[test]
fn other_solvers_say_that_they_do_not_take_it() {
    let problem = stack(&[2.0], 0.5, 0.0);
    let solvers: [Box<dyn Solver>; 3] = [
        Box::new(PgsSolver::default()),
        Box::new(NewtonSolver::default()),
        Box::new(SplitSolver::default()),
    ];
    for mut solver in solvers {
        assert_eq!(solver.supports(&problem.blocks[0].law), Support::Unsupported);
        let refusal = solver.refuses(&problem).unwrap();
        assert!(refusal.to_string().contains("shape wrench"), "{refusal}");
        let mut r = vec![0.5; 6];
        let report = solver.solve(&problem, &mut r, &SolveOptions::default());
        assert_eq!(
            (report.status, &report.notes[..]),
            (Status::Refused, &[Note::Refused(refusal)][..])
        );
        assert!(report.residual.is_infinite() && r == [0.5; 6]);
    }
}

#[test]
fn a_wrench_is_the_same_after_a_round_trip_through_json() {
    let mut problem = stack(&[2.0, 1.0], 0.5, 0.1);
    let patch = Ellipse::new(0.3, 0.2, Rotation::from_angle(0.4)).unwrap();
    let coupled = Wrench::new(patch, Disk::new(0.4).unwrap().into()).unwrap().contensou().unwrap();
    problem.blocks[1].law.set = coupled.into();
    let fading = Wrench::new(patch, Disk::new(0.4).unwrap().into()).unwrap().uniform();
    problem.blocks[0].law.set = fading.clone().into();
    let back = read(&write(&problem).unwrap()).unwrap();
    let Set::Wrench(read_back) = &back.blocks[0].law.set else {
        panic!("{:?}", back.blocks[0].law.set)
    };
    assert_eq!(read_back.spin(), fading.spin());
    let (mut r, mut s) = (vec![0.0; 12], vec![0.0; 12]);
    solve(&problem, &mut r, 1e-9);
    solve(&back, &mut s, 1e-9);
    assert!(r.iter().zip(&s).all(|(a, b)| (a - b).abs() < 1e-9), "{r:?} {s:?}");
}

#[test]
fn a_wrench_with_a_load_or_too_few_rows_is_refused() {
    let mut problem = stack(&[2.0], 0.5, 0.0);
    problem.blocks[0].normals = 0..1;
    assert!(problem.validate().unwrap_err().to_string().contains("blocks[0].load"));
    problem.blocks[0].normals = 0..0;
    problem.blocks[0].rows = 0..5;
    let message = problem.validate().unwrap_err().to_string();
    assert!(message.contains("6 for a set of shape wrench"), "{message}");
}

#[test]
fn newtons_method_moves_as_sweeps_do_in_fewer_steps() {
    // Tall, and heavy above: sweeps pass loads on slowly.
    let masses: Vec<f64> = (0..12).map(|k| 1.4_f64.powi(k)).collect();
    let problem = stack(&masses, 0.5, 0.02);
    let mut swept = vec![0.0; problem.rows()];
    let sweeps = solve(&problem, &mut swept, 1e-10);
    let mut found = vec![0.0; problem.rows()];
    let few = SolveOptions { tolerance: 1e-8, max_iterations: 20, ..SolveOptions::default() };
    ProxSolver::default().solve(&problem, &mut found, &few);
    let begun = residual(&problem, &found).value;
    let options = SolveOptions { tolerance: 1e-10, max_iterations: 60, ..SolveOptions::default() };
    let report = DenseSolver::default().solve(&problem, &mut found, &options).clone();
    assert!(report.residual <= 1e-10 && report.iterations + 20 < sweeps.max(80), "{report:?}");
    assert!(begun > 1e-6, "nothing was left to do: {begun}");
    let mut velocities = [vec![0.0; problem.rows()], vec![0.0; problem.rows()]];
    problem.velocities(&swept, &mut velocities[0]);
    problem.velocities(&found, &mut velocities[1]);
    let [a, b] = velocities;
    let apart = a.iter().zip(&b).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(apart < 1e-7, "{apart}");
}
