//! The same scene in other units of length, time and mass: the same bits, where the units are powers of two.

use asperity::World;
use asperity_scene::{self as scene, Assets};

/// Units of length, time and mass.
#[derive(Debug, Clone, Copy)]
struct Units {
    length: f64,
    time: f64,
    mass: f64,
}

const ONE: Units = Units { length: 1.0, time: 1.0, mass: 1.0 };

/// A number with units, as TOML has it; exact.
fn number(value: f64) -> String {
    format!("{value:e}")
}

impl Units {
    fn l(self, x: f64) -> String {
        number(x * self.length)
    }

    fn lengths<const N: usize>(self, x: [f64; N]) -> String {
        x.map(|x| self.l(x)).join(", ")
    }

    fn speeds(self, x: [f64; 3]) -> String {
        x.map(|x| number(x * self.length / self.time)).join(", ")
    }

    fn m(self, x: f64) -> String {
        number(x * self.mass)
    }

    fn force(self, x: f64) -> String {
        number(x * self.mass * self.length / (self.time * self.time))
    }

    fn head(self, dt: f64) -> String {
        let gravity = number(9.81 * self.length / (self.time * self.time));
        let dt = number(dt * self.time);
        format!("version = 1\nworld = {{ dt = {dt}, duration = 1, gravity = {gravity} }}\n")
    }

    fn body(self, name: &str, shape: &str, at: [f64; 3], more: &str) -> String {
        let at = self.lengths(at);
        format!("[[body]]\nname = \"{name}\"\nshape = {{ {shape} }}\nat = [{at}]\n{more}\n")
    }

    fn pushed(self, name: &str, shape: &str, at: [f64; 3], mass: f64) -> String {
        self.body(name, shape, at, &format!("mass = {}", self.m(mass)))
    }

    fn ground(self) -> String {
        self.body("ground", "half_space = [0, 1, 0]", [0.0; 3], "kind = \"fixed\"")
    }

    fn cuboid(self, size: [f64; 3]) -> String {
        format!("box = [{}]", self.lengths(size))
    }
}

/// A mesh of a wedge, "wedge.obj", in these units.
impl Assets for Units {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        assert_eq!(name, "wedge.obj");
        let mut text = String::new();
        for [x, y, z] in [
            [-0.1, -0.05, -0.08],
            [0.15, -0.05, -0.08],
            [-0.1, 0.07, -0.08],
            [-0.1, -0.05, 0.08],
            [0.15, -0.05, 0.08],
            [-0.1, 0.07, 0.08],
        ] {
            text += &format!("v {} {} {}\n", self.l(x), self.l(y), self.l(z));
        }
        for face in ["1 3 2", "4 5 6", "1 2 5", "1 5 4", "1 4 6", "1 6 3", "2 3 6", "2 6 5"] {
            text += &format!("f {face}\n");
        }
        Ok(text.into_bytes())
    }
}

/// Poses and velocities after each step, with their units taken off.
fn run(text: &str, units: Units, steps: usize) -> Vec<Vec<f64>> {
    let scene = scene::load(text, "scene.toml", &units).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut world = scene.world;
    let after = |_| {
        world.step();
        state(&world, units)
    };
    (0..steps).map(after).collect()
}

fn state(world: &World, units: Units) -> Vec<f64> {
    let mut out = Vec::new();
    for body in world.bodies() {
        let v = body.linear_velocity * (units.time / units.length);
        out.extend((body.pose.translation / units.length).to_array());
        out.extend(body.pose.rotation.to_array());
        out.extend(v.to_array());
        out.extend((body.angular_velocity * units.time).to_array());
    }
    out
}

/// Lengths times 4ᵏ and times 2ᵏ keep gravity, other powers of two do not; masses are on their own.
const OTHERS: [Units; 6] = [
    Units { length: 1.0 / 65536.0, time: 1.0 / 256.0, mass: 1.0 },
    Units { length: 16384.0, time: 128.0, mass: 1.0 },
    Units { length: 1.0, time: 1.0, mass: 1_073_741_824.0 },
    Units { length: 1.0, time: 1.0, mass: 1.0 / 1_073_741_824.0 },
    Units { length: 4.0, time: 2.0, mass: 0.25 },
    Units { length: 8.0, time: 0.5, mass: 1_048_576.0 },
];

