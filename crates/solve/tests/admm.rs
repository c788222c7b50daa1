//! Alternating directions: closed forms, agreement with sweeps, what is kept, and heaps.

use asperity_friction::Law;
use asperity_friction::set::{Disk, Interval, Set};
use asperity_solve::testing::problems::{patch, random_set, tower, wrenches};
use asperity_solve::testing::redundant::{CASES, redundant, start};
use asperity_solve::{
    AdmmSolver, Bodies, ContactProblem, FrictionBlock, InverseMass, Note, Operator, ProxSolver,
    RowEntry, SolveOptions, SolveReport, Solver, Status, residual,
};
use glamx::DVec3;

const OPTIONS: SolveOptions =
    SolveOptions { tolerance: 1e-11, max_iterations: 3000, time_limit: None };

fn disk(mu: f64) -> Law {
    Law::from(Disk::new(mu).unwrap())
}

fn solved(problem: &ContactProblem) -> (Vec<f64>, SolveReport) {
    let mut r = vec![0.0; problem.rows()];
    let report = AdmmSolver::default().solve(problem, &mut r, &OPTIONS).clone();
    (r, report)
}

/// A point of so many kilograms on a plane that it would leave at this velocity, normal first.
fn point(mass: f64, velocity: DVec3, law: Law) -> ContactProblem {
    let mut bodies =
        Bodies { inverse_masses: vec![InverseMass::Point(1.0 / mass)], ..Bodies::default() };
    for linear in DVec3::AXES {
        bodies.push_row([RowEntry { dof_block: 0, linear, angular: DVec3::ZERO }]);
    }
    let problem = ContactProblem {
        name: "point".to_owned(),
        operator: Operator::Bodies(bodies),
        q: velocity.to_array().to_vec(),
        compliance: Vec::new(),
        blocks: vec![FrictionBlock::contact(0, 1..3, law)],
    };
    problem.validate().unwrap();
    problem
}

/// Gravity for a step of 10 ms on a slope; the limit is tan θ = μ.
#[test]
fn a_body_on_a_slope_sticks_below_the_angle_of_friction_and_slides_above() {
    let (mass, fall, mu) = (3.0, 0.0981, 0.5);
    for degrees in [0.0, 5.0, 20.0, 26.0, 27.0, 40.0, 80.0] {
        let (sine, cosine) = f64::to_radians(degrees).sin_cos();
        let free = DVec3::new(-cosine, 0.6 * sine, 0.8 * sine) * fall;
        let problem = point(mass, free, disk(mu));
        let (r, report) = solved(&problem);
        assert_eq!(report.status, Status::Converged, "{degrees}");
        let load = mass * fall * cosine;
        let friction = (mass * fall * sine).min(mu * load);
        let expected = [load, -0.6 * friction, -0.8 * friction];
        for (r, expected) in r.iter().zip(expected) {
            assert!((r - expected).abs() < 1e-9 * load, "{degrees}: {r} for {expected}");
        }
    }
}

#[test]
fn a_body_that_leaves_carries_nothing() {
    let (r, report) = solved(&point(1.0, DVec3::new(0.3, -1.0, 2.0), disk(0.7)));
    assert_eq!((report.status, report.iterations), (Status::Converged, 0));
    assert!(r.iter().all(|r| *r == 0.0));
}

/// A row of compliance C that is pressed at v carries v/(W + C).
#[test]
fn a_spring_carries_what_its_compliance_says() {
    let mut problem = point(2.0, DVec3::new(-1.0, 0.0, 0.0), disk(0.5));
    problem.compliance = vec![0.25, 0.0, 0.0];
    let (r, report) = solved(&problem);
    assert_eq!(report.status, Status::Converged);
    assert!((r[0] - 1.0 / (0.5 + 0.25)).abs() < 1e-9, "{}", r[0]);
}

