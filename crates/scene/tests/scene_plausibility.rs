//! What looks wrong in a scene is told when it loads, by name, and nothing else is.

mod common;

use common::load;

/// Warnings of a scene with these bodies and this `world`.
fn warnings(world: &str, bodies: &str) -> Vec<String> {
    let text = format!(
        "version = 1\nworld = {{ {world} }}\npair.default = {{ section = {{ model = \"coulomb\", mu = 0.5 }} }}\nbody = [\n{bodies}\n]\n"
    );
    load(&text).warnings.iter().map(ToString::to_string).collect()
}

const GROUND: &str = "{ name = \"ground\", kind = \"fixed\", shape = { half_space = [0, 1, 0] } },";

fn one(world: &str, bodies: &str) -> String {
    let mut found = warnings(world, bodies);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn bodies_within_each_other_are_named_with_their_depth() {
    let low = "{ name = \"low\", shape = { box = [0.2, 0.1, 0.2] }, at = [0, 0.05, 0] },";
    let high = |y: f64| {
        format!("{{ name = \"high\", shape = {{ box = [0.2, 0.2, 0.2] }}, at = [0, {y}, 0] }},")
    };
    let told = one("", &format!("{GROUND}\n{low}\n{}", high(0.18)));
    assert!(told.starts_with("test.toml:7:"), "{told}");
    assert!(told.contains("\"low\" and \"high\" are 20 mm within each other"), "{told}");
    assert!(told.contains("100 mm thick"), "{told}");
    // A touch, a gap and less than a hundredth of the thinner body are as they should be.
    for y in [0.2, 0.3, 0.1995] {
        assert!(warnings("", &format!("{GROUND}\n{low}\n{}", high(y))).is_empty(), "{y}");
    }
}

#[test]
fn what_cannot_be_moved_and_what_a_joint_holds_may_overlap() {
    let post = "{ name = \"post\", kind = \"fixed\", shape = { box = [0.1, 1, 0.1] } },";
    assert!(warnings("", &format!("{GROUND}\n{post}")).is_empty());
    let text = format!(
        "version = 1\npair.default = {{ section = {{ model = \"coulomb\", mu = 0.5 }} }}\nbody = [ {post}\n\
         {{ name = \"arm\", shape = {{ box = [1, 0.1, 0.1] }} }} ]\n\
         joint = [ {{ name = \"pin\", kind = \"ball\", a = \"post\", b = \"arm\", at = [0, 0, 0] }} ]\n"
    );
    assert!(load(&text).warnings.is_empty(), "{:?}", load(&text).warnings);
}

#[test]
fn millimetres_are_suspected_where_everything_is_large() {
    let large = "{ name = \"block\", shape = { box = [200, 100, 50] }, at = [0, 60, 0] },";
    let told = one("", &format!("{GROUND}\n{large}"));
    assert!(told.contains("\"block\"") && told.contains("millimetres"), "{told}");
    let small = "{ name = \"toy\", shape = { box = [0.2, 0.1, 0.2] }, at = [300, 1, 0] },";
    assert!(warnings("", &format!("{GROUND}\n{large}\n{small}")).is_empty());
}

#[test]
fn weights_that_nothing_has_are_told() {
    let block = |mass: f64| {
        format!(
            "{{ name = \"block\", shape = {{ box = [0.1, 0.1, 0.1] }}, at = [0, 1, 0], mass = {mass:e} }},"
        )
    };
    assert!(one("", &block(1e4)).contains("too heavy"));
    assert!(one("", &block(1e-6)).contains("too light"));
    for mass in [0.01, 1.0, 20.0] {
        assert!(warnings("", &block(mass)).is_empty(), "{mass}");
    }
}

#[test]
fn gravity_that_points_up_is_told() {
    let block = "{ name = \"block\", shape = { box = [0.1, 0.1, 0.1] }, at = [0, 1, 1] },";
    let both = format!("{GROUND}\n{block}");
    assert!(one("gravity = -9.81", &both).contains("out of every half-space"));
    assert!(one("gravity = [0, 9.81, 0]", block).contains("points up"));
    for world in ["gravity = 9.81", "gravity = 0", "gravity = [1, -9, 0]", "gravity = [5, 0, 0]"] {
        assert!(warnings(world, &both).is_empty(), "{world}");
    }
    // The floor of a world whose up is z.
    let floor = "{ name = \"floor\", kind = \"fixed\", shape = { half_space = [0, 0, 1] } },";
    assert!(warnings("up = \"z\"", &format!("{floor}\n{block}")).is_empty());
}
