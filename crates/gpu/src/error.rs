//! Why a picture could not be drawn.

use thiserror::Error;

/// Why a picture could not be drawn, or a device could not compute.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RenderError {
    /// The description is wrong.
    #[error("{0}")]
    Picture(String),
    /// What was handed over is wrong.
    #[error("{0}")]
    Input(String),
    /// There is no adapter of the kind that was asked for.
    #[error("no graphics adapter: {0}")]
    NoAdapter(String),
    /// The adapter failed.
    #[error("the graphics adapter failed: {0}")]
    Adapter(String),
}
