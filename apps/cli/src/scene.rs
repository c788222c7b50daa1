//! Scenes and what they name, from the disk.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use asperity_scene::{self as scene, Assets, Scene};
use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::error::CliError;

/// The files that a scene was made from.
#[derive(Debug)]
pub(crate) struct Sources {
    /// The scene file.
    pub(crate) text: String,
    /// What it names: paths relative to it, and bytes.
    pub(crate) assets: Vec<(String, Vec<u8>)>,
}

/// Reads a scene. Its assets come from its own folder; nothing outside can be reached, not by
/// `..`, not by links.
pub(crate) fn load_scene(path: &Path) -> Result<Scene, CliError> {
    load_sources(path).map(|(scene, _)| scene)
}

/// Reads a scene and keeps what it was made from.
pub(crate) fn load_sources(path: &Path) -> Result<(Scene, Sources), CliError> {
    let text = std::fs::read_to_string(path).map_err(CliError::at(path))?;
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let dir = Dir::open_ambient_dir(folder, ambient_authority()).map_err(CliError::at(folder))?;
    let name = path.display().to_string();
    let folder = Folder { dir, read: RefCell::default() };
    let scene = scene::load(&text, &name, &folder).map_err(|error| {
        CliError::Input(match error.problems.len() {
            0 | 1 => error.to_string(),
            n => format!("{name} has {n} problems\n{error}"),
        })
    })?;
    for warning in &scene.warnings {
        eprintln!("warning: {warning}");
    }
    let assets = folder.read.into_inner().into_iter().collect();
    Ok((scene, Sources { text, assets }))
}

/// Files of one folder.
struct Folder {
    dir: Dir,
    /// What was read so far.
    read: RefCell<BTreeMap<String, Vec<u8>>>,
}

impl Assets for Folder {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let bytes = self.dir.read(path).map_err(|e| e.to_string())?;
        self.read.borrow_mut().insert(path.to_owned(), bytes.clone());
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn no_path_leaves_the_folder() {
        let root = std::env::temp_dir().join(format!("asperity-assets-{}", std::process::id()));
        let inside = root.join("scene");
        std::fs::create_dir_all(&inside).unwrap();
        std::fs::write(root.join("secret.txt"), "secret").unwrap();
        std::fs::write(inside.join("own.txt"), "own").unwrap();
        std::os::unix::fs::symlink(root.join("secret.txt"), inside.join("link.txt")).unwrap();
        let dir = Dir::open_ambient_dir(&inside, ambient_authority()).unwrap();
        let folder = Folder { dir, read: RefCell::default() };
        assert_eq!(folder.read("own.txt").unwrap(), b"own");
        let absolute = root.join("secret.txt").display().to_string();
        for path in ["../secret.txt", "link.txt", "missing.txt", absolute.as_str()] {
            assert!(folder.read(path).is_err(), "{path}");
        }
        std::fs::remove_dir_all(&root).unwrap();
    }
}
