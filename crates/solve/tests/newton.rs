//! Newton's method against sweeps, and where it refuses.

use std::f64::consts::TAU;

use asperity_friction::set::{BoxSet, Disk, Ellipse, Ellipsoid, Interval, Polygon, Rotation, Set};
use asperity_friction::testing::Rng;
use asperity_solve::{
    Bodies, ContactProblem, FrictionBlock, InverseMass, NewtonSolver, Operator, ProxSolver,
    RestingSolver, RowEntry, SolveOptions, SolveReport, Solver, SparseMatrix, Status, residual,
};
use glamx::{DMat3, DVec2, DVec3};

/// Boxes of edge 1 m on each other and on the ground, four contacts each, that fall for 10 ms and
/// are pushed sideways; `masses` from the bottom.
fn stack(masses: &[f64], push: DVec3, set: &Set) -> ContactProblem {
    let mut bodies = Bodies::default();
    let (mut q, mut blocks) = (Vec::new(), Vec::new());
    for mass in masses {
        let inertia = DMat3::from_diagonal(DVec3::splat(6.0 / mass));
        bodies.inverse_masses.push(InverseMass::Body { mass: 1.0 / mass, inertia });
    }
    let free =
        |k: usize| DVec3::Y * -0.0981 + if k + 1 == masses.len() { push } else { DVec3::ZERO };
    for k in 0..masses.len() {
        for (x, z) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
            let first = q.len();
            for direction in [DVec3::Y, DVec3::Z, DVec3::X] {
                let entry = |dof_block: usize, y: f64, sign: f64| RowEntry {
                    dof_block,
                    linear: direction * sign,
                    angular: DVec3::new(x, y, z).cross(direction) * sign,
                };
                let below = (k > 0).then(|| entry(k - 1, 0.5, -1.0));
                bodies.push_row(below.into_iter().chain([entry(k, -0.5, 1.0)]));
                let under = if k > 0 { free(k - 1) } else { DVec3::ZERO };
                q.push(direction.dot(free(k) - under));
            }
            blocks.push(FrictionBlock::contact(first, first + 1..first + 3, set.clone()));
        }
    }
    let compliance = vec![0.0; q.len()];
    ContactProblem {
        name: "stack".to_owned(),
        operator: Operator::Bodies(bodies),
        q,
        compliance,
        blocks,
    }
}

fn velocities(problem: &ContactProblem, r: &[f64]) -> Vec<f64> {
    let mut u = vec![0.0; problem.rows()];
    problem.velocities(r, &mut u);
    u
}

#[test]
fn newton_and_sweeps_find_the_same_velocities() {
    let mut rng = Rng::new(3);
    for trial in 0..40 {
        let masses: Vec<f64> = (0..6).map(|_| rng.uniform(1.0, 3.0)).collect();
        let push = DVec3::new(rng.uniform(-0.2, 0.2), 0.0, rng.uniform(-0.2, 0.2));
        let turn = Rotation::from_angle(rng.uniform(0.0, 3.0));
        let mut mu = || rng.uniform(0.1, 0.6);
        let set = match trial % 4 {
            0 => Set::from(Disk::new(mu()).unwrap()),
            1 => Set::from(Ellipse::new(mu(), mu(), turn).unwrap()),
            2 => {
                let corner = |k: i32| DVec2::from_angle(f64::from(k) * TAU / 16.0);
                let points: Vec<DVec2> = (0..16).map(|k| corner(k) * mu()).collect();
                Set::from(Polygon::from_points(&points).unwrap())
            }
            _ => {
                let mut side = || Interval::new(-mu(), mu()).unwrap();
                Set::from(BoxSet::new(side(), side(), turn))
            }
        };
        let problem = stack(&masses, push, &set);
        let options = SolveOptions { tolerance: 1e-10, max_iterations: 20_000, time_limit: None };
        let mut by_newton = vec![0.0; problem.rows()];
        let report = NewtonSolver::default().solve(&problem, &mut by_newton, &options).clone();
        assert_eq!(report.status, Status::Converged, "trial {trial}: {report:?}");
        assert!(residual(&problem, &by_newton).value <= 1e-10);
        let mut by_sweeps = vec![0.0; problem.rows()];
        let report = ProxSolver::default().solve(&problem, &mut by_sweeps, &options).clone();
        assert_eq!(report.status, Status::Converged, "trial {trial}");
        let (a, b) = (velocities(&problem, &by_newton), velocities(&problem, &by_sweeps));
        // The residual judges; how far it leaves velocities open is the condition of a sliding
        // stack, up to 1e5 here.
        for (a, b) in a.iter().zip(&b) {
            assert!((a - b).abs() < 1e-4, "trial {trial}: {a} and {b}");
        }
    }
}

