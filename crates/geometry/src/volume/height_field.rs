//! Height fields as solids.

use glamx::DVec3;

/// Adds upright walls and a level floor to the triangles of a height field: a solid that reaches below
/// its lowest point by its longer side. Its own triangles keep their numbers.
pub(super) fn close(positions: &mut Vec<DVec3>, triangles: &mut Vec<[u32; 3]>) {
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = positions.iter().fold(start, |(l, h), p| (l.min(*p), h.max(*p)));
    let size = high - low;
    let floor = low.y - size.x.max(size.z);
    let border = border(triangles);
    let middle = positions.len() as u32;
    let centre = 0.5 * (low + high);
    positions.push(DVec3::new(centre.x, floor, centre.z));
    // The foot of each corner of the border, in order.
    let mut corners: Vec<u32> = border.iter().map(|[from, _]| *from).collect();
    corners.sort_unstable();
    corners.dedup();
    let first = positions.len() as u32;
    for c in &corners {
        let p = positions[*c as usize];
        positions.push(DVec3::new(p.x, floor, p.z));
    }
    let foot = |c: u32| corners.binary_search(&c).map_or(middle, |k| first + k as u32);
    for [from, to] in border {
        let (a, b) = (foot(from), foot(to));
        triangles.extend([[to, from, a], [to, a, b], [b, a, middle]]);
    }
}

/// Edges with a triangle on their left only.
fn border(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let edges = |t: &[u32; 3]| [0, 1, 2].map(|k| [t[k], t[(k + 1) % 3]]);
    let mut all: Vec<[u32; 2]> = triangles.iter().flat_map(edges).collect();
    all.sort_unstable();
    let one_sided = |[from, to]: &[u32; 2]| all.binary_search(&[*to, *from]).is_err();
    all.iter().copied().filter(one_sided).collect()
}
