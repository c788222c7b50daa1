//! Every scene of the project: the same bits whatever the threads, and bodies in its picture.

mod common;

use std::path::{Path, PathBuf};

use common::{Folder, asperity};

/// All scenes, by their path from the root of the project.
fn scenes() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root).unwrap() {
        let files = std::fs::read_dir(folder.unwrap().path()).unwrap();
        found.extend(files.map(|f| f.unwrap().path()));
    }
    found.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    found.sort();
    assert!(found.len() >= 14, "{found:?}");
    found
}

#[test]
fn every_scene_gives_the_same_state_for_any_number_of_threads_and_again() {
    let folder = Folder::new("hashes");
    for path in scenes() {
        // Cloth and soft solids are slow here; the engine's own tests compare their bits for longer.
        let soft = path.parent().unwrap().ends_with("tensors");
        let duration = if soft { "0.02" } else { "0.6" };
        let hash = |threads: &str| {
            let scene = path.to_str().unwrap();
            // Long enough for the tower's ball to hit, which is the last thing to begin.
            let words = ["run", scene, "--json", "--duration", duration, "--threads", threads];
            let out = asperity(&folder, &words);
            let json: serde_json::Value = serde_json::from_str(&out.stdout)
                .unwrap_or_else(|e| panic!("{scene}: {e}\n{}", out.stderr));
            json["state_hash"].as_str().unwrap().to_owned()
        };
        let first = hash("1");
        for threads in if soft { &["2"][..] } else { &["2", "4", "1"] } {
            assert_eq!(hash(threads), first, "{} with {threads} threads", path.display());
        }
    }
}

/// Those of the matchstick paper are judged by `asperity verify matchstick`.
#[test]
fn rigid_scenes_meet_their_expectations() {
    let folder = Folder::new("expected");
    for path in scenes().iter().filter(|path| path.parent().unwrap().ends_with("rigid")) {
        let out = asperity(&folder, &["run", path.to_str().unwrap()]);
        assert_eq!(out.code, 0, "{}: {out:?}", path.display());
        assert!(out.stdout.contains("met: "), "{}: nothing expected", path.display());
    }
}

#[test]
fn every_scene_shows_most_of_its_bodies() {
    let folder = Folder::new("shown");
    // A cloth lies over the one rigid body of a drape.
    let drape = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with("drape");
    for path in scenes().into_iter().filter(|path| !drape(path)) {
        let scene = path.to_str().unwrap();
        let words = [
            "render",
            scene,
            "-o",
            "x.png",
            "--times",
            "0",
            "--size",
            "640x360",
            "--renderer",
            "cpu",
        ];
        let out = asperity(&folder, &words);
        assert_eq!(out.code, 0, "{scene}: {out:?}");
        let line = out.stdout.lines().find(|line| line.ends_with("bodies visible")).unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let [seen, all] = [words[0], words[2]].map(|n| n.parse::<usize>().unwrap());
        assert!(2 * seen > all, "{scene}: {line}");
    }
}
