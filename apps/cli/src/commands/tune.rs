//! `asperity tune`: finds the numbers that `verify` holds fixed, anew from recordings.

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
}

pub(crate) fn run(which: &Which) -> Result<(), CliError> {
    let Which::Tosses { data } = which;
    let host = Disk::watched();
    let found = tosses::tune(&host, data)?;
    print(&found);
    Ok(())
}
