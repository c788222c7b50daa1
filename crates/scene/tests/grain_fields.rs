//! Grains that change in time, and grains of cloth and soft solids.

use asperity::World;
use asperity::glamx::DVec3;
use asperity::settings::Cones;
use asperity_scene::{self as scene, NoAssets};

const ALONG: f64 = 0.1;
const ACROSS: f64 = 0.8;

fn load(text: &str) -> World {
    scene::load(text, "grain.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world
}

/// A box on a floor that leans by so many degrees along x, whose grain has these components.
fn on_floor(grain: [&str; 3], degrees: f64) -> World {
    let [x, y, z] = grain;
    let mut world = load(&format!(
        r#"
version = 1
world = {{ dt = 0.01 }}
material.floor = {{ structure = {{ expression = ["{x}", "{y}", "{z}"] }} }}
material.box = {{ density = 1000 }}
pair.default = {{ section = {{ model = "matchstick", mu = 0.5, mu_t = {ALONG}, mu_b = {ACROSS} }} }}
body = [ {{ name = "floor", kind = "fixed", shape = {{ box = [40, 0.2, 40] }}, at = [0, -0.1, 0], material = "floor" }},
         {{ name = "box", shape = {{ box = [0.2, 0.1, 0.2] }}, at = [0, 0.05, 0], material = "box" }} ]
"#
    ));
    let (sin, cos) = degrees.to_radians().sin_cos();
    world.settings.gravity = 9.81 * DVec3::new(sin, -cos, 0.0);
    world
}

/// Friction that contacts may have along x, per load.
fn limit(world: &World) -> f64 {
    let contact = world.contacts().first().expect("a contact");
    let along = contact.frame.to_plane(DVec3::X);
    contact.law.set.support(&along.to_array(), 1.0)
}

/// The same with cones of the end of the step, and laws that follow bodies: what contacts have is what they should have
/// there.
#[test]
fn cones_of_the_end_of_a_step_are_those_of_its_end() {
    let mut world = on_floor(["cos(3*t)", "0", "sin(3*t)"], 0.0);
    world.settings.cones = Cones::End;
    for _ in 0..50 {
        let angle = 3.0 * (world.time() + world.settings.dt);
        world.step();
        let expected = (ALONG * angle.cos()).hypot(ACROSS * angle.sin());
        assert!((limit(&world) - expected).abs() < 1e-9, "{} at {angle}", limit(&world));
        assert_eq!(world.report().unconverged, 0);
    }
}

/// A box that spins on a floor, both with a grain: its cone after a step against that of where it ended.
#[test]
fn cones_turn_with_what_turns_within_the_step() {
    let off = |cones: Cones| {
        let mut world = load(
            r#"
version = 1
world = { dt = 0.01, gravity = 9.81 }
material.grained = { density = 1000, structure = [1, 0, 0] }
pair.default = { section = { model = "matchstick", mu = 0.05, mu_t = 0.02, mu_b = 0.1 } }
body = [ { name = "floor", kind = "fixed", shape = { box = [4, 0.2, 4] }, at = [0, -0.1, 0], material = "grained" },
         { name = "box", shape = { box = [0.3, 0.1, 0.2] }, at = [0, 0.05, 0], spin = [0, 12, 0], material = "grained" } ]
"#,
        );
        world.settings.cones = cones;
        let mut worst = 0.0_f64;
        for _ in 0..20 {
            world.step();
            let grain = world.bodies()[1].pose.rotation * DVec3::X;
            let grain = if grain.x < 0.0 { -grain } else { grain };
            let d = 1.0 - grain.x.clamp(-1.0, 1.0).acos() / std::f64::consts::FRAC_PI_2;
            let axis = (grain + DVec3::X).normalize();
            let [t, b] = [0.02, 0.1].map(|mu| d * mu + (1.0 - d) * 0.05);
            let expected = (t * axis.x).hypot(b * axis.z);
            worst = worst.max((limit(&world) - expected).abs() / expected);
        }
        worst
    };
    let (end, half_way) = (off(Cones::End), off(Cones::HalfWay));
    assert!(end < 1e-7, "{end:e} off at the end");
    assert!(half_way > 1e-2, "control: {half_way:e} off half-way");
}

/// Friction that falls with speed, fully implicit: v₁ = v₀ − h g μ(v₁).
#[test]
fn friction_that_falls_with_speed_is_that_of_the_speed_found() {
    let speed = |cones: Cones| {
        let mut world = load(
            r#"
version = 1
world = { dt = 0.02, gravity = 9.81 }
material.block = { density = 1000 }
pair.default = { section = { model = "coulomb", mu = 0.2, static_mu = 0.6, stribeck_speed = 0.5 } }
body = [ { name = "floor", kind = "fixed", shape = { box = [40, 0.2, 40] }, at = [0, -0.1, 0] },
         { name = "box", shape = { box = [0.2, 0.1, 0.2] }, at = [0, 0.05, 0], velocity = [0.6, 0, 0], material = "block" } ]
"#,
        );
        world.settings.cones = cones;
        world.step();
        world.bodies()[1].linear_velocity.x
    };
    let mu = |v: f64| 0.2 + 0.4 * (-(v / 0.5_f64).powi(2)).exp();
    let (mut low, mut high) = (0.0_f64, 0.6_f64);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if middle + 0.02 * 9.81 * mu(middle) > 0.6 { high = middle } else { low = middle }
    }
    let (found, explicit) = (speed(Cones::End), speed(Cones::HalfWay));
    assert!((found - low).abs() < 1e-7, "{found} m/s, implicit {low} m/s");
    let begin = 0.6 - 0.02 * 9.81 * mu(0.6);
    assert!((explicit - begin).abs() < 1e-7, "control: {explicit} m/s, explicit {begin} m/s");
    assert!((begin - low).abs() > 1e-3, "the two would be the same");
}

