//! Fabrics given as rows of tables of the Kawabata system and of FAST.

use asperity_scene::{self as scene, NoAssets};
use glamx::DVec3;

fn text(fabric: &str) -> String {
    format!(
        "version = 1\nworld = {{ dt = 0.01, duration = 0.1 }}\n\
         pair.default = {{ section = {{ model = \"coulomb\", mu = 0.5 }} }}\n\
         body = [ {{ name = \"sheet\", cloth = {{ size = [0.4, 0.2], cells = [4, 2], fabric = {fabric}, \
         pins = [{{ min = [-0.2, 0, -0.1], max = [-0.1, 0, 0.1] }}] }} }} ]\n"
    )
}

/// Where the vertices are after a tenth of a second.
fn hangs(fabric: &str) -> Vec<DVec3> {
    let mut scene = scene::load(&text(fabric), "sheet.toml", &NoAssets).expect("a scene");
    for _ in 0..10 {
        scene.world.step();
    }
    scene.world.softs()[0].body.positions.clone()
}

fn apart(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
fn rows_of_tables_are_the_same_cloth_as_their_si_figures() {
    // 500 gf/cm = 490.3325 N/m at 5 and 10 %; 98.0665 uN m; 56.18796 N/m.
    let kawabata = hangs("{ kawabata = { elongation = [5, 10], bending = [1, 0.5], shear = 1 } }");
    let si = "{ stretch = [9806.65, 4903.325], bending = [9.80665e-5, 4.903325e-5], shear = 56.1879657 }";
    assert!(apart(&kawabata, &hangs(si)) < 1e-9, "{}", apart(&kawabata, &hangs(si)));
    // 100 gf/cm = 98.0665 N/m at 1 and 2 %.
    let fast = hangs(
        "{ fast = { extension = [1, 2], bending = [98.0665, 49.03325], shear = 56.1879657 } }",
    );
    assert!(apart(&kawabata, &fast) < 1e-9);
    // Warp and weft are told apart.
    let turned = hangs("{ kawabata = { elongation = [10, 5], bending = [0.5, 1], shear = 1 } }");
    assert!(apart(&kawabata, &turned) > 1e-4, "{}", apart(&kawabata, &turned));
}

#[test]
fn a_measurement_and_what_follows_from_it_are_not_given_together() {
    let refused = |fabric: &str, words: &[&str]| {
        let error = scene::load(&text(fabric), "sheet.toml", &NoAssets).expect_err("refused");
        let error = error.to_string();
        for word in words {
            assert!(error.contains(word), "{word}: {error}");
        }
    };
    let row = "elongation = [5, 5], bending = [0.1, 0.1], shear = 1";
    refused(
        &format!("{{ bending = [1e-5, 1e-5], kawabata = {{ {row} }} }}"),
        &["\"bending\"", "\"kawabata\"", "keep one"],
    );
    refused(
        &format!(
            "{{ kawabata = {{ {row} }}, fast = {{ extension = [1, 1], bending = [9, 9], shear = 40 }} }}"
        ),
        &["\"kawabata\"", "\"fast\"", "keep one"],
    );
    refused("{ kawabata = { elongation = [5, 5], shear = 1 } }", &["bending"]);
    refused("{ kawabata = { elongation = [5, 0], bending = [1, 1], shear = 1 } }", &["elongation"]);
}
