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
    /// What the audit says that joints took.
    told: f64,
    /// Largest gape of a joint, of the smaller body.
    gape: f64,
    /// Steps that missed the tolerance.
    missed: usize,
}

fn load(text: &str) -> (World, f64) {
    let scene = scene::load(text, "mechanism.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}"));
    (scene.world, scene.duration)
}

fn watch(text: &str) -> Energies {
    let (mut world, duration) = load(text);
    let begin = world.energy().total();
    let (mut least, mut rise, mut kinetic, dt) = (begin, 0.0_f64, 0.0_f64, world.settings.dt);
    let mut seen = Energies { rise: 0.0, lost: 0.0, told: 0.0, gape: 0.0, missed: 0 };
    while world.time() < duration - 0.5 * dt {
        let report = world.step();
        seen.gape = seen.gape.max(report.audit.gape.map_or(0.0, |g| g.part()));
        seen.missed += report.unconverged;
        seen.told += report.audit.energy.joints;
        let energy = world.energy();
        rise = rise.max(energy.total() - least);
        least = least.min(energy.total());
        kinetic = kinetic.max(energy.kinetic);
    }
    seen.rise = rise / kinetic;
    seen.told /= kinetic;
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
        joints += &format!(
            "{{ kind = \"{kind}\", {from}b = \"r{k}\", at = [{x}, 0, 0], axis = [0, 0, 1] }},\n"
        );
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
            dx.hypot(dy),
            0.5 * (a[0] + b[0]),
            0.5 * (a[1] + b[1]),
            dy.atan2(dx)
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
        0.1 * sin,
        0.1 * cos,
        spin * sin,
        spin * cos
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

/// A sphere on a distance joint that goes round as well as down.
fn string(dt: f64) -> String {
    scene_of(
        dt,
        5.0,
        "{ name = \"b\", shape = { sphere = 0.05 }, at = [0.5, 0, 0], mass = 1, velocity = [0, 0, 1] }",
        "{ kind = \"distance\", b = \"b\" }",
    )
}

/// Energy never rises, and no more of it is lost than `most` at 5 ms.
fn keeps(name: &str, scene: impl Fn(f64) -> String, most: f64) {
    let seen = [0.0025, 0.005].map(|dt| watch(&scene(dt)));
    for seen in &seen {
        eprintln!("{name}: {seen:?}");
        assert!(seen.rise < 1e-6 && seen.gape < 1e-6, "{name}: {seen:?}");
        assert!(seen.missed == 0, "{name}: {seen:?}");
    }
    assert!(seen[1].lost < most, "{name}: {:?}", seen[1]);
    // Of the second order at least, but for what rounding leaves.
    assert!(seen[0].lost < 0.3 * seen[1].lost + 1e-7, "{name}: {seen:?}");
}

#[test]
fn pendulums_go_on_swinging() {
    for kind in ["hinge", "ball"] {
        keeps(kind, |dt| rods(kind, &[1.0], dt, 5.0), 1e-4);
    }
    keeps("string", string, 1e-4);
    let coarse = watch(&rods("hinge", &[1.0], 1.0 / 60.0, 5.0));
    assert!(coarse.lost < 1e-3, "at 1/60 s: {coarse:?}");
}

#[test]
fn rods_on_rods_keep_their_energy() {
    keeps("two rods", |dt| rods("hinge", &[1.0; 2], dt, 3.0), 1e-3);
    keeps("a light one first", |dt| rods("hinge", &[0.01, 10.0], dt, 2.0), 1e-3);
    keeps("a heavy one first", |dt| rods("hinge", &[10.0, 0.01], dt, 2.0), 1e-3);
    keeps("three rods", |dt| rods("ball", &[1.0; 3], dt, 2.0), 2e-3);
}

#[test]
fn what_turns_in_space_keeps_its_energy() {
    keeps("top", |dt| top(dt, 20.0), 1e-3);
    keeps("bead", bead, 1e-4);
}

/// A top on its way round at Ω stays as high as it is: I₃ ω₃ Ω − I₁ Ω² cos θ = m g l.
#[test]
fn a_top_goes_round_steadily() {
    let [coarse, fine] = [0.001, 0.0005].map(|dt| (turn_of_a_top(dt, 4.0) / 4.0 - 1.0).abs());
    eprintln!("{coarse:.1e} and {fine:.1e} off");
    assert!(fine < 5e-3 && fine < 0.35 * coarse, "{coarse}, {fine}");
}

/// By how far a top turns in a second that goes `round` so fast, rad.
fn turn_of_a_top(dt: f64, round: f64) -> f64 {
    let (sin, cos) = 30.0_f64.to_radians().sin_cos();
    let (along, across) =
        (0.5 * 0.5 * 0.05 * 0.05, 0.5 * ((3.0 * 0.05 * 0.05 + 0.02 * 0.02) / 12.0 + 0.01));
    let spin = (0.5 * 9.81 * 0.1 + across * round * round * cos) / (along * round);
    let body = format!(
        "{{ name = \"top\", shape = {{ cylinder = [0.05, 0.02] }}, at = [{}, {}, 0], rotate = {{ axis = \"z\", deg = -30 }}, mass = 0.5, \
         spin = [{}, {}, 0], velocity = [0, 0, {}] }}",
        0.1 * sin,
        0.1 * cos,
        (spin - round * cos) * sin,
        (spin - round * cos) * cos + round,
        -round * 0.1 * sin
    );
    let (mut world, _) =
        load(&scene_of(dt, 2.0, &body, "{ kind = \"ball\", b = \"top\", at = [0, 0, 0] }"));
    let (mut turned, mut last) = (0.0, 0.0_f64);
    while world.time() < 1.0 - 0.5 * dt {
        world.step();
        let p = world.bodies()[0].centre_of_mass();
        let angle = (-p.z).atan2(p.x);
        turned += (angle - last + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU)
            - std::f64::consts::PI;
        last = angle;
        assert!((p.y / (0.1 * cos) - 1.0).abs() < 0.01, "at {} m after {} s", p.y, world.time());
    }
    turned
}

/// A crank, a coupler and a rocker go round and round in a loop.
#[test]
fn a_four_bar_loop_keeps_its_energy() {
    for dt in [0.001, 0.002] {
        let seen = watch(&four_bar(dt));
        eprintln!("{dt} s: {seen:?}");
        assert!(seen.rise < 1e-6 && seen.lost < 1e-3 && seen.gape < 1e-6, "{dt} s: {seen:?}");
    }
}

/// Where nothing else takes energy, what is gone is what joints took: by rows that damp, or when steps end.
#[test]
fn what_joints_take_is_told() {
    let chain = |dt| rods("ball", &[1.0, 1e-3, 1e-3, 100.0], dt, 2.0);
    let scenes: [(&str, String); 5] = [
        ("four bars at 5 ms", four_bar(0.005)),
        ("four bars at 10 ms", four_bar(0.01)),
        ("fast top", top(0.005, 200.0)),
        ("faster top", top(0.01, 1000.0)),
        ("light rods", chain(0.01)),
    ];
    let mut most = 0.0_f64;
    for (name, text) in &scenes {
        let seen = watch(text);
        eprintln!("{name}: {seen:?}");
        // Displacements that close joints give a little of it back.
        let apart = (seen.told - seen.lost).abs();
        assert!(apart < 1e-6 + 1e-2 * seen.lost, "{name}: {seen:?}");
        most = most.max(seen.lost);
    }
    assert!(most > 0.01, "nothing was lost");
}

/// A spring of k newtons a metre that holds m kilograms goes on swinging with ω = √(k/m).
#[test]
fn a_spring_keeps_its_energy() {
    let (k, dt) = (100.0_f64, 0.005);
    let text = scene_of(
        dt,
        5.0,
        "{ name = \"b\", shape = { sphere = 0.05 }, at = [0, 0, 0], mass = 1, gravity_scale = 0, velocity = [1, 0, 0] }",
        &format!(
            "{{ kind = \"slider\", b = \"b\", at = [0, 0, 0], axis = [1, 0, 0], motor = {{ position = 0, stiffness = {k}, damping = 0 }} }}"
        ),
    );
    let (mut world, duration) = load(&text);
    let (mut largest, mut crossings, mut last) = (0.0_f64, 0, 1.0_f64);
    while world.time() < duration - 0.5 * dt {
        world.step();
        let (x, v) = (world.bodies()[0].pose.translation.x, world.bodies()[0].linear_velocity.x);
        if world.time() > 4.0 {
            largest = largest.max(x);
        }
        crossings += usize::from(v * last < 0.0);
        last = v;
    }
    // The speed changes its sign each half period: 5 s × 10 rad/s/π.
    eprintln!("as far as {largest} m after 4 s, {crossings} turns");
    assert!((largest / 0.1 - 1.0).abs() < 0.01, "{largest} m");
    assert_eq!(crossings, 16);
}

/// A ball that falls h and bounces with e rises to e² h, at any step and from any height.
#[test]
fn balls_bounce_as_high_as_they_should() {
    for dt in [0.001, 0.005, 1.0 / 60.0] {
        for (restitution, drop) in [(0.5, 1.0), (0.8, 1.0), (0.8, 2.07), (1.0, 1.3)] {
            let text = format!(
                "version = 1\nworld = {{ dt = {dt}, duration = 1 }}\n\
                 material.default = {{ restitution = {restitution} }}\n\
                 pair.default = {{ section = {{ model = \"coulomb\", mu = 0 }} }}\n\
                 body = [ {{ name = \"floor\", kind = \"fixed\", shape = {{ half_space = [0, 1, 0] }} }},\n\
                 {{ name = \"ball\", shape = {{ sphere = 0.1 }}, at = [0, {}, 0] }} ]\n",
                0.1 + drop
            );
            let (mut world, _) = load(&text);
            let (mut hit, mut energy) = (false, f64::INFINITY);
            for _ in 0..(3.0 / dt) as usize {
                world.step();
                let v = world.bodies()[1].linear_velocity.y;
                if v > 0.0 {
                    hit = true;
                }
                if hit {
                    let height = world.bodies()[1].pose.translation.y - 0.1;
                    energy = height + v * v / (2.0 * 9.81);
                    break;
                }
            }
            let wanted = restitution * restitution * drop;
            eprintln!("{dt:.4} s, e = {restitution}, from {drop} m: {energy} m, {wanted} wanted");
            assert!((energy / wanted - 1.0).abs() < 1e-6, "{dt} s: {energy} m, {wanted} wanted");
        }
    }
}
