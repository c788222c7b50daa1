//! `asperity verify planar`: the planar models against the authors' code and against closed forms.

mod anisotropic;
mod bodies;
mod closed;
mod golden;
mod gripper;
mod lacking;
mod models;
mod placings;
mod tables;

use crate::scenes::with_controls;

use crate::{Group, Host, Inputs, VerifyError};
use golden::Golden;

/// All groups. The data are the authors' results.
pub(crate) fn groups<'a>(
    host: &'a dyn Host,
    inputs: &Inputs,
) -> Result<Vec<Group<'a>>, VerifyError> {
    let (full, scenes) = (inputs.full, inputs.scenes.clone());
    let mut groups: Vec<Group> = Vec::new();
    closed::groups(full, &mut groups);
    anisotropic::groups(&mut groups);
    bodies::groups(&mut groups);
    lacking::groups(&mut groups);
    gripper::groups(host, &scenes, full, &mut groups);
    let run = move || with_controls(host, &scenes);
    groups.push(("scenes of bodies that slide, spin and remember", Box::new(run)));
    if let Some(data) = &inputs.data {
        let golden = Golden::find(host, data)?;
        tables::groups(&golden, &mut groups);
        models::groups(&golden, full, &mut groups);
    }
    Ok(groups)
}
