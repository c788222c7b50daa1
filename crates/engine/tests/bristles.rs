//! Contacts that remember: bristles under rigid bodies.

use asperity::World;
use asperity_scene::{self as scene, NoAssets};
use glamx::DVec3;

const MU: f64 = 0.5;

/// A block of 1 kg on a slope.
fn incline(degrees: f64, memory: &str, dt: f64) -> World {
    let text = format!(
        r#"
version = 1
world = {{ dt = {dt}, solver = {{ tolerance = 1e-11 }} }}
material.any = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = {MU} }}, memory = {memory} }}
body = [
  {{ name = "slope", kind = "fixed", shape = {{ box = [4, 0.2, 4] }}, at = [0, -0.1, 0], material = "any" }},
  {{ name = "block", shape = {{ box = [0.1, 0.1, 0.1] }}, at = [0, 0.05, 0], material = "any" }} ]
"#
    );
    let mut world =
        scene::load(&text, "bristles.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}"));
    // The slope is level, and gravity leans instead.
    let lean = degrees.to_radians();
    world.world.settings.gravity = 9.81 * DVec3::new(lean.sin(), -lean.cos(), 0.0);
    world.world
}

/// The load along the slope swings between two angles; returns how far the block went in a cycle,
/// once it goes the same way in each.
fn drift(memory: &str, angles: [f64; 2], dt: f64) -> f64 {
    let mut world = incline(0.0, memory, dt);
    let per_cycle = (2.0 / dt).round() as usize;
    let mut places = Vec::new();
    for step in 0..6 * per_cycle {
        if step % per_cycle == 0 {
            places.push(place(&world).x);
        }
        let swing = 0.5 - 0.5 * (std::f64::consts::TAU * step as f64 / per_cycle as f64).cos();
        let slope = angles[0] + (angles[1] - angles[0]) * swing;
        world.settings.gravity = 9.81 * DVec3::new(slope, -1.0, 0.0);
        world.step();
        assert_eq!(world.report().unconverged, 0, "{:?}", world.report());
    }
    (places[5] - places[3]) / 2.0
}

#[test]
fn lugre_creeps_as_its_equation_says_and_elasto_plastic_bristles_do_not() {
    // dz = (1 - c s) dx with s = sigma0 z/mu, c the sign of dx. A cycle of s between a and b so
    // moves the block on by mu/sigma0 times the integral of 1/(1 - s) - 1/(1 + s).
    let (sigma0, slopes) = (1e5, [0.05, 0.25]);
    let [a, b] = slopes.map(|slope| slope / MU);
    let expected = MU / sigma0 * ((1.0 - a * a) / (1.0 - b * b)).ln();
    let found = drift(r#"{ model = "lugre", sigma0 = 1e5, sigma1 = 0 }"#, slopes, 0.002);
    assert!((found / expected - 1.0).abs() < 0.02, "{found:e} for {expected:e}");
    let held = drift(r#"{ model = "elasto_plastic", sigma0 = 1e5 }"#, slopes, 0.01);
    assert!(held.abs() < 1e-9 && held.abs() < 1e-3 * expected, "{held:e}");
}

/// A plate between two plates that are pressed together: one fixed, one pushed with 20 N. Its
/// weight swings; returns the largest distance of the plate from where its bristles alone let it be.
fn gripped(memory: &str, seconds: f64) -> f64 {
    let dt = 0.01;
    let text = format!(
        r#"
version = 1
world = {{ dt = {dt}, solver = {{ tolerance = 1e-10 }} }}
material.any = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = {MU} }}, memory = {memory} }}
body = [
  {{ name = "left", kind = "fixed", shape = {{ box = [0.02, 0.04, 0.04] }}, at = [-0.015, 0, 0], material = "any" }},
  {{ name = "block", shape = {{ box = [0.01, 0.1, 0.1] }}, at = [0, 0, 0], material = "any" }},
  {{ name = "right", shape = {{ box = [0.02, 0.04, 0.04] }}, at = [0.015, 0, 0], material = "any" }} ]
