//! Properties of the solvers on problems made here.

mod written_out;

use asperity_friction::set::{BoxSet, Disk, Ellipse, Ellipsoid, LimitSurface, Rotation, Set};
use asperity_friction::testing::Rng;
use asperity_solve::testing::problems;
use asperity_solve::{
    Changed, ContactProblem, LocalSolve, NewtonSolver, Note, PgsSolver, ProxSolver, RFactor,
    Relinearise, SolveOptions, Solver, SparseMatrix, Status, Support, residual,
};
use glamx::DVec3;
use written_out::written_out;

const OPTIONS: SolveOptions =
    SolveOptions { tolerance: 1e-9, max_iterations: 50_000, time_limit: None };

fn tower(n: usize, set: &Set, push: f64) -> ContactProblem {
    problems::tower(n, &set.clone().into(), push)
}

fn disk(mu: f64) -> Set {
    Disk::new(mu).unwrap().into()
}

#[test]
fn bodies_and_explicit_matrix_are_the_same_problem() {
    let problem = tower(4, &disk(0.4), 0.002);
    let explicit = written_out(&problem);
    let mut r = vec![0.0; problem.rows()];
    assert_eq!(ProxSolver::default().solve(&problem, &mut r, &OPTIONS).status, Status::Converged);
    assert!(residual(&explicit, &r).value < 2.0 * OPTIONS.tolerance);
    let total: f64 = (0..4).map(|k| r[3 * k]).sum();
    assert!((total - 4.0 * 0.0981).abs() < 1e-7, "the ground carries four cubes: {total}");
}

/// Sweeps over many contacts, which divide bodies among cores, against those over W as a matrix, which do not.
#[test]
fn many_contacts_are_solved_as_few_are_and_alike_on_any_number_of_threads() {
    let problem = tower(70, &disk(0.4), 0.002);
    let options = SolveOptions { max_iterations: 300, ..OPTIONS };
    let solve = |problem: &ContactProblem, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut r = vec![0.0; problem.rows()];
        pool.install(|| ProxSolver::default().solve(problem, &mut r, &options).residual);
        r
    };
    let r = solve(&problem, 1);
    for threads in [2, 3] {
        let other = solve(&problem, threads);
        assert!(r.iter().zip(&other).all(|(a, b)| a.to_bits() == b.to_bits()), "{threads} threads");
    }
    let [divided, whole] =
        [&r, &solve(&written_out(&problem), 1)].map(|r| residual(&problem, r).value);
    assert!(divided < 2.0 * whole && whole < 1e-2, "{divided:e}, {whole:e} of the whole");

    // A solution stays one.
    let mut solution = vec![0.0; problem.rows()];
    let problem = tower(70, &disk(0.4), 0.0);
    let mut newton = NewtonSolver::default();
    let report = newton.solve(&problem, &mut solution, &OPTIONS);
    assert_eq!(report.status, Status::Converged, "{report:?}");
    let mut swept = solution.clone();
    let mut solver = ProxSolver::default();
    solver.in_series = true;
    solver.solve(&problem, &mut swept, &OPTIONS);
    assert_ne!(swept, solution, "nothing was swept");
    let [before, after] = [&solution, &swept].map(|r| {
        let mut u = vec![0.0; r.len()];
        problem.velocities(r, &mut u);
        u
    });
    let apart = before.iter().zip(&after).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(apart < 1e-7, "velocities differ by {apart:e} m/s");
}

#[test]
fn scalar_r_factors_reach_the_solution() {
    let mut rng = Rng::new(3);
    for (strategy, kind) in [
        (RFactor::Local, "disk"),
        (RFactor::Global, "disk"),
        (RFactor::Local, "tensor"),
        (RFactor::Local, "asymmetric tensor"),
    ] {
        let mut solver = ProxSolver::new(LocalSolve::Step(strategy));
        let mut solved = 0;
        for _ in 0..200 {
            let set = if kind == "disk" { disk(0.5) } else { problems::random_set(kind, &mut rng) };
            let problem = problems::single_contact(set, &mut rng);
            let mut r = vec![0.0; 3];
            solved += usize::from(solver.solve(&problem, &mut r, &OPTIONS).residual <= 1e-9);
        }
        // A global factor does not know the scale of W: where W is small, 5 is slow.
        let least = if strategy == RFactor::Local { 180 } else { 150 };
        assert!(solved >= least, "{strategy:?} solved {solved} of 200 with a {kind}");
    }
}

