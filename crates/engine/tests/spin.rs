//! Patches that carry spin: a disc that slides and spins on a floor, in steps of 10 ms.

use asperity::World;
use asperity::friction::extent::Exact;
use asperity::world::Method;
use asperity_scene::{self as scene, NoAssets};
use glamx::DVec3;

const RADIUS: f64 = 0.05;
const MU: f64 = 0.2;
const G: f64 = 9.81;
const DT: f64 = 0.01;

/// Bodies in this order on pairs with this extent.
fn load(extent: &str, bodies: &[&str]) -> World {
    let bodies = bodies.join(", ");
    let text = format!(
        r#"
version = 1
world = {{ dt = {DT}, solver = {{ tolerance = 1e-9 }} }}
material.any = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = {MU} }}, {extent} }}
body = [ {bodies} ]
"#
    );
    scene::load(&text, "spin.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world
}

const FLOOR: &str = r#"{ name = "floor", kind = "fixed", shape = { box = [10, 0.2, 10] }, at = [0, -0.1, 0], material = "any" }"#;
const SPIN: &str = r#"extent = "spin""#;

/// A thin disc on a floor; `first`: the floor is body A.
fn disc(velocity: f64, spin: f64, first: bool) -> World {
    let disc = format!(
        r#"{{ name = "disc", shape = {{ cylinder = [{RADIUS}, 0.001] }}, at = [0, 0.0005, 0], velocity = [{velocity}, 0, 0], spin = [0, {spin}, 0], material = "any" }}"#
    );
    load(SPIN, &if first { [FLOOR, disc.as_str()] } else { [disc.as_str(), FLOOR] })
}

/// Distance, angle and time to rest, by the engine. Energy never rises.
fn simulated(mut world: World) -> DVec3 {
    let disc = world.find("disc").unwrap();
    let (mut angle, mut time) = (0.0, 0.0);
    let mut before = world.energy().total();
    for step in 0..400 {
        let old = world.bodies()[disc.0].clone();
        world.step();
        assert_eq!(world.report().unconverged, 0, "step {step}: {:?}", world.report());
        assert_eq!(world.patch_blocks().len(), 1, "step {step}");
        let energy = world.energy().total();
        assert!(energy <= before + 1e-12, "step {step}: {energy} after {before}");
        before = energy;
        let new = &world.bodies()[disc.0];
        angle += 0.5 * DT * (old.angular_velocity.y + new.angular_velocity.y);
        let (v, w) = (old.linear_velocity.length(), new.linear_velocity.length());
        if w > 1e-3 {
            // It would stop here if it went on slowing down like this.
            time = DT * (f64::from(step) + 1.0 + w / (v - w));
        }
    }
    let end = &world.bodies()[disc.0];
    assert!(end.linear_velocity.length() < 1e-9 && end.angular_velocity.length() < 1e-9);
    DVec3::new(end.pose.translation.x, angle, time)
}

/// The same by the equations of a disc under uniform pressure, in small steps.
fn integrated(velocity: f64, spin: f64) -> DVec3 {
    let (disc, dt) = (Exact::disc(RADIUS).unwrap(), 5e-4);
    let inverse = DVec3::new(1.0, 1.0, 2.0 / (RADIUS * RADIUS)) * (MU * G);
    let (mut twist, mut place, mut time) = (DVec3::new(velocity, 0.0, spin), DVec3::ZERO, 0.0);
    while twist.x > 1e-3 {
        let middle = twist + inverse * disc.wrench(twist) * (0.5 * dt);
        let change = inverse * disc.wrench(middle) * dt;
        place += (twist + 0.5 * change) * dt;
        twist += change;
        time += dt;
    }
    // What is left goes on slowing down as it does.
    let rest = -twist.x / (inverse * disc.wrench(twist)).x;
    place += 0.5 * rest * twist;
    DVec3::new(place.x, place.z, time + rest)
}

