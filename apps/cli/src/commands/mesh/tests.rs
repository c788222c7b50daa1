//! What a mesh for a body must be.

use std::collections::HashMap;
use std::sync::Arc;

use asperity::geometry::shape::Shape;
use asperity::geometry::volume::ClosedShape;
use asperity::glamx::{DVec2, DVec3};
use asperity_scene::asset::mesh::load;

use super::net::Net;
use super::{What, bunny, distance, figure_mesh, net, write};

const SIZE: f64 = 0.3;

fn bunny_net(cells: usize) -> Net {
    let distance = |p: DVec3| SIZE * bunny::distance(p / SIZE);
    net::net(distance, bunny::BOUNDS.map(|p| p * SIZE), SIZE / cells as f64).unwrap()
}

/// For every directed edge, how many triangles have it.
fn edges(net: &Net) -> HashMap<[u32; 2], usize> {
    let mut edges = HashMap::new();
    for t in &net.triangles {
        for k in 0..3 {
            *edges.entry([t[k], t[(k + 1) % 3]]).or_insert(0) += 1;
        }
    }
    edges
}

#[test]
fn a_bunny_is_one_closed_oriented_surface_without_handles() {
    for cells in [16, 24, 30, 40, 61] {
        let net = bunny_net(cells);
        let edges = edges(&net);
        assert!(edges.values().all(|n| *n == 1), "an edge of three triangles, {cells} cells");
        assert!(edges.keys().all(|[a, b]| edges.contains_key(&[*b, *a])), "open, {cells} cells");
        // Euler: a sphere.
        let corners_and_faces = net.positions.len() + net.triangles.len();
        assert_eq!(corners_and_faces, edges.len() / 2 + 2, "{cells} cells");
        assert!(net.volume().0 > 0.0, "inside out");
    }
}

#[test]
fn triangles_are_well_shaped_and_agree_with_the_normals() {
    for cells in [24, 30, 40, 61] {
        let net = bunny_net(cells);
        for t in &net.triangles {
            let [a, b, c] = t.map(|i| net.positions[i as usize]);
            let (area, longest) = (
                (b - a).cross(c - a),
                (b - a).length().max((c - b).length()).max((a - c).length()),
            );
            // Twice the area over the longest side squared: 0.87 for an equilateral one.
            assert!(area.length() > 0.1 * longest * longest, "{cells} cells: {a} {b} {c}");
            let mean: DVec3 = t.iter().map(|i| net.normals[*i as usize]).sum();
            assert!(area.dot(mean) > 0.0, "{cells} cells: a normal points inwards at {a}");
        }
        assert!(net.normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-12));
    }
}

#[test]
fn a_sphere_comes_out_with_its_volume_and_normals() {
    let sphere = |p: DVec3| distance::ellipsoid(p, DVec3::ZERO, DVec3::ONE);
    let net = net::net(sphere, [DVec3::NEG_ONE, DVec3::ONE], 0.05).unwrap();
    let (volume, centre) = net.volume();
    // Inscribed: below 4/3 pi, and by the square of the cell.
    let exact = 4.0 / 3.0 * std::f64::consts::PI;
    assert!(volume < exact && volume > 0.998 * exact, "{volume}");
    assert!(centre.length() < 1e-6, "{centre}");
    for (p, n) in net.positions.iter().zip(&net.normals) {
        assert!((p.length() - 1.0).abs() < 1e-12 && p.distance(*n) < 1e-7, "{p} {n}");
    }
}

#[test]
fn a_bunny_stands_flat_and_upright() {
    let net = bunny_net(36);
    assert!(net.positions.iter().all(|p| p.y >= 0.0));
    let top = net.positions.iter().map(|p| p.y).fold(0.0, f64::max);
    assert!((top / SIZE - 1.0).abs() < 0.02, "{top}");
    let base: Vec<&DVec3> = net.positions.iter().filter(|p| p.y == 0.0).collect();
    let least =
        |pick: fn(&DVec3) -> f64| base.iter().map(|p| pick(p)).fold(f64::INFINITY, f64::min);
    let centre = net.volume().1;
    // On a slope of 15 degrees the weight is still over the base, whichever way it faces.
    let arm = 15_f64.to_radians().tan() * centre.y;
    assert!(least(|p| p.x) < centre.x - arm && -least(|p| -p.x) > centre.x + arm, "{centre}");
    assert!(least(|p| p.z) < -arm && -least(|p| -p.z) > arm, "{centre}");
}

