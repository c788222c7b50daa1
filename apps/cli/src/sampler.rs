//! `--sampler`: who samples the patches of contacts.

use asperity::World;
use clap::ValueEnum;

use crate::error::CliError;

/// Who samples the patches of contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Which {
    /// Plain code on all cores.
    #[default]
    Cpu,
}

impl Which {
    /// Gives a world its sampler.
    pub(crate) fn install(self, world: &mut World) -> Result<(), CliError> {
        world.set_sampler(None);
        Ok(())
    }
}
