//! Convex bodies in holes of meshes, and on their rims.

mod collide_support;

use std::f64::consts::PI;
use std::sync::Arc;

use asperity_geometry::collision::Manifold;
use asperity_geometry::shape::{MeshData, Shape};
use collide_support::*;
use glamx::{DQuat, DVec3};

/// Radius of the corners of a hole, and half the height of what it is in.
const HOLE: f64 = 0.06;
const HALF: f64 = 0.025;

/// A square plate with a hole of so many sides about y.
fn plate(sides: usize) -> Shape {
    let at = |ring: usize, k: usize| {
        let (sin, cos) = (2.0 * PI * (k as f64) / (sides as f64)).sin_cos();
        let [x, z] = if ring.is_multiple_of(2) {
            [HOLE * cos, -HOLE * sin]
        } else {
            let m = 0.5 / cos.abs().max(sin.abs());
            [m * cos, -m * sin]
        };
        DVec3::new(x, if ring < 2 { -HALF } else { HALF }, z)
    };
    let positions = (0..4).flat_map(|ring| (0..sides).map(move |k| at(ring, k))).collect();
    let mut triangles = Vec::new();
    for k in 0..sides {
        let next = (k + 1) % sides;
        let [inner, outer, top, far] = [0, 1, 2, 3].map(|ring| ring * sides);
        let quads = [
            [top + k, far + k, far + next, top + next],
            [inner + k, inner + next, outer + next, outer + k],
            [inner + k, top + k, top + next, inner + next],
            [outer + k, outer + next, far + next, far + k],
        ];
        for [a, b, c, d] in quads.map(|q| q.map(|i| i as u32)) {
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Shape::Mesh(Arc::new(MeshData { positions, triangles, ..MeshData::default() }))
}

fn cylinder(radius: f64, half_height: f64) -> Shape {
    Shape::Cylinder { half_height, radius }
}

fn least(manifolds: &[Manifold]) -> f64 {
    manifolds.iter().flat_map(|m| &m.points).map(|p| p.gap).fold(f64::INFINITY, f64::min)
}

/// What is wider than the hole lies on the rim, wherever it turns, and is not pushed aside by the walls below it.
#[test]
fn heads_on_rims_touch_the_face_alone() {
    let heads = [cylinder(0.1, 0.02), cuboid(0.1, 0.02, 0.03), cuboid(0.09, 0.02, 0.08)];
    for sides in [6, 8, 24] {
        for head in &heads {
            for depth in [-1e-5, 0.0, 1e-6, 1e-5] {
                for k in 0..40 {
                    let angle = 0.157 * f64::from(k);
                    let pose = turned(0.0, HALF + 0.02 - depth, 0.0, DVec3::Y, angle);
                    let found = contacts((&plate(sides), at(0.0, 0.0, 0.0)), (head, pose), 1e-4);
                    let up = |m: &&Manifold| m.normal.y > 1.0 - 1e-9;
                    assert!(found.iter().any(|m| up(&m)), "{sides} sides, depth {depth}: nothing");
                    let lowest = least(&found);
                    assert!(
                        (lowest + depth).abs() < 1e-9,
                        "{sides}, {angle}: {lowest}, not {depth}"
                    );
                }
            }
        }
    }
}

/// A peg is as far from the walls as its radius says, wherever its middle is along the hole.
#[test]
fn pegs_in_holes_touch_the_walls_alone() {
    for sides in [8, 24] {
        let inner = HOLE * (PI / sides as f64).cos();
        for y in [-0.14, -0.05, -HALF, 0.0, 0.01, HALF, 0.05, 0.14] {
            for (x, z) in [(0.0, 0.0), (0.002, 0.0), (0.0011, -0.0017), (-0.004, 0.002)] {
                let radius = 0.05;
                let peg = cylinder(radius, 0.15);
                let found = contacts((&plate(sides), at(0.0, 0.0, 0.0)), (&peg, at(x, y, z)), 0.02);
                let wall = |k: usize| {
                    let (sin, cos) = (2.0 * PI * (k as f64 + 0.5) / sides as f64).sin_cos();
                    inner - x * cos + z * sin - radius
                };
                let expected = (0..sides).map(wall).fold(f64::INFINITY, f64::min);
                let gap = least(&found);
                assert!(
                    (gap - expected).abs() < 1e-9,
                    "{sides} sides at {x}, {y}, {z}: {gap}, not {expected}"
                );
            }
        }
    }
}

/// A peg that leans on the rim touches its edge: as deep as its axis is near the edge, along the shortest way.
#[test]
fn leaning_pegs_touch_the_rim() {
    let (sides, radius) = (8, 0.03);
    for k in 0..sides {
        let corner = |k: usize| {
            let (sin, cos) = (2.0 * PI * (k as f64) / sides as f64).sin_cos();
            DVec3::new(HOLE * cos, HALF, -HOLE * sin)
        };
        let edge = corner((k + 1) % sides) - corner(k);
        let out = DVec3::new(
            corner(k).x + corner((k + 1) % sides).x,
            0.0,
            corner(k).z + corner((k + 1) % sides).z,
        )
        .normalize();
        for (part, lean, depth) in
            [(0.5, 0.5, 1e-6), (0.3, 0.8, 1e-6), (0.7, 0.3, -1e-6), (0.5, 1.1, 1e-5)]
        {
            let touch = corner(k) + edge * part;
            // Leaning outwards over the edge: the axis is across the edge.
            let axis = (DVec3::Y * f64::cos(lean) + out * f64::sin(lean)).normalize();
            let normal = edge.cross(axis).normalize();
            let normal = if normal.y < 0.0 { -normal } else { normal };
            let centre = touch + normal * (radius - depth) + axis * 0.05;
            let rotation = DQuat::from_rotation_arc(DVec3::Y, axis);
            let pose = glamx::DPose3::from_parts(centre, rotation);
            let found =
                contacts((&plate(sides), at(0.0, 0.0, 0.0)), (&cylinder(radius, 0.08), pose), 1e-4);
            let point = found.iter().flat_map(|m| m.points.iter().map(move |p| (m.normal, p)));
            let nearest = point.min_by(|a, b| a.1.gap.total_cmp(&b.1.gap));
            let Some((n, p)) = nearest else { panic!("side {k}, lean {lean}: nothing") };
            assert!(
                (p.gap + depth).abs() < 1e-9,
                "side {k}, lean {lean}: {} not {}",
                p.gap,
                -depth
            );
            assert!((n - normal).length() < 1e-4, "side {k}, lean {lean}: {n}, not {normal}");
        }
    }
}

/// A cone, point down, in a hole: its middle is below the face around the hole, and it lies on the rim.
#[test]
fn plugs_lie_on_rims() {
    let (sides, radius, half) = (8, 0.1, 0.15);
    let cone = Shape::Cone { half_height: half, radius };
    let inner = HOLE * (PI / sides as f64).cos();
    let slope = (radius / (2.0 * half)).atan();
    for depth in [-1e-5, 1e-6, 1e-5] {
        // The way of the flank from the middle of an edge of the rim.
        let apex = HALF - (inner * slope.cos() + depth) / slope.sin();
        assert!(apex + half < HALF);
        let pose = turned(0.0, apex + half, 0.0, DVec3::X, PI);
        let found = contacts((&plate(sides), at(0.0, 0.0, 0.0)), (&cone, pose), 1e-4);
        let gap = least(&found);
        assert!((gap + depth).abs() < 1e-8, "{gap}, not {}", -depth);
        assert!(found.iter().all(|m| m.normal.y > 0.0 && m.normal.y < 0.9));
    }
}

/// Both faces of a sheet of triangles end at its rim: it is no ridge that goes on beyond.
#[test]
fn sheets_of_two_faces_have_edges() {
    let positions = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let positions = positions.map(|(x, z)| DVec3::new(x, 0.0, z)).to_vec();
    let triangles = vec![[0, 2, 1], [0, 3, 2], [0, 1, 2], [0, 2, 3]];
    let sheet = Shape::Mesh(Arc::new(MeshData { positions, triangles, ..MeshData::default() }));
    let ball = Shape::Sphere { radius: 0.1 };
    for y in [-0.05, 0.0, 0.05] {
        let x = 1.0 + (0.01_f64 - y * y).sqrt() - 1e-6;
        let found = contacts((&sheet, at(0.0, 0.0, 0.0)), (&ball, at(x, y, 0.1)), 1e-3);
        let gap = least(&found);
        let expected = f64::hypot(x - 1.0, y) - 0.1;
        assert!((gap - expected).abs() < 1e-9, "at {y}: {gap}, not {expected}");
    }
}
