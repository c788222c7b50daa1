//! The conformance suite that every solver runs, in a few lines each.
//!
//! [`check_solver`] solves random problems of every kind and panics on the first property that
//! fails, with the problem's name. [`check_reported`] is the part of it for problems from elsewhere.
//!
//! ```
//! use asperity_solve::solver_named;
//! use asperity_solve::testing::check_solver;
//!
//! let outcome = check_solver(|| solver_named("prox").unwrap());
//! assert_eq!(outcome.converged, outcome.taken);
//! ```

pub mod problems;
pub mod redundant;

use asperity_friction::Law;
use asperity_friction::random::Rng;
use glamx::DVec3;

use crate::{
    ContactProblem, Note, Operator, SolveOptions, SolveReport, Solver, Status, Support, residual,
};
use problems::{
    SETS, joints, patch, random_set, single_contact, soft_chain, tower, with_constant,
    with_rheology, wrenches,
};

/// How many problems a solver took, refused and brought within [`TOLERANCE`] (its own, where it
/// replaces sets).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// Problems solved or tried.
    pub taken: usize,
    /// Problems refused.
    pub refused: usize,
    /// Problems within the tolerance.
    pub converged: usize,
}

/// Residual that is asked for.
pub const TOLERANCE: f64 = 1e-9;

/// Solves random problems and checks each time that
///
/// - what is refused is refused by name and leaves the impulses alone, and every law that is not
///   supported is refused;
/// - the residual reported is the residual of the impulses, and the status fits it;
/// - replaced sets are told, with a residual of their own;
/// - impulses are finite, whatever the warm start holds;
/// - a solution ends the next solve at once (where rows are coupled through soft bodies, in no more
///   iterations: splitting starts from more than impulses);
/// - two solvers give the same bits;
/// - nothing is allocated from the second solve on (but by splitting, which factors sparse
///   matrices).
pub fn check_solver(make: impl Fn() -> Box<dyn Solver>) -> Outcome {
    let mut outcome = Outcome::default();
    for (label, problem) in random_problems() {
        let solver = make();
        let label = format!("{}: {label}", solver.name());
        if solver.refuses(&problem).is_some() {
            check_refused(&label, solver, &problem);
            outcome.refused += 1;
            continue;
        }
        outcome.taken += 1;
        let report = check_reported(&label, make(), &problem, &OPTIONS);
        let own = report.own_residual.unwrap_or(report.residual);
        outcome.converged += usize::from(own <= TOLERANCE);
        if own > TOLERANCE {
            eprintln!("{label}: {own:e} after {} iterations", report.iterations);
        }
        check_again(&label, &make, &problem);
        check_bad_start(&label, make(), &problem);
    }
    outcome
}

/// Solves a problem that the solver takes, from rest; checks and returns the report.
pub fn check_reported(
    label: &str,
    mut solver: Box<dyn Solver>,
    problem: &ContactProblem,
    options: &SolveOptions,
) -> SolveReport {
    let mut r = vec![0.0; problem.rows()];
    let report = solver.solve(problem, &mut r, options).clone();
    assert_eq!(report.solver, solver.name(), "{label}");
    assert!(r.iter().all(|x| x.is_finite()), "{label}: {r:?}");
    let estimated = report.notes.iter().any(|note| matches!(note, Note::Estimated(_)));
    let (told, found) = (report.residual, residual(problem, &r));
    let close = (told - found.value).abs() <= 1e-6 * found.value + ROUNDING;
    assert!(close || estimated, "{label}: tells {told:e}, is {:e}", found.value);
    assert_eq!(report.form, found.form, "{label}");
    let approximates = |law: &Law| matches!(solver.supports(law), Support::Approximate(_));
    let replaced = problem.blocks.iter().any(|b| approximates(&b.law));
    assert_eq!(report.own_residual.is_some(), replaced, "{label}");
    let noted = report.notes.iter().any(|note| matches!(note, Note::Approximated(..)));
    assert_eq!(noted, replaced, "{label}: {:?}", report.notes);
    let own = report.own_residual.unwrap_or(told);
    let within = own <= options.tolerance;
    assert_eq!(within, report.status == Status::Converged, "{label}: {} at {own:e}", report.status);
    report
}

fn check_refused(label: &str, mut solver: Box<dyn Solver>, problem: &ContactProblem) {
    let mut r = vec![0.25; problem.rows()];
    let report = solver.solve(problem, &mut r, &OPTIONS).clone();
    assert!(r.iter().all(|x| *x == 0.25), "{label}: impulses were changed");
    assert_eq!(report.status, Status::Refused, "{label}");
    assert!(report.residual.is_infinite(), "{label}");
    let [Note::Refused(refusal)] = &report.notes[..] else { panic!("{label}: {:?}", report.notes) };
    assert_eq!(refusal.solver, solver.name(), "{label}");
    assert_eq!(Some(refusal), solver.refuses(problem).as_ref(), "{label}");
}

