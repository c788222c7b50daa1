//! Sweeps of the salad (Bouchard 2015, Table 2), each step's contacts by wrench and at points.

use std::path::Path;

use asperity::friction::extent::{Extent, SpinRule, WrenchOptions};
use asperity::solve::ContactProblem;
use asperity::world::World;

use super::convergence::fewer;
use super::counts::{LIMIT, Tally, blocks, extrapolated, row_by_row};
use super::points;
use crate::host::{self, at};
use crate::{Check, Host, VerifyError};

/// Over the 100 steps in which it falls and comes to rest, all of them in full. (The paper does not say
/// which its 100 steps are; its deviations, 40±23 and 1796±3512, are of bodies that move.) In every step
/// both kinds of contact are of the same bodies at the same places, and are solved from zero.
///
/// Medians are compared, since few steps that hardly converge make most of a mean: whether one of ten is among them
/// is chance. The paper's pair, plain sweeps of both, and wrenches as the engine solves them must be twenty times
/// faster. With
/// the paper's own spin law some steps have no solution. At rest it is one step, of a heap that any last digit lays
/// down otherwise, in which either may hardly converge: that is told and not judged.
pub(crate) fn salad(host: &dyn Host, scenes: &Path, full: bool) -> Result<Vec<Check>, VerifyError> {
    let every = if full { 1 } else { 10 };
    let falls: Vec<usize> = (0..STEPS).filter(|step| step % every == every / 2).collect();
    let found = steps(host, scenes, None, &falls)?;
    let mut checks = compared("", &found, [20.0; 2]);
    let paper = steps(host, scenes, Some(SpinRule::Corners), &falls)?;
    checks.extend(compared("the paper's spin law, ", &paper, [1.0; 2]));
    let rest = compared("at rest, ", &steps(host, scenes, None, &[REST])?, [1.0; 2]);
    checks.extend(rest.into_iter().map(|check| Check::told(&check.what, check.found)));
    Ok(checks)
}

/// The contacts of one step, island by island.
struct Step {
    wrenches: Vec<ContactProblem>,
    points: Vec<ContactProblem>,
}

/// What touches in some steps of the salad, with the scene's own spin law or another.
fn steps(
    host: &dyn Host,
    scenes: &Path,
    spin: Option<SpinRule>,
    wanted: &[usize],
) -> Result<Vec<Step>, VerifyError> {
    let path = scenes.join("salad.toml");
    let mut world = host::scene(host, &path)?.world;
    let Ok(Extent::Wrench(mut options)) = world.pairing().pair(0, 0).map(|pair| pair.extent) else {
        return Err(at(&path, "expected contact = \"wrench\" in [world]"));
    };
    options.spin = spin.unwrap_or(options.spin);
    let touch = |world: &mut World, options: Option<WrenchOptions>| {
        world.set_wrench(None, options).map_err(|e| VerifyError::new(e.to_string()))
    };
    touch(&mut world, Some(options))?;
    let mut found = Vec::new();
    for step in 0..=wanted.iter().copied().max().unwrap_or(0) {
        if wanted.contains(&step) {
            let problems = |world: &mut World| -> Vec<ContactProblem> {
                world.next_problems().into_iter().map(|(problem, _)| problem).collect()
            };
            let wrenches = problems(&mut world);
            touch(&mut world, None)?;
            let points = problems(&mut world);
            touch(&mut world, Some(options))?;
            if !wrenches.is_empty() && !points.is_empty() {
                found.push(Step { wrenches, points });
            }
        }
        world.step();
    }
    if found.is_empty() {
        return Err(at(&path, "nothing touches"));
    }
    Ok(found)
}

/// How many times fewer sweeps wrenches take: plain, and as the engine solves them, against points row by
/// row, by at least so much; and what else there is to compare.
fn compared(what: &str, steps: &[Step], least: [f64; 2]) -> Vec<Check> {
    // Of several islands the slowest counts.
    let most = |problems: &[ContactProblem], count: fn(&ContactProblem, f64) -> Option<usize>| {
        let counts: Option<Vec<usize>> = problems.iter().map(|p| count(p, TOLERANCE)).collect();
        counts.map(|counts| counts.into_iter().max().unwrap_or(0))
    };
    let tally = |of: fn(&Step) -> Vec<ContactProblem>, count: fn(&ContactProblem, f64) -> _| {
        Tally::of(&steps.iter().map(|step| most(&of(step), count)).collect::<Vec<_>>())
    };
    let wrenches = |step: &Step| step.wrenches.clone();
    let points = |step: &Step| step.points.clone();
    let spread = |step: &Step| step.wrenches.iter().filter_map(points::spread).collect();
    let plain = |p: &ContactProblem, tolerance: f64| blocks(p, tolerance, LIMIT);
    let rows = |p: &ContactProblem, tolerance: f64| row_by_row(p, tolerance, LIMIT);
    let faster = |p: &ContactProblem, tolerance: f64| Some(extrapolated(p, tolerance));
    let (by_block, by_row, ours) =
        (tally(wrenches, plain), tally(points, rows), tally(wrenches, faster));
    let pairs = [
        ("plain wrench : points row by row (paper: 45)", by_block, by_row, least[0]),
        ("extrapolated wrench : points row by row", ours, by_row, least[1]),
        ("plain wrench : 21 points in each patch", by_block, tally(spread, rows), 1.0),
        ("extrapolated both", ours, tally(points, faster), 1.0),
    ];
    let count = steps.len();
    let check = |(how, ours, theirs, least): (&str, Tally, Tally, f64)| {
        let times = theirs.median / ours.median;
        let counts = format!("{:.0} : {:.0} (mean {ours} : {theirs})", ours.median, theirs.median);
        fewer(format!("{what}{count} steps to {TOLERANCE:e}: {how}"), times, counts, least)
    };
    pairs.into_iter().map(check).collect()
}

/// To which change, as part of the impulses, or residual.
const TOLERANCE: f64 = 1e-6;
/// Steps until it rests, or nearly.
const STEPS: usize = 100;
/// A step at which it rests.
const REST: usize = 140;
