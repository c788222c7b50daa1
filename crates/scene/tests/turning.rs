//! What is held on something that turns stays in its place; and faces with many corners brake spin as their area does.

mod common;

use std::f64::consts::PI;

use asperity::glamx::DVec3;
use common::load;

/// How contacts carry friction.
const CONTACTS: [(&str, &str); 5] = [
    ("", ""),
    ("", ", extent = \"spin\""),
    ("", ", memory = { model = \"elasto_plastic\", sigma0 = 1e5 }"),
    ("", ", extent = \"spin\", memory = { model = \"lugre\", sigma0 = 1e5, sigma1 = 100 }"),
    (", contact = \"wrench\"", ""),
];

/// How far from the axis a cube is that begins to rest on a turntable 0.2 m from it, after so many seconds.
fn carried_round(contact: (&str, &str), omega: f64, dt: f64, duration: f64) -> f64 {
    let (world, pair) = contact;
    let speed = 0.2 * omega;
    let text = format!(
        r#"version = 1
world = {{ dt = {dt}, duration = {duration}{world} }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.5 }}{pair} }}
body = [
  {{ name = "table", kind = "kinematic", shape = {{ cylinder = [1, 0.2] }}, at = [0, -0.1, 0], spin = [0, {omega}, 0] }},
  {{ name = "cube", shape = {{ box = [0.05, 0.05, 0.05] }}, at = [0.2, 0.025, 0], velocity = [0, 0, -{speed}], spin = [0, {omega}, 0] }} ]
"#
    );
    let mut world = load(&text).world;
    while world.time() < duration {
        world.step();
    }
    let at = world.bodies()[1].pose.translation;
    at.x.hypot(at.z)
}

/// ω² r = 0.8 m/s² where friction can hold 4.9: the cube goes round and round. The first half step goes along the
/// tangent, by ω² r h²/4.
#[test]
fn what_lies_on_a_turntable_stays_in_its_place() {
    for contact in CONTACTS {
        for dt in [0.005, 0.01] {
            let r = carried_round(contact, 2.0, dt, 15.0);
            assert!((r - 0.2).abs() < 0.002, "{contact:?} dt {dt}: {r} m");
        }
    }
}

/// The control: where ω² r = 7.2 m/s² is more than friction can hold, it goes.
#[test]
fn what_friction_cannot_hold_leaves_a_turntable() {
    for contact in CONTACTS {
        let r = carried_round(contact, 6.0, 0.005, 0.6);
        assert!(r > 0.3, "{contact:?}: {r} m");
    }
}

/// A regular plate that only spins is braked by α = μ g ∫ r dA / ∫ r² dA and stays where it is, however many corners it
/// has. Of more than eight, a manifold keeps eight, others from step to step.
#[test]
fn plates_with_many_corners_spin_down_as_their_area_says() {
    for corners in [5, 8, 12, 20] {
        for dt in [0.0025, 0.01] {
            let points: Vec<String> = (0..2 * corners)
                .map(|k| {
                    let (sin, cos) = (2.0 * PI * f64::from(k / 2) / f64::from(corners)).sin_cos();
                    let y = if k % 2 == 0 { -0.01 } else { 0.01 };
                    format!("[{}, {y}, {}]", 0.1 * cos, 0.1 * sin)
                })
                .collect();
            let text = format!(
                r#"version = 1
world = {{ dt = {dt}, duration = 0.3 }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.2 }}, extent = "spin" }}
body = [
  {{ name = "floor", kind = "fixed", shape = {{ half_space = [0, 1, 0] }} }},
  {{ name = "plate", shape = {{ hull = [{}] }}, at = [0, 0.01, 0], spin = [0, 10, 0] }} ]
"#,
                points.join(", ")
            );
            let mut world = load(&text).world;
            let mut last = 10.0;
            let expected = 0.2 * 9.81 * mean_radius(corners) * dt;
            for step in 0..30 {
                world.step();
                let plate = &world.bodies()[1];
                let braked = last - plate.angular_velocity.y;
                let case = format!("{corners} corners, dt {dt}, step {step}");
                assert!((braked / expected - 1.0).abs() < 0.01, "{case}: {}", braked / expected);
                let way = plate.pose.translation - DVec3::Y * 0.01;
                assert!(way.length() < 1e-4, "{case}: {way}");
                last = plate.angular_velocity.y;
                if last < 2.0 * expected {
                    break;
                }
            }
        }
    }
}

