//! Every solver runs the conformance suite.

mod common;

use asperity_solve::testing::{Outcome, check_reported, check_solver};
use asperity_solve::{
    Bodies, ContactProblem, Coupling, Operator, SOLVERS, SolveOptions, SparseMatrix, Status,
    solver_named,
};

fn check(name: &str) -> Outcome {
    let outcome = check_solver(|| solver_named(name).unwrap());
    eprintln!("{name}: {outcome:?}");
    outcome
}

#[test]
fn auto_conforms() {
    let outcome = check("auto");
    assert_eq!((outcome.refused, outcome.converged), (0, outcome.taken));
}

#[test]
fn prox_conforms() {
    let outcome = check("prox");
    assert_eq!((outcome.refused, outcome.converged), (0, outcome.taken));
}

#[test]
fn prox_local_conforms() {
    let outcome = check("prox_local");
    assert_eq!(outcome.refused, 0);
}

#[test]
fn prox_global_conforms() {
    let outcome = check("prox_global");
    assert_eq!(outcome.refused, 0);
}

#[test]
fn prox_block_conforms() {
    let outcome = check("prox_block");
    assert_eq!(outcome.refused, 0);
}

#[test]
fn pgs_conforms() {
    check("pgs");
}

#[test]
fn newton_conforms() {
    let outcome = check("newton");
    assert_eq!(outcome.converged, outcome.taken);
}

#[test]
fn dense_conforms() {
    let outcome = check("dense");
    assert_eq!(outcome.converged, outcome.taken);
}

#[test]
fn lcp_conforms() {
    let outcome = check("lcp");
    assert_eq!(outcome.converged, outcome.taken);
}

#[test]
fn pivoting_conforms() {
    let outcome = check("pivoting");
    assert_eq!(outcome.converged, outcome.taken);
}

#[test]
fn ncp_conforms() {
    let outcome = check("ncp");
    assert_eq!(outcome.converged, outcome.taken);
}

#[test]
fn ncp_printed_conforms() {
    check("ncp_printed");
}

#[test]
fn resting_conforms() {
    check("resting");
}

#[test]
fn admm_conforms() {
    let outcome = check("admm");
    assert_eq!(outcome.converged, outcome.taken);
}

#[test]
fn split_conforms() {
    check("split");
}

#[test]
fn names_are_unique_and_those_of_the_solvers() {
    for (k, entry) in SOLVERS.iter().enumerate() {
        assert_eq!((entry.make)().name(), entry.name);
        assert!(SOLVERS[..k].iter().all(|other| other.name != entry.name));
    }
    assert!(solver_named("none").is_none());
}

/// How many of a collection are within each tolerance.
fn reached(name: &str, kind: &str, tolerance: f64, most: usize) -> Option<(usize, usize)> {
    let problems = common::contact_problems(kind)?;
    let options = SolveOptions { tolerance, max_iterations: most, time_limit: None };
    let mut within = 0;
    for (label, problem) in &problems {
        let solver = solver_named(name).unwrap();
        assert!(solver.refuses(problem).is_none());
        let report = check_reported(&format!("{name}: {kind}/{label}"), solver, problem, &options);
        within += usize::from(report.own_residual.unwrap_or(report.residual) <= tolerance);
    }
    eprintln!("{name}: {within} of {} in {kind} within {tolerance:e}", problems.len());
    Some((within, problems.len()))
}

fn all(name: &str, kind: &str, tolerance: f64) {
    if let Some((within, count)) = reached(name, kind, tolerance, 20_000) {
        assert_eq!(within, count, "{name}, {kind}");
    }
}

#[test]
fn data_prox_reaches_every_published_goal() {
    all("prox", "local3d", 1e-10);
    for kind in ["local2d", "global3d", "rolling"] {
        all("prox", kind, 1e-8);
    }
}

#[test]
fn data_auto_reaches_every_published_goal() {
    for kind in ["local3d", "local2d", "global3d", "rolling"] {
        all("auto", kind, 1e-10);
    }
}

#[test]
fn data_pgs_reaches_local2d() {
    if let Some((within, count)) = reached("pgs", "local2d", 1e-8, 50_000) {
        assert_eq!(within, count);
    }
}

/// "lcp" and "ncp" refuse the three largest; all refuse rolling.
#[test]
fn data_the_solvers_of_one_paper_solve_what_they_take() {
    let options = SolveOptions { tolerance: 1e-8, max_iterations: 20_000, time_limit: None };
    for kind in ["local3d", "local2d", "global3d"] {
        let Some(problems) = common::contact_problems(kind) else { return };
        for (name, refused) in [("lcp", 3), ("ncp", 3), ("pivoting", 0)] {
            let mut left = 0;
            for (label, problem) in &problems {
                let solver = solver_named(name).unwrap();
                if solver.refuses(problem).is_some() {
                    left += 1;
                    continue;
                }
                let label = format!("{name}: {kind}/{label}");
                let report = check_reported(&label, solver, problem, &options);
                assert_eq!(report.status, Status::Converged, "{label}: {report:?}");
            }
            assert!(left <= refused, "{name}, {kind}: {left} refused");
        }
    }
}

/// A dense matrix over so many rows would not fit into memory.
#[test]
fn sweeps_refuse_more_coupled_rows_than_a_dense_matrix_may_have() {
    for (rows, refused) in [(8001, true), (3, false)] {
        let one =
            |r: usize| SparseMatrix::from_triplets(r, 1, (0..r).map(|i| (i, 0, 1.0))).unwrap();
        let coupling = Coupling::new(0, one(1), one(rows), vec![1.0]).unwrap();
        let bodies = Bodies { row_start: vec![0; rows + 1], coupling, ..Bodies::default() };
        let problem = ContactProblem {
            name: "coupled".to_owned(),
            operator: Operator::Bodies(bodies),
            q: vec![-1.0; rows],
            compliance: Vec::new(),
            blocks: Vec::new(),
        };
        problem.validate().unwrap();
        for name in ["prox", "pgs"] {
            let mut solver = solver_named(name).unwrap();
            assert_eq!(solver.refuses(&problem).is_some(), refused, "{name}, {rows} rows");
            let mut r = vec![0.5; rows];
            let report = solver.solve(&problem, &mut r, &SolveOptions::default());
            assert_eq!(report.status == Status::Refused, refused, "{name}, {rows} rows");
            assert!(!refused || r.iter().all(|x| *x == 0.5), "what is refused is left alone");
        }
    }
}
