//! Chains and bridges hold together, however heavy what hangs on them and however fast they swing.

use asperity::World;
use asperity_scene::{self as scene, NoAssets};

/// What was seen of a scene.
#[derive(Debug, Default)]
struct Seen {
    /// Largest gape of a joint, of the smaller body.
    gape: f64,
    /// How much energy rose above what it was before, joules, and its largest amount.
    rise: f64,
    largest: f64,
    /// Largest turn of a body in a step, radians.
    turn: f64,
    /// Where the last body was lowest, and where it ended, metres.
    lowest: f64,
    end: f64,
}

fn load(text: &str) -> (World, f64) {
    let scene = scene::load(text, "chain.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}"));
    (scene.world, scene.duration)
}

fn watch(text: &str) -> Seen {
    let (mut world, duration) = load(text);
    let begin = world.energy().total();
    let mut seen = Seen { lowest: f64::INFINITY, ..Seen::default() };
    let (mut least, dt) = (begin, world.settings.dt);
    while world.time() < duration - 0.5 * dt {
        let report = world.step();
        seen.gape = seen.gape.max(report.audit.gape.map_or(0.0, |g| g.part()));
        let energy = world.energy();
        seen.rise = seen.rise.max(energy.total() - least);
        least = least.min(energy.total());
        seen.largest = seen.largest.max(energy.kinetic).max(energy.total().abs());
        let turn = world.bodies().iter().map(|b| b.angular_velocity.length() * dt);
        seen.turn = turn.fold(seen.turn, f64::max);
        seen.end = world.bodies().last().unwrap().pose.translation.y;
        seen.lowest = seen.lowest.min(seen.end);
    }
    seen
}

/// A chain of capsules 0.1 m long from (0, 2, 0), at an angle below the level, with a ball of 0.1 m at its end, which
/// is the last body.
fn chain(links: usize, density: f64, dt: f64, below: f64, duration: f64) -> String {
    let (sin, cos) = below.to_radians().sin_cos();
    let at = |s: f64| format!("[{}, {}, 0]", s * cos, 2.0 - s * sin);
    let turn = format!("{{ axis = \"z\", deg = {} }}", -90.0 - below);
    let (mut bodies, mut joints) = (String::new(), String::new());
    for k in 0..links {
        bodies += &format!(
            "{{ name = \"c{k}\", shape = {{ capsule = [0.02, 0.06] }}, at = {}, rotate = {turn}, density = 1000, group = 1 }},\n",
            at(0.1 * k as f64 + 0.05)
        );
        let from = if k > 0 { format!("a = \"c{}\", ", k - 1) } else { String::new() };
        joints +=
            &format!("{{ kind = \"ball\", {from}b = \"c{k}\", at = {} }},\n", at(0.1 * k as f64));
    }
    let length = 0.1 * links as f64;
    let (last, end, ball) = (links - 1, at(length), at(length + 0.105));
    format!(
        "version = 1\nworld = {{ dt = {dt}, duration = {duration} }}\n\
         pair.default = {{ section = {{ model = \"coulomb\", mu = 0.5 }} }}\n\
         body = [\n{bodies}{{ name = \"w\", shape = {{ sphere = 0.1 }}, at = {ball}, density = {density}, group = 1 }} ]\n\
         joint = [\n{joints}{{ kind = \"ball\", a = \"c{last}\", b = \"w\", at = {end} }} ]\n"
    )
}

/// Steps, and how far joints may gape there, of the smaller body.
const STEPS: [(f64, f64); 4] = [(0.002, 1e-3), (0.005, 1e-3), (0.01, 1e-2), (1.0 / 60.0, 1e-2)];

#[test]
fn swinging_chains_hold() {
    // Balls of 4, 84 and 1000 kg on links of 0.1 kg.
    for (links, duration) in [(6, 2.0), (12, 2.0), (24, 1.2)] {
        for density in [1e3, 2e4, 2.4e5] {
            for (dt, most) in STEPS {
                let seen = watch(&chain(links, density, dt, 0.0, duration));
                let what = format!("{links} links, {density} kg/m³, {dt:.4} s: {seen:?}");
                eprintln!("{what}");
                assert!(seen.gape < most, "{what}");
                assert!(seen.rise < 1e-6 * seen.largest, "{what}");
                // The ball falls as a pendulum does, to the length of the chain.
                let bottom = 2.0 - 0.1 * links as f64 - 0.105;
                assert!((seen.lowest - bottom).abs() < 0.05 * (2.0 - bottom), "{what}");
            }
        }
    }
}

#[test]
fn hanging_chains_stay_where_they_are() {
    for density in [1e3, 2.4e5] {
        for (dt, _) in STEPS {
            let seen = watch(&chain(12, density, dt, 90.0, 1.0));
            eprintln!("{density} kg/m³, {dt:.4} s: {seen:?}");
            assert!(seen.gape < 1e-9 && seen.turn < 1e-6, "{density} kg/m³, {dt} s: {seen:?}");
            assert!((seen.end - 0.695).abs() < 1e-9, "{density} kg/m³, {dt} s: {seen:?}");
        }
    }
}

