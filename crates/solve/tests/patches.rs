//! Patches that carry spin: one alone, and stacks of boxes on their whole faces.

use asperity_friction::extent::polygon_set;
use asperity_friction::set::{Ellipse, Rotation, Set};
use asperity_friction::testing::Rng;
use asperity_solve::testing::problems::{random_matrix, random_set};
use asperity_solve::{
    Bodies, ContactProblem, FrictionBlock, InverseMass, NewtonSolver, Operator, ProxSolver,
    RestingSolver, RowEntry, SolveOptions, Solver, SparseMatrix, Status, residual,
};
use glamx::{DMat3, DVec2, DVec3};

fn velocities(problem: &ContactProblem, r: &[f64]) -> Vec<f64> {
    let mut u = vec![0.0; problem.rows()];
    problem.velocities(r, &mut u);
    u
}

/// How much power friction could take beyond what it takes, −f·u, and how far f is outside: both
/// nothing for a solution, by the definition of maximum dissipation.
fn misses(set: &Set, load: f64, f: &[f64], u: &[f64]) -> f64 {
    let against: Vec<f64> = u.iter().map(|u| -u).collect();
    let power: f64 = f.iter().zip(&against).map(|(f, u)| f * u).sum();
    let least: f64 = f.iter().zip(u).map(|(f, u)| (f * u).abs()).sum();
    (set.support(&against, load) - power).abs() / least.max(1e-300)
}

#[test]
fn a_patch_under_a_held_load_takes_most_power() {
    let options = SolveOptions { tolerance: 1e-13, max_iterations: 1, time_limit: None };
    for kind in ["limit surface", "rings"] {
        let mut rng = Rng::new(11);
        let (mut slides, mut holds) = (0, 0);
        for case in 0..2000 {
            let set = random_set(kind, &mut rng);
            let w = random_matrix(3, &mut rng);
            let load = rng.log_uniform(1e-2, 1e2);
            let r_hold: Vec<f64> = (0..3).map(|_| load * rng.uniform(-1.0, 1.0)).collect();
            let part = rng.log_uniform(1e-2, 1e2) * if rng.chance(0.5) { 1.0 } else { 0.1 };
            let hold = [r_hold[0], r_hold[1], 0.1 * r_hold[2]].map(|r| r * part);
            // u = W r + q is nothing at `hold`.
            let q = (0..3).map(|i| -(0..3).map(|j| w[3 * i + j] * hold[j]).sum::<f64>()).collect();
            let entries = (0..9).map(|k| (k / 3, k % 3, w[k]));
            let problem = ContactProblem {
                name: "patch".to_owned(),
                operator: Operator::Explicit(SparseMatrix::from_triplets(3, 3, entries).unwrap()),
                q,
                compliance: Vec::new(),
                blocks: vec![FrictionBlock::constant(0..3, load, set.clone())],
            };
            let mut r = vec![0.0; 3];
            ProxSolver::default().solve(&problem, &mut r, &options);
            let size = r.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            assert!(set.contains(&r, load, 1e-12 * size), "{kind}, case {case}: {r:?}");
            let u = velocities(&problem, &r);
            if set.contains(&hold, load, 0.0) {
                holds += 1;
                let off = r.iter().zip(&hold).map(|(r, h)| (r - h).abs()).fold(0.0, f64::max);
                assert!(off <= 1e-10 * size, "{kind}, case {case}: {r:?} for {hold:?}");
            } else {
                slides += 1;
                let miss = misses(&set, load, &r, &u);
                assert!(miss < 1e-6, "{kind}, case {case}: {miss:e} {r:?} {u:?}");
                // A force that is a little less takes less.
                let less: Vec<f64> = r.iter().map(|r| 0.98 * r).collect();
                assert!(misses(&set, load, &less, &u) > 1e-4, "{kind}, case {case}");
            }
        }
        assert!(slides > 400 && holds > 400, "{kind}: {slides} slide, {holds} hold");
    }
}

