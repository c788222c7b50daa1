//! Convex hulls.
//!
//! Quickhull, farthest point first, on points moved apart by a few parts in 1e9 so that no four
//! lie in a plane and no three in a line. Triangles that the true points put in one plane are then
//! joined to faces, so the result does not show the displacement.

use std::collections::{HashMap, HashSet};

use glamx::DVec3;

use super::polyhedron::{Polyhedron, newell};
use super::{MIN_SIZE, ShapeError, aspect, count, finite};

/// Displacement of the points, of the hull's extent.
const JOGGLE: f64 = 1e-9;
/// Triangles whose normals differ by less (radians) are one face.
const COPLANAR: f64 = 1e-6;
/// Most points of a hull.
const MAX_POINTS: usize = 10_000;

struct Triangle {
    corners: [u32; 3],
    normal: DVec3,
    offset: f64,
    alive: bool,
}

/// The convex hull, with coplanar triangles joined.
pub(crate) fn convex_hull(points: &[DVec3]) -> Result<Polyhedron, ShapeError> {
    if points.len() < 4 || points.len() > MAX_POINTS {
        let expected = format!("4 to {MAX_POINTS}");
        return Err(count("points of the hull", points.len(), &expected));
    }
    for (i, p) in points.iter().enumerate() {
        finite(&format!("point {i} of the hull"), *p)?;
    }
    let centre = points.iter().sum::<DVec3>() / points.len() as f64;
    let size = points.iter().map(|p| (*p - centre).length()).fold(0.0, f64::max);
    if size < MIN_SIZE {
        return Err(ShapeError::TooSmall { what: "the hull's extent".into(), value: size });
    }
    let failed = |why| ShapeError::Hull { points: points.len(), why };
    let moved: Vec<DVec3> = points
        .iter()
        .enumerate()
        .map(|(i, p)| (*p - centre) * (1.0 + JOGGLE * noise(i)) / size)
        .collect();
    let start = tetrahedron(&moved);
    let [a, b, c, d] = start.map(|i| moved[i as usize]);
    let base = (b - a).cross(c - a);
    let thickness = size * (d - a).dot(base).abs() / base.length();
    if !(thickness >= MIN_SIZE) {
        return Err(ShapeError::Flat {
            thickness: if thickness.is_finite() { thickness } else { 0.0 },
        });
    }
    aspect("the hull", thickness, 2.0 * size)?;
    let triangles = grow(&moved, start).ok_or_else(|| failed("its faces do not close"))?;
    join(points, &triangles).ok_or_else(|| failed("its faces do not join"))
}

