//! Bristles on the table of a limit surface and in every cell of a patch, under rigid bodies and any pressure.

use asperity::World;
use asperity_scene::{self as scene, NoAssets};
use glamx::DVec3;

const MU: f64 = 0.5;

const ALL: [&str; 3] =
    [r#"bristles = "patch""#, r#"bristles = "reduced""#, r#"bristles = "distributed", cells = 11"#];

fn world(text: &str) -> World {
    scene::load(text, "planar_models.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world
}

/// A block of 1 kg on a level floor.
fn block(memory: &str, extent: &str, dt: f64) -> World {
    world(&format!(
        r#"
version = 1
world = {{ dt = {dt}, solver = {{ tolerance = 1e-11 }} }}
material.any = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = {MU} }}, extent = {extent}, memory = {memory} }}
body = [
  {{ name = "floor", kind = "fixed", shape = {{ box = [4, 0.2, 4] }}, at = [0, -0.1, 0], material = "any" }},
  {{ name = "block", shape = {{ box = [0.1, 0.1, 0.1] }}, at = [0, 0.05, 0], material = "any" }} ]
"#
    ))
}

fn place(world: &World) -> DVec3 {
    world.bodies()[world.find("block").unwrap().0].pose.translation
}

#[test]
fn a_block_below_the_friction_angle_deflects_and_does_not_creep() {
    let (slope, sigma0) = (20_f64.to_radians(), 1e5);
    for placing in ALL {
        for pressure in ["uniform", "linear", "hertz"] {
            let memory = format!(r#"{{ model = "elasto_plastic", sigma0 = {sigma0}, {placing} }}"#);
            let extent = format!(r#"{{ model = "spin", pressure = "{pressure}" }}"#);
            let mut world = block(&memory, &extent, 0.01);
            world.settings.gravity = 9.81 * DVec3::new(slope.sin(), -slope.cos(), 0.0);
            let mut step = |count: usize| {
                for _ in 0..count {
                    assert_eq!(world.step().unconverged, 0, "{placing}, {pressure}");
                }
                place(&world)
            };
            let settled = step(300);
            // f/(sigma0 N): the weight along the slope over that across.
            let expected = slope.tan() / sigma0;
            let part = settled.x / expected;
            assert!((part - 1.0).abs() < 1e-3, "{placing}, {pressure}: {part}");
            let crept = (step(700) - settled).length();
            assert!(crept < 1e-12, "{placing}, {pressure}: {crept:e}");
        }
    }
}

#[test]
fn lugre_creeps_as_its_equation_says() {
    // dz = (1 - c s) dx with s = sigma0 z/mu, c the sign of dx. A cycle of s between a and b so
    // moves the block on by mu/sigma0 times the integral of 1/(1 - s) - 1/(1 + s).
    let (sigma0, dt) = (1e5, 0.002);
    let [low, high] = [0.05, 0.25];
    let [a, b] = [low / MU, high / MU];
    let expected = MU / sigma0 * ((1.0 - a * a) / (1.0 - b * b)).ln();
    for placing in ALL {
        let memory = format!(r#"{{ model = "lugre", sigma0 = {sigma0}, sigma1 = 0, {placing} }}"#);
        let mut world = block(&memory, r#""spin""#, dt);
        let per_cycle = (2.0 / dt).round() as usize;
        let mut places = Vec::new();
        for step in 0..6 * per_cycle {
            if step % per_cycle == 0 {
                places.push(place(&world).x);
            }
            let swing = 0.5 - 0.5 * (std::f64::consts::TAU * step as f64 / per_cycle as f64).cos();
            let slope = low + (high - low) * swing;
            world.settings.gravity = 9.81 * DVec3::new(slope, -1.0, 0.0);
            assert_eq!(world.step().unconverged, 0, "{placing}");
        }
        let part = (places[5] - places[3]) / 2.0 / expected;
        eprintln!("{placing}: {part} of the drift");
        assert!((part - 1.0).abs() < 2e-4, "{placing}: {part}");
    }
}

/// How far a block goes that is thrown with 1 m/s on friction that falls with speed, from 0.6 to 0.3 over 0.5 m/s.
fn goes(memory: &str, dt: f64) -> f64 {
    let mut world = world(&format!(
        r#"
version = 1
world = {{ dt = {dt} }}
material.any = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.3, static_mu = 0.6, stribeck_speed = 0.5 }}, extent = "spin", memory = {memory} }}
body = [
  {{ name = "floor", kind = "fixed", shape = {{ box = [4, 0.2, 4] }}, at = [0, -0.1, 0], material = "any" }},
  {{ name = "block", shape = {{ box = [0.1, 0.001, 0.1] }}, at = [0, 0.0005, 0], velocity = [1, 0, 0], material = "any" }} ]
"#
    ));
    for _ in 0..(0.5 / dt).round() as usize {
        assert_eq!(world.step().unconverged, 0, "{memory}");
    }
    place(&world).x
}

