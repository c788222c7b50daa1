//! Expectations judge samples as they say.

use asperity_scene::{self as scene, Expectation, NoAssets, Outcome};

fn expectation(table: &str) -> Expectation {
    let text = format!(
        "version = 1\nworld = {{ duration = 10 }}\nprobe = [{{ name = \"e\", of = \"world.energy\" }}]\nexpect = [{{ probe = \"e\", {table} }}]\n"
    );
    scene::load(&text, "s", &NoAssets).unwrap_or_else(|e| panic!("{e}")).expectations.remove(0)
}

const SAMPLES: &[(f64, f64)] = &[(0.0, 0.0), (1.0, 4.0), (2.0, -1.0), (3.0, 2.0)];

#[test]
fn a_time_between_samples_is_interpolated() {
    let verdict = expectation("time = 0.5, between = [1.9, 2.1]").judge(SAMPLES);
    assert_eq!((verdict.outcome, verdict.observed), (Outcome::Met, Some((0.5, 2.0))));
    let verdict = expectation("time = 1, near = 3.5, within = 0.4").judge(SAMPLES);
    assert_eq!((verdict.outcome, verdict.observed), (Outcome::Missed, Some((1.0, 4.0))));
}

#[test]
fn a_time_beyond_the_samples_is_unknown() {
    assert_eq!(expectation("time = 4, between = [0, 9]").judge(SAMPLES).outcome, Outcome::Unknown);
    let almost = expectation("time = 3, between = [2, 2]").judge(&[(0.0, 0.0), (3.0 - 1e-12, 2.0)]);
    assert_eq!(almost.outcome, Outcome::Met);
    assert_eq!(
        expectation("when = \"final\", between = [0, 9]").judge(&[]).outcome,
        Outcome::Unknown
    );
}

#[test]
fn final_max_min_and_always_pick_their_samples() {
    let observed =
        |when: &str| expectation(&format!("when = \"{when}\", between = [0, 5]")).judge(SAMPLES);
    assert_eq!(observed("final").observed, Some((3.0, 2.0)));
    assert_eq!(observed("max").observed, Some((1.0, 4.0)));
    assert_eq!(observed("min").observed, Some((2.0, -1.0)));
    assert_eq!(observed("min").outcome, Outcome::Missed);
    assert_eq!(observed("always").observed, Some((2.0, -1.0)));
    assert_eq!(observed("always").outcome, Outcome::Missed);
    assert_eq!(observed("max").outcome, Outcome::Met);
}

#[test]
fn a_value_that_is_not_a_number_is_never_as_expected() {
    let samples = [(0.0, 1.0), (1.0, f64::NAN), (2.0, 1.0)];
    for when in ["max", "min", "always"] {
        let e = expectation(&format!("when = \"{when}\", between = [0, 5]"));
        assert_eq!(e.judge(&samples).outcome, Outcome::Missed, "{when}");
    }
    let verdict = expectation("when = \"final\", between = [0, 5]").judge(&samples[..2]);
    assert_eq!(verdict.outcome, Outcome::Missed);
    assert!(verdict.to_string().starts_with("missed: NaN at 1 s; expected e at the end"));
}
