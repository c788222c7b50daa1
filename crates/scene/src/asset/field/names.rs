//! The names of the language of expressions, and what they stand for.

use std::f64::consts::PI;

use super::expression::{Function, Step};

/// What a name stands for.
pub(super) enum Meaning {
    /// A variable or a constant.
    Value(Step),
    /// A function, which needs arguments.
    Function(Function),
}

/// All names of the language.
const NAMES: [(&str, Meaning); 18] = [
    ("x", Meaning::Value(Step::Coordinate(0))),
    ("y", Meaning::Value(Step::Coordinate(1))),
    ("z", Meaning::Value(Step::Coordinate(2))),
    ("t", Meaning::Value(Step::Time)),
    ("pi", Meaning::Value(Step::Number(PI))),
    ("sin", Meaning::Function(Function::Sin)),
    ("cos", Meaning::Function(Function::Cos)),
    ("tan", Meaning::Function(Function::Tan)),
    ("atan2", Meaning::Function(Function::Atan2)),
    ("sqrt", Meaning::Function(Function::Sqrt)),
    ("abs", Meaning::Function(Function::Abs)),
    ("exp", Meaning::Function(Function::Exp)),
    ("log", Meaning::Function(Function::Log)),
    ("min", Meaning::Function(Function::Min)),
    ("max", Meaning::Function(Function::Max)),
    ("step", Meaning::Function(Function::Step)),
    ("mod", Meaning::Function(Function::Mod)),
    ("clamp", Meaning::Function(Function::Clamp)),
];

/// What a name stands for, if anything.
pub(super) fn meaning(name: &str) -> Option<&'static Meaning> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, meaning)| meaning)
}

/// The name that was probably meant: the nearest, if at most two edits and fewer than half of
/// the letters away. Of several, one that starts with what is there.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    let letters: String = name.chars().take(20).flat_map(char::to_lowercase).collect();
    NAMES
        .iter()
        .map(|(known, _)| (strsim::levenshtein(&letters, known), *known))
        .min_by_key(|(edits, known)| (*edits, !known.starts_with(name)))
        .filter(|(edits, _)| *edits <= 2 && 2 * edits < letters.chars().count())
        .map(|(_, known)| known)
}