#[test]
fn a_grain_turns_in_time_as_its_formula_says() {
    let turning = ["cos(3*t)", "0", "sin(3*t)"];
    let mut world = on_floor(turning, 0.0);
    let mut frozen = on_floor(["1", "0", "0"], 0.0);
    let mut apart = 0.0_f64;
    for _ in 0..100 {
        // Contacts are those half-way through the step.
        let angle = 3.0 * (world.time() + 0.5 * world.settings.dt);
        world.step();
        frozen.step();
        let expected = (ALONG * angle.cos()).hypot(ACROSS * angle.sin());
        assert!((limit(&world) - expected).abs() < 1e-12, "{} at {angle}", limit(&world));
        apart = apart.max((limit(&frozen) - expected).abs());
    }
    assert!(apart > 0.5, "a grain that stands still would do: {apart}");
}

/// A box at rest does not sleep on a grain that will let it go.
#[test]
fn a_box_sets_out_when_its_grain_turns() {
    let gone = |grain: [&str; 3]| {
        let mut world = on_floor(grain, 20.0);
        let mut early = 0.0;
        while world.time() < 2.0 {
            world.step();
            if world.time() < 1.0 {
                early = world.bodies()[1].pose.translation.x;
            }
        }
        (early, world.bodies()[1].pose.translation.x)
    };
    let (early, late) = gone(["step(1, t)", "0", "1 - step(1, t)"]);
    // tan 20° is 0.364: held across the grain, and then (sin − 0.1 cos) g t²/2 along it.
    let (sin, cos) = 20_f64.to_radians().sin_cos();
    let expected = 0.5 * 9.81 * (sin - ALONG * cos);
    assert!(early < 1e-6, "it went {early} m before");
    assert!((late / expected - 1.0).abs() < 0.03, "{late} m of {expected} m");
    let (_, held) = gone(["0", "0", "1"]);
    assert!(held < 1e-6, "control: it went {held} m on a grain that stays");
}

