//! `asperity run`, `check`, `new` and `plot run`, from outside: exit codes, messages, files.

mod common;

use common::{DRAPE, Folder, SLIDE, asperity};

#[test]
fn a_run_that_meets_its_expectations_ends_well_and_is_recorded() {
    let folder = Folder::new("run");
    folder.write("slide.toml", SLIDE);
    let out = asperity(&folder, &["run", "slide.toml", "--out", "data", "--every", "5"]);
    assert_eq!(out.code, 0, "{out:?}");
    for part in ["100 steps", "met: travelled", "wood on wood: coulomb", "state"] {
        assert!(out.stdout.contains(part), "no \"{part}\" in\n{}", out.stdout);
    }
    for (name, lines) in [("bodies.csv", 1 + 21 * 2), ("world.csv", 1 + 21), ("probes.csv", 1 + 21)]
    {
        let text = folder.read(&format!("data/{name}"));
        assert_eq!(text.lines().count(), lines, "{name}");
    }
    let probes = folder.read("data/probes.csv");
    assert!(probes.starts_with("step,time [s],travelled [m]\n0,0.0,0.0\n"), "{probes}");
    let contacts = folder.read("data/contacts.csv");
    assert!(contacts.lines().nth(1).is_some_and(|row| row.contains(",ground,box,")), "{contacts}");
    assert!(folder.bytes("data/run.npz").starts_with(b"PK"));
    let json: serde_json::Value = serde_json::from_str(&folder.read("data/run.json")).unwrap();
    assert_eq!(json["steps"], 100);
    assert_eq!(json["expectations"][0]["outcome"], "met");
    assert_eq!(json["pairs"][0]["section"], "coulomb");
    assert_eq!(json["unconverged_steps"], 0);
    // Nothing half-written stays behind.
    assert_eq!(folder.names("data").len(), 7, "{:?}", folder.names("data"));
    assert_eq!(folder.read("data/scene/scene.toml"), SLIDE);
}

#[test]
fn a_missed_expectation_is_exit_code_1() {
    let folder = Folder::new("missed");
    folder.write("slide.toml", &SLIDE.replace("[0.405, 0.411]", "[0.5, 0.6]"));
    let out = asperity(&folder, &["run", "slide.toml"]);
    assert_eq!(out.code, 1, "{out:?}");
    assert!(out.stdout.contains("MISSED: travelled at the end from 0.5 to 0.6"), "{}", out.stdout);
    assert!(out.stdout.contains("1 of 2 expectations missed"), "{}", out.stdout);
    assert_eq!(folder.names(""), ["slide.toml"], "nothing is written without --out");
}

#[test]
fn a_run_cut_short_does_not_judge_the_end() {
    let folder = Folder::new("short");
    folder.write("slide.toml", SLIDE);
    let out = asperity(&folder, &["run", "slide.toml", "--duration", "0.1", "--json"]);
    assert_eq!(out.code, 0, "{out:?}");
    let json: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!(json["steps"], 10);
    assert_eq!(json["expectations"][0]["outcome"], "not judged");
    assert_eq!(json["expectations"][1]["outcome"], "met");
}

#[test]
fn bad_scenes_are_exit_code_2_and_say_where() {
    let folder = Folder::new("bad");
    let text =
        SLIDE.replace("velocity = [2, 0, 0]", "velocty = [2, 0, 0]").replace("mu = ", "mu = -");
    folder.write("bad.toml", &text);
    for command in ["run", "check"] {
        let out = asperity(&folder, &[command, "bad.toml"]);
        assert_eq!(out.code, 2, "{out:?}");
        assert!(out.stdout.is_empty(), "{}", out.stdout);
        let places: Vec<&str> =
            out.stderr.lines().filter(|line| is_place(line, "bad.toml")).collect();
        assert_eq!(places.len(), 2, "{}", out.stderr);
        assert!(places[1].contains("velocty"), "{}", out.stderr);
    }
    for arguments in [
        &["run", "missing.toml"][..],
        &["run", "bad.toml", "--every", "0"],
        &["run", "bad.toml", "--threads", "0"],
        &["run", "bad.toml", "--duration", "-1"],
        &["check", "."],
        &["plot", "run", "."],
    ] {
        let out = asperity(&folder, arguments);
        assert_eq!(out.code, 2, "{arguments:?}: {out:?}");
        assert!(out.stderr.starts_with("error: "), "{arguments:?}: {}", out.stderr);
    }
}

/// Whether a message begins with "file:line:column: ".
fn is_place(line: &str, file: &str) -> bool {
    let Some(rest) = line.strip_prefix(file).and_then(|rest| rest.strip_prefix(':')) else {
        return false;
    };
    let mut parts = rest.splitn(3, ':');
    let mut whole = || parts.next().is_some_and(|part| part.parse::<usize>().is_ok());
    whole() && whole()
}

