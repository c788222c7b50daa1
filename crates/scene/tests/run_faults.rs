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
