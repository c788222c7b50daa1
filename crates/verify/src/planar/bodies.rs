//! Blocks on bristles in a world, beside the equation of one bristle under the whole load.

use asperity::friction::memory::{Parameters, bristle};
use asperity_scene::{self as scene, NoAssets};

use crate::setup::built;
use crate::{Check, Group, VerifyError};

pub(crate) fn groups(groups: &mut Vec<Group>) {
    groups.push(("blocks on bristles: the paper's equation in a world", Box::new(blocks)));
}

/// A block of 1 kg on a floor.
#[derive(Clone, Copy)]
struct Block {
    p: Parameters,
    /// Force along x: constant, and amplitude and frequency of a swing on top of it; N and Hz.
    pull: [f64; 3],
    /// What swings in its load of 9.81 N, N, at the same frequency.
    press: f64,
    /// A spring's stiffness, N/m, and the speed of its far end, m/s.
    spring: [f64; 2],
    /// With which it begins, m/s.
    thrown: f64,
    seconds: f64,
    /// Step, s.
    dt: f64,
    /// Where its bristles are, as scenes write it.
    bristles: &'static str,
}

/// Time, place and speed.
type Row = [f64; 3];

impl Block {
    /// At rest without loads, for so long.
    fn still(p: Parameters, seconds: f64, dt: f64) -> Block {
        let (pull, spring, bristles) = ([0.0; 3], [0.0; 2], PATCH);
        Block { p, pull, press: 0.0, spring, thrown: 0.0, seconds, dt, bristles }
    }

    fn force(&self, t: f64, x: f64) -> f64 {
        let [mean, swing, hertz] = self.pull;
        let [stiffness, speed] = self.spring;
        mean + swing * (std::f64::consts::TAU * hertz * t).sin() + stiffness * (speed * t - x)
    }

    fn load(&self, t: f64) -> f64 {
        WEIGHT + self.press * (std::f64::consts::TAU * self.pull[2] * t).sin()
    }

    /// m ẍ = F − N(σ₀z + σ₁ż + σ₂v) with ż of Eq. 1 or Eq. 4, by the midpoint rule.
    fn integrated(&self) -> Vec<Row> {
        let rates = |t: f64, [x, v, z]: Row| {
            let rate = bristle::rate(&self.p, &[z], &[v]);
            let resistance = bristle::resistance(&self.p, &[z], &rate, &[v]);
            [v, self.force(t, x) - self.load(t) * resistance[0], rate[0]]
        };
        let every = (self.dt / FINE).round() as usize;
        let (mut rows, mut state) = (Vec::new(), [0.0, self.thrown, 0.0]);
        for k in 0..=(self.seconds / FINE).round() as usize {
            let t = k as f64 * FINE;
            if k % every == 0 {
                rows.push([t, state[0], state[1]]);
            }
            let first = rates(t, state);
            let half = std::array::from_fn(|i| state[i] + 0.5 * FINE * first[i]);
            let change = rates(t + 0.5 * FINE, half);
            state = std::array::from_fn(|i| state[i] + FINE * change[i]);
        }
        rows
    }

    /// The same in a world, as a plate so thin that friction does not tilt it.
    fn stepped(&self) -> Result<Vec<Row>, VerifyError> {
        let Block { p, pull: [mean, swing, hertz], press, spring: [stiffness, speed], .. } = *self;
        let memory = match p.plasticity {
            asperity::friction::memory::Plasticity::Always => "lugre",
            asperity::friction::memory::Plasticity::Above(_) => "elasto_plastic",
        };
        let (dt, thrown) = (self.dt, self.thrown);
        let Parameters { coulomb, stiction, stribeck_speed: slow, .. } = p;
        let [s0, s1, s2] = [p.stiffness, p.damping, p.viscosity];
        let bristles = self.bristles;
        let text = format!(
            r#"
version = 1
world = {{ dt = {dt}, solver = {{ tolerance = 1e-11 }} }}
material.any = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = {coulomb}, static_mu = {stiction}, stribeck_speed = {slow} }}, memory = {{ model = "{memory}", sigma0 = {s0}, sigma1 = {s1}, sigma2 = {s2}, {bristles} }} }}
body = [
  {{ name = "floor", kind = "fixed", shape = {{ box = [9, 0.1, 1] }}, at = [0, -0.05, 0], material = "any" }},
  {{ name = "block", shape = {{ box = [0.1, 0.0002, 0.1] }}, at = [0, 0.0001, 0], mass = 1, velocity = [{thrown}, 0, 0], material = "any" }} ]
drive = [
  {{ body = "block", force = [{mean}, 0, 0] }},
  {{ body = "block", force = [{swing}, -{press}, 0], scale = {{ sine = [0, 1, {hertz}] }} }},
  {{ body = "block", spring = {{ target = [[0, 0, 0.0001, 0], [100, {}, 0.0001, 0]], stiffness = {stiffness}, damping = 0 }} }} ]
"#,
            100.0 * speed
        );
        let mut world = built(scene::load(&text, "a scene made here", &NoAssets))?.world;
        let mut rows = vec![[0.0, 0.0, thrown]];
        for _ in 0..(self.seconds / dt).round() as usize {
            world.step();
            let block = &world.bodies()[1];
            rows.push([world.time(), block.pose.translation.x, block.linear_velocity.x]);
        }
        Ok(rows)
    }

    /// Both.
    fn both(&self) -> Result<[Vec<Row>; 2], VerifyError> {
        Ok([self.integrated(), self.stepped()?])
    }
}

const PATCH: &str = r#"bristles = "patch""#;
const REDUCED: &str = r#"bristles = "reduced", cells = 9"#;
const DISTRIBUTED: &str = r#"bristles = "distributed", cells = 9"#;

