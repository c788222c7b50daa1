//! Tall bodies on one wrench: when they tip, and how they spin.

use asperity::World;
use asperity_scene::{self as scene, NoAssets};
use glamx::{DQuat, DVec3};

const G: f64 = 9.81;

/// A tall body on a plane.
#[derive(Clone, Copy)]
struct Tall {
    /// "box" or "cylinder".
    shape: &'static str,
    /// Half width or radius, and half height, metres.
    half: f64,
    high: f64,
    density: f64,
    /// How it is turned about its axis, radians.
    turned: f64,
}

impl Tall {
    fn world(&self, contact: &str, mu: f64, dt: f64, more: &str) -> World {
        let Tall { shape, half, high, density, turned } = *self;
        let size = match shape {
            "box" => format!("{{ box = [{}, {}, {}] }}", 2.0 * half, 2.0 * high, 2.0 * half),
            _ => format!("{{ cylinder = [{half}, {}] }}", 2.0 * high),
        };
        let text = format!(
            r#"
version = 1
world = {{ dt = {dt}, contact = {contact} }}
pair.default = {{ section = {{ model = "coulomb", mu = {mu} }} }}
body = [ {{ name = "plane", kind = "fixed", shape = {{ half_space = [0, 1, 0] }} }},
         {{ name = "tall", shape = {size}, density = {density}, at = [0, {}, 0],
            rotate = {{ axis = "y", rad = {turned} }}, {more} }} ]
"#,
            high - 1e-4
        );
        scene::load(&text, "tall.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world
    }

    /// Whether it tips on a plane that leans by so much of the angle at which its middle is over its edge.
    fn tips(&self, contact: &str, dt: f64, part: f64) -> bool {
        let mut world = self.world(contact, 5.0, dt, "");
        let lean = DVec3::new(part * self.half / self.high, -1.0, 0.0).normalize();
        world.settings.gravity = DQuat::from_rotation_y(self.turned) * (lean * G);
        // From 1 % beyond its edge it falls as exp(t √(g/h)) does.
        let time = 12.0 * (self.high / G).sqrt();
        while world.time() < time {
            world.step();
            let up = world.bodies()[1].pose.rotation * DVec3::Y;
            if up.y < 0.95 {
                return true;
            }
        }
        false
    }
}

const BODIES: [Tall; 5] = [
    Tall { shape: "box", half: 0.05, high: 0.2, density: 1000.0, turned: 0.0 },
    Tall { shape: "box", half: 0.1, high: 0.2, density: 7000.0, turned: 0.7 },
    Tall { shape: "box", half: 0.2, high: 0.3, density: 200.0, turned: 0.0 },
    Tall { shape: "cylinder", half: 0.05, high: 0.2, density: 1000.0, turned: 0.0 },
    Tall { shape: "cylinder", half: 0.1, high: 0.15, density: 3000.0, turned: 0.4 },
];

/// Tips when the middle is over the edge: at tan α = a/h. The patch of a leaning cylinder is an ellipse within the
/// outline, which ends 2 % of the radius before the edge at most (where the thin end of the wedge lifts off).
#[test]
fn tall_bodies_tip_where_their_middle_is_over_the_edge() {
    for tall in BODIES {
        for dt in [0.01, 0.005] {
            let stays = if tall.shape == "box" { 0.99 } else { 0.97 };
            for contact in [r#""wrench""#, r#"{ model = "wrench", patch = "hull" }"#] {
                let (shape, half) = (tall.shape, tall.half);
                assert!(!tall.tips(contact, dt, stays), "{shape} {half} {dt} {contact} tips early");
                assert!(
                    tall.tips(contact, dt, 1.01),
                    "{shape} {half} {dt} {contact} stays too long"
                );
            }
        }
    }
}

/// By the moments of the volume alone (Eq. 20) the patch of what leans reaches beyond its edge.
#[test]
fn control_by_its_moments_alone_a_block_stays_beyond_its_edge() {
    assert!(!BODIES[0].tips(r#"{ model = "wrench", patch = "rectangle" }"#, 0.01, 1.05));
}

/// A cylinder that spins on its end slows down as uniform pressure makes it: by ⅔ μ m g R over ½ m R².
#[test]
fn tall_cylinders_spin_down_as_flat_ones_do() {
    let mu = 0.3;
    for (half, high, dt) in [
        (0.05, 0.02, 0.01),
        (0.05, 0.2, 0.01),
        (0.05, 0.2, 0.005),
        (0.05, 0.4, 0.01),
        (0.1, 0.8, 0.01),
    ] {
        let tall = Tall { shape: "cylinder", half, high, density: 1000.0, turned: 0.0 };
        let slows = 4.0 / 3.0 * mu * G / half;
        let begun = 20.0;
        let mut world = tall.world(r#""wrench""#, mu, dt, &format!("spin = [0, {begun}, 0]"));
        let stops = begun / slows;
        while world.time() < 1.2 * stops {
            let time = world.time();
            let spin = world.bodies()[1].angular_velocity;
            let wanted = (begun - slows * time).max(0.0);
            assert!(
                (spin.y - wanted).abs() < 0.02 * begun,
                "{half} {high} {dt}: {spin} for {wanted} at {time}"
            );
            world.step();
        }
        let body = &world.bodies()[1];
        assert!(body.angular_velocity.length() < 1e-6);
        assert!((body.pose.rotation * DVec3::Y).y > 1.0 - 1e-6);
    }
}
