//! Files of pictures and films, each written whole or not at all.

mod gif;
mod mp4;

use std::path::Path;

use asperity_gpu::Frame;
use atomic_write_file::AtomicWriteFile;

use crate::error::CliError;

/// What a file holds, by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    Png,
    Gif,
    Mp4,
}

impl FileKind {
    pub(super) fn of(path: &Path) -> Result<FileKind, CliError> {
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("png") => Ok(FileKind::Png),
            Some("gif") => Ok(FileKind::Gif),
            Some("mp4") => Ok(FileKind::Mp4),
            _ => Err(CliError::Input(format!(
                "{}: unknown kind of picture; expected a name that ends in .png, .gif or .mp4",
                path.display()
            ))),
        }
    }
}

/// Makes sure that the file can be written before anything takes time.
pub(super) fn prepare(path: &Path, kind: FileKind) -> Result<(), CliError> {
    if kind == FileKind::Mp4 {
        mp4::find()?;
    }
    // A file that is never committed leaves nothing behind.
    AtomicWriteFile::open(path).map(drop).map_err(CliError::at(path))
}

/// Writes a film from its pictures, one after the other.
pub(super) fn film(
    path: &Path,
    kind: FileKind,
    size: [u32; 2],
    fps: u32,
    frames: impl Iterator<Item = Result<Frame, CliError>>,
) -> Result<(), CliError> {
    match kind {
        FileKind::Gif => gif::write(path, size, fps, frames),
        FileKind::Png | FileKind::Mp4 => mp4::write(path, size, fps, frames),
    }
}
