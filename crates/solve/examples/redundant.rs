//! Problems of bodies held more than once, each from several starts: residuals and times by solver.
//! Names of solvers and a number of problems may be given; `auto` and a hundred without.

use std::time::Instant;

use asperity_solve::testing::redundant::{CASES, STARTS, redundant, start};
use asperity_solve::{SolveOptions, residual, solver_named};

fn main() {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let count = names.iter().find_map(|word| word.parse().ok()).unwrap_or(CASES);
    names.retain(|word| word.parse::<usize>().is_err());
    if names.is_empty() {
        names.push("auto".to_owned());
    }
    let options = SolveOptions { tolerance: 1e-10, ..SolveOptions::default() };
    for name in &names {
        let Some(mut solver) = solver_named(name) else {
            eprintln!("there is no solver \"{name}\"");
            continue;
        };
        let (started, mut within, mut longest) = (Instant::now(), 0, 0.0_f64);
        for case in 0..count {
            let problem = redundant(case);
            for k in 0..STARTS {
                let mut r = start(&problem, case, k);
                let report = solver.solve(&problem, &mut r, &options).clone();
                let value = residual(&problem, &r).value;
                longest = longest.max(report.elapsed.as_secs_f64());
                if value <= options.tolerance {
                    within += 1;
                } else {
                    let (rows, after) = (problem.rows(), report.iterations);
                    println!("{name}: case {case}, start {k}, {rows} rows: {value:.1e}, {after}");
                }
            }
        }
        println!(
            "{name}: {within} of {} within {:.0e}; {:.2} s, the longest {:.1} ms",
            count * STARTS,
            options.tolerance,
            started.elapsed().as_secs_f64(),
            1e3 * longest
        );
    }
}
