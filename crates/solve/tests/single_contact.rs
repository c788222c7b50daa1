//! A local solve is exact, for every set.

use asperity_friction::testing::Rng;
use asperity_solve::testing::problems;
use asperity_solve::{ProxSolver, SolveOptions, Solver, json, residual};

const CASES: usize = 10_000;

#[test]
fn every_random_contact_is_solved_to_rounding() {
    let options = SolveOptions { tolerance: 1e-12, max_iterations: 1, time_limit: None };
    for kind in problems::SETS {
        let mut rng = Rng::new(7);
        let mut solver = ProxSolver::default();
        let (mut solved, mut worst, mut moving) = (0, 0.0_f64, 0);
        // Limit surfaces are projected on by Newton's method: fewer of them in the same time.
        let cases = if kind == "limit surface" || kind == "rings" { CASES / 10 } else { CASES };
        for _ in 0..cases {
            let problem = problems::single_contact(problems::random_set(kind, &mut rng), &mut rng);
            let mut r = vec![0.0; problem.rows()];
            let value = solver.solve(&problem, &mut r, &options).residual;
            assert_eq!(value, residual(&problem, &r).value, "the report tells the truth");
            worst = worst.max(value);
            solved += usize::from(value <= 1e-12);
            moving += usize::from(r.iter().any(|x| *x != 0.0));
        }
        assert_eq!(solved, cases, "{kind}: worst residual {worst:e}");
        assert!(moving > cases / 4, "{kind}: only {moving} contacts carried load");
    }
}

#[test]
fn every_set_survives_its_own_file() {
    for kind in problems::SETS {
        let mut rng = Rng::new(8);
        for _ in 0..100 {
            let problem = problems::single_contact(problems::random_set(kind, &mut rng), &mut rng);
            let again = json::read(&json::write(&problem).unwrap()).unwrap();
            let (set, read) = (&problem.blocks[0].law.set, &again.blocks[0].law.set);
            assert_eq!((set.name(), set.dim()), (read.name(), read.dim()));
            for _ in 0..10 {
                let d = rng.unit_vector(set.dim());
                let (a, b) = (set.support(&d, 1.0), read.support(&d, 1.0));
                assert!((a - b).abs() <= 1e-13 * a, "{kind}: {a} {b}");
            }
        }
    }
}
