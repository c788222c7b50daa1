//! `speed` and `load` of a pair: boxes on matchstick cones against closed forms and equations of
//! motion integrated on their own, and Coulomb friction against its own keys.

mod common;

use asperity_scene::Scene;
use common::{load, missed};
use glamx::{DVec2, DVec3};

/// m/s².
const G: f64 = 9.81;
/// Coefficients along and across the grain, which is x for both.
const MU: DVec2 = DVec2::new(0.2, 0.5);
/// Strength at rest, and Stribeck's speed, m/s.
const REST: f64 = 2.0;
const STRIBECK: f64 = 0.5;

const SPEED: &str = "speed = { static = 2, stribeck_speed = 0.5 }";

/// A box that slides on a floor, both with their grain along x.
#[derive(Clone)]
struct Crate {
    /// More of the pair.
    grade: String,
    /// kg.
    mass: f64,
    /// At the start, in the plane, m/s.
    velocity: DVec2,
    /// s.
    dt: f64,
}

impl Crate {
    fn new(grade: &str, velocity: DVec2, dt: f64) -> Crate {
        Crate { grade: grade.to_owned(), mass: 1.0, velocity, dt }
    }

    fn scene(&self) -> Scene {
        let Crate { grade, mass, velocity, dt } = self;
        load(&format!(
            r#"version = 1
world = {{ gravity = {G}, dt = {dt}, solver = {{ tolerance = 1e-11 }} }}
material.grained = {{ structure = [1, 0, 0] }}
pair.default = {{ section = {{ model = "matchstick", mu = 0.3, mu_t = {}, mu_b = {} }}, {grade} }}
body = [ {{ name = "floor", kind = "fixed", shape = {{ box = [40, 0.2, 40] }}, at = [0, -0.1, 0], material = "grained" }},
         {{ name = "crate", shape = {{ box = [0.2, 0.02, 0.2] }}, at = [0, 0.01, 0], mass = {mass}, velocity = [{}, 0, {}], material = "grained" }} ]
"#,
            MU.x, MU.y, velocity.x, velocity.y
        ))
    }

    /// Where it is and how fast after a time, in the plane; gravity leans along x by an angle (rad).
    fn after(&self, seconds: f64, slope: f64) -> [DVec2; 2] {
        let mut scene = self.scene();
        scene.world.settings.gravity = G * DVec3::new(slope.sin(), -slope.cos(), 0.0);
        let steps = (seconds / self.dt).round() as usize;
        for step in 0..steps {
            scene.world.step();
            let report = scene.world.report();
            assert_eq!(report.unconverged, 0, "step {step}: {report:?}");
        }
        let body = &scene.world.bodies()[1];
        let turn = body.angular_velocity.length();
        assert!(turn < 1e-6, "it turns by {turn} rad/s");
        [body.pose.translation, body.linear_velocity].map(|v| DVec2::new(v.x, v.z))
    }
}

