//! The papers' figures, closed forms and recordings of real bodies against Asperity: tables of
//! checks that say what was found, what was wanted and whether it holds.
//!
//! [`groups`] lists the checks of a [`Subject`], [`run`] makes them. Files come from a [`Host`].
//!
//! ```
//! use asperity_verify::{Inputs, NoFiles, Subject, groups, run};
//!
//! let all = groups(Subject::Rigid, &NoFiles, &Inputs::default())?;
//! let wanted = all.into_iter().filter(|group| group.0 == "stopping distance").collect();
//! let tables = run(wanted, &mut |_| {})?;
//! assert!(tables[0].checks.iter().all(|check| check.holds));
//! # Ok::<(), asperity_verify::VerifyError>(())
//! ```

pub mod appearance;
mod check;
pub mod experiment;
mod host;
mod matchstick;
mod planar;
pub mod pressed;
mod pushes;
mod rigid;
pub mod scenes;
pub mod setup;
mod tensors;
pub mod tosses;
pub mod wrench;

use std::path::PathBuf;

use asperity::friction::FrictionError;
use thiserror::Error;

pub use check::{Check, Table};
pub use host::{Host, NoFiles};

/// What can be verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Subject {
    /// The rigid-body engine.
    Rigid,
    /// Real tosses of a cube; needs data.
    Tosses,
    /// Planar friction: closed forms; with data the authors' results too.
    Planar,
    /// Real pushes of a triangle; needs data.
    Pushes,
    /// The scenes of the matchstick paper; with data the authors' trajectories too.
    Matchstick,
    /// Cloth and soft solids with friction tensors; the long form drapes all of the 14,130 faces.
    Tensors,
    /// Friction from normal maps; with data the normal maps of published assets too.
    Appearance,
    /// Overlaps of closed shapes and contacts by one wrench.
    Wrench,
}

/// What the checks are made of.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// Folder with the scenes of the subject.
    pub scenes: PathBuf,
    /// Folder with measured data: the one that holds data/ and golden/, or the folder of the files
    /// themselves.
    pub data: Option<PathBuf>,
    /// Whether to run the long forms too.
    pub full: bool,
}

/// A group of checks that share a set-up: its name, and how they are made.
pub type Group<'a> = (&'static str, Box<dyn FnOnce() -> Result<Vec<Check>, VerifyError> + 'a>);

/// How far the checks are.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// The group of this name begins.
    Begins(&'static str),
    /// A group has ended.
    Ended(&'a Table),
}

/// Why checks could not be made. The message says all.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct VerifyError(String);

impl VerifyError {
    pub(crate) fn new(message: impl Into<String>) -> VerifyError {
        VerifyError(message.into())
    }
}

impl From<FrictionError> for VerifyError {
    fn from(error: FrictionError) -> VerifyError {
        VerifyError(error.to_string())
    }
}

/// The groups of checks of a subject. Nothing is computed yet.
pub fn groups<'a>(
    subject: Subject,
    host: &'a dyn Host,
    inputs: &Inputs,
) -> Result<Vec<Group<'a>>, VerifyError> {
    let data = |what: &str, of: &str| {
        let missing =
            || VerifyError::new(format!("verify {what} needs --data, the folder of the {of}"));
        inputs.data.clone().ok_or_else(missing)
    };
    Ok(match subject {
        Subject::Rigid => rigid::groups(inputs.full),
        Subject::Matchstick => matchstick::groups(host, inputs),
        Subject::Appearance => appearance::groups(host, inputs),
        Subject::Tensors => tensors::groups(host, inputs),
        Subject::Wrench => wrench::groups(host, inputs),
        Subject::Planar => planar::groups(host, inputs)?,
        Subject::Pushes => {
            let data = data("pushes", "logs")?;
            vec![("pushes of a triangle", Box::new(move || pushes::pushes(host, &data)))]
        }
        Subject::Tosses => {
            let data = data("tosses", "recordings")?;
            vec![("cube tosses", Box::new(move || tosses::tosses(host, &data)))]
        }
    })
}

/// Makes the checks, group by group; `told` hears of each.
pub fn run(groups: Vec<Group>, told: &mut dyn FnMut(Progress)) -> Result<Vec<Table>, VerifyError> {
    let mut tables = Vec::new();
    for (name, group) in groups {
        told(Progress::Begins(name));
        let table = Table { name, checks: group()? };
        told(Progress::Ended(&table));
        tables.push(table);
    }
    Ok(tables)
}
