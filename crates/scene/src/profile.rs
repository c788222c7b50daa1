//! Numbers that follow time.

use super::format::motion::CURVE;
use super::format::{PAIR, VECTOR, way};
use super::node::Node;
use super::reader::{Fields, Read};
use super::spec::{Form, Range, Way};
use asperity::profile::Profile;

/// A number, or a curve.
pub(crate) fn read(node: &Node) -> Option<Profile> {
    if node.is_number() {
        return node.number(Range::Any).map(Profile::Constant);
    }
    if !node.is_table() {
        return node.expected(
            "a number, { cosine = [mean, amplitude, hertz] }, { sine = [...] } or { table = [[time, value], ...] }",
        );
    }
    let fields = node.table(&CURVE, &node.what)?;
    fields.way(&CURVES)?(&fields)
}

/// Curves by name.
pub(crate) static CURVES: [Way<Read<Profile>>; 3] = [
    way("cosine", VECTOR, "Mean, amplitude, hertz: mean + amplitude cos(2π hertz t).", |fields| {
        let [mean, amplitude, frequency] = fields.vector("cosine")?.to_array();
        Some(Profile::Cosine { mean, amplitude, frequency })
    }),
    way("sine", VECTOR, "Mean, amplitude, hertz: mean + amplitude sin(2π hertz t).", |fields| {
        let [mean, amplitude, frequency] = fields.vector("sine")?.to_array();
        Some(Profile::Sine { mean, amplitude, frequency })
    }),
    way("table", Form::List(&PAIR), "Times and values; straight lines between.", rows),
];

/// Times and values.
fn rows(fields: &Fields) -> Option<Profile> {
    let rows = fields.list("table");
    if rows.is_empty() {
        return fields.node("table")?.expected("at least one row [time, value]");
    }
    let mut table: Vec<[f64; 2]> = Vec::new();
    for row in &rows {
        let numbers: [f64; 2] = row.numbers(Range::Any)?;
        if table.last().is_some_and(|last| !(last[0] < numbers[0])) {
            return row.refuse(format!(
                "{}: time {} is not after the one before; expected growing times",
                row.what, numbers[0]
            ));
        }
        table.push(numbers);
    }
    Some(Profile::Table(table))
}

/// The same curve in other units.
pub(crate) fn scaled(profile: Profile, factor: f64) -> Profile {
    match profile {
        Profile::Constant(value) => Profile::Constant(value * factor),
        Profile::Cosine { mean, amplitude, frequency } => {
            Profile::Cosine { mean: mean * factor, amplitude: amplitude * factor, frequency }
        }
        Profile::Sine { mean, amplitude, frequency } => {
            Profile::Sine { mean: mean * factor, amplitude: amplitude * factor, frequency }
        }
        Profile::Table(rows) => {
            Profile::Table(rows.into_iter().map(|[t, v]| [t, v * factor]).collect())
        }
    }
}
