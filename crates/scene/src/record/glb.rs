//! Animated scenes as glTF 2.0 in one file (GLB): rigid bodies as nodes that move, soft bodies as
//! meshes that change shape (morph targets). Numbers are of single precision.

use glamx::{DPose3, DQuat, DVec2, DVec3};
use serde_json::{Value, json};
use thiserror::Error;

use super::split::Split;
use asperity::geometry::shape::{Skin, smooth_normals};

/// A glTF file in the making.
#[derive(Debug, Default)]
pub struct Glb {
    numbers: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

/// Number of a mesh in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeshId(usize);

/// Number of a list of times in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimesId(usize);

/// A file that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "the animation takes {bytes} bytes, and a glTF file holds at most 4 GiB; record fewer frames (--every)"
)]
pub struct TooLarge {
    /// How many it would have.
    pub bytes: usize,
}

// Names that glTF gives to kinds of numbers and of buffers.
const F32: u32 = 5126;
const U32: u32 = 5125;
const OF_VERTICES: u32 = 34962;
const OF_INDICES: u32 = 34963;
/// The only material, for sheets: it is seen from both sides.
const BOTH_SIDES: usize = 0;

impl Glb {
    /// A surface. Texture coordinates are as everywhere else; in the file, v runs down from 1.
    pub fn add_mesh(
        &mut self,
        positions: &[DVec3],
        normals: &[DVec3],
        uvs: &[DVec2],
        triangles: &[[u32; 3]],
    ) -> MeshId {
        let primitive = self.primitive(positions, normals, uvs, triangles);
        self.meshes.push(json!({ "primitives": [primitive] }));
        MeshId(self.meshes.len() - 1)
    }

    /// The surface of a shape.
    pub fn add_skin(&mut self, skin: &Skin) -> MeshId {
        self.add_mesh(&skin.positions, &skin.normals, &skin.uvs, &skin.triangles)
    }

    /// A surface whose corners move: where they are in each frame. All frames have as many corners
    /// as the first; those that have not are left out. `uv_triangles` says which of the uvs the
    /// triangles have; vertices at seams are there once for each of theirs.
    pub fn add_morph(
        &mut self,
        frames: &[Vec<DVec3>],
        triangles: &[[u32; 3]],
        (uvs, uv_triangles): (&[DVec2], &[[u32; 3]]),
    ) -> MeshId {
        let none = Vec::new();
        let first = frames.first().unwrap_or(&none);
        let normals = smooth_normals(first, triangles);
        let split = Split::new(triangles, uvs, uv_triangles);
        let mut primitive = match &split {
            None => self.primitive(first, &normals, uvs, triangles),
            Some(s) => self.primitive(&s.spread(first), &s.spread(&normals), &s.uvs, &s.triangles),
        };
        let mut targets = Vec::new();
        for frame in frames.iter().skip(1).filter(|frame| frame.len() == first.len()) {
            let turned = smooth_normals(frame, triangles);
            let mut moved: Vec<DVec3> = frame.iter().zip(first).map(|(p, q)| *p - *q).collect();
            let mut turned: Vec<DVec3> =
                turned.iter().zip(&normals).map(|(n, m)| *n - *m).collect();
            if let Some(s) = &split {
                (moved, turned) = (s.spread(&moved), s.spread(&turned));
            }
            let (position, normal) = (self.vectors(&moved, true), self.vectors(&turned, false));
            targets.push(json!({ "POSITION": position, "NORMAL": normal }));
        }
        let weights = vec![0.0; targets.len()];
        primitive["material"] = json!(BOTH_SIDES);
        if targets.is_empty() {
            self.meshes.push(json!({ "primitives": [primitive] }));
        } else {
            primitive["targets"] = Value::Array(targets);
            self.meshes.push(json!({ "primitives": [primitive], "weights": weights }));
        }
        MeshId(self.meshes.len() - 1)
    }

    /// When frames are, seconds.
    pub fn add_times(&mut self, times: &[f64]) -> TimesId {
        let values: Vec<f32> = times.iter().map(|t| *t as f32).collect();
        let number = self.floats(&values, "SCALAR", 1, None);
        self.limit(number, values.as_chunks::<1>().0);
        TimesId(number)
    }

    /// A mesh that stands still.
    pub fn add_still(&mut self, name: &str, mesh: MeshId, pose: &DPose3) {
        self.node(name, mesh, pose);
    }

    /// A rigid body: a mesh, and its pose at each of the times.
    pub fn add_body(&mut self, name: &str, mesh: MeshId, times: TimesId, poses: &[DPose3]) {
        let at = poses.first().copied().unwrap_or(DPose3::IDENTITY);
        let node = self.node(name, mesh, &at);
        if poses.iter().all(|pose| *pose == at) {
            return;
        }
        let places: Vec<f32> =
            poses.iter().flat_map(|p| p.translation.as_vec3().to_array()).collect();
        let mut turns: Vec<f32> = Vec::with_capacity(4 * poses.len());
        let mut before = DQuat::IDENTITY;
        for pose in poses {
            // A rotation has two signs; between frames of unlike sign it would go the long way.
            let q = if before.dot(pose.rotation) < 0.0 { -pose.rotation } else { pose.rotation };
            turns.extend([q.x, q.y, q.z, q.w].map(|x| x as f32));
            before = q;
        }
        let places = self.floats(&places, "VEC3", 3, None);
        let turns = self.floats(&turns, "VEC4", 4, None);
        self.channel(node, "translation", times, places);
        self.channel(node, "rotation", times, turns);
    }