/// The block inverse measures distance in another metric than the cone does: contacts that hold
/// or separate come out right in one sweep, sliding ones do not, and the report says so.
#[test]
fn block_inverse_is_right_for_contacts_that_do_not_slide() {
    let mut rng = Rng::new(4);
    let mut solver = ProxSolver::new(LocalSolve::Step(RFactor::BlockInverse));
    let (mut held, mut slid_wrong) = (0, 0);
    for _ in 0..500 {
        let problem = problems::single_contact(disk(0.5), &mut rng);
        let (mut exact, mut r) = (vec![0.0; 3], vec![0.0; 3]);
        ProxSolver::default().solve(&problem, &mut exact, &OPTIONS);
        let mut u = vec![0.0; 3];
        problem.velocities(&exact, &mut u);
        let slides = exact[0] > 0.0 && u[1].hypot(u[2]) > 1e-6;
        let value = solver.solve(&problem, &mut r, &SolveOptions { max_iterations: 50, ..OPTIONS });
        if slides {
            slid_wrong += usize::from(value.residual > 1e-6);
        } else {
            assert!(value.residual <= 1e-9, "{:e}", value.residual);
            held += 1;
        }
    }
    assert!(held > 50 && slid_wrong > 50, "{held} held, {slid_wrong} slid");
}

/// With r = 5 the first sweeps diverge by far; only going back makes it converge.
#[test]
fn diverging_sweeps_are_rolled_back() {
    let w = SparseMatrix::from_triplets(3, 3, (0..3).map(|i| (i, i, 40.0))).unwrap();
    let problem = ContactProblem::explicit("stiff", w, vec![-1.0, 2.0, 0.5], vec![disk(0.3)]);
    let problem = problem.unwrap();
    let mut r = vec![0.0; 3];
    let report = ProxSolver::new(LocalSolve::Step(RFactor::Global))
        .solve(&problem, &mut r, &OPTIONS)
        .clone();
    assert_eq!(report.status, Status::Converged, "residual {:e}", report.residual);
    assert!((r[0] - 1.0 / 40.0).abs() < 1e-8);
}

#[test]
fn acceleration_changes_the_cost_and_not_the_answer() {
    let problem = tower(5, &disk(0.5), 0.02);
    let run = |accelerate: bool| {
        let mut solver = ProxSolver::default();
        solver.accelerate = accelerate;
        let mut r = vec![0.0; problem.rows()];
        let report = solver.solve(&problem, &mut r, &OPTIONS).clone();
        assert_eq!(report.status, Status::Converged, "{accelerate}: {:e}", report.residual);
        let mut u = vec![0.0; problem.rows()];
        problem.velocities(&r, &mut u);
        (report.iterations, u)
    };
    let ((plain, u_plain), (fast, u_fast)) = (run(false), run(true));
    assert!(2 * fast < plain, "{fast} sweeps against {plain}");
    let apart = u_plain.iter().zip(&u_fast).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(apart < 1e-6, "velocities differ by {apart:e}");
}

#[test]
fn a_solved_problem_warm_starts_without_a_sweep() {
    let problem = tower(6, &disk(0.5), 0.01);
    let mut solver = ProxSolver::default();
    let mut r = vec![0.0; problem.rows()];
    let cold = solver.solve(&problem, &mut r, &OPTIONS).iterations;
    let warm = solver.solve(&problem, &mut r, &OPTIONS).iterations;
    assert!(cold > 0 && warm == 0, "{cold} sweeps cold, {warm} warm");
}

#[test]
fn a_warm_start_that_is_not_finite_is_reported_and_survived() {
    let problem = tower(2, &disk(0.5), 0.01);
    let mut r = vec![f64::NAN; problem.rows()];
    let report = ProxSolver::default().solve(&problem, &mut r, &OPTIONS).clone();
    assert!(report.notes.contains(&Note::BadWarmStart(problem.rows())));
    assert_eq!(report.status, Status::Converged);
}

#[test]
fn solving_again_allocates_nothing() {
    let spin = Ellipsoid::new(Ellipse::new(0.2, 0.5, Rotation::from_angle(0.3)).unwrap(), 0.05);
    let rings = LimitSurface::from_rings(0.4, &[(0.01, 1.0), (0.03, 2.0)]).unwrap();
    for set in [disk(0.5), spin.unwrap().into(), rings.into()] {
        let problem = tower(5, &set, 0.05);
        let mut r = vec![0.0; problem.rows()];
        let (mut prox, mut pgs) = (ProxSolver::default(), PgsSolver::default());
        let options = SolveOptions { max_iterations: 300, ..OPTIONS };
        prox.solve(&problem, &mut r, &options);
        pgs.solve(&problem, &mut r, &options);
        for _ in 0..2 {
            r.fill(0.0);
            let prox = allocation_counter::measure(|| {
                prox.solve(&problem, &mut r, &options);
            });
            r.fill(0.0);
            let pgs = allocation_counter::measure(|| {
                pgs.solve(&problem, &mut r, &options);
            });
            assert_eq!((prox.count_total, pgs.count_total), (0, 0), "{}", set.name());
        }
    }
}