#[test]
fn box_coordinates_are_metres_and_not_mirrored() {
    let mesh = figure_mesh(What::Bunny, SIZE, Some(36)).unwrap();
    for t in &mesh.triangles {
        let [a, b, c] = t.map(|i| mesh.positions[i as usize]);
        let [ua, ub, uc] = t.map(|i| mesh.uvs[i as usize]);
        let normal = (b - a).cross(c - a);
        // Seen along its axis, a triangle has the area that it has in the picture.
        let seen = normal.abs().max_element();
        let painted = (ub - ua).perp_dot(uc - ua);
        assert!((painted - seen).abs() < 1e-12, "{painted} {seen}");
    }
}

#[test]
fn files_hold_the_mesh_that_was_written() {
    let mesh = figure_mesh(What::Bunny, SIZE, Some(16)).unwrap();
    let alone = |_: &str| unreachable!("the file stands alone");
    for (name, bytes) in [("b.obj", write::obj(&mesh)), ("b.glb", write::glb(&mesh).unwrap())] {
        let read = load(name, &bytes, &alone).unwrap();
        assert_eq!(read.triangles.len(), mesh.triangles.len(), "{name}");
        for (t, s) in read.triangles.iter().zip(&mesh.triangles) {
            for (i, j) in t.iter().zip(s) {
                let (i, j) = (*i as usize, *j as usize);
                assert!(read.positions[i].distance(mesh.positions[j]) < 1e-7, "{name}");
                assert!(read.normals[i].distance(mesh.normals[j]) < 1e-6, "{name}");
                let uv: DVec2 = read.uvs[i];
                assert!(uv.distance(mesh.uvs[j]) < 1e-6, "{name}: {uv} {}", mesh.uvs[j]);
            }
        }
    }
}

#[test]
fn sizes_that_make_no_sense_are_refused() {
    for (size, cells, message) in [
        (0.0, 36, "--size is 0"),
        (f64::NAN, 36, "--size is NaN"),
        (0.3, 2, "--cells is 2"),
        (0.3, 1_000_000, "--cells is 1000000"),
    ] {
        let error = figure_mesh(What::Bunny, size, Some(cells)).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn figures_are_closed_and_make_a_salad_of_a_hundred_thousand_triangles() {
    use What::{Bone, Duck, Gear, Jack, Knot, Mug, Mushroom, Octopus, Pear, Star};
    let mut counts = Vec::new();
    for what in [Mug, Gear, Jack, Knot, Star, Pear, Mushroom, Octopus, Duck, Bone] {
        let mesh = figure_mesh(what, SIZE, None).unwrap();
        // As a body of a scene has it: single precision, and no triangle that is a line.
        let alone = |_: &str| unreachable!("the file stands alone");
        let read = load("a.glb", &write::glb(&mesh).unwrap(), &alone).unwrap();
        let shape = Shape::Mesh(Arc::new(read.into()));
        let closed = ClosedShape::new(&shape).unwrap_or_else(|e| panic!("{what:?}: {e}"));
        counts.push((what, closed.triangles()));
        // Inside the box it was looked for in.
        let [low, high] = what.figure().bounds.map(|p| p * SIZE);
        let room = 0.02 * SIZE;
        for p in &mesh.positions {
            let inside = p.cmpge(low - room).all() && p.cmple(high + room).all();
            assert!(inside, "{what:?}: {p}");
        }
    }
    assert!(counts.iter().all(|(_, n)| (9_000..12_000).contains(n)), "{counts:?}");
    let total: usize = counts.iter().map(|(_, n)| n).sum();
    assert!((100_000..104_000).contains(&total), "{total}");
}

#[test]
fn the_bumpy_cube_has_as_many_triangles_as_that_of_the_paper() {
    let mesh = figure_mesh(What::BumpyCube, SIZE, None).unwrap();
    let count = mesh.triangles.len();
    assert!((190_000..204_000).contains(&count), "{count}");
}
