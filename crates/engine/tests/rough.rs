//! Heaps that are solved roughly.

use std::fmt::Write as _;

use asperity::World;
use asperity_scene::{self as scene, NoAssets};

/// Boxes and capsules dropped into a bin; the solver is asked for next to nothing.
fn bin() -> World {
    let mut text = r#"version = 1
world = { dt = 0.01, solver = { tolerance = 8e-2 } }
material.any = { density = 1000 }
pair.default = { section = { model = "coulomb", mu = 0.5 } }
body = [
  { name = "floor", kind = "fixed", shape = { box = [4, 1, 4] }, at = [0, -0.5, 0] },
"#
    .to_owned();
    for (k, [x, z]) in [[0.95, 0.0], [-0.95, 0.0], [0.0, 0.95], [0.0, -0.95]].iter().enumerate() {
        let size = if *x == 0.0 { [2.9, 4.0, 0.9] } else { [0.9, 4.0, 2.9] };
        let _ = writeln!(
            text,
            r#"  {{ name = "wall{k}", kind = "fixed", shape = {{ box = {size:?} }}, at = [{x}, 2, {z}] }},"#
        );
    }
    for k in 0..96 {
        let (x, y, z) = (k % 3, k / 9, k / 3 % 3);
        let shape = ["box = [0.2, 0.2, 0.2]", "capsule = [0.08, 0.16]"][k % 2];
        let at = [0.3 * x as f64 - 0.3, 0.3 + 0.32 * y as f64, 0.3 * z as f64 - 0.3];
        let _ = writeln!(
            text,
            r#"  {{ name = "b{k}", shape = {{ {shape} }}, at = {at:?}, rotate = {{ axis = [1, 0.3, 0.5], deg = {} }} }},"#,
            37 * k
        );
    }
    text += "]\n";
    scene::load(&text, "bin.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world
}

#[test]
fn a_heap_comes_to_rest_also_where_little_is_asked_of_the_solver() {
    let mut world = bin();
    for _ in 0..600 {
        world.step();
    }
    let mut speeds: Vec<f64> =
        world.bodies()[5..].iter().map(|b| b.linear_velocity.length()).collect();
    speeds.sort_by(f64::total_cmp);
    let penetration = world.report().penetration;
    assert!(speeds[speeds.len() / 2] < 1e-4, "{}", speeds[speeds.len() / 2]);
    assert!(penetration < 2e-3, "{penetration}");
    for body in &world.bodies()[5..] {
        let at = body.pose.translation;
        assert!(at.y > 0.05 && at.x.abs() < 0.45 && at.z.abs() < 0.45, "{}: {at}", body.name);
    }
}
