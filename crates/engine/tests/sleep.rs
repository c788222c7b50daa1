//! Bodies at rest sleep, and wake without a trace.

use asperity::World;
use asperity_scene::{self as scene, NoAssets};

const HEAD: &str = r#"version = 1
material.any = { density = 1000 }
pair.default = { section = { model = "coulomb", mu = 0.5 } }
"#;

fn load(bodies: &str) -> World {
    let text = format!("{HEAD}{bodies}");
    scene::load(&text, "sleep.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world
}

/// A tower of five boxes on a plane.
fn tower() -> String {
    let mut text = String::from(
        "body = [\n{ name = \"ground\", kind = \"fixed\", shape = { half_space = [0, 1, 0] } },\n",
    );
    for k in 0..5 {
        let y = 0.05 + 0.1 * f64::from(k);
        text += &format!(
            "{{ name = \"b{k}\", shape = {{ box = [0.1, 0.1, 0.1] }}, at = [0, {y}, 0] }},\n"
        );
    }
    text
}

/// With a ball that falls on it from the side.
fn hit_tower() -> String {
    tower()
        + "{ name = \"ball\", shape = { sphere = 0.05 }, at = [0.02, 4, 0.01] },\n"
        + "{ name = \"far\", shape = { box = [0.2, 0.2, 0.2] }, at = [3, 0.1, 0] },\n]\n"
}

fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        world.step();
    }
}

#[test]
fn a_tower_at_rest_falls_asleep_and_keeps_its_loads() {
    let mut world = load(&(tower() + "]\n"));
    steps(&mut world, 200);
    assert_eq!(world.asleep(), 5, "{:?}", world.report());
    let before: Vec<_> = world.bodies().iter().map(|b| b.pose).collect();
    let load: f64 = world.contacts().iter().filter(|c| c.bodies[0] == 0).map(|c| c.load).sum();
    assert!((load - 5.0 * 9.81).abs() < 1e-6, "{load}");
    let energy = world.energy().total();
    steps(&mut world, 100);
    let after: Vec<_> = world.bodies().iter().map(|b| b.pose).collect();
    assert_eq!(before, after);
    assert_eq!(world.energy().total(), energy);
    assert!((world.time() - 3.0).abs() < 1e-12);
}

/// The control: what rolls does not sleep.
#[test]
fn what_moves_does_not_fall_asleep() {
    let text = "body = [\n{ name = \"ground\", kind = \"fixed\", shape = { half_space = [0, 1, 0] } },\n\
        { name = \"ball\", shape = { sphere = 0.05 }, at = [0, 0.05, 0], velocity = [1e-4, 0, 0] },\n]\n";
    let mut world = load(text);
    steps(&mut world, 300);
    assert_eq!(world.asleep(), 0);
}

/// A ball hits a tower after it fell asleep: all is as where nothing ever sleeps.
#[test]
fn a_tower_that_is_hit_wakes_without_a_trace() {
    let [mut with, mut without] = [load(&hit_tower()), load(&hit_tower())];
    without.settings.sleep = false;
    // It falls for 0.84 s.
    for step in 0..150 {
        with.step();
        without.step();
        if step == 60 {
            assert_eq!(with.asleep(), 6, "the tower and the box beside it");
        }
        let far = |w: &World| w.bodies().iter().map(|b| b.pose.translation).collect::<Vec<_>>();
        let apart = far(&with)
            .iter()
            .zip(far(&without))
            .map(|(a, b)| (*a - b).length())
            .fold(0.0, f64::max);
        // Where contacts open and close, what is next to nothing grows; before that it must not.
        assert!(apart < if step < 90 { 1e-12 } else { 1e-7 }, "step {step}: {apart:e}");
    }
    assert_eq!(without.asleep(), 0);
    assert!(
        with.bodies().iter().any(asperity::world::Body::is_asleep),
        "the box far away sleeps on"
    );
}

