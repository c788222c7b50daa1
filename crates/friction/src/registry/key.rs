//! The keys of a model: what they hold, in which unit, and what they are unless given.

use super::Value;

/// A key of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// As written in files.
    pub name: &'static str,
    /// What it holds.
    pub form: Form,
    /// Its unit; empty for plain numbers and words.
    pub unit: &'static str,
    /// What it is unless given.
    pub preset: Preset,
    /// What it means, in one line.
    pub doc: &'static str,
}

/// What a key is unless given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Preset {
    /// It must be given.
    Required,
    /// Nothing; the line about the key says what that means.
    Nothing,
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(usize),
    /// A word.
    Word(&'static str),
    /// Yes or no.
    Flag(bool),
}

/// What a value looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    /// A finite number.
    Number(Range),
    /// A whole number, least and greatest.
    Whole(usize, usize),
    /// One of some words.
    Word(&'static [&'static str]),
    /// true or false.
    Flag,
    /// So many numbers.
    Vector(usize, Range),
    /// Two rows of two numbers.
    Matrix,
    /// A table with keys of its own.
    Table(&'static [Key]),
    /// Any of these.
    Either(&'static [Form]),
}

/// Which numbers are accepted; all are finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// Any.
    Any,
    /// Zero or more.
    NonNegative,
    /// Above zero.
    Positive,
    /// From 0 to 1.
    Unit,
}

/// Numbers larger than this are taken for mistakes: their products would not be finite.
pub const LARGEST: f64 = 1e15;

impl Key {
    /// A key that must be given.
    pub const fn required(name: &'static str, form: Form, unit: &'static str) -> Key {
        Key { name, form, unit, preset: Preset::Required, doc: "" }
    }

    /// A key that need not be given.
    pub const fn optional(name: &'static str, form: Form, unit: &'static str) -> Key {
        Key { name, form, unit, preset: Preset::Nothing, doc: "" }
    }

    /// The same with what it is unless given.
    #[must_use]
    pub const fn or(self, preset: Preset) -> Key {
        Key { preset, ..self }
    }

    /// The same with one line on what it means.
    #[must_use]
    pub const fn about(self, doc: &'static str) -> Key {
        Key { doc, ..self }
    }

    /// Whether it must be given.
    pub fn is_required(&self) -> bool {
        self.preset == Preset::Required
    }

    /// The line about it, with unit and preset: `slip below which …, m/s; default 0.0001`.
    pub fn line(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(", {}", self.unit) };
        let preset = match self.preset {
            Preset::Required | Preset::Nothing | Preset::Flag(false) => String::new(),
            Preset::Number(x) => format!("; default {x:?}"),
            Preset::Whole(n) => format!("; default {n}"),
            Preset::Word(word) => format!("; default \"{word}\""),
            Preset::Flag(true) => "; default true".to_owned(),
        };
        format!("{}{unit}{preset}", self.doc)
    }
}

impl Preset {
    /// As a value, where it has one.
    pub fn value(&self) -> Option<Value> {
        match self {
            Preset::Required | Preset::Nothing => None,
            Preset::Number(x) => Some(Value::Number(*x)),
            Preset::Whole(n) => Some(Value::Whole(*n)),
            Preset::Word(word) => Some(Value::Word((*word).to_owned())),
            Preset::Flag(flag) => Some(Value::Flag(*flag)),
        }
    }
}

impl Form {
    /// Whether a value has this form.
    pub fn accepts(&self, value: &Value) -> bool {
        match (self, value) {
            (Form::Number(range), Value::Number(x)) => range.contains(*x),
            (Form::Whole(least, most), Value::Whole(n)) => (least..=most).contains(&n),
            (Form::Word(words), Value::Word(word)) => words.contains(&word.as_str()),
            (Form::Flag, Value::Flag(_)) => true,
            (Form::Vector(count, range), Value::Vector(list)) => {
                list.len() == *count && list.iter().all(|x| range.contains(*x))
            }
            (Form::Matrix, Value::Matrix(rows)) => {
                rows.iter().flatten().all(|x| Range::Any.contains(*x))
            }
            (Form::Table(keys), Value::Table(values)) => {
                super::check("table", keys, values).is_ok()
            }
            (Form::Either(forms), value) => forms.iter().any(|form| form.accepts(value)),
            _ => false,
        }
    }

    /// The keys of the table among the forms.
    pub fn table(&self) -> Option<&'static [Key]> {
        match self {
            Form::Table(keys) => Some(keys),
            Form::Either(forms) => forms.iter().find_map(Form::table),
            _ => None,
        }
    }

    /// In words, for messages.
    pub fn words(&self) -> String {
        match self {
            Form::Number(range) => format!("a number{}", range.words()),
            Form::Whole(least, most) if least == most => format!("the number {least}"),
            Form::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Form::Word(words) => one_of(words),
            Form::Flag => "true or false".to_owned(),
            Form::Vector(count, range) => format!("an array of {count} numbers{}", range.words()),
            Form::Matrix => "two rows of two numbers, [[a, b], [c, d]]".to_owned(),
            Form::Table(keys) => {
                let names: Vec<&str> = keys.iter().take(3).map(|key| key.name).collect();
                format!("a table with keys such as {}", one_of(&names))
            }
            Form::Either(forms) => forms.iter().map(Form::words).collect::<Vec<_>>().join(", or "),
        }
    }
}

impl Range {
    /// Whether a number is accepted.
    pub fn contains(self, x: f64) -> bool {
        let inside = match self {
            Range::Any => true,
            Range::NonNegative => x >= 0.0,
            Range::Positive => x > 0.0,
            Range::Unit => (0.0..=1.0).contains(&x),
        };
        inside && x.abs() <= LARGEST
    }

    /// In words, after "a number".
    pub fn words(self) -> &'static str {
        match self {
            Range::Any => "",
            Range::NonNegative => ", zero or more",
            Range::Positive => " above zero",
            Range::Unit => " from 0 to 1",
        }
    }
}

/// The words of a list of words and what they stand for, for [`Form::Word`].
pub const fn words<T, const N: usize>(choices: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut k = 0;
    while k < N {
        words[k] = choices[k].0;
        k += 1;
    }
    words
}

/// Words with quotes, commas and an "or".
pub(super) fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.as_slice() {
        [] => "no other key".to_owned(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}
