//! Scenes with cloth and soft solids: reading, probes, recordings and their caches.

use asperity_scene::record::Recorder;
use asperity_scene::{self as scene, NoAssets, Scene};

const SCENE: &str = r#"
version = 1
world = { dt = 0.01, duration = 0.2 }
pair.default = { section = { model = "coulomb", mu = 0.5 } }
body = [
  { name = "ground", kind = "fixed", shape = { half_space = [0, 1, 0] } },
  { name = "sheet", at = [0, 0.5, 0], cloth = { size = [0.4, 0.2], cells = [4, 2], fabric = { like = "silk", stretch = [500, 300] }, pins = [{ min = [-0.2, 0, -0.1], max = [-0.2, 0, 0.1] }] } },
  { name = "ball", at = [1, 0.6, 0], velocity = [1, 0, 0], solid = { sphere = 0.1, halvings = 1, layers = [2, 1], elastic = "rubber" } },
]
probe = [
  { name = "corner", of = "sheet[4].position", component = "y" },
  { name = "held", of = "sheet[0].displacement", component = "length" },
  { name = "ball", of = "ball.displacement", component = "x" },
  { name = "width", of = "ball.extent", component = "x" },
  { name = "energy", of = "ball.energy" },
]
"#;

fn load() -> Scene {
    scene::load(SCENE, "soft.toml", &NoAssets).expect("a scene")
}

#[test]
fn a_scene_with_soft_bodies_runs_and_is_probed() {
    let mut scene = load();
    assert_eq!((scene.world.bodies().len(), scene.world.softs().len()), (1, 2));
    for _ in 0..20 {
        scene.world.step();
    }
    let value = |name: &str| {
        let probe = scene.probes.iter().find(|p| p.name == name).expect("a probe");
        probe.value(&scene.world)
    };
    // The free end of the sheet falls; the held end does not.
    assert!(value("corner") < 0.45, "{}", value("corner"));
    assert_eq!(value("held"), 0.0);
    assert!((value("ball") - 0.2).abs() < 1e-6, "{}", value("ball"));
    assert!((value("width") - 0.2).abs() < 0.02);
    assert!(value("energy") > 0.0);
    assert!(scene.world.report().soft_error.is_none());
}

#[test]
fn caches_are_read_by_others() {
    let mut scene = load();
    let mut recorder = Recorder::new(&scene.world, Vec::new(), 5);
    recorder.observe(&scene.world, &[]);
    for _ in 0..20 {
        scene.world.step();
        recorder.observe(&scene.world, &[]);
    }
    let (recording, summary) = recorder.finish(&scene.world, &[]);
    assert_eq!(recording.softs.len(), 2);
    assert!(summary.soft_error.is_none());
    let sheet = &recording.softs[0];
    assert_eq!((sheet.frames(), sheet.vertices), (5, 16));
    let text = recording.softs[1].obj(2);
    let options = tobj::LoadOptions::default();
    let (models, _) = tobj::load_obj_buf(&mut text.as_slice(), &options, |_| {
        Err(tobj::LoadError::GenericFailure)
    })
    .expect("an OBJ file");
    assert_eq!(models[0].mesh.indices.len(), 3 * recording.softs[1].triangles.len());
    let mut archive = std::io::Cursor::new(Vec::new());
    recording.write_npz(&mut archive).expect("an archive");
    assert!(archive.get_ref().windows(15).any(|w| w == b"soft_1_position"));
}