#[test]
fn the_result_does_not_depend_on_threads_or_repetition() {
    let folder = Folder::new("threads");
    folder.write("heap.toml", common::HEAP);
    let runs = [("1", "a"), ("2", "b"), ("4", "c"), ("1", "d")];
    for (threads, data) in runs {
        let arguments = ["run", "heap.toml", "--threads", threads, "--out", data];
        assert_eq!(asperity(&folder, &arguments).code, 0);
    }
    let hash = |data: &str| {
        let text = folder.read(&format!("{data}/run.json"));
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        json["state_hash"].as_str().unwrap().to_owned()
    };
    for (_, data) in &runs[1..] {
        assert_eq!(hash("a"), hash(data));
        for file in ["bodies.csv", "contacts.csv", "world.csv", "probes.csv", "run.npz"] {
            let [first, other] = ["a", data].map(|run| folder.bytes(&format!("{run}/{file}")));
            assert!(first == other, "{file} of run {data} differs");
        }
    }
}

#[test]
fn a_run_that_is_stopped_leaves_no_files() {
    let folder = Folder::new("stopped");
    folder.write("slide.toml", SLIDE);
    let arguments = ["run", "slide.toml", "--duration", "1e5", "--every", "1000", "--out", "data"];
    let mut running = common::start(&folder, &arguments);
    while !folder.path.join("data").is_dir() {
        assert!(running.try_wait().unwrap().is_none(), "it ended by itself");
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    running.kill().unwrap();
    running.wait().unwrap();
    assert!(folder.names("data").is_empty(), "{:?}", folder.names("data"));
}

#[test]
fn a_new_scene_is_valid_runs_and_is_drawn() {
    let folder = Folder::new("new");
    let out = asperity(&folder, &["new", "first"]);
    assert_eq!(out.code, 0, "{out:?}");
    let again = asperity(&folder, &["new", "first.toml"]);
    assert_eq!(again.code, 2, "a scene is never written over another: {again:?}");
    let check = asperity(&folder, &["check", "first.toml"]);
    assert_eq!(check.code, 0, "{check:?}");
    for part in ["first.toml: valid", "1 dynamic, 0 kinematic, 1 fixed", "pair entry", "slide"] {
        assert!(check.stdout.contains(part), "no \"{part}\" in\n{}", check.stdout);
    }
    let run = asperity(&folder, &["run", "first.toml", "--out", "data"]);
    assert_eq!(run.code, 0, "{run:?}");
    let plot = asperity(&folder, &["plot", "run", "data", "-o", "pictures.of.it"]);
    assert_eq!(plot.code, 0, "{plot:?}");
    for part in ["world", "probes", "bodies"] {
        let svg = folder.read(&format!("pictures.of.it_{part}.svg"));
        assert!(svg.starts_with("<svg") && !svg.contains("NaN"), "{part}");
        assert!(folder.bytes(&format!("pictures.of.it_{part}.png")).starts_with(b"\x89PNG"));
    }
    let svg = folder.read("pictures.of.it_probes.svg");
    assert!(svg.contains("slide [m]") && svg.contains("at 1 s: met"), "{svg}");
    let wrong = asperity(&folder, &["plot", "run", "data", "--body", "blok"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("expected one of slope, block"), "{}", wrong.stderr);
}

#[test]
fn cloth_and_solids_are_counted_and_plotted() {
    let folder = Folder::new("soft");
    folder.write("drape.toml", DRAPE);
    let check = asperity(&folder, &["check", "drape.toml"]);
    assert!(check.stdout.contains("1 cloth, 1 solid"), "{}", check.stdout);
    assert!(check.stdout.contains("wool: 1 body"), "{}", check.stdout);
    let run = ["run", "drape.toml", "--out", "data", "--duration", "0.1", "--every", "2"];
    assert_eq!(asperity(&folder, &run).code, 0);
    assert_eq!(folder.read("data/softs.csv").lines().count(), 1 + 2 * 6);
    let plot = asperity(&folder, &["plot", "run", "data"]);
    assert_eq!(plot.code, 0, "{plot:?}");
    let picture = folder.read("data/plot_softs.svg");
    for part in ["sheet: displacement", "sheet: length of edges", "gel: energy", "gel: sides"] {
        assert!(picture.contains(part), "no \"{part}\"");
    }
    let one = asperity(&folder, &["plot", "run", "data", "--body", "gel", "-o", "one"]);
    assert_eq!(one.code, 0, "{one:?}");
    assert!(!folder.read("one_softs.svg").contains("sheet: energy"));
    let none = asperity(&folder, &["plot", "run", "data", "--body", "sheets"]);
    assert_eq!(none.code, 2);
    assert!(none.stderr.contains("ground, ball, sheet, gel"), "{}", none.stderr);
    folder.write("data/softs.csv", "step,time [s],body\n0,0,sheet\n");
    let broken = asperity(&folder, &["plot", "run", "data"]);
    assert_eq!(broken.code, 2);
    assert!(broken.stderr.contains("softs.csv: line 2: there is no column"), "{}", broken.stderr);
}

#[test]
fn the_schema_is_json_and_goes_to_a_file_too() {
    let folder = Folder::new("schema");
    let printed = asperity(&folder, &["schema"]);
    assert_eq!(printed.code, 0);
    assert_eq!(asperity(&folder, &["schema", "-o", "schema.json"]).code, 0);
    assert_eq!(printed.stdout, folder.read("schema.json"));
    let json: serde_json::Value = serde_json::from_str(&printed.stdout).unwrap();
    assert!(json["properties"]["body"].is_object());
}