/// N.
const WEIGHT: f64 = 9.81;
/// Step of the integration, s.
const FINE: f64 = 2e-6;

fn blocks() -> Result<Vec<Check>, VerifyError> {
    let mut checks = drifts()?;
    checks.extend(slips()?);
    checks.extend(throws()?);
    Ok(checks)
}

/// Soft bristles, whose creep a step of 5 ms can show.
fn soft() -> Parameters {
    let p =
        Parameters { coulomb: 0.3, stiction: 0.5, stribeck_speed: 1e-2, ..Parameters::default() };
    Parameters { stiffness: 1e4, damping: 50.0, viscosity: 0.5, ..p }
}

/// How far a block goes in a cycle of its load, over the last four of eight.
fn drifts() -> Result<Vec<Check>, VerifyError> {
    let of = |p: Parameters, pull: [f64; 3], press: f64, dt: f64| Block {
        pull,
        press,
        ..Block::still(p, 8.0 / pull[2], dt)
    };
    let paper = Parameters::default();
    let cases = [
        ("the paper's bristles under 1 N +- 0.4 N", of(paper, [1.0, 0.4, 2.0], 0.0, 2e-3)),
        ("the paper's bristles under 9.81 N +- 1 N of load", of(paper, [1.0, 0.0, 2.0], 1.0, 2e-3)),
        ("soft bristles under 1 N +- 0.5 N", of(soft(), [1.0, 0.5, 1.0], 0.0, 5e-3)),
        ("soft bristles under 0.5 N +- 2 N", of(soft(), [0.5, 2.0, 1.0], 0.0, 5e-3)),
    ];
    let mut checks = Vec::new();
    for (what, block) in cases {
        let drift = |rows: &[Row]| {
            let at = |part: usize| rows[(rows.len() - 1) * part / 8][1];
            (at(8) - at(4)) / 4.0 * 1e6
        };
        let exact = drift(&block.integrated());
        for bristles in [PATCH, REDUCED, DISTRIBUTED] {
            let found = drift(&Block { bristles, ..block }.stepped()?);
            let what = format!("drift a cycle, {what}, {bristles}");
            checks.push(Check::relative(&what, exact, found, 1e-2, "um"));
        }
        let what = format!("drift a cycle, {what}");
        let held = Block { p: block.p.elasto_plastic(0.9), ..block }.stepped()?;
        let at = |part: usize| held[(held.len() - 1) * part / 8][1];
        let what = format!("control: elasto-plastic, {what}");
        checks.push(Check::below(&what, 1e-2 * exact, (at(8) - at(4)) / 4.0 * 1e6, "um"));
    }
    Ok(checks)
}

/// Stick–slip with the numbers of Canudas de Wit et al. (1995).
fn slips() -> Result<Vec<Check>, VerifyError> {
    let p = Parameters {
        coulomb: 1.0 / WEIGHT,
        stiction: 1.5 / WEIGHT,
        stribeck_speed: 1e-3,
        stiffness: 1e5 / WEIGHT,
        damping: 1e5_f64.sqrt() / WEIGHT,
        viscosity: 0.4 / WEIGHT,
        ..Parameters::default()
    };
    let block = Block { spring: [2.0, 0.1], ..Block::still(p, 22.0, 5e-4) };
    let seen = |rows: &[Row]| {
        // When it passes 0.1 m/s upwards; half-way to the most that bristles bend by is long before that.
        let begins = rows
            .windows(2)
            .filter(|w| w[0][2] < 0.1 && w[1][2] >= 0.1)
            .map(|w| w[0][0] + (0.1 - w[0][2]) / (w[1][2] - w[0][2]) * (w[1][0] - w[0][0]));
        let begins: Vec<f64> = begins.collect();
        let period =
            begins.windows(2).map(|w| w[1] - w[0]).sum::<f64>() / (begins.len() - 1) as f64;
        let first = rows.windows(2).find(|w| w[1][2] > 1e-3).map_or(f64::NAN, |w| {
            let part = (1e-3 - w[0][2]) / (w[1][2] - w[0][2]);
            (w[0][1] + part * (w[1][1] - w[0][1])) * 1e6
        });
        [period, first, rows.iter().map(|row| row[2]).fold(0.0, f64::max)]
    };
    let exact = seen(&block.integrated());
    let (names, units) = (["period", "gives before it slips", "largest speed"], ["s", "um", "m/s"]);
    let mut checks = Vec::new();
    for bristles in [PATCH, REDUCED, DISTRIBUTED] {
        let found = seen(&Block { bristles, ..block }.stepped()?);
        checks.extend((0..3).map(|k| {
            let what = format!("stick-slip: {}, {bristles}", names[k]);
            Check::relative(&what, exact[k], found[k], 0.01, units[k])
        }));
    }
    Ok(checks)
}

/// Blocks that are thrown with unbent bristles: what bends them resists with σ₁, too.
fn throws() -> Result<Vec<Check>, VerifyError> {
    let flat = Parameters { stiction: 0.3, viscosity: 0.0, ..soft() };
    let mut checks = Vec::new();
    for (name, p) in [("LuGre", flat), ("elasto-plastic", flat.elasto_plastic(0.9))] {
        for speed in [0.3, 1.0] {
            let block = Block { thrown: speed, ..Block::still(p, 0.5, 1e-3) };
            let [exact, found] = block.both()?.map(|rows| rows[rows.len() - 1][1] * 1e3);
            let what = format!("{name}, thrown with {speed} m/s: goes");
            checks.push(Check::relative(&what, exact, found, 1e-2, "mm"));
        }
    }
    Ok(checks)
}
