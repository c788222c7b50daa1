//! What friction is measured with: a block on a belt, and a block on a spring.

use crate::common::load;
use crate::reference::{Evolution, Friction, Sample, Slider};

/// m/s², so that a kilogram weighs 10 N.
pub(crate) const GRAVITY: f64 = 10.0;
pub(crate) const BOX: &str = "box = [0.1, 0.05, 0.1]";
/// As high as the box.
pub(crate) const POINT: &str = "sphere = 0.025";

/// The pair of a scene; `rest` is the speed below which friction may be a straight line, m/s.
pub(crate) fn remembers(f: &Friction, rest: f64) -> String {
    let Friction { mu, a, b, speed, distance, evolution } = f;
    let evolution = match evolution {
        Evolution::Aging => "aging",
        Evolution::Slip => "slip",
    };
    format!(
        r#"{{ section = {{ model = "coulomb", mu = {mu} }}, memory = {{ model = "rate_and_state", a = {a}, b = {b}, speed = {speed:e}, distance = {distance:e}, rest_speed = {rest:e}, evolution = "{evolution}" }} }}"#
    )
}

/// A block that only moves up and down, on a belt that moves along a direction in the plane.
pub(crate) struct Belt<'a> {
    pub(crate) pair: String,
    pub(crate) shape: &'a str,
    /// Of the block's centre above the belt, m.
    pub(crate) height: f64,
    pub(crate) mass: f64,
    pub(crate) direction: [f64; 2],
    /// s.
    pub(crate) dt: f64,
}

impl Belt<'_> {
    pub(crate) fn new(pair: String, dt: f64) -> Belt<'static> {
        Belt { pair, shape: BOX, height: 0.025, mass: 1.0, direction: [1.0, 0.0], dt }
    }

    /// Friction over load at the end of each step, for the belt's (seconds, m/s) one after the other.
    pub(crate) fn run(&self, legs: &[(f64, f64)]) -> Vec<f64> {
        let Belt { pair, shape, height, mass, direction: [x, z], dt } = self;
        let (mut time, mut way) = (0.0, 0.0);
        let mut frames = "{ time = 0, at = [0, -0.1, 0] }".to_owned();
        for (seconds, speed) in legs {
            (time, way) = (time + seconds, way + seconds * speed);
            let (x, z) = (x * way, z * way);
            frames += &format!(", {{ time = {time:?}, at = [{x:e}, -0.1, {z:e}] }}");
        }
        let text = format!(
            r#"version = 1
world = {{ gravity = {GRAVITY}, dt = {dt}, solver = {{ tolerance = 1e-11 }} }}
pair.default = {pair}
body = [ {{ name = "belt", kind = "kinematic", shape = {{ box = [2, 0.2, 2] }}, keyframes = [ {frames} ] }},
         {{ name = "block", shape = {{ {shape} }}, at = [0, {height}, 0], mass = {mass} }} ]
joint = [ {{ kind = "slider", b = "block", at = [0, {height}, 0], axis = [0, 1, 0] }} ]
probe = [ {{ name = "friction", of = "block.contact_force", along = [{x}, 0, {z}] }},
          {{ name = "across", of = "block.contact_force", along = [{z}, 0, {}] }},
          {{ name = "load", of = "block.contact_force", component = "y" }} ]
"#,
            -x
        );
        let mut scene = load(&text);
        let mut step = |speed: f64| {
            let report = scene.world.step();
            let unsolved = (report.unconverged > 0).then_some(report.residual);
            assert_eq!(unsolved, None, "not solved at {} s", scene.world.time());
            let [along, across, load] = [0, 1, 2].map(|i| scene.probes[i].value(&scene.world));
            assert!(
                (load - mass * GRAVITY).abs() < 1e-6 * load,
                "{load} N for {} N at {} s",
                mass * GRAVITY,
                scene.world.time()
            );
            // At rest the joint and friction may hold each other.
            let sideways = speed > 0.0 && across.abs() > 1e-6 * load;
            assert!(!sideways, "{across} N across {along} N at {} s", scene.world.time());
            along / load
        };
        let legs = legs.iter().map(|(seconds, speed)| ((seconds / dt).round() as usize, *speed));
        legs.flat_map(|(steps, speed)| std::iter::repeat_n(speed, steps)).map(&mut step).collect()
    }
}

/// A block of 1 kg on a floor, pulled by a spring whose end moves.
pub(crate) struct Pulled<'a> {
    pub(crate) pair: String,
    pub(crate) shape: &'a str,
    /// Of the block's centre above the floor, m.
    pub(crate) height: f64,
    /// Of the end of the spring on the block, above the floor, m.
    pub(crate) grip: f64,
    /// In the plane.
    pub(crate) direction: [f64; 2],
    pub(crate) slider: Slider,
    /// Of the spring at the start, N.
    pub(crate) force: f64,
    /// Before the end of the spring begins to move, s.
    pub(crate) hold: f64,
}

impl Pulled<'_> {
    pub(crate) fn new(slider: Slider) -> Pulled<'static> {
        let pair = remembers(&slider.friction, 1e-8);
        let (shape, direction) = (BOX, [1.0, 0.0]);
        let (height, grip, force, hold) = (0.025, 0.0, 5.4, 0.0);
        Pulled { pair, shape, height, grip, direction, slider, force, hold }
    }

    pub(crate) fn run(&self, dt: f64, duration: f64) -> Vec<Sample> {
        let Pulled { pair, shape, height, grip, direction: [x, z], slider, force, hold } = self;
        let Slider { stiffness, pull, mass, .. } = slider;
        let start = force / stiffness;
        let end = start + pull * (duration - hold);
        let at = |way: f64| format!("{:e}, {grip}, {:e}", x * way, z * way);
        let held = if *hold > 0.0 { format!("[0, {}], ", at(start)) } else { String::new() };
        let text = format!(
            r#"version = 1
world = {{ gravity = {GRAVITY}, dt = {dt}, solver = {{ tolerance = 1e-10 }} }}
pair.default = {pair}
body = [ {{ name = "floor", kind = "fixed", shape = {{ box = [2, 0.2, 2] }}, at = [0, -0.1, 0] }},
         {{ name = "block", shape = {{ {shape} }}, at = [0, {height}, 0], mass = {mass} }} ]
drive = [ {{ body = "block", point = [0, {}, 0], spring = {{ target = [{held}[{hold:?}, {}], [{duration:?}, {}]], stiffness = {stiffness:?}, damping = 0 }} }} ]
probe = [ {{ name = "x", of = "block.displacement", along = [{x}, 0, {z}] }},
          {{ name = "speed", of = "block.velocity", along = [{x}, 0, {z}] }} ]
"#,
            grip - height,
            at(start),
            at(end)
        );
        let mut scene = load(&text);
        let steps = (duration / dt).round() as usize;
        (0..steps)
            .map(|_| {
                scene.world.step();
                let [place, speed] = [0, 1].map(|i| scene.probes[i].value(&scene.world));
                let time = scene.world.time();
                let target = start + pull * (time - hold).max(0.0);
                Sample { time, speed, force: stiffness * (target - place) }
            })
            .collect()
    }
}
