//! Scenes with cloth and soft solids: reading, probes, recordings and their caches.

use asperity::record::Recorder;
use asperity::scene::{self, NoAssets, Scene};

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
    let bytes = sheet.glb(&recording.world.time);
    let file = gltf::Gltf::from_slice(&bytes).expect("a glTF file");
    let mesh = file.meshes().next().expect("a mesh");
    let primitive = mesh.primitives().next().expect("triangles");
    assert_eq!(primitive.morph_targets().count(), 4);
    assert_eq!(mesh.weights().map(<[f32]>::len), Some(4));
    let animation = file.animations().next().expect("an animation");
    let sampler = animation.channels().next().expect("a channel").sampler();
    assert_eq!((sampler.input().count(), sampler.output().count()), (5, 20));
    let blob = file.blob.as_deref().expect("numbers");
    let vectors = |accessor: &gltf::Accessor| -> Vec<[f32; 3]> {
        let view = accessor.view().expect("a view");
        let bytes = &blob[view.offset()..view.offset() + view.length()];
        let floats: Vec<f32> = bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes(b.try_into().expect("four bytes")))
            .collect();
        floats.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect()
    };
    let base = vectors(&primitive.get(&gltf::Semantic::Positions).expect("positions"));
    assert_eq!(base, sheet.frame(0));
    let target = primitive.morph_targets().last().expect("a target");
    let last: Vec<[f32; 3]> = vectors(&target.positions().expect("shifts"))
        .iter()
        .zip(&base)
        .map(|(d, p)| [p[0] + d[0], p[1] + d[1], p[2] + d[2]])
        .collect();
    for (a, b) in last.iter().zip(sheet.frame(4)) {
        assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-6), "{a:?} {b:?}");
    }

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
