//! Scenes against their own expectations.

use std::path::{Path, PathBuf};

use asperity_scene::run::{Plan, Run, simulate};
use asperity_scene::{Outcome, Scene};

use crate::host::{self, at, stem};
use crate::{Check, Host, VerifyError};

/// The scenes of a folder.
pub fn paths(host: &dyn Host, folder: &Path) -> Result<Vec<PathBuf>, VerifyError> {
    let paths = host::files(host, folder, |name| {
        Path::new(name).extension().is_some_and(|extension| extension == "toml")
    })?;
    if paths.is_empty() {
        return Err(at(folder, "no scenes (*.toml)"));
    }
    Ok(paths)
}

/// Runs every scene of a folder; each must meet all that it expects.
pub(crate) fn expectations(host: &dyn Host, folder: &Path) -> Result<Vec<Check>, VerifyError> {
    expectations_of(host, folder, |_| true)
}

fn expectations_of(
    host: &dyn Host,
    folder: &Path,
    which: impl Fn(&str) -> bool,
) -> Result<Vec<Check>, VerifyError> {
    let check = |path: &PathBuf| {
        let mut scene = host::scene(host, path)?;
        if let Some(sampler) = host.sampler().map_err(VerifyError::new)? {
            scene.world.set_sampler(Some(sampler));
        }
        let name = stem(path);
        let run = whole(host, &name, &mut scene)?;
        let missed = run.verdicts.iter().filter(|v| v.outcome == Outcome::Missed).count();
        Ok(kept(&name, &scene, scene.expectations.len() - missed))
    };
    paths(host, folder)?.iter().filter(|path| which(&stem(path))).map(check).collect()
}

/// The same, and controls, which lack what the scene that they are named after is about: each must miss some of
/// what it expects.
pub(crate) fn with_controls(host: &dyn Host, folder: &Path) -> Result<Vec<Check>, VerifyError> {
    let mut checks = expectations_of(host, folder, |name| !name.ends_with(CONTROL))?;
    for check in expectations_of(host, folder, |name| name.ends_with(CONTROL))? {
        let expected = format!("less than {}", check.expected);
        checks.push(Check { expected, holds: !check.holds, ..check });
    }
    Ok(checks)
}

/// How names of controls end.
const CONTROL: &str = "_control";

/// Runs a scene from beginning to end.
pub(crate) fn whole(host: &dyn Host, name: &str, scene: &mut Scene) -> Result<Run, VerifyError> {
    let plan = Plan::new(scene, None, 1).map_err(|e| VerifyError::new(e.to_string()))?;
    let watch = |world: &asperity::World| {
        host.watch(name, world.steps() as f64 / plan.steps as f64);
    };
    Ok(simulate(scene, &plan, watch))
}

/// How many of a scene's expectations were kept.
pub(crate) fn kept(name: &str, scene: &Scene, kept: usize) -> Check {
    let all = scene.expectations.len();
    Check::fact(name, &format!("{all} of {all}"), &format!("{kept} of {all}"))
}
