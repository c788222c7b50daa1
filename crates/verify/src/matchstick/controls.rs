//! Controls without what a scene shows: with one coefficient for all directions no scene does what it expects.

use std::path::{Path, PathBuf};

use asperity::glamx::DVec3;
use asperity_scene::{Outcome, Scene};
use toml::{Table, Value};

use crate::host::{self, stem};
use crate::scenes::{paths, whole};
use crate::{Check, Host, VerifyError};

/// Every scene with one coefficient in place of three: each must miss something.
pub(super) fn isotropic(host: &dyn Host, scenes: &Path) -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    // Those that are controls themselves show no effect.
    let shown = |path: &PathBuf| !stem(path).ends_with("_control");
    for path in paths(host, scenes)?.into_iter().filter(shown) {
        let text = host::text(host, &path)?;
        for (name, of) in COEFFICIENTS {
            let mut scene = host::scene_of(host, &path, &with_one(&text, of, &path)?)?;
            let label = format!("{}, {name}", stem(&path));
            let run = whole(host, &label, &mut scene)?;
            let missed = run.verdicts.iter().filter(|v| v.outcome == Outcome::Missed).count();
            let verdict = if missed > 0 { "missed" } else { "all met" };
            let mut check = Check::fact(&label, "missed", verdict);
            check.allowed = format!("{missed} of {}", run.verdicts.len());
            checks.push(check);
        }
    }
    Ok(checks)
}

/// One number for three coefficients: crossed, along, across.
type One = fn([f64; 3]) -> f64;

const COEFFICIENTS: [(&str, One); 4] = [
    ("mu everywhere", |[mu, _, _]| mu),
    ("mu_t everywhere", |[_, along, _]| along),
    ("mu_b everywhere", |[_, _, across]| across),
    ("their mean everywhere", |all| all.iter().sum::<f64>() / 3.0),
];

/// The text of a scene whose matchstick sections have one coefficient.
fn with_one(text: &str, one: One, path: &Path) -> Result<String, VerifyError> {
    let wrong = |e: &dyn std::fmt::Display| host::at(path, &e.to_string());
    let mut table: Table = text.parse().map_err(|e: toml::de::Error| wrong(&e))?;
    let pairs = table.get_mut("pair").and_then(Value::as_table_mut);
    for (_, pair) in pairs.into_iter().flatten() {
        let Some(section) = pair.get_mut("section").and_then(Value::as_table_mut) else { continue };
        if section.get("model").and_then(Value::as_str) != Some("matchstick") {
            continue;
        }
        let number = |value: &Value| value.as_float().or(value.as_integer().map(|i| i as f64));
        let names = ["mu", "mu_t", "mu_b"];
        let found = names.map(|name| section.get(name).and_then(number).unwrap_or(f64::NAN));
        let value = one(found);
        for name in names {
            section.insert(name.to_owned(), Value::Float(value));
        }
        // Nor a torque that depends on grains.
        section.remove("drilling");
    }
    toml::to_string(&table).map_err(|e| wrong(&e))
}

/// How pills slip along the wall of a hopper and how they lie there: the grain of the wall leads them, whatever
/// their coefficients, and with one coefficient for all directions nothing does.
pub(super) fn hopper(host: &dyn Host, scenes: &Path) -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    for (file, flows) in [("hopper_flow.toml", true), ("hopper_jam.toml", false)] {
        let path = scenes.join(file);
        let name = stem(&path);
        let text = host::text(host, &path)?;
        let found = at_wall(&mut host::scene(host, &path)?);
        checks.push(judged(&format!("{name}: slip around : down the wall"), found, flows));
        for (how, of) in COEFFICIENTS {
            let mut scene = host::scene_of(host, &path, &with_one(&text, of, &path)?)?;
            let found = at_wall(&mut scene);
            let told_apart = !judged("", found, flows).holds;
            let what = format!("{name}, {how}: slip {found:.2}, told apart");
            checks.push(Check::fact(&what, "yes", if told_apart { "yes" } else { "no" }));
        }
    }
    Ok(checks)
}

/// Where the grain runs down the wall pills hardly slip around it; where it runs around, hardly down.
fn judged(what: &str, found: f64, flows: bool) -> Check {
    let (holds, allowed) = if flows { (found < 0.15, "< 0.15") } else { (found > 2.0, "> 2") };
    Check {
        what: what.to_owned(),
        expected: if flows { "0" } else { "far above 1" }.to_owned(),
        found: format!("{found:.3}"),
        allowed: allowed.to_owned(),
        holds,
    }
}

/// Slip of pills around the funnel over that down its wall, medians of all contacts from 0.5 to 0.9 s.
fn at_wall(scene: &mut Scene) -> f64 {
    let (mut around, mut down) = (Vec::new(), Vec::new());
    let funnel = scene.world.find("funnel");
    while scene.world.time() < 0.9 {
        scene.world.step();
        if scene.world.time() < 0.5 {
            continue;
        }
        for contact in scene.world.contacts() {
            let loaded = contact.load > 0.0;
            if !loaded || !contact.bodies.iter().any(|k| Some(*k) == funnel.map(|id| id.0)) {
                continue;
            }
            let ring = DVec3::Y.cross(contact.point).normalize_or_zero();
            around.push(contact.slip.dot(ring).abs());
            down.push(contact.slip.reject_from(ring).length());
        }
    }
    median(around) / median(down)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
