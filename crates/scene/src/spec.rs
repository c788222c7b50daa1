//! The words in which the scene format is described. The reader checks files against these
//! descriptions, and the JSON Schema is made from them.

/// A table of the format.
#[derive(Debug)]
pub(crate) struct Spec {
    /// Name of the definition in the schema.
    pub(crate) name: &'static str,
    /// What it is.
    pub(crate) doc: &'static str,
    /// Its keys.
    pub(crate) keys: &'static [Key],
    /// Exactly one of these keys must be there, unless empty.
    pub(crate) one_of: &'static [&'static str],
}

/// A key of a table.
#[derive(Debug)]
pub(crate) struct Key {
    /// As written in the file.
    pub(crate) name: &'static str,
    /// What it holds.
    pub(crate) form: Form,
    /// Whether it must be there.
    pub(crate) need: Need,
    /// What it means, with its unit and default.
    pub(crate) doc: &'static str,
}

/// Whether a key must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Must be there.
    Required,
    /// May be there.
    Optional,
    /// Belongs to the format, but is not supported yet: refused.
    Later,
}

/// What a value looks like.
#[derive(Debug)]
pub(crate) enum Form {
    /// A finite number.
    Number(Range),
    /// A whole number, least and greatest.
    Whole(u64, u64),
    /// A string.
    Text,
    /// true or false.
    Flag,
    /// One of some words; the second list is not supported yet.
    Choice(&'static [&'static str], &'static [&'static str]),
    /// An array of so many numbers.
    Vector(usize, Range),
    /// An array of so many whole numbers from 1 to a greatest.
    Wholes(usize, u64),
    /// An array of any length.
    List(&'static Form),
    /// A table.
    Table(&'static Spec),
    /// A table of tables with names that the file chooses.
    Named(&'static Spec),
    /// Any of these.
    Either(&'static [Form]),
}

/// Which numbers are accepted; all are finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Range {
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
pub(crate) const LARGEST: f64 = 1e15;

impl Spec {
    /// A key by its name.
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

impl Range {
    /// Whether a number is accepted.
    pub(crate) fn contains(self, x: f64) -> bool {
        let inside = match self {
            Range::Any => true,
            Range::NonNegative => x >= 0.0,
            Range::Positive => x > 0.0,
            Range::Unit => (0.0..=1.0).contains(&x),
        };
        inside && x.abs() <= LARGEST
    }

    /// In words, after "a number".
    pub(crate) fn words(self) -> &'static str {
        match self {
            Range::Any => "",
            Range::NonNegative => ", zero or more",
            Range::Positive => " above zero",
            Range::Unit => " from 0 to 1",
        }
    }
}

impl Form {
    /// Which numbers a number or vector of this form may hold.
    pub(crate) fn range(&self) -> Range {
        match self {
            Form::Number(range) | Form::Vector(_, range) => *range,
            Form::List(form) => form.range(),
            Form::Either(forms) => forms
                .iter()
                .find(|form| matches!(form, Form::Number(_) | Form::Vector(..)))
                .map_or(Range::Any, Form::range),
            _ => Range::Any,
        }
    }

    /// The table among the forms.
    pub(crate) fn table(&self) -> Option<&'static Spec> {
        match self {
            Form::Table(spec) | Form::Named(spec) => Some(spec),
            Form::List(form) => form.table(),
            Form::Either(forms) => forms.iter().find_map(Form::table),
            _ => None,
        }
    }

    /// In words, for messages.
    pub(crate) fn words(&self) -> String {
        match self {
            Form::Number(range) => format!("a number{}", range.words()),
            Form::Whole(least, most) if least == most => format!("the number {least}"),
            Form::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Form::Text => "a string".to_owned(),
            Form::Flag => "true or false".to_owned(),
            Form::Choice(now, _) => super::suggest::one_of(now),
            Form::Vector(n, range) => format!("an array of {n} numbers{}", range.words()),
            Form::Wholes(n, most) => format!("an array of {n} whole numbers from 1 to {most}"),
            Form::List(form) => format!("an array, each {}", form.words()),
            Form::Table(spec) if !spec.one_of.is_empty() => {
                format!("a table with {}", super::suggest::one_of(spec.one_of))
            }
            Form::Table(spec) => {
                let first: Vec<&str> = spec.keys.iter().take(3).map(|key| key.name).collect();
                format!("a table with keys such as {}", super::suggest::one_of(&first))
            }
            Form::Named(spec) => format!("tables with names of your choice, each {}", spec.doc),
            Form::Either(forms) => forms.iter().map(Form::words).collect::<Vec<_>>().join(", or "),
        }
    }
}
