//! How many sweeps wrench contacts need, beside points.

use asperity::world::World;
use asperity_scene::{self as scene, NoAssets};

use super::counts::{MOST, SAME, blocks, extrapolated, over, row_by_row};
use super::points;
use super::transcription::Stack;
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
    let times = |what: String, n: usize| {
        let counts = format!("{} : {}", words(wrench), words(n));
        fewer(what, n as f64 / wrench as f64, counts, 20.0)
    };
    Ok(vec![
        Check {
            what: format!("one wrench, {rows} rows, 2.83 kg, 10 ms (paper: 3)"),
            expected: "at most 3".to_owned(),
            found: words(wrench),
            allowed: String::new(),
            holds: wrench <= 3,
        },
        times("21 points of its patch, row by row (paper: 118 : 3)".to_owned(), spread),
        times(format!("our own points, {point_rows} rows, row by row"), points),
    ])
}

/// A stack of cubes.
#[derive(Debug, Clone, Copy)]
pub struct Cubes {
    /// In words.
    pub name: &'static str,
    /// How many.
    pub count: usize,
    /// Width of the lowest, metres.
    pub widest: f64,
    /// Width over that of the cube below.
    pub ratio: f64,
    /// By how much each is narrower than that, metres.
    pub less: f64,
    /// Whether they stand on a fixed cube; else on a half-space.
    pub on_cube: bool,
    /// How many times fewer sweeps wrenches must take, at least.
    pub least: f64,
}

/// The paper says neither how many cubes its nested stack (Figs. 8 and 15) has nor how they taper; Table 1 has 264
/// triangles, which are 22 boxes. Equal cubes, which it avoids, share their edges.
pub const STACKS: [Cubes; 6] = [
    Cubes { name: "ten equal cubes", least: 5.0, ..TEN },
    Cubes {
        name: "ten cubes of 0.60, 0.55 to 0.15 m",
        widest: 0.6,
        less: 0.05,
        least: 20.0,
        ..TEN
    },
    Cubes { name: "ten cubes, each 0.9 of the one below", ratio: 0.9, least: 20.0, ..TEN },
    Cubes { name: "ten cubes, each 0.95", ratio: 0.95, least: 20.0, ..TEN },
    Cubes { name: "21 cubes on a cube, each 0.9", ratio: 0.9, ..MANY },
    Cubes { name: "21 cubes on a cube, each 0.95", ratio: 0.95, ..MANY },
];

const TEN: Cubes =
    Cubes { name: "", count: 10, widest: 0.3, ratio: 1.0, less: 0.0, on_cube: false, least: 20.0 };
const MANY: Cubes = Cubes { count: 21, on_cube: true, ..TEN };

impl Cubes {
    /// Widths of the cubes, from below, metres.
    pub fn widths(&self) -> Vec<f64> {
        let narrower = |w: &f64| Some(w * self.ratio - self.less);
        std::iter::successors(Some(self.widest), narrower).take(self.count).collect()
    }
}

/// Its world.
pub fn cubes(contact: &str, stack: &Cubes) -> Result<World, VerifyError> {
    let (mut top, mut bodies) = (0.0, Vec::new());
    for (k, width) in stack.widths().into_iter().enumerate() {
        let y = top - OVERLAP + 0.5 * width;
        bodies.push(format!(
            r#"{{ name = "c{k}", shape = {{ box = [{width}, {width}, {width}] }}, at = [0, {y}, 0], density = 2000 }}"#
        ));
        top += width - OVERLAP;
    }
    let ground = if stack.on_cube {
        let width = stack.widest / stack.ratio;
        format!("{{ box = [{width}, {width}, {width}] }}, at = [0, {}, 0]", -0.5 * width)
    } else {
        "{ half_space = [0, 1, 0] }".to_owned()
    };
    world(&format!(
        r#"
version = 1
world = {{ dt = 0.01, contact = "{contact}" }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.5 }} }}
body = [ {{ name = "ground", kind = "fixed", shape = {ground} }}, {} ]
"#,
        bodies.join(", ")
    ))
}

/// A stack at rest.
pub fn rested(contact: &str, stack: &Cubes) -> Result<World, VerifyError> {
    let mut world = cubes(contact, stack)?;
    // What sleeps has no problems to solve.
    world.settings.sleep = false;
    (0..50).for_each(|_| {
        world.step();
    });
    Ok(world)
}

/// Like against like: plain sweeps of both to the same relative change, and both as the engine sweeps, extrapolated, to
/// the same residual. Both counts of plain sweeps are those of a transcription of the paper that shares nothing with
/// the engine; of equal cubes, which lean by some 1e-6 where their edges meet, with and without such a lean.
pub(crate) fn stack(full: bool) -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    let steps = if full { 100 } else { 2 };
    for of in &STACKS {
        let (mut wrench, mut points) = (rested("wrench", of)?, rested("points", of)?);
        let most = |world: &mut World| {
            world.next_problems().iter().map(|(p, _)| extrapolated(p, SAME)).max().unwrap_or(0)
        };
        let (ours, same) = (most(&mut wrench), most(&mut points));
        let plain = over(&mut wrench, steps, |p| blocks(p, SAME, MOST));
        let own = over(&mut points, steps, |p| row_by_row(p, SAME, MOST));
        for (how, times, counts, least) in [
            ("plain both (paper: 42)", own.mean / plain.mean, format!("{plain} : {own}"), of.least),
            ("extrapolated both", same as f64 / ours as f64, format!("{ours} : {same}"), 1.0),
        ] {
            checks.push(fewer(format!("{}: {how}", of.name), times, counts, least));
        }
        let apart = Stack::of(&of.widths());
        let (level, rows) = (apart.wrenches(0.0, SAME) as f64, apart.points(SAME) as f64);
        let what = |kind: &str| format!("{}: {kind}, by a transcription", of.name);
        if of.ratio < 1.0 || of.less > 0.0 {
            checks.push(Check::relative(&what("wrenches"), level, plain.mean, 0.02, "sweeps"));
        } else {
            let lean = apart.wrenches(1e-5, SAME) as f64;
            checks.push(Check {
                what: what("wrenches, level to leaning by 1e-5"),
                expected: format!("{level} to {lean}"),
                found: format!("{plain}"),
                allowed: String::new(),
                holds: (level..lean).contains(&plain.mean),
            });
        }
        checks.push(Check::relative(&what("points"), rows, own.mean, 0.15, "sweeps"));
    }
    Ok(checks)
}

/// Overlap that stacks begin with, metres.
const OVERLAP: f64 = 1e-4;

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
