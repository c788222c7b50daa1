//! What facets cost and what they are worth: the solver "lcp" with more and more directions (Erleben 2020, section 4.1).
//!
//! `cargo run --release -p asperity-solve --features testing --example facets`

use asperity_friction::set::{Ellipse, Rotation, Set};
use asperity_solve::testing::problems::tower;
use asperity_solve::{
    ContactProblem, LcpSolver, NewtonSolver, SolveOptions, SolveReport, Solver, Status,
    solver_named,
};

const OPTIONS: SolveOptions =
    SolveOptions { tolerance: 1e-9, max_iterations: 100_000, time_limit: None };

/// Solves from rest; the report, and the velocities.
fn solve(solver: &mut dyn Solver, problem: &ContactProblem) -> (SolveReport, Vec<f64>) {
    let (mut r, mut u) = (vec![0.0; problem.rows()], vec![0.0; problem.rows()]);
    let report = solver.solve(problem, &mut r, &OPTIONS).clone();
    problem.velocities(&r, &mut u);
    (report, u)
}

/// Cubes on each other that slide in a direction askew to their grain: at this angle to it, and so fast.
fn sliding(cubes: usize, angle: f64, push: f64) -> ContactProblem {
    let turned = Ellipse::new(0.2, 0.4, Rotation::from_angle(angle));
    let set = Set::from(turned.unwrap_or_else(|e| panic!("{e}")));
    tower(cubes, &set.into(), push)
}

fn main() {
    println!("two cubes that slide, over 20 directions; times and pivots are means");
    println!(
        "{:>10} {:>14} {:>12} {:>8} {:>9}",
        "directions", "velocity", "residual", "pivots", "ms"
    );
    for directions in [4, 8, 16, 32, 64, 128] {
        let mut lcp = LcpSolver::default();
        lcp.directions = directions;
        let (mut error, mut residual, mut pivots, mut time) = (0.0, 0.0_f64, 0, 0.0);
        for k in 0..CASES {
            let problem = sliding(2, 0.157 * f64::from(k), 0.1);
            let (_, expected) = solve(&mut NewtonSolver::default(), &problem);
            let (report, u) = solve(&mut lcp, &problem);
            let size = expected.iter().map(|x| x * x).sum::<f64>();
            error += u.iter().zip(&expected).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / size;
            residual = residual.max(report.residual);
            pivots += report.iterations;
            time += report.elapsed.as_secs_f64();
        }
        let cases = f64::from(CASES);
        println!(
            "{directions:>10} {:>14.2e} {residual:>12.1e} {:>8.0} {:>9.3}",
            (error / cases).sqrt(),
            pivots as f64 / cases,
            1e3 * time / cases,
        );
    }
    println!("\ntowers at rest and pushed; lcp with 16 directions");
    println!(
        "{:>9} {:>10} {:>12} {:>12} {:>8} {:>9}",
        "contacts", "solver", "status", "residual", "steps", "ms"
    );
    for (cubes, push) in [(5, 0.0), (5, 0.01), (25, 0.0), (25, 0.01)] {
        let problem = sliding(cubes, 0.7, push);
        for name in ["lcp", "ncp", "pivoting", "newton", "dense", "prox"] {
            let Some(mut solver) = solver_named(name) else { continue };
            let (report, _) = solve(solver.as_mut(), &problem);
            let status = if report.status == Status::Converged { "solved" } else { "not" };
            println!(
                "{:>9} {name:>10} {status:>12} {:>12.1e} {:>8} {:>9.3}",
                problem.normals(),
                report.residual,
                report.iterations,
                1e3 * report.elapsed.as_secs_f64(),
            );
        }
    }
}

/// Directions of the grain.
const CASES: u32 = 20;
