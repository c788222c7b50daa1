//! What each departure from the paper does to the salad, alone.

use asperity::World;
use asperity::friction::extent::{Algorithm, NormalRule, PatchShape, Rim, SpinRule, WrenchOptions};
use asperity::friction::extent::{Metric, Slip, Target};
use asperity::solve::{AutoSolver, ContactProblem, SolveOptions, Solver as _};
use asperity_verify::wrench::counts::{LIMIT, blocks};
use serde::Serialize;

use crate::error::CliError;

/// Contacts solved another way.
#[derive(Debug, Serialize)]
pub(super) struct Departure {
    what: &'static str,
    rows: usize,
    /// Plain sweeps to a relative change of 1e-6.
    plain: Count,
    /// Iterations as the engine solves, to a residual of 1e-9.
    solved: Count,
}

/// Of some steps.
#[derive(Debug, Serialize)]
struct Count {
    median: usize,
    missed: usize,
    steps: usize,
}

impl Count {
    fn of(counts: &[Option<usize>]) -> Count {
        let mut all: Vec<usize> = counts.iter().map(|n| n.unwrap_or(usize::MAX)).collect();
        all.sort_unstable();
        let median = all.get(all.len() / 2).copied().unwrap_or(0);
        let missed = counts.iter().filter(|n| n.is_none()).count();
        Count { median, missed, steps: counts.len() }
    }

    fn words(&self) -> String {
        let Count { median, missed, steps } = self;
        let median = if *median == usize::MAX { "-".to_owned() } else { median.to_string() };
        format!("{median} ({missed} of {steps} missed)")
    }
}

/// The paper's way: Algorithm 1 as printed, one contact for each pair, the gradient, the ellipse of the moments.
pub(super) fn paper() -> WrenchOptions {
    WrenchOptions {
        algorithm: Algorithm::Printed,
        normal: NormalRule::Gradient,
        spin: SpinRule::Corners,
        patch: PatchShape::Rectangle,
        slip: Slip::Projected,
        joined: true,
        ..WrenchOptions::default()
    }
}

/// A change of options.
type Change = fn(&mut WrenchOptions);

/// The paper's way, and from it one departure at a time.
const CHANGES: [(&str, Change); 11] = [
    ("the paper's way", |_| {}),
    ("lines added to Algorithm 1", |o| {
        (o.algorithm, o.slip) = (Algorithm::Completed, Slip::Projected);
    }),
    ("– and friction against the slip", |o| {
        (o.algorithm, o.slip) = (Algorithm::Completed, Slip::Opposed);
    }),
    ("spin torque that fades (uniform)", |o| o.spin = SpinRule::Uniform),
    ("no spin torque", |o| o.spin = SpinRule::None),
    ("spin torque at the rim (braked)", |o| {
        (o.algorithm, o.rim) = (Algorithm::Completed, Rim::Braked);
    }),
    ("boundary by mass", |o| o.metric = Metric::Mass),
    ("Signorini's law for the whole patch", |o| {
        (o.algorithm, o.metric) = (Algorithm::Completed, Metric::Signorini);
    }),
    ("patch as far as the overlap reaches", |o| o.patch = PatchShape::Reach),
    ("hull of the outline", |o| o.patch = PatchShape::Hull),
    ("a contact for each volume", |o| o.joined = false),
];

/// Counts over every tenth of 100 steps; in each all ways have the same bodies at the same places.
pub(super) fn departures(mut world: World) -> Result<Vec<Departure>, CliError> {
    let wrong = |e: asperity::world::WorldError| CliError::Input(e.to_string());
    let (metric, patch) = (Metric::Mass, PatchShape::Reach);
    let target = Target::Depth(2e-4);
    let scene = WrenchOptions { metric, patch, target, joined: true, ..WrenchOptions::default() };
    let mut ways: Vec<(&str, WrenchOptions)> = Vec::new();
    for (name, change) in CHANGES {
        let mut options = WrenchOptions { target, ..paper() };
        change(&mut options);
        ways.push((name, options));
    }
    ways.push(("all of the scene's", scene));
    let mut counts = vec![(0, Vec::new(), Vec::new()); ways.len()];
    for step in 0..100 {
        if step % 10 == 5 {
            for ((_, options), (rows, plain, solved)) in ways.iter().zip(&mut counts) {
                world.set_wrench(None, Some(*options)).map_err(wrong)?;
                let problems: Vec<ContactProblem> =
                    world.next_problems().into_iter().map(|(p, _)| p).collect();
                *rows = problems.iter().map(ContactProblem::rows).sum::<usize>().max(*rows);
                plain.push(most(&problems, |p| blocks(p, 1e-6, LIMIT)));
                solved.push(most(&problems, solve));
            }
            world.set_wrench(None, Some(scene)).map_err(wrong)?;
        }
        world.step();
    }
    let row = |((what, _), (rows, plain, solved)): (_, (usize, Vec<_>, Vec<_>))| Departure {
        what,
        rows,
        plain: Count::of(&plain),
        solved: Count::of(&solved),
    };
    Ok(ways.into_iter().zip(counts).map(row).collect())
}

/// Of several islands the slowest.
fn most(
    problems: &[ContactProblem],
    count: impl Fn(&ContactProblem) -> Option<usize>,
) -> Option<usize> {
    problems.iter().map(count).try_fold(0, |most: usize, n| n.map(|n| most.max(n)))
}

/// Iterations as the engine solves, from zero.
fn solve(problem: &ContactProblem) -> Option<usize> {
    let mut r = vec![0.0; problem.rows()];
    let options = SolveOptions { tolerance: 1e-9, max_iterations: 1000, time_limit: None };
    let mut solver = AutoSolver::default();
    solver.expect_series(false);
    let report = solver.solve(problem, &mut r, &options);
    (report.residual <= options.tolerance).then_some(report.iterations)
}

/// As a table.
pub(super) fn table(rows: &[Departure]) -> String {
    let mut text = format!(
        "\nsalad, every tenth of 100 steps: departures from the paper, each alone\n{:36} {:>6} {:>32} {:>32}\n",
        "", "rows", "plain sweeps to 1e-6", "solved to 1e-9"
    );
    for row in rows {
        let (plain, solved) = (row.plain.words(), row.solved.words());
        text += &format!("{:36} {:>6} {plain:>32} {solved:>32}\n", row.what, row.rows);
    }
    text
}