#[test]
fn velocities_agree_with_those_of_sweeps() {
    let mut rng = asperity_friction::random::Rng::new(3);
    let mut problems = vec![patch(&disk(0.4), DVec3::new(0.05, -0.02, 0.0))];
    for push in [0.0, 0.02, 0.1] {
        problems.push(tower(4, &disk(0.5), push));
        for kind in ["ellipse", "polygon", "box", "ellipsoid"] {
            problems.push(tower(2, &Law::from(random_set(kind, &mut rng)), push));
        }
    }
    let range = Set::from(Interval::symmetric(0.4).unwrap());
    problems.push(tower(3, &Law::from(range), 0.05));
    for (k, problem) in problems.iter().enumerate() {
        let (r, report) = solved(problem);
        assert_eq!(
            report.status,
            Status::Converged,
            "{k}, {}: {:e}",
            problem.name,
            report.residual
        );
        let mut swept = vec![0.0; r.len()];
        let options = SolveOptions { max_iterations: 50_000, ..OPTIONS };
        ProxSolver::default().solve(problem, &mut swept, &options);
        let (mut u, mut v) = (vec![0.0; r.len()], vec![0.0; r.len()]);
        problem.velocities(&r, &mut u);
        problem.velocities(&swept, &mut v);
        for (u, v) in u.iter().zip(&v) {
            assert!((u - v).abs() < 1e-8, "{k}, {}: {u} and {v}", problem.name);
        }
    }
}

#[test]
fn two_solvers_give_the_same_bits() {
    let problem = tower(5, &disk(0.6), 0.05);
    let bits = |r: Vec<f64>| r.into_iter().map(f64::to_bits).collect::<Vec<_>>();
    assert_eq!(bits(solved(&problem).0), bits(solved(&problem).0));
}

/// The order of elimination and what fills in are kept, so that nothing is allocated.
#[test]
fn what_is_known_of_the_bodies_is_kept_while_velocities_change() {
    let (mut solver, mut r) = (AdmmSolver::default(), Vec::new());
    for step in 0..5 {
        let problem = tower(6, &disk(0.5), 0.01 * f64::from(step));
        r.resize(problem.rows(), 0.0);
        let measured = allocation_counter::measure(|| {
            let report = solver.solve(&problem, &mut r, &OPTIONS);
            assert_eq!(report.status, Status::Converged);
        });
        assert!(step == 0 || measured.count_total == 0, "step {step} allocates");
    }
}

#[test]
fn a_warm_start_is_used() {
    let problem = tower(6, &disk(0.5), 0.05);
    let (mut r, cold) = solved(&problem);
    let again = AdmmSolver::default().solve(&problem, &mut r, &OPTIONS).iterations;
    assert_eq!(again, 0, "from the solution");
    for r in &mut r {
        *r *= 1.0 + 1e-9;
    }
    let near = AdmmSolver::default().solve(&problem, &mut r, &OPTIONS).iterations;
    assert!(near <= cold.iterations, "{near} from nearby, {} from rest", cold.iterations);
}

#[test]
fn what_it_does_not_take_is_refused_by_name_and_left_alone() {
    let mut fixed = point(1.0, DVec3::NEG_X, disk(0.5));
    let Operator::Bodies(bodies) = &mut fixed.operator else { panic!() };
    bodies.inverse_masses[0] = InverseMass::Point(0.0);
    for problem in [wrenches(2, 0.1), redundant(4), fixed] {
        let mut r = vec![0.5; problem.rows()];
        let mut solver = AdmmSolver::default();
        let report = solver.solve(&problem, &mut r, &OPTIONS).clone();
        assert_eq!(report.status, Status::Refused, "{}", problem.name);
        let [Note::Refused(refusal)] = &report.notes[..] else { panic!("{:?}", report.notes) };
        assert_eq!(Some(refusal), solver.refuses(&problem).as_ref());
        assert!(r.iter().all(|r| *r == 0.5));
    }
}

/// Bodies held more than once, from rest and from impulses in any direction.
#[test]
fn bodies_held_more_than_once_are_solved_for() {
    let (mut taken, mut within) = (0, 0);
    for case in 0..CASES {
        let problem = redundant(case);
        let mut solver = AdmmSolver::default();
        if solver.refuses(&problem).is_some() {
            continue;
        }
        for k in 0..2 {
            let mut r = start(&problem, case, k);
            let options = SolveOptions { tolerance: 1e-8, ..OPTIONS };
            let report = solver.solve(&problem, &mut r, &options).clone();
            let found = residual(&problem, &r).value;
            assert!((report.residual - found).abs() <= 1e-6 * found + 1e-11, "{case}, {k}");
            taken += 1;
            within += usize::from(found <= 1e-8);
            if found > 1e-8 {
                eprintln!("case {case} from start {k}: {found:e}");
            }
        }
    }
    assert!(within >= taken - taken / 50, "{within} of {taken}");
}
