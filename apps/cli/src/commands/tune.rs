//! `asperity tune`: finds numbers of models from measurements.

mod masks;

use std::path::PathBuf;

use asperity_verify::tosses;

use crate::commands::verify::Disk;
use crate::error::CliError;
use crate::output::print;

/// What can be tuned.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Which {
    /// Friction, restitution and table of the tossed cube, on every tenth toss; takes half a minute.
    Tosses {
        /// Folder with measured data: the one that holds data/, or that of the recordings.
        #[arg(long)]
        data: PathBuf,
    },
    /// Masks of normal maps, from measured coefficients of friction; exit code 1 where no masks fit them.
    Masks(masks::Args),
}

/// Tunes; false where nothing fits.
pub(crate) fn run(which: &Which) -> Result<bool, CliError> {
    match which {
        Which::Tosses { data } => {
            let host = Disk::watched();
            print(&tosses::tune(&host, data)?);
            Ok(true)
        }
        Which::Masks(args) => masks::run(args),
    }
}
