//! `extent` and `memory` of a pair: whether its patches carry torque, and whether they remember.

use asperity_friction::memory::{Parameters, Plasticity};
use asperity_friction::pairing::{Extent, Fallback, Memory, check_patch};
use asperity_friction::section::Coulomb;

use super::reader::Fields;
use super::suggest::one_of;

/// Part of the largest deflection below which bristles are elastic, unless said otherwise.
const BREAKAWAY: f64 = 0.9;

/// Reads both. Bristles belong to a whole patch: a pair that remembers carries spin unless it says
/// otherwise, which is refused.
pub(crate) fn read(fields: &Fields) -> Option<(Extent, Memory)> {
    let extent = if fields.has("extent") { Some(extent(fields)?) } else { None };
    let memory = if fields.has("memory") { memory(fields)? } else { Memory::None };
    let remembers = memory != Memory::None;
    let usual = if remembers { Extent::Spin } else { Extent::Point };
    Some((extent.unwrap_or(usual), memory))
}

/// Whether the section of an entry goes with its extent and memory; complains where not.
pub(crate) fn fits(fields: &Fields, rule: &Fallback, extent: Extent, memory: &Memory) -> bool {
    let checked = match rule {
        Fallback::Section(section) => check_patch(section.as_ref(), extent, memory),
        // Combined coefficients are Coulomb friction.
        Fallback::Combine(_) => {
            Coulomb::new(1.0).and_then(|coulomb| check_patch(&coulomb, extent, memory))
        }
    };
    let Err(e) = checked else { return true };
    let key = if fields.has("extent") { "extent" } else { "memory" };
    fields.complain(key, format!("{}: {e}", fields.label));
    false
}

fn extent(fields: &Fields) -> Option<Extent> {
    let model = if fields.node("extent")?.is_table() {
        let table = fields.table("extent")?;
        let model = table.choice("model")?;
        if model == "point" && table.has("pressure") {
            let message = format!("\"pressure\" in {} is for the model \"spin\"", table.label);
            table.complain("pressure", message);
        }
        if table.has("pressure") {
            table.choice("pressure")?;
        }
        model
    } else {
        fields.choice("extent")?
    };
    Some(if model == "spin" { Extent::Spin } else { Extent::Point })
}

fn memory(fields: &Fields) -> Option<Memory> {
    if !fields.node("memory")?.is_table() {
        return Some(match fields.choice("memory")? {
            "none" => Memory::None,
            "lugre" => Memory::Bristles(Parameters::without_stribeck()),
            _ => Memory::Bristles(Parameters::without_stribeck().elasto_plastic(BREAKAWAY)),
        });
    }
    let table = fields.table("memory")?;
    let model = table.choice("model")?;
    let own: &[&str] = match model {
        "none" => &[],
        "lugre" => &["sigma0", "sigma1", "sigma2", "damping_speed"],
        _ => &["sigma0", "sigma1", "sigma2", "damping_speed", "breakaway"],
    };
    for key in ["sigma0", "sigma1", "sigma2", "damping_speed", "breakaway"] {
        if table.has(key) && !own.contains(&key) {
            let expected = if own.is_empty() { "no other key".to_owned() } else { one_of(own) };
            let message = format!(
                "\"{key}\" in {} does not belong to the model \"{model}\"; expected {expected}",
                table.label
            );
            table.complain(key, message);
        }
    }
    let usual = Parameters::without_stribeck();
    let number = |key: &str, usual: f64| {
        if table.has(key) { table.number(key) } else { Some(usual) }
    };
    let [stiffness, damping, viscosity, breakaway] = [
        number("sigma0", usual.stiffness),
        number("sigma1", usual.damping),
        number("sigma2", usual.viscosity),
        number("breakaway", BREAKAWAY),
    ];
    let falls = table.has("damping_speed");
    let damping_speed = table.number("damping_speed");
    if falls && damping_speed.is_none() {
        return None;
    }
    let plasticity =
        if model == "lugre" { Plasticity::Always } else { Plasticity::Above(breakaway?) };
    let parameters = Parameters {
        stiffness: stiffness?,
        damping: damping?,
        viscosity: viscosity?,
        damping_speed,
        plasticity,
        ..usual
    };
    if let Err(e) = parameters.check() {
        table.complain("breakaway", format!("{}: {e}", table.label));
        return None;
    }
    Some(if model == "none" { Memory::None } else { Memory::Bristles(parameters) })
}
