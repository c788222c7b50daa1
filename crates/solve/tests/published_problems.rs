//! Contact problems nobody here wrote.

mod common;

use asperity_solve::{
    ContactProblem, Form, PgsSolver, ProxSolver, SolveOptions, Solver, Status, json, residual,
};

fn reached(problem: &ContactProblem, tolerance: f64) -> f64 {
    let mut r = vec![0.0; problem.rows()];
    let options = SolveOptions { tolerance, max_iterations: 20_000, time_limit: None };
    let report = ProxSolver::default().solve(problem, &mut r, &options).clone();
    assert_eq!(report.residual, residual(problem, &r).value, "{}", problem.name);
    assert_eq!(report.residual <= tolerance, report.status == Status::Converged);
    report.residual
}

fn count(values: &[f64], tolerance: f64) -> usize {
    values.iter().filter(|v| **v <= tolerance).count()
}

#[test]
fn data_local3d_reaches_what_the_field_reaches_and_more() {
    let Some(problems) = common::contact_problems("local3d") else { return };
    let values: Vec<f64> = problems.iter().map(|(_, p)| reached(p, 1e-10)).collect();
    let n = problems.len();
    // A reference Gauss–Seidel leaves one of these 22 at 1.5e-5.
    assert_eq!(count(&values, 1e-4), n);
    assert_eq!(count(&values, 1e-8), n);
    assert_eq!(count(&values, 1e-10), n);
}

#[test]
fn data_local2d_and_global3d_reach_1e8() {
    for kind in ["local2d", "global3d"] {
        let Some(problems) = common::contact_problems(kind) else { return };
        for (name, problem) in problems {
            let value = reached(&problem, 1e-8);
            assert!(value <= 1e-8, "{kind}/{name}: {value:e}");
        }
    }
}

#[test]
fn data_rolling_reaches_1e8() {
    let Some(problems) = common::contact_problems("rolling") else { return };
    for (name, problem) in problems {
        assert_eq!(residual(&problem, &vec![0.0; problem.rows()]).form, Form::General);
        let value = reached(&problem, 1e-8);
        assert!(value <= 1e-8, "rolling/{name}: {value:e}");
    }
}

/// Row by row, friction in the plane is a box already: nothing is approximated.
#[test]
fn data_pgs_solves_local2d_natively() {
    let Some(problems) = common::contact_problems("local2d") else { return };
    for (name, problem) in problems {
        let mut r = vec![0.0; problem.rows()];
        let options = SolveOptions { tolerance: 1e-8, max_iterations: 50_000, time_limit: None };
        let report = PgsSolver::default().solve(&problem, &mut r, &options).clone();
        assert!(report.notes.is_empty() && report.own_residual.is_none(), "{name}");
        assert!(report.residual <= 1e-8, "{name}: {:e}", report.residual);
    }
}

#[test]
fn data_problems_survive_writing_and_reading() {
    for kind in ["local3d", "local2d", "global3d", "rolling"] {
        let Some(problems) = common::contact_problems(kind) else { return };
        for (name, problem) in problems {
            let again = json::read(&json::write_published(&problem).unwrap()).unwrap();
            assert_eq!(problem, again, "{kind}/{name} in its own format");
            let again = json::read(&json::write(&problem).unwrap()).unwrap();
            assert_eq!(problem, again, "{kind}/{name} in ours");
        }
    }
}
