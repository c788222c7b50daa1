//! The models by name, each declared once, in its own file: what it is, its keys, how it is made.
//!
//! Readers of files, schemas, command lines and tables in documents are made from this.
//!
//! ```
//! use asperity_friction::registry::{Values, find};
//! use asperity_friction::section::SECTIONS;
//!
//! let model = find(SECTIONS, "coulomb").unwrap();
//! let section = model.build(Values::new().with("mu", 0.5).with("static_mu", 0.7))?;
//! assert_eq!(section.name(), "coulomb");
//! let wrong = model.build(Values::new().with("mu", 0.5).with("mu_t", 0.1)).unwrap_err();
//! assert_eq!(wrong.key, "mu_t");
//! # Ok::<(), asperity_friction::registry::KeyError>(())
//! ```

mod error;
mod key;
mod values;

pub(crate) use error::AtKey;
pub use error::{Fault, KeyError};
pub use key::{Form, Key, LARGEST, Preset, Range, words};
pub use values::{Value, Values};

/// A model that can be asked for by name; `T` is what it makes.
#[derive(Debug)]
pub struct Model<T: 'static> {
    /// As written in files.
    pub name: &'static str,
    /// What it is, in one line.
    pub doc: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
    /// Makes it of values that fit the keys, presets filled in.
    pub make: fn(&Values) -> Result<T, KeyError>,
}

/// What a model is called and which keys it has, without how it is made: for schemas and tables.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// As written in files.
    pub name: &'static str,
    /// What it is, in one line.
    pub doc: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
}

impl<T> Model<T> {
    /// Its name, line and keys.
    pub const fn entry(&self) -> Entry {
        Entry { name: self.name, doc: self.doc, keys: self.keys }
    }

    /// A key by its name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// The model with these values; an error that names the first key at fault.
    pub fn build(&self, values: Values) -> Result<T, KeyError> {
        check(self.name, self.keys, &values)?;
        (self.make)(&filled(self.keys, values))
    }
}

/// A model of a list by its name.
pub fn find<T>(models: &[&'static Model<T>], name: &str) -> Option<&'static Model<T>> {
    models.iter().copied().find(|model| model.name == name)
}

/// Whether values fit keys.
fn check(model: &str, keys: &[Key], values: &Values) -> Result<(), KeyError> {
    for name in values.names() {
        if !keys.iter().any(|key| key.name == name) {
            let own = keys.iter().map(|key| key.name).collect();
            return Err(KeyError::new(name, Fault::Foreign(model.to_owned(), own)));
        }
    }
    for key in keys {
        let fault = match values.get(key.name) {
            None if key.is_required() => Fault::Missing(model.to_owned(), key.form),
            Some(value) if !key.form.accepts(value) => Fault::Form(key.form),
            _ => continue,
        };
        return Err(KeyError::new(key.name, fault));
    }
    Ok(())
}

/// With the presets of keys that were left out, in tables too.
fn filled(keys: &[Key], mut values: Values) -> Values {
    for key in keys {
        if let (Some(own), Some(table)) = (key.form.table(), values.table(key.name)) {
            let table = filled(own, table.clone());
            values.set(key.name, table);
        }
        if let (None, Some(value)) = (values.get(key.name), key.preset.value()) {
            values.set(key.name, value);
        }
    }
    values
}
