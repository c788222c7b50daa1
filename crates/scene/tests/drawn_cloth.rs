//! Cloth that pins draw: over the edge of a table, and from under what stands on it.

mod common;

use asperity_scene::Scene;
use asperity_scene::run::{Plan, Report, simulate};
use common::load;

const GRAVITY: f64 = 9.81;
const MU: f64 = 0.3;
/// Speed of the hem, m/s.
const SPEED: f64 = 2.0;

/// A sheet on a table whose edge is `reach` in front of the sheet's hem, drawn forwards by that.
fn drawn(dt: f64, reach: f64, duration: f64, more: &str) -> Scene {
    let (edge, half) = (0.15 + reach, 0.075 + 0.5 * reach);
    let (length, middle) = (2.0 * half + 0.3, edge - half - 0.15);
    load(&format!(
        "version = 1\nworld = {{ dt = {dt:e}, duration = {duration:e}, soft_contact = \"solver\" }}\n\
         pair.default = {{ section = {{ model = \"coulomb\", mu = {MU} }} }}\n\
         body = [\n\
           {{ name = \"table\", kind = \"fixed\", shape = {{ box = [{length:e}, 0.1, 0.5] }}, at = [{middle:e}, -0.05, 0] }},\n\
           {{ name = \"cloth\", at = [0, 0.003, 0], cloth = {{ size = [0.3, 0.2], cells = [12, 8], thickness = 0.003, self_contact = false,\n\
              pins = [{{ min = [0.14, -1, -1], max = [0.16, 1, 1], velocity = [{SPEED}, 0, 0] }}] }} }},\n\
           {more}\n\
         ]\n"
    ))
}

fn report(mut scene: Scene) -> Report {
    let plan = Plan::new(&scene, None, 1).unwrap();
    let run = simulate(&mut scene, &plan, |_| {});
    Report::new("drawn.toml", &scene, &plan, &run)
}

/// The hem comes to be right over the edge when a step ends, or a little before or behind it: what the cloth touches
/// the edge with there is held by pins but for rounding. The edges behind it are as long as before.
#[test]
fn a_hem_drawn_over_an_edge_is_not_torn_out() {
    for dt in [0.001, 0.002, 0.005] {
        let steps = 6.0;
        for off in [0.0, 1e-9, -1e-9, 0.3, -0.3] {
            let way = SPEED * dt;
            let report = report(drawn(dt, (steps + off) * way, 2.0 * steps * dt, ""));
            let stretch = report.soundness.stretch.as_ref().expect("a stretch");
            let what =
                format!("{dt} s, {off} of a step's way off: {stretch:?}, {:?}", report.faults);
            assert!(stretch.stretch < 1.05, "{what}");
            assert!(report.soundness.energy.part() <= 1e-6, "{what}");
            assert!(!report.fails(false), "{what}");
        }
    }
}

/// A box on the cloth goes by μ g t (t + h)/2, as backward Euler has it. The pins hold what friction takes: that of the
/// box and that of the table under box and cloth. All energy there is comes from them.
#[test]
fn pins_that_draw_a_cloth_do_the_work_of_friction() {
    for (dt, mass) in [(0.002, 0.3), (0.004, 0.3), (0.002, 3.0)] {
        let box_on_it = format!(
            "{{ name = \"box\", shape = {{ box = [0.06, 0.04, 0.06] }}, mass = {mass}, at = [-0.02, 0.026, 0] }},"
        );
        let mut scene = drawn(dt, 0.4, 0.06, &box_on_it);
        let cloth = scene.world.softs()[0].body.mass();
        let (mut work, mut rise, mut most) = (0.0, 0.0, 0.0_f64);
        while scene.world.time() < 0.06 - 0.5 * dt {
            scene.world.step();
            let energy = scene.world.report().audit.energy;
            rise += energy.rise;
            most = most.max(energy.end.kinetic);
            // The hem has drawn the cloth taut by then.
            if scene.world.time() > 0.02 + 0.5 * dt {
                work += energy.work;
            }
        }
        let t = scene.world.time();
        let way = scene.world.bodies()[1].pose.translation.x + 0.02;
        let expected = 0.5 * MU * GRAVITY * t * (t + dt);
        let what = format!("{dt} s, {mass} kg");
        assert!((way / expected - 1.0).abs() < 0.02, "{what}: {way} for {expected}");
        let expected = MU * GRAVITY * (2.0 * mass + cloth) * SPEED * (t - 0.02);
        assert!((work / expected - 1.0).abs() < 0.02, "{what}: {work} J for {expected}");
        assert!(rise <= 1e-6 * most, "{what}: {rise} J from nowhere");
    }
}