joint = [ {{ kind = "slider", a = "left", b = "right", at = [0.015, 0, 0], axis = [1, 0, 0], collide = true }} ]
"#
    );
    let mut world =
        scene::load(&text, "grip.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world;
    let right = world.find("right").unwrap();
    let (mut worst, mut time) = (0.0_f64, 0.0);
    while time < seconds {
        let swing = 1.0 + 0.8 * (std::f64::consts::TAU * time / 0.4).sin();
        let tilt = 0.6 * (std::f64::consts::TAU * time / 0.7).sin();
        world.settings.gravity = 9.81 * DVec3::new(0.0, -swing, tilt);
        world.apply_force(right, DVec3::new(-20.0, 0.0, 0.0), DVec3::ZERO);
        world.step();
        time += dt;
        assert_eq!(world.report().unconverged, 0, "{time}: {:?}", world.report());
        // Both sides bend alike under half of the weight; f/(sigma0 N).
        let expected = world.settings.gravity * (world.bodies()[1].mass / (2.0 * 20.0 * 1e6));
        let off = place(&world) - expected;
        worst = worst.max(DVec3::new(0.0, off.y, off.z).length());
    }
    let carry = world.patch_blocks().iter().filter(|b| b.impulse.length() > 0.0).count();
    assert_eq!(carry, 2);
    worst
}

