//! Cloth that falls on things gains no energy: kinetic, of height and elastic.

use asperity_scene::{self as scene, NoAssets, Scene};

/// Steps, seconds.
const STEPS: [f64; 3] = [0.005, 0.01, 1.0 / 60.0];

/// What a cloth falls on or how it falls: bodies, and the cloth with its cells and fabric left open.
struct Fall {
    name: &'static str,
    bodies: &'static str,
    cloth: &'static str,
    seconds: f64,
}

const FALLS: [Fall; 4] = [
    Fall {
        name: "ball",
        bodies: r#"{ name = "b", shape = { sphere = 0.3 }, at = [0, 0.3, 0], kind = "fixed" },"#,
        cloth: r#"at = [0, 0.65, 0], cloth = { size = [1, 1], cells = [N, N], fabric = "cotton" }"#,
        seconds: 0.3,
    },
    Fall {
        name: "box",
        bodies: r#"{ name = "b", shape = { box = [0.4, 0.4, 0.4] }, at = [0, 0.3, 0], kind = "fixed" },"#,
        cloth: r#"at = [0.03, 0.52, 0.02], cloth = { size = [0.9, 0.9], cells = [N, N], fabric = "silk" }"#,
        seconds: 0.4,
    },
    Fall {
        name: "corner",
        bodies: r#"{ name = "b", shape = { box = [0.4, 0.4, 0.4] }, at = [0, 0.3, 0], kind = "fixed",
            rotate = [0.27981441354084186, -0.11590292503609052, 0.36470963981612087, 0.8804869587722854] },"#,
        cloth: r#"at = [0.03, 0.72, 0.02], cloth = { size = [0.9, 0.9], cells = [N, N], fabric = "silk" }"#,
        seconds: 0.5,
    },
    Fall {
        name: "fold",
        bodies: "",
        cloth: r#"at = [0, 0.41, 0], rotate = [0, 0, 0.6946583704589973, 0.7193398003386512],
            cloth = { size = [0.8, 0.15], cells = [L, 3], fabric = "silk" }"#,
        seconds: 0.5,
    },
];

fn load(fall: &Fall, cells: usize, dt: f64) -> Scene {
    let cloth = fall.cloth.replace('N', &cells.to_string()).replace('L', &(2 * cells).to_string());
    let text = format!(
        r#"
        version = 1
        world = {{ dt = {dt:e}, duration = 2 }}
        material.default = {{ density = 1000 }}
        pair.default = {{ section = {{ model = "coulomb", mu = 0.3 }} }}
        body = [
          {{ name = "ground", kind = "fixed", shape = {{ half_space = [0, 1, 0] }} }},
          {}
          {{ name = "c", {cloth} }},
        ]"#,
        fall.bodies
    );
    scene::load(&text, "fall.toml", &NoAssets).expect("a scene")
}

/// Kinetic energy, energy of height and elastic energy, from positions and velocities.
fn energy(scene: &Scene) -> [f64; 3] {
    let body = &scene.world.softs()[0].body;
    let gravity = scene.world.settings.gravity;
    let vertices = || body.masses.iter().zip(&body.positions).zip(&body.velocities);
    let kinetic = vertices().map(|((m, _), v)| 0.5 * m * v.length_squared()).sum();
    let height = vertices().map(|((m, x), _)| -m * gravity.dot(*x)).sum();
    [kinetic, height, body.energy_at(&body.positions)]
}

/// The largest gain of energy in a step, as part of the largest energy there was; and the largest part
/// of its motion that a step was shortened by.
fn largest_rise(scene: &mut Scene, seconds: f64) -> (f64, f64) {
    let total = |scene: &Scene| energy(scene).iter().sum::<f64>();
    let (mut before, mut rise, mut slowed) = (total(scene), 0.0_f64, 0.0_f64);
    let mut most = before.abs();
    for _ in 0..(seconds / scene.world.settings.dt) as usize {
        scene.world.step();
        let report = scene.world.report();
        assert!(report.soft_error.is_none());
        slowed = slowed.max(report.soft.as_ref().map_or(0.0, |soft| soft.slowed));
        let now = total(scene);
        (rise, most) = (rise.max(now - before), most.max(now.abs()));
        before = now;
    }
    assert_eq!(scene.world.soft_crossings(), 0);
    (rise / most, slowed)
}

#[test]
fn cloth_that_falls_on_things_gains_no_energy() {
    for fall in &FALLS {
        for (cells, steps) in [(8, STEPS.as_slice()), (12, &STEPS[1..])] {
            for &dt in steps {
                let mut scene = load(fall, cells, dt);
                let (rise, slowed) = largest_rise(&mut scene, fall.seconds);
                let what = format!("{}, {cells} cells, {dt} s", fall.name);
                assert!(rise <= 1e-6, "{what}: rises by {rise:e}");
                assert!(slowed < 1.0, "{what}: stood still");
            }
        }
    }
}

/// The account is one that can be off: pins that draw the cloth up feed it energy.
#[test]
fn the_account_sees_what_moving_pins_do() {
    let fall = Fall {
        name: "lifted",
        bodies: "",
        cloth: r#"at = [0, 0.1, 0], cloth = { size = [0.5, 0.5], cells = [N, N], fabric = "silk",
            pins = [{ min = [-0.25, -0.01, -0.25], max = [-0.25, 0.01, 0.25], velocity = [0, 0.5, 0] }] }"#,
        seconds: 0.3,
    };
    let (rise, _) = largest_rise(&mut load(&fall, 8, 0.01), fall.seconds);
    assert!(rise > 1e-3, "only {rise:e}");
}
