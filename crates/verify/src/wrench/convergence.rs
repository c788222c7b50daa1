//! How many sweeps wrench contacts need, beside points.

use asperity::solve::ContactProblem;
use asperity::world::World;
use asperity_scene::{self as scene, NoAssets};

use super::counts::{MOST, SAME, blocks, by_rows, extrapolated, over, row_by_row};
use super::points;
use crate::Check;
use crate::VerifyError;
use crate::setup::built;

/// A world from a text.
pub fn world(text: &str) -> Result<World, VerifyError> {
    Ok(built(scene::load(text, "a scene made here", &NoAssets))?.world)
}

/// The block of Figs. 16 and 17: 2.83 kg, 0.2 m across its corners, 0.1 m high, steps of 10 ms. It
/// slides for two seconds.
pub fn octagonal(contact: &str) -> Result<World, VerifyError> {
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
         {{ name = "block", shape = {{ hull = [{}] }}, at = [0, 0.0499, 0], velocity = [6, 0, 2] }} ]
"#,
        corners.join(", ")
    ))
}

pub(crate) fn octagon() -> Result<Vec<Check>, VerifyError> {
    let mut found = Vec::new();
    // While it slides.
    for contact in ["wrench", "points"] {
        let mut world = octagonal(contact)?;
        let (mut most, mut rows, mut spread) = (0, 0, 0);
        for _ in 0..20 {
            for (problem, _) in world.next_problems() {
                rows = problem.rows();
                let count = |n: Option<usize>| n.unwrap_or(usize::MAX);
                if let Some(points) = points::spread(&problem) {
                    most = most.max(count(blocks(&problem, 1e-15, MOST)));
                    spread = spread.max(count(row_by_row(&points, 1e-15, MOST)));
                } else {
                    most = most.max(count(row_by_row(&problem, 1e-15, MOST)));
                }
            }
            world.step();
        }
        found.push((most, rows, spread));
    }
    let words = |n: usize| {
        if n == usize::MAX { format!("not in {MOST}") } else { n.to_string() }
    };
    let [(wrench, rows, spread), (points, point_rows, _)] = found[..] else {
        return Ok(Vec::new());
    };
    let more = |what: String, n: usize| Check {
        what,
        expected: "more".to_owned(),
        found: words(n),
        allowed: String::new(),
        holds: n > wrench,
    };
    Ok(vec![
        Check {
            what: format!("one wrench, {rows} rows, 2.83 kg, 10 ms (paper: 3)"),
            expected: "at most 3".to_owned(),
            found: words(wrench),
            allowed: String::new(),
            holds: wrench <= 3,
        },
        more("21 points of its patch, row by row (paper: 118)".to_owned(), spread),
        more(format!("our own points, {point_rows} rows, row by row"), points),
    ])
}

/// Ten blocks, each smaller than the one below and with `ratio` times its density.
pub fn tapered(contact: &str, ratio: f64) -> Result<World, VerifyError> {
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

/// A stack at rest.
pub fn rested(contact: &str, ratio: f64) -> Result<World, VerifyError> {
    let mut world = tapered(contact, ratio)?;
    // What sleeps has no problems to solve.
    world.settings.sleep = false;
    (0..50).for_each(|_| {
        world.step();
    });
    Ok(world)
}

/// Mass scales of the stack: density from block to block.
pub const SCALES: [(f64, &str); 3] = [(1.0, "even"), (1.4, "heavy above"), (0.7, "heavy below")];

pub(crate) fn stack(full: bool) -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    let steps = if full { 100 } else { 2 };
    for (ratio, what) in SCALES {
        let (mut wrench, mut points) = (rested("wrench", ratio)?, rested("points", ratio)?);
        let most = |world: &mut World, count: fn(&ContactProblem, f64) -> usize| {
            world.next_problems().iter().map(|(p, _)| count(p, SAME)).max().unwrap_or(0)
        };
        let ours = most(&mut wrench, extrapolated);
        let (same, rows) = (most(&mut points, extrapolated), most(&mut points, by_rows));
        checks.push(fewer(
            format!("{what}: extrapolated wrench : points row by row (paper: 42)"),
            rows as f64 / ours as f64,
            format!("{ours} : {rows}"),
            20.0,
        ));
        // The paper's own pair, neither extrapolated, and what else there is to compare: wrenches never take more.
        let plain = over(&mut wrench, steps, |p| blocks(p, SAME, MOST));
        let spread = over(&mut wrench, steps, |p| {
            points::spread(p).and_then(|p| row_by_row(&p, SAME, MOST))
        });
        let own = over(&mut points, steps, |p| row_by_row(p, SAME, MOST));
        for (how, times, counts) in [
            ("extrapolated both", same as f64 / ours as f64, format!("{ours} : {same}")),
            ("plain wrench : points row by row", own.mean / plain.mean, format!("{plain} : {own}")),
            (
                "plain wrench : 21 points of each patch row by row",
                spread.mean / plain.mean,
                format!("{plain} : {spread}"),
            ),
        ] {
            checks.push(fewer(format!("{what}: {how}"), times, counts, 1.0));
        }
    }
    Ok(checks)
}

/// How many times fewer sweeps; at least so many.
pub(crate) fn fewer(what: String, times: f64, counts: String, least: f64) -> Check {
    Check {
        what,
        expected: format!(">= {least}"),
        found: format!("{times:.1}"),
        allowed: counts,
        holds: times >= least,
    }
}

/// How far a cube that falls 10 mm near an edge slides, by its coefficient of friction.
fn near_edge(mu: f64) -> Result<f64, VerifyError> {
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

pub(crate) fn threshold() -> Result<Vec<Check>, VerifyError> {
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
