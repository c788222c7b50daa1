//! Files of pictures and films, each written whole or not at all.

mod gif;
mod mp4;

use std::path::Path;

use asperity_gpu::Frame;
use atomic_write_file::AtomicWriteFile;

use crate::error::CliError;

/// What a file holds, by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Png,
    Gif,
    Mp4,
}

impl Kind {
    pub(super) fn of(path: &Path) -> Result<Kind, CliError> {
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("png") => Ok(Kind::Png),
            Some("gif") => Ok(Kind::Gif),
            Some("mp4") => Ok(Kind::Mp4),
            _ => Err(CliError::Input(format!(
                "{}: unknown kind of picture; expected a name that ends in .png, .gif or .mp4",
                path.display()
            ))),
        }
    }
}

/// Makes sure that the file can be written before anything takes time.
pub(super) fn prepare(path: &Path, kind: Kind) -> Result<(), CliError> {
    if kind == Kind::Mp4 {
        mp4::find()?;
    }
    // A file that is never committed leaves nothing behind.
    AtomicWriteFile::open(path).map(drop).map_err(CliError::at(path))
}

/// Writes a film from its pictures, one after the other.
pub(super) fn film(
    path: &Path,
    kind: Kind,
    size: [u32; 2],
    fps: u32,
    frames: impl Iterator<Item = Result<Frame, CliError>>,
) -> Result<(), CliError> {
    match kind {
        Kind::Gif => gif::write(path, size, fps, frames),
        Kind::Png | Kind::Mp4 => mp4::write(path, size, fps, frames),
    }
}
