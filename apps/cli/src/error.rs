//! What a command may fail with.

use std::io;
use std::path::{Path, PathBuf};

use asperity::friction::FrictionError;
use thiserror::Error;

/// Why a command stopped. The message is all that a user sees.
#[derive(Debug, Error)]
pub(crate) enum CliError {
    /// Something that was asked for cannot be done.
    #[error("{0}")]
    Input(String),
    /// A file that could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl CliError {
    /// For `map_err`: an error about this file.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> CliError {
        |source| CliError::Io { path: path.to_owned(), source }
    }
}

impl From<FrictionError> for CliError {
    fn from(error: FrictionError) -> CliError {
        CliError::Input(error.to_string())
    }
}
