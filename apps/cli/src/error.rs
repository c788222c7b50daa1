//! What a command may fail with.

use std::io;
use std::path::{Path, PathBuf};

use asperity::friction::FrictionError;
use asperity_chart::ChartError;
use asperity_scene::record::AnimationError;
use asperity_scene::run::TooManySteps;
use asperity_verify::VerifyError;
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
    /// A friction model that cannot be.
    #[error(transparent)]
    Friction(#[from] FrictionError),
    /// A picture that cannot be drawn.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// A run that would take too long.
    #[error(transparent)]
    Steps(#[from] TooManySteps),
    /// A run that cannot be an animation.
    #[error(transparent)]
    Animation(#[from] AnimationError),
    /// A check that cannot be made.
    #[error(transparent)]
    Verify(#[from] VerifyError),
}

impl CliError {
    /// For `map_err`: an error about this file.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> CliError {
        |source| CliError::Io { path: path.to_owned(), source }
    }
}

/// For `map_err`: what cannot be written as JSON.
pub(crate) fn json_error(error: &serde_json::Error) -> CliError {
    CliError::Input(format!("cannot write JSON: {error}"))
}
