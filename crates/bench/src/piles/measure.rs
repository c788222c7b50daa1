//! Runs of a pile: one that is timed, one that is looked at, one in which bodies may sleep.

use std::time::Instant;

use indicatif::ProgressBar;

use super::contender::Contender;
use super::gauge::{Gauge, speeds};
use crate::item::Item;

/// The end of a run that counts as rest, seconds.
pub(super) const REST: f64 = 0.5;

/// How much longer a run goes on in which bodies may sleep, seconds.
const UNTIL_ASLEEP: f64 = 5.0;

/// How a pile is run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    /// Seconds per step.
    pub(super) dt: f64,
    pub(super) steps: usize,
    /// How often the timed run is made again; the fastest of each step counts.
    pub(super) rounds: usize,
    /// Seconds at most for a run; what takes longer is cut short.
    pub(super) budget: f64,
}

/// A step of a timed run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timed {
    pub(super) seconds: f64,
    /// What of them went into finding contacts, and into the last solve, where an engine tells.
    pub(super) parts: Option<[f64; 2]>,
    /// Contact points that carry something.
    pub(super) contacts: usize,
    /// Whether most bodies move.
    pub(super) moving: bool,
}

/// What was seen of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// Of each step: whether most bodies move, the residual, the deepest overlap.
    pub(super) steps: Vec<(bool, f64, f64)>,
    /// Of the start and each step, J.
    pub(super) energies: Vec<f64>,
    /// How far bodies went in the end that counts as rest, metres, on the mean.
    pub(super) creep: f64,
    /// The fastest body at the end, m/s.
    pub(super) fastest: f64,
}

/// A run in which bodies may sleep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asleep {
    /// Seconds per step at the end, on the mean.
    pub(super) seconds: f64,
    /// Bodies that sleep at the end.
    pub(super) bodies: usize,
}

impl Plan {
    /// The first step of the end that counts as rest, of so many steps.
    pub(super) fn rest(&self, steps: usize) -> usize {
        steps.saturating_sub((REST / self.dt).round() as usize)
    }

    /// Steps of a run in which bodies may sleep.
    pub(super) fn with_sleep(&self) -> usize {
        self.steps + (UNTIL_ASLEEP / self.dt).round() as usize
    }

    /// Times every step; nothing else is done but that contacts and fast bodies are counted.
    pub(super) fn time(
        &self,
        who: Contender,
        items: &[Item],
        bar: &ProgressBar,
    ) -> Result<Vec<Timed>, String> {
        let mut best = self.time_once(who, items, false, bar)?.0;
        for _ in 1..self.rounds {
            let again = self.time_once(who, items, false, bar)?.0;
            for (step, again) in best.iter_mut().zip(again) {
                if again.seconds < step.seconds {
                    *step = again;
                }
            }
        }
        Ok(best)
    }

    /// Times the end of a run in which bodies may sleep; `None` where they cannot.
    pub(super) fn sleep(
        &self,
        who: Contender,
        items: &[Item],
        bar: &ProgressBar,
    ) -> Result<Option<Asleep>, String> {
        let (steps, asleep) = self.time_once(who, items, true, bar)?;
        let end = &steps[self.rest(steps.len())..];
        let seconds = end.iter().map(|s| s.seconds).sum::<f64>() / end.len().max(1) as f64;
        Ok(asleep.map(|bodies| Asleep { seconds, bodies }))
    }

    fn time_once(
        &self,
        who: Contender,
        items: &[Item],
        sleep: bool,
        bar: &ProgressBar,
    ) -> Result<(Vec<Timed>, Option<usize>), String> {
        let mut engine = who.engine(items, self.dt, sleep)?;
        let count = if sleep { self.with_sleep() } else { self.steps };
        let (mut spent, mut steps) = (0.0, Vec::with_capacity(count));
        for _ in 0..count {
            bar.inc(1);
            if spent > self.budget {
                continue;
            }
            let started = Instant::now();
            engine.step();
            let seconds = started.elapsed().as_secs_f64();
            spent += seconds;
            let moving = speeds(engine.as_ref(), items).moving > 0.5;
            let (parts, contacts) = (engine.parts(), engine.touches());
            steps.push(Timed { seconds, parts, contacts, moving });
        }
        let asleep = engine.asleep();
        Ok((steps, asleep))
    }

    /// Looks at every step; `steps` are as many as were timed.
    pub(super) fn look(
        &self,
        who: Contender,
        items: &[Item],
        steps: usize,
        bar: &ProgressBar,
    ) -> Result<Seen, String> {
        let mut engine = who.engine(items, self.dt, false)?;
        let mut gauge = Gauge::new(items)?;
        let mut poses = engine.poses();
        let mut from = poses.clone();
        let mut seen = Seen::default();
        seen.energies.push(gauge.energy(engine.as_ref(), &poses));
        for step in 0..steps {
            bar.inc(1);
            if step == self.rest(steps) {
                from = poses;
            }
            let residual = engine.judged_step(items).without_units;
            poses = engine.poses();
            let speeds = speeds(engine.as_ref(), items);
            seen.steps.push((speeds.moving > 0.5, residual, gauge.overlap(&poses)));
            seen.energies.push(gauge.energy(engine.as_ref(), &poses));
            seen.fastest = speeds.fastest;
        }
        seen.creep = gauge.distance(&from, &poses);
        Ok(seen)
    }
}

impl Seen {
    /// The sum of all rises of energy, of the largest above the lowest.
    pub(super) fn energy_gained(&self) -> f64 {
        let rises = self.energies.windows(2).map(|w| (w[1] - w[0]).max(0.0)).sum::<f64>();
        let [low, high] = self
            .energies
            .iter()
            .fold([f64::MAX, f64::MIN], |[low, high], e| [low.min(*e), high.max(*e)]);
        rises / (high - low).max(f64::MIN_POSITIVE)
    }
}
