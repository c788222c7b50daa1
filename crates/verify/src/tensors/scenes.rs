//! The other scenes: what they expect, and that nothing passes through.

use std::path::Path;

use asperity_scene::Outcome;

use super::cigars::cigars;
use crate::host::{self, stem};
use crate::scenes::{kept, paths, whole};
use crate::{Check, Host, VerifyError};

/// Runs every scene but the drapes, unless `full`.
pub(crate) fn scenes(
    host: &dyn Host,
    folder: &Path,
    full: bool,
) -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    for path in paths(host, folder)? {
        let name = stem(&path);
        if name.starts_with("drape") && !full {
            continue;
        }
        let mut scene = host::scene(host, &path)?;
        let run = whole(host, &name, &mut scene)?;
        let met = run.verdicts.iter().filter(|v| v.outcome == Outcome::Met).count();
        checks.push(kept(&name, &scene, met));
        let crossed = scene.world.soft_crossings();
        checks.push(Check::fact(&format!("{name}: crossed triangles"), "0", &crossed.to_string()));
        if name == "spheres" {
            checks.extend(cigars(&scene));
        }
    }
    Ok(checks)
}
