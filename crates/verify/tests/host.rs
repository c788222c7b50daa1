//! Checks on files that exist in memory only: what is asked for, told and refused.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use asperity_verify::{Check, Host, Inputs, Progress, Subject, VerifyError, groups, run};

/// Files by their paths, and how far their scenes came.
#[derive(Default)]
struct Memory {
    files: BTreeMap<PathBuf, String>,
    watched: Mutex<Vec<(String, f64)>>,
}

impl Memory {
    fn of(files: &[(&str, &str)]) -> Memory {
        let files = files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned()));
        Memory { files: files.collect(), ..Memory::default() }
    }
}

impl Host for Memory {
    fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        let found = self.files.get(path).map(|text| text.clone().into_bytes());
        found.ok_or_else(|| "there is no such file".to_owned())
    }

    fn list(&self, folder: &Path) -> Result<Vec<String>, String> {
        let inside = self.files.keys().filter(|path| path.parent() == Some(folder));
        let names = inside.filter_map(|path| path.file_name());
        let names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
        if names.is_empty() { Err("there is no such folder".to_owned()) } else { Ok(names) }
    }

    fn watch(&self, what: &str, done: f64) {
        self.watched.lock().expect("a list").push((what.to_owned(), done));
    }
}

const FALL: &str = r#"
version = 1
world = { dt = 0.01, duration = 0.1 }
pair.default = { section = { model = "coulomb", mu = 0.5 } }
body = [ { name = "ball", shape = { mesh = "parts/ball.obj" } } ]
probe = [ { name = "height", of = "ball.position", component = "y" } ]
expect = [ { probe = "height", when = "final", near = -0.04905, within = 1e-9 } ]
"#;

const TETRAHEDRON: &str =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// The checks of the group that has this in its name.
fn checked(
    host: &Memory,
    subject: Subject,
    inputs: &Inputs,
    name: &str,
) -> Result<Vec<Check>, VerifyError> {
    let wanted = groups(subject, host, inputs)?.into_iter().filter(|g| g.0.contains(name));
    let mut heard = Vec::new();
    let tables = run(wanted.collect(), &mut |progress| {
        heard.push(match progress {
            Progress::Begins(name) => format!("{name} begins"),
            Progress::Ended(table) => format!("{} ended", table.name),
        });
    })?;
    let expected: Vec<String> = tables
        .iter()
        .flat_map(|t| [format!("{} begins", t.name), format!("{} ended", t.name)])
        .collect();
    assert_eq!(heard, expected);
    Ok(tables.into_iter().flat_map(|table| table.checks).collect())
}

#[test]
fn scenes_are_read_with_what_they_name_and_judged() {
    let moved = FALL.replace("-0.04905", "0");
    let host = Memory::of(&[
        ("scenes/fall.toml", FALL),
        ("scenes/moved.toml", &moved),
        ("scenes/notes.txt", "no scene"),
        ("scenes/parts/ball.obj", TETRAHEDRON),
    ]);
    let inputs = Inputs { scenes: "scenes".into(), ..Inputs::default() };
    let checks = checked(&host, Subject::Wrench, &inputs, "expectations").expect("checks");
    let found: Vec<(&str, bool)> = checks.iter().map(|c| (c.what.as_str(), c.holds)).collect();
    assert_eq!(found, [("fall", true), ("moved", false)]);
    assert_eq!((checks[1].expected.as_str(), checks[1].found.as_str()), ("1 of 1", "0 of 1"));
    let watched = host.watched.lock().expect("a list");
    assert_eq!(watched.last(), Some(&("moved".to_owned(), 1.0)));
}

#[test]
fn what_is_missing_or_broken_is_named() {
    let message = |host: &Memory, subject: Subject, inputs: &Inputs, name: &str| {
        checked(host, subject, inputs, name).expect_err("an error").to_string()
    };
    let (empty, nothing) = (Memory::default(), Inputs::default());
    assert!(message(&empty, Subject::Tosses, &nothing, "").contains("needs --data"));
    let scenes = Inputs { scenes: "scenes".into(), data: Some("data".into()), full: false };
    let none = message(&empty, Subject::Wrench, &scenes, "expectations");
    assert_eq!(none, "scenes: there is no such folder");
    assert_eq!(
        message(&empty, Subject::Pushes, &scenes, ""),
        "data: no logs of pushes (NAME__exp*.csv)"
    );
    let log = "fx,fy,tau,dx,dy,turn\n1,0,0,1,0,0\n1,0,0,1,0\n";
    let broken = Memory::of(&[("data/pushes/patch__exp1.csv", log)]);
    assert_eq!(
        message(&broken, Subject::Pushes, &scenes, ""),
        "data/pushes/patch__exp1.csv:3: expected six numbers"
    );
    let mesh = Memory::of(&[("scenes/fall.toml", FALL)]);
    let unread = message(&mesh, Subject::Wrench, &scenes, "expectations");
    assert!(unread.contains("scenes/fall.toml:5:") && unread.contains("ball.obj"), "{unread}");
}

#[test]
fn no_device_is_told_and_not_judged() {
    let host = Memory::default();
    let checks =
        checked(&host, Subject::Appearance, &Inputs::default(), "both samplers").expect("a line");
    assert!(
        checks.len() == 1
            && checks[0].holds
            && checks[0].is_told()
            && checks[0].what.contains("no adapter")
    );
}
