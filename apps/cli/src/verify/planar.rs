//! `asperity verify planar`: the planar models against the authors' code and against closed forms.

mod anisotropic;
mod closed;
mod golden;
mod gripper;
mod models;
mod tables;

use std::path::PathBuf;

use super::rigid::Group;
use super::scenes::expectations;
use crate::error::CliError;
use crate::sampler::Which;
use golden::Golden;

/// All groups. `data` is the folder with the authors' results, `scenes` the one with scenes of whole
/// bodies; `full` runs the slow groups too.
pub(super) fn groups(
    data: Option<PathBuf>,
    scenes: PathBuf,
    full: bool,
) -> Result<Vec<Group>, CliError> {
    let mut groups: Vec<Group> = Vec::new();
    closed::groups(full, &mut groups);
    anisotropic::groups(&mut groups);
    gripper::groups(&scenes, full, &mut groups);
    let run = move || expectations(&scenes, Which::Cpu);
    groups.push(("scenes of bodies that slide, spin and remember", Box::new(run)));
    if let Some(data) = data {
        let golden = Golden::find(&data)?;
        tables::groups(&golden, &mut groups);
        models::groups(&golden, full, &mut groups);
    }
    Ok(groups)
}