fn check(make: impl Fn(Units) -> String, steps: usize) {
    let expected = run(&make(ONE), ONE, steps);
    assert!(expected.iter().flatten().all(|x| x.is_finite()));
    let mut failed = String::new();
    for units in OTHERS {
        let other = run(&make(units), units, steps);
        let differs = expected.iter().zip(&other).position(|(x, y)| x != y);
        if let Some(step) = differs {
            let off = |(k, (x, y)): (usize, (&f64, &f64))| (x != y).then(|| (k, (x - y).abs()));
            let mut pairs = expected[step].iter().zip(&other[step]).enumerate();
            let (k, off) = pairs.find_map(off).unwrap();
            failed += &format!(
                "{units:?}: step {step}, body {}, number {}: off by {off:e}\n",
                k / 13,
                k % 13
            );
        }
    }
    assert!(failed.is_empty(), "\n{failed}");
}

const COULOMB: &str = "pair.default = { section = { model = \"coulomb\", mu = 0.5 } }\n";

#[test]
fn a_tower_falls_the_same() {
    check(
        |u| {
            let mut text = u.head(0.01) + COULOMB + &u.ground();
            for k in 0..6 {
                let k = f64::from(k);
                let at = [0.02 * k, 0.06 + 0.11 * k, 0.01 * k];
                text += &u.pushed(&format!("b{k}"), &u.cuboid([0.1, 0.1, 0.1]), at, 1.0 + k);
            }
            let speed = u.speeds([3.0, 0.0, 0.0]);
            text += &u.pushed("hit", &format!("sphere = {}", u.l(0.05)), [-0.5, 0.3, 0.0], 2.0);
            text += &format!("velocity = [{speed}]\n");
            text
        },
        120,
    );
}

#[test]
fn round_things_roll_the_same() {
    check(
        |u| {
            let mut text = u.head(0.01) + COULOMB + &u.ground();
            let shapes = [
                format!("capsule = [{}]", u.lengths([0.05, 0.1])),
                format!("cylinder = [{}]", u.lengths([0.06, 0.1])),
                format!("cone = [{}]", u.lengths([0.06, 0.1])),
                format!("sphere = {}", u.l(0.06)),
                u.cuboid([0.02, 0.1, 0.06]),
            ];
            for (k, shape) in shapes.iter().cycle().take(12).enumerate() {
                let at = [0.03 * (k % 3) as f64, 0.12 + 0.15 * k as f64, 0.02 * (k % 4) as f64];
                text += &u.pushed(&format!("b{k}"), shape, at, 0.5 + k as f64);
                text += &format!("rotate = {{ axis = [1, 0.3, 0.5], deg = {} }}\n", 37 * k);
            }
            text
        },
        150,
    );
}

#[test]
fn joints_motors_and_springs_act_the_same() {
    check(
        |u| {
            let mut text = u.head(0.01) + COULOMB + &u.ground();
            let size = u.cuboid([0.1, 0.3, 0.1]);
            text += &u.pushed("a", &size, [0.0, 1.0, 0.0], 1.0);
            text += &u.pushed("b", &size, [0.0, 0.7, 0.0], 2.0);
            text += &u.pushed("c", &size, [0.5, 0.2, 0.0], 2.0);
            text += &format!("velocity = [{}]\n", u.speeds([1.0, 0.0, 0.4]));
            text += &format!(
                "[[joint]]\nkind = \"hinge\"\nb = \"a\"\nat = [{}]\naxis = [0, 0, 1]\n",
                u.lengths([0.0, 1.15, 0.0])
            );
            text += &format!(
                "[[joint]]\nkind = \"ball\"\na = \"a\"\nb = \"b\"\nat = [{}]\n",
                u.lengths([0.0, 0.85, 0.0])
            );
            let force = u.force(5.0);
            text + &format!("[[drive]]\nbody = \"c\"\nforce = [{force}, 0, 0]\n")
        },
        120,
    );
}

fn spinning_boxes(u: Units, memory: &str) -> String {
    let section = "section = { model = \"coulomb\", mu = 0.5 }, extent = \"spin\"";
    let mut text =
        u.head(0.01) + &format!("pair.default = {{ {section}{memory} }}\n") + &u.ground();
    for k in 0..3 {
        let at = [0.3 * f64::from(k), 0.05, 0.0];
        text += &u.pushed(&format!("b{k}"), &u.cuboid([0.2, 0.1, 0.1]), at, 1.0);
        let spin = number(8.0 / u.time);
        text += &format!("velocity = [{}]\n", u.speeds([0.5 * f64::from(k), 0.0, 0.2]));
        text += &format!("spin = [0, {spin}, 0]\n");
    }
    text
}

