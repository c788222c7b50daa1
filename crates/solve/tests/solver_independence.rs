//! One law, several solvers (Erleben 2020, section 4): linear complementarity, Newton's method on complementarity
//! functions and pivots find what sweeps find. Closed forms, each beside what must not come out.

use asperity_friction::random::Rng;
use asperity_friction::set::{Disk, Ellipse, Ellipsoid, Rotation, Set};
use asperity_solve::testing::problems::random_set;
use asperity_solve::testing::redundant::{CASES, redundant};
use asperity_solve::{
    Bodies, ContactProblem, FrictionBlock, InverseMass, LcpSolver, NcpForm, NcpSolver, Note,
    Operator, PivotingSolver, ProxSolver, RowEntry, SolveOptions, SolveReport, Solver, Status,
    solver_named,
};
use glamx::{DMat3, DVec2, DVec3};

const OPTIONS: SolveOptions =
    SolveOptions { tolerance: 1e-10, max_iterations: 20_000, time_limit: None };

/// Where legs are: at the corners; and three, whose loads follow from balance alone. Those of four do not, and where
/// friction turns with the load, neither do velocities: every share of the load between the two diagonals is
/// another solution.
const FOUR: &[(f64, f64)] = &[(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
const THREE: &[(f64, f64)] = &[(-0.5, -0.5), (0.5, -0.5), (0.1, 0.5)];

/// A box of 1 kg and edge 1 m, half as high, on legs; its free velocity, and its turn about the normal.
fn legs(places: &[(f64, f64)], velocity: DVec3, spin: f64, set: &Set) -> ContactProblem {
    let inertia = DMat3::from_diagonal(12.0 / DVec3::new(1.25, 1.25, 2.0));
    let mut bodies = Bodies {
        inverse_masses: vec![InverseMass::Body { mass: 1.0, inertia }],
        ..Bodies::default()
    };
    let (mut q, mut blocks) = (Vec::new(), Vec::new());
    for (x, y) in places {
        let (first, arm) = (q.len(), DVec3::new(*x, *y, -0.25));
        for axis in [DVec3::Z, DVec3::X, DVec3::Y] {
            let (linear, angular) = (axis, arm.cross(axis));
            bodies.push_row([RowEntry { dof_block: 0, linear, angular }]);
            q.push(axis.dot(velocity) + angular.z * spin);
        }
        if set.dim() == 3 {
            bodies.push_row([RowEntry { dof_block: 0, linear: DVec3::ZERO, angular: DVec3::Z }]);
            q.push(spin);
        }
        blocks.push(FrictionBlock::contact(first, first + 1..q.len(), set.clone()));
    }
    let problem = ContactProblem {
        name: "legs".to_owned(),
        operator: Operator::Bodies(bodies),
        q,
        compliance: Vec::new(),
        blocks,
    };
    problem.validate().unwrap();
    problem
}

fn solve(solver: &mut dyn Solver, problem: &ContactProblem) -> (SolveReport, Vec<f64>, Vec<f64>) {
    let mut r = vec![0.0; problem.rows()];
    let report = solver.solve(problem, &mut r, &OPTIONS).clone();
    let mut u = vec![0.0; problem.rows()];
    problem.velocities(&r, &mut u);
    (report, r, u)
}

/// How far velocities are apart.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

/// On a slope of angle 45° and within a step h, a box gets h g (sin, 0, −cos) of velocity, and friction at the load
/// h g cos. From rest it slides straight along d with the friction f of the ellipse that opposes d most,
/// v = h g sin x̂ + f and v ∥ d: found by bisection of the angle.
fn closed_form(ellipse: &Ellipse, push: DVec2, load: f64) -> DVec2 {
    let across = |angle: f64| {
        let d = DVec2::from_angle(angle);
        d.perp_dot(push + ellipse.traction(d, load))
    };
    let middle = push.y.atan2(push.x);
    // Turned by a right angle to either side, the push alone decides.
    let (mut low, mut high) = (middle - 1.5, middle + 1.5);
    assert!(across(low) * across(high) < 0.0);
    for _ in 0..200 {
        let angle = 0.5 * (low + high);
        if across(low) * across(angle) <= 0.0 {
            high = angle;
        } else {
            low = angle;
        }
    }
    push + ellipse.traction(DVec2::from_angle(low), load)
}

/// A box on a slope with grain askew: all solvers let it slide along the normal of the ellipse at the friction, and not
/// straight down.
#[test]
fn a_box_on_a_slope_slides_along_the_normal_of_its_ellipse() {
    let ellipse = Ellipse::new(0.2, 0.6, Rotation::from_angle(0.7)).unwrap();
    let (push, load) = (DVec2::new(0.0694, 0.0), 0.0694);
    let expected = closed_form(&ellipse, push, load);
    assert!(expected.y.abs() > 0.2 * expected.x, "grain leads it aside: {expected}");
    let problem = legs(FOUR, push.extend(-load), 0.0, &ellipse.into());
    let check = |name: &str, solver: &mut dyn Solver, within: f64| {
        let (report, _, u) = solve(solver, &problem);
        assert_eq!(report.status, Status::Converged, "{name}: {report:?}");
        for leg in u.chunks_exact(3) {
            let error = (DVec2::new(leg[1], leg[2]) - expected).length() / expected.length();
            assert!(leg[0].abs() < 1e-9 && error < within, "{name}: {error:e}");
        }
    };
    check("ncp", &mut NcpSolver::default(), 1e-8);
    check("pivoting", &mut PivotingSolver::default(), 1e-8);
    let mut lcp = LcpSolver::default();
    lcp.directions = 256;
    check("lcp", &mut lcp, 1e-2);
    // The control: four directions are another law, a diamond, and lead it elsewhere.
    lcp.directions = 4;
    let (report, _, u) = solve(&mut lcp, &problem);
    assert_eq!(report.status, Status::Converged);
    assert!((DVec2::new(u[1], u[2]) - expected).length() > 0.1 * expected.length());
    assert!(report.residual > 1e-3, "and the residual says so: {:e}", report.residual);
}

/// Twelve rows over six freedoms: what stands, stands, and the legs carry the weight.
#[test]
fn a_box_on_four_legs_stays_at_rest_whatever_the_impulses_are() {
    let weight = 0.0981;
    for (push, holds) in [(0.03, true), (0.06, false)] {
        let set: Set = Ellipse::new(0.45, 0.5, Rotation::from_angle(1.0)).unwrap().into();
        let problem = legs(FOUR, DVec3::new(push, 0.0, -weight), 0.0, &set);
        for name in ["lcp", "ncp", "pivoting"] {
            let mut solver = solver_named(name).unwrap();
            let (report, r, u) = solve(solver.as_mut(), &problem);
            assert_eq!(report.status, Status::Converged, "{name}, {push}: {report:?}");
            let speed = u.iter().fold(0.0_f64, |m, u| m.max(u.abs()));
            assert_eq!(speed < 1e-9, holds, "{name}, {push}: moves at {speed:e}");
            let carried: f64 = r.iter().step_by(3).sum();
            assert!((carried - weight).abs() < 1e-9, "{name}: carries {carried}");
        }
    }
}

/// Drilling: with a patch under each leg and a free spin, those that know ellipsoids end where sweeps do.
#[test]
fn legs_with_drilling_torque_spin_as_sweeps_say() {
    let section = Ellipse::new(0.2, 0.5, Rotation::from_angle(0.4)).unwrap();
    let set: Set = Ellipsoid::new(section, 0.05).unwrap().into();
    let problem = legs(THREE, DVec3::new(0.05, 0.02, -0.0981), 0.3, &set);
    let (report, _, by_sweeps) = solve(&mut ProxSolver::default(), &problem);
    assert_eq!(report.status, Status::Converged);
    assert!(by_sweeps[3].abs() > 0.01, "it spins: {}", by_sweeps[3]);
    for name in ["ncp", "pivoting"] {
        let (report, _, u) = solve(solver_named(name).unwrap().as_mut(), &problem);
        assert_eq!(report.status, Status::Converged, "{name}: {report:?}");
        assert!(apart(&u, &by_sweeps) < 1e-7, "{name}: {:e}", apart(&u, &by_sweeps));
    }
    let lcp = LcpSolver::default().refuses(&problem).unwrap().to_string();
    assert!(lcp.contains("\"lcp\"") && lcp.contains("ellipsoid"), "{lcp}");
}

/// Bodies that slide in random directions on grain in random directions.
#[test]
fn all_find_the_velocities_that_sweeps_find() {
    let mut rng = Rng::new(17);
    let (mut slid, mut worst_facets) = (0, 0.0_f64);
    for case in 0..60 {
        let set = random_set(if case % 3 == 0 { "disk" } else { "ellipse" }, &mut rng);
        let mut push = || rng.uniform(-0.1, 0.1);
        let problem = legs(THREE, DVec3::new(push(), push(), -0.0981), 2.0 * push(), &set);
        let (report, _, expected) = solve(&mut ProxSolver::default(), &problem);
        assert_eq!(report.status, Status::Converged, "case {case}");
        slid += usize::from(expected.iter().any(|u| u.abs() > 1e-3));
        for name in ["ncp", "pivoting", "dense"] {
            let (report, _, u) = solve(solver_named(name).unwrap().as_mut(), &problem);
            assert_eq!(report.status, Status::Converged, "{name}, case {case}: {report:?}");
            let apart = apart(&u, &expected);
            assert!(apart < 1e-7, "{name}, case {case}: {apart:e}");
        }
        let mut lcp = LcpSolver::default();
        lcp.directions = 64;
        let (report, _, u) = solve(&mut lcp, &problem);
        assert_eq!(report.status, Status::Converged, "lcp, case {case}: {report:?}");
        assert!(matches!(report.notes[..], [Note::Approximated(3, _)]), "{:?}", report.notes);
        worst_facets = worst_facets.max(apart(&u, &expected));
    }
    eprintln!("{slid} slid; 64 facets lead up to {worst_facets:e} m/s astray");
    assert!(slid > 30, "{slid} slid: the rest compares zeros");
    assert!((1e-5..1e-2).contains(&worst_facets), "64 facets: {worst_facets:e}");
}

/// Boxes on each other, tables with many legs, corners and slabs between walls.
#[test]
fn redundant_problems_are_solved() {
    for (name, least) in [("lcp", CASES), ("ncp", 98), ("pivoting", CASES)] {
        let mut solver = solver_named(name).unwrap();
        let solved = |case: &usize| {
            let problem = redundant(*case);
            solve(solver.as_mut(), &problem).0.status == Status::Converged
        };
        let count = (0..CASES).filter(solved).count();
        assert!(count >= least, "{name}: {count} of {CASES}");
    }
}

/// As printed, Eqs. 18 and 19 are one equation short for each contact and flat at solutions: fewer problems are
/// solved, with more steps.
#[test]
fn the_equations_as_printed_do_worse_than_divided() {
    let (mut printed, mut divided) = ((0, 0), (0, 0));
    for case in 0..20 {
        let problem = redundant(case);
        for (form, count) in [(NcpForm::Printed, &mut printed), (NcpForm::Divided, &mut divided)] {
            let (report, ..) = solve(&mut NcpSolver::new(form), &problem);
            count.0 += usize::from(report.status == Status::Converged);
            count.1 += report.iterations;
        }
    }
    assert!(printed.0 < divided.0 && printed.1 > 5 * divided.1, "{printed:?} and {divided:?}");
}

/// Error of the velocity of a sliding body with polygons of K corners in the place of its disc, over many directions.
fn facet_error(directions: usize) -> f64 {
    let disk = Disk::new(0.5).unwrap();
    let mut lcp = LcpSolver::default();
    lcp.directions = directions;
    let mut sum = 0.0;
    let cases = 40;
    for k in 0..cases {
        let push = DVec2::from_angle(0.157 * f64::from(k)) * 0.1;
        let problem = legs(FOUR, push.extend(-0.0981), 0.0, &disk.into());
        let (report, _, u) = solve(&mut lcp, &problem);
        assert_eq!(report.status, Status::Converged, "{directions}: {report:?}");
        let expected = push + disk.traction(push, 0.0981);
        sum += (DVec2::new(u[1], u[2]) - expected).length_squared();
    }
    (sum / f64::from(cases)).sqrt()
}

/// A sliding body is held by a corner of the polygon, up to π/K off the direction that it should be held in: the error of
/// the velocity falls as 1/K. The friction itself is short by 1/K² only.
#[test]
fn twice_the_facets_are_half_the_error() {
    let errors: Vec<f64> = [8, 16, 32, 64].iter().map(|k| facet_error(*k)).collect();
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((0.8..1.2).contains(&order), "{errors:?}");
    }
}

/// What is pushed at the middle of a facet: it holds up to cos(π/K) of the coefficient.
#[test]
fn what_facets_hold_falls_short_by_the_square_of_their_number() {
    let weight = 0.0981;
    for directions in [4, 8, 16, 32] {
        let mut lcp = LcpSolver::default();
        lcp.directions = directions;
        let half = std::f64::consts::PI / directions as f64;
        for (share, holds) in [(0.999, true), (1.001, false)] {
            let push = DVec2::from_angle(half) * (0.5 * weight * half.cos() * share);
            let set: Set = Disk::new(0.5).unwrap().into();
            let problem = legs(FOUR, push.extend(-weight), 0.0, &set);
            let (report, _, u) = solve(&mut lcp, &problem);
            assert_eq!(report.status, Status::Converged, "{report:?}");
            let speed = u[1].hypot(u[2]);
            assert_eq!(speed < 1e-9, holds, "{directions} directions, {share}: {speed:e}");
        }
    }
}

#[test]
fn more_contacts_than_pivots_can_do_are_refused_by_name() {
    let set: Set = Disk::new(0.5).unwrap().into();
    let problem = legs(FOUR, DVec3::ZERO, 0.0, &set);
    let mut lcp = LcpSolver::default();
    assert!(lcp.set_directions(499) && !ProxSolver::default().set_directions(499));
    let refusal = lcp.refuses(&problem).unwrap().to_string();
    assert!(refusal.contains("2,000 unknowns"), "{refusal}");
    lcp.set_directions(498);
    assert!(lcp.refuses(&problem).is_none());
    let mut pivoting = PivotingSolver::default();
    pivoting.most_rows = 11;
    assert!(pivoting.refuses(&problem).unwrap().to_string().contains("so many rows"));
}
