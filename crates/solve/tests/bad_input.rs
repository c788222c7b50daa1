//! What is wrong with a problem is said, and where.

use asperity_friction::set::{Disk, Polygon, Set, Tensor};
use asperity_solve::{ContactProblem, SparseMatrix, json};
use glamx::{DMat2, DVec2};

const GOOD: &str = r#"{"format":"fc3d-local-1","dim":3,"nc":1,"mu":[0.5],"q":[-1,0,0],
"W":{"m":3,"n":3,"i":[0,1,2],"j":[0,1,2],"v":[1,1,1]}}"#;

fn message(text: &str) -> String {
    json::read(text).expect_err("must be refused").to_string()
}

#[test]
fn the_template_itself_is_good() {
    assert_eq!(json::read(GOOD).unwrap().rows(), 3);
}

#[test]
fn every_defect_is_named() {
    let cases = [
        (r#""mu":[0.5]"#, r#""mu":[-0.5]"#, "contact 0: friction coefficient is -0.5"),
        (r#""mu":[0.5]"#, r#""mu":[NaN]"#, "line 1 column"),
        (r#""mu":[0.5]"#, r#""mu":[0.5,0.5]"#, "\"mu\": 2 numbers; expected 1"),
        (r#""mu":[0.5]"#, r#""mu":["a"]"#, "expected f64 at line 1"),
        (r#""mu":[0.5],"#, "", "missing field `mu`"),
        (r#""q":[-1,0,0]"#, r#""q":[-1,0]"#, "\"q\": 2 numbers; expected 3"),
        (r#""q":[-1,0,0]"#, r#""q":[-1,0,1e999]"#, "line 1 column"),
        (r#""m":3,"n":3"#, r#""m":3,"n":4"#, "\"W\": 3 x 4; expected a square matrix"),
        (r#""m":3,"n":3"#, r#""m":6,"n":6"#, "\"W\": 6 rows; expected 3"),
        (r#""m":3,"n":3"#, r#""m":99999999999,"n":99999999999"#, "at most"),
        (r#""i":[0,1,2]"#, r#""i":[0,1,7]"#, "\"W\": entry 2 is at row 7"),
        (r#""i":[0,1,2]"#, r#""i":[0,1]"#, "\"W.i\": 2 numbers; expected 3"),
        (r#""i":[0,1,2]"#, r#""i":[0,1,-2]"#, "line 2 column"),
        ("fc3d-local-1", "nonsense", "unknown format \"nonsense\""),
        ("fc3d-local-1", "fc2d-local-1", "\"dim\": 3; expected 2"),
        ("fc3d-local-1", "fc3d-global-1", "\"M\": missing"),
        ("fc3d-local-1", "rfc3d-local-1", "\"dim\": 3; expected 5"),
        (r#""nc":1"#, r#""nc":2"#, "\"mu\": 1 numbers; expected 2"),
        ("}}", "}", "EOF while parsing"),
    ];
    for (from, to, expected) in cases {
        let text = GOOD.replacen(from, to, 1);
        assert_ne!(text, GOOD, "{from} is in the template");
        let message = message(&text);
        assert!(message.contains(expected), "{to}: {message:?} does not say {expected:?}");
    }
    for text in ["", "[]", "null", "{", "\u{0}", "{\"format\":3}"] {
        assert!(message(text).starts_with("not a contact problem"), "{text}");
    }
}

/// Storage grows with the rows: what a file says about them is compared with what it holds first.
#[test]
fn matrices_larger_than_the_rest_of_the_file_are_refused() {
    let large = r#"{"m":268435456,"n":268435456,"i":[0],"j":[0],"v":[1]}"#;
    let cases = [
        format!(r#"{{"format":"fc3d-local-1","nc":1,"mu":[0.5],"q":[-1,2,0],"W":{large}}}"#),
        format!(
            r#"{{"format":"fc3d-global-1","nc":1,"mu":[0.3],"f":[1,1,1],"w":[0,0,0],"M":{large},
            "H":{{"m":268435456,"n":3,"i":[0],"j":[0],"v":[1]}}}}"#
        ),
        format!(
            r#"{{"format":"asperity-problem-1","q":[-1,0,0],"blocks":[],"operator":{{"W":{large}}}}}"#
        ),
    ];
    for text in cases {
        let info = allocation_counter::measure(|| assert!(message(&text).contains("268435456")));
        assert!(info.bytes_max < 1_000_000, "{} bytes", info.bytes_max);
    }
}

/// Their squares would overflow, and an error over infinity is none.
#[test]
fn numbers_too_large_are_refused_with_their_place() {
    for (from, to, place) in
        [("[-1,0,0]", "[-1e308,0,0]", "\"q[0]\""), ("[1,1,1]", "[1,1e160,1]", "\"W.v[1]\"")]
    {
        let message = message(&GOOD.replacen(from, to, 1));
        assert!(message.contains(place) && message.contains("at most 1e100"), "{message}");
    }
}

#[test]
fn a_singular_mass_is_refused() {
    let text = r#"{"format":"fc3d-global-1","nc":1,"mu":[0.3],"f":[1,1,1],"w":[0,0,0],
        "M":{"m":3,"n":3,"i":[0,1],"j":[0,1],"v":[1,1]},
        "H":{"m":3,"n":3,"i":[0,1,2],"j":[0,1,2],"v":[1,1,1]}}"#;
    assert!(message(text).contains("mass matrix is singular"), "{}", message(text));
}

#[test]
fn blocks_that_do_not_fit_are_refused() {
    let native = |blocks: &str| {
        format!(
            r#"{{"format":"asperity-problem-1","q":[-1,0,0],"blocks":[{blocks}],
            "operator":{{"W":{{"m":3,"n":3,"i":[0,1,2],"j":[0,1,2],"v":[1,1,1]}}}}}}"#
        )
    };
    let disk = r#"{"disk":{"mu":0.5}}"#;
    let block = |rows: &str, load: &str, set: &str| {
        native(&format!(r#"{{"rows":{rows},"load":{load},"set":{set}}}"#))
    };
    assert!(json::read(&block("[1,3]", r#"{"normals":[0,1]}"#, disk)).is_ok());
    let gated = r#"{"constant":2},"normals":[0,1]"#;
    assert!(json::read(&block("[1,3]", gated, disk)).is_ok());
    let cases = [
        (block("[1,9]", r#"{"normals":[0,1]}"#, disk), "rows within 0..3"),
        (block("[1,2]", r#"{"normals":[0,1]}"#, disk), "2 for a set of shape disk"),
        (block("[1,3]", r#"{"normals":[1,2]}"#, disk), "normal rows"),
        (block("[1,3]", r#"{"constant":-1}"#, disk), "zero or more"),
        (block("[1,3]", r#"{"normals":[0,1]}"#, r#"{"disk":{"mu":-1}}"#), "blocks[0].set"),
        (block("[1,3]", r#"{"normals":[0,1]}"#, r#"{"dosk":{"mu":1}}"#), "unknown variant `dosk`"),
        (block("[1,3]", r#"{"normals":[0,1]}"#, r#"{"free":0}"#), "expected 1 to 6"),
        (
            block("[1,3]", r#"{"normals":[0,1]}"#, r#"{"polygon":{"corners":[[1,1],[2,1]]}}"#),
            "does not hold the origin",
        ),
        (block("[1,3]", gated, r#"{"disk":{"mu":1}},"drag":[[1,2,0],[2,1,0],[0,0,0]]"#), "semi-"),
        (block("[1,3]", gated, r#"{"disk":{"mu":1}},"bias":[0,0]"#), "array of length 3"),
        (block("[1,2]", gated, r#"{"interval":{"min":-1,"max":1}},"bias":[0,0,0]"#), "2 or 3"),
        (block("[1,3]", r#"{"normals":[0,1]},"normals":[0,1]"#, disk), "blocks[0].normals"),
    ];
    for (text, expected) in cases {
        assert!(
            message(&text).contains(expected),
            "{:?} does not say {expected:?}",
            message(&text)
        );
    }
}

#[test]
fn every_set_survives_writing_and_reading() {
    let corners = [DVec2::new(0.4, 0.0), DVec2::new(0.0, 0.7), DVec2::new(-0.2, -0.1)];
    let sets: Vec<Set> = vec![
        Disk::new(0.3).unwrap().into(),
        Polygon::from_points(&corners).unwrap().into(),
        Tensor::asymmetric(DMat2::IDENTITY, DMat2::from_diagonal(DVec2::new(0.2, 0.4)))
            .unwrap()
            .into(),
    ];
    let n = sets.iter().map(|s| 1 + s.dim()).sum();
    let w = SparseMatrix::from_triplets(n, n, (0..n).map(|i| (i, i, 1.0))).unwrap();
    let problem = ContactProblem::explicit("all", w, vec![-1.0; n], sets).unwrap();
    assert_eq!(problem, json::read(&json::write(&problem).unwrap()).unwrap());
    let refused = json::write_published(&problem).unwrap_err().to_string();
    assert!(refused.contains("a set of shape polygon"), "{refused}");
}
