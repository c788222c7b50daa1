//! How many sweeps wrench contacts need, beside points.

use asperity::scene::{self, NoAssets};
use asperity::solve::{ContactProblem, PgsSolver, ProxSolver, SolveOptions};
use asperity::world::World;

use crate::error::CliError;
use crate::verify::Check;
use crate::verify::setup::built;

/// Sweeps from zero until one changes the impulses by no more than this part of their size.
pub(crate) fn cold(
    problem: &ContactProblem,
    tolerance: f64,
    tell: impl FnMut(f64),
) -> Option<usize> {
    let mut r = vec![0.0; problem.rows()];
    ProxSolver::default().sweep_until(problem, &mut r, tolerance, MOST, tell)
}

/// Sweeps at most.
pub(crate) const MOST: usize = 200_000;

/// A world from a text.
pub(crate) fn world(text: &str) -> Result<World, CliError> {
    Ok(built(scene::load(text, "a scene made here", &NoAssets))?.world)
}

/// The block of Figs. 16 and 17: 2.83 kg, 0.2 m across its corners, 0.1 m high, steps of 10 ms.
pub(crate) fn octagonal(contact: &str) -> Result<World, CliError> {
    let corner = |k: usize, y: f64| {
        let (sin, cos) = (std::f64::consts::FRAC_PI_4 * k as f64).sin_cos();
        format!("[{}, {y}, {}]", 0.1 * cos, 0.1 * sin)
    };
    let corners: Vec<String> = (0..8).flat_map(|k| [corner(k, -0.05), corner(k, 0.05)]).collect();
    world(&format!(
        r#"
version = 1
world = {{ dt = 0.01, contact = "{contact}" }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.3 }} }}
body = [ {{ name = "plane", kind = "fixed", shape = {{ half_space = [0, 1, 0] }} }},
         {{ name = "block", shape = {{ hull = [{}] }}, at = [0, 0.0499, 0], velocity = [1.5, 0, 0.5] }} ]
"#,
        corners.join(", ")
    ))
}

pub(super) fn octagon() -> Result<Vec<Check>, CliError> {
    let sweeps = |contact: &str| -> Result<(usize, usize), CliError> {
        let mut world = octagonal(contact)?;
        let (mut most, mut rows) = (0, 0);
        // While it slides.
        for _ in 0..20 {
            for (problem, _) in world.next_problems() {
                rows = problem.rows();
                most = most.max(cold(&problem, 1e-15, |_| {}).unwrap_or(usize::MAX));
            }
            world.step();
        }
        Ok((most, rows))
    };
    let (wrench, rows) = sweeps("wrench")?;
    let (points, point_rows) = sweeps("points")?;
    let words = |n: usize| {
        if n == usize::MAX { format!("not in {MOST}") } else { n.to_string() }
    };
    Ok(vec![
        Check {
            what: format!("one wrench, {rows} rows, 2.83 kg, 10 ms (paper: 3)"),
            expected: "at most 3".to_owned(),
            found: words(wrench),
            allowed: String::new(),
            holds: wrench <= 3,
        },
        Check {
            what: format!("our points, {point_rows} rows (paper: 118)"),
            expected: "more".to_owned(),
            found: words(points),
            allowed: String::new(),
            holds: points > wrench,
        },
    ])
}

/// Ten blocks, each smaller than the one below and with `ratio` times its density.
pub(crate) fn tapered(contact: &str, ratio: f64) -> Result<World, CliError> {
    let block = |k: i32| {
        let (width, density) = (0.6 - 0.05 * f64::from(k), 2000.0 * ratio.powi(k));
        let y = 0.05 + 0.1 * f64::from(k) - 1e-4 * f64::from(k + 1);
        format!(
            r#"{{ name = "b{k}", shape = {{ box = [{width}, 0.1, {width}] }}, at = [0, {y}, 0], density = {density} }}"#
        )
    };
    let blocks: Vec<String> = (0..10).map(block).collect();
    world(&format!(
        r#"
version = 1
world = {{ dt = 0.01, contact = "{contact}" }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.5 }} }}
body = [ {{ name = "ground", kind = "fixed", shape = {{ half_space = [0, 1, 0] }} }}, {} ]
"#,
        blocks.join(", ")
    ))
}

/// Mean and deviation of the plain sweeps from zero over some steps.
pub(crate) fn sweeps(world: &mut World, steps: usize, tolerance: f64) -> (f64, f64) {
    let mut counts = Vec::new();
    for _ in 0..steps {
        let most = world.next_problems().iter().fold(0, |most: usize, (problem, _)| {
            most.max(cold(problem, tolerance, |_| {}).unwrap_or(MOST))
        });
        counts.push(most as f64);
        world.step();
    }
    let n = counts.len() as f64;
    let mean = counts.iter().sum::<f64>() / n;
    let variance = counts.iter().map(|c| (c - mean) * (c - mean)).sum::<f64>() / n;
    (mean, variance.sqrt())
}

