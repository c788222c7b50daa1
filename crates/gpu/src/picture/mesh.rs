//! Triangles of a picture.

use bytemuck::{Pod, Zeroable};
use glamx::Vec3;

/// A corner of triangles.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Vertex {
    /// Where it is.
    pub position: [f32; 3],
    /// Unit vector out of the surface.
    pub normal: [f32; 3],
    /// Texture coordinates: (0, 0) is the lower left of an image, (1, 1) its upper right.
    pub uv: [f32; 2],
    /// Unit vector along growing u; the fourth is the sign of the bitangent.
    pub tangent: [f32; 4],
}

/// A triangle mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Its corners.
    pub vertices: Vec<Vertex>,
    /// Three corners each, counter-clockwise seen from outside; the other side is not drawn.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// A mesh with flat triangles and without texture coordinates. What names a position that
    /// does not exist is left out.
    pub fn flat(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Mesh {
        let mut mesh = Mesh::default();
        for corners in triangles {
            let found = corners.map(|c| positions.get(c as usize).copied());
            let [Some(a), Some(b), Some(c)] = found else { continue };
            let [pa, pb, pc] = [a, b, c].map(Vec3::from_array);
            let normal = (pb - pa).cross(pc - pa).normalize_or(Vec3::Y);
            let [x, y, z] = normal.any_orthonormal_vector().to_array();
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend([a, b, c].map(|position| Vertex {
                position,
                normal: normal.to_array(),
                uv: [0.0; 2],
                tangent: [x, y, z, 1.0],
            }));
            mesh.triangles.push([first, first + 1, first + 2]);
        }
        mesh
    }
}

/// An image on surfaces: red, green, blue and alpha bytes, row by row from the top. It repeats
/// beyond its edges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// One for each column and row.
    pub texels: Vec<[u8; 4]>,
    /// Whether the bytes are sRGB colours, not plain numbers.
    pub is_colour: bool,
}
