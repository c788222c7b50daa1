//! Meshes and height fields.

mod collide_support;

use std::sync::Arc;

use asperity_geometry::collision::{Collision, Manifold};
use asperity_geometry::shape::{MeshData, Shape};
use collide_support::*;
use glamx::{DPose3, DVec2, DVec3};

/// A flat square of cells, split into triangles in turns of the diagonal.
fn floor_mesh(cells: usize, size: f64) -> Shape {
    let n = cells + 1;
    let at = |i: usize| size * (i as f64 / cells as f64 - 0.5);
    let positions = (0..n * n).map(|k| DVec3::new(at(k % n), 0.0, at(k / n))).collect();
    let mut triangles = Vec::new();
    for r in 0..cells {
        for c in 0..cells {
            let i = (r * n + c) as u32;
            let (right, below) = (i + 1, i + n as u32);
            if (r + c) % 2 == 0 {
                triangles.extend([[i, below, right], [right, below, below + 1]]);
            } else {
                triangles.extend([[i, below, below + 1], [i, below + 1, right]]);
            }
        }
    }
    Shape::Mesh(Arc::new(MeshData { positions, triangles, ..MeshData::default() }))
}

fn heights(n: usize, height: impl Fn(f64, f64) -> f64) -> Shape {
    let at = |i: usize| 2.0 * (i as f64 / (n - 1) as f64 - 0.5);
    Shape::HeightField {
        heights: (0..n * n).map(|k| height(at(k % n), at(k / n))).collect(),
        rows: n,
        columns: n,
        size: DVec2::new(2.0, 2.0),
    }
}

fn movers() -> Vec<Shape> {
    let mut shapes = convex_shapes();
    shapes.push(Shape::Compound(vec![
        (at(-0.15, 0.0, 0.0), cuboid(0.1, 0.1, 0.1)),
        (at(0.15, 0.0, 0.0), cuboid(0.1, 0.1, 0.1)),
    ]));
    shapes
}

#[test]
fn sliding_over_flat_triangles_never_meets_another_normal_than_the_floors() {
    for ground in [floor_mesh(9, 2.0), heights(10, |_, _| 0.0)] {
        for shape in movers() {
            for depth in [-1e-4, -1e-6, -1e-9, 0.0, 1e-6] {
                let mut collision = pair(&ground, &shape);
                for step in 0..60 {
                    let x = -0.5 + f64::from(step) * 0.0173;
                    let mut pose = turned(x, 0.0, 0.3 * x, DVec3::Y, 0.01 * f64::from(step));
                    let low = match &shape {
                        Shape::Compound(_) => 0.1,
                        other => -support(other, &pose, DVec3::NEG_Y).y,
                    };
                    pose.translation.y = low + depth;
                    collision.update(&[at(0.0, 0.0, 0.0), pose], |_| 0.5, 0.01, 1e-3);
                    let found = collision.manifolds();
                    assert!(!found.is_empty(), "{} at {x}", shape.name());
                    for m in found {
                        assert!((m.normal - DVec3::Y).length() < 1e-9, "{} {m:?}", shape.name());
                        let least = m.points.iter().map(|p| p.gap).fold(1.0, f64::min);
                        assert!((least - depth).abs() < 1e-12, "{} {least} {depth}", shape.name());
                    }
                }
            }
        }
    }
}

#[test]
fn a_box_on_flat_triangles_is_one_manifold_of_its_four_corners() {
    let ground = floor_mesh(9, 2.0);
    let block = cuboid(0.3, 0.1, 0.2);
    let found = contacts(
        (&ground, at(0.0, 0.0, 0.0)),
        (&block, turned(0.1, 0.1, 0.05, DVec3::Y, 0.4)),
        1e-3,
    );
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].points.len(), 4);
    for p in &found[0].points {
        assert!(p.gap.abs() < 1e-12);
        // The triangle named is the one under the point.
        let Shape::Mesh(mesh) = &ground else { unreachable!() };
        let [a, b, c] = mesh.triangles[p.parts[0] as usize].map(|i| mesh.positions[i as usize]);
        for (s, t) in [(a, b), (b, c), (c, a)] {
            assert!((t - s).cross(p.on_a - s).y > -1e-9);
        }
    }
}