#[test]
fn a_heavy_body_on_light_ones_is_solved_where_sweeps_are_not_enough() {
    let set = Set::from(Disk::new(0.5).unwrap());
    let problem = stack(&[1.0, 1.0, 1.0, 1e6], DVec3::new(0.01, 0.0, 0.0), &set);
    let options = SolveOptions { tolerance: 1e-9, max_iterations: 2000, time_limit: None };
    let mut r = vec![0.0; problem.rows()];
    let sweeps = ProxSolver::default().solve(&problem, &mut r, &options).residual;
    let mut r = vec![0.0; problem.rows()];
    let mut newton = NewtonSolver::default();
    let report = newton.solve(&problem, &mut r, &options);
    assert_eq!(report.status, Status::Converged, "{report:?}; sweeps reach {sweeps:e}");
}

#[test]
fn what_it_does_not_take_stays_as_it_was() {
    let w = SparseMatrix::from_triplets(3, 3, [(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0)]).unwrap();
    let sets = vec![Set::from(Disk::new(0.5).unwrap())];
    let explicit = ContactProblem::explicit("slide", w, vec![-1.0, 2.0, 0.0], sets).unwrap();
    let mut r = vec![1.0, 2.0, 3.0];
    let mut solver = NewtonSolver::default();
    let refused = |report: &SolveReport| report.status == Status::Refused;
    assert!(refused(solver.solve(&explicit, &mut r, &SolveOptions::default())));
    assert!(solver.refuses(&explicit).unwrap().to_string().contains("not over bodies"));
    let mut narrow = NewtonSolver::default();
    narrow.most_work = 3;
    let problem = stack(&[1.0; 4], DVec3::ZERO, &Set::from(Disk::new(0.5).unwrap()));
    let mut all = vec![0.5; problem.rows()];
    assert!(refused(narrow.solve(&problem, &mut all, &SolveOptions::default())));
    assert!(narrow.refuses(&problem).unwrap().to_string().contains("elimination"));
    assert_eq!((r, all), (vec![1.0, 2.0, 3.0], vec![0.5; problem.rows()]));
}

#[test]
fn impulses_that_are_not_finite_start_at_zero() {
    let problem = stack(&[1.0; 3], DVec3::ZERO, &Set::from(Disk::new(0.5).unwrap()));
    let mut r = vec![f64::NAN; problem.rows()];
    let mut newton = NewtonSolver::default();
    let report = newton.solve(&problem, &mut r, &SolveOptions::default());
    assert_eq!(report.status, Status::Converged);
    assert!(r.iter().all(|x| x.is_finite()));
}

#[test]
fn what_holds_is_found_with_the_matrix_of_earlier_problems() {
    let set = Set::from(Disk::new(0.5).unwrap());
    let masses = [1.0, 2.0, 1.5, 1.0, 3.0, 1.0, 2.0, 1.0];
    let problem = stack(&masses, DVec3::ZERO, &set);
    let options = SolveOptions { tolerance: 1e-11, max_iterations: 60, time_limit: None };
    let mut at_rest = vec![0.0; problem.rows()];
    NewtonSolver::default().solve(&problem, &mut at_rest, &options);
    let mut rng = Rng::new(5);
    let (mut resting, mut taken) = (RestingSolver::default(), 0);
    resting.wait = 4;
    let few = SolveOptions { max_iterations: 4, ..options };
    for _ in 0..20 {
        // The next step of the same bodies: they have moved by next to nothing.
        let mut problem = problem.clone();
        let Operator::Bodies(bodies) = &problem.operator else { unreachable!() };
        let mut small = || [0.0; 3].map(|_| rng.uniform(-1e-6, 1e-6)).into();
        let moves: Vec<(DVec3, DVec3)> = masses.iter().map(|_| (small(), small())).collect();
        for (q, span) in problem.q.iter_mut().zip(bodies.row_start.windows(2)) {
            for e in &bodies.entries[span[0]..span[1]] {
                let (linear, angular) = moves[e.dof_block];
                *q += e.linear.dot(linear) + e.angular.dot(angular);
            }
        }
        let mut r = at_rest.clone();
        let before = residual(&problem, &r).value;
        let report = resting.solve(&problem, &mut r, &few).clone();
        if report.status == Status::Refused {
            assert_eq!(r, at_rest);
        } else {
            taken += 1;
            assert!((report.residual - residual(&problem, &r).value).abs() < 1e-3 * before);
            assert!(report.residual < 0.02 * before, "{before:e}, {report:?}");
        }
    }
    assert!(taken >= 15, "{taken}");
    // Fewer bodies are another problem.
    let problem = stack(&masses[1..], DVec3::ZERO, &set);
    let mut r = vec![0.0; problem.rows()];
    assert_eq!(resting.solve(&problem, &mut r, &few).status, Status::Refused);
}

