//! Friction from normal maps in the world: stopping distances on teeth.

use std::f64::consts::TAU;

use asperity::World;
use asperity_scene::{self as scene, NoAssets};
use glamx::{DVec2, DVec3};

const FLOOR: &str = r#"{ name = "floor", kind = "fixed", shape = { box = [10, 0.2, 10] }, at = [0, -0.1, 0], material = "floor" }"#;
const MESH: &str = r#"{ name = "floor", kind = "fixed", shape = { height_field = { heights = [[0, 0, 0], [0, 0, 0], [0, 0, 0]], size = [10, 10] } }, material = "floor" }"#;

/// A box of 0.2 m on teeth along x, 1 on one side and 0.2 on the other, at 1.5 m/s.
fn world(floor: &str, first: bool, section: &str, velocity: [f64; 3]) -> World {
    let block = format!(
        r#"{{ name = "block", shape = {{ box = [0.2, 0.2, 0.2] }}, at = [0, 0.1, 0], velocity = {velocity:?}, material = "block" }}"#
    );
    let bodies = if first { [floor, block.as_str()] } else { [block.as_str(), floor] }.join(", ");
    let text = format!(
        r#"
version = 1
world = {{ dt = 0.005, solver = {{ tolerance = 1e-7 }} }}
texture.teeth = {{ kind = "normal", size = [0.04, 0.04], generate = {{ sawtooth = {{ slopes = [1.0, 0.2], widths = [32, 32] }}, texels = [64, 8] }} }}
material.floor = {{ normal = "teeth" }}
material.block = {{ density = 500 }}
pair.default = {{ section = {{ model = "ploughing", mu = 0.1, {section} }} }}
body = [ {bodies} ]
"#
    );
    scene::load(&text, "teeth.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world
}

/// How far the block slides.
fn slide(mut world: World) -> DVec3 {
    let block = world.bodies().iter().position(|b| b.name == "block").unwrap();
    for _ in 0..400 {
        world.step();
        assert_eq!(world.report().sampler_error, None);
    }
    assert!(world.bodies()[block].linear_velocity.length() < 1e-6);
    let moved = world.bodies()[block].pose.translation;
    moved - DVec3::Y * 0.1
}

/// v²/2μg, with the mean of the facets that resist (Andrews 2021, Eqs. 6 to 8).
fn closed_form(slope: f64) -> f64 {
    let mu = 0.1 + std::f64::consts::FRAC_2_PI * 0.5 * slope;
    1.5 * 1.5 / (2.0 * 9.81 * mu)
}

const AREA: &str = r#"sampling = "area", resolution = 100"#;

#[test]
fn a_block_slides_as_far_as_the_facets_say() {
    for (velocity, slope) in [([1.5, 0.0, 0.0], 1.0), ([-1.5, 0.0, 0.0], 0.2)] {
        let moved = slide(world(FLOOR, true, AREA, velocity));
        let expected = closed_form(slope) * velocity[0].signum();
        // Lookups between two facets blur one texel in 32.
        assert!((moved.x / expected - 1.0).abs() < 0.03, "{moved} for {expected}");
    }
    let along = slide(world(FLOOR, true, AREA, [0.0, 0.0, 1.5]));
    assert!((along.z / closed_form(0.0) - 1.0).abs() < 0.02, "{along}");
}

/// For each contact, where it is and how much of its load opposes motion of the block along 12
/// directions.
fn coefficients(world: &World) -> Vec<(DVec3, Vec<f64>)> {
    let block = world.bodies().iter().position(|b| b.name == "block").unwrap();
    let along = |c: &asperity::contact::Contact, k: u32| {
        let d = DVec2::from_angle(TAU * f64::from(k) / 12.0);
        let opposite = if c.bodies[1] == block { -1.0 } else { 1.0 };
        let d = c.frame.to_plane(DVec3::new(d.x, 0.0, d.y)) * opposite;
        c.law.set.support(&d.to_array(), 1.0)
    };
    let one = |c: &asperity::contact::Contact| (c.point, (0..12).map(|k| along(c, k)).collect());
    let mut list: Vec<_> = world.contacts().iter().map(one).collect();
    list.sort_by(|a, b| a.0.x.total_cmp(&b.0.x).then(a.0.z.total_cmp(&b.0.z)));
    list
}

#[test]
fn exchanging_the_bodies_changes_nothing() {
    for section in [AREA, "width = 0.04, align = [1, 0, 0]", r#"limit = "box", align = [1, 0, 0]"#]
    {
        let [a, b] = [true, false].map(|first| {
            let mut world = world(FLOOR, first, section, [1.5, 0.0, 0.3]);
            world.step();
            coefficients(&world)
        });
        assert_eq!(a.len(), 4);
        for ((at, a), (there, b)) in a.iter().zip(&b) {
            assert!(at.distance(*there) < 1e-6, "{section}: {at} and {there}");
            for (a, b) in a.iter().zip(b) {
                assert!((a - b).abs() < 1e-9, "{section}: {a} and {b}");
            }
        }
    }
}

#[test]
fn a_height_field_shows_the_same_as_a_box() {
    let velocity = [-1.5, 0.0, 0.0];
    let [a, b] = [FLOOR, MESH].map(|floor| slide(world(floor, true, AREA, velocity)));
    assert!((a - b).length() < 1e-2 * a.length(), "{a} and {b}");
}
