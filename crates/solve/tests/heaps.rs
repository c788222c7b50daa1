//! Heaps: many point contacts with discs are swept in an order of memory of their own. What comes out is what sweeps
//! over the same contacts beside something else give, which go the general way.

use asperity_friction::random::Rng;
use asperity_friction::set::Disk;
use asperity_solve::{
    AutoSolver, ContactProblem, FrictionBlock, InverseMass, Lever, ProxSolver, Row, RowAssembler,
    SolveOptions, Solver, residual,
};
use glamx::{DMat3, DVec3};

/// Balls in a cube of so many along each side, on a floor, pressed against their neighbours. `beside` adds a row that
/// has nothing to do with them.
fn heap(side: usize, beside: bool) -> (ContactProblem, Vec<f64>) {
    let mut rng = Rng::new(5);
    let mut problem = ContactProblem::over_blocks("heap");
    let mut start = Vec::new();
    let count = side.pow(3);
    let mut rows = RowAssembler::new(&mut problem, &mut start);
    let body = InverseMass::Body { mass: 1.0, inertia: DMat3::from_diagonal(DVec3::splat(2.5)) };
    rows.clear((0..count + usize::from(beside)).map(|_| body));
    let number = |at: [usize; 3]| at[0] + side * (at[1] + side * at[2]);
    for k in 0..count {
        let at = [k % side, k / side % side, k / side / side];
        for (axis, way) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
            let below = at[axis].checked_sub(1).map(|x| {
                let mut other = at;
                other[axis] = x;
                number(other)
            });
            if below.is_none() && axis != 1 {
                continue;
            }
            let lean =
                DVec3::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0))
                    * 0.1;
            let normal = (way + lean).normalize();
            let (t, b) = normal.any_orthonormal_pair();
            let first = rows.rows();
            let free =
                DVec3::new(0.02 * rng.uniform(-1.0, 1.0), if at[1] == 0 { -0.1 } else { 0.0 }, 0.0);
            for (i, direction) in [normal, t, b].into_iter().enumerate() {
                let push = if i == 0 { -0.02 } else { 0.0 };
                let row = Row { q: direction.dot(free) + push, ..Row::default() };
                let on_b = Lever { block: k, weight: 1.0, arm: -0.5 * normal };
                let on_a = below.map(|block| Lever { block, weight: -1.0, arm: 0.5 * normal });
                let levers = on_a.into_iter().chain([on_b]);
                rows.push(levers.map(|lever| lever.along(direction)), row);
            }
            let disk = Disk::new(0.5).unwrap();
            rows.push_block(FrictionBlock::contact(first, first + 1..first + 3, disk));
        }
    }
    if beside {
        let lever = Lever { block: count, weight: 1.0, arm: DVec3::ZERO };
        rows.push([lever.along(DVec3::Y)], Row { q: 1.0, ..Row::default() });
    }
    (problem, start)
}

/// After so many sweeps.
fn swept(side: usize, beside: bool, sweeps: usize) -> (Vec<f64>, f64, f64) {
    let (problem, mut r) = heap(side, beside);
    let options = SolveOptions { tolerance: 1e-14, max_iterations: sweeps, time_limit: None };
    let reported = ProxSolver::default().solve(&problem, &mut r, &options).residual;
    (r.clone(), reported, residual(&problem, &r).value)
}

#[test]
fn heaps_are_swept_as_other_problems_are() {
    // Extrapolation makes more of what rounding leaves.
    for (side, sweeps, allowed) in [(7, 1, 1e-14), (5, 12, 1e-11), (6, 12, 1e-11), (5, 70, 1e-7)] {
        let (ours, _, _) = swept(side, false, sweeps);
        let (theirs, _, _) = swept(side, true, sweeps);
        let size = theirs.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        assert!(size > 0.0);
        let off = ours.iter().zip(&theirs).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(off <= allowed * size, "{side}: {off:e} of {size:e} after {sweeps} sweeps");
    }
}

#[test]
fn heaps_report_the_residual_of_what_they_give() {
    for (side, sweeps) in [(5, 2000), (6, 30), (8, 10)] {
        let (_, reported, found) = swept(side, false, sweeps);
        assert!((reported - found).abs() <= 1e-3 * found + 1e-15, "{reported:e}, {found:e}");
    }
}

#[test]
fn heaps_come_to_the_solution() {
    let (_, reported, _) = swept(5, false, 2000);
    assert!(reported < 1e-10, "{reported:e}");
}

/// A solve that goes on with what was prepared gives the bits of one that prepares all again.
#[test]
fn a_heap_that_is_resumed_has_the_same_bits() {
    let (problem, start) = heap(7, false);
    let options = |max_iterations| SolveOptions { max_iterations, ..SolveOptions::default() };
    let run = |resume: bool| {
        let (mut solver, mut r) = (AutoSolver::default(), start.clone());
        solver.expect_series(false);
        let first = solver.solve(&problem, &mut r, &options(10)).residual;
        let second = if resume {
            solver.resume(&problem, &mut r, &options(20))
        } else {
            solver.solve(&problem, &mut r, &options(20))
        };
        assert!(second.residual < first);
        r
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn heaps_have_the_same_bits_on_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| swept(10, false, 30).0)
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(3));
}
