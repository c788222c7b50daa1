//! `asperity verify planar`: the planar models against the authors' code and against closed forms.

mod golden;
mod models;

use std::path::PathBuf;

use super::rigid::Group;
use crate::error::CliError;
use golden::Golden;

/// All groups. `data` is the folder with the authors' results; `full` runs the slow ones too.
pub(super) fn groups(data: Option<PathBuf>, full: bool) -> Result<Vec<Group>, CliError> {
    let mut groups: Vec<Group> = Vec::new();
    if let Some(data) = data {
        let golden = Golden::find(&data)?;
        models::groups(&golden, full, &mut groups);
    }
    Ok(groups)
}
