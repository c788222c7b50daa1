//! The figures of one engine with one pile.

use serde::Serialize;

use super::contender::Contender;
use super::measure::{Asleep, Plan, Seen, Timed};

/// One engine with one pile.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    pub(super) bodies: usize,
    pub(super) engine: &'static str,
    pub(super) dt: f64,
    pub(super) steps: usize,
    /// Fewer steps than asked, for lack of time.
    pub(super) cut_short: bool,
    pub(super) whole: Time,
    pub(super) moving: Time,
    pub(super) rest: Time,
    /// Milliseconds per step at the end where bodies may sleep, and how many do.
    pub(super) asleep: Option<(f64, usize)>,
    pub(super) residual_moving: Spread,
    pub(super) residual_rest: Spread,
    /// Deepest overlap, of the thinner body's smallest side.
    pub(super) overlap_moving: f64,
    pub(super) overlap_rest: f64,
    /// Rises of energy, of the largest above the lowest.
    pub(super) energy_gained: f64,
    /// Metres that bodies went in the last half second, on the mean.
    pub(super) creep: f64,
    /// Fastest body at the end, m/s.
    pub(super) fastest: f64,
}

/// What steps cost.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Time {
    /// How many steps.
    pub(super) steps: usize,
    /// Milliseconds per step, on the mean.
    pub(super) milliseconds: f64,
    /// Contact points that carry something, on the mean.
    pub(super) contacts: f64,
    /// Microseconds per step and such contact.
    pub(super) per_contact: f64,
    /// Milliseconds of them in which contacts are found, and those of the last solve of a step.
    pub(super) parts: Option<[f64; 2]>,
    /// Milliseconds in units of those of the first engine.
    pub(super) ratio: Option<f64>,
}

/// A figure of many steps.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Spread {
    pub(super) median: f64,
    pub(super) worst: f64,
}

impl Row {
    pub(super) fn new(
        bodies: usize,
        who: Contender,
        plan: &Plan,
        (timed, asleep, seen): (&[Timed], Option<Asleep>, &Seen),
    ) -> Row {
        let rest = plan.rest(timed.len());
        let seen_moving = || seen.steps.iter().filter(|s| s.0);
        let seen_rest = || seen.steps[rest.min(seen.steps.len())..].iter();
        let deepest = |overlaps: &mut dyn Iterator<Item = f64>| overlaps.fold(0.0, f64::max);
        Row {
            bodies,
            engine: who.label(),
            dt: plan.dt,
            steps: timed.len(),
            cut_short: timed.len() < plan.steps,
            whole: Time::of(timed.iter()),
            moving: Time::of(timed.iter().filter(|s| s.moving)),
            rest: Time::of(timed[rest..].iter()),
            asleep: asleep.map(|a| (a.seconds * 1e3, a.bodies)),
            residual_moving: Spread::of(seen_moving().map(|s| s.1).collect()),
            residual_rest: Spread::of(seen_rest().map(|s| s.1).collect()),
            overlap_moving: deepest(&mut seen_moving().map(|s| s.2)),
            overlap_rest: deepest(&mut seen_rest().map(|s| s.2)),
            energy_gained: seen.energy_gained(),
            creep: seen.creep,
            fastest: seen.fastest,
        }
    }

    /// What its steps cost: all of them, while it moves, at rest.
    pub(super) fn times(&self) -> [&Time; 3] {
        [&self.whole, &self.moving, &self.rest]
    }
}

impl Time {
    pub(super) fn of<'a>(steps: impl Iterator<Item = &'a Timed>) -> Time {
        let (mut count, mut seconds, mut contacts) = (0, 0.0, 0);
        let mut parts = None;
        for step in steps {
            count += 1;
            seconds += step.seconds;
            contacts += step.contacts;
            if let Some([find, solve]) = step.parts {
                let [found, solved] = parts.unwrap_or([0.0; 2]);
                parts = Some([found + find, solved + solve]);
            }
        }
        let each = f64::from(count);
        Time {
            steps: count as usize,
            milliseconds: 1e3 * seconds / each,
            contacts: contacts as f64 / each,
            per_contact: 1e6 * seconds / contacts as f64,
            parts: parts.map(|all| all.map(|part| 1e3 * part / each)),
            ratio: None,
        }
    }
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Spread {
        values.sort_by(f64::total_cmp);
        let at = |k: usize| values.get(k).copied().unwrap_or(f64::NAN);
        Spread { median: at(values.len() / 2), worst: at(values.len().saturating_sub(1)) }
    }
}

/// Gives all rows of a pile their times in units of those of rapier3d-f64.
pub(super) fn compare(rows: &mut [Row]) {
    let base = rows.iter().find(|r| r.engine == Contender::RapierDouble.label()).cloned();
    let Some(base) = base else { return };
    for row in rows {
        row.whole.ratio = Some(row.whole.milliseconds / base.whole.milliseconds);
        row.moving.ratio = Some(row.moving.milliseconds / base.moving.milliseconds);
        row.rest.ratio = Some(row.rest.milliseconds / base.rest.milliseconds);
    }
}
