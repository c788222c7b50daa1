//! Folders and the program under test.

#![allow(dead_code)]

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A box that slides on a plane and stops: v²/2μg = 0.4077 m after 0.41 s.
pub(crate) const SLIDE: &str = r#"
version = 1
world = { dt = 0.01, duration = 1 }
material.wood = { density = 700 }
pair.default = { section = { model = "coulomb", mu = 0.5 } }

body = [
    { name = "ground", kind = "fixed", shape = { half_space = [0, 1, 0] }, material = "wood" },
    { name = "box", shape = { box = [0.2, 0.2, 0.2] }, at = [0, 0.1, 0], velocity = [2, 0, 0], material = "wood" },
]
probe = [ { name = "travelled", of = "box.displacement", component = "x" } ]
expect = [
    { probe = "travelled", when = "final", between = [0.405, 0.411], source = "v²/2μg" },
    { probe = "travelled", when = "always", between = [-1e-9, 1] },
]
"#;

/// Spheres and boxes that fall on each other: several islands that merge.
pub(crate) const HEAP: &str = r#"
version = 1
world = { dt = 0.01, duration = 0.6 }
material.stone = { density = 2500 }
pair.default = { section = { model = "coulomb", mu = 0.6 } }

body = [
    { name = "ground", kind = "fixed", shape = { half_space = [0, 1, 0] }, material = "stone" },
    { name = "a", shape = { box = [0.2, 0.2, 0.2] }, at = [0, 0.12, 0], material = "stone" },
    { name = "b", shape = { box = [0.2, 0.2, 0.2] }, at = [0.07, 0.4, 0.03], rotate = { axis = "z", deg = 20 }, material = "stone" },
    { name = "c", shape = { sphere = 0.1 }, at = [0.05, 0.7, 0.02], material = "stone" },
    { name = "d", shape = { sphere = 0.1 }, at = [1, 0.12, 0], velocity = [-2, 0, 0.1], material = "stone" },
    { name = "e", shape = { box = [0.1, 0.3, 0.1] }, at = [2, 0.2, 0], spin = [1, 0, 2], material = "stone" },
]
"#;

/// What a command printed and how it ended.
#[derive(Debug)]
pub(crate) struct Out {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the program in a folder.
pub(crate) fn asperity(folder: &Folder, arguments: &[&str]) -> Out {
    let output = Command::new(env!("CARGO_BIN_EXE_asperity"))
        .args(arguments)
        .current_dir(&folder.path)
        .output()
        .unwrap();
    Out {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Starts the program in a folder and does not wait for it.
pub(crate) fn start(folder: &Folder, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_asperity"))
        .args(arguments)
        .current_dir(&folder.path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// A folder of its own for a test; gone when the test ends.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
}

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let unique = format!("asperity-{name}-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(unique);
        std::fs::create_dir_all(&path).unwrap();
        Folder { path }
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path.join(name), text).unwrap();
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub(crate) fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    /// Names in a folder, sorted.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path.join(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// A cloth that falls on a ball and a gel that slides beside it.
pub(crate) const DRAPE: &str = r#"
version = 1
world = { dt = 0.01, duration = 0.3 }
material.wool = { density = 300 }
pair.default = { section = { model = "coulomb", mu = 0.4 } }
body = [
    { name = "ground", kind = "fixed", shape = { half_space = [0, 1, 0] } },
    { name = "ball", kind = "fixed", shape = { sphere = 0.2 }, at = [0, 0.2, 0] },
    { name = "sheet", at = [0, 0.45, 0], material = "wool", cloth = { size = [0.8, 0.8], cells = [8, 8], fabric = "silk" } },
    { name = "gel", at = [0.7, 0.11, 0], velocity = [0.5, 0, 0], solid = { box = [0.2, 0.2, 0.2], cells = [2, 2, 2], elastic = "gel" } },
]
"#;
