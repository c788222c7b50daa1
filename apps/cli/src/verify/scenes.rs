//! Scenes against their own expectations.

use std::path::{Path, PathBuf};

use super::Check;
use crate::error::CliError;
use crate::run::load::load_scene;
use crate::run::report::Report;
use crate::run::simulate::{Plan, simulate};
use crate::sampler::Which;

/// The scenes of a folder.
pub(crate) fn paths(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(CliError::at(folder))?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    paths.sort();
    if paths.is_empty() {
        return Err(CliError::Input(format!("{}: no scenes (*.toml)", folder.display())));
    }
    Ok(paths)
}

/// Runs every scene of a folder; each must meet all that it expects.
pub(super) fn expectations(folder: &Path, sampler: Which) -> Result<Vec<Check>, CliError> {
    let check = |path: &PathBuf| {
        let mut scene = load_scene(path)?;
        sampler.install(&mut scene.world)?;
        let plan = Plan::new(&scene, None, 1)?;
        let outcome = simulate(&mut scene, &plan);
        let report = Report::new(path, &scene, &plan, &outcome);
        let all = scene.expectations.len();
        let met = format!("{} of {all}", all - report.missed());
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Check::fact(&name, &format!("{all} of {all}"), &met))
    };
    paths(folder)?.iter().map(check).collect()
}