#[test]
fn ids_stay_while_a_box_slides_from_triangle_to_triangle() {
    let ground = floor_mesh(9, 2.0);
    let ids = |x: f64| -> Vec<u64> {
        let found = contacts(
            (&ground, at(0.0, 0.0, 0.0)),
            (&cuboid(0.3, 0.1, 0.2), at(x, 0.1, 0.03)),
            1e-3,
        );
        let mut ids: Vec<u64> = found[0].points.iter().map(|p| p.id).collect();
        ids.sort_unstable();
        ids
    };
    let first = ids(0.0);
    for i in 0..40 {
        assert_eq!(ids(0.007 * f64::from(i)), first, "step {i}");
    }
}

#[test]
fn sphere_on_a_slope_and_over_a_ridge_has_the_exact_gap() {
    let ball = Shape::Sphere { radius: 0.1 };
    // A roof along z: |x| falls at 45 degrees.
    let roof = heights(9, |x, _| -x.abs());
    let normal = DVec3::new(1.0, 1.0, 0.0).normalize();
    let on_slope = DVec3::new(0.3, -0.3, 0.11) + normal * 0.105;
    let found =
        contacts((&roof, at(0.0, 0.0, 0.0)), (&ball, DPose3::from_translation(on_slope)), 0.02);
    assert_eq!(found.len(), 1);
    assert!((found[0].normal - normal).length() < 1e-12);
    assert!((found[0].points[0].gap - 0.005).abs() < 1e-12);
    // On the ridge itself: one contact, straight up, although many triangles meet there.
    for z in [0.11, 0.25, 0.0] {
        let found = contacts((&roof, at(0.0, 0.0, 0.0)), (&ball, at(0.0, 0.1, z)), 0.02);
        let points: Vec<_> = found.iter().flat_map(|m| &m.points).collect();
        assert!(points.iter().all(|p| p.gap.abs() < 1e-12 && p.on_a.length() - z < 1e-12));
        assert!(found.iter().all(|m| (m.normal - DVec3::Y).length() < 1e-12), "{found:?}");
        assert!(points.len() <= 2);
    }
    // In a valley: two slopes, two normals.
    let valley = heights(9, |x, _| x.abs());
    let found =
        contacts((&valley, at(0.0, 0.0, 0.0)), (&ball, at(0.0, 0.1 * 2f64.sqrt(), 0.1)), 0.02);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|m| m.points[0].gap.abs() < 1e-12));
}

