//! Sharp rigid edges on soft solids and cloth.

use asperity::soft::{Soft, SoftContacts};
use asperity_scene::{self as scene, NoAssets};

/// A pad that is pressed into a block by a tenth of its height, dragged over it and lifted.
fn scene(model: &str, mu: f64) -> String {
    format!(
        r#"
version = 1
world = {{ dt = 0.004, duration = 0.9 }}
pair.default = {{ section = {{ model = "coulomb", mu = {mu} }} }}
body = [
  {{ name = "pad", kind = "kinematic", shape = {{ box = [0.05, 0.04, 0.05] }}, keyframes = [
    {{ time = 0, at = [-0.06, 0.1, 0] }}, {{ time = 0.2, at = [-0.04, 0.074, 0] }},
    {{ time = 0.7, at = [0.04, 0.074, 0] }}, {{ time = 0.8, at = [0.05, 0.12, 0] }} ] }},
  {{ name = "gel", at = [0, 0.03, 0], solid = {{ box = [0.15, 0.06, 0.1], cells = [6, 3, 4],
    elastic = {{ model = "{model}", young = 2e4, poisson = 0.45, density = 1000 }},
    thickness = 0.003, pins = [ {{ min = [-1, -0.03, -1], max = [1, -0.03, 1] }} ] }} }},
]
"#
    )
}

/// How far the longest drawn edge of its surface is stretched.
fn most_stretch(soft: &Soft, lengths: &[f64]) -> f64 {
    edges(soft).iter().zip(lengths).map(|(now, rest)| now / rest).fold(0.0, f64::max)
}

fn edges(soft: &Soft) -> Vec<f64> {
    let x = &soft.body.positions;
    let sides = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let length = |[a, b]: [u32; 2]| x[a as usize].distance(x[b as usize]);
    soft.body.triangles.iter().flat_map(sides).map(length).collect()
}

#[test]
fn a_stroked_block_is_not_drawn_into_spikes_and_springs_back() {
    for (model, mu, most) in
        [("neo_hookean", 0.8, 3.0), ("corotational", 0.8, 1.6), ("neo_hookean", 0.0, 1.4)]
    {
        let mut scene = scene::load(&scene(model, mu), "stroke.toml", &NoAssets).expect("a scene");
        scene.world.set_soft_contacts(SoftContacts::Implicit);
        let lengths = edges(&scene.world.softs()[0]);
        let (mut stretch, mut elastic) = (0.0_f64, 0.0_f64);
        for _ in 0..225 {
            scene.world.step();
            stretch = stretch.max(most_stretch(&scene.world.softs()[0], &lengths));
            elastic = elastic.max(scene.world.softs()[0].body.energy());
        }
        assert!(scene.world.report().soft_error.is_none());
        assert_eq!(scene.world.soft_crossings(), 0);
        // Pressing alone takes 0.4 J.
        assert!(elastic > 0.2 && elastic < 2.0, "{model}, {mu}: {elastic} J");
        assert!(stretch < most, "{model}, {mu}: stretched {stretch} times");
        // A tenth of a second after the pad has left.
        let soft = &scene.world.softs()[0];
        let (left, energy) = (most_stretch(soft, &lengths), soft.body.energy());
        assert!(left < 1.05 && energy < 0.02, "{model}, {mu}: {left} and {energy} J left");
    }
}

/// A cloth that lies on a table and is drawn over its edge by one of its own, at 0.4 m/s.
const DRAWN: &str = r#"
version = 1
world = { dt = 0.01, duration = 1.2 }
pair.default = { section = { model = "coulomb", mu = 0.4 } }
body = [
  { name = "table", kind = "fixed", shape = { box = [1.2, 0.05, 1.2] }, at = [-0.6, 0.5, 0] },
  { name = "cloth", at = [-0.35, 0.53, 0], cloth = { size = [0.9, 0.6], cells = [15, 10],
    fabric = "FABRIC", pins = [ { min = [0.45, -0.01, -0.3], max = [0.45, 0.01, 0.3],
    velocity = [0.35, -0.2, 0] } ] } },
]
"#;

/// Friction carries less than the cloth's own weight, which stretches it by less than a thousandth;
/// a cell that bends round the edge within a step is drawn by a few times as much.
#[test]
fn a_cloth_drawn_over_an_edge_keeps_its_length() {
    for fabric in ["cotton", "silk"] {
        let text = DRAWN.replace("FABRIC", fabric);
        let mut scene = scene::load(&text, "drawn.toml", &NoAssets).expect("a scene");
        let lengths = edges(&scene.world.softs()[0]);
        let mut stretch = 0.0_f64;
        for _ in 0..120 {
            scene.world.step();
            stretch = stretch.max(most_stretch(&scene.world.softs()[0], &lengths));
        }
        assert!(scene.world.report().soft_error.is_none());
        assert!(stretch < 1.02, "{fabric}: stretched {stretch} times");
    }
}
