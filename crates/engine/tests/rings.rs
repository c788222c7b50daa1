//! Patches with holes and in several places: what slides and spins on them stops where the plane equations of its
//! own area say.

use asperity::World;
use asperity_scene::{self as scene, NoAssets};
use glamx::DVec2;

const MU: f64 = 0.2;
const G: f64 = 9.81;

const NONE: &str = r#""none""#;
/// They bend by 0.2 um, as far as the load of 0.1 N and more lets them.
const IN_CELLS: &str = r#"{ model = "lugre", bristles = "distributed", cells = 21, sigma1 = 0 }"#;
const ON_TABLE: &str = r#"{ model = "lugre", bristles = "reduced", cells = 11, sigma1 = 0 }"#;

/// One body on a floor, thrown along x at 1 m/s.
fn thrown(shape: &str, [up, spin, dt]: [f64; 3], memory: &str) -> World {
    let text = format!(
        r#"
version = 1
world = {{ dt = {dt} }}
material.any = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = {MU} }}, extent = "spin", memory = {memory} }}
body = [
  {{ name = "floor", kind = "fixed", shape = {{ box = [10, 0.2, 10] }}, at = [0, -0.1, 0], material = "any" }},
  {{ name = "puck", shape = {shape}, at = [0, {up}, 0], velocity = [1, 0, 0], spin = [0, {spin}, 0], material = "any" }} ]
"#
    );
    scene::load(&text, "rings.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world
}

/// How far it slides and turns.
fn simulated(mut world: World) -> [f64; 2] {
    let (puck, dt) = (world.find("puck").unwrap().0, world.settings.dt);
    let mut angle = 0.0;
    let mut before = world.energy().total();
    // What bristles of 1e6/m hold at most, half of mu^2 N over it, may come back.
    let remembers = world.pairing().pair(0, 0).unwrap().memory.is_some();
    let stored = 0.5 * MU * MU * G * world.bodies()[puck].mass / 1e6;
    let allowed = if remembers { stored } else { 1e-12 };
    for step in 0..(1.5 / dt) as usize {
        let old = world.bodies()[puck].angular_velocity.y;
        world.step();
        assert_eq!(world.report().unconverged, 0, "step {step}: {:?}", world.report());
        let energy = world.energy().total();
        assert!(energy <= before + allowed, "step {step}: {energy} after {before}");
        before = energy;
        angle += 0.5 * dt * (old + world.bodies()[puck].angular_velocity.y);
    }
    let end = &world.bodies()[puck];
    let rest = if remembers { 1e-6 } else { 1e-9 };
    assert!(end.linear_velocity.length() < rest && end.angular_velocity.length() < 20.0 * rest);
    [DVec2::new(end.pose.translation.x, end.pose.translation.z).length(), angle]
}

/// The same for places that carry the same load each, by the midpoint rule. `square` is the squared radius of
/// gyration of the body about its upright axis.
fn integrated(places: &[DVec2], square: f64, spin: f64) -> [f64; 2] {
    let h = 2e-3;
    let (mut v, mut w, mut angle) = (DVec2::X, spin, 0.0_f64);
    let mut at = DVec2::ZERO;
    let slowing = |v: DVec2, w: f64, angle: f64| {
        let (mut force, mut torque) = (DVec2::ZERO, 0.0);
        let turn = DVec2::from_angle(angle);
        for place in places {
            let place = turn.rotate(*place);
            let f = (v + w * place.perp()).normalize_or_zero();
            force += f;
            torque += place.perp_dot(f);
        }
        let part = -MU * G / places.len() as f64;
        (force * part, torque * part / square)
    };
    let energy = |v: DVec2, w: f64| v.length_squared() + square * w * w;
    let first = energy(v, w);
    while energy(v, w) > 1e-5 * first {
        let (a, b) = slowing(v, w, angle);
        let (a, b) = slowing(v + 0.5 * h * a, w + 0.5 * h * b, angle + 0.5 * h * w);
        at += (v + 0.5 * h * a) * h;
        angle += (w + 0.5 * h * b) * h;
        (v, w) = (v + a * h, w + b * h);
    }
    [at.length(), angle]
}

