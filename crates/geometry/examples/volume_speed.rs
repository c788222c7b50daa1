//! How long overlaps take: a bumpy cube of many triangles on a plane, on a slab, on another one.
//! `cargo run --release -p asperity-geometry --example volume_speed [cells]`

use std::sync::Arc;
use std::time::Instant;

use asperity_geometry::shape::{MeshData, Shape};
use asperity_geometry::volume::{ClosedShape, Scratch, overlaps};
use glamx::{DPose3, DVec3};

/// A cube of edge 1 with bumps: `cells` squares along an edge, 12 cells² triangles.
fn bumpy_cube(cells: u32) -> Shape {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for face in 0..6_usize {
        let (axis, sign) = (face % 3, if face < 3 { 1.0 } else { -1.0 });
        let first = positions.len() as u32;
        for i in 0..=cells {
            for j in 0..=cells {
                let [u, v] = [i, j].map(|k| f64::from(k) / f64::from(cells) - 0.5);
                let (n, a, b) =
                    (DVec3::AXES[axis], DVec3::AXES[(axis + 1) % 3], DVec3::AXES[(axis + 2) % 3]);
                let edge = (1.0 - (2.0 * u).powi(8)) * (1.0 - (2.0 * v).powi(8));
                let bump = 0.02 * edge * ((40.0 * u).sin() * (40.0 * v).cos()).powi(2);
                // On a grid, so that the faces meet to the last bit.
                let p = n * (sign * (0.5 + bump)) + a * u + b * (v * sign);
                positions.push((p * 2.0_f64.powi(40)).round() / 2.0_f64.powi(40));
            }
        }
        let at = |i: u32, j: u32| first + i * (cells + 1) + j;
        for i in 0..cells {
            for j in 0..cells {
                let (p, q, r, s) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
                triangles.extend([[p, q, r], [p, r, s]]);
            }
        }
    }
    Shape::Mesh(Arc::new(MeshData { positions, triangles, ..MeshData::default() }))
}

/// A wavy ring about Y of 2 × 100 × 51 triangles.
fn ring() -> Shape {
    let (around, across) = (100, 51);
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..around {
        for j in 0..across {
            let turn = |k: u32, n: u32| std::f64::consts::TAU * f64::from(k) / f64::from(n);
            let (a, b) = (turn(i, around), turn(j, across));
            let tube = 0.15 * (1.0 + 0.2 * (7.0 * a).sin() * (3.0 * b).cos());
            let r = 0.5 + tube * b.cos();
            positions.push(DVec3::new(r * a.cos(), tube * b.sin(), -r * a.sin()));
            let n = |i: u32, j: u32| (i % around) * across + j % across;
            let (p, q, r, s) = (n(i, j), n(i + 1, j), n(i + 1, j + 1), n(i, j + 1));
            triangles.extend([[p, q, r], [p, r, s]]);
        }
    }
    Shape::Mesh(Arc::new(MeshData { positions, triangles, ..MeshData::default() }))
}

fn main() {
    let cells = std::env::args().nth(1).and_then(|w| w.parse().ok()).unwrap_or(128);
    let start = Instant::now();
    let cube = ClosedShape::new(&bumpy_cube(cells)).expect("the cube is closed");
    println!(
        "{} triangles, built in {:.0} ms",
        cube.triangles(),
        1e3 * start.elapsed().as_secs_f64()
    );
    let plane = ClosedShape::new(&Shape::HalfSpace { normal: DVec3::Y }).expect("a plane");
    let half_extents = DVec3::new(5.0, 0.5, 5.0);
    let slab = ClosedShape::new(&Shape::Box { half_extents }).expect("a box");
    let at = |y: f64| DPose3::from_translation(DVec3::Y * y);
    let tilted = DPose3::new(DVec3::new(0.1, 1.015, 0.05), DVec3::new(0.01, 0.3, 0.02));
    let ring = ClosedShape::new(&ring()).expect("the ring is closed");
    let near = |y: f64| DPose3::new(DVec3::new(0.3, y, 0.1), DVec3::new(0.4, 0.2, 1.0));
    for (name, body, pose, other, pose_other) in [
        ("two rings, a touch", &ring, near(0.62), &ring, at(0.0)),
        ("two rings through each other", &ring, near(0.3), &ring, at(0.0)),
    ] {
        report(name, other, &pose_other, body, &pose);
    }
    for (name, other, pose_other, pose) in [
        ("on a plane, 1 mm deep", &plane, at(0.0), at(0.519)),
        ("in a plane, 2 cm deep", &plane, at(0.0), at(0.5)),
        ("in a plane, half", &plane, at(0.0), at(0.0)),
        (
            "in a plane, turned",
            &plane,
            at(0.0),
            DPose3::new(DVec3::Y * 0.6, DVec3::new(0.5, 0.3, 0.6)),
        ),
        ("on a box, 1 mm deep", &slab, at(-0.5), at(0.519)),
        ("in a box, 2 cm deep", &slab, at(-0.5), at(0.5)),
        ("on its like, turned a little", &cube, at(0.0), tilted),
    ] {
        report(name, other, &pose_other, &cube, &pose);
    }
}

/// The best of twenty.
fn report(name: &str, a: &ClosedShape, pose_a: &DPose3, b: &ClosedShape, pose_b: &DPose3) {
    let (mut scratch, mut out) = (Scratch::default(), Vec::new());
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let start = Instant::now();
        overlaps(a, pose_a, b, pose_b, &mut scratch, &mut out);
        best = best.min(start.elapsed().as_secs_f64());
    }
    let volume: f64 = out.iter().map(|o| o.volume).sum();
    println!("{:>8.3} ms  {name}: {} overlaps, {volume:.3e} m³", 1e3 * best, out.len());
}
