//! Mechanisms of joints without friction keep their energy, at any step: what swings goes on swinging.

use asperity::World;
use asperity_scene::{self as scene, NoAssets};

/// What the energy of a scene did, of its largest kinetic energy.
#[derive(Debug)]
struct Energies {
    /// Largest rise above what it was before.
    rise: f64,
    /// What is gone at the end.
    lost: f64,
    /// Largest gape of a joint, of the smaller body.
    gape: f64,
    /// Steps that missed the tolerance, and the most iterations.
    missed: usize,
    iterations: usize,
}

fn load(text: &str) -> (World, f64) {
    let scene = scene::load(text, "mechanism.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}"));
    (scene.world, scene.duration)
}

fn watch(text: &str) -> Energies {
    let (mut world, duration) = load(text);
    let begin = world.energy().total();
    let (mut least, mut rise, mut kinetic, dt) = (begin, 0.0_f64, 0.0_f64, world.settings.dt);
    let mut seen = Energies { rise: 0.0, lost: 0.0, gape: 0.0, missed: 0, iterations: 0 };
    while world.time() < duration - 0.5 * dt {
        let report = world.step();
        seen.gape = seen.gape.max(report.audit.gape.map_or(0.0, |g| g.part()));
        seen.missed += report.unconverged;
        seen.iterations = seen.iterations.max(report.iterations);
        let energy = world.energy();
        rise = rise.max(energy.total() - least);
        least = least.min(energy.total());
        kinetic = kinetic.max(energy.kinetic);
    }
    seen.rise = rise / kinetic;
    seen.lost = (begin - world.energy().total()) / kinetic;
    seen
}

/// A scene of rods 0.5 m long and 1 kg, one after the other from the origin, all in line, `deg` below the level.
fn rods(kind: &str, masses: &[f64], dt: f64, duration: f64) -> String {
    let (mut bodies, mut joints) = (String::new(), String::new());
    for (k, mass) in masses.iter().enumerate() {
        let x = 0.5 * k as f64;
        bodies += &format!(
            "{{ name = \"r{k}\", shape = {{ box = [0.5, 0.02, 0.02] }}, at = [{}, 0, 0], mass = {mass}, group = 1 }},\n",
            x + 0.25
        );
        let from = if k > 0 { format!("a = \"r{}\", ", k - 1) } else { String::new() };
        joints += &format!("{{ kind = \"{kind}\", {from}b = \"r{k}\", at = [{x}, 0, 0], axis = [0, 0, 1] }},\n");
    }
    let joints = if kind == "ball" { joints.replace(", axis = [0, 0, 1]", "") } else { joints };
    scene_of(dt, duration, &bodies, &joints)
}

fn scene_of(dt: f64, duration: f64, bodies: &str, joints: &str) -> String {
    format!(
        "version = 1\nworld = {{ dt = {dt}, duration = {duration} }}\n\
         pair.default = {{ section = {{ model = \"coulomb\", mu = 0 }} }}\n\
         body = [ {bodies} ]\njoint = [ {joints} ]\n"
    )
}

/// A four-bar loop of rods: crank 0.3 m, coupler 0.5 m, rocker 0.4 m, and 0.5 m of ground.
fn four_bar(dt: f64) -> String {
    // Crank upright: its end at (0, 0.3); the coupler's other end where circles about both meet.
    let (x, y) = {
        let (ax, ay, r1, bx, by, r2) = (0.0_f64, 0.3_f64, 0.5_f64, 0.5_f64, 0.0_f64, 0.4_f64);
        let (dx, dy) = (bx - ax, by - ay);
        let d = dx.hypot(dy);
        let along = (r1 * r1 - r2 * r2 + d * d) / (2.0 * d);
        let across = (r1 * r1 - along * along).sqrt();
        (ax + (along * dx - across * dy) / d, ay + (along * dy + across * dx) / d)
    };
    let rod = |name: &str, a: [f64; 2], b: [f64; 2]| {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        format!(
            "{{ name = \"{name}\", shape = {{ box = [{}, 0.02, 0.02] }}, at = [{}, {}, 0], rotate = {{ axis = \"z\", rad = {} }}, mass = 1, group = 1 }},\n",
            dx.hypot(dy), 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), dy.atan2(dx)
        )
    };
    let bodies = rod("crank", [0.0, 0.0], [0.0, 0.3])
        + &rod("coupler", [0.0, 0.3], [x, y])
        + &rod("rocker", [x, y], [0.5, 0.0]);
    let hinge = |a: &str, b: &str, x: f64, y: f64| {
        format!("{{ kind = \"hinge\", {a} b = \"{b}\", at = [{x}, {y}, 0], axis = [0, 0, 1] }},\n")
    };
    let joints = hinge("", "crank", 0.0, 0.0)
        + &hinge("a = \"crank\",", "coupler", 0.0, 0.3)
        + &hinge("a = \"coupler\",", "rocker", x, y)
        + &hinge("", "rocker", 0.5, 0.0);
    scene_of(dt, 5.0, &bodies, &joints)
}

