//! Progress on standard error; nothing where that is not a terminal.

use std::time::{Duration, Instant};

use asperity::World;
use asperity_scene::Scene;
use asperity_scene::run::{self, Plan, Run};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of known length.
pub(crate) fn bar(length: usize, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length as u64), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// Something that takes a while.
pub(crate) fn spinner(what: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Runs a scene under a bar.
pub(crate) fn simulate(scene: &mut Scene, plan: &Plan) -> Run {
    let mut progress = Progress::new(plan);
    let run = run::simulate(scene, plan, |world| progress.show(world));
    progress.bar.finish_and_clear();
    run
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

    fn show(&mut self, world: &World) {
        let since = self.shown.elapsed();
        if since < REFRESH {
            return;
        }
        let (step, time) = (world.steps(), world.time());
        let (contacts, residual) = (world.report().contacts, world.report().residual);
        let rate = (step - self.last) as f64 / since.as_secs_f64();
        self.bar.set_position(step);
        self.bar.set_message(format!(
            "{time:.2} of {} s, {rate:.0} steps/s, {contacts} contacts, residual {residual:.0e}",
            self.duration
        ));
        (self.shown, self.last) = (Instant::now(), step);
    }
}