/// Boxes of edge 1 m on each other and on the ground, on their whole faces: four normal rows each, and
/// one block of friction. They fall for 10 ms; the topmost is pushed and turned.
fn stack(masses: &[f64], push: DVec3, turn: f64, mu: f64) -> ContactProblem {
    let section = Ellipse::new(mu, mu, Rotation::IDENTITY).unwrap();
    let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
    let set = polygon_set(&corners.map(|(x, z)| DVec2::new(x, z)), section, 6).unwrap();
    let mut bodies = Bodies::default();
    for mass in masses {
        let inertia = DMat3::from_diagonal(DVec3::splat(6.0 / mass));
        bodies.inverse_masses.push(InverseMass::Body { mass: 1.0 / mass, inertia });
    }
    let top = masses.len() - 1;
    let free = |k: usize| {
        let [push, turn] = if k == top { [push, DVec3::Y * turn] } else { [DVec3::ZERO; 2] };
        (DVec3::Y * -0.0981 + push, turn)
    };
    let (mut q, mut blocks) = (Vec::new(), Vec::new());
    let mut push_row = |k: usize, at: (f64, f64), direction: DVec3, angular: bool| {
        let entry = |dof_block: usize, y: f64, sign: f64| {
            let arm = DVec3::new(at.0, y, at.1);
            let [linear, angular] =
                if angular { [DVec3::ZERO, direction] } else { [direction, arm.cross(direction)] };
            RowEntry { dof_block, linear: linear * sign, angular: angular * sign }
        };
        let below = (k > 0).then(|| entry(k - 1, 0.5, -1.0));
        let entries: Vec<RowEntry> = below.into_iter().chain([entry(k, -0.5, 1.0)]).collect();
        let speed = |e: &RowEntry| {
            let (linear, angular) = free(e.dof_block);
            e.linear.dot(linear) + e.angular.dot(angular)
        };
        q.push(entries.iter().map(speed).sum::<f64>());
        bodies.push_row(entries);
        q.len()
    };
    for k in 0..masses.len() {
        let normals = corners.map(|at| push_row(k, at, DVec3::Y, false) - 1);
        push_row(k, (0.0, 0.0), DVec3::Z, false);
        push_row(k, (0.0, 0.0), DVec3::X, false);
        let end = push_row(k, (0.0, 0.0), DVec3::Y, true);
        blocks.push(FrictionBlock::new(end - 3..end, normals[0]..normals[3] + 1, set.clone()));
    }
    ContactProblem {
        name: "stack".to_owned(),
        operator: Operator::Bodies(bodies),
        q,
        compliance: Vec::new(),
        blocks,
    }
}

#[test]
fn newton_and_sweeps_find_the_same_velocities_of_stacks_on_their_faces() {
    let mut rng = Rng::new(3);
    let mut slipping = 0;
    for trial in 0..30 {
        let masses: Vec<f64> = (0..6).map(|_| rng.uniform(1.0, 3.0)).collect();
        let push = DVec3::new(rng.uniform(-0.2, 0.2), 0.0, rng.uniform(-0.2, 0.2));
        let problem = stack(&masses, push, rng.uniform(-0.5, 0.5), rng.uniform(0.1, 0.6));
        let options = SolveOptions { tolerance: 1e-10, max_iterations: 20_000, time_limit: None };
        let mut by_newton = vec![0.0; problem.rows()];
        let report = NewtonSolver::default().solve(&problem, &mut by_newton, &options).clone();
        assert_eq!(report.status, Status::Converged, "trial {trial}: {report:?}");
        assert!(residual(&problem, &by_newton).value <= 1e-10);
        let mut by_sweeps = vec![0.0; problem.rows()];
        let report = ProxSolver::default().solve(&problem, &mut by_sweeps, &options).clone();
        assert_eq!(report.status, Status::Converged, "trial {trial}");
        let (a, b) = (velocities(&problem, &by_newton), velocities(&problem, &by_sweeps));
        for (a, b) in a.iter().zip(&b) {
            assert!((a - b).abs() < 1e-4, "trial {trial}: {a} and {b}");
        }
        let slips = |block: &FrictionBlock| block.rows.clone().any(|row| a[row].abs() > 1e-3);
        slipping += problem.blocks.iter().filter(|b| slips(b)).count();
    }
    assert!(slipping > 20, "{slipping} patches slip");
}

#[test]
fn what_holds_on_its_face_is_found_with_the_matrix_of_earlier_problems() {
    let masses = [1.0, 2.0, 1.5, 1.0, 3.0, 1.0, 2.0, 1.0];
    let problem = stack(&masses, DVec3::ZERO, 0.0, 0.5);
    let options = SolveOptions { tolerance: 1e-11, max_iterations: 20_000, time_limit: None };
    let mut at_rest = vec![0.0; problem.rows()];
    let report = ProxSolver::default().solve(&problem, &mut at_rest, &options).clone();
    assert_eq!(report.status, Status::Converged);
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
            assert!(report.residual < 0.02 * before, "{before:e}, {report:?}");
        }
    }
    assert!(taken >= 15, "{taken}");
}
