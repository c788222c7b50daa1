//! A model by name: a word, or a table with `model` and the keys that the registry declares for it.

use asperity_friction::registry::{Fault, Key, KeyError, Model, Values, find};

use super::node::Node;
use super::reader::Fields;
use super::spec::{Form, Models};
use super::suggest::one_of;

/// Which model a file names, and the values of its keys.
#[derive(Debug)]
pub(crate) struct Chosen<'a> {
    /// Its name.
    pub(crate) name: &'static str,
    values: Values,
    /// The table, where it is more than a word.
    table: Option<Fields<'a>>,
    node: Node<'a>,
}

/// Reads the model that a key names; notes every key that is not as declared.
pub(crate) fn read<'a>(
    fields: &Fields<'a>,
    key: &str,
    models: &'static Models,
) -> Option<Chosen<'a>> {
    let node = fields.node(key)?;
    if models.by_name && node.is_text() {
        let name = node.word(&models.names())?;
        return Some(Chosen { name, values: Values::new(), table: None, node });
    }
    let Some(table) = node.value.as_table() else {
        return node.expected(&Form::Model(models).describe());
    };
    let label = format!("\"{key}\" of {}", fields.label);
    let table = Fields::unchecked(table, label, node.at, node.log);
    table.refuse_unknown(models.keys());
    let names = models.names();
    let Some(word) = table.node("model") else {
        return table.refuse(
            "model",
            format!("{} has no \"model\"; expected {}", table.label, one_of(&names)),
        );
    };
    if !word.is_text() {
        return word.expected(&one_of(&names));
    }
    let name = word.word(&names)?;
    let entry = (models.entries)().into_iter().find(|entry| entry.name == name)?;
    let own: Vec<&'static str> = entry.keys.iter().map(|key| key.name).collect();
    let mut good = true;
    // What belongs to none of the models is noted already.
    for key in models.keys().into_iter().skip(1) {
        if table.has(key) && !own.contains(&key) {
            refuse(&table, &KeyError::new(key, Fault::Foreign(name.to_owned(), own.clone())));
            good = false;
        }
    }
    let values = values(&table, name, entry.keys).filter(|_| good)?;
    Some(Chosen { name, values, table: Some(table), node })
}

/// The values of a table for the keys of a model; notes what is missing or wrong.
pub(crate) fn values(table: &Fields, model: &str, keys: &'static [Key]) -> Option<Values> {
    let mut values = Values::new();
    let mut good = true;
    for key in keys {
        match table.node(key.name).map(|node| node.plain(key.form)) {
            Some(Some(value)) => values.set(key.name, value),
            Some(None) => good = false,
            None if key.is_required() => {
                let fault = Fault::Missing(model.to_owned(), key.form);
                refuse(table, &KeyError::new(key.name, fault));
                good = false;
            }
            None => {}
        }
    }
    good.then_some(values)
}

impl Chosen<'_> {
    /// Makes it; an error stands at the key that it names.
    pub(crate) fn make<T>(self, models: &[&'static Model<T>]) -> Option<T> {
        let Some(model) = find(models, self.name) else {
            return self
                .node
                .refuse(format!("{}: \"{}\" cannot be made", self.node.what, self.name));
        };
        match (model.build(self.values), &self.table) {
            (Ok(made), _) => Some(made),
            (Err(e), Some(table)) => {
                refuse(table, &e);
                None
            }
            (Err(e), None) => self.node.refuse(e.message(&self.node.what)),
        }
    }
}

fn refuse(table: &Fields, error: &KeyError) {
    table.complain(&error.key, error.message(&table.label));
}

#[cfg(test)]
mod tests {
    use asperity_friction::FrictionError;
    use asperity_friction::registry::{Form, Preset, Range};
    use toml::de::DeTable;

    use super::*;
    use crate::error::Log;
    use crate::schema;
    use crate::spec::Entry;

    /// A model that only this test knows: what it makes is its strength, below 10.
    static GLUE: Model<f64> = Model {
        name: "glue",
        doc: "Holds until it gives way",
        keys: &[
            Key::required("strength", Form::Number(Range::Positive), "N").about("what it holds"),
            Key::optional("cure", Form::Word(&["air", "heat"]), "")
                .or(Preset::Word("air"))
                .about("how it hardens"),
        ],
        make: |values| match values.given("strength") {
            strength if strength < 10.0 => Ok(strength),
            _ => {
                let why = FrictionError::Shape("too strong".to_owned());
                Err(KeyError::new("strength", Fault::Refused(why)))
            }
        },
    };
    static PLAIN: Entry = Entry { name: "plain", doc: "Nothing", keys: &[] };
    static MODELS: Models = Models {
        name: "Sticky",
        doc: "what sticks",
        entries: || vec![PLAIN, GLUE.entry()],
        by_name: true,
    };

    /// What is read from a value of `sticky`, and what is said, each with its byte.
    fn read_from(value: &str) -> (Option<f64>, Vec<(usize, String)>) {
        let text = format!("sticky = {value}");
        let document = DeTable::parse(&text).unwrap();
        let log = Log::default();
        let fields = Fields::unchecked(document.get_ref(), "the scene", 0, &log);
        let made = read(&fields, "sticky", &MODELS).and_then(|chosen| chosen.make(&[&GLUE]));
        let error = log.into_error("s", &text);
        (made, error.problems.into_iter().map(|p| (p.column, p.message)).collect())
    }

    #[test]
    fn a_model_that_nobody_knew_is_read_by_its_keys() {
        assert_eq!(read_from("{ model = \"glue\", strength = 3 }"), (Some(3.0), Vec::new()));
        let schema = schema::models(&MODELS);
        assert_eq!(schema["properties"]["model"]["enum"], serde_json::json!(["plain", "glue"]));
        let strength = &schema["properties"]["strength"];
        assert_eq!(strength["description"], "glue: what it holds, N");
        assert_eq!(strength["exclusiveMinimum"], 0);
    }

    #[test]
    fn every_error_stands_at_its_key() {
        for (value, at, part) in [
            ("{ model = \"glue\" }", 10, "has no \"strength\"; the model \"glue\" needs it"),
            ("{ model = \"glue\", strength = -1 }", 39, "is -1; expected a number above zero"),
            ("{ model = \"glue\", strength = 11 }", 39, "too strong"),
            (
                "{ model = \"glue\", strength = 1, cure = \"haet\" }",
                49,
                "is \"haet\"; did you mean \"heat\"?",
            ),
            ("{ model = \"plain\", strength = 1 }", 40, "does not belong to the model \"plain\""),
            ("{ model = \"glue\", strenght = 1, strength = 1 }", 28, "unknown key \"strenght\""),
            ("{ model = \"tape\" }", 20, "is \"tape\"; expected \"plain\" or \"glue\""),
            ("{ model = 1 }", 20, "is 1; expected \"plain\" or \"glue\""),
            ("{ strength = 1 }", 10, "has no \"model\""),
            ("\"glue\"", 10, "has no \"strength\""),
            ("3", 10, "is 3; expected \"plain\" or \"glue\", or a table"),
        ] {
            let (_, said) = read_from(value);
            let [(column, message)] = &said[..] else { panic!("{value}: {said:?}") };
            assert!(*column == at && message.contains(part), "{value}: {column}: {message}");
        }
    }
}
