//! The scene format as a JSON Schema.

use serde_json::{Map, Value, json};

use super::format::SCENE;
use super::spec::{Form, LARGEST, Models, Plain, Range, Spec};

/// The JSON Schema (draft 2020-12) of scene files, made from the tables that the reader checks
/// files against.
pub fn schema() -> Value {
    let mut definitions = Map::new();
    let mut root = table(&SCENE, &mut definitions);
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("Asperity scene");
    root["$defs"] = Value::Object(definitions);
    root
}

/// A table; the tables it refers to are added to the definitions.
fn table(spec: &'static Spec, definitions: &mut Map<String, Value>) -> Value {
    let mut properties = Map::new();
    for key in spec.all() {
        let mut value = form(&key.form, definitions);
        value["description"] = json!(key.doc);
        properties.insert(key.name.to_owned(), value);
    }
    let required: Vec<&str> = spec.all().filter(|key| key.required).map(|key| key.name).collect();
    let mut schema = object(spec.doc, &properties, &required);
    if !spec.one_of.is_empty() {
        let ways: Vec<Value> = spec.ways().iter().map(|key| json!({ "required": [key] })).collect();
        schema["oneOf"] = json!(ways);
    }
    schema
}

fn object(doc: &str, properties: &Map<String, Value>, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "description": doc,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// A table with `model`: the keys of all models, and for each model those that it takes and needs.
pub(crate) fn models(models: &Models) -> Value {
    let entries = (models.entries)();
    let docs: Vec<String> =
        entries.iter().map(|entry| format!("\"{}\": {}", entry.name, entry.doc)).collect();
    let mut properties = Map::new();
    let which = json!({ "enum": models.names(), "description": docs.join(". ") });
    properties.insert("model".to_owned(), which);
    for name in models.keys().into_iter().skip(1) {
        let mut forms: Vec<Value> = Vec::new();
        let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
        for entry in &entries {
            let Some(key) = entry.keys.iter().find(|key| key.name == name) else { continue };
            let form = plain(&key.form);
            if !forms.contains(&form) {
                forms.push(form);
            }
            match lines.iter_mut().find(|(line, _)| *line == key.line()) {
                Some((_, of)) => of.push(entry.name),
                None => lines.push((key.line(), vec![entry.name])),
            }
        }
        let lines: Vec<String> =
            lines.iter().map(|(line, of)| format!("{}: {line}", of.join(", "))).collect();
        let mut value =
            if forms.len() == 1 { forms.swap_remove(0) } else { json!({ "anyOf": forms }) };
        value["description"] = json!(lines.join(". "));
        properties.insert(name.to_owned(), value);
    }
    let mut schema = object(models.doc, &properties, &["model"]);
    let own = entries.iter().map(|entry| {
        let names: Vec<&str> =
            std::iter::once("model").chain(entry.keys.iter().map(|key| key.name)).collect();
        let needs: Vec<&str> =
            entry.keys.iter().filter(|key| key.is_required()).map(|key| key.name).collect();
        json!({
            "if": { "properties": { "model": { "const": entry.name } } },
            "then": { "required": needs, "propertyNames": { "enum": names } },
        })
    });
    schema["allOf"] = own.collect();
    schema
}

fn form(form_: &Form, definitions: &mut Map<String, Value>) -> Value {
    match form_ {
        Form::Plain(form) => plain(form),
        Form::Text => json!({ "type": "string" }),
        Form::Wholes(n, most) => array(&whole(1, *most), Some(*n)),
        Form::List(item) => array(&form(item, definitions), None),
        Form::Table(spec) => reference(spec, definitions),
        Form::Model(which) => {
            definitions.insert(which.name.to_owned(), models(which));
            let table = json!({ "$ref": format!("#/$defs/{}", which.name) });
            if which.by_name {
                json!({ "anyOf": [{ "enum": which.names() }, table] })
            } else {
                table
            }
        }
        Form::Named(spec) => {
            let value = reference(spec, definitions);
            json!({ "type": "object", "additionalProperties": value })
        }
        Form::Either(forms) => {
            let ways: Vec<Value> = forms.iter().map(|f| form(f, definitions)).collect();
            json!({ "anyOf": ways })
        }
    }
}

fn plain(form: &Plain) -> Value {
    match form {
        Plain::Number(range) => number(*range),
        Plain::Whole(least, most) => whole(*least, *most),
        Plain::Word(words) => json!({ "enum": words }),
        Plain::Flag => json!({ "type": "boolean" }),
        Plain::Vector(n, range) => array(&number(*range), Some(*n)),
        Plain::Matrix => array(&array(&number(Range::Any), Some(2)), Some(2)),
        Plain::Table(keys) => {
            let described = |key: &asperity_friction::registry::Key| {
                let mut value = plain(&key.form);
                value["description"] = json!(key.line());
                (key.name.to_owned(), value)
            };
            let required: Vec<&str> =
                keys.iter().filter(|key| key.is_required()).map(|key| key.name).collect();
            object("a table", &keys.iter().map(described).collect(), &required)
        }
        Plain::Either(forms) => json!({ "anyOf": forms.iter().map(plain).collect::<Vec<_>>() }),
    }
}

fn reference(spec: &'static Spec, definitions: &mut Map<String, Value>) -> Value {
    if !definitions.contains_key(spec.name) {
        // Entered before it is filled: shapes contain shapes.
        definitions.insert(spec.name.to_owned(), Value::Null);
        let value = table(spec, definitions);
        definitions.insert(spec.name.to_owned(), value);
    }
    json!({ "$ref": format!("#/$defs/{}", spec.name) })
}

fn array(items: &Value, length: Option<usize>) -> Value {
    match length {
        Some(n) => json!({ "type": "array", "items": items, "minItems": n, "maxItems": n }),
        None => json!({ "type": "array", "items": items }),
    }
}

fn whole(least: usize, most: usize) -> Value {
    json!({ "type": "integer", "minimum": least, "maximum": most })
}

fn number(range: Range) -> Value {
    match range {
        Range::Any => json!({ "type": "number", "minimum": -LARGEST, "maximum": LARGEST }),
        Range::NonNegative => json!({ "type": "number", "minimum": 0, "maximum": LARGEST }),
        Range::Positive => json!({ "type": "number", "exclusiveMinimum": 0, "maximum": LARGEST }),
        Range::Unit => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
    }
}
