//! `asperity solve`, from outside.

mod common;

use common::{Folder, asperity};

#[test]
fn bad_problems_are_exit_code_2_and_name_the_file() {
    let folder = Folder::new("solve");
    folder.write("not.json", "{ \"rows\": ");
    folder.write("empty.json", "{}");
    folder.write("scene.toml", "version = 1\n");
    for file in ["missing.json", "not.json", "empty.json", "scene.toml"] {
        let out = asperity(&folder, &["solve", file]);
        assert_eq!(out.code, 2, "{file}: {out:?}");
        assert!(out.stderr.starts_with(&format!("error: {file}: ")), "{file}: {}", out.stderr);
        assert!(out.stdout.is_empty(), "{file}: {}", out.stdout);
    }
    let out = asperity(&folder, &["solve", "not.json", "--tolerance", "-1"]);
    assert_eq!(out.code, 2, "{out:?}");
}

#[test]
fn an_unknown_command_is_exit_code_2() {
    let folder = Folder::new("unknown");
    assert_eq!(asperity(&folder, &["slove"]).code, 2);
    assert_eq!(asperity(&folder, &["--version"]).code, 0);
}
