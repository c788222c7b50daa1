//! The other scenes: what they expect, and that nothing passes through.

use std::path::Path;

use asperity_scene::{Outcome, Scene};

use crate::error::CliError;
use crate::run::load::load_scene;
use crate::run::simulate::{Plan, simulate};
use crate::verify::Check;
use crate::verify::scenes::paths;

/// Runs every scene but the drapes, unless `full`.
pub(super) fn scenes(folder: &Path, full: bool) -> Result<Vec<Check>, CliError> {
    let mut checks = Vec::new();
    for path in paths(folder)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("drape") && !full {
            continue;
        }
        let mut scene = load_scene(&path)?;
        let plan = Plan::new(&scene, None, 1)?;
        let outcome = simulate(&mut scene, &plan);
        let all = scene.expectations.len();
        let met = outcome.verdicts.iter().filter(|v| v.outcome == Outcome::Met).count();
        checks.push(Check::fact(&name, &format!("{all} of {all}"), &format!("{met} of {all}")));
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
