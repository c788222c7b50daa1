//! What was read for the keys of a model.

use glamx::DMat2;

use super::{Fault, KeyError};

/// A value that was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(usize),
    /// A word.
    Word(String),
    /// Yes or no.
    Flag(bool),
    /// Some numbers.
    Vector(Vec<f64>),
    /// Two rows of two numbers.
    Matrix([[f64; 2]; 2]),
    /// A table.
    Table(Values),
}

/// The values of a model's keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Values {
    list: Vec<(String, Value)>,
}

impl Values {
    /// None.
    pub fn new() -> Values {
        Values::default()
    }

    /// The same and one more; one of the same name goes.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Values {
        self.set(key, value);
        self
    }

    /// Adds a value; one of the same name goes.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.list.retain(|(name, _)| name != key);
        self.list.push((key.to_owned(), value.into()));
    }

    /// A value by its name.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.list.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Whether there is a value.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|(name, _)| name.as_str())
    }

    /// A number that may be left out.
    pub fn number(&self, key: &str) -> Option<f64> {
        match self.get(key)? {
            Value::Number(x) => Some(*x),
            _ => None,
        }
    }

    /// A number that is there, because its key is required or has a preset; else NaN, which every
    /// constructor refuses.
    pub fn given(&self, key: &str) -> f64 {
        self.number(key).unwrap_or(f64::NAN)
    }

    /// A whole number; zero where there is none.
    pub fn whole(&self, key: &str) -> usize {
        match self.get(key) {
            Some(Value::Whole(n)) => *n,
            _ => 0,
        }
    }

    /// What the word of a key stands for in a list of all its words.
    pub fn choice<T: Clone>(
        &self,
        key: &str,
        choices: &[(&'static str, T)],
    ) -> Result<T, KeyError> {
        let found = choices.iter().find(|(word, _)| self.get(key) == Some(&Value::from(*word)));
        let words = || choices.iter().map(|(word, _)| *word).collect();
        let unknown = || KeyError::new(key, Fault::Unknown(words()));
        found.map(|(_, meaning)| meaning.clone()).ok_or_else(unknown)
    }

    /// Whether a flag is set.
    pub fn flag(&self, key: &str) -> bool {
        self.get(key) == Some(&Value::Flag(true))
    }

    /// Just so many numbers.
    pub fn vector<const N: usize>(&self, key: &str) -> Option<[f64; N]> {
        match self.get(key)? {
            Value::Vector(list) => list.as_slice().try_into().ok(),
            _ => None,
        }
    }

    /// A matrix, given by rows.
    pub fn matrix(&self, key: &str) -> Option<DMat2> {
        match self.get(key)? {
            Value::Matrix(rows) => Some(DMat2::from_cols_array_2d(rows).transpose()),
            _ => None,
        }
    }

    /// A table.
    pub fn table(&self, key: &str) -> Option<&Values> {
        match self.get(key)? {
            Value::Table(values) => Some(values),
            _ => None,
        }
    }
}

macro_rules! into_value {
    ($($from:ty => $variant:ident),+) => {
        $(impl From<$from> for Value {
            fn from(value: $from) -> Value {
                Value::$variant(value.into())
            }
        })+
    };
}
into_value!(f64 => Number, usize => Whole, &str => Word, bool => Flag, Vec<f64> => Vector,
    [[f64; 2]; 2] => Matrix, Values => Table);
