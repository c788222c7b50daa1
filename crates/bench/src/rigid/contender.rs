//! An engine with its settings, and what was measured of it.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::Args;
use super::scene::Scene;
use crate::asperity_engine::Asperity;
use crate::engine::Engine;
use crate::item::Item;
use crate::peer::{Options, double, single};
use crate::snapshot::Figures;

/// Steps per round of which the residual is computed; they are not timed.
pub(super) const SAMPLES: usize = 5;
/// Most sweeps of Asperity in a step.
const MAX_SWEEPS: usize = 2000;
/// Steps of a round that are timed even if there is no time left.
const LEAST_STEPS: usize = 3;
/// Most attempts to reach the residual of the peer.
const ATTEMPTS: usize = 5;

/// Friction at each point.
const PER_POINT: Options = Options { per_point: true, sleep: false };

/// An engine with its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ContenderKind {
    /// rapier3d.
    RapierSingle,
    /// rapier3d-f64.
    RapierDouble,
    /// rapier3d-f64 with Coulomb friction at each contact point.
    RapierPoints,
    /// Asperity, stopped at the residual that rapier3d-f64 reached.
    AsperitySame,
    /// Asperity, stopped at the residual that rapier3d-f64 reached with friction at each point.
    AsperityPoints,
    /// Asperity, stopped at 1e-6.
    Asperity6,
    /// Asperity, stopped at 1e-9.
    Asperity9,
}

impl ContenderKind {
    /// All, the peers first.
    pub(super) const ALL: [ContenderKind; 7] = [
        ContenderKind::RapierSingle,
        ContenderKind::RapierDouble,
        ContenderKind::RapierPoints,
        ContenderKind::AsperitySame,
        ContenderKind::AsperityPoints,
        ContenderKind::Asperity6,
        ContenderKind::Asperity9,
    ];

    pub(super) const fn label(self) -> &'static str {
        match self {
            ContenderKind::RapierSingle => "rapier3d (f32)",
            ContenderKind::RapierDouble => "rapier3d-f64",
            ContenderKind::RapierPoints => "rapier3d-f64, per point",
            ContenderKind::AsperitySame => "Asperity, as f64",
            ContenderKind::AsperityPoints => "Asperity, as per point",
            ContenderKind::Asperity6 => "Asperity, 1e-6",
            ContenderKind::Asperity9 => "Asperity, 1e-9",
        }
    }

    /// Whose residual it stops at, and whose time its own is compared with.
    pub(super) fn peer(self) -> Option<ContenderKind> {
        match self {
            ContenderKind::AsperitySame => Some(ContenderKind::RapierDouble),
            ContenderKind::AsperityPoints => Some(ContenderKind::RapierPoints),
            _ => None,
        }
    }

    fn engine(self, items: &[Item], dt: f64, target: f64) -> Result<Box<dyn Engine>, String> {
        let asperity = |tolerance| Asperity::new(items, dt, tolerance, MAX_SWEEPS);
        Ok(match self {
            ContenderKind::RapierSingle => {
                Box::new(single::Rapier::new(items, dt, Options::default())?)
            }
            ContenderKind::RapierDouble => {
                Box::new(double::Rapier::new(items, dt, Options::default())?)
            }
            ContenderKind::RapierPoints => Box::new(double::Rapier::new(items, dt, PER_POINT)?),
            ContenderKind::AsperitySame | ContenderKind::AsperityPoints => {
                Box::new(asperity(target)?)
            }
            ContenderKind::Asperity6 => Box::new(asperity(1e-6)?),
            ContenderKind::Asperity9 => Box::new(asperity(1e-9)?),
        })
    }
}

/// An engine in the race.
pub(super) struct Contender {
    pub(super) kind: ContenderKind,
    engine: Box<dyn Engine>,
    /// Residual in the latest steps (median).
    pub(super) reached: f64,
    /// Whether it settled or ran for fewer steps than asked, for lack of time.
    pub(super) cut_short: bool,
    /// Median seconds per step of each round.
    seconds: Vec<f64>,
    sweeps: Vec<usize>,
    figures: Vec<Figures>,
}