/// The same solver again, from rest and from the solution; and another one.
fn check_again(label: &str, make: &impl Fn() -> Box<dyn Solver>, problem: &ContactProblem) {
    let unsupported = |law: &Law| make().supports(law) == Support::Unsupported;
    assert!(!problem.blocks.iter().any(|b| unsupported(&b.law)), "{label}: should be refused");
    let soft = matches!(&problem.operator, Operator::Bodies(b) if !b.coupling.is_empty());
    let mut solver = make();
    let mut first = vec![0.0; problem.rows()];
    let report = solver.solve(problem, &mut first, &OPTIONS).clone();
    let mut again = vec![0.0; problem.rows()];
    make().solve(problem, &mut again, &OPTIONS);
    let same = first.iter().zip(&again).all(|(a, b)| a.to_bits() == b.to_bits());
    assert!(same, "{label}: two solvers, two results");
    if !(soft || solver.name() == "split") {
        again.fill(0.0);
        let info = allocation_counter::measure(|| {
            solver.solve(problem, &mut again, &OPTIONS);
        });
        assert_eq!(info.count_total, 0, "{label}: allocates");
    }
    if report.status == Status::Converged {
        let (told, cold) = (report.residual, report.iterations);
        let mut warm = first.clone();
        let report = solver.solve(problem, &mut warm, &OPTIONS);
        assert_eq!(report.status, Status::Converged, "{label}: from the solution");
        let most = if soft || report.solver == "split" { cold.max(1) } else { 0 };
        assert!(report.iterations <= most, "{label}: {} iterations warm", report.iterations);
        let same = (report.residual - told).abs() <= 1e-6 * told + ROUNDING;
        assert!(same || most > 0, "{label}: {:e} warm, {told:e} cold", report.residual);
    }
}

fn check_bad_start(label: &str, mut solver: Box<dyn Solver>, problem: &ContactProblem) {
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let mut r: Vec<f64> = (0..problem.rows()).map(|i| bad[i % 3]).collect();
    let report = solver.solve(problem, &mut r, &OPTIONS);
    assert!(r.iter().all(|x| x.is_finite()), "{label}: {r:?}");
    let noted = report.notes.contains(&Note::BadWarmStart(r.len()));
    assert!(noted && report.residual.is_finite(), "{label}: {report:?}");
}

/// Problems of every kind, with a label each; always the same.
fn random_problems() -> Vec<(String, ContactProblem)> {
    let mut rng = Rng::new(42);
    let rng = &mut rng;
    let mut list: Vec<(String, ContactProblem)> = Vec::new();
    let mut add = |label: String, problem: ContactProblem| list.push((label, problem));
    for kind in SETS {
        for case in 0..6 {
            let set = random_set(kind, rng);
            add(format!("single {kind} {case}"), single_contact(set, rng));
        }
    }
    for kind in ["disk", "ellipse", "box", "polygon", "tensor", "ellipsoid"] {
        let law = Law::from(random_set(kind, rng));
        for push in [0.0, 0.02] {
            add(format!("tower, {kind}, {push}"), tower(3, &law, push));
        }
    }
    for kind in ["disk", "polygon", "ellipsoid", "rings"] {
        let law = Law::from(random_set(kind, rng));
        let slip = DVec3::new(rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1), 0.2);
        add(format!("patch, {kind}"), patch(&law, slip));
    }
    for n in [1, 4] {
        add(format!("{n} joints"), joints(n, rng));
        add(format!("{n} wrenches"), wrenches(n, 0.02 * n as f64));
    }
    for kind in ["ellipse", "box", "ellipsoid"] {
        let law = with_rheology(random_set(kind, rng), 0.1, rng);
        add(format!("rheology, {kind}"), single_contact(law.clone(), rng));
        add(format!("patch with rheology, {kind}"), patch(&law, DVec3::new(0.05, 0.02, 0.1)));
        let law = with_constant(law.set, 0.02);
        add(format!("constant load, {kind}"), single_contact(law.clone(), rng));
        add(format!("tower, constant load, {kind}"), tower(2, &law, 0.05));
    }
    for set in ["disk", "ellipse", "box"].map(|kind| random_set(kind, rng)) {
        let label = format!("soft chain, {}", set.name());
        add(label, soft_chain(5, &Law::from(set), rng));
    }
    list
}

/// What sweeps may lose to rounding between two ways to compute velocities.
const ROUNDING: f64 = 0.01 * TOLERANCE;

const OPTIONS: SolveOptions =
    SolveOptions { tolerance: TOLERANCE, max_iterations: 3000, time_limit: None };
