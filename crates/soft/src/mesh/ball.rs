//! Balls and cylinders of tetrahedra.

use std::collections::BTreeMap;

use glamx::{DVec2, DVec3};

use super::TetMesh;
use super::cloth::MAX_VERTICES;
use crate::SoftError;
use crate::error::{field, positive};

/// A ball centred at the origin: an icosahedron whose faces are halved `halvings` times, repeated
/// in `shells` about a central vertex. It has 20·4^halvings·(3 shells − 2) tetrahedra: 2,240 for
/// 2 halvings and 3 shells.
pub fn sphere(radius: f64, halvings: u32, shells: u32) -> Result<TetMesh, SoftError> {
    positive("radius", radius)?;
    if halvings > 8 {
        return Err(field("halvings", halvings.to_string(), "8 at most"));
    }
    let (directions, faces) = icosphere(halvings);
    let n = directions.len() as u32;
    if shells == 0 || u64::from(shells) * u64::from(n) > MAX_VERTICES {
        let expected = format!("1 or more, {MAX_VERTICES} vertices at most");
        return Err(field("shells", shells.to_string(), expected));
    }
    let mut mesh = TetMesh { positions: vec![DVec3::ZERO], tets: Vec::new() };
    for k in 1..=shells {
        // The inner cone is longer than a shell is thick: its needles are blunt then.
        let r = radius * (f64::from(k) / f64::from(shells)).powf(0.75);
        mesh.positions.extend(directions.iter().map(|d| *d * r));
    }
    mesh.tets.extend(faces.iter().map(|[a, b, c]| [0, a + 1, b + 1, c + 1]));
    for k in 1..shells {
        for face in &faces {
            prism(&mut mesh.tets, face.map(|i| 1 + (k - 1) * n + i), n);
        }
    }
    mesh.orient();
    Ok(mesh)
}

/// A cylinder about y, centred at the origin: `rings` about its axis, `layers` along it. It has
/// 18 rings² layers tetrahedra.
pub fn cylinder(radius: f64, height: f64, rings: u32, layers: u32) -> Result<TetMesh, SoftError> {
    positive("radius", radius)?;
    positive("height", height)?;
    let count = 1 + 3 * u64::from(rings) * (u64::from(rings) + 1);
    if rings == 0 || layers == 0 || count.saturating_mul(u64::from(layers) + 1) > MAX_VERTICES {
        let expected = format!("1 or more, {MAX_VERTICES} vertices at most");
        return Err(field("rings, layers", format!("{rings}, {layers}"), expected));
    }
    let (points, faces) = disc(rings);
    let n = points.len() as u32;
    let mut mesh = TetMesh::default();
    for k in 0..=layers {
        let y = height * (f64::from(k) / f64::from(layers) - 0.5);
        mesh.positions.extend(points.iter().map(|p| DVec3::new(p.x * radius, y, p.y * radius)));
    }
    for k in 0..layers {
        for face in &faces {
            prism(&mut mesh.tets, face.map(|i| k * n + i), n);
        }
    }
    mesh.orient();
    Ok(mesh)
}

/// Three tetrahedra between a triangle and the same one `lift` vertices on. The diagonals of the
/// sides follow from the order of the vertices, so that neighbours agree.
fn prism(tets: &mut Vec<[u32; 4]>, mut face: [u32; 3], lift: u32) {
    face.sort_unstable();
    let [a, b, c] = face;
    tets.extend([
        [a, b, c, c + lift],
        [a, b, b + lift, c + lift],
        [a, a + lift, b + lift, c + lift],
    ]);
}

/// A disc of radius 1: ring k has 6 k points.
fn disc(rings: u32) -> (Vec<DVec2>, Vec<[u32; 3]>) {
    let mut points = vec![DVec2::ZERO];
    let mut faces = Vec::new();
    for k in 1..=rings {
        let (inner, outer) =
            (if k == 1 { 0 } else { 1 + 3 * (k - 1) * (k - 2) }, 1 + 3 * k * (k - 1));
        for i in 0..6 * k {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(6 * k);
            points.push(DVec2::from_angle(angle) * (f64::from(k) / f64::from(rings)));
        }
        for side in 0..6 {
            for i in 0..k {
                let at = outer + side * k + i;
                let next = outer + (side * k + i + 1) % (6 * k);
                let below =
                    |j: u32| if k == 1 { 0 } else { inner + (side * (k - 1) + j) % (6 * (k - 1)) };
                faces.push([below(i), at, next]);
                if i + 1 < k {
                    faces.push([below(i), next, below(i + 1)]);
                }
            }
        }
    }
    (points, faces)
}

/// Unit vectors and faces of an icosahedron with halved edges.
fn icosphere(halvings: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let g = f64::midpoint(1.0, 5.0_f64.sqrt());
    let mut points = Vec::new();
    for (s, t) in [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
        points.extend([
            DVec3::new(s, t * g, 0.0),
            DVec3::new(0.0, s, t * g),
            DVec3::new(t * g, 0.0, s),
        ]);
    }
    for p in &mut points {
        *p = p.normalize();
    }
    // Faces: three vertices that are all neighbours.
    let edge = 1.2 * points.iter().skip(1).map(|p| p.distance(points[0])).fold(4.0, f64::min);
    let near = |a: usize, b: usize| points[a].distance(points[b]) < edge;
    let mut faces = Vec::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if near(a, b) && near(b, c) && near(a, c) {
                    faces.push([a as u32, b as u32, c as u32]);
                }
            }
        }
    }
    for _ in 0..halvings {
        let mut middle: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let mut next = Vec::with_capacity(4 * faces.len());
        for [a, b, c] in faces {
            let mut half = |i: u32, j: u32| {
                *middle.entry([i.min(j), i.max(j)]).or_insert_with(|| {
                    points.push((points[i as usize] + points[j as usize]).normalize());
                    points.len() as u32 - 1
                })
            };
            let (ab, bc, ca) = (half(a, b), half(b, c), half(c, a));
            next.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        faces = next;
    }
    (points, faces)
}
