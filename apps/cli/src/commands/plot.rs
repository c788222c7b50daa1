//! `asperity plot`: pictures of friction and of runs.

pub(crate) mod cone;
mod contact;
mod limit_surface;
mod roughness;
mod run;

use crate::error::CliError;

/// What is drawn.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Which {
    /// Limit curve and traction directions of a friction model.
    Cone(cone::Args),
    /// Limit surfaces of patches: curves with velocities marked, and a surface in space.
    LimitSurface(limit_surface::Args),
    /// What both surfaces show at a contact of a running scene.
    Contact(contact::Args),
    /// Friction against the roughness of two surfaces.
    Roughness(roughness::Args),
    /// A recorded run over time.
    Run(run::Args),
}

/// Draws and says where the pictures are.
pub(crate) fn run(which: &Which) -> Result<(), CliError> {
    match which {
        Which::Cone(args) => cone::run(args),
        Which::LimitSurface(args) => limit_surface::run(args),
        Which::Contact(args) => contact::run(args),
        Which::Roughness(args) => roughness::run(args),
        Which::Run(args) => run::run(args),
    }
}
