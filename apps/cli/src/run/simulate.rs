//! The steps of a run, watched.

use std::time::{Duration, Instant};

use asperity_scene::record::{Channel, Recorder, Recording, Summary};
use asperity_scene::{Expectation, Probe, Scene, Verdict, When};
use indicatif::ProgressBar;

use crate::error::CliError;
use crate::progress::bar;

/// How far to go and what to keep.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// Number of steps.
    pub(crate) steps: u64,
    /// Record every so many.
    pub(crate) every: u64,
    /// Simulated seconds.
    pub(crate) duration: f64,
}

/// What came out of a run.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The recorded steps.
    pub(crate) recording: Recording,
    /// All steps in short.
    pub(crate) summary: Summary,
    /// One for each expectation of the scene.
    pub(crate) verdicts: Vec<Verdict>,
    /// How long it took.
    pub(crate) wall: Duration,
}

/// More steps than this are taken for a mistake.
const MOST_STEPS: f64 = 1e9;

impl Plan {
    /// For the scene's own duration or another.
    pub(crate) fn new(scene: &Scene, duration: Option<f64>, every: u64) -> Result<Plan, CliError> {
        let duration = duration.unwrap_or(scene.duration);
        // The last step may end after the duration, never before it but for rounding.
        let steps = (duration / scene.world.settings.dt - 1e-9).ceil().max(1.0);
        if steps > MOST_STEPS {
            return Err(CliError::Input(format!(
                "{duration} s in steps of {} s would take {steps:e} steps; expected at most {MOST_STEPS:e}",
                scene.world.settings.dt
            )));
        }
        Ok(Plan { steps: steps as u64, every, duration })
    }
}

/// Steps the scene's world and judges what its probes show.
pub(crate) fn simulate(scene: &mut Scene, plan: &Plan) -> Outcome {
    let started = Instant::now();
    let Scene { world, probes, .. } = scene;
    let mut recorder = Recorder::new(world, probes.iter().map(channel).collect(), plan.every);
    let mut samples = vec![Vec::new(); probes.len()];
    let mut values = Vec::new();
    let mut progress = Progress::new(plan);
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
        let report = world.report();
        progress.show(step, world.time(), report.contacts, report.residual);
    }
    progress.bar.finish_and_clear();
    let (recording, summary) = recorder.finish(world, &values);
    let verdict = |e: &Expectation| judge(e, &samples, plan, scene.duration);
    let verdicts = scene.expectations.iter().map(verdict).collect();
    Outcome { recording, summary, verdicts, wall: started.elapsed() }
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

/// The progress bar of a run.
struct Progress {
    bar: ProgressBar,
    shown: Instant,
    last: u64,
    duration: f64,
}

/// How often the bar is brought up to date.
const REFRESH: Duration = Duration::from_millis(100);

impl Progress {
    fn new(plan: &Plan) -> Progress {
        let bar = bar(plan.steps as usize, "{wide_bar} {msg}, {eta} left");
        Progress { bar, shown: Instant::now(), last: 0, duration: plan.duration }
    }

    fn show(&mut self, step: u64, time: f64, contacts: usize, residual: f64) {
        let since = self.shown.elapsed();
        if since < REFRESH {
            return;
        }
        let rate = (step - self.last) as f64 / since.as_secs_f64();
        self.bar.set_position(step);
        self.bar.set_message(format!(
            "{time:.2} of {} s, {rate:.0} steps/s, {contacts} contacts, residual {residual:.0e}",
            self.duration
        ));
        (self.shown, self.last) = (Instant::now(), step);
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

    fn outcome(when: When, run: f64, scene: f64) -> asperity_scene::Outcome {
        let samples: Vec<(f64, f64)> =
            (0..=10).map(|i| (0.1 * f64::from(i) * run, 0.1 * f64::from(i) * run)).collect();
        let plan = Plan { steps: 10, every: 1, duration: run };
        judge(&expectation(when), &[samples], &plan, scene).outcome
    }

    #[test]
    fn a_run_cut_short_leaves_open_what_it_cannot_know() {
        use asperity_scene::Outcome::{Met, Missed, Unknown};
        for when in [When::Final, When::Max, When::Min, When::At(2.0)] {
            assert_eq!(outcome(when, 1.0, 2.0), Unknown, "{when:?}");
        }
        assert_eq!(outcome(When::Always, 1.0, 2.0), Met);
        assert_eq!(outcome(When::Always, 2.0, 4.0), Missed);
        assert_eq!(outcome(When::Final, 2.0, 2.0), Missed);
    }

    #[test]
    fn what_comes_after_the_end_of_the_scene_does_not_count() {
        use asperity_scene::Outcome::Met;
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