    /// A soft body: a mesh of [`Glb::add_morph`] with as many frames as there are times.
    pub fn add_soft(&mut self, name: &str, mesh: MeshId, times: TimesId) {
        let node = self.node(name, mesh, &DPose3::IDENTITY);
        let targets = self.meshes[mesh.0]["weights"].as_array().map_or(0, Vec::len);
        if targets == 0 {
            return;
        }
        // Frame 0 is the mesh itself, frame k has the weight 1 on target k − 1.
        let mut weights = vec![0.0_f32; (targets + 1) * targets];
        for k in 0..targets {
            weights[(k + 1) * targets + k] = 1.0;
        }
        let weights = self.floats(&weights, "SCALAR", 1, None);
        self.channel(node, "weights", times, weights);
    }

    /// The file. `up` is the direction that is up; glTF has y.
    pub fn finish(self, up: DVec3) -> Result<Vec<u8>, TooLarge> {
        let mut nodes = self.nodes;
        let children: Vec<usize> = (0..nodes.len()).collect();
        let turn = DQuat::from_rotation_arc(up.normalize_or(DVec3::Y), DVec3::Y);
        let mut root = json!({ "name": "world", "rotation": [turn.x, turn.y, turn.z, turn.w] });
        if !children.is_empty() {
            root["children"] = json!(children);
        }
        nodes.push(root);
        let mut file = json!({
            "asset": { "version": "2.0", "generator": "asperity" },
            "scene": 0, "scenes": [{ "nodes": [nodes.len() - 1] }], "nodes": nodes,
        });
        let lists =
            [("meshes", self.meshes), ("accessors", self.accessors), ("bufferViews", self.views)];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            file[name] = Value::Array(list);
        }
        file["materials"] = json!([{ "doubleSided": true }]);
        if !self.channels.is_empty() {
            file["animations"] = json!([{ "channels": self.channels, "samplers": self.samplers }]);
        }
        if !self.numbers.is_empty() {
            file["buffers"] = json!([{ "byteLength": self.numbers.len() }]);
        }
        let mut text = file.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let bytes = 12 + 8 + text.len() + 8 + self.numbers.len();
        let Ok(total) = u32::try_from(bytes) else { return Err(TooLarge { bytes }) };
        let word = |n: usize| (n as u32).to_le_bytes();
        let head = [&b"glTF"[..], &2_u32.to_le_bytes(), &total.to_le_bytes()].concat();
        let json_head = [&word(text.len()), &b"JSON"[..]].concat();
        let numbers_head = [&word(self.numbers.len()), &b"BIN\0"[..]].concat();
        Ok([head, json_head, text, numbers_head, self.numbers].concat())
    }

    fn node(&mut self, name: &str, mesh: MeshId, pose: &DPose3) -> usize {
        let q = pose.rotation;
        self.nodes.push(json!({
            "name": name, "mesh": mesh.0, "translation": pose.translation.to_array(),
            "rotation": [q.x, q.y, q.z, q.w],
        }));
        self.nodes.len() - 1
    }

    fn channel(&mut self, node: usize, path: &str, times: TimesId, values: usize) {
        let sampler = json!({ "input": times.0, "output": values, "interpolation": "LINEAR" });
        self.samplers.push(sampler);
        let target = json!({ "node": node, "path": path });
        self.channels.push(json!({ "sampler": self.samplers.len() - 1, "target": target }));
    }

    fn primitive(
        &mut self,
        positions: &[DVec3],
        normals: &[DVec3],
        uvs: &[DVec2],
        triangles: &[[u32; 3]],
    ) -> Value {
        let count = positions.len();
        let mut attributes = json!({ "POSITION": self.vectors(positions, true) });
        if normals.len() == count {
            attributes["NORMAL"] = json!(self.vectors(normals, false));
        }
        if uvs.len() == count {
            let uvs: Vec<f32> =
                uvs.iter().flat_map(|uv| [uv.x as f32, (1.0 - uv.y) as f32]).collect();
            attributes["TEXCOORD_0"] = json!(self.floats(&uvs, "VEC2", 2, Some(OF_VERTICES)));
        }
        let indices: Vec<u8> = triangles.iter().flatten().flat_map(|i| i.to_le_bytes()).collect();
        let indices = self.accessor(&indices, U32, 3 * triangles.len(), "SCALAR", Some(OF_INDICES));
        json!({ "attributes": attributes, "indices": indices })
    }

    fn vectors(&mut self, list: &[DVec3], limits: bool) -> usize {
        let values: Vec<[f32; 3]> = list.iter().map(|v| v.as_vec3().to_array()).collect();
        let number = self.floats(values.as_flattened(), "VEC3", 3, Some(OF_VERTICES));
        if limits {
            self.limit(number, &values);
        }
        number
    }

    /// Writes the lowest and the highest values of a list beside it.
    fn limit<const N: usize>(&mut self, number: usize, values: &[[f32; N]]) {
        for (name, pick) in [("min", f32::min as fn(f32, f32) -> f32), ("max", f32::max)] {
            let of_two = |a: [f32; N], b: [f32; N]| std::array::from_fn(|k| pick(a[k], b[k]));
            if let Some(found) = values.iter().copied().reduce(of_two) {
                self.accessors[number][name] = json!(found.as_slice());
            }
        }
    }

    fn floats(&mut self, list: &[f32], kind: &str, parts: usize, target: Option<u32>) -> usize {
        let bytes: Vec<u8> = list.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.accessor(&bytes, F32, list.len() / parts, kind, target)
    }

    fn accessor(
        &mut self,
        bytes: &[u8],
        component: u32,
        count: usize,
        kind: &str,
        target: Option<u32>,
    ) -> usize {
        let mut view =
            json!({ "buffer": 0, "byteOffset": self.numbers.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.views.push(view);
        self.numbers.extend_from_slice(bytes);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": component, "count": count,
            "type": kind,
        }));
        self.accessors.len() - 1
    }
}
