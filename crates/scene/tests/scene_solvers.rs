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
fn newton_refuses_patches_that_spin() {
    let spin = ", extent = \"spin\"";
    refused("solver = { method = \"newton\" }", spin, &["\"newton\"", "does not take it", "auto"]);
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
