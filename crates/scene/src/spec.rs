//! The words in which the scene format is described. The reader checks files against these
//! descriptions, and the JSON Schema and the tables of the manual are made from them.

pub(crate) use asperity_friction::registry::{
    Entry, Form as Plain, LARGEST, Range, words as names,
};

use super::suggest::one_of;

/// A table of the format.
#[derive(Debug)]
pub(crate) struct Spec {
    /// Name of the definition in the schema.
    pub(crate) name: &'static str,
    /// What it is.
    pub(crate) doc: &'static str,
    /// Its keys.
    pub(crate) keys: &'static [Key],
    /// Further keys, of which exactly one must be there, unless empty.
    pub(crate) one_of: &'static [Key],
    /// Further keys that tables of some kinds have and others do not, by kind.
    pub(crate) kinds: &'static [&'static [Key]],
}

/// A key of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    /// As written in the file.
    pub(crate) name: &'static str,
    /// What it holds.
    pub(crate) form: Form,
    /// Whether it must be there.
    pub(crate) required: bool,
    /// What it means, with its unit and default.
    pub(crate) doc: &'static str,
}

/// One of the keys of which a table must have exactly one, and what it stands for: a variant of an
/// enum, or what reads it.
#[derive(Debug)]
pub(crate) struct Way<T> {
    /// The key.
    pub(crate) key: Key,
    /// What it stands for.
    pub(crate) then: T,
}

/// What a value looks like.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    /// What the keys of friction models hold, too: numbers, words, flags, vectors.
    Plain(Plain),
    /// A string.
    Text,
    /// An array of so many whole numbers from 1 to a greatest.
    Wholes(usize, usize),
    /// An array of any length.
    List(&'static Form),
    /// A table.
    Table(&'static Spec),
    /// One of some models: its name, or a table with its name and its own keys.
    Model(&'static Models),
    /// A table of tables with names that the file chooses.
    Named(&'static Spec),
    /// Any of these.
    Either(&'static [Form]),
}

/// Models of which a file names one, each with keys of its own.
#[derive(Debug)]
pub(crate) struct Models {
    /// Name of the definition in the schema.
    pub(crate) name: &'static str,
    /// What they are.
    pub(crate) doc: &'static str,
    /// All of them.
    pub(crate) entries: fn() -> Vec<Entry>,
    /// Whether the name alone will do, without a table.
    pub(crate) by_name: bool,
}

impl Spec {
    /// All keys, each once.
    pub(crate) fn all(&self) -> impl Iterator<Item = &'static Key> {
        let mut all: Vec<_> = self.one_of.iter().chain(self.keys).collect();
        for key in self.kinds.iter().copied().flatten() {
            if !all.iter().any(|other| other.name == key.name) {
                all.push(key);
            }
        }
        all.into_iter()
    }

    /// A key by its name.
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.all().find(|key| key.name == name)
    }

    /// Names of the keys of which one must be there.
    pub(crate) fn ways(&self) -> Vec<&'static str> {
        self.one_of.iter().map(|key| key.name).collect()
    }
}

impl Models {
    /// All names.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        (self.entries)().iter().map(|entry| entry.name).collect()
    }

    /// Names of the keys that a table may have: `model`, and those of any of the models, each once.
    pub(crate) fn keys(&self) -> Vec<&'static str> {
        let mut names = vec!["model"];
        for key in (self.entries)().iter().flat_map(|entry| entry.keys) {
            if !names.contains(&key.name) {
                names.push(key.name);
            }
        }
        names
    }
}

impl Form {
    /// Which numbers a number or vector of this form may hold.
    pub(crate) fn range(&self) -> Range {
        self.own_range().unwrap_or(Range::Any)
    }

    fn own_range(&self) -> Option<Range> {
        match self {
            Form::Plain(Plain::Number(range) | Plain::Vector(_, range)) => Some(*range),
            Form::List(form) => form.own_range(),
            Form::Either(forms) => forms.iter().find_map(Form::own_range),
            _ => None,
        }
    }

    /// The words among the forms.
    pub(crate) fn words(&self) -> Option<&'static [&'static str]> {
        match self {
            Form::Plain(Plain::Word(words)) => Some(words),
            Form::Plain(Plain::Either(forms)) => {
                forms.iter().find_map(|form| Form::Plain(*form).words())
            }
            Form::Either(forms) => forms.iter().find_map(Form::words),
            _ => None,
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

    /// In plain English, for messages.
    pub(crate) fn describe(&self) -> String {
        match self {
            Form::Plain(plain) => plain.words(),
            Form::Text => "a string".to_owned(),
            Form::Wholes(n, most) => format!("an array of {n} whole numbers from 1 to {most}"),
            Form::List(form) => format!("an array, each {}", form.describe()),
            Form::Table(spec) if !spec.one_of.is_empty() => {
                format!("a table with {}", one_of(&spec.ways()))
            }
            Form::Table(spec) => {
                let first: Vec<&str> = spec.keys.iter().take(3).map(|key| key.name).collect();
                format!("a table with keys such as {}", one_of(&first))
            }
            Form::Model(models) => {
                let keys = models.keys();
                let table =
                    format!("a table with keys such as {}", one_of(&keys[..keys.len().min(3)]));
                if models.by_name {
                    format!("{}, or {table}", one_of(&models.names()))
                } else {
                    table
                }
            }
            Form::Named(spec) => format!("tables with names of your choice, each {}", spec.doc),
            Form::Either(forms) => {
                forms.iter().map(Form::describe).collect::<Vec<_>>().join(", or ")
            }
        }
    }
}

/// The keys of some ways.
pub(crate) const fn keys<T, const N: usize>(ways: &[Way<T>; N]) -> [Key; N] {
    let mut keys = [ways[0].key; N];
    let mut k = 1;
    while k < N {
        keys[k] = ways[k].key;
        k += 1;
    }
    keys
}
