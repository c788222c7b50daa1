//! Animated glTF files, read by another program's reader.

use asperity::geometry::shape::Shape;
use asperity::glamx::{DPose3, DQuat, DVec2, DVec3};
use asperity_scene::record::glb::Glb;
use gltf::animation::util::ReadOutputs;

fn read(bytes: &[u8]) -> (gltf::Gltf, Vec<u8>) {
    let file = gltf::Gltf::from_slice(bytes).unwrap_or_else(|e| panic!("{e}"));
    let blob = file.blob.clone().unwrap_or_default();
    (file, blob)
}

#[test]
fn a_body_that_moves_is_where_it_was() {
    let mut glb = Glb::default();
    let times = [0.0, 0.5, 1.0];
    let turn = |angle: f64| DQuat::from_rotation_z(angle);
    let poses = [0.0, 1.5, 3.0]
        .map(|t| DPose3 { translation: DVec3::new(t, 0.0, 1.0), rotation: turn(2.0 * t) });
    let skin = Shape::Box { half_extents: DVec3::splat(0.5) }.skin(8, 1.0).unwrap();
    let (list, mesh) = (glb.add_times(&times), glb.add_skin(&skin));
    glb.add_body("block", mesh, list, &poses);
    let bytes = glb.finish(DVec3::Z).unwrap();
    let (file, blob) = read(&bytes);
    let node = file.nodes().find(|n| n.name() == Some("block")).unwrap();
    assert_eq!(node.mesh().unwrap().primitives().count(), 1);
    let animation = file.animations().next().unwrap();
    let mut seen = 0;
    for channel in animation.channels() {
        let reader = channel.reader(|_| Some(&blob));
        let found: Vec<f32> = reader.read_inputs().unwrap().collect();
        assert_eq!(found, times.map(|t| t as f32));
        match reader.read_outputs().unwrap() {
            ReadOutputs::Translations(list) => {
                for (p, pose) in list.zip(&poses) {
                    assert_eq!(p, pose.translation.as_vec3().to_array());
                    seen += 1;
                }
            }
            ReadOutputs::Rotations(list) => {
                let list: Vec<[f32; 4]> = list.into_f32().collect();
                for (q, pose) in list.iter().zip(&poses) {
                    let q = DQuat::from_array(q.map(f64::from));
                    assert!(q.dot(pose.rotation).abs() > 1.0 - 1e-6);
                    seen += 1;
                }
                // The short way from frame to frame.
                let dot = |a: &[f32; 4], b: &[f32; 4]| (0..4).map(|k| a[k] * b[k]).sum::<f32>();
                assert!(list.windows(2).all(|w| dot(&w[0], &w[1]) > 0.0));
            }
            _ => panic!("another channel"),
        }
    }
    assert_eq!(seen, 6);
    // Up becomes y.
    let root = file.nodes().find(|n| n.name() == Some("world")).unwrap();
    let (_, q, _) = root.transform().decomposed();
    let up = DQuat::from_array(q.map(f64::from)) * DVec3::Z;
    assert!(up.distance(DVec3::Y) < 1e-6);
}

/// A square of two triangles.
const TWO: [[u32; 3]; 2] = [[0, 1, 2], [1, 3, 2]];

#[test]
fn a_mesh_that_changes_shape_has_a_target_for_each_frame() {
    let frame =
        |z: f64| vec![DVec3::ZERO, DVec3::X, DVec3::new(0.0, 1.0, z), DVec3::new(1.0, 1.0, -z)];
    let frames = [frame(0.0), frame(0.5), frame(1.0)];
    let uvs = [DVec2::ZERO, DVec2::X, DVec2::Y, DVec2::ONE];
    let mut glb = Glb::default();
    let times = glb.add_times(&[0.0, 0.1, 0.2]);
    let mesh = glb.add_morph(&frames, &TWO, (&uvs, &TWO));
    glb.add_soft("sheet", mesh, times);
    let bytes = glb.finish(DVec3::Y).unwrap();
    let (file, blob) = read(&bytes);
    let mesh = file.meshes().next().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&blob));
    let first: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
    let targets: Vec<_> = reader.read_morph_targets().collect();
    assert_eq!(targets.len(), 2);
    for ((moved, normals, _), frame) in targets.into_iter().zip(&frames[1..]) {
        for ((p, d), q) in first.iter().zip(moved.unwrap()).zip(frame) {
            let at =
                DVec3::new(f64::from(p[0] + d[0]), f64::from(p[1] + d[1]), f64::from(p[2] + d[2]));
            assert!(at.distance(*q) < 1e-6);
        }
        assert_eq!(normals.unwrap().count(), 4);
    }
    let channel = file.animations().next().unwrap().channels().next().unwrap();
    let reader = channel.reader(|_| Some(&blob));
    let ReadOutputs::MorphTargetWeights(weights) = reader.read_outputs().unwrap() else {
        panic!("another channel")
    };
    assert_eq!(weights.into_f32().collect::<Vec<_>>(), [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn a_vertex_at_a_seam_is_there_for_each_of_its_uvs() {
    let frame = |z: f64| vec![DVec3::ZERO, DVec3::X, DVec3::new(0.0, 1.0, z), DVec3::ONE];
    let uvs = [DVec2::ZERO, DVec2::X, DVec2::Y, DVec2::splat(5.0), DVec2::splat(6.0), DVec2::ONE];
    let mut glb = Glb::default();
    let times = glb.add_times(&[0.0, 0.1]);
    // The second triangle has uvs of its own: vertices 1 and 2 are at a seam.
    let mesh = glb.add_morph(&[frame(0.0), frame(0.5)], &TWO, (&uvs, &[[0, 1, 2], [3, 5, 4]]));
    glb.add_soft("sheet", mesh, times);
    let bytes = glb.finish(DVec3::Y).unwrap();
    let (file, blob) = read(&bytes);
    let mesh = file.meshes().next().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&blob));
    let positions: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
    let normals: Vec<[f32; 3]> = reader.read_normals().unwrap().collect();
    let coordinates: Vec<[f32; 2]> =
        reader.read_tex_coords(0).unwrap().into_f32().map(|[u, v]| [u, 1.0 - v]).collect();
    let corners: Vec<usize> =
        reader.read_indices().unwrap().into_u32().map(|i| i as usize).collect();
    assert_eq!((positions.len(), corners.len()), (6, 6));
    let (vertices, named) = ([0, 1, 2, 1, 3, 2], [0, 1, 2, 3, 5, 4]);
    for (k, corner) in corners.into_iter().enumerate() {
        assert_eq!(positions[corner], frame(0.0)[vertices[k]].as_vec3().to_array());
        assert_eq!(coordinates[corner], uvs[named[k]].as_vec2().to_array());
        // Both sides of the seam are shaded as one.
        let like = positions.iter().position(|p| *p == positions[corner]).unwrap();
        assert_eq!(normals[corner], normals[like]);
    }
}

#[test]
fn nothing_is_a_file_too() {
    let mut glb = Glb::default();
    let times = glb.add_times(&[]);
    let mesh = glb.add_morph(&[], &[], (&[], &[]));
    glb.add_soft("nothing", mesh, times);
    assert!(glb.finish(DVec3::ZERO).is_ok());
    assert!(gltf::Gltf::from_slice(&Glb::default().finish(DVec3::Y).unwrap()).is_ok());
}