/// A force, a velocity, another gravity: each wakes those that it concerns.
#[test]
fn pushes_and_settings_wake() {
    use asperity::BodyId;
    use asperity::glamx::DVec3;
    let mut world = load(&hit_tower().replace("at = [0.02, 4, 0.01]", "at = [6, 0.05, 0]"));
    steps(&mut world, 200);
    assert_eq!(world.asleep(), 7);
    let far = world.find("far").unwrap();
    world.apply_force(far, DVec3::new(100.0, 0.0, 0.0), DVec3::ZERO);
    world.step();
    assert_eq!(world.asleep(), 6, "only the box that was pushed");
    assert!(world.bodies()[far.0].linear_velocity.x > 0.01);
    world.set_velocity(BodyId(1), DVec3::new(0.0, 0.0, 1.0), DVec3::ZERO);
    world.step();
    assert_eq!(world.asleep(), 1, "all of the tower");
    steps(&mut world, 400);
    assert_eq!(world.asleep(), 7);
    world.settings.gravity = DVec3::new(9.0, -9.81, 0.0);
    world.step();
    assert_eq!(world.asleep(), 0);
}

/// What is moved from outside wakes what it touches once it moves, and not before.
#[test]
fn a_lift_wakes_what_stands_on_it_when_it_sets_out() {
    let text = "body = [\n{ name = \"lift\", kind = \"kinematic\", shape = { box = [1, 0.1, 1] }, at = [0, 0, 0],\n\
        keyframes = [ { time = 0, at = [0, 0, 0] }, { time = 1, at = [0, 0, 0] }, { time = 2, at = [0, 0.5, 0] } ] },\n\
        { name = \"box\", shape = { box = [0.2, 0.2, 0.2] }, at = [0, 0.15, 0] },\n]\n";
    let mut world = load(text);
    steps(&mut world, 95);
    assert_eq!(world.asleep(), 1);
    steps(&mut world, 105);
    let top = world.bodies()[1].pose.translation.y;
    assert!((top - 0.65).abs() < 1e-3, "{top}");
}

/// A snapshot of bodies that sleep goes on as the world does.
#[test]
fn snapshots_remember_who_sleeps() {
    let mut world = load(&hit_tower());
    steps(&mut world, 70);
    assert!(world.asleep() > 0);
    let snapshot = world.snapshot();
    steps(&mut world, 60);
    let hash = world.state_hash();
    world.restore(&snapshot).unwrap();
    steps(&mut world, 60);
    assert_eq!(world.state_hash(), hash);
    let mut other = load(&hit_tower());
    other.restore(&snapshot).unwrap();
    steps(&mut other, 60);
    assert_eq!(other.state_hash(), hash);
}

/// What it rests on is gone within one step, and far away by the middle of that.
#[test]
fn what_sleeps_on_a_body_that_leaves_falls() {
    for far in [2.0, 20.0, 500.0] {
        let text = format!(
            "world = {{ duration = 4, dt = 0.01 }}\nbody = [\n\
            {{ name = \"shelf\", kind = \"kinematic\", shape = {{ box = [1, 0.1, 1] }}, at = [0, 1, 0], keyframes = [\
            {{ time = 0, at = [0, 1, 0] }}, {{ time = 2, at = [0, 1, 0] }}, {{ time = 2.01, at = [{far}, 1, 0] }}] }},\n\
            {{ name = \"lower\", shape = {{ box = [0.2, 0.2, 0.2] }}, at = [0, 1.15, 0] }},\n\
            {{ name = \"upper\", shape = {{ box = [0.2, 0.2, 0.2] }}, at = [0, 1.35, 0] }},\n]\n"
        );
        let mut world = load(&text);
        steps(&mut world, 199);
        assert_eq!(world.asleep(), 2, "the control: they rest");
        steps(&mut world, 31);
        for (body, from) in world.bodies()[1..].iter().zip([1.15, 1.35]) {
            let fallen = from - body.pose.translation.y;
            assert!(fallen > 0.3, "{far}: {} fell by {fallen} m", body.name);
        }
    }
}
