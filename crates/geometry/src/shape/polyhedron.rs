//! Convex polyhedra with their faces and edges.

use glamx::DVec3;

/// A convex polyhedron, or a triangle with two sides.
#[derive(Debug, Clone, Default)]
pub struct Polyhedron {
    /// Corners.
    pub vertices: Vec<DVec3>,
    /// Plane faces.
    pub faces: Vec<Face>,
    /// Edges, each once.
    pub edges: Vec<Edge>,
}

/// A plane face; its corners run counter-clockwise seen from outside.
#[derive(Debug, Clone)]
pub struct Face {
    /// Outward.
    pub normal: DVec3,
    /// Numbers of its corners.
    pub corners: Vec<u32>,
    /// The edge from each corner to the next.
    pub edges: Vec<u32>,
}

/// An edge and the two faces it joins.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// Numbers of its corners.
    pub ends: [u32; 2],
    /// Numbers of its faces.
    pub faces: [u32; 2],
}

impl Polyhedron {
    /// From vertices and the corners of each face. `None` where the faces do not close.
    pub(crate) fn new(vertices: Vec<DVec3>, loops: Vec<Vec<u32>>) -> Option<Polyhedron> {
        let mut edges: Vec<Edge> = Vec::new();
        let mut known = std::collections::HashMap::new();
        let mut faces = Vec::with_capacity(loops.len());
        for (f, corners) in loops.into_iter().enumerate() {
            let mut of_face = Vec::with_capacity(corners.len());
            for (i, &from) in corners.iter().enumerate() {
                let to = corners[(i + 1) % corners.len()];
                let key = (from.min(to), from.max(to));
                let e = *known.entry(key).or_insert_with(|| {
                    edges.push(Edge { ends: [from, to], faces: [f as u32, u32::MAX] });
                    edges.len() - 1
                });
                if edges[e].faces[0] != f as u32 {
                    if edges[e].faces[1] != u32::MAX {
                        return None;
                    }
                    edges[e].faces[1] = f as u32;
                }
                of_face.push(e as u32);
            }
            let normal = newell(&vertices, &corners).try_normalize()?;
            faces.push(Face { normal, corners, edges: of_face });
        }
        let closed = edges.iter().all(|e| e.faces[1] != u32::MAX);
        closed.then_some(Polyhedron { vertices, faces, edges })
    }

    /// A box about the origin, its face normals exact.
    pub(crate) fn cuboid(h: DVec3) -> Polyhedron {
        let sign = |i: usize, bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let vertices = (0..8).map(|i| h * DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect();
        let loops: [[u32; 4]; 6] =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let mut poly = Polyhedron::new(vertices, loops.iter().map(|l| l.to_vec()).collect())
            .unwrap_or_default();
        for (face, axis) in poly.faces.iter_mut().zip([
            DVec3::NEG_X,
            DVec3::X,
            DVec3::NEG_Y,
            DVec3::Y,
            DVec3::NEG_Z,
            DVec3::Z,
        ]) {
            face.normal = axis;
        }
        poly
    }

    /// The two-sided triangle 0, 1, 2; face 0 is its front. Vertices and normals are set on use.
    pub(crate) fn triangle() -> Polyhedron {
        let face = |corners: [u32; 3], edges: [u32; 3]| Face {
            normal: DVec3::ZERO,
            corners: corners.to_vec(),
            edges: edges.to_vec(),
        };
        Polyhedron {
            vertices: vec![DVec3::ZERO; 3],
            faces: vec![face([0, 1, 2], [0, 1, 2]), face([0, 2, 1], [2, 1, 0])],
            edges: [[0, 1], [1, 2], [2, 0]].map(|ends| Edge { ends, faces: [0, 1] }).to_vec(),
        }
    }

    /// Every face as a fan of triangles.
    pub(crate) fn triangles(&self) -> Vec<[u32; 3]> {
        let fan = |f: &Face| {
            let c = f.corners.clone();
            (1..c.len() - 1).map(move |i| [c[0], c[i], c[i + 1]])
        };
        self.faces.iter().flat_map(fan).collect()
    }
}

/// Twice the area vector of a polygon, about its first corner.
pub(crate) fn newell(vertices: &[DVec3], corners: &[u32]) -> DVec3 {
    let at = |i: usize| vertices[corners[i] as usize] - vertices[corners[0] as usize];
    (1..corners.len().saturating_sub(1)).map(|i| at(i).cross(at(i + 1))).sum()
}
