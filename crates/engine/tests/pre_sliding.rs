//! How bodies give before they slide: LuGre's equation for a block on a spring, and patches that turn.

use asperity::World;
use asperity_scene::{self as scene, NoAssets};
use glamx::DVec3;

fn world(text: &str) -> World {
    scene::load(text, "pre_sliding.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world
}

/// A block that a spring pulls over a rail.
#[derive(Clone, Copy)]
struct Pulled {
    mass: f64,
    spring: f64,
    speed: f64,
    mu: [f64; 2],
    stribeck: f64,
    sigma: [f64; 2],
    dt: f64,
}

const USUAL: Pulled = Pulled {
    mass: 1.0,
    spring: 60.0,
    speed: 0.1,
    mu: [0.3, 0.5],
    stribeck: 0.01,
    sigma: [1e4, 50.0],
    dt: 1e-3,
};

/// The first slip: where it begins (2 mm/s), and its largest speed.
#[derive(Default, Debug)]
struct Slip {
    begin: Option<f64>,
    peak: f64,
}

impl Slip {
    /// With the next place and speed, after these.
    fn see(&mut self, before: [f64; 2], [x, v]: [f64; 2]) {
        if self.begin.is_none() && v > 2e-3 {
            let part = (2e-3 - before[1]) / (v - before[1]);
            self.begin = Some(before[0] + part * (x - before[0]));
        }
        self.peak = self.peak.max(v);
    }
}

impl Pulled {
    /// Long enough for one slip and a half.
    fn seconds(&self) -> f64 {
        1.5 * self.mu[1] * self.mass * 9.81 / (self.spring * self.speed)
    }

    fn stepped(&self, memory: &str) -> Slip {
        let Pulled { mass, spring, speed, mu, stribeck, sigma, dt } = self;
        let (far, time) = (speed * 100.0, 100.0);
        let mut world = world(&format!(
            r#"
version = 1
world = {{ dt = {dt} }}
material.any = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = {}, static_mu = {}, stribeck_speed = {stribeck} }}, memory = {{ {memory}, sigma0 = {}, sigma1 = {} }} }}
body = [
  {{ name = "rail", kind = "fixed", shape = {{ box = [9, 0.1, 0.5] }}, at = [0, -0.05, 0], material = "any" }},
  {{ name = "block", shape = {{ box = [0.1, 0.1, 0.1] }}, at = [0, 0.05, 0], mass = {mass}, material = "any" }} ]
drive = [ {{ body = "block", spring = {{ target = [[0, 0, 0.05, 0], [{time}, {far}, 0.05, 0]], stiffness = {spring}, damping = 0 }} }} ]
"#,
            mu[0], mu[1], sigma[0], sigma[1]
        ));
        let mut slip = Slip::default();
        let mut before = [0.0; 2];
        for _ in 0..(self.seconds() / dt).round() as usize {
            assert_eq!(world.step().unconverged, 0);
            let block = &world.bodies()[1];
            let now = [block.pose.translation.x, block.linear_velocity.x];
            slip.see(before, now);
            before = now;
        }
        slip
    }

    /// m ẍ = k (u t − x) − N (σ₀z + σ₁ż), ż = v − σ₀|v|z/g(v), by the midpoint rule.
    fn integrated(&self) -> Slip {
        let (load, h) = (9.81 * self.mass, 2e-6);
        let [low, high] = self.mu;
        let rates = |t: f64, [x, v, z]: [f64; 3]| {
            let g = low + (high - low) * (-(v / self.stribeck).powi(2)).exp();
            let rate = v - self.sigma[0] * v.abs() * z / g;
            let friction = load * (self.sigma[0] * z + self.sigma[1] * rate);
            [v, (self.spring * (self.speed * t - x) - friction) / self.mass, rate]
        };
        let (mut slip, mut state) = (Slip::default(), [0.0; 3]);
        for k in 0..(self.seconds() / h) as usize {
            let t = k as f64 * h;
            let first = rates(t, state);
            let middle = std::array::from_fn(|i| state[i] + 0.5 * h * first[i]);
            let change = rates(t + 0.5 * h, middle);
            let next: [f64; 3] = std::array::from_fn(|i| state[i] + h * change[i]);
            slip.see([state[0], state[1]], [next[0], next[1]]);
            state = next;
        }
        slip
    }
}

const LUGRE: &str = r#"model = "lugre""#;
const REDUCED: &str = r#"model = "lugre", bristles = "reduced""#;
const DISTRIBUTED: &str = r#"model = "lugre", bristles = "distributed", cells = 11"#;

/// Parts by which a step's peak speed and pre-sliding are off.
fn errors(pulled: &Pulled, memory: &str) -> [f64; 2] {
    let (found, exact) = (pulled.stepped(memory), pulled.integrated());
    let begin = [&found, &exact].map(|slip| slip.begin.expect("it slips"));
    [found.peak / exact.peak - 1.0, begin[0] / begin[1] - 1.0]
}