/// A disc that spins about its axis, 30 degrees off the vertical, on a ball joint.
fn top(dt: f64, spin: f64) -> String {
    let (sin, cos) = 30.0_f64.to_radians().sin_cos();
    let body = format!(
        "{{ name = \"top\", shape = {{ cylinder = [0.05, 0.02] }}, at = [{}, {}, 0], rotate = {{ axis = \"z\", deg = -30 }}, mass = 0.5, spin = [{}, {}, 0] }}",
        0.1 * sin, 0.1 * cos, spin * sin, spin * cos
    );
    scene_of(dt, 2.0, &body, "{ kind = \"ball\", b = \"top\", at = [0, 0, 0] }")
}

/// A bead that slides along a rod, which turns about its middle.
fn bead(dt: f64) -> String {
    scene_of(
        dt,
        2.0,
        "{ name = \"rod\", shape = { box = [2, 0.02, 0.02] }, mass = 1, spin = [0, 3, 0], gravity_scale = 0, group = 1 },\n\
         { name = \"bead\", shape = { sphere = 0.05 }, at = [0.1, 0, 0], mass = 0.3, velocity = [0, 0, -0.3], spin = [0, 3, 0], gravity_scale = 0, group = 1 }",
        "{ kind = \"hinge\", b = \"rod\", at = [0, 0, 0], axis = [0, 1, 0] },\n\
         { kind = \"slider\", a = \"rod\", b = \"bead\", at = [0.1, 0, 0], axis = [1, 0, 0] }",
    )
}

#[test]
#[ignore]
fn look() {
    for dt in [0.001, 0.005, 1.0 / 60.0] {
        let look = |name: &str, text: &str| {
            let started = std::time::Instant::now();
            let seen = watch(text);
            eprintln!("{dt:.4} {name:12} {seen:?} {:.0} ms", started.elapsed().as_secs_f64() * 1e3);
        };
        look("hinge", &rods("hinge", &[1.0], dt, 5.0));
        look("ball", &rods("ball", &[1.0], dt, 5.0));
        look("distance", &scene_of(dt, 5.0, "{ name = \"b\", shape = { sphere = 0.05 }, at = [0.5, 0, 0], mass = 1, velocity = [0, 0, 1] }", "{ kind = \"distance\", b = \"b\" }"));
        look("double", &rods("hinge", &[1.0; 2], dt, 5.0));
        look("light", &rods("hinge", &[0.01, 10.0], dt, 5.0));
        look("heavy", &rods("hinge", &[10.0, 0.01], dt, 5.0));
        look("six", &rods("ball", &[1.0; 6], dt, 5.0));
        look("four-bar", &four_bar(dt));
        look("top", &top(dt, 200.0));
        look("top slow", &top(dt, 20.0));
        look("bead", &bead(dt));
    }
}

#[test]
#[ignore]
fn look_at_file() {
    let text = std::fs::read_to_string(std::env::var("SCENE").unwrap()).unwrap();
    let (mut world, duration) = load(&text);
    let every: u64 = std::env::var("EVERY").map_or(20, |e| e.parse().unwrap());
    while world.time() < duration - 0.5 * world.settings.dt {
        let r = world.step().clone();
        let e = world.energy();
        if world.steps() % every == 0 || r.audit.energy.rise > 1e-6 {
            let b = &world.bodies()[world.bodies().len() - 1];
            eprintln!("w0 {:.3e} w1 {:.3e} z {:.1e}", world.bodies()[0].angular_velocity, b.angular_velocity, b.pose.translation.z); eprintln!("{:.4} E {:.6} K {:.6} rise {:.2e} it {} res {:.1e} gape {:.1e} last {:.5} v {:.4}", world.time(), e.total(), e.kinetic, r.audit.energy.rise, r.iterations, r.residual, r.audit.gape.map_or(0.0, |g| g.part()), b.pose.translation, b.linear_velocity);
        }
    }
}
