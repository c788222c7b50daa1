//! A body that is stopped makes a run fail, unless the scene allows it.

mod common;

use asperity::BodyId;
use asperity_scene::run::{Plan, Report, simulate};
use common::load;
use glamx::DVec3;

/// The report of a run in which the force on a body is no number.
fn stopped(allow: &str) -> Report {
    let mut scene = load(&format!(
        "version = 1\nallow = [{allow}]\nworld = {{ duration = 0.1 }}\n\
         pair.default = {{ section = {{ model = \"coulomb\", mu = 0.5 }} }}\n\
         body = [ {{ name = \"ball\", shape = {{ sphere = 0.1 }} }} ]\n"
    ));
    scene.world.apply_force(BodyId(0), DVec3::NAN, DVec3::ZERO);
    let plan = Plan::new(&scene, None, 1).unwrap();
    let run = simulate(&mut scene, &plan, |_| {});
    Report::new("test.toml", &scene, &plan, &run)
}

#[test]
fn a_stopped_body_is_a_gross_fault_unless_it_is_allowed() {
    let report = stopped("");
    let [fault] = &report.faults[..] else { panic!("{:?}", report.faults) };
    assert!(fault.gross && fault.about == "stopped", "{fault:?}");
    assert!(fault.message.contains("\"ball\" was stopped in step 1"), "{fault:?}");
    assert!(report.fails(false));
    assert!(!stopped("\"stopped\"").fails(true));
    assert!(stopped("\"energy\"").fails(false));
}

/// The report of a run of a cloth that lies `height` over the top of a box.
fn lying(allow: &str, height: f64) -> Report {
    let mut scene = load(&format!(
        "version = 1\nallow = [{allow}]\nworld = {{ duration = 0.05 }}\n\
         pair.default = {{ section = {{ model = \"coulomb\", mu = 0.5 }} }}\n\
         body = [\n\
           {{ name = \"block\", kind = \"fixed\", shape = {{ box = [1, 0.4, 1] }}, at = [0, -0.2, 0] }},\n\
           {{ name = \"sheet\", at = [0, {height}, 0], cloth = {{ size = [0.4, 0.4], cells = [8, 8], thickness = 0.005 }} }},\n\
         ]\n"
    ));
    let plan = Plan::new(&scene, None, 1).unwrap();
    let run = simulate(&mut scene, &plan, |_| {});
    Report::new("test.toml", &scene, &plan, &run)
}

#[test]
fn a_cloth_within_a_body_is_a_gross_fault_unless_it_is_allowed() {
    let report = lying("", -0.05);
    let of = |r: &Report| r.faults.iter().find(|f| f.about == "overlap").cloned();
    let fault = of(&report).expect("a fault");
    assert!(fault.gross, "{fault:?}");
    assert!(fault.message.starts_with("\"sheet\" goes through \"block\": "), "{fault:?}");
    assert!(fault.message.contains("within the 5.0 mm that surfaces keep"), "{fault:?}");
    assert!(report.fails(false));
    assert!(of(&lying("\"overlap\"", -0.05)).is_some_and(|fault| !fault.fails(true)));
    // Right on the box, as one lays it, is worth a warning; above it nothing.
    assert!(of(&lying("", 0.0)).is_some_and(|fault| !fault.gross));
    assert_eq!(of(&lying("", 0.005)), None);
}
