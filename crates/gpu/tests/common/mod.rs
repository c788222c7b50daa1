//! Meshes and a scene to draw.

use asperity_gpu::picture::{Fade, Instance, Look, Mesh, Pattern, Shot, Stage, Vertex, linear};
use glamx::{Mat4, Quat, Vec3};

/// A box about the origin with texture coordinates on every face.
pub(crate) fn cuboid(half: Vec3) -> Mesh {
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let mut n = Vec3::ZERO;
            n[axis] = sign;
            let mut t = Vec3::ZERO;
            t[(axis + 1) % 3] = 1.0;
            let b = n.cross(t);
            let first = mesh.vertices.len() as u32;
            for [u, v] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
                mesh.vertices.push(Vertex {
                    position: ((n + t * u + b * v) * half).to_array(),
                    normal: n.to_array(),
                    uv: [0.5 + 0.5 * u, 0.5 + 0.5 * v],
                    tangent: t.extend(1.0).to_array(),
                });
            }
            mesh.triangles.push([first, first + 1, first + 2]);
            mesh.triangles.push([first, first + 2, first + 3]);
        }
    }
    mesh
}

/// A ball.
pub(crate) fn ball(radius: f32) -> Mesh {
    let (rows, columns) = (24, 48);
    let mut mesh = Mesh::default();
    for r in 0..=rows {
        for c in 0..=columns {
            let (lat, lon) = (
                std::f32::consts::PI * (r as f32 / rows as f32 - 0.5),
                std::f32::consts::TAU * c as f32 / columns as f32,
            );
            let n = Vec3::new(lat.cos() * lon.cos(), lat.sin(), -lat.cos() * lon.sin());
            mesh.vertices.push(Vertex {
                position: (n * radius).to_array(),
                normal: n.to_array(),
                uv: [c as f32 / columns as f32, r as f32 / rows as f32],
                tangent: [-lon.sin(), 0.0, -lon.cos(), 1.0],
            });
            if r > 0 && c > 0 {
                let d = r * (columns + 1) + c;
                let [a, b, c] = [d - columns - 2, d - columns - 1, d - 1];
                mesh.triangles.push([a, b, d].map(|i| i as u32));
                mesh.triangles.push([a, d, c].map(|i| i as u32));
            }
        }
    }
    mesh
}

/// A ground (id 1), two boxes, a ball, a box behind the camera (id 5) and one behind another.
pub(crate) fn scene(size: [u32; 2]) -> (Stage, Shot) {
    let ground = Mesh::flat(
        &[[-9.0, 0.0, -9.0], [-9.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, -9.0]],
        &[[0, 1, 2], [0, 2, 3]],
    );
    let stage = Stage {
        meshes: vec![ground, cuboid(Vec3::new(0.4, 0.3, 0.5)), ball(0.5)],
        ..Stage::default()
    };
    let mut shot = Shot::new(size);
    shot.identities = true;
    shot.camera.eye = Vec3::new(2.2, 1.8, 3.4);
    shot.camera.at = Vec3::new(0.0, 0.3, 0.0);
    let place = |turn: f32, x: f32, y: f32, z: f32| {
        Mat4::from_rotation_translation(Quat::from_rotation_y(turn), Vec3::new(x, y, z))
    };
    let look = |rgb| Look { colour: linear(rgb), ..Look::default() };
    let mut add = |mesh, id, world_from_mesh, look| {
        shot.instances.push(Instance { mesh, world_from_mesh, look, id });
    };
    let fade = Fade { centre: Vec3::ZERO, inner: 3.0, outer: 6.0 };
    let ground = Look {
        pattern: Pattern::Grid { size: 0.5, strength: 0.25 },
        fade: Some(fade),
        casts_shadow: false,
        ..look([220, 220, 216])
    };
    add(0, 1, Mat4::IDENTITY, ground);
    let grain = Pattern::Grain { direction: [0.0, 0.0, 1.0], width: 0.03, strength: 0.45 };
    add(1, 2, place(0.4, -0.8, 0.3, 0.0), Look { pattern: grain, ..look([200, 150, 90]) });
    add(1, 3, place(-0.3, 0.6, 0.3, -0.9), look([70, 120, 180]));
    add(
        2,
        4,
        place(0.3, 0.5, 0.5, 0.6),
        Look { pattern: Pattern::Octants(0.3), ..look([190, 70, 60]) },
    );
    // Behind the camera, and behind the first box.
    add(1, 5, place(0.0, 5.0, 2.0, 6.0), look([255, 0, 255]));
    add(
        2,
        6,
        Mat4::from_scale_rotation_translation(
            Vec3::splat(0.2),
            Quat::IDENTITY,
            Vec3::new(-1.25, 0.15, -0.7),
        ),
        look([0, 255, 0]),
    );
    (stage, shot)
}
