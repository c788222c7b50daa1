//! Every malformed scene is refused with messages that say where, what and what to do.
//!
//! `malformed/NN_name.toml` is a scene, `malformed/NN_name.expected` what is said about it. Set
//! `ASPERITY_REGENERATE=1` to write the expected texts anew; then read them.

use std::fs;
use std::path::PathBuf;

use asperity_scene::{self as scene, NoAssets};

fn scenes() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/malformed");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn malformed_scenes_are_refused_with_helpful_messages() {
    let paths = scenes();
    assert!(paths.len() >= 60, "only {} malformed scenes", paths.len());
    let regenerate = std::env::var_os("ASPERITY_REGENERATE").is_some();
    let mut wrong = Vec::new();
    for path in &paths {
        let text = fs::read_to_string(path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let Err(error) = scene::load(&text, name, &NoAssets) else {
            wrong.push(format!("{name} was accepted"));
            continue;
        };
        let said = format!("{error}\n");
        let expected = path.with_extension("expected");
        if regenerate {
            fs::write(&expected, &said).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != said {
            wrong.push(format!("{name} says\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_message_names_file_line_and_column() {
    for path in scenes() {
        let text = fs::read_to_string(&path).unwrap();
        let error = scene::load(&text, "a scene.toml", &NoAssets).unwrap_err();
        assert!(!error.problems.is_empty());
        let lines = text.lines().count();
        for message in error.to_string().lines() {
            let rest = message
                .strip_prefix("a scene.toml:")
                .unwrap_or_else(|| panic!("{}: a message has no file: {message}", path.display()));
            let mut parts = rest.splitn(3, ':');
            let line: usize = parts.next().unwrap().parse().unwrap();
            let column: usize = parts.next().unwrap().parse().unwrap();
            let text_after = parts.next().unwrap();
            assert!((1..=lines + 1).contains(&line) && column >= 1, "{message}");
            assert!(text_after.starts_with(' ') && text_after.len() > 20, "{message}");
        }
    }
}

#[test]
fn problems_come_in_the_order_of_the_file() {
    for path in scenes() {
        let text = fs::read_to_string(&path).unwrap();
        let error = scene::load(&text, "s", &NoAssets).unwrap_err();
        let places: Vec<_> = error.problems.iter().map(|p| (p.line, p.column)).collect();
        assert!(places.is_sorted(), "{}: {places:?}", path.display());
    }
}

#[test]
fn all_problems_are_reported_at_once() {
    let text = "version = 1\n[world]\ndt = 0\nduration = -1\n[material.a]\nmuu = 1\n";
    let error = scene::load(text, "s", &NoAssets).unwrap_err();
    let places: Vec<_> = error.problems.iter().map(|p| (p.line, p.column)).collect();
    assert_eq!(places, [(3, 6), (4, 12), (6, 1)]);
}
