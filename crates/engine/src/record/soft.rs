//! What is recorded of cloth and soft solids, and its caches as OBJ and GLB.

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
        for [a, b, c] in self.triangles.iter().map(|t| t.map(|i| i + 1)) {
            text += &format!("f {a}/{a} {b}/{b} {c}/{c}\n");
        }
        text.into_bytes()
    }

    /// All frames as one glTF 2.0 binary: a mesh with a morph target for each frame after the
    /// first, and an animation that goes through them at `times` (seconds).
    pub fn glb(&self, times: &[f64]) -> Vec<u8> {
        let frames = self.frames().min(times.len());
        let targets = frames.saturating_sub(1);
        let mut file = Gltf::default();
        let base = self.frame(0);
        let position = file.vectors(base);
        let uvs = file.floats(self.uvs.as_flattened(), "VEC2", 2, Some(34962));
        let indices = file.indices(&self.triangles);
        let mut morphs = Vec::new();
        for k in 1..frames {
            let shift: Vec<[f32; 3]> = (self.frame(k).iter().zip(base))
                .map(|(a, b)| [a[0] - b[0], a[1] - b[1], a[2] - b[2]])
                .collect();
            morphs.push(serde_json::json!({ "POSITION": file.vectors(&shift) }));
        }
        let mut mesh = serde_json::json!({
            "name": self.name,
            "primitives": [{
                "attributes": { "POSITION": position, "TEXCOORD_0": uvs }, "indices": indices,
                "material": 0
            }]
        });
        let mut json = serde_json::json!({
            "asset": { "version": "2.0", "generator": "asperity" },
            "scene": 0, "scenes": [{ "nodes": [0] }],
            "nodes": [{ "mesh": 0, "name": self.name }],
            "materials": [{ "doubleSided": true }],
        });
        if targets > 0 {
            mesh["primitives"][0]["targets"] = morphs.into();
            mesh["weights"] = vec![0.0; targets].into();
            let seconds: Vec<f32> = times[..frames].iter().map(|t| *t as f32).collect();
            let weight = |k: usize, t: usize| if k == t + 1 { 1.0 } else { 0.0 };
            let weights: Vec<f32> =
                (0..frames).flat_map(|k| (0..targets).map(move |t| weight(k, t))).collect();
            let input = file.floats(&seconds, "SCALAR", 1, None);
            let output = file.floats(&weights, "SCALAR", 1, None);
            json["animations"] = serde_json::json!([{
                "samplers": [{ "input": input, "output": output, "interpolation": "LINEAR" }],
                "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
            }]);
        }
        json["meshes"] = vec![mesh].into();
        file.finish(json)
    }
}

/// A glTF binary as it grows.
#[derive(Default)]
struct Gltf {
    accessors: Vec<serde_json::Value>,
    views: Vec<serde_json::Value>,
    bytes: Vec<u8>,
}

impl Gltf {
    /// 34962 is the target of vertices, 34963 that of indices.
    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        let mut view = serde_json::json!({
            "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()
        });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.views.push(view);
        self.bytes.extend_from_slice(bytes);
        self.views.len() - 1
    }

    /// 5126 is f32.
    fn floats(&mut self, list: &[f32], kind: &str, parts: usize, target: Option<u32>) -> usize {
        let bytes: Vec<u8> = list.iter().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes, target);
        let mut accessor = serde_json::json!({
            "bufferView": view, "componentType": 5126, "count": list.len() / parts, "type": kind
        });
        if parts != 2 {
            // Positions and times must tell their range.
            let range = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
                let start = |k: usize| list.get(k).copied().unwrap_or(0.0);
                (0..parts)
                    .map(|k| list.iter().skip(k).step_by(parts).copied().fold(start(k), pick))
                    .collect()
            };
            accessor["min"] = range(f32::min).into();
            accessor["max"] = range(f32::max).into();
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn vectors(&mut self, list: &[[f32; 3]]) -> usize {
        self.floats(list.as_flattened(), "VEC3", 3, Some(34962))
    }

    /// 5125 is u32.
    fn indices(&mut self, triangles: &[[u32; 3]]) -> usize {
        let bytes: Vec<u8> = triangles.iter().flatten().flat_map(|i| i.to_le_bytes()).collect();
        let view = self.view(&bytes, Some(34963));
        self.accessors.push(serde_json::json!({
            "bufferView": view, "componentType": 5125, "count": 3 * triangles.len(),
            "type": "SCALAR"
        }));
        self.accessors.len() - 1
    }

    fn finish(self, mut json: serde_json::Value) -> Vec<u8> {
        json["accessors"] = self.accessors.into();
        json["bufferViews"] = self.views.into();
        json["buffers"] = serde_json::json!([{ "byteLength": self.bytes.len() }]);
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let word = |n: usize| (n as u32).to_le_bytes();
        let total = 12 + 8 + text.len() + 8 + self.bytes.len();
        let head = [&b"glTF"[..], &word(2), &word(total), &word(text.len()), b"JSON"].concat();
        [&head[..], &text, &word(self.bytes.len()), b"BIN\0", &self.bytes].concat()
    }
}
