//! Surfaces that wear: each body its own, the same bits again, and what is refused.

mod common;

use asperity::body::BodyId;
use asperity::glamx::DVec3;
use asperity_scene::{self as scene, NoAssets, Scene};
use common::{load, missed};

const WEAR: &str = include_str!("../../../scenes/appearance/wear.toml");

#[test]
fn friction_falls_with_the_way_as_archards_law_says() {
    let (missed, all) = missed(WEAR);
    assert!(missed.is_empty() && all == 10, "{missed:?}");
}

#[test]
fn other_rates_miss() {
    for rate in ["0", "2.8e-6"] {
        let (out, _) = missed(&WEAR.replace("wear = 2.5957992757e-6", &format!("wear = {rate}")));
        assert!(out.len() >= 3, "wear = {rate}: {out:?}");
    }
}

/// What a step does to a blow is of its order: the third plate alone, pushed once.
#[test]
fn half_the_step_is_half_as_far_from_the_closed_form() {
    let short = |dt: f64| {
        let text =
            WEAR.replace("impulse = [-0.6, 0, 0], at = 1 }", "impulse = [-0.6, 0, 0], at = 0 }");
        let mut scene = load(&text.replace("dt = 0.001", &format!("dt = {dt}")));
        for _ in 0..(0.2 / dt).round() as usize {
            scene.world.step();
        }
        let new = body(&scene, "new");
        0.042_682_2 + scene.world.bodies()[new.0].pose.translation.x
    };
    let (coarse, fine) = (short(0.004), short(0.002));
    assert!(fine > 0.0 && (0.4..0.6).contains(&(fine / coarse)), "{coarse} {fine}");
}

fn body(scene: &Scene, name: &str) -> BodyId {
    scene.world.find(name).unwrap()
}

/// The bits of the state and of what is left of the first plate's ridges.
fn bits(scene: &Scene) -> (u64, Vec<[f32; 2]>, u64) {
    let worn = body(scene, "worn");
    let slopes = scene.world.relief(worn).unwrap().map().slopes().to_vec();
    (scene.world.state_hash(), slopes, scene.world.worn_volume(worn).to_bits())
}

#[test]
fn worn_surfaces_belong_to_one_body() {
    let mut scene = load(WEAR);
    for _ in 0..120 {
        scene.world.step();
    }
    let steepest = |name: &str| {
        let map = scene.world.relief(body(&scene, name)).unwrap().map();
        map.slopes().iter().fold(0.0_f32, |m, s| m.max(s[0].abs()))
    };
    assert!((steepest("new") - 0.125).abs() < 1e-3 && steepest("hard") > 0.1249);
    assert!(steepest("worn") < 0.1, "{}", steepest("worn"));
    // What lies still slips by rounding alone.
    assert!(scene.world.worn_volume(body(&scene, "new")) < 1e-15);
    assert!(scene.world.relief(body(&scene, "floor")).is_none());
}

#[test]
fn a_snapshot_has_what_was_worn_and_threads_change_nothing() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut scene = load(WEAR);
            for _ in 0..40 {
                scene.world.step();
            }
            let (kept, half) = (scene.world.snapshot(), bits(&scene));
            for _ in 0..40 {
                scene.world.step();
            }
            let end = bits(&scene);
            assert_ne!(half.1, end.1);
            scene.world.restore(&kept).unwrap();
            assert!(bits(&scene) == half, "restored");
            for _ in 0..40 {
                scene.world.step();
            }
            assert!(bits(&scene) == end, "once more");
            end
        })
    };
    let one = run(1);
    assert!(run(2) == one && run(4) == one);
}

#[test]
fn what_turns_in_its_place_wears_too() {
    let spin = "velocity = [0.6, 0, 0], material = \"worn\"";
    let mut scene = load(&WEAR.replace(spin, "spin = [0, 5, 0], material = \"worn\""));
    for _ in 0..20 {
        scene.world.step();
    }
    let id = body(&scene, "worn");
    let turned = scene.world.bodies()[id.0].pose.rotation.to_scaled_axis().dot(DVec3::Y);
    // Evenly pressed, a square of side s slips by turn × 0.3826 s on the mean; pressure is uneven here.
    let even = 2.595_799_275_7e-6 * 9.81 * turned * 0.3826 * 0.04;
    let volume = scene.world.worn_volume(id);
    assert!(turned > 0.01 && (volume / even - 1.0).abs() < 0.2, "{volume} {even}");
}

#[test]
fn wear_that_cannot_be_is_refused() {
    let refused = |from: &str, to: &str, what: &str| {
        let text = WEAR.replace(from, to);
        assert_ne!(text, WEAR);
        let error = scene::load(&text, "test.toml", &NoAssets).unwrap_err().to_string();
        assert!(error.starts_with("test.toml:") && error.contains(what), "{error}");
    };
    refused(
        ", stiffness = 3852377.9915",
        "",
        "\"worn\" wears, and wear is where texels carry load",
    );
    refused("material.floor = {}", "material.floor = { wear = 1e-9 }", "needs a \"normal\"");
    refused("wear = 2.5957992757e-6", "wear = -1", "wear");
    refused(
        "ridges = { count = 1, slope = 0.125 }",
        "sawtooth = { slopes = [1, 1], widths = [16, 16] }",
        "has normals but no heights",
    );
    refused("extent = \"spin\" }", "contact = \"wrench\" }", "contact = \"wrench\" does not do");
    refused(
        "body = [",
        "body = [\n  { name = \"sheet\", cloth = { size = [0.1, 0.1], cells = [2, 2] }, at = [0, 0.1, 0.2], material = \"worn\" },",
        "neither wear nor wear others",
    );
}