impl Contender {
    /// Builds it and lets it settle. `peers` have settled before.
    pub(super) fn new(
        kind: ContenderKind,
        scene: &Scene,
        args: &Args,
        peers: &[Contender],
        bar: &ProgressBar,
    ) -> Result<Contender, String> {
        let peer = kind.peer().map(|peer| {
            peers.iter().find(|c| c.kind == peer).ok_or_else(|| {
                format!("\"{}\" needs \"{}\" before it in --engines", kind.label(), peer.label())
            })
        });
        let target = peer.transpose()?.map(|peer| peer.reached);
        let mut engine = kind.engine(&scene.items, args.dt, target.unwrap_or(0.0))?;
        let until = Instant::now() + Duration::from_secs_f64(args.budget);
        let mut cut_short = false;
        for _ in 0..args.settle {
            cut_short |= Instant::now() >= until;
            if !cut_short {
                engine.step();
            }
            bar.inc(1);
        }
        let reached = sample(engine.as_mut(), &scene.items);
        let (seconds, sweeps, figures) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Contender { kind, engine, reached, cut_short, seconds, sweeps, figures })
    }

    /// Times `steps` steps, and then looks at the residual of some more. With a `target`, it is
    /// asked for less before until it gets there.
    pub(super) fn round(
        &mut self,
        items: &[Item],
        args: &Args,
        target: Option<f64>,
        bar: &ProgressBar,
    ) {
        if let Some(target) = target {
            reach(self.engine.as_mut(), items, target);
        }
        let until = Instant::now() + Duration::from_secs_f64(args.budget);
        let mut seconds = Vec::with_capacity(args.steps);
        for _ in 0..args.steps {
            bar.inc(1);
            let started = Instant::now();
            if started >= until && seconds.len() >= LEAST_STEPS {
                self.cut_short = true;
                continue;
            }
            self.engine.step();
            seconds.push(started.elapsed().as_secs_f64());
            self.sweeps.push(self.engine.sweeps());
        }
        self.seconds.push(median(seconds));
        for _ in 0..SAMPLES {
            self.figures.push(self.engine.judged_step(items));
            bar.inc(1);
        }
        let latest = &self.figures[self.figures.len() - SAMPLES..];
        self.reached = median(latest.iter().map(|f| f.residual).collect());
    }

    /// The fastest round's median, seconds per step.
    pub(super) fn best(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The slowest round's median, seconds per step.
    pub(super) fn worst(&self) -> f64 {
        self.seconds.iter().copied().fold(0.0, f64::max)
    }

    /// Median of a figure.
    pub(super) fn figure(&self, of: impl Fn(&Figures) -> f64) -> f64 {
        median(self.figures.iter().map(of).collect())
    }

    /// Median number of sweeps.
    pub(super) fn sweeps(&self) -> usize {
        median(self.sweeps.iter().map(|s| *s as f64).collect()) as usize
    }

    /// Residual that the solver is asked for, where it can be asked.
    pub(super) fn asked(&self) -> Option<f64> {
        self.engine.asked()
    }
}

/// Median residual of the next steps.
fn sample(engine: &mut dyn Engine, items: &[Item]) -> f64 {
    median((0..SAMPLES).map(|_| engine.judged_step(items).residual).collect())
}

/// Asks for a residual, and for less until the one measured is there or below. The two differ
/// since a solver also counts open contacts in the scale of its residual.
fn reach(engine: &mut dyn Engine, items: &[Item], target: f64) {
    let mut asked = target;
    for _ in 0..ATTEMPTS {
        engine.ask(asked);
        let reached = sample(engine, items);
        if reached <= target {
            break;
        }
        asked *= (0.9 * target / reached).max(0.1);
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