#[test]
fn pgs_takes_boxes_as_they_are_and_says_what_it_replaces() {
    let square: Set = BoxSet::symmetric(0.5, Rotation::from_angle(0.7)).unwrap().into();
    assert_eq!(PgsSolver::default().supports(&square.clone().into()), Support::Native);
    let problem = tower(3, &square, 0.3);
    let mut r = vec![0.0; problem.rows()];
    let report = PgsSolver::default().solve(&problem, &mut r, &OPTIONS).clone();
    assert!(report.residual <= 1e-9 && report.notes.is_empty(), "{report:?}");
    // The exact solver agrees that this is a solution of the boxed problem.
    assert!(residual(&problem, &r).value <= 1e-9);

    let problem = tower(3, &disk(0.5), 0.3);
    let report = PgsSolver::default().solve(&problem, &mut r, &OPTIONS).clone();
    assert!(matches!(report.notes[..], [Note::Approximated(12, _)]));
    assert!(report.own_residual.unwrap() <= 1e-9, "its own problem is solved");
    assert!(report.residual > 1e-6, "but a square is not a disk: {:e}", report.residual);
}

#[test]
fn limits_are_kept() {
    let problem = tower(12, &disk(0.5), 0.05);
    let mut r = vec![0.0; problem.rows()];
    let few = SolveOptions { max_iterations: 3, ..OPTIONS };
    let report = ProxSolver::default().solve(&problem, &mut r, &few).clone();
    assert_eq!((report.status, report.iterations), (Status::IterationLimit, 3));
    assert_eq!(report.history.last().unwrap().0, 3);
    let no_time = SolveOptions { time_limit: Some(std::time::Duration::ZERO), ..OPTIONS };
    r.fill(0.0);
    let report = ProxSolver::default().solve(&problem, &mut r, &no_time).clone();
    assert_eq!(report.status, Status::TimeLimit);
}

/// A coefficient that falls with the slip reached inside the step.
struct Weakening;

impl Relinearise for Weakening {
    fn relinearise(&mut self, problem: &mut ContactProblem, _: &[f64], u: &[f64]) -> Changed {
        for block in &mut problem.blocks {
            let slip = u[block.rows.start].hypot(u[block.rows.start + 1]);
            block.law.set = disk(weakened(slip));
        }
        Changed::Sets
    }
}

fn weakened(slip: f64) -> f64 {
    0.2 + 0.3 * (-slip).exp()
}

#[test]
fn cones_can_follow_the_state_inside_a_solve() {
    let w = SparseMatrix::from_triplets(3, 3, (0..3).map(|i| (i, i, 1.0))).unwrap();
    let mut problem =
        ContactProblem::explicit("weakening", w, vec![-1.0, 2.0, 0.0], vec![disk(0.5)]).unwrap();
    let mut r = vec![0.0; 3];
    let options = SolveOptions { tolerance: 1e-12, ..OPTIONS };
    let report = ProxSolver::default()
        .solve_relinearised(&mut problem, &mut Weakening, 1, &mut r, &options)
        .clone();
    assert_eq!(report.status, Status::Converged);
    // slip = 2 − μ(slip), solved by hand iteration.
    let mut slip = 2.0;
    for _ in 0..100 {
        slip = 2.0 - weakened(slip);
    }
    assert!((2.0 + r[1] - slip).abs() < 1e-11, "slips {} instead of {slip}", 2.0 + r[1]);
}

/// One block for a whole manifold: its load is the sum of four normal rows.
#[test]
fn a_block_can_be_loaded_by_several_normals() {
    let problem = problems::patch(&disk(0.5).into(), DVec3::X);
    let mut r = vec![0.0; 6];
    let report = ProxSolver::default().solve(&problem, &mut r, &OPTIONS).clone();
    assert_eq!(report.status, Status::Converged, "{:e}", report.residual);
    let load: f64 = r[..4].iter().sum();
    assert!((load - 0.0981).abs() < 1e-8, "carries its weight: {load}");
    assert!((r[4] + 0.5 * load).abs() < 1e-9, "slides with full friction: {}", r[4]);
}

/// A row with compliance is a damper: r = −q/(W + C).
#[test]
fn compliance_gives_way() {
    let w = SparseMatrix::from_triplets(3, 3, (0..3).map(|i| (i, i, 1.0))).unwrap();
    let mut problem =
        ContactProblem::explicit("soft", w, vec![-1.0, 0.0, 0.0], vec![disk(0.5)]).unwrap();
    problem.compliance = vec![3.0, 0.0, 0.0];
    problem.validate().unwrap();
    let mut r = vec![0.0; 3];
    assert!(ProxSolver::default().solve(&problem, &mut r, &OPTIONS).residual <= 1e-9);
    assert!((r[0] - 0.25).abs() < 1e-9, "prox: {}", r[0]);
    r.fill(0.0);
    assert!(PgsSolver::default().solve(&problem, &mut r, &OPTIONS).residual <= 1e-9);
    assert!((r[0] - 0.25).abs() < 1e-9, "pgs: {}", r[0]);
}
