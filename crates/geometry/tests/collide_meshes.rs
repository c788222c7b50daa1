//! Meshes that meet meshes and height fields, at points.

mod collide_support;

use std::sync::Arc;

use asperity::{BodyDesc, BodyKind};
use asperity_geometry::collision::Manifold;
use asperity_geometry::shape::{MeshData, Shape};
use asperity_scene::{self as scene, NoAssets};
use collide_support::*;
use glamx::{DPose3, DVec2, DVec3};

/// A box of 12 triangles, with these half extents.
fn block(x: f64, y: f64, z: f64) -> Shape {
    let corner = |k: u32| {
        let sign = |bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        DVec3::new(x * sign(0), y * sign(1), z * sign(2))
    };
    let quads: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    mesh((0..8).map(corner).collect(), triangles)
}

/// A ball of quads and triangles, with corners on the sphere.
fn ball(radius: f64, rings: u32) -> Shape {
    let (n, around) = (rings, 2 * rings);
    let mut positions = vec![DVec3::NEG_Y * radius];
    for i in 1..n {
        let (s, c) = (std::f64::consts::PI * f64::from(i) / f64::from(n)).sin_cos();
        for k in 0..around {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(around)).sin_cos();
            positions.push(DVec3::new(s * cos, -c, s * sin) * radius);
        }
    }
    let top = positions.len() as u32;
    positions.push(DVec3::Y * radius);
    let at = |i: u32, k: u32| match i {
        0 => 0,
        i if i == n => top,
        i => 1 + (i - 1) * around + k % around,
    };
    let mut triangles = Vec::new();
    for i in 0..n {
        for k in 0..around {
            let (p, q, r, s) = (at(i, k), at(i, k + 1), at(i + 1, k), at(i + 1, k + 1));
            if p != q {
                triangles.push([p, r, q]);
            }
            if r != s {
                triangles.push([q, r, s]);
            }
        }
    }
    mesh(positions, triangles)
}

fn mesh(positions: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Shape {
    Shape::Mesh(Arc::new(MeshData { positions, triangles, ..MeshData::default() }))
}

fn waves() -> Shape {
    let n = 41;
    let at = |i: usize| 2.0 * (i as f64 / (n - 1) as f64 - 0.5);
    let heights = (0..n * n).map(|k| 0.05 * (3.0 * at(k % n)).cos() * (2.0 * at(k / n)).cos());
    let size = DVec2::new(2.0, 2.0);
    Shape::HeightField { heights: heights.collect(), rows: n, columns: n, size }
}

fn middle(m: &Manifold) -> DVec3 {
    m.points.iter().map(|p| 0.5 * (p.on_a + p.on_b)).sum::<DVec3>() / m.points.len() as f64
}

#[test]
fn a_block_on_a_block_touches_at_the_corners_of_what_they_share() {
    let (lower, upper) = (block(0.5, 0.5, 0.5), block(0.2, 0.2, 0.3));
    for pose in [at(0.1, 0.69, 0.0), turned(-0.05, 0.69, 0.1, DVec3::Y, 0.4)] {
        let found = contacts((&lower, at(0.0, 0.0, 0.0)), (&upper, pose), 1e-3);
        assert_eq!(found.len(), 1);
        let m = &found[0];
        assert!((m.normal - DVec3::Y).length() < 1e-12, "{:?}", m.normal);
        assert!(m.points.iter().all(|p| (p.gap + 0.01).abs() < 1e-12), "{:?}", m.points);
        for (x, z) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let corner = pose.transform_point(DVec3::new(0.2 * x, -0.2, 0.3 * z));
            let near = |p: &asperity_geometry::collision::Point| (p.on_b - corner).length() < 1e-9;
            assert!(m.points.iter().any(near), "{corner} in {:?}", m.points);
        }
        assert!(
            (middle(m) - DVec3::new(pose.translation.x, 0.495, pose.translation.z)).length() < 1e-9
        );
    }
}

#[test]
fn two_balls_are_as_deep_as_the_lens_they_share_is_thick() {
    let (small, large) = (ball(0.1, 24), ball(0.3, 48));
    let way = DVec3::new(0.3, 0.9, -0.2).normalize();
    for depth in [0.005, 0.02] {
        let pose = DPose3::from_translation(way * (0.4 - depth));
        let found = contacts((&large, at(0.0, 0.0, 0.0)), (&small, pose), 1e-3);
        assert_eq!(found.len(), 1);
        let m = &found[0];
        // Corners lie on the spheres: faces are inside by r (1 − cos(π/48)) and alike.
        let tessellation = 0.1 * 0.0086 + 0.3 * 0.0022;
        let deepest = m.points.iter().map(|p| -p.gap).fold(0.0, f64::max);
        assert!(m.normal.angle_between(way) < 0.02, "{}", m.normal.angle_between(way));
        assert!(deepest <= depth && deepest > depth - tessellation, "{deepest} of {depth}");
        assert!(m.points.len() >= 5 && m.points.iter().all(|p| p.gap <= 0.0));
        assert!((middle(m) - way * 0.3).length() < 0.02);
    }
}

#[test]
fn a_mesh_on_a_height_field_is_found_as_the_same_box_is() {
    let (ground, cube) = (waves(), block(0.1, 0.1, 0.1));
    let pose = turned(0.02, 0.14, 0.03, DVec3::new(1.0, 0.3, 0.2).normalize(), 0.3);
    let found = contacts((&ground, at(0.0, 0.0, 0.0)), (&cube, pose), 1e-3);
    assert_eq!(found.len(), 1);
    let lowest = support(&cuboid(0.1, 0.1, 0.1), &pose, DVec3::NEG_Y);
    let height = 0.05 * (3.0 * lowest.x).cos() * (2.0 * lowest.z).cos();
    let deepest = found[0].points.iter().map(|p| -p.gap).fold(0.0, f64::max);
    assert!(found[0].normal.y > 0.9);
    assert!((0.3..1.2).contains(&(deepest / (height - lowest.y))), "{deepest}");
}

#[test]
fn mesh_blocks_stand_on_each_other_by_points() {
    let text = r#"
version = 1
world = { dt = 0.01 }
material.any = { density = 1000 }
pair.default = { section = { model = "coulomb", mu = 0.5 } }
body = []
"#;
    let mut world = scene::load(text, "meshes.toml", &NoAssets).unwrap().world;
    let mut ground = BodyDesc::new("ground", block(1.0, 0.5, 1.0));
    (ground.kind, ground.pose) = (BodyKind::Fixed, at(0.0, -0.5, 0.0));
    world.add_body(ground).unwrap();
    for k in 0..3 {
        let mut desc = BodyDesc::new(format!("b{k}"), block(0.1, 0.05, 0.1));
        desc.pose = turned(
            0.01 * f64::from(k),
            0.05 + 0.1 * f64::from(k),
            0.0,
            DVec3::Y,
            0.2 * f64::from(k),
        );
        world.add_body(desc).unwrap();
    }
    for _ in 0..200 {
        world.step();
        assert_eq!(world.report().unsupported, 0);
    }
    for (k, body) in world.bodies()[1..].iter().enumerate() {
        let y = 0.05 + 0.1 * k as f64;
        assert!((body.pose.translation.y - y).abs() < 1e-3, "{k}: {:?}", body.pose);
        assert!(body.linear_velocity.length() < 1e-6, "{k}: {:?}", body.linear_velocity);
    }
}
