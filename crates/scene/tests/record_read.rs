//! Recordings of rigid and soft bodies: written to files and read back, whole and broken.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Cursor;

use asperity_scene::record::files::name;
use asperity_scene::record::{ReadingError, Recording};
use asperity_scene::run::{Plan, simulate};
use asperity_scene::{Assets, NoAssets, load};

/// A sewn tube, a solid, and rigid bodies with names that CSV must quote.
const SCENE: &str = r#"
version = 1
world = { dt = 0.01, duration = 0.1 }
material.wool = { density = 300 }
pair.default = { section = { model = "coulomb", mu = 0.5 } }
body = [
  { name = "ground", kind = "fixed", shape = { half_space = [0, 1, 0] } },
  { name = "a \"box\", oak", at = [2, 0.1, 0], velocity = [1, 0, 0.3], spin = [0, 2, 0], shape = { box = [0.2, 0.2, 0.2] } },
  { name = "sleeve", at = [0, 0.5, 0], material = "wool", cloth = { tube = { radius = [0.08, 0.065], length = 0.3 }, cells = [8, 4], fabric = "wool" } },
  { name = "ball ü", at = [1, 0.105, 0], velocity = [1, 0, 0], material = "wool", solid = { sphere = 0.1, halvings = 1, layers = [2, 1], elastic = "rubber" } },
]
probe = [ { name = "far", of = "a \"box\", oak.position", component = "x" }, { name = "step", of = "world.contacts" } ]
"#;

/// Files of a recording by their names.
#[derive(Clone, Default)]
struct Files(RefCell<BTreeMap<String, Vec<u8>>>);

impl Assets for Files {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        self.0.borrow().get(name).cloned().ok_or_else(|| "there is no such file".to_owned())
    }
}

fn recorded(text: &str) -> Recording {
    let mut scene = load(text, "read.toml", &NoAssets).expect("a scene");
    let plan = Plan::new(&scene, None, 3).expect("a plan");
    simulate(&mut scene, &plan, |_| {}).recording
}

fn written(recording: &Recording) -> Files {
    let files = Files::default();
    let put = |name: &str, write: &dyn Fn(&mut Cursor<Vec<u8>>) -> std::io::Result<()>| {
        let mut bytes = Cursor::new(Vec::new());
        write(&mut bytes).expect("bytes");
        files.0.borrow_mut().insert(name.to_owned(), bytes.into_inner());
    };
    put(name::WORLD, &|out| recording.write_world(out));
    put(name::BODIES, &|out| recording.write_bodies(out));
    put(name::CONTACTS, &|out| recording.write_contacts(out));
    put(name::PROBES, &|out| recording.write_probes(out));
    put(name::ARCHIVE, &|out| recording.write_npz(out));
    if !recording.softs.is_empty() {
        put(name::SOFTS, &|out| recording.write_softs(out));
    }
    files
}

#[test]
fn all_numbers_of_rigid_and_soft_bodies_come_back() {
    let recording = recorded(SCENE);
    assert_eq!(recording.world.step, [0, 3, 6, 9, 10]);
    assert!(recording.contacts.gap.len() > 4, "{:?}", recording.contacts);
    let seams = &recording.softs[0];
    assert!(seams.uvs.len() > seams.vertices && seams.uv_triangles != seams.triangles);
    let read = Recording::read(&written(&recording)).expect("a recording");
    assert!(read.position.iter().flatten().all(|x| x.is_finite()));
    assert_eq!(read, recording);
    // Written once more, it gives the same bytes.
    assert_eq!(written(&read).0, written(&recording).0);
}

#[test]
fn a_recording_without_soft_bodies_needs_no_table_of_them() {
    let rigid: Vec<&str> = SCENE.lines().filter(|l| !l.contains("wool\", ")).collect();
    let recording = recorded(&rigid.join("\n"));
    assert!(recording.softs.is_empty() && recording.bodies.len() == 2);
    assert_eq!(Recording::read(&written(&recording)).expect("a recording"), recording);
}

#[test]
fn what_is_missing_or_does_not_fit_names_the_file() {
    let whole = written(&recorded(SCENE));
    let refused = |file: &str, change: &dyn Fn(String) -> Option<String>| -> ReadingError {
        let files = whole.clone();
        let bytes = files.0.borrow_mut().remove(file).expect("a file");
        if let Some(text) = change(String::from_utf8_lossy(&bytes).into_owned()) {
            files.0.borrow_mut().insert(file.to_owned(), text.into_bytes());
        }
        Recording::read(&files).expect_err(file)
    };
    for file in
        [name::WORLD, name::BODIES, name::CONTACTS, name::PROBES, name::ARCHIVE, name::SOFTS]
    {
        assert_eq!(refused(file, &|_| None).file, file);
    }
    let shorter = |text: String| {
        let lines: Vec<&str> = text.lines().collect();
        Some(lines[..lines.len() - 1].join("\n") + "\n")
    };
    for (file, told, part) in [
        (name::WORLD, name::BODIES, "world.csv has no step 10"),
        (name::BODIES, name::BODIES, "it has 9 rows; expected 10"),
        (name::SOFTS, name::SOFTS, "it has 9 rows; expected 10"),
        (name::PROBES, name::PROBES, "it has 4 rows; expected 5"),
    ] {
        let error = refused(file, &shorter);
        assert_eq!(error.file, told, "{error}");
        assert!(error.what.contains(part), "{error}");
    }
    for (file, from, to, part) in [
        (name::WORLD, "\n3,", "\n11,", "line 4: step 6 comes after a later one"),
        (name::WORLD, "kinetic [J]", "kinetic", "there is no column \"kinetic [J]\""),
        (name::WORLD, "\n0,0.0", "\n0,inf", "a time of inf"),
        (name::BODIES, "ground,0.0", "ground,x", "line 2: \"x\" is not a number"),
        (name::BODIES, "\n3,0.03,ground", "\n3,0.03,sky", "\"sky\" in step 3"),
        (name::CONTACTS, ",ground,", ",grund,", "bodies.csv has no body \"grund\""),
        (name::SOFTS, "sleeve", "sleive", "run.npz has no \"sleive\" there"),
    ] {
        let error = refused(file, &|text| Some(text.replace(from, to)));
        assert_eq!(error.file, file, "{error}");
        assert!(error.what.contains(part), "{error}");
    }
}