#[test]
fn patches_turn_the_same() {
    check(|u| spinning_boxes(u, ""), 100);
}

#[test]
fn bristles_bend_the_same() {
    for model in ["lugre", "elasto_plastic"] {
        let memory = |u: Units| {
            let [stiffness, damping] = [1e4, 10.0 * u.time].map(|x| number(x / u.length));
            format!(
                ", memory = {{ model = \"{model}\", sigma0 = {stiffness}, sigma1 = {damping} }}"
            )
        };
        check(|u| spinning_boxes(u, &memory(u)), 100);
    }
}

#[test]
fn meshes_and_waves_of_ground_carry_the_same() {
    check(
        |u| {
            let size = u.lengths([2.0, 2.0]);
            let (amplitude, lengths) = (u.l(0.05), u.lengths([0.7, 0.9]));
            let waves = format!(
                "waves = {{ amplitude = {amplitude}, lengths = [{lengths}], points = [24, 24] }}"
            );
            let field = format!("height_field = {{ size = [{size}], {waves} }}");
            let mut text = u.head(0.005) + COULOMB;
            text += &u.body("ground", &field, [0.0; 3], "kind = \"fixed\"");
            for k in 0..4 {
                let at = [0.3 * f64::from(k) - 0.5, 0.2 + 0.1 * f64::from(k), 0.1];
                text += &u.pushed(&format!("w{k}"), "mesh = \"wedge.obj\"", at, 1.0);
                let at = [at[0], at[1], -0.3];
                text += &u.pushed(&format!("b{k}"), &u.cuboid([0.1, 0.1, 0.1]), at, 2.0);
            }
            text
        },
        150,
    );
}

#[test]
fn bullets_stop_the_same() {
    check(
        |u| {
            let mut text = u.head(0.01) + COULOMB + &u.ground();
            text += &u.pushed("plate", &u.cuboid([0.001, 0.5, 0.5]), [1.0, 0.25, 0.0], 1.0);
            let ball = format!("sphere = {}", u.l(0.005));
            text += &u.pushed("bullet", &ball, [0.0, 0.2, 0.0], 0.01);
            text + &format!("velocity = [{}]\n", u.speeds([1e4, 0.0, 0.0]))
        },
        20,
    );
}

#[test]
fn wrenches_press_the_same() {
    check(
        |u| {
            let section = "section = { model = \"coulomb\", mu = 0.5 }";
            let contact =
                format!("contact = {{ model = \"wrench\", target_depth = {} }}", u.l(1e-3));
            let mut text = u.head(0.005) + &format!("pair.default = {{ {section}, {contact} }}\n");
            let plate = u.cuboid([1.0, 0.1, 1.0]);
            text += &u.body("ground", &plate, [0.0, -0.05, 0.0], "kind = \"fixed\"");
            text += &u.pushed("box", &u.cuboid([0.2, 0.1, 0.1]), [0.0, 0.0495, 0.0], 1.0);
            text + &format!("velocity = [{}]\n", u.speeds([0.5, 0.0, 0.2]))
        },
        100,
    );
}

/// A heap of more than 256 contacts, which is solved for roughly and divided among cores.
#[test]
fn a_large_heap_falls_the_same() {
    let make = |u: Units| {
        let mut text = u.head(0.01) + COULOMB + &u.ground();
        for k in 0..108 {
            let (layer, row, column) = (k / 36, k / 6 % 6, k % 6);
            let shift = 0.013 * f64::from(k % 5) + 0.03 * f64::from(layer % 2);
            let at = [
                0.18 * f64::from(row) + shift,
                0.105 + 0.21 * f64::from(layer),
                0.19 * f64::from(column) - 0.5 * shift,
            ];
            let shape = match k % 7 {
                3 => format!("sphere = {}", u.l(0.09)),
                _ => u.cuboid([0.2, 0.2, 0.2]),
            };
            text += &u.pushed(&format!("b{k}"), &shape, at, 1.0 + 0.25 * f64::from(k % 3));
        }
        text
    };
    let scene = scene::load(&make(ONE), "heap.toml", &ONE).unwrap_or_else(|e| panic!("{e}"));
    let mut world = scene.world;
    (0..30).for_each(|_| {
        world.step();
    });
    let (contacts, islands) = (world.report().contacts, world.report().islands);
    assert!(contacts > 256 && islands < 10, "{contacts} contacts in {islands} islands");
    check(make, 30);
}