/// ∫ r dA / ∫ r² dA of a regular polygon with a circumscribed circle of 0.1 m, 1/m; over one triangle, by its angle.
fn mean_radius(corners: i32) -> f64 {
    let (half, steps) = (PI / f64::from(corners), 20_000);
    let apothem = 0.1 * half.cos();
    let (mut first, mut second) = (0.0, 0.0);
    for k in 0..steps {
        let angle = half * (f64::from(k) + 0.5) / f64::from(steps);
        let reach = apothem / angle.cos();
        first += reach.powi(3) / 3.0;
        second += reach.powi(4) / 4.0;
    }
    first / second
}

/// A body on a hinge, 0.5 m off its axis, without gravity, after so many seconds; radians turned.
fn hinged(joint: &str, dt: f64, duration: f64) -> f64 {
    let text = format!(
        r#"version = 1
world = {{ dt = {dt}, duration = {duration}, gravity = 0 }}
body = [ {{ name = "arm", shape = {{ box = [0.2, 0.1, 0.1] }}, at = [0.5, 0, 0], mass = 1 }} ]
joint = [ {{ kind = "hinge", b = "arm", at = [0, 0, 0], axis = [0, 1, 0], {joint} }} ]
"#
    );
    let mut world = load(&text).world;
    while world.time() < duration {
        world.step();
    }
    world.joints()[0].turned().to_degrees()
}

#[test]
fn hinges_stop_at_limits_beyond_half_a_turn() {
    for dt in [0.002, 0.01] {
        for limit in [90.0, 179.0, 180.0, 190.0, 360.0, 800.0] {
            for sense in [1.0, -1.0] {
                let (low, high) = if sense > 0.0 { (-10.0, limit) } else { (-limit, 10.0) };
                let motor = 3.0 * sense;
                let joint = format!(
                    "limits = [{low}, {high}], motor = {{ velocity = {motor}, max_force = 10 }}"
                );
                let turned = hinged(&joint, dt, 6.0);
                assert!((turned - sense * limit).abs() < 0.01, "{limit}, dt {dt}: {turned}");
            }
        }
    }
}

/// A motor leads to where it is told, also through whole turns.
#[test]
fn motors_lead_hinges_beyond_half_a_turn() {
    for target in [170.0, 190.0, -270.0, 360.0, 1000.0] {
        let joint = format!(
            "motor = {{ position = {{ table = [[0, 0], [5, {target}]] }}, stiffness = 5, damping = 3, max_force = 100 }}"
        );
        let turned = hinged(&joint, 0.01, 12.0);
        assert!((turned - target).abs() < 0.1, "{target}: {turned}");
    }
}

/// An object in a grip on an arm that turns: 13 N of friction hold it against m ω² r = 0.4 N.
#[test]
fn what_an_arm_grips_goes_round_with_it() {
    for dt in [0.005, 0.01] {
        let text = format!(
            r#"version = 1
world = {{ dt = {dt}, duration = 4 }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.6 }} }}
body = [
  {{ name = "arm", kind = "kinematic", spin = [0, 2, 0] }},
  {{ name = "above", kind = "kinematic", shape = {{ compound = [{{ shape = {{ box = [0.06, 0.01, 0.06] }}, at = [0.5, 0.03, 0] }}] }}, spin = [0, 2, 0] }},
  {{ name = "below", shape = {{ box = [0.06, 0.01, 0.06] }}, at = [0.5, -0.03, 0], velocity = [0, 0, -1], spin = [0, 2, 0], mass = 0.1 }},
  {{ name = "object", shape = {{ box = [0.05, 0.05, 0.05] }}, at = [0.5, 0, 0], velocity = [0, 0, -1], spin = [0, 2, 0], mass = 0.2 }} ]
joint = [ {{ kind = "slider", a = "arm", b = "below", axis = [0, 1, 0], motor = {{ velocity = 1, max_force = 25 }} }} ]
"#
        );
        let mut world = load(&text).world;
        while world.time() < 4.0 {
            world.step();
        }
        let at = world.bodies()[3].pose.translation;
        assert!((at.x.hypot(at.z) - 0.5).abs() < 0.003, "dt {dt}: {at}");
    }
}