/// Residual, or relative change, at which sweeps are counted.
pub(crate) const SAME: f64 = 1e-12;

/// Sweeps from zero to a residual, as the engine makes them: exact local solves, extrapolated.
pub(crate) fn extrapolated(problem: &ContactProblem, tolerance: f64) -> usize {
    let mut r = vec![0.0; problem.rows()];
    let options = SolveOptions { tolerance, max_iterations: MOST, time_limit: None };
    ProxSolver::default().solve(problem, &mut r, &options).iterations
}

/// Sweeps from zero to a residual row by row, as the paper's point contacts were solved: projected
/// Gauss–Seidel.
pub(crate) fn by_rows(problem: &ContactProblem, tolerance: f64) -> usize {
    let mut r = vec![0.0; problem.rows()];
    let options = SolveOptions { tolerance, max_iterations: MOST, time_limit: None };
    PgsSolver::default().solve(problem, &mut r, &options).iterations
}

/// A stack at rest.
pub(crate) fn rested(contact: &str, ratio: f64) -> Result<World, CliError> {
    let mut world = tapered(contact, ratio)?;
    (0..50).for_each(|_| {
        world.step();
    });
    Ok(world)
}

/// Mass scales of the stack: density from block to block.
pub(crate) const SCALES: [(f64, &str); 3] =
    [(1.0, "even"), (1.4, "heavy above"), (0.7, "heavy below")];

pub(super) fn stack(full: bool) -> Result<Vec<Check>, CliError> {
    let mut checks = Vec::new();
    let steps = if full { 100 } else { 3 };
    for (ratio, what) in SCALES {
        let (mut wrench, mut points) = (rested("wrench", ratio)?, rested("points", ratio)?);
        let most = |world: &mut World, count: fn(&ContactProblem, f64) -> usize| {
            world.next_problems().iter().map(|(p, _)| count(p, SAME)).max().unwrap_or(0)
        };
        let ours = most(&mut wrench, extrapolated);
        let (same, rows) = (most(&mut points, extrapolated), most(&mut points, by_rows));
        let times = rows as f64 / ours as f64;
        checks.push(Check {
            what: format!("{what}: times fewer than points row by row (paper: 42)"),
            expected: ">= 20".to_owned(),
            found: format!("{times:.0}"),
            allowed: format!("{ours} : {rows}"),
            holds: times >= 20.0,
        });
        // Not judged: our own points are far better solved than the paper's.
        let (a, b) = (sweeps(&mut wrench, steps, SAME), sweeps(&mut points, steps, SAME));
        for (how, times, counts) in [
            ("points extrapolated too", same as f64 / ours as f64, format!("{ours} : {same}")),
            ("both plain", b.0 / a.0, format!("{:.0}+-{:.0} : {:.0}+-{:.0}", a.0, a.1, b.0, b.1)),
        ] {
            checks.push(Check {
                what: format!("{what}: {how}"),
                expected: "told".to_owned(),
                found: format!("{times:.1}"),
                allowed: counts,
                holds: true,
            });
        }
    }
    Ok(checks)
}

/// How far a cube that falls 10 mm near an edge slides, by its coefficient of friction.
fn near_edge(mu: f64) -> Result<f64, CliError> {
    let mut world = world(&format!(
        r#"
version = 1
world = {{ dt = 0.005, contact = "wrench" }}
pair.default = {{ section = {{ model = "coulomb", mu = {mu} }} }}
body = [ {{ name = "lower", kind = "fixed", shape = {{ box = [0.2, 0.2, 0.2] }}, at = [0, -0.1, 0] }},
         {{ name = "cube", shape = {{ box = [0.2, 0.2, 0.2] }}, at = [0.06, 0.11, 0] }} ]
"#
    ))?;
    for _ in 0..200 {
        world.step();
    }
    let body = &world.bodies()[1];
    let moves = body.linear_velocity.length() > 1e-4;
    Ok(if moves { f64::INFINITY } else { (body.pose.translation.x - 0.06).abs() })
}

pub(super) fn threshold() -> Result<Vec<Check>, CliError> {
    let (mut low, mut high) = (0.0, 0.2);
    for _ in 0..10 {
        let mu = 0.5 * (low + high);
        if near_edge(mu)? > 2e-3 { low = mu } else { high = mu }
    }
    Ok(vec![Check {
        what: "least coefficient with which a cube stays (paper: 0.031)".to_owned(),
        expected: "<= 0.031".to_owned(),
        found: format!("{high:.4}"),
        allowed: String::new(),
        holds: high <= 0.031,
    }])
}