#[test]
fn with_bristles_friction_that_falls_with_speed_does_not_lag() {
    // v' = -g mu(v), by the midpoint rule.
    let slowing = |v: f64| 9.81 * (0.3 + 0.3 * (-(v / 0.5).powi(2)).exp());
    let (mut v, mut exact, h) = (1.0, 0.0, 1e-6);
    while v > 0.0 {
        let half = v - 0.5 * h * slowing(v);
        (exact, v) = (exact + h * half, v - h * slowing(half));
    }
    for placing in ALL {
        let memory = format!(r#"{{ model = "elasto_plastic", sigma1 = 1, {placing} }}"#);
        let found = goes(&memory, 0.01) / exact;
        assert!((found - 1.0).abs() < 3e-3, "{placing}: {found} of {exact}");
    }
    // Without memory the section decides when the step begins: half a step late.
    let lags = goes(r#""none""#, 0.01) / exact;
    assert!(lags > 1.008, "{lags}");
}

/// A plate on a floor that is spun; how fast it loses its spin in half a second, rad/s².
fn slowing(memory: &str, extent: &str, material: &str) -> f64 {
    let mut world = world(&format!(
        r#"
version = 1
world = {{ dt = 0.005 }}
texture.ends = {{ kind = "mask", generate = {{ stripes = {{ count = 1, values = [[1, 1, 1, 1], [0, 0, 0, 0]] }} }}, size = [0.2, 0.2] }}
material.any = {{ density = 1000 }}
material.plate = {{ density = 1000{material} }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.2 }}, extent = {extent}, memory = {memory} }}
body = [
  {{ name = "floor", kind = "fixed", shape = {{ box = [4, 0.2, 4] }}, at = [0, -0.1, 0], material = "any" }},
  {{ name = "block", shape = {{ box = [0.2, 0.01, 0.2] }}, at = [0, 0.005, 0], spin = [0, 20, 0], material = "plate" }} ]
"#
    ));
    let id = world.find("block").unwrap();
    for _ in 0..100 {
        assert_eq!(world.step().unconverged, 0, "{memory}, {extent}");
    }
    (20.0 - world.bodies()[id.0].angular_velocity.y) / 0.5
}

/// Mean distance from the middle of a rectangle.
fn mean_radius(long: f64, wide: f64) -> f64 {
    let n = 400;
    let at = |size: f64, k: i32| size * ((f64::from(k) + 0.5) / f64::from(n) - 0.5);
    let sum: f64 = (0..n).flat_map(|i| (0..n).map(move |j| at(long, i).hypot(at(wide, j)))).sum();
    sum / f64::from(n * n)
}

