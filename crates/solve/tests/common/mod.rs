//! Published problems, for several tests.

use std::path::PathBuf;

use asperity_solve::ContactProblem;

/// The published contact problems of a kind, or `None` with a message when `ASPERITY_DATA` is
/// not set. When it is set, what is missing fails.
pub(crate) fn contact_problems(kind: &str) -> Option<Vec<(String, ContactProblem)>> {
    let Some(root) = std::env::var_os("ASPERITY_DATA") else {
        eprintln!("skipped: ASPERITY_DATA is not set");
        return None;
    };
    let folder = PathBuf::from(root).join("data/contact_problems").join(kind);
    let entries = std::fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e} (ASPERITY_DATA is set)", folder.display()));
    let mut paths: Vec<_> = entries.map(|e| e.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{}: no problems", folder.display());
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let problem =
            asperity_solve::json::read(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (path.file_stem().unwrap().to_string_lossy().into_owned(), problem)
    };
    Some(paths.iter().map(read).collect())
}
