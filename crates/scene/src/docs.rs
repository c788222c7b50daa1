//! The tables of the manual on scene files, from what the reader knows: nothing is listed twice.

use asperity_solve::SOLVERS;

use super::format::model::{CONTACT, EXTENT, MEMORY, SECTION};
use super::joint::JOINTS;
use super::prefab::PREFABS;
use super::shape::SHAPES;
use super::spec::{Form, Key, Models, Spec, Way};

/// All tables by name, as Markdown.
pub fn tables() -> Vec<(&'static str, String)> {
    vec![
        ("sections", models(&SECTION)),
        ("extents", models(&EXTENT)),
        ("memories", models(&MEMORY)),
        ("contacts", models(&CONTACT)),
        ("solvers", table("`method` | what it is", &solvers())),
        ("shapes", table("shape | what it holds | meaning", &ways(&SHAPES))),
        ("prefabs", table("prefab | key | meaning", &prefabs())),
        ("joints", table("`kind` | what it leaves free | keys of its own", &joints())),
    ]
}

/// A text in which what stands between `<!-- table: NAME -->` and `<!-- end -->` is the table of
/// that name, for all tables. What has no such place is left out.
pub fn with_tables(text: &str) -> String {
    let mut text = text.to_owned();
    for (name, table) in tables() {
        let begin = format!("<!-- table: {name} -->\n");
        let Some(from) = text.find(&begin).map(|at| at + begin.len()) else { continue };
        let Some(length) = text[from..].find("<!-- end -->") else { continue };
        text.replace_range(from..from + length, &format!("\n{table}\n"));
    }
    text
}

fn table(head: &str, rows: &[String]) -> String {
    let rule = "|---".repeat(head.split(" | ").count());
    format!("| {head} |\n{rule}|\n| {} |\n", rows.join(" |\n| "))
}

/// Models and their keys.
fn models(models: &Models) -> String {
    let mut rows = Vec::new();
    for entry in (models.entries)() {
        rows.push(format!("`{}` | | {}", entry.name, entry.doc));
        for key in entry.keys {
            let required = if key.is_required() { "; required" } else { "" };
            let words = Form::Plain(key.form).words();
            let words =
                words.map_or(String::new(), |words| format!(": \"{}\"", words.join("\", \"")));
            rows.push(format!("| `{}`{words} | {}{required}", key.name, key.line()));
        }
    }
    table("model | key | meaning", &rows)
}

fn solvers() -> Vec<String> {
    SOLVERS.iter().map(|solver| format!("`\"{}\"` | {}", solver.name, solver.about)).collect()
}

fn ways<T>(ways: &[Way<T>]) -> Vec<String> {
    let row = |key: &Key| format!("`{}` | {} | {}", key.name, key.form.describe(), key.doc);
    ways.iter().map(|way| row(&way.key)).collect()
}

fn prefabs() -> Vec<String> {
    let mut rows = Vec::new();
    for key in PREFABS.iter().map(|way| &way.key) {
        rows.push(format!("`{}` | | {}", key.name, key.doc));
        for own in key.form.table().into_iter().flat_map(Spec::all) {
            let required = if own.required { " Required." } else { "" };
            rows.push(format!("| `{}` | {}{required}", own.name, own.doc));
        }
    }
    rows
}

fn joints() -> Vec<String> {
    let keys = |keys: &[Key]| {
        keys.iter().map(|key| format!("`{}`", key.name)).collect::<Vec<_>>().join(", ")
    };
    JOINTS
        .iter()
        .map(|(name, kind)| format!("`\"{name}\"` | {} | {}", kind.doc, keys(kind.keys)))
        .collect()
}
