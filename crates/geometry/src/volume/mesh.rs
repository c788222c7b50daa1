//! A closed triangle mesh with its edges, neighbours and components.

use std::collections::HashMap;

use glamx::DVec3;

use super::VolumeError;
use super::bvh::{Aabb, Bvh};

/// A closed mesh in body axes. Positions that are equal to the last bit are one.
#[derive(Debug, Clone, Default)]
pub(super) struct Mesh {
    pub(super) positions: Vec<DVec3>,
    /// Counter-clockwise seen from outside.
    pub(super) triangles: Vec<[u32; 3]>,
    /// The edge from each corner of a triangle to the next.
    pub(super) edges: Vec<[u32; 3]>,
    /// Ends of every edge, the lower number first.
    pub(super) ends: Vec<[u32; 2]>,
    /// The triangle behind each edge of a triangle.
    pub(super) neighbours: Vec<[u32; 3]>,
    /// The component that a triangle belongs to.
    pub(super) component_of: Vec<u32>,
    pub(super) components: Vec<Component>,
    pub(super) bvh: Bvh,
}

/// A connected component of a mesh.
#[derive(Debug, Clone, Copy)]
pub(super) struct Component {
    /// One of its triangles.
    pub(super) triangle: u32,
    pub(super) bounds: Aabb,
}

/// One use of an edge by a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    ends: [u32; 2],
    /// From the higher number to the lower.
    back: bool,
    triangle: u32,
    corner: u8,
}

impl Mesh {
    /// Welds positions, pairs edges and checks that the surface is closed, turned outwards and
    /// holds a volume.
    pub(super) fn new(positions: &[DVec3], triangles: &[[u32; 3]]) -> Result<Mesh, VolumeError> {
        let (positions, triangles) = weld(positions, triangles);
        let mut uses = Vec::with_capacity(3 * triangles.len());
        for (t, corners) in triangles.iter().enumerate() {
            for k in 0..3 {
                let (from, to) = (corners[k], corners[(k + 1) % 3]);
                let ends = [from.min(to), from.max(to)];
                uses.push(Use { ends, back: from > to, triangle: t as u32, corner: k as u8 });
            }
        }
        uses.sort_unstable();
        let mut edges = vec![[0; 3]; triangles.len()];
        let mut neighbours = vec![[0; 3]; triangles.len()];
        let mut ends = Vec::with_capacity(uses.len() / 2);
        let mut open: Option<(usize, Use)> = None;
        for group in uses.chunk_by(|a, b| a.ends == b.ends) {
            let forth = group.partition_point(|u| !u.back);
            if 2 * forth != group.len() {
                let first = open.map_or(group[0], |(_, first)| first);
                open = Some((open.map_or(0, |(n, _)| n) + 1, first));
                continue;
            }
            for (a, b) in group[..forth].iter().zip(&group[forth..]) {
                edges[a.triangle as usize][a.corner as usize] = ends.len() as u32;
                edges[b.triangle as usize][b.corner as usize] = ends.len() as u32;
                neighbours[a.triangle as usize][a.corner as usize] = b.triangle;
                neighbours[b.triangle as usize][b.corner as usize] = a.triangle;
            }
            ends.push(group[0].ends);
        }
        if let Some((count, first)) = open {
            let [from, to] = first.ends.map(|e| positions[e as usize]);
            return Err(VolumeError::Open { count, triangle: first.triangle as usize, from, to });
        }
        let volume = signed_volume(&positions, &triangles);
        if !(volume > 0.0) {
            return Err(VolumeError::InsideOut { volume });
        }
        let bvh = Bvh::new(&positions, &triangles);
        let mut mesh = Mesh {
            component_of: vec![u32::MAX; triangles.len()],
            components: Vec::new(),
            positions,
            triangles,
            edges,
            ends,
            neighbours,
            bvh,
        };
        mesh.find_components();
        Ok(mesh)
    }

    /// Nothing.
    pub(super) fn empty() -> &'static Mesh {
        static EMPTY: std::sync::OnceLock<Mesh> = std::sync::OnceLock::new();
        EMPTY.get_or_init(Mesh::default)
    }

    /// Corners of a triangle.
    pub(super) fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|c| self.positions[c as usize])
    }

    fn find_components(&mut self) {
        let mut stack = Vec::new();
        for first in 0..self.triangles.len() {
            if self.component_of[first] != u32::MAX {
                continue;
            }
            let number = self.components.len() as u32;
            let mut bounds = Aabb::EMPTY;
            self.component_of[first] = number;
            stack.push(first as u32);
            while let Some(t) = stack.pop() {
                for p in self.corners(t) {
                    bounds.add(p);
                }
                for n in self.neighbours[t as usize] {
                    if self.component_of[n as usize] == u32::MAX {
                        self.component_of[n as usize] = number;
                        stack.push(n);
                    }
                }
            }
            self.components.push(Component { triangle: first as u32, bounds });
        }
    }
}

/// Positions without repetitions; those that no triangle uses are left out.
fn weld(positions: &[DVec3], triangles: &[[u32; 3]]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut known: HashMap<[u64; 3], u32> = HashMap::new();
    let mut kept = Vec::new();
    let mut number = |c: u32| {
        // Adding zero makes one zero of the two.
        let p = positions[c as usize] + DVec3::ZERO;
        *known.entry(p.to_array().map(f64::to_bits)).or_insert_with(|| {
            kept.push(p);
            kept.len() as u32 - 1
        })
    };
    let triangles = triangles.iter().map(|t| t.map(&mut number)).collect();
    (kept, triangles)
}

/// Of the cones over all triangles from one of the corners.
fn signed_volume(positions: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
    let Some(origin) = positions.first() else { return 0.0 };
    let cone = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|c| positions[c as usize] - origin);
        a.dot(b.cross(c)) / 6.0
    };
    triangles.iter().map(cone).sum()
}
