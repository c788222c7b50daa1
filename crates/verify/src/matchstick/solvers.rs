//! One law, several solvers (Erleben et al. 2020, section 4): the same steps to the same velocities, and the same motion.

use std::path::Path;
use std::time::{Duration, Instant};

use asperity::glamx::DVec3;
use asperity::settings::Method;
use asperity::solve::{ContactProblem, SolveOptions, Solver, Status};

use super::authors::follow;
use super::{ARCHES, CYLINDERS, LANES, TABLE, TOWERS};
use crate::host;
use crate::{Check, Host, VerifyError};

/// Steps of four scenes by every solver, from zero impulses.
pub(super) fn steps(host: &dyn Host, scenes: &Path) -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    for (file, until, directions) in
        [(LANES, 1.0, 64), (CYLINDERS, 1.0, 64), (ARCHES, 0.6, 16), (TOWERS, 0.8, 16)]
    {
        let path = scenes.join(file);
        let text = host::text(host, &path)?;
        let name = host::stem(&path);
        let problems = solved(sampled(host, &path, &text, until)?)?;
        let planar = solved(sampled(host, &path, &without_drilling(&text), until)?)?;
        for solver in SOLVERS {
            // Polygons are those of the plane; torques about the normal are none.
            let problems = if solver == "lcp" { &planar } else { &problems };
            host.watch(&format!("{name} by {solver}"), 0.0);
            checks.push(by_solver(&name, solver, directions, problems)?);
        }
    }
    Ok(checks)
}

/// By which solvers: proximal steps with local r-factors (Eq. 14) and exact local solves (Algorithm 2), Newton's
/// method on implicit functions (section 4.2), pivoting with refined limit surfaces (4.3), facets (4.1).
const SOLVERS: [&str; 5] = ["prox_local", "prox", "ncp", "pivoting", "lcp"];

/// How far velocities may be apart, as a part of the fastest, with or without contacts. A polygon of K corners leads
/// sliding by up to a half of 2π/K aside.
fn allowed(solver: &str, directions: usize) -> f64 {
    match solver {
        "lcp" => std::f64::consts::PI / directions as f64,
        "prox_local" => 1e-3,
        _ => 1e-6,
    }
}

/// The part of all problems that must be solved, at least. Proximal steps end where their factors have shrunk to
/// nothing: in an arch most of them do before they are near.
fn least(solver: &str) -> f64 {
    if solver == "prox_local" { 0.25 } else { 2.0 / 3.0 }
}

/// Problems of islands of up to a hundred contacts, in every tenth step of a scene.
fn sampled(
    host: &dyn Host,
    path: &Path,
    text: &str,
    until: f64,
) -> Result<Vec<ContactProblem>, VerifyError> {
    let mut world = host::scene_of(host, path, text)?.world;
    world.settings.sleep = false;
    let mut problems = Vec::new();
    for step in 0..(until / world.settings.dt).round() as usize {
        if step % 10 == 5 {
            let found = world.next_problems().into_iter().map(|(problem, _)| problem);
            problems.extend(found.filter(|p| (1..=300).contains(&p.rows())));
        }
        world.step();
    }
    Ok(problems)
}

/// Scenes whose sections have no torque about the normal.
fn without_drilling(text: &str) -> String {
    let mut parts = text.split(", drilling = [");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += part.split_once(']').map_or(part, |(_, rest)| rest);
    }
    out
}

/// Problems with the velocities that the default solver finds with all the sweeps it needs; those that it solves.
fn solved(problems: Vec<ContactProblem>) -> Result<Vec<(ContactProblem, Vec<f64>)>, VerifyError> {
    let mut solver = method("auto")?.solver();
    let with = |problem: ContactProblem| {
        let u = velocities(solver.as_mut(), &problem)?;
        Some((problem, u))
    };
    Ok(problems.into_iter().filter_map(with).collect())
}

