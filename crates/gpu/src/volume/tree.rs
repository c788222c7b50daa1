//! A mesh on a grid of whole numbers, its triangles in a tree of boxes.

use std::collections::BTreeMap;

use glamx::DVec3;

use super::{RayMesh, Row};
use crate::RenderError;

/// A closed mesh as kernels read it; see `rays.wgsl`.
#[derive(Debug)]
pub(super) struct Tree {
    /// Two for each node, then three for each triangle.
    pub(super) rows: Vec<Row>,
    pub(super) nodes: u32,
    /// Box of the mesh, body axes.
    pub(super) low: DVec3,
    pub(super) high: DVec3,
    /// Origin of the grid, body axes.
    pub(super) middle: DVec3,
    /// Metres between points of the grid.
    pub(super) unit: f64,
}

/// Points of the grid from the middle of a mesh along half its longest side. Places relative to any
/// region that it may share with another fit into 31 bits.
pub(super) const GRID: f64 = (1 << 28) as f64;
/// Triangles of a leaf.
const LEAF: usize = 4;
/// Triangles of a mesh, at most: numbers and counts share 32 bits.
const MOST_TRIANGLES: usize = 1 << 29;
/// Half the longest side of a mesh, metres.
const SIZES: std::ops::RangeInclusive<f64> = 1e-30..=1e30;

/// On the grid.
pub(super) type Point = [i32; 3];
type Corners = [Point; 3];

impl Tree {
    /// Checks a mesh and sorts its triangles. `name` is for messages.
    pub(super) fn new(mesh: &RayMesh, name: &str) -> Result<Tree, RenderError> {
        let wrong = |what: String| RenderError::Input(format!("{name} {what}"));
        if mesh.triangles.is_empty() || mesh.triangles.len() >= MOST_TRIANGLES {
            let count = mesh.triangles.len();
            return Err(wrong(format!("has {count} triangles; expected 4 to {MOST_TRIANGLES}")));
        }
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for (t, corner) in mesh.triangles.iter().enumerate().flat_map(|(t, c)| c.map(|c| (t, c))) {
            let Some(p) = mesh.positions.get(corner as usize) else {
                let count = mesh.positions.len();
                return Err(wrong(format!(
                    "has {count} positions, and its triangle {t} has the corner {corner}; expected a smaller number"
                )));
            };
            if !p.is_finite() {
                return Err(wrong(format!(
                    "has the position {p} at {corner}; expected finite numbers"
                )));
            }
            (low, high) = (low.min(*p), high.max(*p));
        }
        let half = (0.5 * high - 0.5 * low).max_element();
        if !SIZES.contains(&half) {
            return Err(wrong(format!(
                "is {half} m large (half its longest side); expected {:e} to {:e}",
                SIZES.start(),
                SIZES.end()
            )));
        }
        let (middle, unit) = (0.5 * low + 0.5 * high, half / GRID);
        let on_grid = |p: DVec3| point((p - middle) / unit);
        let faces: Vec<Corners> =
            mesh.triangles.iter().map(|t| t.map(|c| on_grid(mesh.positions[c as usize]))).collect();
        if !is_closed(&faces) {
            return Err(wrong(open_edge(mesh, &faces)));
        }
        let volume: f64 =
            faces.iter().map(|c| c.map(|p| DVec3::from(p.map(f64::from)))).map(cone).sum();
        if !(volume > 0.0) {
            return Err(wrong(format!(
                "encloses {} m³; expected a positive volume: triangles counter-clockwise seen from outside",
                volume * unit.powi(3)
            )));
        }
        let (nodes, order) = grow(&faces);
        let mut rows = Vec::with_capacity(2 * nodes.len() + 3 * faces.len());
        for node in &nodes {
            rows.extend([row(node.low, node.first << 3 | node.count), row(node.high, node.skip)]);
        }
        for t in order {
            rows.extend(faces[t as usize].map(|p| row(p, 0)));
        }
        Ok(Tree { rows, nodes: nodes.len() as u32, low, high, middle, unit })
    }
}

/// The nearest point of the grid.
pub(super) fn point(p: DVec3) -> Point {
    p.round().to_array().map(|x| x as i32)
}

/// A point and a number, as kernels read them.
pub(super) fn row([x, y, z]: Point, last: u32) -> Row {
    [x as u32, y as u32, z as u32, last]
}

/// Volume of the tetrahedron of a triangle and the origin.
fn cone([a, b, c]: [DVec3; 3]) -> f64 {
    a.dot(b.cross(c)) / 6.0
}

/// A box and what it holds. A node's children follow it.
struct Node {
    low: Point,
    high: Point,
    /// Its first triangle in the order of the leaves, and how many; none but in leaves.
    first: u32,
    count: u32,
    /// The node after its children.
    skip: u32,
}

/// Halves triangles at the median of the longest side, again and again.
fn grow(faces: &[Corners]) -> (Vec<Node>, Vec<u32>) {
    let mut order: Vec<u32> = (0..faces.len() as u32).collect();
    let mut nodes = Vec::with_capacity(faces.len());
    split(faces, &mut order, 0, &mut nodes);
    (nodes, order)
}

