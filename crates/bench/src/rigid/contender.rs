//! An engine with its settings, and what was measured of it.

use std::time::Instant;

use indicatif::ProgressBar;

use super::Args;
use super::asperity_engine::Asperity;
use super::engine::Engine;
use super::peer::{double, single};
use super::scene::{Item, Scene};
use super::snapshot::Figures;

/// Steps per round of which the residual is computed; they are not timed.
pub(super) const SAMPLES: usize = 10;
/// Most sweeps of Asperity in a step.
const MAX_SWEEPS: usize = 5000;
/// Most attempts to reach the residual of the peer.
const ATTEMPTS: usize = 8;

/// An engine with its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Kind {
    /// rapier3d.
    RapierSingle,
    /// rapier3d-f64.
    RapierDouble,
    /// rapier3d-f64 with Coulomb friction at each contact point.
    RapierPoints,
    /// Asperity, stopped at the residual that rapier3d-f64 reached.
    AsperitySame,
    /// Asperity, stopped at 1e-6.
    Asperity6,
    /// Asperity, stopped at 1e-9.
    Asperity9,
}

impl Kind {
    /// All, the peers first.
    pub(super) const ALL: [Kind; 6] = [
        Kind::RapierSingle,
        Kind::RapierDouble,
        Kind::RapierPoints,
        Kind::AsperitySame,
        Kind::Asperity6,
        Kind::Asperity9,
    ];

    pub(super) fn label(self) -> &'static str {
        match self {
            Kind::RapierSingle => "rapier3d (f32)",
            Kind::RapierDouble => "rapier3d-f64",
            Kind::RapierPoints => "rapier3d-f64, per point",
            Kind::AsperitySame => "Asperity, same residual",
            Kind::Asperity6 => "Asperity, 1e-6",
            Kind::Asperity9 => "Asperity, 1e-9",
        }
    }

    fn engine(self, items: &[Item], dt: f64, target: f64) -> Result<Box<dyn Engine>, String> {
        let asperity = |tolerance| Asperity::new(items, dt, tolerance, MAX_SWEEPS);
        Ok(match self {
            Kind::RapierSingle => Box::new(single::Rapier::new(items, dt, false)?),
            Kind::RapierDouble => Box::new(double::Rapier::new(items, dt, false)?),
            Kind::RapierPoints => Box::new(double::Rapier::new(items, dt, true)?),
            Kind::AsperitySame => Box::new(asperity(target)?),
            Kind::Asperity6 => Box::new(asperity(1e-6)?),
            Kind::Asperity9 => Box::new(asperity(1e-9)?),
        })
    }
}

/// An engine in the race.
pub(super) struct Contender {
    pub(super) kind: Kind,
    engine: Box<dyn Engine>,
    /// Residual after it settled.
    pub(super) settled: f64,
    /// Median seconds per step of each round.
    seconds: Vec<f64>,
    sweeps: Vec<usize>,
    figures: Vec<Figures>,
}

impl Contender {
    /// Builds it and lets it settle; `target` is the residual of the peer.
    pub(super) fn new(
        kind: Kind,
        scene: &Scene,
        args: &Args,
        target: Option<f64>,
        bar: &ProgressBar,
    ) -> Result<Contender, String> {
        let target = match (kind, target) {
            (Kind::AsperitySame, None) => {
                return Err("asperity-same needs rapier-double before it in --engines".to_owned());
            }
            (_, target) => target.unwrap_or(0.0),
        };
        let mut engine = kind.engine(&scene.items, args.dt, target)?;
        for _ in 0..args.settle {
            engine.step();
            bar.inc(1);
        }
        let mut settled = sample(engine.as_mut(), &scene.items);
        if kind == Kind::AsperitySame {
            settled = reach(engine.as_mut(), &scene.items, target, settled);
        }
        let (seconds, sweeps, figures) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Contender { kind, engine, settled, seconds, sweeps, figures })
    }

    /// Times `steps` steps, and then looks at the residual of some more.
    pub(super) fn round(&mut self, items: &[Item], steps: usize, bar: &ProgressBar) {
        let mut seconds = Vec::with_capacity(steps);
        for _ in 0..steps {
            let started = Instant::now();
            self.engine.step();
            seconds.push(started.elapsed().as_secs_f64());
            self.sweeps.push(self.engine.sweeps());
            bar.inc(1);
        }
        self.seconds.push(median(seconds));
        for _ in 0..SAMPLES {
            self.figures.push(self.engine.observed_step().figures(items));
            bar.inc(1);
        }
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
    median((0..SAMPLES).map(|_| engine.observed_step().figures(items).residual).collect())
}

/// Asks for less until the residual measured is that of the peer or below. The two differ since
/// a solver also counts open contacts in the scale of its residual.
fn reach(engine: &mut dyn Engine, items: &[Item], target: f64, mut reached: f64) -> f64 {
    for _ in 0..ATTEMPTS {
        let Some(asked) = engine.asked().filter(|_| reached > target) else { break };
        engine.ask(asked * (0.9 * target / reached).max(0.1));
        reached = sample(engine, items);
    }
    reached
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