#[test]
fn blocks_stick_and_slip_as_lugre_says() {
    let cases = [
        USUAL,
        Pulled { dt: 5e-4, ..USUAL },
        Pulled { mu: [0.2, 0.25], ..USUAL },
        Pulled { mu: [0.6, 0.9], ..USUAL },
        Pulled { spring: 200.0, ..USUAL },
        Pulled { speed: 0.03, ..USUAL },
        Pulled { mass: 5.0, ..USUAL },
        Pulled { mass: 0.2, ..USUAL },
        Pulled { sigma: [4e4, 100.0], ..USUAL },
        Pulled { sigma: [3e3, 0.0], ..USUAL },
        Pulled { stribeck: 0.05, ..USUAL },
    ];
    for (k, pulled) in cases.iter().enumerate() {
        let [peak, begin] = errors(pulled, LUGRE);
        eprintln!("{k}: peak speed off by {peak:.2e}, pre-sliding by {begin:.2e}");
        assert!(peak.abs() < 0.02 && begin.abs() < 0.05, "{k}: {peak:.2e} {begin:.2e}");
    }
}

#[test]
fn tables_and_cells_stick_and_slip_as_lugre_says() {
    // A block that only slides: how its load lies and where its bristles are makes no difference.
    let cases = [USUAL, Pulled { spring: 200.0, ..USUAL }, Pulled { mass: 0.2, ..USUAL }];
    for memory in [REDUCED, DISTRIBUTED] {
        for (k, pulled) in cases.iter().enumerate() {
            let [peak, begin] = errors(pulled, memory);
            eprintln!("{memory}, {k}: peak speed off by {peak:.2e}, pre-sliding by {begin:.2e}");
            assert!(
                peak.abs() < 0.02 && begin.abs() < 0.05,
                "{memory}, {k}: {peak:.2e} {begin:.2e}"
            );
        }
    }
}

#[test]
fn steps_converge_to_lugres_equation() {
    let off = [2e-3, 5e-4, 1.25e-4].map(|dt| errors(&Pulled { dt, ..USUAL }, LUGRE));
    eprintln!("{off:?}");
    for pair in off.windows(2) {
        for i in 0..2 {
            assert!(pair[1][i].abs() < 0.5 * pair[0][i].abs() + 1e-3, "{off:?}");
        }
    }
    assert!(off[2].iter().all(|e| e.abs() < 1e-3), "{off:?}");
}

#[test]
fn only_lugres_bristles_creep() {
    // Elastic ones give by less than half of it before they slide.
    let creeps = USUAL.integrated().begin.unwrap();
    let elastic = USUAL.stepped(r#"model = "elasto_plastic""#).begin.unwrap();
    assert!(elastic < 0.5 * creeps, "{elastic:e} {creeps:e}");
}

/// The angle by which a plate turns on a floor under a torque about the vertical, of the angle that
/// bristles of this stiffness all over its area let it: τ/(σ₀N⟨ρ²⟩).
fn turned(shape: &str, square: f64, memory: &str, mu: f64, dt: f64) -> f64 {
    let (mass, sigma0, torque) = (2.0, 1e5, 0.05);
    let mut world = world(&format!(
        r#"
version = 1
world = {{ dt = {dt}, solver = {{ tolerance = 1e-11 }} }}
material.any = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = {mu} }}, memory = {{ {memory}, sigma0 = {sigma0} }} }}
body = [
  {{ name = "floor", kind = "fixed", shape = {{ box = [2, 0.2, 2] }}, at = [0, -0.1, 0], material = "any" }},
  {{ name = "plate", shape = {{ {shape} }}, at = [0, 0.01, 0], mass = {mass}, material = "any" }} ]
"#
    ));
    let plate = world.find("plate").unwrap();
    let mut turns = Vec::new();
    for _ in 0..(0.6 / dt).round() as usize {
        world.apply_force(plate, DVec3::ZERO, DVec3::Y * torque);
        world.step();
        turns.push(world.bodies()[plate.0].pose.rotation.to_scaled_axis().y);
    }
    let end = turns[turns.len() - 1];
    let crept = (end / turns[turns.len() / 2] - 1.0).abs();
    assert!(crept < 1e-6, "{shape}, {memory}: {crept:e}");
    end * sigma0 * mass * 9.81 * square / torque
}

#[test]
fn patches_turn_as_bristles_all_over_them_let_them() {
    // ⟨ρ²⟩ of a rectangle and of a disc. The square of ⟨ρ⟩, which a torque of pure spin goes by, is less
    // by 13 and 11 %.
    let cases = [
        ("box = [0.16, 0.02, 0.12]", (0.16_f64.powi(2) + 0.12_f64.powi(2)) / 12.0),
        ("box = [0.3, 0.02, 0.03]", (0.3_f64.powi(2) + 0.03_f64.powi(2)) / 12.0),
        ("cylinder = [0.08, 0.02]", 0.5 * 0.08 * 0.08),
    ];
    for (shape, square) in cases {
        for (memory, mu) in [
            (r#"model = "elasto_plastic""#, 0.5),
            (LUGRE, 500.0),
            (r#"model = "elasto_plastic", bristles = "reduced""#, 0.5),
            (r#"model = "elasto_plastic", bristles = "distributed""#, 0.5),
            (DISTRIBUTED, 500.0),
        ] {
            for dt in [0.01, 0.005] {
                let part = turned(shape, square, memory, mu, dt);
                assert!((part - 1.0).abs() < 5e-3, "{shape}, {memory}, {dt}: {part}");
            }
        }
    }
}