/// How far a soft block with a grain, turned about the vertical, slides in half a second on a floor of 20° without one.
fn soft_slides(structure: &str, turned: f64, contact: &str) -> f64 {
    let mut world = load(&format!(
        r#"
version = 1
world = {{ dt = 0.01, soft_contact = "{contact}" }}
material.block = {{ density = 1000 }}
pair.default = {{ section = {{ model = "matchstick", mu = 0.5, mu_t = {ALONG}, mu_b = {ACROSS} }} }}
body = [ {{ name = "floor", kind = "fixed", shape = {{ box = [40, 0.2, 40] }}, at = [0, -0.1, 0] }},
         {{ name = "block", solid = {{ box = [0.2, 0.1, 0.2], cells = [2, 1, 2], elastic = {{ young = 1e5, poisson = 0.3, density = 1000 }} }},
           at = [0, 0.0505, 0], rotate = {{ axis = "y", deg = {turned} }}, structure = {structure}, material = "block" }} ]
"#
    ));
    let (sin, cos) = 20_f64.to_radians().sin_cos();
    world.settings.gravity = 9.81 * DVec3::new(sin, -cos, 0.0);
    let start = world.softs()[0].body.centre().x;
    while world.time() < 0.5 {
        world.step();
    }
    world.softs()[0].body.centre().x - start
}

#[test]
fn the_grain_of_a_soft_block_is_its_own_and_turns_with_it() {
    let (sin, cos) = 20_f64.to_radians().sin_cos();
    let free = 0.5 * 9.81 * (sin - ALONG * cos) * 0.25;
    for contact in ["implicit", "filter", "solver"] {
        for (structure, turned, slides) in [
            ("[1, 0, 0]", 0.0, true),
            ("[0, 0, 1]", 0.0, false),
            ("[1, 0, 0]", 90.0, false),
            ("[0, 0, 1]", 90.0, true),
            (r#"{ expression = ["x - x + 1", "0", "0"] }"#, 0.0, true),
        ] {
            let way = soft_slides(structure, turned, contact);
            let what = format!("{contact}, {structure} turned by {turned}: {way} m, free {free} m");
            let as_expected = if slides { (way / free - 1.0).abs() < 0.1 } else { way < 0.01 };
            assert!(as_expected, "{what}");
        }
    }
}

/// An oblique grain leads a stiff soft block aside as it does a rigid one, edges and corners of the block included.
#[test]
fn an_oblique_grain_of_a_soft_block_leads_it_as_that_of_a_rigid_one() {
    let grain = "[0.94, 0, 0.34]";
    let end = |body: &str, soft: bool| {
        let mut world = load(&format!(
            r#"
version = 1
world = {{ dt = 0.01, soft_contact = "solver" }}
material.block = {{ density = 1000 }}
pair.default = {{ section = {{ model = "matchstick", mu = 0.5, mu_t = 0.1, mu_b = 0.4 }} }}
body = [ {{ name = "floor", kind = "fixed", shape = {{ box = [40, 0.2, 40] }}, at = [0, -0.1, 0] }},
         {{ name = "block", {body}, structure = {grain}, material = "block" }} ]
"#
        ));
        let (sin, cos) = 25_f64.to_radians().sin_cos();
        world.settings.gravity = 9.81 * DVec3::new(sin, -cos, 0.0);
        let place = |world: &World| {
            if soft { world.softs()[0].body.centre() } else { world.bodies()[1].centre_of_mass() }
        };
        let start = place(&world);
        while world.time() < 0.5 {
            world.step();
        }
        place(&world) - start
    };
    let rigid = end("shape = { box = [0.2, 0.1, 0.2] }, at = [0, 0.05, 0]", false);
    let elastic = "elastic = { young = 1e6, poisson = 0, density = 1000 }";
    let solid = format!("solid = {{ box = [0.2, 0.1, 0.2], cells = [2, 1, 2], {elastic} }}");
    let soft = end(&format!("{solid}, at = [0, 0.0505, 0]"), true);
    assert!(rigid.z.abs() > 0.02, "the grain does not lead aside: {rigid}");
    let apart = DVec3::new(soft.x - rigid.x, 0.0, soft.z - rigid.z).length();
    assert!(apart < 0.05 * rigid.length(), "{soft}, rigid {rigid}");
}
