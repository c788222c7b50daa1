//! Sweeps over a tower of 200 boxes, fifty times: what to count instructions on.

use asperity_friction::Law;
use asperity_friction::set::Disk;
use asperity_solve::testing::problems::tower;
use asperity_solve::{ProxSolver, SolveOptions, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let problem = tower(200, &Law::from(Disk::new(0.5)?), 0.001);
    let mut r = vec![0.0; problem.rows()];
    let mut solver = ProxSolver::default();
    let options = SolveOptions { tolerance: 1e-10, max_iterations: 40, time_limit: None };
    for _ in 0..50 {
        r.fill(0.0);
        solver.solve(&problem, &mut r, &options);
    }
    println!("{:e}", solver.solve(&problem, &mut r, &options).residual);
    Ok(())
}
