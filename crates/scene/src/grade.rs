//! `speed` and `load` of a pair: how the strength of its section follows both.

use std::sync::Arc;

use asperity_friction::FrictionError;
use asperity_friction::pairing::Fallback;
use asperity_friction::section::{Graded, LoadScaling, Section, Weakening};

use super::format::{POSITIVE, way};
use super::reader::{Fields, Read};
use super::spec::Way;

/// How the strength at rest is lost.
pub(crate) static SPEEDS: [Way<Read<Weakening>>; 2] = [
    way("stick_speed", POSITIVE, "Lost above this slip, m/s.", |fields| {
        fields.number("stick_speed").map(Weakening::Threshold)
    }),
    way(
        "stribeck_speed",
        POSITIVE,
        "Lost over this slip v_s, m/s, as exp(-(v/v_s)^2).",
        |fields| fields.number("stribeck_speed").map(Weakening::Stribeck),
    ),
];

/// The keys of a pair that need a section, and those of sections that say the same.
const GRADES: [(&str, &[&str]); 2] = [
    ("speed", &["static_mu", "stick_speed", "stribeck_speed"]),
    ("load", &["reference_load", "load_exponent"]),
];

/// The rule of an entry, whose section follows speed and load where the entry says so.
pub(crate) fn read(fields: &Fields, rule: Fallback) -> Option<Fallback> {
    let given = GRADES.iter().filter(|(key, _)| fields.has(key));
    let given: Vec<(&str, &[&str])> = given.copied().collect();
    let Some((first, _)) = given.first() else { return Some(rule) };
    let Fallback::Section(section) = rule else {
        let message = format!(
            "\"{first}\" in {} is for a \"section\", not for \"combine\"; give section = {{ model = \"coulomb\", mu = 0.5 }}, or remove it",
            fields.label
        );
        return fields.refuse(first, message);
    };
    for (key, same) in given {
        if let Some(own) = same.iter().find(|own| section_has(fields, own)) {
            let message = format!(
                "{} has \"{key}\", and its section has \"{own}\"; expected only one of them",
                fields.label
            );
            return fields.refuse(key, message);
        }
    }
    let (speed, load) = (speed(fields), load(fields));
    let mut graded = Graded::new(section);
    if fields.has("speed") {
        let (table, rest, weakening) = speed?;
        graded = made(&table, "static", graded.with_speed(rest, weakening))?;
    }
    if fields.has("load") {
        let (table, scaling) = load?;
        graded = made(&table, "reference", graded.with_load(scaling))?;
    }
    let section: Arc<dyn Section> = Arc::new(graded);
    Some(Fallback::Section(section))
}

/// Whether the table of the section has a key.
fn section_has(fields: &Fields, key: &str) -> bool {
    let section = fields.node("section");
    section.and_then(|node| node.value.as_table()).is_some_and(|table| table.contains_key(key))
}

/// `speed`, if it is there: its table, the strength at rest and how that is lost.
fn speed<'a>(fields: &Fields<'a>) -> Option<(Fields<'a>, f64, Weakening)> {
    let table = fields.table("speed")?;
    let weakening = table.way(&SPEEDS).and_then(|read| read(&table));
    let rest = table.number("static");
    Some((table, rest?, weakening?))
}

/// `load`, if it is there, and its table.
fn load<'a>(fields: &Fields<'a>) -> Option<(Fields<'a>, LoadScaling)> {
    let table = fields.table("load")?;
    let (reference, exponent) = (table.number("reference"), table.number("exponent"));
    Some((table, LoadScaling { reference: reference?, exponent: exponent? }))
}

fn made(table: &Fields, key: &str, made: Result<Graded, FrictionError>) -> Option<Graded> {
    made.map_err(|e| table.complain(key, format!("{}: {e}", table.label))).ok()
}
