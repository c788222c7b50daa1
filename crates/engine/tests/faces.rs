//! Faces that lie on each other and slide and spin: with `extent = "spin"` as uniform pressure says, by points not.

use asperity::World;
use asperity_scene::{self as scene, NoAssets};
use glamx::DVec2;

const MU: f64 = 0.25;
const G: f64 = 9.81;

/// A puck or a box of "radius" R, which is half its side.
#[derive(Clone, Copy)]
enum Form {
    Puck,
    Box,
}

impl Form {
    /// Where a face of R = 1 is, in equal parts; and the mean square of the distance from its middle.
    fn face(self) -> (Vec<DVec2>, f64) {
        match self {
            // Rings of equal area, with points all round.
            Form::Puck => {
                let ring = |i: u32| ((f64::from(i) + 0.5) / 60.0).sqrt();
                let at = |i: u32, k: u32| {
                    let angle = std::f64::consts::TAU * (f64::from(k) + 0.5 * f64::from(i)) / 48.0;
                    DVec2::from_angle(angle) * ring(i)
                };
                ((0..60).flat_map(|i| (0..48).map(move |k| at(i, k))).collect(), 0.5)
            }
            Form::Box => {
                let place = |i: u32| (f64::from(i) + 0.5) / 30.0 - 1.0;
                let row = |i: u32| (0..60).map(move |k| DVec2::new(place(i), place(k)));
                ((0..60).flat_map(row).collect(), 2.0 / 3.0)
            }
        }
    }

    fn shape(self, radius: f64) -> String {
        match self {
            Form::Puck => format!("{{ cylinder = [{radius}, {}] }}", 0.02 * radius),
            Form::Box => format!("{{ box = [{0}, {1}, {0}] }}", 2.0 * radius, 0.02 * radius),
        }
    }
}

/// How far it slides and turns by Newton's and Coulomb's laws over the face, in units of v²/(μ g) and
/// v²/(μ g R), for a ratio of ω R to v; v is 1 m/s.
fn integrated(form: Form, radius: f64, ratio: f64) -> [f64; 2] {
    let (face, square) = form.face();
    let share = 1.0 / face.len() as f64;
    let push = |v: DVec2, spin: f64, angle: f64| {
        let turn = DVec2::from_angle(angle / (MU * G * radius));
        let (mut force, mut torque) = (DVec2::ZERO, 0.0);
        for at in &face {
            let at = turn.rotate(*at);
            let f = (v + at.perp() * spin).normalize_or_zero() * -share;
            force += f;
            torque += at.perp_dot(f);
        }
        (force, torque / square)
    };
    let (mut v, mut spin, mut at, mut angle) = (DVec2::X, ratio, DVec2::ZERO, 0.0);
    let dt = 2e-3;
    // Both end together; what is left then is as small as its square.
    while v.length() > 5e-3 {
        let (force, torque) = push(v, spin, angle);
        let half = 0.5 * dt;
        let (force, torque) = push(v + force * half, spin + torque * half, angle + spin * half);
        at += (v + force * half) * dt;
        angle += (spin + torque * half) * dt;
        v += force * dt;
        spin += torque * dt;
    }
    let (force, _) = push(v, spin, angle);
    let left = v.length() / force.length();
    [(at + v * (0.5 * left)).length(), angle + 0.5 * spin * left]
}

/// A thing on a floor with this extent for its pair.
fn world(form: Form, (radius, dt): (f64, f64), ratio: f64, extent: &str) -> World {
    let text = format!(
        r#"
version = 1
world = {{ dt = {dt} }}
pair.default = {{ section = {{ model = "coulomb", mu = {MU} }}, extent = "{extent}" }}
body = [
  {{ name = "floor", kind = "fixed", shape = {{ box = [20, 0.2, 20] }}, at = [0, -0.1, 0] }},
  {{ name = "thing", shape = {shape}, at = [0, {up}, 0], velocity = [1, 0, 0], spin = [0, {spin}, 0] }} ]
"#,
        shape = form.shape(radius),
        up = 0.01 * radius,
        spin = ratio / radius,
    );
    scene::load(&text, "thing.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world
}

/// How far it slides and turns in the engine, in the same units.
fn simulated(form: Form, size: (f64, f64), ratio: f64, extent: &str) -> [f64; 2] {
    let mut world = world(form, size, ratio, extent);
    let thing = world.find("thing").unwrap();
    let mut angle = 0.0;
    for step in 0..(2.0 / size.1) as usize {
        let before = world.bodies()[thing.0].angular_velocity.y;
        world.step();
        assert_eq!(world.report().unconverged, 0, "step {step}: {:?}", world.report());
        angle += 0.5 * size.1 * (before + world.bodies()[thing.0].angular_velocity.y);
    }
    let end = &world.bodies()[thing.0];
    assert!(end.linear_velocity.length() < 1e-6 && end.angular_velocity.length() < 1e-6);
    let went = end.pose.translation.with_y(0.0).length();
    [went * MU * G, angle * MU * G * size.0]
}

const CASES: [(Form, f64); 6] = [
    (Form::Puck, 0.5),
    (Form::Puck, 1.0),
    (Form::Puck, 2.0),
    (Form::Box, 0.5),
    (Form::Box, 1.0),
    (Form::Box, 2.0),
];

fn off(found: [f64; 2], wanted: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|k| (found[k] / wanted[k] - 1.0).abs())
}

#[test]
fn faces_slide_and_spin_as_uniform_pressure_says() {
    for (form, ratio) in CASES {
        for size in [(0.1, 0.004), (0.1, 0.002), (0.2, 0.004)] {
            let wanted = integrated(form, size.0, ratio);
            let found = simulated(form, size, ratio, "spin");
            let [slides, turns] = off(found, wanted);
            assert!(slides < 3e-3 && turns < 3e-3, "{ratio}, {size:?}: {found:?} for {wanted:?}");
        }
    }
}

#[test]
fn points_stop_the_spin_too_soon() {
    for (form, ratio) in CASES {
        let found = simulated(form, (0.1, 0.004), ratio, "point");
        let [_, turns] = off(found, integrated(form, 0.1, ratio));
        assert!(turns > 0.1, "{ratio}: {turns}");
    }
}