#[test]
fn a_plate_in_a_gripper_stays_within_its_elastic_deflection() {
    let worst = gripped(r#"{ model = "elasto_plastic", sigma0 = 1e6 }"#, 20.0);
    assert!(worst < 1e-6, "{worst:e}");
}

fn place(world: &World) -> DVec3 {
    let id = world.find("block").unwrap();
    world.bodies()[id.0].pose.translation
}

#[test]
fn a_block_below_the_friction_angle_deflects_and_does_not_creep() {
    for sigma0 in [1e5, 1e6] {
        let memory = format!(r#"{{ model = "elasto_plastic", sigma0 = {sigma0:e} }}"#);
        let mut world = incline(20.0, &memory, 0.01);
        for _ in 0..300 {
            world.step();
            assert_eq!(world.report().unconverged, 0, "{:?}", world.report());
        }
        let settled = place(&world);
        // f/(sigma0 N): the weight along the slope over that across.
        let expected = 20_f64.to_radians().tan() / sigma0;
        assert!((settled.x / expected - 1.0).abs() < 1e-3, "{} for {expected}", settled.x);
        let block = &world.patch_blocks()[0];
        assert!(
            (block.past().cloned().unwrap_or_default().vector.x / expected - 1.0).abs() < 1e-3,
            "{}",
            block.past().cloned().unwrap_or_default().vector
        );
        for _ in 0..1000 {
            world.step();
        }
        let crept = (place(&world) - settled).length();
        assert!(crept < 1e-12, "{crept:e}");
    }
}

#[test]
fn a_block_that_slides_stops_where_coulomb_friction_and_damping_say_and_energy_never_rises() {
    for model in ["lugre", "elasto_plastic"] {
        // LuGre's friction takes a step to grow to its full size, so these are small.
        let mut world = incline(0.0, &format!(r#"{{ model = "{model}" }}"#), 0.001);
        let id = world.find("block").unwrap();
        world.set_velocity(id, DVec3::X, DVec3::ZERO);
        let mut before = world.energy().total();
        for step in 0..400 {
            world.step();
            let block = &world.patch_blocks()[0];
            // What the bristles hold: half of sigma0 z^2 per unit load.
            let stored = 0.5
                * 1e6
                * block.past().cloned().unwrap_or_default().vector.length_squared()
                * 9.81;
            let energy = world.energy().total() + stored;
            assert!(energy <= before + 1e-9, "{model}, step {step}: {energy} after {before}");
            before = energy;
        }
        // Until they are bent, bristles take σ₁ times how far they bend, μ/σ₀, of speed and weight.
        let start: f64 = 1.0 - 800.0 * MU / 1e6 * 9.81;
        let expected = start * start / (2.0 * MU * 9.81);
        let found = place(&world).x;
        assert!((found / expected - 1.0).abs() < 2e-3, "{model}: {found} for {expected}");
    }
}

#[test]
fn viscous_friction_adds_to_the_rest() {
    // v' = -g (mu + sigma2 v), with the drag at the end of each step.
    let (sigma2, dt) = (0.5, 0.001);
    let memory = format!(r#"{{ model = "elasto_plastic", sigma1 = 0, sigma2 = {sigma2} }}"#);
    let mut world = incline(0.0, &memory, dt);
    let id = world.find("block").unwrap();
    world.set_velocity(id, DVec3::X, DVec3::ZERO);
    for _ in 0..100 {
        world.step();
    }
    let found = world.bodies()[id.0].linear_velocity.x;
    let step = |v: f64, _| (v - MU * 9.81 * dt) / (1.0 + sigma2 * 9.81 * dt);
    let expected = (0..100).fold(1.0, step);
    // In the first of them the bristles bend, too.
    assert!((found / expected - 1.0).abs() < 1e-5, "{found} for {expected}");
    let exact = (1.0 + MU / sigma2) * (-9.81 * sigma2 * 0.1_f64).exp() - MU / sigma2;
    assert!((found - exact).abs() < 2e-3, "{found} for {exact}");
}

#[test]
fn bristles_are_forgotten_when_bodies_part() {
    let mut world = incline(20.0, r#"{ model = "elasto_plastic", sigma0 = 1e5 }"#, 0.01);
    for _ in 0..50 {
        world.step();
    }
    assert!(world.patch_blocks()[0].past().cloned().unwrap_or_default().vector.x > 1e-6);
    let id = world.find("block").unwrap();
    world.settings.gravity = DVec3::new(0.0, -9.81, 0.0);
    world.set_velocity(id, DVec3::Y, DVec3::ZERO);
    for _ in 0..5 {
        world.step();
    }
    assert!(world.patch_blocks().is_empty());
    for _ in 0..100 {
        world.step();
    }
    // It came straight down: nothing bends them.
    let block = &world.patch_blocks()[0];
    assert!(
        block.past().cloned().unwrap_or_default().vector.length() < 1e-9,
        "{}",
        block.past().cloned().unwrap_or_default().vector
    );
}

#[test]
fn lines_and_points_remember_too() {
    // A ball, and a cylinder that stands, squeezed between two walls.
    for (shape, expected_rows) in [("sphere = 0.05", 2), ("cylinder = [0.05, 0.1]", 3)] {
        let text = format!(
            r#"
version = 1
world = {{ dt = 0.01, solver = {{ tolerance = 1e-10 }} }}
material.any = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = {MU} }}, memory = {{ model = "elasto_plastic", sigma0 = 1e5 }} }}
body = [
  {{ name = "left", kind = "fixed", shape = {{ box = [0.1, 1, 1] }}, at = [-0.1, 0, 0], material = "any" }},
  {{ name = "block", shape = {{ {shape} }}, at = [0, 0, 0], material = "any" }},
  {{ name = "right", shape = {{ box = [0.1, 0.4, 0.4] }}, at = [0.1, 0, 0], material = "any" }} ]
joint = [ {{ kind = "slider", a = "left", b = "right", at = [0.1, 0, 0], axis = [1, 0, 0], collide = true }} ]
"#
        );
        let mut world =
            scene::load(&text, "squeeze.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world;
        let right = world.find("right").unwrap();
        world.settings.gravity = DVec3::new(0.0, -9.81, 0.0);
        let squeeze = 40.0;
        for step in 0..400 {
            world.apply_force(right, DVec3::new(-squeeze, 0.0, 0.0), DVec3::ZERO);
            world.step();
            assert_eq!(world.report().unconverged, 0, "{step}: {:?}", world.report());
        }
        let mass = world.bodies()[1].mass;
        let expected = -mass * 9.81 / (2.0 * squeeze * 1e5);
        let found = place(&world).y;
        assert!((found / expected - 1.0).abs() < 1e-2, "{shape}: {found} for {expected}");
        let rows: Vec<usize> = world
            .patch_blocks()
            .iter()
            .filter(|b| b.impulse.length() > 0.0)
            .map(|b| b.law.set.dim())
            .collect();
        assert_eq!(rows, [expected_rows; 2], "{shape}");
    }
}

/// A plate on a floor with a grain, pulled along it or across it by gravity that leans by 0.3.
fn on_grain(section: &str, along: bool, memory: &str) -> DVec3 {
    let pull = if along { "[2.943, -9.81, 0]" } else { "[0, -9.81, 2.943]" };
    let text = format!(
        r#"
version = 1
world = {{ dt = 0.01, gravity = {pull}, solver = {{ tolerance = 1e-10 }} }}
material.floor = {{ density = 1000, structure = [1, 0, 0], tensor = [[0.1, 0], [0, 0.6]] }}
material.plate = {{ density = 1000, mu = 0 }}
pair.default = {{ section = {section}, extent = "spin", memory = {memory} }}
body = [
  {{ name = "floor", kind = "fixed", shape = {{ box = [10, 0.2, 10] }}, at = [0, -0.1, 0], material = "floor" }},
  {{ name = "plate", shape = {{ cylinder = [0.05, 0.004] }}, at = [0, 0.002, 0], material = "plate" }},
]
"#
    );
    let mut world =
        scene::load(&text, "grain.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world;
    for _ in 0..100 {
        assert!(world.step().residual < 1e-8);
    }
    assert_eq!(world.patch_blocks().len(), 1);
    world.bodies()[1].pose.translation
}

#[test]
fn anisotropic_patches_hold_across_the_grain_and_slide_along_it() {
    let bristles = r#"{ model = "elasto_plastic", sigma0 = 1e5, sigma1 = 30 }"#;
    let matchstick = r#"{ model = "matchstick", mu = 0.3, mu_t = 0.1, mu_b = 0.6 }"#;
    let tensor = r#"{ model = "tensor", kappa = 1, associated = true }"#;
    for section in [matchstick, tensor] {
        for memory in [r#""none""#, bristles] {
            // (0.3 − 0.1) g t²/2 after one second.
            let slid = on_grain(section, true, memory);
            assert!((slid.x - 0.981).abs() < 0.01, "{section}, {memory}: {slid}");
            let held = on_grain(section, false, memory);
            // Bristles give by f/(σ₀ N) = 0.3/1e5.
            let give = if memory == bristles { 3e-6 } else { 0.0 };
            let off = (held - DVec3::new(0.0, 0.002, give)).abs();
            assert!(off.max_element() < 2e-7, "{section}, {memory}: {held}");
        }
    }
}

/// A block that swings on its bristles without slipping: motion goes into them and comes back. What they gave counts,
/// so that none of it is told as energy from nowhere; without it, all of the motion that comes back would be.
#[test]
fn what_bristles_give_back_is_no_energy_from_nowhere() {
    let (sigma0, speed) = (1e3, 0.01);
    let mut world = incline(0.0, r#"{ model = "elasto_plastic", sigma0 = 1e3, sigma1 = 0 }"#, 1e-4);
    let block = world.find("block").unwrap();
    world.step();
    world.set_velocity(block, DVec3::X * speed, DVec3::ZERO);
    let mass = world.bodies()[block.0].mass;
    let motion = 0.5 * mass * speed * speed;
    // A quarter of its period on a spring of sigma0 m g.
    let quarter = std::f64::consts::FRAC_PI_2 / (sigma0 * 9.81_f64).sqrt();
    let (mut held, mut most, mut regained, mut rise) = (0.0, 0.0_f64, 0.0_f64, 0.0);
    let mut last = world.energy().kinetic;
    for _ in 0..(1.9 * quarter / world.settings.dt) as usize {
        let energy = world.step().audit.energy;
        held -= energy.given;
        most = most.max(held);
        rise += energy.rise;
        regained += (world.energy().kinetic - last).max(0.0);
        last = world.energy().kinetic;
    }
    assert!((most / motion - 1.0).abs() < 0.05, "{most:e} J held of {motion:e} J");
    assert!(regained > 0.8 * motion, "{regained:e} J came back of {motion:e} J");
    assert!(rise < 1e-6 * motion, "{rise:e} J from nowhere of {motion:e} J");
}
