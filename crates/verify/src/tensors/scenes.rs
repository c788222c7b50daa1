//! The other scenes: what they expect, and that nothing passes through.

use std::path::Path;

use asperity_scene::{Outcome, Scene};

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
            checks.push(cigars(&scene));
        }
    }
    Ok(checks)
}

/// Elongation along the tensor's axes grows with anisotropy (Fig. 7).
fn cigars(scene: &Scene) -> Check {
    let value = |name: String| {
        let probe = scene.probes.iter().find(|p| p.name == name);
        probe.map_or(f64::NAN, |p| p.value(&scene.world))
    };
    let longer = ["same", "some", "much"].map(|ball| {
        let (a, b) = (value(format!("{ball}_one")), value(format!("{ball}_other")));
        (a / b).max(b / a)
    });
    Check {
        what: "spheres: length over width, by growing anisotropy".to_owned(),
        expected: "grows".to_owned(),
        found: longer.map(|x| format!("{x:.3}")).join(" "),
        allowed: String::new(),
        holds: longer[0] < longer[1] && longer[1] < longer[2],
    }
}
