//! Thin bodies that spin and tumble stay on their side of what they fall on, whatever it is made of.

mod common;

use std::fmt::Write;

use common::load;

/// Numbers in [0, 1) that look random.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// Bodies of a shape thrown at the ground at all angles, 1 m apart; how many end below it, how deep the deepest are
/// within it when a step ends, as a part of their thickness, and by how much energy rises.
fn throw(
    ground: &str,
    shape: &str,
    thickness: f64,
    speed: f64,
    dt: f64,
    seed: u64,
) -> (usize, f64, f64) {
    let numbers = &mut Numbers(seed);
    let mut text = format!(
        "version = 1\nworld = {{ dt = {dt}, duration = 1 }}\npair.default = {{ section = {{ model = \"coulomb\", mu = 0.3 }} }}\n\
         [[body]]\nname = \"ground\"\nkind = \"fixed\"\n{ground}\n"
    );
    for k in 0..16 {
        let at = [f64::from(k % 4) - 1.5, 0.25, f64::from(k / 4) - 1.5];
        let axis: [f64; 3] = std::array::from_fn(|_| numbers.between(-1.0, 1.0));
        let deg = numbers.between(0.0, 180.0);
        let spin: [f64; 3] = std::array::from_fn(|_| numbers.between(-30.0, 30.0));
        let aside = numbers.between(-0.5, 0.5) * speed;
        write!(
            text,
            "[[body]]\nname = \"b{k}\"\nshape = {{ {shape} }}\nat = {at:?}\nrotate = {{ axis = {axis:?}, deg = {deg} }}\n\
             velocity = [{aside}, {}, 0]\nspin = {spin:?}\n",
            -speed
        )
        .unwrap();
    }
    let mut scene = load(&text);
    let world = &mut scene.world;
    let (mut deepest, mut lowest, mut rise) = (0.0_f64, f64::MAX, 0.0_f64);
    let first = world.energy().kinetic;
    for _ in 0..(0.3 / dt).ceil() as usize {
        world.step();
        let overlaps = world.overlaps();
        deepest = overlaps.iter().map(|o| o.depth / thickness).fold(deepest, f64::max);
        let energy = world.energy().total();
        rise = rise.max((energy - lowest) / first);
        lowest = lowest.min(energy);
    }
    let below = world.bodies().iter().filter(|b| b.name != "ground");
    let below = below.filter(|b| b.pose.translation.y < -0.5 * thickness).count();
    (below, deepest, rise)
}

const SLAB: &str = "shape = { box = [40, 0.02, 40] }\nat = [0, -0.01, 0]";
const PLANE: &str = "shape = { half_space = [0, 1, 0] }";
const FIELD: &str =
    "shape = { height_field = { size = [40, 40], heights = [[0, 0, 0], [0, 0, 0], [0, 0, 0]] } }";

#[test]
fn coins_cards_and_rods_do_not_fall_through() {
    let coin = ("cylinder = [0.012, 0.002]", 0.002);
    let card = ("box = [0.09, 0.001, 0.06]", 0.001);
    let rod = ("cylinder = [0.01, 0.05]", 0.02);
    let brick = ("box = [0.2, 0.1, 0.06]", 0.06);
    let mut wrong = String::new();
    for ground in [SLAB, PLANE, FIELD] {
        for ((shape, thickness), speeds) in
            [(coin, [3.0, 10.0]), (card, [3.0, 10.0]), (rod, [10.0, 300.0]), (brick, [10.0, 300.0])]
        {
            for speed in speeds {
                for (dt, seed) in [(0.005, 1), (1.0 / 60.0, 2)] {
                    let (below, deepest, rise) = throw(ground, shape, thickness, speed, dt, seed);
                    if below > 0 || deepest > 0.02 || rise > 1e-6 {
                        let kind = &ground[10..20];
                        writeln!(wrong, "{kind}, {shape} at {speed} m/s, dt {dt}: {below} below, {deepest} deep, energy {rise:e}").unwrap();
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
