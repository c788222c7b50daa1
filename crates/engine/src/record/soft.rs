//! What is recorded of cloth and soft solids, and its frames as OBJ.

use crate::soft::Soft;

/// The surface of a soft body, frame by frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SoftColumns {
    /// Its name.
    pub name: String,
    /// Number of vertices.
    pub vertices: usize,
    /// Triangles of its surface.
    pub triangles: Vec<[u32; 3]>,
    /// Coordinates on it, metres.
    pub uvs: Vec<[f32; 2]>,
    /// Which of them the corners of each triangle have.
    pub uv_triangles: Vec<[u32; 3]>,
    /// Where the vertices are, metres: all of the first frame, then of the second, and so on.
    pub position: Vec<[f32; 3]>,
}

impl SoftColumns {
    pub(super) fn new(soft: &Soft) -> SoftColumns {
        SoftColumns {
            name: soft.name.clone(),
            vertices: soft.body.positions.len(),
            triangles: soft.body.triangles.clone(),
            uvs: soft.body.uvs.iter().map(|uv| uv.as_vec2().to_array()).collect(),
            uv_triangles: soft.body.uv_triangles.clone(),
            position: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, soft: &Soft) {
        self.position.extend(soft.body.positions.iter().map(|x| x.as_vec3().to_array()));
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.position.len() / self.vertices.max(1)
    }

    /// Positions of a frame; empty where there is no such frame.
    pub fn frame(&self, frame: usize) -> &[[f32; 3]] {
        let range = frame * self.vertices..(frame + 1) * self.vertices;
        self.position.get(range).unwrap_or_default()
    }

    /// A frame as Wavefront OBJ, metres.
    pub fn obj(&self, frame: usize) -> Vec<u8> {
        let mut text = format!("# {}, metres; u and v too\n", self.name.replace('\n', " "));
        for [x, y, z] in self.frame(frame) {
            text += &format!("v {x} {y} {z}\n");
        }
        for [u, v] in &self.uvs {
            text += &format!("vt {u} {v}\n");
        }
        for (t, uv) in self.triangles.iter().zip(&self.uv_triangles) {
            let [a, b, c] = [0, 1, 2].map(|k| format!("{}/{}", t[k] + 1, uv[k] + 1));
            text += &format!("f {a} {b} {c}\n");
        }
        text.into_bytes()
    }
}
