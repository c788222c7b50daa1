//! The tables in docs/scenes.md are those that the reader goes by.

use std::fs;
use std::path::PathBuf;

use asperity_scene::docs;

/// `ASPERITY_WRITE_DOCS=1 cargo test -p asperity-scene --test scene_docs` writes them anew.
#[test]
fn the_tables_of_the_manual_are_what_the_reader_knows() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenes.md");
    let text = fs::read_to_string(&path).unwrap();
    for (name, _) in docs::tables() {
        assert!(text.contains(&format!("<!-- table: {name} -->\n")), "no place for \"{name}\"");
    }
    let fresh = docs::with_tables(&text);
    if std::env::var_os("ASPERITY_WRITE_DOCS").is_some() {
        fs::write(&path, &fresh).unwrap();
    } else {
        assert!(
            fresh == text,
            "docs/scenes.md is out of date: run ASPERITY_WRITE_DOCS=1 cargo test -p asperity-scene --test scene_docs"
        );
    }
}

#[test]
fn every_table_has_a_row_for_each_thing() {
    let tables = docs::tables();
    let of = |name: &str| &tables.iter().find(|(n, _)| *n == name).unwrap().1;
    for section in asperity_friction::section::SECTIONS {
        assert!(of("sections").contains(&format!("| `{}` |", section.name)));
        for key in section.keys {
            assert!(of("sections").contains(&format!("`{}`", key.name)));
        }
    }
    for solver in asperity_solve::SOLVERS {
        assert!(of("solvers").contains(solver.about));
    }
    assert!(of("memories").contains("| `none` |") && of("joints").contains("`point_a`"));
}