/// Between 0 and 1, the same for the same index.
fn noise(i: usize) -> f64 {
    let mut x = (i as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Four points far from each other, counter-clockwise.
fn tetrahedron(p: &[DVec3]) -> [u32; 4] {
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        let mut best = (0, -1.0);
        for (i, &q) in p.iter().enumerate() {
            if measure(q) > best.1 {
                best = (i, measure(q));
            }
        }
        best.0
    };
    let a = farthest(&|q| q.length());
    let b = farthest(&|q| (q - p[a]).length());
    let along = (p[b] - p[a]).normalize_or_zero();
    let c = farthest(&|q| (q - p[a]).cross(along).length());
    let normal = along.cross(p[c] - p[a]).normalize_or_zero();
    let d = farthest(&|q| (q - p[a]).dot(normal).abs());
    if (p[d] - p[a]).dot(normal) > 0.0 {
        [a, c, b, d].map(|i| i as u32)
    } else {
        [a, b, c, d].map(|i| i as u32)
    }
}

fn grow(p: &[DVec3], [a, b, c, d]: [u32; 4]) -> Option<Vec<[u32; 3]>> {
    let triangle = |corners: [u32; 3]| {
        let [x, y, z] = corners.map(|i| p[i as usize]);
        let normal = (y - x).cross(z - x).try_normalize()?;
        Some(Triangle { corners, normal, offset: normal.dot(x), alive: true })
    };
    let mut faces = Vec::new();
    // The fourth point is below the first triangle.
    for corners in [[a, b, c], [a, d, b], [b, d, c], [c, d, a]] {
        faces.push(triangle(corners)?);
    }
    let height = |f: &Triangle, i: u32| f.normal.dot(p[i as usize]) - f.offset;
    // Points still outside, each with a face it is above and how far.
    let above = |faces: &[Triangle], i: u32| {
        let heights = faces.iter().map(|f| height(f, i)).enumerate();
        heights.max_by(|x, y| x.1.total_cmp(&y.1)).filter(|x| x.1 > 1e-13)
    };
    let outside = (0..p.len() as u32).filter(|i| ![a, b, c, d].contains(i));
    let outside = outside.filter_map(|i| above(&faces, i).map(|(f, h)| (i, f, h)));
    let mut waiting: Vec<(u32, usize, f64)> = outside.collect();
    while let Some(&(apex, _, _)) = waiting.iter().max_by(|x, y| x.2.total_cmp(&y.2)) {
        let mut rim = HashSet::new();
        let mut order = Vec::new();
        for f in faces.iter_mut().filter(|f| f.alive && height(f, apex) > 0.0) {
            f.alive = false;
            for k in 0..3 {
                let edge = (f.corners[k], f.corners[(k + 1) % 3]);
                rim.insert(edge);
                order.push(edge);
            }
        }
        let new = faces.len();
        for (from, to) in order.into_iter().filter(|&(from, to)| !rim.contains(&(to, from))) {
            faces.push(triangle([from, to, apex])?);
        }
        waiting.retain_mut(|(i, f, h)| {
            if faces[*f].alive {
                return true;
            }
            let found = if *i == apex { None } else { above(&faces[new..], *i) };
            if let Some((k, height)) = found {
                (*f, *h) = (new + k, height);
            }
            found.is_some()
        });
    }
    faces.retain(|f| f.alive);
    Some(faces.iter().map(|f| f.corners).collect())
}

/// Joins triangles that lie in one plane and drops corners inside straight edges.
fn join(points: &[DVec3], triangles: &[[u32; 3]]) -> Option<Polyhedron> {
    let area: Vec<DVec3> = triangles.iter().map(|t| newell(points, t)).collect();
    let mut across = HashMap::new();
    for (t, corners) in triangles.iter().enumerate() {
        for k in 0..3 {
            across.insert((corners[k], corners[(k + 1) % 3]), t);
        }
    }
    // The largest triangles first: slivers have no plane of their own and join a neighbour's.
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    order.sort_by(|&i, &j| area[j].length_squared().total_cmp(&area[i].length_squared()));
    let mut face_of = vec![usize::MAX; triangles.len()];
    let mut loops = Vec::new();
    for seed in order {
        if face_of[seed] != usize::MAX {
            continue;
        }
        let face = loops.len();
        let normal = area[seed].normalize_or_zero();
        let origin = points[triangles[seed][0] as usize];
        let mut members = vec![seed];
        face_of[seed] = face;
        let mut next = 0;
        while next < members.len() {
            let corners = triangles[members[next]];
            for k in 0..3 {
                let n = *across.get(&(corners[(k + 1) % 3], corners[k]))?;
                let reach = triangles[n].map(|c| points[c as usize] - origin);
                let flat = reach.iter().all(|r| r.dot(normal).abs() <= COPLANAR * r.length());
                if face_of[n] == usize::MAX && flat {
                    face_of[n] = face;
                    members.push(n);
                }
            }
            next += 1;
        }
        loops.push(members);
    }
    let loops = loops
        .iter()
        .enumerate()
        .map(|(face, members)| outline(face, members, triangles, &across, &face_of))
        .collect::<Option<Vec<_>>>()?;
    compact(points, loops)
}

/// Corners around the triangles of one face.
fn outline(
    face: usize,
    members: &[usize],
    triangles: &[[u32; 3]],
    across: &HashMap<(u32, u32), usize>,
    face_of: &[usize],
) -> Option<Vec<u32>> {
    let mut next = HashMap::new();
    let mut first = None;
    for &t in members {
        for k in 0..3 {
            let (from, to) = (triangles[t][k], triangles[t][(k + 1) % 3]);
            if face_of[*across.get(&(to, from))?] != face {
                if next.insert(from, to).is_some() {
                    return None;
                }
                first.get_or_insert(from);
            }
        }
    }
    let first = first?;
    let mut corners = vec![first];
    let mut at = *next.get(&first)?;
    while at != first {
        corners.push(at);
        if corners.len() > next.len() {
            return None;
        }
        at = *next.get(&at)?;
    }
    (corners.len() == next.len()).then_some(corners)
}

/// Keeps only vertices where three faces or more meet, and renumbers them.
fn compact(points: &[DVec3], loops: Vec<Vec<u32>>) -> Option<Polyhedron> {
    let mut faces_at = vec![0; points.len()];
    for &c in loops.iter().flatten() {
        faces_at[c as usize] += 1;
    }
    let mut number = vec![u32::MAX; points.len()];
    let mut vertices = Vec::new();
    for (i, &n) in faces_at.iter().enumerate() {
        if n >= 3 {
            number[i] = vertices.len() as u32;
            vertices.push(points[i]);
        }
    }
    let loops = loops
        .into_iter()
        .map(|l| {
            let kept = l.into_iter().map(|c| number[c as usize]);
            kept.filter(|&c| c != u32::MAX).collect::<Vec<_>>()
        })
        .filter(|l| l.len() >= 3)
        .collect();
    Polyhedron::new(vertices, loops)
}