#[test]
fn a_map_of_the_pressure_decides_on_the_torque() {
    // The map of one half of the plate, whose torque of pure spin is mu N <rho>; without, that of all of it.
    let of = |radius: f64| 0.2 * 9.81 * radius / (0.2 * 0.2 / 6.0);
    let [half, whole] = [mean_radius(0.2, 0.1), mean_radius(0.2, 0.2)].map(of);
    let bristles = |placing: &str| {
        format!(r#"{{ model = "elasto_plastic", sigma0 = 1e5, sigma1 = 1, {placing} }}"#)
    };
    for memory in [r#""none""#.to_owned(), bristles(ALL[0]), bristles(ALL[1]), bristles(ALL[2])] {
        let map = r#"{ model = "spin", pressure = "map" }"#;
        let found = slowing(&memory, map, r#", pressure = "ends""#);
        eprintln!("{memory}: {found} for {half}");
        assert!((found / half - 1.0).abs() < 0.015, "{memory}: {found} for {half}");
        let even = slowing(&memory, r#""spin""#, r#", pressure = "ends""#);
        assert!((even / whole - 1.0).abs() < 0.015, "{memory}: {even} for {whole}");
        assert!((half / whole - 1.0).abs() > 0.1);
    }
}

#[test]
fn what_does_not_go_together_is_refused_by_name() {
    let refused = |text: &str| {
        let text = format!(
            r#"
version = 1
material.any = {{ density = 1000, structure = [1, 0, 0] }}
pair.default = {{ {text} }}
body = [
  {{ name = "floor", kind = "fixed", shape = {{ box = [4, 0.2, 4] }}, at = [0, -0.1, 0], material = "any" }},
  {{ name = "block", shape = {{ box = [0.1, 0.1, 0.1] }}, at = [0, 0.05, 0], material = "any" }} ]
"#
        );
        let Err(e) = scene::load(&text, "refused.toml", &NoAssets) else { panic!("{text}") };
        e.to_string()
    };
    let coulomb = r#"section = { model = "coulomb", mu = 0.5 }"#;
    let grain = r#"section = { model = "matchstick", mu = 0.3, mu_t = 0.1, mu_b = 0.6 }"#;
    for (text, wanted) in [
        (format!(r#"{coulomb}, extent = {{ model = "spin", pressure = "map" }}"#), "material with"),
        (format!(r#"{coulomb}, memory = {{ model = "lugre", cells = 9 }}"#), "distributed"),
        (
            format!(
                r#"{coulomb}, memory = {{ model = "lugre", bristles = "distributed", resolution = 9 }}"#
            ),
            "reduced",
        ),
        (
            format!(
                r#"{coulomb}, memory = {{ model = "lugre", bristles = "distributed", cells = 99 }}"#
            ),
            "64",
        ),
        (
            format!(r#"{grain}, memory = {{ model = "lugre", bristles = "reduced" }}"#),
            "all directions",
        ),
    ] {
        let found = refused(&text);
        assert!(found.contains(wanted), "{text}: {found}");
    }
}

#[test]
fn results_do_not_depend_on_units() {
    // The same in lengths twice as long, masses eight times as heavy and times that pass half as fast: powers of two,
    // so that all digits stay but for those of roots.
    let run = |length: f64, mass: f64, time: f64, placing: &str| {
        let [dt, side, g] = [0.005 * time, 0.1 * length, 9.81 * length / (time * time)];
        let [sigma0, sigma1] = [1e4 / length, 20.0 * time / length];
        let [pull, density] = [3.0 * mass * length / (time * time), 1000.0 * mass / length.powi(3)];
        let mut world = world(&format!(
            r#"
version = 1
world = {{ dt = {dt}, gravity = [0, -{g}, 0], solver = {{ tolerance = 1e-11 }} }}
material.any = {{ density = {density} }}
pair.default = {{ section = {{ model = "coulomb", mu = {MU} }}, memory = {{ model = "lugre", sigma0 = {sigma0}, sigma1 = {sigma1}, {placing} }} }}
body = [
  {{ name = "floor", kind = "fixed", shape = {{ box = [{0}, {1}, {0}] }}, at = [0, -{side}, 0], material = "any" }},
  {{ name = "block", shape = {{ box = [{side}, {2}, {side}] }}, at = [0, {3}, 0], spin = [0, {4}, 0], material = "any" }} ]
"#,
            40.0 * side,
            2.0 * side,
            0.25 * side,
            0.125 * side,
            2.0 / time
        ));
        let block = world.find("block").unwrap();
        for _ in 0..100 {
            world.apply_force(block, DVec3::new(pull, 0.0, 0.0), DVec3::ZERO);
            world.step();
        }
        let body = &world.bodies()[block.0];
        [body.pose.translation.x / length, body.pose.rotation.to_scaled_axis().y]
    };
    for placing in ALL {
        let (here, there) = (run(1.0, 1.0, 1.0, placing), run(2.0, 8.0, 0.5, placing));
        for k in 0..2 {
            let off = (here[k] / there[k] - 1.0).abs();
            assert!(off < 1e-7 && here[k].abs() > 1e-4, "{placing}, {k}: {here:?} {there:?}");
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let block = |k: u32| {
        let x = 0.3 * f64::from(k);
        format!(
            r#"  {{ name = "b{k}", shape = {{ box = [0.1, 0.1, 0.1] }}, at = [{x}, 0.05, 0], velocity = [0, 0, 0.3], spin = [0, {k}, 0], material = "any" }},"#
        )
    };
    let blocks = (0..6).map(block).collect::<Vec<_>>().concat();
    let memory = r#"{ model = "lugre", sigma0 = 1e5, bristles = "distributed", cells = 11 }"#;
    let text = format!(
        r#"
version = 1
world = {{ dt = 0.005 }}
material.any = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = {MU} }}, extent = {{ model = "spin", pressure = "linear" }}, memory = {memory} }}
body = [
  {{ name = "floor", kind = "fixed", shape = {{ box = [4, 0.2, 4] }}, at = [0, -0.1, 0], material = "any" }},
{blocks} ]
"#
    );
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = world(&text);
            for _ in 0..40 {
                world.step();
            }
            let all = world.bodies().iter();
            all.map(|b| b.pose.translation.to_array().map(f64::to_bits)).collect::<Vec<_>>()
        })
    };
    assert_eq!(run(1), run(4));
}
