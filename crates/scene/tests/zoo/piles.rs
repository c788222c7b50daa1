//! Piles of mixed shapes come to rest in a bin, boxes on a height field.

use asperity::friction::testing::Rng;
use asperity_scene::{self as scene, NoAssets};

use asperity::BodyId;
use asperity::body::BodyKind;
use asperity::glamx::DVec3;
use asperity::world::World;

use crate::watch::{Once, Seen, claim, folder, run, watch, watch_with};

static PILE: Once = Once::new(|| watch("pile300", 2.0));
/// All bodies fall spinning, by a third of a radian in a step.
static SPUN: Once = Once::new(|| watch_with("pile300", 0.6, spin));
static HUNDRED: Once = Once::new(|| watch("sub100", f64::MAX));
static TWO_HUNDRED: Once = Once::new(|| watch("sub200", f64::MAX));
static OTHER: Once = Once::new(other_pile);
static TERRAIN: Once = Once::new(|| watch("tower_terrain", f64::MAX));

fn spin(world: &mut World) {
    let mut rng = Rng::new(5);
    let moves = |k: &usize| world.bodies()[*k].kind == BodyKind::Dynamic;
    let moving: Vec<usize> = (0..world.bodies().len()).filter(moves).collect();
    for k in moving {
        world.set_velocity(BodyId(k), DVec3::ZERO, 30.0 * rng.unit_vector3());
    }
}

/// Half the inner width of the bin, metres.
const BIN: f64 = 0.6;

/// Bodies are inside the bin and above its floor.
fn check_inside(seen: &Seen) {
    seen.check_finite();
    for moment in &seen.moments {
        for (name, state) in
            seen.names.iter().zip(&moment.bodies).filter(|(n, _)| n.starts_with('b'))
        {
            let p = state.pose.translation;
            let inside = p.x.abs() < BIN && p.z.abs() < BIN && p.y > 0.0;
            assert!(inside, "{}: {name} is at {p} at {:.2} s", seen.name, moment.time);
        }
    }
}

/// The pile calms down: half of the bodies are slower at the end than a fiftieth of what fell. Spheres roll on.
fn check_calm(seen: &Seen) {
    let fell = seen.moments.iter().map(|m| m.fastest).fold(0.0, f64::max);
    let named = seen.names.iter().zip(&seen.end().bodies).filter(|(n, _)| n.starts_with('b'));
    let mut speeds: Vec<f64> = named.map(|(_, s)| s.velocity.length()).collect();
    speeds.sort_by(f64::total_cmp);
    let median = speeds[speeds.len() / 2];
    assert!(median < 0.02 * fell, "{}: {median:.3} m/s at the end, {fell:.3} before", seen.name);
}

/// Forty bodies of seven shapes in the same bin, from another seed.
fn other_pile() -> Option<Seen> {
    folder()?;
    let mut rng = Rng::new(77);
    let mut text = String::from(
        "version = 1\nworld = { dt = 0.005, duration = 2.5 }\nmaterial.plastic = { density = 1000 }\n\
         pair.default = { section = { model = \"coulomb\", mu = 0.4 } }\n\
         [[body]]\nname = \"ground\"\nkind = \"fixed\"\nshape = { half_space = [0, 1, 0] }\n",
    );
    for (name, size, at) in [
        ("wl", "0.1, 1, 1.4", "-0.65, 0.5, 0"),
        ("wr", "0.1, 1, 1.4", "0.65, 0.5, 0"),
        ("wb", "1.2, 1, 0.1", "0, 0.5, -0.65"),
        ("wf", "1.2, 1, 0.1", "0, 0.5, 0.65"),
    ] {
        text += &format!(
            "[[body]]\nname = \"{name}\"\nkind = \"fixed\"\nshape = {{ box = [{size}] }}\nat = [{at}]\n"
        );
    }
    for k in 0..40 {
        let (column, layer) = (k % 9, k / 9);
        let x = 0.16 * f64::from(column % 3) - 0.16 + rng.uniform(-0.015, 0.015);
        let z = 0.16 * f64::from(column / 3) - 0.16 + rng.uniform(-0.015, 0.015);
        let y = 0.12 + 0.17 * f64::from(layer);
        let q = rng.rotation();
        text += &format!(
            "[[body]]\nname = \"b{k}\"\nshape = {{ {} }}\nat = [{x}, {y}, {z}]\nrotate = [{}, {}, {}, {}]\n\
             material = \"plastic\"\n",
            shape(&mut rng),
            q.x,
            q.y,
            q.z,
            q.w
        );
    }
    let scene = scene::load(&text, "other", &NoAssets).unwrap_or_else(|e| panic!("{e}"));
    Some(run("other pile", &text, scene, f64::MAX))
}

