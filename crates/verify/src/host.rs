//! What checks ask of whoever runs them: files, and who samples surfaces.

use std::path::{Path, PathBuf};

use asperity::friction::surface::patch::SamplePatches;
use asperity_scene::{Assets, Scene, load};

use crate::VerifyError;

/// What checks need from outside. This crate opens no files and knows no device.
pub trait Host: Sync {
    /// The bytes of a file, or why they cannot be had.
    fn read(&self, path: &Path) -> Result<Vec<u8>, String>;

    /// The names of the files of a folder, or why they cannot be had.
    fn list(&self, folder: &Path) -> Result<Vec<String>, String>;

    /// A scene; what it names lies in its folder.
    fn scene(&self, path: &Path) -> Result<Scene, String> {
        let name = path.display().to_string();
        let bytes = self.read(path).map_err(|e| format!("{name}: {e}"))?;
        let text = String::from_utf8(bytes).map_err(|_| format!("{name}: not a text file"))?;
        load(&text, &name, &Beside { host: self, path }).map_err(|e| e.to_string())
    }

    /// Who samples the surfaces of scenes; `None` for plain code.
    fn sampler(&self) -> Result<Option<Box<dyn SamplePatches>>, String> {
        Ok(None)
    }

    /// A graphics device to compare plain code with.
    fn device(&self) -> Result<Box<dyn SamplePatches>, String> {
        Err("there is none".to_owned())
    }

    /// Hears how much of something that takes a while is done, from 0 to 1.
    fn watch(&self, what: &str, done: f64) {
        let _ = (what, done);
    }
}

/// No files at all.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl Host for NoFiles {
    fn read(&self, _: &Path) -> Result<Vec<u8>, String> {
        Err("there are no files here".to_owned())
    }

    fn list(&self, _: &Path) -> Result<Vec<String>, String> {
        Err("there are no files here".to_owned())
    }
}

/// Files beside a scene.
struct Beside<'a, H: ?Sized> {
    host: &'a H,
    path: &'a Path,
}

impl<H: Host + ?Sized> Assets for Beside<'_, H> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.host.read(&self.path.with_file_name(path))
    }
}

/// The text of a file.
pub(crate) fn text(host: &dyn Host, path: &Path) -> Result<String, VerifyError> {
    let bytes = host.read(path).map_err(|e| at(path, &e))?;
    String::from_utf8(bytes).map_err(|_| at(path, "not a text file"))
}

/// The rows of numbers under the first line of a text; each must have so many, all finite.
pub(crate) fn numbers<const N: usize>(
    host: &dyn Host,
    path: &Path,
    expected: &str,
) -> Result<Vec<[f64; N]>, VerifyError> {
    let text = text(host, path)?;
    let row = |(k, line): (usize, &str)| {
        let all: Result<Vec<f64>, _> = line.split(',').map(|t| t.trim().parse()).collect();
        let row = all.ok().and_then(|all| <[f64; N]>::try_from(all).ok());
        let row = row.filter(|row| row.iter().all(|x| x.is_finite()));
        let wrong = || format!("{}:{}: expected {expected}", path.display(), k + 1);
        row.ok_or_else(|| VerifyError::new(wrong()))
    };
    text.lines().enumerate().skip(1).map(row).collect()
}

/// The files of a folder whose names are wanted, in order.
pub(crate) fn files(
    host: &dyn Host,
    folder: &Path,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<PathBuf>, VerifyError> {
    let mut names = host.list(folder).map_err(|e| at(folder, &e))?;
    names.retain(|name| wanted(name));
    names.sort();
    Ok(names.iter().map(|name| folder.join(name)).collect())
}

/// The first of some places under a folder that is one, else the folder itself.
pub(crate) fn inside(host: &dyn Host, data: &Path, places: &[&str]) -> PathBuf {
    let all = places.iter().map(|place| data.join(place));
    all.into_iter().find(|place| host.list(place).is_ok()).unwrap_or_else(|| data.to_owned())
}

/// A scene of another text than its file has.
pub(crate) fn scene_of(host: &dyn Host, path: &Path, text: &str) -> Result<Scene, VerifyError> {
    let name = path.display().to_string();
    load(text, &name, &Beside { host, path }).map_err(|e| VerifyError::new(e.to_string()))
}

/// A scene.
pub(crate) fn scene(host: &dyn Host, path: &Path) -> Result<Scene, VerifyError> {
    host.scene(path).map_err(VerifyError::new)
}

/// What a file is called, without its extension.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// An error about a file.
pub(crate) fn at(path: &Path, what: &str) -> VerifyError {
    VerifyError::new(format!("{}: {what}", path.display()))
}