/// Cubes with a drilling torque at each corner, the topmost pushed and turned.
fn drilling_stack(count: usize, push: DVec3, spin: f64, drilling: f64) -> ContactProblem {
    let section = Ellipse::new(0.2, 0.5, Rotation::from_angle(0.7)).unwrap();
    let set = Set::from(Ellipsoid::new(section, drilling).unwrap());
    let mut problem = stack(&vec![1.0; count], push, &Set::from(section));
    let Operator::Bodies(plain) = &problem.operator else { unreachable!() };
    let (mut bodies, mut q) = (Bodies::default(), Vec::new());
    bodies.inverse_masses.clone_from(&plain.inverse_masses);
    let mut blocks = Vec::new();
    let row = |k: usize| &plain.entries[plain.row_start[k]..plain.row_start[k + 1]];
    for first in (0..plain.rows()).step_by(3) {
        let normal = q.len();
        for k in first..first + 3 {
            bodies.push_row(row(k).iter().copied());
            q.push(problem.q[k]);
        }
        // About the normal, which is that of forces along it.
        let about = |e: &RowEntry| RowEntry {
            dof_block: e.dof_block,
            linear: DVec3::ZERO,
            angular: e.linear,
        };
        bodies.push_row(row(first).iter().map(about));
        let above = 1 + first / 12 == count;
        q.push(if above { spin } else { 0.0 });
        if above {
            let turn = |k: usize| row(k).last().unwrap().angular.y * spin;
            q[normal + 1] += turn(first + 1);
            q[normal + 2] += turn(first + 2);
        }
        blocks.push(FrictionBlock::contact(normal, normal + 1..q.len(), set.clone()));
    }
    (problem.q, problem.blocks, problem.compliance) = (q, blocks, Vec::new());
    problem.operator = Operator::Bodies(bodies);
    problem.validate().unwrap();
    problem
}

#[test]
fn drilling_torques_take_about_as_many_steps_as_none() {
    for (count, push, spin) in [(1, 0.05, 0.3), (3, 0.1, 0.0), (4, 0.02, 0.2), (12, 0.0, 0.05)] {
        let push = DVec3::new(push, 0.0, 0.5 * push);
        let problem = drilling_stack(count, push, spin, 0.05);
        let options = SolveOptions { tolerance: 1e-10, max_iterations: 20_000, time_limit: None };
        let mut r = vec![0.0; problem.rows()];
        let report = NewtonSolver::default().solve(&problem, &mut r, &options).clone();
        assert_eq!(report.status, Status::Converged, "{count} cubes: {report:?}");
        assert!(residual(&problem, &r).value <= 1e-10, "{count} cubes");
        let torque: f64 = r.iter().skip(3).step_by(4).map(|x| x.abs()).sum();
        assert!(torque > 1e-4 || spin == 0.0, "{count} cubes: {torque} N m s");
        let plain = drilling_stack(count, push, spin, 0.0);
        let mut r = vec![0.0; problem.rows()];
        let without = NewtonSolver::default().solve(&plain, &mut r, &options).clone();
        assert_eq!(without.status, Status::Converged, "{count} cubes: {without:?}");
        let most = 2 * without.iterations + 20;
        assert!(report.iterations <= most, "{} and {most} steps", report.iterations);
    }
}

/// One cube on one point: a pure spin is stopped by the drilling torque alone, −μ_τ N, and not at all without it.
#[test]
fn a_spin_is_braked_by_its_drilling_coefficient() {
    let inertia = DMat3::from_diagonal(DVec3::splat(6.0));
    for drilling in [0.0, 0.02] {
        let mut bodies = Bodies {
            inverse_masses: vec![InverseMass::Body { mass: 1.0, inertia }],
            ..Bodies::default()
        };
        let arm = DVec3::new(0.0, -0.5, 0.0);
        for axis in [DVec3::Y, DVec3::Z, DVec3::X] {
            let entry = RowEntry { dof_block: 0, linear: axis, angular: arm.cross(axis) };
            bodies.push_row([entry]);
        }
        let spin = RowEntry { dof_block: 0, linear: DVec3::ZERO, angular: DVec3::Y };
        bodies.push_row([spin]);
        let section = Ellipse::new(0.3, 0.6, Rotation::from_angle(0.2)).unwrap();
        let set = Set::from(Ellipsoid::new(section, drilling).unwrap());
        let problem = ContactProblem {
            name: "top".to_owned(),
            operator: Operator::Bodies(bodies),
            q: vec![-0.1, 0.0, 0.0, 3.0],
            compliance: Vec::new(),
            blocks: vec![FrictionBlock::contact(0, 1..4, set)],
        };
        let mut r = vec![0.0; 4];
        let options = SolveOptions { tolerance: 1e-12, ..SolveOptions::default() };
        let report = NewtonSolver::default().solve(&problem, &mut r, &options).clone();
        assert_eq!(report.status, Status::Converged, "{report:?}");
        assert!((r[0] - 0.1).abs() < 1e-11 && (r[3] + drilling * 0.1).abs() < 1e-11, "{r:?}");
        assert!((velocities(&problem, &r)[3] - (3.0 - 6.0 * 0.1 * drilling)).abs() < 1e-10);
    }
}
