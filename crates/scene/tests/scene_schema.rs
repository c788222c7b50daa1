//! The schema describes what the reader reads.

use asperity_scene as scene;
use serde_json::Value;

#[test]
fn every_reference_is_defined() {
    let schema = scene::schema();
    let definitions = schema["$defs"].as_object().unwrap();
    let mut references = Vec::new();
    collect(&schema, &mut references);
    assert!(references.len() > 20);
    for reference in references {
        let name = reference.strip_prefix("#/$defs/").unwrap();
        assert!(definitions[name].is_object(), "{name}");
    }
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(reference)) = map.get("$ref") {
                references.push(reference.clone());
            }
            map.values().for_each(|v| collect(v, references));
        }
        Value::Array(list) => list.iter().for_each(|v| collect(v, references)),
        _ => {}
    }
}

#[test]
fn unknown_keys_are_refused_and_known_ones_described() {
    let schema = scene::schema();
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        assert_eq!(definition["additionalProperties"], Value::Bool(false), "{name}");
        for (key, value) in definition["properties"].as_object().unwrap() {
            assert!(value["description"].as_str().is_some_and(|d| d.len() > 3), "{name}.{key}");
        }
    }
}

#[test]
fn what_is_not_supported_yet_is_not_in_the_schema() {
    let schema = scene::schema();
    let extents = &schema["$defs"]["Extent"]["properties"]["model"]["enum"];
    assert_eq!(*extents, serde_json::json!(["point", "spin"]));
    let contacts = &schema["$defs"]["Contact"]["properties"]["model"]["enum"];
    assert_eq!(*contacts, serde_json::json!(["points", "wrench"]));
}
