//! Runs: a scene from its start to its end, recorded and judged.
//!
//! ```
//! use asperity_scene::run::{Plan, Report, simulate};
//! use asperity_scene::{NoAssets, load};
//!
//! let text = r#"
//! version = 1
//! world = { duration = 0.1 }
//! pair.default = { section = { model = "coulomb", mu = 0.5 } }
//! body = [ { name = "ball", shape = { sphere = 0.1 } } ]
//! probe = [ { name = "height", of = "ball.position", component = "y" } ]
//! expect = [ { probe = "height", when = "final", between = [-0.06, -0.04] } ]
//! "#;
//! let mut scene = load(text, "fall.toml", &NoAssets)?;
//! let plan = Plan::new(&scene, None, 1)?;
//! let run = simulate(&mut scene, &plan, |_| {});
//! let report = Report::new("fall.toml", &scene, &plan, &run);
//! assert_eq!(report.missed(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod fault;
mod judgement;
mod report;

pub use fault::Fault;
pub(crate) use fault::{ALLOWABLE, length};
pub use judgement::Judgement;
pub use report::{Report, Stopped};

use asperity::World;
use thiserror::Error;

use crate::record::{Channel, Recorder, Recording, Summary};
use crate::{Expectation, Probe, Scene, Verdict, When};

/// How far to go and what to keep.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Number of steps.
    pub steps: u64,
    /// Record every so many.
    pub every: u64,
    /// Simulated seconds.
    pub duration: f64,
}

/// More steps than this are taken for a mistake.
const MOST_STEPS: f64 = 1e9;

/// A run of too many steps.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error(
    "{duration} s in steps of {dt} s would take {steps:e} steps; expected at most {MOST_STEPS:e}"
)]
pub struct TooManySteps {
    /// Seconds to simulate.
    pub duration: f64,
    /// Seconds of a step.
    pub dt: f64,
    /// How many steps that would be.
    pub steps: f64,
}

/// What came out of a run.
#[derive(Debug)]
pub struct Run {
    /// The recorded steps.
    pub recording: Recording,
    /// All steps in short.
    pub summary: Summary,
    /// One for each expectation of the scene.
    pub verdicts: Vec<Verdict>,
}

impl Plan {
    /// For the scene's own duration or another.
    pub fn new(scene: &Scene, duration: Option<f64>, every: u64) -> Result<Plan, TooManySteps> {
        let duration = duration.unwrap_or(scene.duration);
        // The last step may end after the duration, never before it but for rounding.
        let dt = scene.world.settings.dt;
        let steps = (duration / dt - 1e-9).ceil().max(1.0);
        if steps > MOST_STEPS {
            return Err(TooManySteps { duration, dt, steps });
        }
        Ok(Plan { steps: steps as u64, every, duration })
    }
}

/// Steps the scene's world and judges what its probes show. `watch` sees the world at the start
/// and after every step.
pub fn simulate(scene: &mut Scene, plan: &Plan, mut watch: impl FnMut(&World)) -> Run {
    let Scene { world, probes, .. } = scene;
    let mut recorder = Recorder::new(world, probes.iter().map(channel).collect(), plan.every);
    let mut samples = vec![Vec::new(); probes.len()];
    let mut values = Vec::new();
    for step in 0..=plan.steps {
        if step > 0 {
            world.step();
        }
        values.clear();
        values.extend(probes.iter().map(|probe| probe.value(world)));
        for (series, value) in samples.iter_mut().zip(&values) {
            series.push((world.time(), *value));
        }
        recorder.observe(world, &values);
        watch(world);
    }
    let (recording, summary) = recorder.finish(world, &values);
    let verdict = |e: &Expectation| judge(e, &samples, plan, scene.duration);
    let verdicts = scene.expectations.iter().map(verdict).collect();
    Run { recording, summary, verdicts }
}

/// Judges by the scene's own duration, whatever was run: what is about the whole of it stays open
/// when it was cut short, and what comes after it does not count.
fn judge(
    expectation: &Expectation,
    samples: &[Vec<(f64, f64)>],
    plan: &Plan,
    duration: f64,
) -> Verdict {
    let all = samples.get(expectation.probe).map_or(&[][..], Vec::as_slice);
    let slack = 1e-9 * (1.0 + duration);
    let whole = matches!(expectation.when, When::Final | When::Max | When::Min);
    if whole && plan.duration < duration - slack {
        return expectation.judge(&[]);
    }
    let end = all.partition_point(|sample| sample.0 < duration - slack);
    expectation.judge(&all[..all.len().min(end + 1)])
}

fn channel(probe: &Probe) -> Channel {
    Channel { name: probe.name.clone(), unit: unit(&probe.of).to_owned() }
}

/// Unit of what a probe measures, from `"<body>.<quantity>"`.
fn unit(of: &str) -> &'static str {
    match of.rsplit_once('.').map_or(of, |(_, quantity)| quantity) {
        "position" | "displacement" | "penetration" | "extent" => "m",
        "velocity" | "speed" => "m/s",
        "rotation" => "deg",
        "spin" => "rad/s",
        "contact_force" => "N",
        "energy" | "kinetic_energy" => "J",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expectation(when: When) -> Expectation {
        Expectation {
            probe: 0,
            name: "slide".to_owned(),
            when,
            low: 0.0,
            high: 1.5,
            source: None,
            line: 1,
        }
    }

    fn outcome(when: When, run: f64, scene: f64) -> crate::Outcome {
        let samples: Vec<(f64, f64)> =
            (0..=10).map(|i| (0.1 * f64::from(i) * run, 0.1 * f64::from(i) * run)).collect();
        let plan = Plan { steps: 10, every: 1, duration: run };
        judge(&expectation(when), &[samples], &plan, scene).outcome
    }

    #[test]
    fn a_run_cut_short_leaves_open_what_it_cannot_know() {
        use crate::Outcome::{Met, Missed, Unknown};
        for when in [When::Final, When::Max, When::Min, When::At(2.0)] {
            assert_eq!(outcome(when, 1.0, 2.0), Unknown, "{when:?}");
        }
        assert_eq!(outcome(When::Always, 1.0, 2.0), Met);
        assert_eq!(outcome(When::Always, 2.0, 4.0), Missed);
        assert_eq!(outcome(When::Final, 2.0, 2.0), Missed);
    }

    #[test]
    fn what_comes_after_the_end_of_the_scene_does_not_count() {
        use crate::Outcome::Met;
        for when in [When::Final, When::Max, When::Always, When::At(1.0)] {
            assert_eq!(outcome(when, 2.0, 1.0), Met, "{when:?}");
        }
    }

    #[test]
    fn units_follow_from_the_quantity() {
        for (of, expected) in [
            ("block.position", "m"),
            ("a.b.spin", "rad/s"),
            ("world.energy", "J"),
            ("world.contacts", ""),
        ] {
            assert_eq!(unit(of), expected, "{of}");
        }
    }
}
