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
    /// A graphics device; an error where there is none.
    Gpu,
    /// A graphics device where there is one that is more than software, else plain code.
    Auto,
}

impl Which {
    /// Gives a world its sampler.
    pub(crate) fn install(self, world: &mut World) -> Result<(), CliError> {
        if self == Which::Cpu {
            return Ok(());
        }
        match asperity_gpu::PatchSampler::new() {
            Ok(device) if self == Which::Auto && device.is_software() => Ok(()),
            Ok(device) => {
                world.set_sampler(Some(Box::new(device)));
                Ok(())
            }
            Err(_) if self == Which::Auto => Ok(()),
            Err(error) => Err(CliError::Input(format!(
                "--sampler gpu: {error}; use --sampler cpu, or auto for whichever there is"
            ))),
        }
    }
}
