//! `asperity verify planar`: the planar models against the authors' code and against closed forms.

mod closed;
mod golden;
mod models;
mod tables;

use std::path::PathBuf;

use super::rigid::Group;
use crate::error::CliError;
use golden::Golden;

/// All groups. `data` is the folder with the authors' results; `full` runs the slow ones too.
pub(super) fn groups(data: Option<PathBuf>, full: bool) -> Result<Vec<Group>, CliError> {
    let mut groups: Vec<Group> = Vec::new();
    closed::groups(full, &mut groups);
    if let Some(data) = data {
        let golden = Golden::find(&data)?;
        tables::groups(&golden, &mut groups);
        models::groups(&golden, full, &mut groups);
    }
    Ok(groups)
}
