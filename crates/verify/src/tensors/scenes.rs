//! The other scenes: what they expect, that nothing passes through, and their controls.

use std::path::Path;

use asperity::deform::contact::StageOptions;
use asperity::soft::Soft;
use asperity_scene::{Outcome, Scene};

use super::cigars::cigars;
use super::controls;
use super::rope::Rope;
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
        if scene.world.softs().iter().any(Soft::touches_itself) {
            let crossed = scene.world.soft_crossings();
            let what = format!("{name}: crossed triangles at the end");
            checks.push(Check::fact(&what, "0", &crossed.to_string()));
        }
        match name.as_str() {
            "spheres" => checks.extend(cigars(&scene)),
            "half_pipe" => checks.extend(ropes(&scene)),
            "stripes" => checks.push(untouched(host, &path)?),
            _ => {}
        }
        checks.extend(controls::of(host, &path)?);
    }
    Ok(checks)
}

/// The control of what nothing passes through: the cloth of a scene without contacts with itself.
fn untouched(host: &dyn Host, path: &Path) -> Result<Check, VerifyError> {
    let mut scene = host::scene(host, path)?;
    let options = StageOptions { meshes: false, continuous: false, ..StageOptions::default() };
    scene.world.set_soft_stage(options, 1);
    let label = format!("{}, control: the cloth does not touch itself", stem(path));
    whole(host, &label, &mut scene)?;
    let crossed = scene.world.soft_crossings();
    let what = format!("{label}: crossed triangles");
    Ok(Check::above(&what, 0.5, crossed as f64, ""))
}

/// What `half_pipe.toml` expects, against a rope of its length on its pipe.
fn ropes(scene: &Scene) -> Vec<Check> {
    let rope = Rope { amplitude: 1.0, wave: 8.0, length: 1.0, mu: [0.05, 0.375] };
    let (left, right) = (rope.slide(-1.5, 6.0), rope.slide(1.5, 6.0));
    let found = [left.farthest, left.end, right.farthest, right.end];
    let expected =
        scene.expectations.iter().map(|e| (e.name.clone(), f64::midpoint(e.low, e.high)));
    let check = |((name, expected), found): ((String, f64), f64)| {
        let what = format!("half_pipe: what it expects of {name}, by a rope");
        Check::near(&what, found, expected, 0.002, "m")
    };
    expected.zip(found).map(check).collect()
}