/// x and v after a time of x′ = v, v′ = g sin α − g cos α f(v): f is where the ellipse has v as its
/// normal, times Stribeck's factor. By Runge and Kutta's method of order four.
fn slide(start: DVec2, seconds: f64, slope: f64, rest: f64) -> [DVec2; 2] {
    let rate = |v: DVec2| {
        let speed = v.length() / STRIBECK;
        let factor = 1.0 + (rest - 1.0) * (-speed * speed).exp();
        let friction = MU * MU * v / (MU * v).length() * factor;
        G * (DVec2::X * slope.sin() - friction * slope.cos())
    };
    let (steps, [mut x, mut v]) = (20_000, [DVec2::ZERO, start]);
    let h = seconds / f64::from(steps);
    for _ in 0..steps {
        let a = rate(v);
        let b = rate(v + 0.5 * h * a);
        let c = rate(v + 0.5 * h * b);
        let d = rate(v + h * c);
        x += h * (v + h / 6.0 * (a + b + c));
        v += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    [x, v]
}

/// How far a body slides from a speed to rest: ∫ v dv/(g μ(v)) with Stribeck's curve.
fn stopping_distance(mu: f64, v: f64) -> f64 {
    let square = STRIBECK * STRIBECK;
    square / (2.0 * G * mu) * (((v * v / square).exp() + REST - 1.0) / REST).ln()
}

#[test]
fn with_stribecks_curve_a_box_stops_where_the_closed_form_says() {
    for (direction, mu) in [(DVec2::X, MU.x), (DVec2::Y, MU.y)] {
        let expected = stopping_distance(mu, 1.0);
        let error = |dt: f64, grade: &str| {
            let [x, v] = Crate::new(grade, direction, dt).after(0.6, 0.0);
            assert!(v.length() < 1e-9, "{v} m/s at the end");
            x.dot(direction) / expected - 1.0
        };
        let (coarse, fine) = (error(4e-3, SPEED), error(1e-3, SPEED));
        println!("{direction}: {expected} m, off by {coarse:e} at 4 ms, {fine:e} at 1 ms");
        assert!(fine.abs() < 3e-3, "{direction}: {fine}");
        // Order one in the step.
        assert!((3.0..5.5).contains(&(coarse / fine)), "{direction}: {coarse} and {fine}");
        // The control: without the curve, and with half of what it adds.
        let half = "speed = { static = 1.5, stribeck_speed = 0.5 }";
        for other in ["extent = \"point\"", half] {
            let off = error(1e-3, other);
            assert!(off > 0.05, "{direction}, {other}: {off}");
        }
    }
}

#[test]
fn askew_to_the_grain_it_follows_the_equations_of_the_plane() {
    let start = DVec2::new(0.8, 0.6);
    let [place, velocity] = slide(start, 0.2, 0.0, REST);
    let off = |dt: f64, grade: &str| {
        let [x, v] = Crate::new(grade, start, dt).after(0.2, 0.0);
        [x.distance(place), v.distance(velocity)]
    };
    let (coarse, fine) = (off(2e-3, SPEED), off(5e-4, SPEED));
    println!("{place} m, {velocity} m/s, off by {coarse:?} and {fine:?}");
    for k in 0..2 {
        assert!(fine[k] < 1e-3, "{fine:?}");
        assert!((3.0..5.0).contains(&(coarse[k] / fine[k])), "{coarse:?}, {fine:?}");
    }
    // The control: a box that does not know of its speed.
    assert!(off(5e-4, "extent = \"point\"")[1] > 0.05);
}

#[test]
fn down_a_slope_it_gains_speed_as_its_friction_falls() {
    // At rest it would hold: tan α is between both.
    let slope = 0.3_f64.atan();
    let start = DVec2::new(0.45, 0.0);
    let [place, velocity] = slide(start, 1.0, slope, REST);
    let off = |dt: f64| {
        let [x, v] = Crate::new(SPEED, start, dt).after(1.0, slope);
        [x.distance(place) / place.length(), v.distance(velocity) / velocity.length()]
    };
    let (coarse, fine) = (off(4e-3), off(1e-3));
    println!("{place} m, {velocity} m/s, off by {coarse:?} and {fine:?}");
    for k in 0..2 {
        assert!(fine[k] < 5e-3, "{fine:?}");
        assert!((3.0..5.0).contains(&(coarse[k] / fine[k])), "{coarse:?}, {fine:?}");
    }
    let [held, _] = Crate::new(SPEED, DVec2::ZERO, 4e-3).after(1.0, slope);
    assert!(held.length() < 1e-9, "{held}");
    // The control: with the section alone nothing holds it.
    let [slid, _] = Crate::new("extent = \"point\"", DVec2::ZERO, 4e-3).after(1.0, slope);
    assert!(slid.x > 0.1, "{slid}");
}

/// Deceleration over g of a box of this mass that slides in a direction, of the whole patch.
fn friction_per_load(mass: f64, direction: DVec2, exponent: f64) -> f64 {
    let grade = format!(r#"extent = "spin", load = {{ reference = {G}, exponent = {exponent} }}"#);
    let body = Crate { mass, ..Crate::new(&grade, 2.0 * direction, 1e-3) };
    // A new contact has no load yet: the first step is left out.
    let speed = |seconds: f64| body.after(seconds, 0.0)[1].dot(direction);
    (speed(0.01) - speed(0.11)) / (0.1 * G)
}

#[test]
fn friction_per_load_falls_with_the_load_to_the_exponent() {
    for (direction, mu) in [(DVec2::X, MU.x), (DVec2::Y, MU.y)] {
        for exponent in [-1.0 / 3.0, 0.2] {
            for mass in [0.125, 1.0, 8.0] {
                let found = friction_per_load(mass, direction, exponent);
                let expected = mu * f64::powf(mass, exponent);
                let off = (found / expected - 1.0).abs();
                assert!(off < 1e-8, "{mass} kg, {exponent}: {found} for {expected}, off by {off}");
            }
        }
        // The control: without an exponent all masses are the same.
        let found = friction_per_load(8.0, direction, 0.0);
        assert!((found / mu - 1.0).abs() < 1e-8, "{found}");
    }
}

/// Whether a box of this mass slides from rest on a slope of this tangent.
fn lets_go(mass: f64, exponent: f64, tangent: f64) -> bool {
    let grade = format!(r#"extent = "spin", load = {{ reference = {G}, exponent = {exponent} }}"#);
    let body = Crate { mass, ..Crate::new(&grade, DVec2::ZERO, 5e-3) };
    let [early, late] = [0.1, 0.3].map(|t| body.after(t, tangent.atan())[0].x);
    late - early > 1e-6
}

#[test]
fn heavier_boxes_let_go_on_slopes_whose_tangents_are_lower_by_the_exponent() {
    // The load is m g cos α: tan α = μ (m cos α)^e.
    let limit = |mass: f64, exponent: f64| {
        let mut tangent = MU.x;
        for _ in 0..100 {
            tangent = MU.x * (mass * tangent.atan().cos()).powf(exponent);
        }
        tangent
    };
    for (mass, exponent) in [(1.0, -0.5), (2.0, -0.5), (2.0, 0.0)] {
        let tangent = limit(mass, exponent);
        let found = [0.995, 1.005].map(|part| lets_go(mass, exponent, part * tangent));
        assert_eq!(found, [false, true], "{mass} kg, {exponent}, {tangent}");
    }
    // The control: the lighter box holds where the heavier one does not.
    let between = 0.85 * limit(1.0, -0.5);
    assert_eq!([1.0, 2.0].map(|mass| lets_go(mass, -0.5, between)), [false, true]);
}

/// The bits of where a rolling, sliding and draping company is after a while.
fn company(section: &str, grade: &str, contact: &str) -> Vec<u64> {
    let mut scene = load(&format!(
        r#"version = 1
world = {{ dt = 0.005, contact = "{contact}" }}
material.felt = {{}}
pair.default = {{ section = {{ model = "coulomb", mu = 0.5{section} }}{grade} }}
pair.patch = {{ between = ["felt", "default"], section = {{ model = "coulomb", mu = 0.5{section} }}{grade}, extent = "{}" }}
body = [ {{ name = "floor", kind = "fixed", shape = {{ box = [40, 0.2, 40] }}, at = [0, -0.1, 0] }},
         {{ name = "crate", shape = {{ box = [0.2, 0.1, 0.3] }}, at = [0, 0.05, 0], velocity = [1, 0, 0.3], spin = [0, 3, 0] }},
         {{ name = "patch", shape = {{ box = [0.2, 0.1, 0.3] }}, at = [0, 0.05, 1], velocity = [1, 0, 0.3], spin = [0, 3, 0], material = "felt" }},
         {{ name = "ball", shape = {{ sphere = 0.1 }}, at = [0, 0.1, 2], velocity = [1, 0, 0] }}{} ]
"#,
        if contact == "points" { "spin" } else { "point" },
        if contact == "points" {
            ",\n { name = \"sheet\", at = [0, 0.002, 3], velocity = [1, 0, 0], cloth = { size = [0.2, 0.2], cells = [3, 3], fabric = \"silk\" } }"
        } else {
            ""
        }
    ));
    for _ in 0..40 {
        scene.world.step();
    }
    let bodies = scene.world.bodies().iter().map(|body| body.pose.translation);
    let vertices = scene.world.softs().iter().flat_map(|soft| soft.body.positions.clone());
    bodies.chain(vertices).flat_map(|x| x.to_array().map(f64::to_bits)).collect()
}

#[test]
fn over_coulomb_friction_both_keys_are_its_own_to_the_bit_for_bodies_of_all_kinds() {
    // 0.5 is a power of two: 0.5 (1 + w/2) rounds as 0.5 + w/4 does.
    let own = ", static_mu = 0.75, stribeck_speed = 0.25, reference_load = 2, load_exponent = -0.3";
    let by = |rest: f64, exponent: f64| {
        format!(
            ", speed = {{ static = {rest}, stribeck_speed = 0.25 }}, load = {{ reference = 2, exponent = {exponent} }}"
        )
    };
    for contact in ["points", "wrench"] {
        let expected = company(own, "", contact);
        assert_eq!(company("", &by(1.5, -0.3), contact), expected, "{contact}");
        // The control: other numbers move every body but the floor otherwise.
        for other in [by(1.6, -0.3), by(1.5, -0.2)] {
            let found = company("", &other, contact);
            let same = (1..found.len() / 3).find(|k| found[3 * k] == expected[3 * k]);
            assert_eq!(same, None, "{contact}: {other}");
        }
    }
}

#[test]
fn the_scene_meets_its_expectations_and_its_control_does_not() {
    let (missed_by_effect, all) =
        missed(include_str!("../../../scenes/models/graded_matchstick.toml"));
    assert!(all > 0 && missed_by_effect.is_empty(), "{missed_by_effect:#?}");
    let (missed_by_control, same) =
        missed(include_str!("../../../scenes/models/graded_matchstick_control.toml"));
    // The light box has the load at which the section is as given; it alone does what it should.
    assert_eq!((missed_by_control.len(), same), (all - 1, all), "{missed_by_control:#?}");
}