/// Planks straight between two walls: a ball that falls on them cannot stretch them.
#[test]
fn taut_bridges_hold() {
    for (dt, most) in STEPS {
        let (mut bodies, mut joints) = (String::new(), String::new());
        for k in 0..14 {
            let x = 0.2 * f64::from(k);
            bodies += &format!(
                "{{ name = \"p{k}\", shape = {{ box = [0.19, 0.03, 0.5] }}, at = [{x}, 1, 0], density = 700, group = 1 }},\n"
            );
            let from = if k > 0 { format!("a = \"p{}\", ", k - 1) } else { String::new() };
            joints += &format!(
                "{{ kind = \"hinge\", {from}b = \"p{k}\", at = [{}, 1, 0], axis = [0, 0, 1] }},\n",
                x - 0.1
            );
        }
        let text = format!(
            "version = 1\nworld = {{ dt = {dt}, duration = 1 }}\n\
             pair.default = {{ section = {{ model = \"coulomb\", mu = 0.5 }} }}\n\
             body = [\n{bodies}{{ name = \"ball\", shape = {{ sphere = 0.15 }}, at = [1.3, 1.565, 0], density = 2000 }} ]\n\
             joint = [\n{joints}{{ kind = \"hinge\", b = \"p13\", at = [2.7, 1, 0], axis = [0, 0, 1] }} ]\n"
        );
        let seen = watch(&text);
        eprintln!("{dt:.4} s: {seen:?}");
        assert!(seen.gape < most, "{dt} s: {seen:?}");
        // While they sag, short steps find planks all but in line: what these then give back is not all found.
        let part = if dt < 0.005 { 1e-5 } else { 1e-6 };
        assert!(seen.rise < part * seen.largest, "{dt} s: {seen:?}");
        // Planks that cannot stretch lift the ball back as far as it pressed them down in the step.
        assert!(seen.lowest > 1.0, "the ball goes through, {dt} s: {seen:?}");
    }
}

/// The angles of two rods 0.5 m long and 0.02 m thick against the vertical, released level, by Runge and Kutta's
/// method in these two coordinates.
fn two_rods(duration: f64) -> [f64; 2] {
    let (l, half, g) = (0.5_f64, 0.25, 9.81);
    let inertia = (l * l + 0.02 * 0.02) / 12.0; // of 1 kg
    let rate = |s: [f64; 4]| {
        let [a, b, u, v] = s;
        let (sin, cos) = (a - b).sin_cos();
        let (m11, m12) = (half * half + inertia + l * l, l * half * cos);
        let m22 = half * half + inertia;
        let f1 = -l * half * v * v * sin - (half + l) * g * a.sin();
        let f2 = l * half * u * u * sin - half * g * b.sin();
        let det = m11 * m22 - m12 * m12;
        [u, v, (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det]
    };
    let plus = |s: [f64; 4], k: [f64; 4], h: f64| std::array::from_fn(|i| s[i] + h * k[i]);
    let level = std::f64::consts::FRAC_PI_2;
    let (mut s, steps) = ([level, level, 0.0, 0.0], 20_000);
    let h = duration / f64::from(steps);
    for _ in 0..steps {
        let k1 = rate(s);
        let k2 = rate(plus(s, k1, 0.5 * h));
        let k3 = rate(plus(s, k2, 0.5 * h));
        let k4 = rate(plus(s, k3, h));
        s = std::array::from_fn(|i| s[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    [s[0], s[1]]
}

#[test]
fn two_rods_swing_as_in_two_coordinates() {
    let [a, b] = two_rods(0.8);
    let wanted = [0.5 * a.sin() + 0.25 * b.sin(), -0.5 * a.cos() - 0.25 * b.cos()];
    let error = |dt: f64| {
        let text = format!(
            "version = 1\nworld = {{ dt = {dt}, duration = 0.8 }}\n\
             pair.default = {{ section = {{ model = \"coulomb\", mu = 0.5 }} }}\n\
             body = [ {{ name = \"a\", shape = {{ box = [0.5, 0.02, 0.02] }}, at = [0.25, 0, 0], mass = 1, group = 1 }},\n\
             {{ name = \"b\", shape = {{ box = [0.5, 0.02, 0.02] }}, at = [0.75, 0, 0], mass = 1, group = 1 }} ]\n\
             joint = [ {{ kind = \"ball\", b = \"a\", at = [0, 0, 0] }}, {{ kind = \"ball\", a = \"a\", b = \"b\", at = [0.5, 0, 0] }} ]\n"
        );
        let (mut world, duration) = load(&text);
        while world.time() < duration - 0.5 * dt {
            world.step();
        }
        let p = world.bodies()[1].pose.translation;
        (p.x - wanted[0]).hypot(p.y - wanted[1])
    };
    let [coarse, fine, finest] = [0.001, 0.0005, 0.00025].map(error);
    eprintln!("{coarse:.2e}, {fine:.2e}, {finest:.2e} m off");
    assert!(finest < 0.005, "{finest} m off");
    // Of the first order in the step.
    assert!(fine < 0.6 * coarse && finest < 0.6 * fine, "{coarse}, {fine}, {finest}");
}
