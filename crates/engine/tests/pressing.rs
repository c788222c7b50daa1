//! Pressure that leans towards the centre of the load: a puck as high as it is wide curls while it slides and spins.

use asperity::World;
use asperity_scene::{self as scene, NoAssets};
use glamx::DVec2;

const MU: f64 = 0.3;
const G: f64 = 9.81;
const RADIUS: f64 = 0.05;
const HEIGHT: f64 = 0.06;

fn thrown(pressure: &str, spin: f64, dt: f64) -> World {
    let text = format!(
        r#"
version = 1
world = {{ dt = {dt} }}
material.any = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = {MU} }}, extent = {{ model = "spin", pressure = "{pressure}" }} }}
body = [
  {{ name = "floor", kind = "fixed", shape = {{ box = [10, 0.2, 10] }}, at = [0, -0.1, 0], material = "any" }},
  {{ name = "puck", shape = {{ cylinder = [{RADIUS}, {HEIGHT}] }}, at = [0, {}, 0], velocity = [1, 0, 0], spin = [0, {spin}, 0], material = "any" }} ]
"#,
        0.5 * HEIGHT
    );
    scene::load(&text, "pressing.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world
}

/// How far it slides, how far to its left, and how far it turns.
fn simulated(mut world: World) -> [f64; 3] {
    let (puck, dt) = (world.find("puck").unwrap().0, world.settings.dt);
    let mut angle = 0.0;
    for step in 0..(0.8 / dt) as usize {
        let old = world.bodies()[puck].angular_velocity.y;
        world.step();
        assert_eq!(world.report().unconverged, 0, "step {step}: {:?}", world.report());
        angle += 0.5 * dt * (old + world.bodies()[puck].angular_velocity.y);
    }
    let end = &world.bodies()[puck];
    assert!(end.linear_velocity.length() < 1e-9 && end.angular_velocity.length() < 1e-9);
    [end.pose.translation.x, -end.pose.translation.z, angle]
}

/// The same by the plane equations under the pressure (1 + 4 c·ρ/R²) N/(πR²), whose centre c is where the friction of
/// the base, a lever of half the height below the middle, lets the load be. y is to the left.
fn integrated(spin: f64) -> [f64; 3] {
    let [across, around] = [40_u32, 90];
    let mut places = Vec::new();
    for i in 0..across {
        let radius = RADIUS * ((f64::from(i) + 0.5) / f64::from(across)).sqrt();
        for j in 0..around {
            let angle = std::f64::consts::TAU * (f64::from(j) + 0.5) / f64::from(around);
            places.push(DVec2::from_angle(angle) * radius);
        }
    }
    let count = places.len() as f64;
    // Force and torque per unit load.
    let friction = |v: DVec2, w: f64, c: DVec2| {
        let (mut force, mut torque) = (DVec2::ZERO, 0.0);
        for place in &places {
            let share = (1.0 + 4.0 * c.dot(*place) / (RADIUS * RADIUS)) / count;
            let f = (v + w * place.perp()).normalize_or_zero() * (-MU * share);
            force += f;
            torque += place.perp_dot(f);
        }
        (force, torque)
    };
    let h = 1e-3;
    let (mut at, mut angle, mut v, mut w, mut c) = (DVec2::ZERO, 0.0, DVec2::X, spin, DVec2::ZERO);
    while v.length() > 2e-3 {
        let mut found = friction(v, w, c);
        for _ in 0..4 {
            c = -0.5 * HEIGHT * found.0;
            found = friction(v, w, c);
        }
        let (vm, wm) = (v + found.0 * (0.5 * G * h), w + found.1 * (G * h / (RADIUS * RADIUS)));
        let found = friction(vm, wm, c);
        (at, angle) = (at + vm * h, angle + wm * h);
        (v, w) = (v + found.0 * (G * h), w + found.1 * (2.0 * G * h / (RADIUS * RADIUS)));
    }
    [at.x, at.y, angle]
}

#[test]
fn a_puck_curls_as_its_leaning_pressure_says() {
    for spin in [10.0, 20.0, 40.0] {
        let exact = integrated(spin);
        let off = |found: [f64; 3]| [0, 1, 2].map(|k| (found[k] - exact[k]) / exact[k].abs());
        // The disc is 36 pieces, each under its mean pressure: the curl is right within a few per cent.
        for (dt, side) in [(0.004, 0.05), (0.001, 0.05)] {
            let found = simulated(thrown("linear", spin, dt));
            let e = off(found);
            eprintln!("{spin} {dt}: {found:?} for {exact:?}: {e:?}");
            assert!(e[0].abs() < 0.01 && e[1].abs() < side && e[2].abs() < 0.01, "{spin}: {e:?}");
        }
        let even = off(simulated(thrown("uniform", spin, 0.001)));
        eprintln!("{spin}, even pressure: {even:?}");
        assert!(even[1].abs() > 0.03 || even[2].abs() > 0.03, "{even:?}");
    }
}
