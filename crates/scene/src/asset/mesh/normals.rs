//! Unit normals of vertices.

use std::collections::HashMap;

use glamx::DVec3;

use super::draft::{Vertex, point_key};

/// Gives every vertex a unit normal: its own, scaled, or where it has none (or a zero) the mean
/// of those of the triangles around the point, weighted with their areas.
///
/// Points count as the same when their coordinates are, so that a seam of the texture leaves no
/// edge. A vertex around which no triangle has an area gets +z.
pub(super) fn fill(vertices: &mut [Vertex], triangles: &[[u32; 3]]) -> Result<(), &'static str> {
    let mut numbers = HashMap::new();
    let points: Vec<usize> = vertices
        .iter()
        .map(|v| {
            let next = numbers.len();
            *numbers.entry(point_key(v.position)).or_insert(next)
        })
        .collect();

    // In units of the largest edge: areas neither vanish nor overflow.
    let at = |corner: u32| vertices[corner as usize].position;
    let edges = |[a, b, c]: [u32; 3]| (at(b) - at(a), at(c) - at(a));
    let longest = triangles
        .iter()
        .map(|t| edges(*t))
        .fold(0.0_f64, |l, (ab, ac)| l.max(ab.abs().max_element()).max(ac.abs().max_element()));
    if longest == 0.0 {
        return Err("no triangle has an area; expected a surface");
    }

    let mut sums = vec![DVec3::ZERO; numbers.len()];
    let mut has_area = false;
    for triangle in triangles {
        let (ab, ac) = edges(*triangle);
        let twice_area = (ab / longest).cross(ac / longest);
        has_area |= twice_area != DVec3::ZERO;
        for corner in triangle {
            sums[points[*corner as usize]] += twice_area;
        }
    }
    if !has_area {
        return Err("no triangle has an area; expected a surface");
    }
    for (vertex, point) in vertices.iter_mut().zip(points) {
        let own = vertex.normal.and_then(unit);
        vertex.normal = own.or_else(|| unit(sums[point])).or(Some(DVec3::Z));
    }
    Ok(())
}

/// The unit vector along `v`, if it has a direction, however short it is.
pub(super) fn unit(v: DVec3) -> Option<DVec3> {
    let largest = v.abs().max_element();
    (largest > 0.0).then(|| v / largest)?.try_normalize()
}
