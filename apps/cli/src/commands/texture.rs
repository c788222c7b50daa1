//! `asperity texture`: textures from pictures and by rule.

mod grain;
mod logo;
mod normal;

use crate::error::CliError;

/// What is made.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Which {
    /// The grain of a photographed surface.
    StructureFromImage(grain::Args),
    /// The logo of the project, white on black, as a mask for `logo`.
    LogoMask(logo::Args),
    #[command(flatten)]
    Normal(normal::MapKind),
}

/// Writes a texture and says what it is.
pub(crate) fn run(which: &Which) -> Result<(), CliError> {
    match which {
        Which::StructureFromImage(args) => grain::run(args),
        Which::LogoMask(args) => logo::run(args),
        Which::Normal(kind) => normal::run(kind),
    }
}
