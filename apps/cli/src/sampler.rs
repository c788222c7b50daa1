//! `--sampler`: who samples the patches of contacts.

use asperity::World;
use asperity::friction::surface::patch::SamplePatches;
use asperity_gpu::PatchSampler;
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
        if let Some(sampler) = self.sampler().map_err(CliError::Input)? {
            world.set_sampler(Some(sampler));
        }
        Ok(())
    }

    /// The sampler; none for plain code.
    pub(crate) fn sampler(self) -> Result<Option<Box<dyn SamplePatches>>, String> {
        if self == Which::Cpu {
            return Ok(None);
        }
        match PatchSampler::new() {
            Ok(device) if self == Which::Auto && device.is_software() => Ok(None),
            Ok(device) => Ok(Some(Box::new(device))),
            Err(_) if self == Which::Auto => Ok(None),
            Err(error) => Err(format!(
                "--sampler gpu: {error}; use --sampler cpu, or auto for whichever there is"
            )),
        }
    }
}
