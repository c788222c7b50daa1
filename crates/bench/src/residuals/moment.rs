//! Steps of a pile: the problems of its islands, and what engines make of the same moment.

use std::time::Instant;

use asperity::measure::Solved;
use serde::Serialize;

use crate::asperity_engine::Asperity;
use crate::engine::Engine;
use crate::item::Item;
use crate::piles::contender::Contender;
use crate::progress::bar;

/// Steps from a moment on that are timed, and as many that are judged, in turns.
const STEPS: usize = 5;

/// A moment of a pile.
#[derive(Debug, Serialize)]
pub(super) struct Moment {
    /// Seconds since the start.
    pub(super) time: f64,
    /// Contact points of all islands.
    pub(super) contacts: usize,
    /// How many islands there are.
    pub(super) count: usize,
    /// The problems of Asperity's next step, with the impulses that it begins with.
    #[serde(skip)]
    pub(super) islands: Vec<Solved>,
    /// What whole engines reach.
    pub(super) engines: Vec<Whole>,
}

/// A whole engine: a step, all of it.
#[derive(Debug, Serialize)]
pub(super) struct Whole {
    pub(super) engine: &'static str,
    /// Of a whole step, median.
    pub(super) seconds: f64,
    /// Without units, median.
    pub(super) residual: f64,
}

/// Runs all engines to the moments, which are in order.
pub(super) fn moments(items: &[Item], at: &[f64], dt: f64) -> Result<Vec<Moment>, String> {
    let steps = |time: f64| (time / dt).round() as usize;
    let last = at.last().map_or(0, |time| steps(*time));
    let bar = bar((Contender::ALL.len() + 1) * last, "the pile falls");
    let mut problems = Asperity::by_default(items, dt, false)?;
    let (mut done, mut moments) = (0, Vec::new());
    for &time in at {
        while done < steps(time) {
            problems.step();
            done += 1;
            bar.inc(1);
        }
        let islands = problems.next_problems();
        let contacts = islands.iter().map(|(problem, _)| problem.blocks.len()).sum();
        let count = islands.len();
        moments.push(Moment { time, contacts, count, islands, engines: Vec::new() });
    }
    for who in Contender::ALL {
        bar.set_message(format!("the pile falls: {}", who.label()));
        let mut engine = who.engine(items, dt, false)?;
        let mut done = 0;
        for moment in &mut moments {
            while done < steps(moment.time) {
                engine.step();
                done += 1;
                bar.inc(1);
            }
            moment.engines.push(whole(who.label(), engine.as_mut(), items));
            done += 2 * STEPS;
        }
    }
    bar.finish_and_clear();
    Ok(moments)
}

fn whole(name: &'static str, engine: &mut dyn Engine, items: &[Item]) -> Whole {
    let (mut seconds, mut residuals) = (Vec::new(), Vec::new());
    for _ in 0..STEPS {
        let started = Instant::now();
        engine.step();
        seconds.push(started.elapsed().as_secs_f64());
        residuals.push(engine.judged_step(items).without_units);
    }
    Whole { engine: name, seconds: median(seconds), residual: median(residuals) }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
