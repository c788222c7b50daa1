//! Numbers that follow time.

use super::format::motion::CURVE;
use super::node::Node;
use super::spec::Range;
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
    let wave = |key: &str| Some(fields.vector(key)?.to_array());
    match fields.alternative()? {
        "cosine" => {
            let [mean, amplitude, frequency] = wave("cosine")?;
            return Some(Profile::Cosine { mean, amplitude, frequency });
        }
        "sine" => {
            let [mean, amplitude, frequency] = wave("sine")?;
            return Some(Profile::Sine { mean, amplitude, frequency });
        }
        _ => {}
    }
    let rows = fields.list("table");
    if rows.is_empty() {
        return fields.node("table")?.expected("at least one row [time, value]");
    }
    let mut table: Vec<[f64; 2]> = Vec::new();
    for row in &rows {
        let numbers: [f64; 2] = row.numbers(Range::Any)?;
        if table.last().is_some_and(|last| !(last[0] < numbers[0])) {
            row.complain(format!(
                "{}: time {} is not after the one before; expected growing times",
                row.what, numbers[0]
            ));
            return None;
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