/// All problems by one solver against these: most must be solved, and all of those alike.
fn by_solver(
    scene: &str,
    name: &str,
    directions: usize,
    problems: &[(ContactProblem, Vec<f64>)],
) -> Result<Check, VerifyError> {
    let mut solver = method(name)?.solver();
    solver.set_directions(directions);
    let (mut worst, mut solved) = (0.0_f64, 0_usize);
    let mut spent = Duration::ZERO;
    for (problem, reference) in problems {
        let started = Instant::now();
        let found = velocities(solver.as_mut(), problem);
        spent += started.elapsed();
        let Some(found) = found else { continue };
        solved += 1;
        let fastest = reference.iter().chain(&problem.q).fold(0.0_f64, |m, u| m.max(u.abs()));
        let apart = reference.iter().zip(&found).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        worst = worst.max(apart / fastest);
    }
    let ms = 1e3 * spent.as_secs_f64() / problems.len().max(1) as f64;
    let count = problems.len();
    let mut check = Check::below(
        &format!("{scene} by {name}: {solved} of {count} solved, {ms:.2} ms each"),
        allowed(name, directions),
        worst,
        "of the fastest",
    );
    check.holds &= solved as f64 >= least(name) * count as f64 && count > 0;
    Ok(check)
}

/// Velocities of the solution, if there is one.
fn velocities(solver: &mut dyn Solver, problem: &ContactProblem) -> Option<Vec<f64>> {
    let options = SolveOptions { tolerance: 1e-10, max_iterations: 20_000, time_limit: None };
    let mut r = vec![0.0; problem.rows()];
    let report = solver.solve(problem, &mut r, &options);
    let near = report.residual < NEAR && report.status != Status::Refused;
    let own = report.status == Status::Converged;
    let mut u = vec![0.0; problem.rows()];
    problem.velocities(&r, &mut u);
    (own || near).then_some(u)
}

/// Residuals that count as solved: steps with r-factors are slow at the end.
const NEAR: f64 = 1e-6;

/// Directions of friction of lcp in whole scenes.
const DIRECTIONS: usize = 64;

/// Whole scenes by every solver: where boxes, cylinders and tables are in the end.
pub(super) fn motion(host: &dyn Host, scenes: &Path) -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    for file in [LANES, CYLINDERS, TABLE] {
        let path = scenes.join(file);
        let text = host::text(host, &path)?;
        let planar = without_drilling(&text);
        for solver in SOLVERS {
            let text = if solver == "lcp" { &planar } else { &text };
            let end = |solver: &str| -> Result<Vec<(String, DVec3)>, VerifyError> {
                let mut scene = host::scene_of(host, &path, text)?;
                scene.world.settings.method = method(solver)?;
                if solver == "lcp" {
                    scene.world.settings.directions = Some(DIRECTIONS);
                }
                let track = follow(&mut scene, 1.0);
                let last = |(name, path): (String, Vec<(f64, DVec3)>)| {
                    path.last().map(|(_, moved)| (name, *moved))
                };
                Ok(track.into_iter().filter_map(last).collect())
            };
            let (default, found) = (end("auto")?, end(solver)?);
            let off =
                default.iter().zip(&found).map(|(a, b)| a.1.distance(b.1) / a.1.length().max(0.1));
            let worst = off.fold(0.0, f64::max);
            let part = match solver {
                "lcp" => allowed(solver, DIRECTIONS),
                // With legs at their limit it stops earlier.
                "prox_local" if file == TABLE => 1e-4,
                _ => 1e-6,
            };
            let what = format!("{} by {solver}, 1 s", host::stem(&path));
            checks.push(Check::below(&what, part, worst, "of the way"));
        }
    }
    Ok(checks)
}

/// The hopper flows and jams by solvers that take so many contacts: pills out of a hundred after 0.8 s.
pub(super) fn hopper(host: &dyn Host, scenes: &Path) -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    for (file, expected) in [("hopper_flow.toml", "flows"), ("hopper_jam.toml", "jams")] {
        for solver in ["prox", "prox_local", "newton"] {
            let path = scenes.join(file);
            let mut world = host::scene(host, &path)?.world;
            world.settings.method = method(solver)?;
            while world.time() < 0.8 {
                world.step();
            }
            let pills = world.bodies().iter().filter(|b| b.name.starts_with("pill"));
            let out = pills.filter(|b| b.pose.translation.y < 0.44).count();
            let found = match out {
                0..=25 => "jams",
                40.. => "flows",
                _ => "neither",
            };
            let what = format!("{} by {solver}: {out} of 100 out", host::stem(&path));
            checks.push(Check::fact(&what, expected, found));
        }
    }
    Ok(checks)
}

fn method(name: &str) -> Result<Method, VerifyError> {
    Method::named(name).ok_or_else(|| VerifyError::new(format!("there is no solver \"{name}\"")))
}