#[test]
fn a_disc_that_slides_and_spins_stops_where_the_equations_say() {
    for (velocity, spin) in [(1.0, 10.0_f64), (1.0, 30.6), (1.0, 60.0), (2.0, -30.0)] {
        let mut expected = integrated(velocity, spin.abs());
        expected.y *= spin.signum();
        for first in [true, false] {
            let found = simulated(disc(velocity, spin, first));
            let error = ((found - expected) / expected).abs();
            assert!(error.max_element() < 5e-3, "{velocity}, {spin}: {found} for {expected}");
        }
    }
}

#[test]
fn a_disc_started_at_the_ratio_that_lasts_keeps_it() {
    let mut world = disc(1.0, 1.53 / RADIUS, true);
    let disc = world.find("disc").unwrap();
    let mut seen = 0;
    for _ in 0..100 {
        world.step();
        let body = &world.bodies()[disc.0];
        let (v, w) = (body.linear_velocity.length(), body.angular_velocity.length());
        if v > 0.02 {
            let ratio = v / (w * RADIUS);
            assert!((ratio / 0.653 - 1.0).abs() < 5e-3, "{v} m/s: {ratio}");
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn a_box_spins_to_rest_by_the_torque_of_its_patch() {
    // A square of side a has 0.382598 a of torque per unit load and coefficient.
    let (side, spin) = (0.1, 20.0);
    let block = format!(
        r#"{{ name = "disc", shape = {{ box = [{side}, 0.002, {side}] }}, at = [0, 0.001, 0], spin = [0, {spin}, 0], material = "any" }}"#
    );
    let found = simulated_spin(load(SPIN, &[FLOOR, &block]));
    let slowing = MU * G * 0.382_598 * side / (side * side / 6.0);
    let expected = spin * spin / (2.0 * slowing);
    assert!((found / expected - 1.0).abs() < 2e-3, "{found} for {expected}");
}

/// Angle to rest.
fn simulated_spin(mut world: World) -> f64 {
    let (id, mut angle) = (world.find("disc").unwrap(), 0.0);
    for _ in 0..300 {
        let old = world.bodies()[id.0].angular_velocity.y;
        world.step();
        angle += 0.5 * DT * (old + world.bodies()[id.0].angular_velocity.y);
    }
    assert!(world.bodies()[id.0].angular_velocity.length() < 1e-9);
    angle
}

#[test]
fn what_is_recorded_adds_up_to_the_patch() {
    let mut world = disc(1.0, 20.0, true);
    for _ in 0..10 {
        world.step();
    }
    let block = &world.patch_blocks()[0];
    let contacts = &world.contacts()[block.contacts.clone()];
    assert_eq!(contacts.len(), world.contacts().len());
    let load: f64 = contacts.iter().map(|c| c.load).sum();
    let impulse: DVec3 = contacts.iter().map(|c| c.impulse).sum();
    let spin: f64 = contacts.iter().map(|c| c.spin_impulse).sum();
    let normal = block.frame.normal;
    let friction = impulse - normal * impulse.dot(normal);
    assert!((friction - block.impulse).length() < 1e-12 * friction.length());
    assert!((spin - block.spin_impulse).abs() < 1e-12 * spin.abs());
    let weight = world.bodies()[1].mass * G;
    assert!((load / weight - 1.0).abs() < 1e-6, "{load} for {weight}");
    // On the limit surface, which no point of its own friction would reach.
    let exact = Exact::disc(RADIUS).unwrap();
    let body = &world.bodies()[1];
    let twist = DVec3::new(body.linear_velocity.x, 0.0, body.angular_velocity.y);
    let wrench = exact.wrench(twist) * (MU * load * DT);
    assert!((block.impulse.x / wrench.x - 1.0).abs() < 5e-3, "{block:?} for {wrench}");
    assert!((block.spin_impulse / wrench.z - 1.0).abs() < 5e-3, "{block:?} for {wrench}");
}

#[test]
fn bounds_around_the_limit_surface_stop_the_disc_sooner() {
    // Projected Gauss-Seidel takes the box around the set: all of both at once.
    let mut world = disc(1.0, 30.0, true);
    world.settings.method = Method::named("pgs").unwrap();
    for _ in 0..200 {
        world.step();
    }
    let body = &world.bodies()[1];
    assert!(body.linear_velocity.length() < 1e-6 && body.angular_velocity.length() < 1e-6);
    let (found, box_of) = (body.pose.translation.x, 1.0 / (2.0 * MU * G));
    assert!((found / box_of - 1.0).abs() < 5e-3, "{found} for {box_of}");
    // Which the true set does not allow.
    assert!(found < 0.7 * integrated(1.0, 30.0).x);
}

#[test]
fn lines_and_points_have_friction_of_their_own() {
    let ball = r#"{ name = "ball", shape = { sphere = 0.05 }, at = [0, 0.05, 0], velocity = [1, 0, 0], material = "any" }"#;
    let mut world = load(SPIN, &[FLOOR, ball]);
    for _ in 0..100 {
        world.step();
        assert!(world.patch_blocks().is_empty());
    }
    // A ball that slides ends up rolling with 5/7 of its speed.
    let speed = world.bodies()[1].linear_velocity.x;
    assert!((speed - 5.0 / 7.0).abs() < 1e-3, "{speed}");
}

#[test]
fn a_patch_that_changes_in_every_step_takes_energy_only() {
    // A box slides and turns over the edge of a table until it tips.
    let table = r#"{ name = "table", kind = "fixed", shape = { box = [1, 0.2, 1] }, at = [-0.5, -0.1, 0], material = "any" }"#;
    let block = r#"{ name = "block", shape = { box = [0.1, 0.02, 0.1] }, at = [-0.2, 0.01, 0], velocity = [0.9, 0, 0], spin = [0, 3, 0], material = "any" }"#;
    let mut world = load(SPIN, &[table, block]);
    let (mut before, mut changed) = (world.energy().total(), 0);
    let mut force = DVec3::ZERO;
    for step in 0..150 {
        world.step();
        assert_eq!(world.report().unconverged, 0, "step {step}: {:?}", world.report());
        let body = &world.bodies()[1];
        assert!(body.pose.is_finite());
        let [block] = world.patch_blocks() else { break };
        let energy = world.energy().total();
        assert!(energy <= before + 1e-12, "step {step}: {energy} after {before}");
        before = energy;
        // Friction changes smoothly while the patch does, and the box lies flat.
        if body.pose.translation.x < -0.005 {
            let change = (block.impulse - force).length() / block.impulse.length();
            assert!(step == 0 || change < 0.01, "step {step}: {change}");
            changed += usize::from(body.pose.translation.x > -0.06);
        }
        force = block.impulse;
    }
    assert!(changed > 10, "{changed}");
}

/// What is held on a turntable 0.2 m from its axis, after a second: its place.
fn held(extent: &str, shape: &str, up: f64) -> DVec3 {
    let table = r#"{ name = "table", kind = "kinematic", shape = { box = [1, 0.2, 1] }, at = [0, -0.1, 0], spin = [0, 1, 0], material = "any" }"#;
    let held = format!(
        r#"{{ name = "held", shape = {shape}, at = [0.2, {up}, 0], rotate = {{ axis = "z", deg = 90 }}, velocity = [0, 0, -0.2], spin = [0, 1, 0], material = "any" }}"#
    );
    let mut world = load(extent, &[table, held.as_str()]);
    let held = world.find("held").unwrap();
    for _ in 0..100 {
        world.step();
    }
    world.bodies()[held.0].pose.translation
}

#[test]
fn what_lies_on_a_line_is_held_on_a_turntable_as_by_points() {
    let by_points = r#"extent = "point""#;
    let rod = "{ capsule = [0.01, 0.1] }";
    let [spin, points] = [SPIN, by_points].map(|extent| held(extent, rod, 0.01));
    assert_eq!(spin, points);
    assert!((points.with_y(0.0).length() / 0.2 - 1.0).abs() < 0.02, "{points}");
    // On a face it is another law.
    let plate = "{ box = [0.02, 0.1, 0.02] }";
    let [spin, points] = [SPIN, by_points].map(|extent| held(extent, plate, 0.01));
    assert_ne!(spin, points);
}
