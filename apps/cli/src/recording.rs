//! The folder of a recorded run: its files, each written whole or not at all, and read back.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use asperity_scene::Assets;
use asperity_scene::record::Recording;
use asperity_scene::record::files::name;
use atomic_write_file::AtomicWriteFile;

use crate::error::CliError;
use crate::scene::Sources;

/// Makes the folder, so that a run that cannot be written fails before it starts.
pub(crate) fn prepare(folder: &Path) -> Result<(), CliError> {
    std::fs::create_dir_all(folder).map_err(CliError::at(folder))?;
    // A file that is never committed leaves nothing behind.
    let probe = folder.join(REPORT);
    AtomicWriteFile::open(&probe).map(drop).map_err(CliError::at(&probe))
}

/// Where a recording keeps the scene; the files that it names are beside it.
pub(crate) const SCENE_COPY: &str = "scene/scene.toml";

/// What the run came to.
pub(crate) const REPORT: &str = "run.json";

/// Reads a recording back from its folder.
pub(crate) fn read(folder: &Path) -> Result<Recording, CliError> {
    Recording::read(&Folder(folder)).map_err(|error| wrong(folder, &error.file, &error.what))
}

/// An error about a file of a recording.
pub(crate) fn wrong(folder: &Path, file: &str, what: &str) -> CliError {
    CliError::Input(format!("{}: {what}", folder.join(file).display()))
}

struct Folder<'a>(&'a Path);

impl Assets for Folder<'_> {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        std::fs::read(self.0.join(name)).map_err(|e| e.to_string())
    }
}

/// Writes the recording, some `extra` files by their names and, last, what is to be known about it. Returns the files.
pub(crate) fn write(
    folder: &Path,
    recording: &Recording,
    sources: &Sources,
    json: &str,
    extra: &[(String, Vec<u8>)],
) -> Result<Vec<PathBuf>, CliError> {
    type Part<'a> = (&'a str, Box<dyn Fn(&mut Sink) -> io::Result<()> + 'a>);
    let assets: Vec<(String, &Vec<u8>)> =
        sources.assets.iter().map(|(path, bytes)| (format!("scene/{path}"), bytes)).collect();
    let mut parts: Vec<Part> = vec![
        (name::BODIES, Box::new(|out| recording.write_bodies(out))),
        (name::CONTACTS, Box::new(|out| recording.write_contacts(out))),
        (name::WORLD, Box::new(|out| recording.write_world(out))),
        (name::PROBES, Box::new(|out| recording.write_probes(out))),
        (name::ARCHIVE, Box::new(|out| recording.write_npz(out))),
        (SCENE_COPY, Box::new(|out| out.write_all(sources.text.as_bytes()))),
    ];
    if !recording.softs.is_empty() {
        parts.insert(1, (name::SOFTS, Box::new(|out| recording.write_softs(out))));
    }
    for (name, bytes) in &assets {
        parts.push((name, Box::new(|out| out.write_all(bytes))));
    }
    for (name, bytes) in extra {
        parts.push((name, Box::new(|out| out.write_all(bytes))));
    }
    parts.push((REPORT, Box::new(|out| out.write_all(json.as_bytes()))));
    // All of them first beside their places, then all into their places: a disk that is full or
    // a run that is stopped changes nothing.
    let mut ready = Vec::new();
    for (name, fill) in &parts {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(CliError::at(parent))?;
        }
        let filled = AtomicWriteFile::open(&path).and_then(|file| {
            let mut out = BufWriter::with_capacity(1 << 20, file);
            fill(&mut out)?;
            out.into_inner().map_err(io::IntoInnerError::into_error)
        });
        ready.push((filled.map_err(CliError::at(&path))?, path));
    }
    let mut written = Vec::new();
    for (file, path) in ready {
        file.commit().map_err(CliError::at(&path))?;
        written.push(path);
    }
    Ok(written)
}

type Sink = BufWriter<AtomicWriteFile>;
