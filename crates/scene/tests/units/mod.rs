//! A scene in several units of length, time and mass, run and compared to the last bit.

#![allow(dead_code)]

use asperity::World;
use asperity_scene::{self as scene, Assets};

/// Units of length, time and mass.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Units {
    pub(crate) length: f64,
    pub(crate) time: f64,
    pub(crate) mass: f64,
}

pub(crate) const ONE: Units = Units { length: 1.0, time: 1.0, mass: 1.0 };

/// A number with units, as TOML has it; exact.
pub(crate) fn number(value: f64) -> String {
    format!("{value:e}")
}

impl Units {
    pub(crate) fn l(self, x: f64) -> String {
        number(x * self.length)
    }

    pub(crate) fn lengths<const N: usize>(self, x: [f64; N]) -> String {
        x.map(|x| self.l(x)).join(", ")
    }

    pub(crate) fn speeds(self, x: [f64; 3]) -> String {
        x.map(|x| number(x * self.length / self.time)).join(", ")
    }

    pub(crate) fn m(self, x: f64) -> String {
        number(x * self.mass)
    }

    pub(crate) fn force(self, x: f64) -> String {
        number(x * self.mass * self.length / (self.time * self.time))
    }

    pub(crate) fn head(self, dt: f64) -> String {
        let gravity = number(9.81 * self.length / (self.time * self.time));
        let dt = number(dt * self.time);
        format!("version = 1\nworld = {{ dt = {dt}, duration = 1, gravity = {gravity} }}\n")
    }

    pub(crate) fn body(self, name: &str, shape: &str, at: [f64; 3], more: &str) -> String {
        let at = self.lengths(at);
        format!("[[body]]\nname = \"{name}\"\nshape = {{ {shape} }}\nat = [{at}]\n{more}\n")
    }

    pub(crate) fn pushed(self, name: &str, shape: &str, at: [f64; 3], mass: f64) -> String {
        self.body(name, shape, at, &format!("mass = {}", self.m(mass)))
    }

    pub(crate) fn ground(self) -> String {
        self.body("ground", "half_space = [0, 1, 0]", [0.0; 3], "kind = \"fixed\"")
    }

    pub(crate) fn cuboid(self, size: [f64; 3]) -> String {
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
pub(crate) fn run(text: &str, units: Units, steps: usize) -> Vec<Vec<f64>> {
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
    for soft in world.softs() {
        let places = soft.body.positions.iter().map(|x| *x / units.length);
        let speeds = soft.body.velocities.iter().map(|v| *v * (units.time / units.length));
        out.extend(places.chain(speeds).flat_map(|v| v.to_array()));
    }
    out
}

/// Lengths times 4ᵏ and times 2ᵏ keep gravity, other powers of two do not; masses are on their own.
pub(crate) const OTHERS: [Units; 6] = [
    Units { length: 1.0 / 65536.0, time: 1.0 / 256.0, mass: 1.0 },
    Units { length: 16384.0, time: 128.0, mass: 1.0 },
    Units { length: 1.0, time: 1.0, mass: 1_073_741_824.0 },
    Units { length: 1.0, time: 1.0, mass: 1.0 / 1_073_741_824.0 },
    Units { length: 4.0, time: 2.0, mass: 0.25 },
    Units { length: 8.0, time: 0.5, mass: 1_048_576.0 },
];

/// The same bits.
pub(crate) fn check(make: impl Fn(Units) -> String, steps: usize) {
    check_within(0.0, &OTHERS, make, steps);
}

/// The same numbers within a part of a metre, and of a metre a second, in the units of one.
pub(crate) fn check_within(
    within: f64,
    others: &[Units],
    make: impl Fn(Units) -> String,
    steps: usize,
) {
    let expected = run(&make(ONE), ONE, steps);
    assert!(expected.iter().flatten().all(|x| x.is_finite()));
    let mut failed = String::new();
    for &units in others {
        let other = run(&make(units), units, steps);
        let same = |x: &f64, y: &f64| x == y || (x - y).abs() <= within;
        let alike = |x: &Vec<f64>, y: &Vec<f64>| x.iter().zip(y).all(|(x, y)| same(x, y));
        let differs = expected.iter().zip(&other).position(|(x, y)| !alike(x, y));
        if let Some(step) = differs {
            let off =
                |(k, (x, y)): (usize, (&f64, &f64))| (!same(x, y)).then(|| (k, (x - y).abs()));
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

pub(crate) const COULOMB: &str = "pair.default = { section = { model = \"coulomb\", mu = 0.5 } }\n";
