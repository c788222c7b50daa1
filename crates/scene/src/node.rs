//! Reading values.

use glamx::DVec3;
use toml::de::DeValue;

use super::error::Log;
use super::model;
use super::reader::Fields;
use super::spec::{Form, LARGEST, Plain, Range, Spec};
use super::suggest::hint;
use asperity_friction::registry::Value;

/// A value of the file.
#[derive(Debug, Clone)]
pub(crate) struct Node<'a> {
    pub(super) value: &'a DeValue<'a>,
    /// How messages call it: `"mu" in [pair.wood]`.
    pub(crate) what: String,
    /// Byte of the text.
    pub(crate) at: usize,
    pub(crate) log: &'a Log,
}

impl<'a> Node<'a> {
    /// Notes that something else was expected.
    pub(crate) fn expected<T>(&self, words: &str) -> Option<T> {
        self.log
            .add(self.at, format!("{} is {}; expected {words}", self.what, describe(self.value)));
        None
    }

    /// Notes a problem here.
    pub(crate) fn complain(&self, message: impl Into<String>) {
        self.log.add(self.at, message);
    }

    /// The same, where nothing comes of it.
    pub(crate) fn refuse<T>(&self, message: impl Into<String>) -> Option<T> {
        self.complain(message);
        None
    }

    /// A number.
    pub(crate) fn number(&self, range: Range) -> Option<f64> {
        let number = match self.value {
            DeValue::Float(f) => f.as_str().parse::<f64>().ok(),
            DeValue::Integer(i) => {
                i64::from_str_radix(i.as_str(), i.radix()).ok().map(|i| i as f64)
            }
            _ => None,
        };
        match number {
            Some(x) if range.contains(x) => Some(x),
            Some(x) if x.is_finite() && x.abs() > LARGEST => {
                self.expected(&format!("a number of at most {LARGEST:e}"))
            }
            Some(x) if !x.is_finite() => {
                self.expected(&format!("a finite number{}", range.words()))
            }
            _ => self.expected(&format!("a number{}", range.words())),
        }
    }

    /// A whole number in a range; says nothing if it is not.
    pub(super) fn whole(&self, least: usize, most: usize) -> Option<usize> {
        let integer = self.value.as_integer()?;
        let number = usize::from_str_radix(integer.as_str(), integer.radix()).ok()?;
        (least..=most).contains(&number).then_some(number)
    }

    /// So many numbers.
    pub(crate) fn numbers<const N: usize>(&self, range: Range) -> Option<[f64; N]> {
        self.vector(N, range)?.try_into().ok()
    }

    /// As many numbers as told.
    fn vector(&self, count: usize, range: Range) -> Option<Vec<f64>> {
        let Some(items) = self.items().filter(|items| items.len() == count) else {
            return self.expected(&Plain::Vector(count, range).words());
        };
        // All of them are looked at, so that each that is wrong is told.
        let numbers: Vec<Option<f64>> = items.iter().map(|item| item.number(range)).collect();
        numbers.into_iter().collect()
    }

