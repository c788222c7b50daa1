//! The scene format as a JSON Schema.

use serde_json::{Map, Value, json};

use super::format::SCENE;
use super::spec::{Form, LARGEST, Need, Range, Spec};

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
    for key in spec.keys.iter().filter(|key| key.need != Need::Later) {
        let mut value = form(&key.form, definitions);
        value["description"] = json!(key.doc);
        properties.insert(key.name.to_owned(), value);
    }
    let required: Vec<&str> =
        spec.keys.iter().filter(|key| key.need == Need::Required).map(|key| key.name).collect();
    let mut schema = json!({
        "type": "object",
        "description": spec.doc,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    if !spec.one_of.is_empty() {
        let ways: Vec<Value> = spec.one_of.iter().map(|key| json!({ "required": [key] })).collect();
        schema["oneOf"] = json!(ways);
    }
    schema
}

fn form(form_: &Form, definitions: &mut Map<String, Value>) -> Value {
    match form_ {
        Form::Number(range) => number(*range),
        Form::Whole(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Form::Text => json!({ "type": "string" }),
        Form::Flag => json!({ "type": "boolean" }),
        Form::Choice(now, _) => json!({ "enum": now }),
        Form::Vector(n, range) => array(&number(*range), Some(*n)),
        Form::Wholes(n, most) => {
            array(&json!({ "type": "integer", "minimum": 1, "maximum": most }), Some(*n))
        }
        Form::List(item) => array(&form(item, definitions), None),
        Form::Table(spec) => reference(spec, definitions),
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

fn number(range: Range) -> Value {
    match range {
        Range::Any => json!({ "type": "number", "minimum": -LARGEST, "maximum": LARGEST }),
        Range::NonNegative => json!({ "type": "number", "minimum": 0, "maximum": LARGEST }),
        Range::Positive => json!({ "type": "number", "exclusiveMinimum": 0, "maximum": LARGEST }),
        Range::Unit => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
    }
}
