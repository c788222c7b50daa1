//! The engines that stand beside each other.

use crate::asperity_engine::Asperity;
use crate::engine::Engine;
use crate::item::Item;
use crate::peer::{Options, double, single};

/// An engine with its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Contender {
    /// rapier3d-f64.
    RapierDouble,
    /// rapier3d-f64 with Coulomb friction at each contact point.
    RapierPoints,
    /// rapier3d.
    RapierSingle,
    /// Asperity with default settings.
    Asperity,
}

impl Contender {
    /// All; the one that the others are compared with first.
    pub(crate) const ALL: [Contender; 4] = [
        Contender::RapierDouble,
        Contender::RapierPoints,
        Contender::RapierSingle,
        Contender::Asperity,
    ];

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Contender::RapierDouble => "rapier3d-f64",
            Contender::RapierPoints => "rapier3d-f64, per point",
            Contender::RapierSingle => "rapier3d (f32)",
            Contender::Asperity => "Asperity",
        }
    }

    /// With a scene in it, and bodies that may sleep, or not.
    pub(crate) fn engine(
        self,
        items: &[Item],
        dt: f64,
        sleep: bool,
    ) -> Result<Box<dyn Engine>, String> {
        let per_point = self == Contender::RapierPoints;
        let options = Options { per_point, sleep };
        Ok(match self {
            Contender::RapierDouble | Contender::RapierPoints => {
                Box::new(double::Rapier::new(items, dt, options)?)
            }
            Contender::RapierSingle => Box::new(single::Rapier::new(items, dt, options)?),
            Contender::Asperity => Box::new(Asperity::by_default(items, dt, sleep)?),
        })
    }
}
