//! Runs that are not to be trusted end with an exit code of their own, and say why.

mod common;

use common::{Folder, Out, SLIDE, asperity};

/// A cube a quarter of which begins within the floor: it is moved out of it, which lifts it.
const SUNK: &str = r#"
version = 1
world = { dt = 0.001, duration = 0.2 }
pair.default = { section = { model = "coulomb", mu = 0.5 } }
body = [
    { name = "floor", kind = "fixed", shape = { half_space = [0, 1, 0] } },
    { name = "cube", shape = { box = [0.2, 0.2, 0.2] }, at = [0, 0.05, 0] },
]
probe = [ { name = "height", of = "cube.position", component = "y" } ]
expect = [ { probe = "height", when = "final", near = 0.1, within = 0.001 } ]
"#;

fn run(folder: &Folder, text: &str, more: &[&str]) -> Out {
    folder.write("scene.toml", text);
    let words: Vec<&str> = ["run", "scene.toml"].iter().chain(more).copied().collect();
    asperity(folder, &words)
}

#[test]
fn a_gross_failure_is_exit_code_3_whatever_was_expected() {
    let folder = Folder::new("gross");
    for text in [SUNK.to_owned(), SUNK.replace("near = 0.1", "near = 7")] {
        let out = run(&folder, &text, &[]);
        assert_eq!(out.code, 3, "{out:?}");
        for part in [
            "FAILED: overlap of 50 mm between \"floor\" and \"cube\", the thinner 200 mm thick, at the start",
            "FAILED: energy rose by",
            "without work from outside",
            "NOT TO BE TRUSTED",
        ] {
            assert!(out.stdout.contains(part), "no \"{part}\" in\n{}", out.stdout);
        }
        assert!(out.stderr.contains("\"floor\" and \"cube\" are 50 mm within"), "{}", out.stderr);
    }
}

#[test]
fn the_report_has_the_faults_and_the_warnings_as_data() {
    let folder = Folder::new("faults");
    let out = run(&folder, SUNK, &["--json"]);
    assert_eq!(out.code, 3, "{out:?}");
    let json: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!(json["expectations"][0]["outcome"], "met");
    let faults = json["faults"].as_array().unwrap();
    let about: Vec<&str> = faults.iter().map(|f| f["about"].as_str().unwrap()).collect();
    assert_eq!(about, ["energy", "overlap"]);
    assert!(faults.iter().all(|f| f["gross"] == true && f["allowed"] == false));
    let sound = &json["soundness"];
    assert_eq!(sound["overlap"]["bodies"][1], "cube");
    // 8 kg at the default density of 1000, lifted by 0.05 m.
    let lifted = sound["energy"]["sum"].as_f64().unwrap();
    assert!((lifted - 8.0 * 9.81 * 0.05).abs() < 0.02, "{lifted}");
    assert!(json["warnings"][0].as_str().unwrap().contains("within each other"), "{json}");
}

#[test]
fn a_scene_may_allow_what_it_shows_on_purpose() {
    let folder = Folder::new("allowed");
    let both = format!("allow = [\"energy\", \"overlap\"]\n{SUNK}");
    let out = run(&folder, &both, &[]);
    assert_eq!(out.code, 0, "{out:?}");
    assert!(out.stdout.contains("allowed: overlap of"), "{}", out.stdout);
    assert_eq!(run(&folder, &both.replace("near = 0.1", "near = 7"), &[]).code, 1);
    let one = format!("allow = [\"energy\"]\n{SUNK}");
    assert_eq!(run(&folder, &one, &[]).code, 3);
    let wrong = format!("allow = [\"overlaps\"]\n{SUNK}");
    let out = run(&folder, &wrong, &[]);
    assert_eq!(out.code, 2, "{out:?}");
    assert!(out.stderr.contains("did you mean \"overlap\""), "{}", out.stderr);
}

#[test]
fn a_strict_run_counts_warnings() {
    let folder = Folder::new("strict");
    let out = run(&folder, SLIDE, &["--strict"]);
    assert_eq!(out.code, 0, "{out:?}");
    assert!(out.stdout.contains("faults       none: energy rose by"), "{}", out.stdout);
    // One sweep is not enough.
    let rough = SLIDE.replace(
        "duration = 1 }",
        "duration = 1, solver = { method = \"pgs\", max_iterations = 1, tolerance = 1e-14 } }",
    );
    let plain = run(&folder, &rough, &[]);
    assert!(plain.stdout.contains("warning: "), "{}", plain.stdout);
    assert_ne!(plain.code, 3, "{}", plain.stdout);
    let strict = run(&folder, &rough, &["--strict"]);
    assert_eq!(strict.code, 3, "{}", strict.stdout);
    assert!(strict.stdout.contains("stopped short of the residual"), "{}", strict.stdout);
}

#[test]
fn check_tells_extent_and_memory_of_each_pair_and_warns() {
    let folder = Folder::new("pairs");
    let text = SUNK.replace("mu = 0.5 } }", "mu = 0.5 }, extent = \"spin\", memory = \"lugre\" }");
    folder.write("scene.toml", &text);
    let out = asperity(&folder, &["check", "scene.toml"]);
    assert_eq!(out.code, 0, "{out:?}");
    assert!(out.stdout.contains("coulomb, extent spin, memory lugre ("), "{}", out.stdout);
    assert!(out.stderr.contains("warning: scene.toml:7:"), "{}", out.stderr);
}
