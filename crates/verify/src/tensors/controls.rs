//! Controls: scenes without what they show. Each must miss something of what the scene expects.

use std::path::Path;

use asperity_scene::{Outcome, Scene};
use toml::{Table, Value};

use super::cigars::cigars;
use crate::host;
use crate::scenes::whole;
use crate::{Check, Host, VerifyError};

/// A scene without what it shows.
struct Control {
    scene: &'static str,
    /// What is changed, in words.
    what: &'static str,
    /// Where it is in the file, and what stands there instead.
    change: &'static [(&'static str, &'static str)],
    /// A body that is left out.
    without: Option<&'static str>,
}

const fn control(
    scene: &'static str,
    what: &'static str,
    change: &'static [(&'static str, &'static str)],
) -> Control {
    Control { scene, what, change, without: None }
}

const EVEN: &str = "[[1, 1, 1, 1], [1, 1, 1, 1]]";

const CONTROLS: &[Control] = &[
    control(
        "half_pipe",
        "one tensor for both senses, the mean",
        &[("material.pipe.tensor", "[[0.375, 0], [0, 0.1]]")],
    ),
    control(
        "stripes",
        "stripes as smooth as the rest",
        &[("texture.stripes.generate.stripes.values", EVEN)],
    ),
    Control { without: Some("rod"), ..control("stripes", "no rod to lift it", &[]) },
    control(
        "incline",
        "warp and weft exchanged",
        &[("material.cloth.tensor", "[[0.5, 0], [0, 0.2]]")],
    ),
    control(
        "printed",
        "friction from the slip that is left",
        &[("world.soft_contact", "\"filter\"")],
    ),
    control(
        "grooves",
        "a board without grooves",
        &[("pair.default.section", "{ model = \"coulomb\", mu = 0.1 }")],
    ),
    control("sleeve_down", "0.75 both ways", &[("material.arm.tensor", "[[0.3, 0], [0, 1.5]]")]),
    control("sleeve_up", "0.05 both ways", &[("material.arm.tensor", "[[0.3, 0], [0, 0.1]]")]),
    control("sleeve_shaken", "0.75 both ways", &[("material.arm.tensor", "[[0.3, 0], [0, 1.5]]")]),
    control(
        "soft_feet",
        "worn rubber everywhere",
        &[("pair.default.section", "{ model = \"coulomb\", mu = 0.2 }")],
    ),
    control("gel", "no friction", &[("pair.default.section", "{ model = \"coulomb\", mu = 0 }")]),
    control("spheres", "all lanes alike", &ALIKE),
];

/// What all lanes of `spheres.toml` have in the control: what the isotropic one has.
const ALIKE: [(&str, &str); 2] = [
    ("material.some.tensor", "[[0.15, 0], [0, 0.15]]"),
    ("material.much.tensor", "[[0.15, 0], [0, 0.15]]"),
];

/// The controls of a scene; each must miss something.
pub(super) fn of(host: &dyn Host, path: &Path) -> Result<Vec<Check>, VerifyError> {
    let name = host::stem(path);
    let mut checks = Vec::new();
    for control in CONTROLS.iter().filter(|c| c.scene == name) {
        let mut scene = changed(host, path, control)?;
        let label = format!("{name}, control: {}", control.what);
        let run = whole(host, &label, &mut scene)?;
        let missed = run.verdicts.iter().filter(|v| v.outcome == Outcome::Missed).count();
        let mut check =
            Check::fact(&label, "missed", if missed > 0 { "missed" } else { "all met" });
        check.allowed = format!("{missed} of {}", run.verdicts.len());
        checks.push(check);
        if name == "spheres" {
            checks.extend(cigars(&scene).into_iter().map(|check| Check {
                what: format!("control, all lanes alike: {}", check.what),
                expected: format!("not: {}", check.expected),
                holds: !check.holds,
                ..check
            }));
        }
    }
    Ok(checks)
}

/// A scene with something else in its place.
fn changed(host: &dyn Host, path: &Path, control: &Control) -> Result<Scene, VerifyError> {
    let wrong = |e: String| host::at(path, &e);
    let mut table: Table =
        host::text(host, path)?.parse().map_err(|e: toml::de::Error| wrong(e.to_string()))?;
    for (place, text) in control.change {
        let line: Table =
            format!("value = {text}").parse().map_err(|e: toml::de::Error| wrong(e.to_string()))?;
        let value = line.get("value").cloned();
        let put = value.is_some_and(|value| put(&mut table, place, value));
        if !put {
            return Err(wrong(format!("has no {place} that the control could change")));
        }
    }
    if let Some(name) = control.without {
        let bodies = table.get_mut("body").and_then(Value::as_array_mut);
        let left_out = bodies.is_some_and(|bodies| {
            let all = bodies.len();
            bodies.retain(|body| body.get("name").and_then(Value::as_str) != Some(name));
            bodies.len() < all
        });
        if !left_out {
            return Err(wrong(format!("has no body \"{name}\" that the control could leave out")));
        }
    }
    let text = toml::to_string(&table).map_err(|e| wrong(e.to_string()))?;
    host::scene_of(host, path, &text)
}

/// Replaces what stands at a place like "material.pipe.tensor"; whether there was something.
fn put(table: &mut Table, place: &str, value: Value) -> bool {
    let mut at = table;
    let mut keys = place.split('.').peekable();
    while let Some(key) = keys.next() {
        let Some(found) = at.get_mut(key) else { return false };
        if keys.peek().is_none() {
            *found = value;
            return true;
        }
        let Some(inner) = found.as_table_mut() else { return false };
        at = inner;
    }
    false
}
