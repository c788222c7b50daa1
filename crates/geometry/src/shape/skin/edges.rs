//! Sharp edges of meshes.

use std::collections::HashMap;

use glamx::DVec3;

/// Faces whose normals have a smaller cosine meet in a sharp edge: 30 degrees.
pub(super) const SHARP: f64 = 0.866;

/// A mesh with more triangles than this is taken for a smooth surface.
const MOST_TRIANGLES: usize = 20_000;

/// Edges where faces meet sharply, and those that only one face has.
pub(super) fn sharp(positions: &[DVec3], triangles: &[[u32; 3]]) -> Vec<[DVec3; 2]> {
    if triangles.len() > MOST_TRIANGLES {
        return Vec::new();
    }
    // Vertices may differ in normals or texture coordinates alone: the place counts.
    let key = |c: u32| positions[c as usize].to_array().map(|x| (x + 0.0).to_bits());
    let mut normals: HashMap<_, (usize, Vec<DVec3>, [u32; 2])> = HashMap::new();
    for corners in triangles {
        let [a, b, c] = corners.map(|c| positions[c as usize]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for k in 0..3 {
            let ends = [corners[k], corners[(k + 1) % 3]];
            let mut keys = ends.map(key);
            keys.sort_unstable();
            let order = normals.len();
            normals.entry(keys).or_insert((order, Vec::new(), ends)).1.push(normal);
        }
    }
    let is_sharp = |of: &[DVec3]| of.len() == 1 || of.iter().any(|n| n.dot(of[0]) < SHARP);
    let mut found: Vec<_> = normals.into_values().filter(|(_, of, _)| is_sharp(of)).collect();
    // In the order of the mesh, not of the table.
    found.sort_unstable_by_key(|edge| edge.0);
    found.into_iter().map(|(_, _, ends)| ends.map(|e| positions[e as usize])).collect()
}