fn split(faces: &[Corners], order: &mut [u32], first: u32, nodes: &mut Vec<Node>) {
    let (mut low, mut high) = ([i32::MAX; 3], [i32::MIN; 3]);
    for p in order.iter().flat_map(|t| faces[*t as usize]) {
        for k in 0..3 {
            (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
        }
    }
    let here = nodes.len();
    let is_leaf = order.len() <= LEAF;
    let count = if is_leaf { order.len() as u32 } else { 0 };
    nodes.push(Node { low, high, first, count, skip: 0 });
    if !is_leaf {
        let axis =
            DVec3::from([0, 1, 2].map(|k| f64::from(high[k]) - f64::from(low[k]))).max_position();
        let key = |t: &u32| {
            let [a, b, c] = faces[*t as usize].map(|p| i64::from(p[axis]));
            (a + b + c, *t)
        };
        let half = order.len() / 2;
        order.select_nth_unstable_by_key(half, key);
        let (one, other) = order.split_at_mut(half);
        split(faces, one, first, nodes);
        split(faces, other, first + half as u32, nodes);
    }
    nodes[here].skip = nodes.len() as u32;
}

/// Whether every edge has as many triangles in one sense as in the other, by where its ends are on
/// the grid: the sum of a number for each edge, with the sign of its sense, is zero.
fn is_closed(faces: &[Corners]) -> bool {
    let mixed = |p: Point, seed: u64| {
        p.into_iter().fold(seed, |mix, x| {
            let x = (mix ^ u64::from(x as u32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93) ^ (x >> 29)
        })
    };
    let mut sum = 0_u64;
    for (a, b) in faces.iter().flat_map(edges) {
        if a < b {
            sum = sum.wrapping_add(mixed(b, mixed(a, 1)));
        } else if b < a {
            sum = sum.wrapping_sub(mixed(a, mixed(b, 1)));
        }
    }
    sum == 0
}

fn edges([a, b, c]: &Corners) -> [(Point, Point); 3] {
    [(*a, *b), (*b, *c), (*c, *a)]
}

/// What is open, in words.
fn open_edge(mesh: &RayMesh, faces: &[Corners]) -> String {
    let key = |(a, b): (Point, Point)| {
        if a < b { ((a, b), 1) } else { ((b, a), if a == b { 0 } else { -1_i64 }) }
    };
    let mut sums = BTreeMap::new();
    for (edge, sense) in faces.iter().flat_map(edges).map(key) {
        *sums.entry(edge).or_insert(0) += sense;
    }
    let count = sums.values().filter(|sum| **sum != 0).count();
    let open = |face: &Corners| edges(face).iter().position(|e| sums[&key(*e).0] != 0);
    let first = faces.iter().enumerate().find_map(|(t, face)| open(face).map(|k| (t, k)));
    let place = first.map_or(String::new(), |(t, k)| {
        let ends = [k, (k + 1) % 3].map(|k| mesh.positions[mesh.triangles[t][k] as usize]);
        format!(", the first that of triangle {t} from {} to {}", ends[0], ends[1])
    });
    format!(
        "is open: {count} of its edges do not have as many triangles in one sense as in the other{place}; expected a closed surface"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fan of needles around an axis, closed by two tips.
    fn spindle(n: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let mut positions = vec![DVec3::Z, DVec3::NEG_Z];
        let angle = |k: u32| f64::from(k) * std::f64::consts::TAU / f64::from(n);
        positions.extend((0..n).map(|k| DVec3::new(angle(k).cos(), angle(k).sin(), 0.1)));
        let side = |k: u32| {
            let (a, b) = (2 + k, 2 + (k + 1) % n);
            [[0, a, b], [1, b, a]]
        };
        (positions, (0..n).flat_map(side).collect())
    }

    #[test]
    fn leaves_hold_every_triangle_once_inside_all_boxes_above() {
        let (positions, triangles) = spindle(357);
        let tree =
            Tree::new(&RayMesh { positions: &positions, triangles: &triangles }, "it").unwrap();
        let nodes = tree.nodes as usize;
        assert_eq!(tree.rows.len(), 2 * nodes + 3 * triangles.len());
        let mut seen = 0;
        for node in 0..nodes {
            let (low, high) = (tree.rows[2 * node], tree.rows[2 * node + 1]);
            let (first, count, skip) = ((low[3] >> 3) as usize, (low[3] & 7) as usize, high[3]);
            assert!(skip as usize > node && skip as usize <= nodes);
            assert_eq!(count > 0, skip as usize == node + 1);
            if count > 0 {
                assert_eq!(first, seen);
                seen += count;
            }
            // All leaves below.
            for leaf in node..skip as usize {
                let word = tree.rows[2 * leaf][3];
                let corners = 2 * nodes + 3 * (word >> 3) as usize;
                for row in &tree.rows[corners..corners + 3 * (word & 7) as usize] {
                    for k in 0..3 {
                        let range = low[k].cast_signed()..=high[k].cast_signed();
                        assert!(range.contains(&row[k].cast_signed()));
                    }
                }
            }
        }
        assert_eq!(seen, triangles.len());
    }

    #[test]
    fn a_turned_or_missing_triangle_opens_a_mesh() {
        let (positions, triangles) = spindle(20);
        for k in 0..triangles.len() {
            let mut turned = triangles.clone();
            turned[k].swap(0, 1);
            let mut missing = triangles.clone();
            missing.remove(k);
            for (triangles, count) in [(turned, "3 of"), (missing, "3 of")] {
                let mesh = RayMesh { positions: &positions, triangles: &triangles };
                let error = Tree::new(&mesh, "it").unwrap_err().to_string();
                assert!(error.starts_with(&format!("it is open: {count}")), "{error}");
            }
        }
    }
}
