//! A recording read back from the files that it was written to.

use thiserror::Error;

use super::Recording;
use super::tables::Source;
use crate::Assets;

/// Names of the files of a recording.
pub mod name {
    /// [`write_world`](super::Recording::write_world)
    pub const WORLD: &str = "world.csv";
    /// [`write_bodies`](super::Recording::write_bodies)
    pub const BODIES: &str = "bodies.csv";
    /// [`write_softs`](super::Recording::write_softs); only where there are any.
    pub const SOFTS: &str = "softs.csv";
    /// [`write_contacts`](super::Recording::write_contacts)
    pub const CONTACTS: &str = "contacts.csv";
    /// [`write_probes`](super::Recording::write_probes)
    pub const PROBES: &str = "probes.csv";
    /// [`write_npz`](super::Recording::write_npz)
    pub const ARCHIVE: &str = "run.npz";
}

/// A file of a recording that is missing or broken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}: {what}")]
pub struct ReadingError {
    /// Which file.
    pub file: String,
    /// What is wrong with it.
    pub what: String,
}

impl Recording {
    /// Reads what was recorded, from files by their [`name`]s: numbers from the tables, the shapes of cloth and soft solids from
    /// the archive. All numbers come back bit by bit. What is missing, or does not fit the rest,
    /// is an error that names the file.
    pub fn read(files: &dyn Assets) -> Result<Recording, ReadingError> {
        let fetch = |file: &'static str| match files.read(file) {
            Ok(bytes) => Ok(Source { name: file, bytes }),
            Err(what) => Err(ReadingError { file: file.to_owned(), what }),
        };
        let world = fetch(name::WORLD)?.world()?;
        let mut recording = Recording { world, ..Recording::default() };
        fetch(name::BODIES)?.bodies(&mut recording)?;
        recording.contacts = fetch(name::CONTACTS)?.contacts(&recording)?;
        let probes = fetch(name::PROBES)?.probes(recording.len())?;
        (recording.channels, recording.values) = probes;
        let shapes = fetch(name::ARCHIVE)?.shapes(&recording.world.step)?;
        if !shapes.is_empty() {
            recording.softs = fetch(name::SOFTS)?.softs(shapes, &recording.world.step)?;
        }
        Ok(recording)
    }
}
