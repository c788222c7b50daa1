//! `asperity bench`: measurements.

mod planar;
mod sampling;
mod solvers;
mod tensors;
mod wrench;

use crate::error::CliError;

/// What is measured.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Which {
    /// Residual, iterations and time of each solver on each contact problem of a folder.
    Solvers(solvers::Args),
    /// Time per contact patch of the sampler that turns normal maps into friction.
    Sampling(sampling::Args),
    /// Cloth with friction tensors: what friction costs, and frames per second.
    Tensors(tensors::Args),
    /// Steps per second of the planar friction models.
    Planar(planar::Args),
    /// Time contacts by one wrench beside points.
    Wrench(wrench::Args),
}

/// Measures and prints.
pub(crate) fn run(which: &Which) -> Result<(), CliError> {
    match which {
        Which::Solvers(args) => solvers::run(args),
        Which::Sampling(args) => sampling::run(args),
        Which::Tensors(args) => tensors::run(args),
        Which::Planar(args) => planar::run(args),
        Which::Wrench(args) => wrench::run(args),
    }
}
