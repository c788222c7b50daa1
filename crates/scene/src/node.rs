//! Reading values.

use glamx::DVec3;
use toml::de::DeValue;

use super::error::Log;
use super::reader::Fields;
use super::spec::{Form, LARGEST, Range, Spec};

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
    pub(super) fn whole(&self, least: u64, most: u64) -> Option<usize> {
        let integer = self.value.as_integer()?;
        let number = u64::from_str_radix(integer.as_str(), integer.radix()).ok()?;
        (least..=most).contains(&number).then(|| usize::try_from(number).ok()).flatten()
    }

    /// So many numbers.
    pub(crate) fn numbers<const N: usize>(&self, range: Range) -> Option<[f64; N]> {
        let expected = format!("an array of {N} numbers{}", range.words());
        let items = self.items().filter(|items| items.len() == N);
        let Some(items) = items else { return self.expected(&expected) };
        let mut numbers = [0.0; N];
        let mut good = true;
        for (number, item) in numbers.iter_mut().zip(items) {
            match item.number(range) {
                Some(x) => *number = x,
                None => good = false,
            }
        }
        good.then_some(numbers)
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
            None => self.expected(&Form::Table(spec).words()),
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
