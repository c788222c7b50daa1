//! What is recorded of cloth and soft solids, and its frames as OBJ.

use glamx::DVec3;

use super::edges::Edges;
use asperity::soft::Soft;

/// A soft body, frame by frame: the shape of its surface in single precision (pictures and caches
/// ask no more), and numbers about the whole of it in double precision.
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
    /// Centre of mass, metres.
    pub centre: Vec<[f64; 3]>,
    /// Of the centre of mass, m/s.
    pub velocity: Vec<[f64; 3]>,
    /// Sides of the box around it, along the world's axes, metres.
    pub extent: Vec<[f64; 3]>,
    /// Length of the edges of its surface over that in the first frame: of all together, and of
    /// the edge that is stretched most.
    pub stretch: Vec<[f64; 2]>,
    /// Joules.
    pub kinetic: Vec<f64>,
    /// Joules.
    pub elastic: Vec<f64>,
    /// As they were in the first frame.
    pub(super) edges: Edges,
}

impl SoftColumns {
    pub(super) fn new(soft: &Soft) -> SoftColumns {
        SoftColumns {
            name: soft.name.clone(),
            vertices: soft.body.positions.len(),
            triangles: soft.body.triangles.clone(),
            uvs: soft.body.uvs.iter().map(|uv| uv.as_vec2().to_array()).collect(),
            uv_triangles: soft.body.uv_triangles.clone(),
            ..SoftColumns::default()
        }
    }

    pub(super) fn push(&mut self, soft: &Soft) {
        let body = &soft.body;
        self.position.extend(body.positions.iter().map(|x| x.as_vec3().to_array()));
        self.centre.push(body.centre().to_array());
        self.velocity.push((body.momentum() / body.mass()).to_array());
        let low = body.positions.iter().fold(DVec3::INFINITY, |m, x| m.min(*x));
        let high = body.positions.iter().fold(DVec3::NEG_INFINITY, |m, x| m.max(*x));
        self.extent.push((high - low).to_array());
        self.kinetic.push(body.kinetic_energy());
        self.elastic.push(body.energy());
        if self.edges.is_empty() {
            self.edges = Edges::new(&self.triangles, &body.positions);
        }
        self.stretch.push(self.edges.stretch(&self.triangles, &body.positions));
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