fn cube_mesh(h: f64) -> MeshData {
    let sign = |i: usize, bit: usize| if i >> bit & 1 == 1 { h } else { -h };
    let positions = (0..8).map(|i| DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect();
    let quads: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    MeshData { positions, triangles, ..MeshData::default() }
}

#[test]
fn a_mesh_cube_touches_like_a_box() {
    let cube = Shape::Mesh(Arc::new(cube_mesh(0.5)));
    let block = cuboid(0.2, 0.2, 0.2);
    // On top, over an edge, at a side.
    for place in [DVec3::new(0.1, 0.7, 0.2), DVec3::new(0.5, 0.7, 0.0), DVec3::new(0.7, 0.1, 0.0)] {
        let found =
            contacts((&cube, at(0.0, 0.0, 0.0)), (&block, DPose3::from_translation(place)), 1e-3);
        let like = contacts(
            (&cuboid(0.5, 0.5, 0.5), at(0.0, 0.0, 0.0)),
            (&block, DPose3::from_translation(place)),
            1e-3,
        );
        assert_eq!(found.len(), 1, "{place}: {found:#?}");
        assert!((found[0].normal - like[0].normal).length() < 1e-12);
        let reach =
            |m: &Manifold| m.points.iter().map(|p| p.on_a).fold(DVec3::NEG_INFINITY, DVec3::max);
        assert!((reach(&found[0]) - reach(&like[0])).length() < 1e-9);
        assert_eq!(found[0].points.len(), 4);
    }
    // As the moving body on a half-space.
    let found = contacts((&floor(), at(0.0, 0.0, 0.0)), (&cube, at(0.0, 0.5, 0.0)), 1e-3);
    assert_eq!(found[0].points.len(), 4);
    assert!(found[0].points.iter().all(|p| p.gap.abs() < 1e-12));
    // And under a box that does not move.
    let found = contacts((&block, at(0.0, 0.0, 0.0)), (&cube, at(0.0, 0.7, 0.0)), 1e-3);
    assert_eq!(found.len(), 1);
    assert!((found[0].normal - DVec3::Y).length() < 1e-12);
}

#[test]
fn mesh_against_mesh_is_reported_as_unsupported() {
    let cube = Shape::Mesh(Arc::new(cube_mesh(0.5)));
    let mut collision = pair(&floor_mesh(3, 2.0), &cube);
    collision.update(&[at(0.0, 0.0, 0.0), at(0.0, 0.4, 0.0)], |_| 0.0, 0.01, 1e-3);
    assert_eq!(collision.unsupported_pairs(), &[(0, 1)]);
    assert!(collision.manifolds().is_empty());
}

#[test]
fn bumpy_ground_never_lets_a_resting_shape_through() {
    let ground = heights(20, |x, z| 0.05 * (7.0 * x).sin() * (5.0 * z).cos());
    let mut numbers = Numbers(41);
    for shape in convex_shapes() {
        let mut collision: Collision = pair(&ground, &shape);
        for _ in 0..30 {
            let spot = numbers.vector() * DVec3::new(0.5, 0.0, 0.5);
            let mut pose = DPose3::from_parts(spot, numbers.rotation());
            pose.translation.y = 0.3;
            // Down until it touches, by the gaps found.
            for _ in 0..40 {
                collision.update(&[at(0.0, 0.0, 0.0), pose], |_| 0.0, 0.01, 0.1);
                let points = collision.manifolds().iter().flat_map(|m| &m.points);
                let least = points.map(|p| p.gap).fold(f64::INFINITY, f64::min);
                pose.translation.y -= if least.is_finite() { least } else { 0.05 };
            }
            assert!(pose.translation.y > -0.06, "{} fell to {}", shape.name(), pose.translation);
            assert!(collision.manifolds().iter().all(|m| m.normal.y > 0.5));
        }
    }
}

/// A cup upside down: a small base, and above it a wide rim of many corners.
fn goblet() -> Shape {
    let ring = |radius: f64, height: f64| {
        (0..24).map(move |k| {
            let angle = std::f64::consts::TAU * f64::from(k) / 24.0;
            DVec3::new(radius * angle.cos(), height, -radius * angle.sin())
        })
    };
    let mut positions: Vec<DVec3> = ring(0.03, 0.0).chain(ring(0.1, 0.015)).collect();
    positions.extend([DVec3::ZERO, DVec3::Y * 0.1]);
    let mut triangles = Vec::new();
    for k in 0..24_u32 {
        let (a, b) = (k, (k + 1) % 24);
        triangles.extend([[48, b, a], [a, b, b + 24], [a, b + 24, a + 24], [49, a + 24, b + 24]]);
    }
    Shape::Mesh(Arc::new(MeshData { positions, triangles, ..MeshData::default() }))
}

#[test]
fn a_mesh_on_a_plane_keeps_the_corners_it_stands_on_however_fast_it_slides() {
    let goblet = goblet();
    goblet.validate().unwrap();
    for speed in [0.0, 1.0, 3.0] {
        let mut collision = pair(&floor(), &goblet);
        collision.update(&[DPose3::IDENTITY; 2], |body| speed * body as f64, 0.01, 0.002);
        let [manifold] = collision.manifolds() else { panic!("{speed}") };
        assert_eq!(manifold.points.len(), 8, "{speed}");
        assert!(manifold.points.iter().all(|p| p.gap == 0.0), "{speed}: {manifold:?}");
        // They reach all around: none of the corners of the base is far from the weight's reach.
        let reach = |d: DVec3| manifold.points.iter().map(|p| p.on_b.dot(d)).fold(0.0, f64::max);
        for d in [DVec3::X, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Z] {
            assert!(reach(d) > 0.8 * 0.03, "{speed}: {d}");
        }
    }
    // Tilted, it touches with the corners of one side, and the rim above them comes next.
    let pose = turned(0.0, 0.03 * 0.15_f64.sin(), 0.0, DVec3::Z, -0.15);
    let mut collision = pair(&floor(), &goblet);
    collision.update(&[DPose3::IDENTITY, pose], |_| 1.0, 0.01, 0.002);
    let points = &collision.manifolds()[0].points;
    let lowest = points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
    assert!(lowest.abs() < 1e-6 && points.iter().any(|p| p.on_b.x > 0.08), "{points:?}");
}
