//! Every solver can be named, and what it does not take is told when the scene loads.

use asperity_scene::{self as scene, NoAssets, Scene, SceneError};
use asperity_solve::SOLVERS;

fn load(world: &str, pair: &str) -> Result<Scene, SceneError> {
    let text = format!(
        "version = 1\nworld = {{ {world} }}\npair.default = {{ section = {{ model = \"coulomb\", mu = 0.5 }}{pair} }}\n\
         body = [ {{ name = \"ground\", kind = \"fixed\", shape = {{ box = [9, 1, 9] }} }},\n\
         {{ name = \"block\", shape = {{ box = [1, 1, 1] }}, at = [0, 1, 0] }} ]\n"
    );
    scene::load(&text, "s.toml", &NoAssets)
}

/// What is said about the method: its line and column, and all of the parts.
fn refused(world: &str, pair: &str, parts: &[&str]) {
    let error = load(world, pair).unwrap_err().to_string();
    let column = 11 + world.find("method = ").unwrap() + "method = ".len();
    assert!(error.starts_with(&format!("s.toml:2:{column}: ")), "column {column}: {error}");
    for part in parts {
        assert!(error.contains(part), "no {part} in {error}");
    }
}

#[test]
fn every_solver_loads_a_simple_scene() {
    for solver in SOLVERS {
        let scene = load(&format!("solver = {{ method = \"{}\" }}", solver.name), "").unwrap();
        assert_eq!(scene.world.settings.method.name(), solver.name);
    }
    let error = load("solver = { method = \"proxx\" }", "").unwrap_err().to_string();
    assert!(error.contains("did you mean \"prox\"?"), "{error}");
}

#[test]
fn only_a_solver_with_facets_takes_a_number_of_directions() {
    let world = |method: &str| format!("solver = {{ method = \"{method}\", directions = 24 }}");
    let scene = load(&world("lcp"), "").unwrap();
    assert_eq!(scene.world.settings.directions, Some(24));
    let error = load(&world("prox"), "").unwrap_err().to_string();
    assert!(error.contains("directions") && error.contains("\"lcp\""), "{error}");
    let error = load("solver = { method = \"lcp\", directions = 2 }", "").unwrap_err().to_string();
    assert!(error.contains("directions"), "{error}");
}

/// A block that slides on the ground for a moment, by each of the solvers: facets, equations and pivots.
#[test]
fn a_sliding_block_is_stopped_as_far_by_the_solvers_of_one_paper() {
    let slid = |world: &str| {
        let mut scene = load(&format!("dt = 0.01, {world}"), "").unwrap();
        let block = scene.world.find("block").unwrap();
        scene.world.set_velocity(block, [1.0, 0.0, 0.3].into(), [0.0; 3].into());
        for _ in 0..10 {
            scene.world.step();
        }
        scene.world.bodies()[block.0].centre_of_mass()
    };
    let expected = slid("solver = { method = \"prox\" }");
    for method in ["ncp", "pivoting"] {
        let at = slid(&format!("solver = {{ method = \"{method}\" }}"));
        assert!((at - expected).length() < 1e-7, "{method}: {at} and {expected}");
    }
    let far = |directions: usize| {
        let world = format!("solver = {{ method = \"lcp\", directions = {directions} }}");
        (slid(&world) - expected).length()
    };
    assert!(far(64) < 5e-4 && far(4) > 4.0 * far(64), "{:e} and {:e}", far(4), far(64));
}

#[test]
fn newton_takes_patches_that_spin_and_refuses_those_that_remember() {
    let newton = "solver = { method = \"newton\" }";
    load(newton, ", extent = \"spin\"").unwrap();
    let remembers = ", memory = \"elasto_plastic\"";
    refused(newton, remembers, &["\"newton\"", "does not take it", "auto"]);
}

#[test]
fn pgs_refuses_wrenches() {
    let world = "contact = \"wrench\", solver = { method = \"pgs\" }";
    refused(world, "", &["\"pgs\"", "wrench", "does not take it"]);
}

#[test]
fn pgs_warns_that_it_puts_boxes_around_discs() {
    let scene = load("solver = { method = \"pgs\" }", "").unwrap();
    let [warning] = &scene.warnings[..] else { panic!("{:?}", scene.warnings) };
    let said = warning.to_string();
    assert!(said.starts_with("s.toml:2:") && said.contains("the box around"), "{said}");
}

#[test]
fn solvers_that_take_no_coupled_rows_are_refused_for_soft_contacts() {
    for solver in SOLVERS {
        let name = solver.name;
        let world = format!("soft_contact = \"solver\", solver = {{ method = \"{name}\" }}");
        if ["newton", "resting", "admm"].contains(&name) {
            refused(&world, "", &["soft_contact = \"solver\"", &format!("\"{name}\"")]);
        } else {
            load(&world, "").unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
}