/// Places that share a ring evenly.
fn ring(outer: f64, inner: f64) -> Vec<DVec2> {
    let [across, around] = [40, 90];
    let place = |i: usize, j: usize| {
        let part = (i as f64 + 0.5) / f64::from(across);
        let radius = (inner * inner + (outer * outer - inner * inner) * part).sqrt();
        DVec2::from_angle(std::f64::consts::TAU * (j as f64 + 0.5) / f64::from(around)) * radius
    };
    (0..across as usize).flat_map(|i| (0..around as usize).map(move |j| place(i, j))).collect()
}

fn check(label: &str, found: [f64; 2], expected: [f64; 2], part: f64) {
    let off = [0, 1].map(|k| found[k] / expected[k] - 1.0);
    eprintln!("{label}: off by {off:?}");
    assert!(off.iter().all(|e| e.abs() < part), "{label}: {found:?} for {expected:?}");
}

#[test]
fn rings_slide_and_turn_as_their_own_area_says() {
    // (outer, inner) and the speed of the rim over that of sliding.
    for (outer, inner) in [(0.05, 0.025), (0.05, 0.04)] {
        for ratio in [0.5, 1.0, 2.0] {
            let spin = ratio / outer;
            let shape = format!("{{ ring = [{outer}, {inner}, 0.001] }}");
            let square = 0.5 * (outer * outer + inner * inner);
            let expected = integrated(&ring(outer, inner), square, spin);
            let found = simulated(thrown(&shape, [0.0005, spin, 0.005], NONE));
            check(&format!("ring {outer} {inner}, {ratio}"), found, expected, 5e-3);
        }
    }
}

#[test]
fn rings_on_bristles_in_cells_and_on_tables_go_as_far() {
    let [outer, inner] = [0.05, 0.025];
    for ratio in [0.5, 1.0, 2.0] {
        let spin = ratio / outer;
        let shape = format!("{{ ring = [{outer}, {inner}, 0.001] }}");
        let square = 0.5 * (outer * outer + inner * inner);
        let expected = integrated(&ring(outer, inner), square, spin);
        for memory in [IN_CELLS, ON_TABLE] {
            let found = simulated(thrown(&shape, [0.0005, spin, 0.005], memory));
            check(&format!("ring, {memory}, {ratio}"), found, expected, 5e-3);
        }
    }
}

#[test]
fn feet_in_several_places_carry_the_torque_of_all() {
    // Two thin bars 0.2 m apart below a plate without weight to speak of: one compound.
    let [half, wide, apart] = [0.05, 0.02, 0.1];
    let part = |z: f64| {
        format!("{{ shape = {{ box = [{}, 0.001, {wide}] }}, at = [0, 0, {z}] }}", 2.0 * half)
    };
    let shape = format!("{{ compound = [{}, {}] }}", part(apart), part(-apart));
    let count = |n: usize, k: usize| (k as f64 + 0.5) / n as f64 - 0.5;
    let places: Vec<DVec2> = [apart, -apart]
        .into_iter()
        .flat_map(|z| {
            let place = move |i, j| DVec2::new(2.0 * half * count(40, i), z + wide * count(16, j));
            (0..40).flat_map(move |i| (0..16).map(move |j| place(i, j)))
        })
        .collect();
    let square = places.iter().map(|p| p.length_squared()).sum::<f64>() / places.len() as f64;
    for ratio in [0.5, 1.0, 2.0] {
        let spin = ratio / apart;
        let expected = integrated(&places, square, spin);
        let found = simulated(thrown(&shape, [0.0005, spin, 0.0025], NONE));
        // What each part of a compound carries is left open by the corners it stands on.
        check(&format!("feet, {ratio}"), found, expected, 0.03);
    }
}

#[test]
fn a_filled_disc_stops_elsewhere() {
    let [outer, inner] = [0.05, 0.025];
    for ratio in [0.5, 1.0, 2.0] {
        let spin = ratio / outer;
        let square = 0.5 * (outer * outer + inner * inner);
        let expected = integrated(&ring(outer, inner), square, spin);
        let disc = format!("{{ cylinder = [{outer}, 0.001] }}");
        let found = simulated(thrown(&disc, [0.0005, spin, 0.01], NONE));
        assert!((found[0] / expected[0] - 1.0).abs() > 0.01, "{found:?} {expected:?}");
    }
}
