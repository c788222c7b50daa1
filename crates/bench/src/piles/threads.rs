//! Asperity on several threads beside itself on one: the time, and whether the bits are the same.

use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;

use super::gauge::speeds;
use super::measure::{Plan, Timed};
use super::row::Time;
use super::scene::pile;
use crate::asperity_engine::Asperity;
use crate::engine::Engine as _;
use crate::progress::bar;

/// One pile.
#[derive(Debug, Clone, Serialize)]
pub(super) struct SpeedUp {
    bodies: usize,
    threads: usize,
    /// Steps that were made by both.
    steps: usize,
    /// Whole run, moving, at rest: on one thread and on all of them.
    whole: [Time; 2],
    moving: [Time; 2],
    rest: [Time; 2],
    /// The first step after which the two states differ.
    differs: Option<usize>,
}

/// Both take turns, step by step.
pub(super) fn speed_up(
    bodies: usize,
    threads: usize,
    seed: u64,
    plan: &Plan,
) -> Result<SpeedUp, String> {
    let items = pile(bodies, seed)?;
    let make = |threads: usize| -> Result<(ThreadPool, Asperity), String> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        Ok((pool.map_err(|e| e.to_string())?, Asperity::by_default(&items, plan.dt, false)?))
    };
    let mut both = [make(1)?, make(threads)?];
    let mut timed: [Vec<Timed>; 2] = [Vec::new(), Vec::new()];
    let (mut differs, mut spent) = (None, 0.0);
    let bar = bar(plan.steps, &format!("pile of {bodies} on 1 and {threads} threads"));
    for step in 0..plan.steps {
        bar.inc(1);
        if spent > plan.budget {
            continue;
        }
        for ((pool, world), timed) in both.iter_mut().zip(&mut timed) {
            let started = Instant::now();
            pool.install(|| world.step());
            let seconds = started.elapsed().as_secs_f64();
            spent += seconds;
            let moving = speeds(world, &items).moving > 0.5;
            let (parts, contacts) = (world.parts(), world.touches());
            timed.push(Timed { seconds, parts, contacts, moving });
        }
        if differs.is_none() && both[0].1.state_hash() != both[1].1.state_hash() {
            differs = Some(step + 1);
        }
    }
    bar.finish_and_clear();
    let steps = timed[0].len();
    let of = |keep: &dyn Fn(usize, &Timed) -> bool| {
        timed.each_ref().map(|all| {
            Time::of(all.iter().enumerate().filter(|(k, s)| keep(*k, s)).map(|(_, s)| s))
        })
    };
    Ok(SpeedUp {
        bodies,
        threads,
        steps,
        whole: of(&|_, _| true),
        moving: of(&|_, s| s.moving),
        rest: of(&|k, _| k >= plan.rest(steps)),
        differs,
    })
}

/// As a table.
pub(super) fn text(all: &[SpeedUp]) -> String {
    let mut text = String::new();
    for s in all {
        text += &format!("Asperity, {} bodies, {} steps, ms/step\n", s.bodies, s.steps);
        let many = format!("{} threads", s.threads);
        text += &format!("{:<10} {:>10} {many:>10} {:>9}\n", "", "1 thread", "speed-up");
        for (name, [one, all]) in [("whole run", s.whole), ("moving", s.moving), ("rest", s.rest)] {
            let (one, all) = (one.milliseconds, all.milliseconds);
            text += &format!("{name:<10} {one:>10.2} {all:>10.2} {:>9.2}\n", one / all);
        }
        text += &match s.differs {
            None => "the same bits after every step\n".to_owned(),
            Some(step) => format!("the states differ after step {step}\n"),
        };
    }
    text
}
