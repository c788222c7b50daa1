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

const SLIDE: &str = r#"{"format":"fc3d-local-1","nc":1,"mu":[0.5],"q":[-1,2,0],
"W":{"m":3,"n":3,"i":[0,1,2],"j":[0,1,2],"v":[1,1,1]}}"#;

#[test]
fn a_solution_is_exit_code_0_with_both_residuals() {
    let folder = Folder::new("solved");
    folder.write("slide.json", SLIDE);
    let out = asperity(&folder, &["solve", "slide.json"]);
    assert_eq!(out.code, 0, "{out:?}");
    assert!(out.stdout.contains("auto: converged"), "{}", out.stdout);
    assert!(out.stdout.contains("without units"), "{}", out.stdout);
    let out = asperity(&folder, &["solve", "slide.json", "--json"]);
    assert!(out.stdout.contains("\"residual_without_units\":"), "{}", out.stdout);
}

#[test]
fn what_is_not_solved_is_exit_code_1_and_told() {
    let folder = Folder::new("unsolved");
    // Two rows that push against each other can never both open.
    let wedged = SLIDE.replace(
        "\"nc\":1,\"mu\":[0.5],\"q\":[-1,2,0]",
        "\"nc\":2,\"mu\":[0,0],\"q\":[-1,0,0,-1,0,0]",
    );
    let wedged = wedged.replace(
        "\"m\":3,\"n\":3,\"i\":[0,1,2],\"j\":[0,1,2],\"v\":[1,1,1]",
        "\"m\":6,\"n\":6,\"i\":[0,0,3,3],\"j\":[0,3,0,3],\"v\":[1,-1,-1,1]",
    );
    folder.write("wedged.json", &wedged);
    let out = asperity(&folder, &["solve", "wedged.json"]);
    assert_eq!(out.code, 1, "{out:?}");
    assert!(out.stderr.starts_with("not solved: residual "), "{}", out.stderr);
    assert!(!out.stdout.contains("converged"), "{}", out.stdout);
}

#[test]
fn numbers_that_overflow_are_exit_code_2() {
    let folder = Folder::new("overflow");
    folder.write("huge.json", &SLIDE.replace("[-1,2,0]", "[-1e308,1e308,0]"));
    let out = asperity(&folder, &["solve", "huge.json"]);
    assert_eq!(out.code, 2, "{out:?}");
    assert!(out.stderr.contains("q[0]"), "{}", out.stderr);
}

#[test]
fn an_unknown_command_is_exit_code_2() {
    let folder = Folder::new("unknown");
    assert_eq!(asperity(&folder, &["slove"]).code, 2);
    assert_eq!(asperity(&folder, &["--version"]).code, 0);
}