    /// One of some words.
    pub(crate) fn word<'w>(&self, words: &[&'w str]) -> Option<&'w str> {
        let found = self.value.as_str()?;
        let word = words.iter().copied().find(|word| *word == found);
        if word.is_none() {
            let hint = hint(found, words.iter().copied());
            self.complain(format!("{} is \"{found}\"{hint}", self.what));
        }
        word
    }

    /// A value of a form that models take.
    pub(crate) fn plain(&self, form: Plain) -> Option<Value> {
        match form {
            Plain::Number(range) => self.number(range).map(Value::Number),
            Plain::Vector(count, range) => self.vector(count, range).map(Value::Vector),
            Plain::Matrix => self.matrix().map(Value::Matrix),
            Plain::Word(words) if self.is_text() => self.word(words).map(Value::from),
            Plain::Whole(least, most) => {
                self.whole(least, most).map(Value::Whole).or_else(|| self.expected(&form.words()))
            }
            Plain::Flag => {
                self.value.as_bool().map(Value::Flag).or_else(|| self.expected(&form.words()))
            }
            Plain::Either(forms) => match forms.iter().find(|form| self.resembles(form)) {
                Some(form) => self.plain(*form),
                None => self.expected(&form.words()),
            },
            Plain::Table(keys) => match self.value.as_table() {
                Some(table) => {
                    let fields = Fields::unchecked(table, &self.what, self.at, self.log);
                    fields.refuse_unknown(keys.iter().map(|key| key.name));
                    model::values(&fields, "table", keys).map(Value::Table)
                }
                None => self.expected(&form.words()),
            },
            Plain::Word(_) => self.expected(&form.words()),
        }
    }

    /// Whether it is of the same kind as a form, right or wrong; words must be among those listed.
    fn resembles(&self, form: &Plain) -> bool {
        match form {
            Plain::Number(_) => self.is_number(),
            Plain::Whole(..) => self.value.is_integer(),
            Plain::Word(words) => self.value.as_str().is_some_and(|word| words.contains(&word)),
            Plain::Flag => self.value.is_bool(),
            Plain::Vector(..) | Plain::Matrix => self.is_list(),
            Plain::Table(_) => self.is_table(),
            Plain::Either(forms) => forms.iter().any(|form| self.resembles(form)),
        }
    }

    /// Two rows of two numbers.
    pub(crate) fn matrix(&self) -> Option<[[f64; 2]; 2]> {
        let rows = self.items().unwrap_or_default();
        let [first, second] = rows.as_slice() else {
            return self.expected(&Plain::Matrix.words());
        };
        let (first, second) = (first.numbers(Range::Any), second.numbers(Range::Any));
        Some([first?, second?])
    }

    /// A direction: three numbers, not all zero; made a unit vector.
    pub(crate) fn direction(&self) -> Option<DVec3> {
        let v = DVec3::from_array(self.numbers(Range::Any)?);
        let unit = v.try_normalize();
        unit.or_else(|| self.expected("a direction, not of length zero"))
    }

    /// A string.
    pub(crate) fn text(&self) -> Option<&'a str> {
        self.value.as_str().or_else(|| self.expected("a string"))
    }

    /// Whether it is a string.
    pub(crate) fn is_text(&self) -> bool {
        self.value.is_str()
    }

    /// Whether it is an array.
    pub(crate) fn is_list(&self) -> bool {
        self.value.is_array()
    }

    /// Whether it is a table.
    pub(crate) fn is_table(&self) -> bool {
        self.value.is_table()
    }

    /// Whether it is a number.
    pub(crate) fn is_number(&self) -> bool {
        self.value.is_float() || self.value.is_integer()
    }

    /// A table.
    pub(crate) fn table(&self, spec: &'static Spec, label: &str) -> Option<Fields<'a>> {
        match self.value.as_table() {
            Some(table) => Some(Fields::new(table, spec, label, self.at, self.log)),
            None => self.expected(&Form::Table(spec).describe()),
        }
    }

    /// The values of an array.
    pub(crate) fn list(&self) -> Option<Vec<Node<'a>>> {
        self.items().or_else(|| self.expected("an array"))
    }

    /// The values of an array, if it is one.
    pub(crate) fn items(&self) -> Option<Vec<Node<'a>>> {
        let item = |(i, v): (usize, &'a toml::Spanned<DeValue<'a>>)| Node {
            value: v.get_ref(),
            what: format!("entry {} of {}", i + 1, self.what),
            at: v.span().start,
            log: self.log,
        };
        Some(self.value.as_array()?.iter().enumerate().map(item).collect())
    }
}

/// A value as found, short.
fn describe(value: &DeValue) -> String {
    match value {
        DeValue::String(s) => {
            let short: String = s.chars().take(40).collect();
            let dots = if s.chars().count() > 40 { "…" } else { "" };
            format!("the string {short:?}{dots}")
        }
        DeValue::Integer(i) => i.to_string(),
        DeValue::Float(f) => f.to_string(),
        DeValue::Boolean(b) => b.to_string(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(a) if a.len() <= 4 && a.iter().all(|v| is_plain(v.get_ref())) => {
            let items: Vec<String> = a.iter().map(|v| describe(v.get_ref())).collect();
            format!("[{}]", items.join(", "))
        }
        DeValue::Array(a) => format!("an array of {}", a.len()),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

fn is_plain(value: &DeValue) -> bool {
    value.is_integer() || value.is_float() || value.is_bool()
}
