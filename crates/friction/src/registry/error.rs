//! Why the values of a model were refused.

use thiserror::Error;

use super::Form;
use super::key::one_of;
use crate::FrictionError;

/// Why the values of a model were refused, and which key is at fault.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{}", self.message("the model"))]
pub struct KeyError {
    /// The key.
    pub key: String,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// It is missing; the model of this name needs it.
    Missing(String, Form),
    /// It belongs to no key of the model of this name, which has these.
    Foreign(String, Vec<&'static str>),
    /// It has another form than this.
    Form(Form),
    /// It is none of these words.
    Unknown(Vec<&'static str>),
    /// This other one is there too.
    Both(&'static str),
    /// This other one is there, and they need each other.
    Apart(&'static str),
    /// It means something only where another key has this value.
    Idle(&'static str, &'static str),
    /// The model does not take it.
    Refused(FrictionError),
}

impl KeyError {
    /// With the key at fault.
    pub fn new(key: &str, fault: Fault) -> KeyError {
        KeyError { key: key.to_owned(), fault }
    }

    /// What is wrong and what was expected; `label` says where, such as "[pair.wood.section]".
    pub fn message(&self, label: &str) -> String {
        let key = &self.key;
        match &self.fault {
            Fault::Missing(model, form) => {
                let form = form.words();
                format!("{label} has no \"{key}\"; the model \"{model}\" needs it, {form}")
            }
            Fault::Foreign(model, own) => format!(
                "\"{key}\" in {label} does not belong to the model \"{model}\"; expected {}",
                one_of(own)
            ),
            Fault::Unknown(words) => format!("\"{key}\" in {label}: expected {}", one_of(words)),
            Fault::Form(form) => format!("\"{key}\" in {label}: expected {}", form.words()),
            Fault::Both(other) => {
                format!("{label} has \"{other}\" and \"{key}\"; expected only one of them")
            }
            Fault::Apart(other) => format!("{label} needs \"{other}\" and \"{key}\" together"),
            Fault::Idle(other, value) => {
                format!("\"{key}\" in {label} is for the {other} \"{value}\"; remove it")
            }
            Fault::Refused(why) => format!("{label}: {why}"),
        }
    }
}

/// Puts the name of the key at fault to an error.
pub(crate) trait AtKey<T> {
    /// This one.
    fn at(self, key: &'static str) -> Result<T, KeyError>;
}

impl<T> AtKey<T> for Result<T, FrictionError> {
    fn at(self, key: &'static str) -> Result<T, KeyError> {
        self.map_err(|why| KeyError::new(key, Fault::Refused(why)))
    }
}
