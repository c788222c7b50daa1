//! Films as MP4, by ffmpeg.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use asperity_gpu::Frame;

use crate::error::CliError;

/// Whether there is an ffmpeg.
pub(super) fn find() -> Result<(), CliError> {
    let found =
        Command::new("ffmpeg").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    match found {
        Ok(status) if status.success() => Ok(()),
        _ => Err(CliError::Input(
            "an .mp4 needs ffmpeg, which is not installed (Debian: apt-get install ffmpeg); \
             a .gif needs nothing"
                .to_owned(),
        )),
    }
}

/// Writes a film beside its place, then into it.
pub(super) fn write(
    path: &Path,
    [width, height]: [u32; 2],
    fps: u32,
    frames: impl Iterator<Item = Result<Frame, CliError>>,
) -> Result<(), CliError> {
    let part = Part::beside(path);
    let mut child = Command::new("ffmpeg")
        .args(["-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgba"])
        .args(["-s", &format!("{width}x{height}"), "-r", &fps.to_string(), "-i", "-"])
        .args(["-an", "-c:v", "libx264", "-preset", "medium", "-crf", "19"])
        .args(["-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"])
        .arg(&part.path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| CliError::Input(format!("ffmpeg cannot be started: {e}")))?;
    let fed = feed(&mut child, frames);
    let mut said = String::new();
    if let Some(mut messages) = child.stderr.take() {
        let _ = messages.read_to_string(&mut said);
    }
    let status = child.wait().map_err(|e| CliError::Input(format!("ffmpeg: {e}")))?;
    if !status.success() {
        return Err(CliError::Input(format!("ffmpeg failed: {}", said.trim())));
    }
    fed?;
    std::fs::rename(&part.path, path).map_err(CliError::at(path))
}

fn feed(
    child: &mut Child,
    frames: impl Iterator<Item = Result<Frame, CliError>>,
) -> Result<(), CliError> {
    let Some(mut input) = child.stdin.take() else { return Ok(()) };
    for frame in frames {
        if input.write_all(frame?.pixels.as_flattened()).is_err() {
            // It ended early; what it says is told.
            break;
        }
    }
    Ok(())
}

/// A file that is removed unless it was moved away.
struct Part {
    path: PathBuf,
}

impl Part {
    fn beside(path: &Path) -> Part {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Part { path: path.with_file_name(format!(".{name}.{}.part", std::process::id())) }
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