/// A random shape of about a decimetre.
fn shape(rng: &mut Rng) -> String {
    let s = rng.uniform(0.7, 1.1);
    match rng.index(7) {
        0 => format!("sphere = {}", 0.05 * s),
        1 => format!("box = [{}, {}, {}]", 0.1 * s, 0.08 * s, 0.12 * s),
        2 => format!("capsule = [{}, {}]", 0.035 * s, 0.06 * s),
        3 => format!("cylinder = [{}, {}]", 0.05 * s, 0.09 * s),
        4 => format!("cone = [{}, {}]", 0.05 * s, 0.1 * s),
        5 => format!("box = [{}, {}, {}]", 0.02 * s, 0.1 * s, 0.06 * s),
        _ => {
            let [a, b] = [0.05 * s, 0.06 * s];
            format!("hull = [[{a},0,0],[-{a},0,0],[0,{b},0],[0,-{b},0],[0,0,{a}],[0,0,-{a}]]")
        }
    }
}

/// Boxes over the field are above its lowest place.
fn check_above_field(seen: &Seen) {
    seen.check_finite();
    for moment in &seen.moments {
        for (name, state) in seen.names.iter().zip(&moment.bodies).skip(1) {
            let p = state.pose.translation;
            let over = p.x.abs() < 2.0 && p.z.abs() < 2.0;
            assert!(!over || p.y > -0.3, "{name} is at {p} at {:.2} s", moment.time);
        }
    }
}

claim!(data_spun_pile_does_not_overlap: SPUN, Seen::check_overlap);
claim!(data_pile_does_not_overlap: PILE, Seen::check_overlap);
claim!(data_pile_never_gains_energy: PILE, Seen::check_energy);
claim!(data_pile_stays_in_its_bin: PILE, check_inside);
claim!(data_pile_calms_down: PILE, check_calm);

claim!(data_hundred_bodies_do_not_overlap: HUNDRED, Seen::check_overlap);
claim!(data_hundred_bodies_never_gain_energy: HUNDRED, Seen::check_energy);
claim!(data_hundred_bodies_stay_in_their_bin: HUNDRED, check_inside);
claim!(data_hundred_bodies_calm_down: HUNDRED, check_calm);

claim!(data_two_hundred_bodies_do_not_overlap: TWO_HUNDRED, Seen::check_overlap);
claim!(data_two_hundred_bodies_never_gain_energy: TWO_HUNDRED, Seen::check_energy);
claim!(data_two_hundred_bodies_stay_in_their_bin: TWO_HUNDRED, check_inside);
claim!(data_two_hundred_bodies_calm_down: TWO_HUNDRED, check_calm);

claim!(data_other_pile_does_not_overlap: OTHER, Seen::check_overlap);
claim!(data_other_pile_never_gains_energy: OTHER, Seen::check_energy);
claim!(data_other_pile_stays_in_its_bin: OTHER, check_inside);
claim!(data_other_pile_calms_down: OTHER, check_calm);

claim!(data_boxes_on_a_height_field_do_not_overlap: TERRAIN, Seen::check_overlap);
claim!(data_boxes_on_a_height_field_never_gain_energy: TERRAIN, Seen::check_energy);
claim!(data_boxes_stay_on_a_height_field: TERRAIN, check_above_field);
