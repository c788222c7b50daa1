//! Small files to read, made here.
#![allow(dead_code)]

use asperity::friction::testing::Rng;
use asperity_scene::asset::mesh::{self, LoadedMesh};
use asperity_scene::asset::{AssetError, Resolve};

/// For files that stand alone.
pub(crate) const ALONE: Resolve =
    &|name| Err(AssetError::Unavailable { file: name.to_owned(), problem: "not found".to_owned() });

pub(crate) fn load(name: &str, bytes: impl AsRef<[u8]>) -> Result<LoadedMesh, AssetError> {
    mesh::load(name, bytes.as_ref(), ALONE)
}

/// A unit square in z = 0 with texture coordinates, two materials and a polygon.
pub(crate) const OBJ: &str = "# square\nmtllib none.mtl\no square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n\
    vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\nusemtl oak\nf 1/1/1 2/2/1 3/3/1\n\
    usemtl light oak\nf -4/-4/-1 -2/-2/-1 -1/-1/-1\n";

/// A tetrahedron.
pub(crate) const STL: &str = "solid corner of a box\n\
    facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\n\
    facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n\
    facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet\n\
    facet normal 1 1 1\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\n\
    endsolid corner of a box\n";

/// A unit square in z = 0 with a grain, and an element and a property that mean nothing.
pub(crate) const PLY: &str = "ply\nformat ascii 1.0\ncomment square\nelement vertex 4\n\
    property float x\nproperty float y\nproperty double z\nproperty uchar red\n\
    property float nx\nproperty float ny\nproperty float nz\n\
    property float s\nproperty float t\nproperty float gx\nproperty float gy\nproperty float gz\n\
    element edge 1\nproperty int vertex1\nproperty int vertex2\n\
    element face 1\nproperty list uchar int vertex_indices\nend_header\n\
    0 0 0 255 0 0 2 0 0 3 0 0\n1 0 0 255 0 0 2 1 0 0 2 0\n1 1 0 9 0 0 2 1 1 0 0 0\n0 1 0 9 0 0 2 0 1 -1 1 0\n\
    0 1\n4 0 1 2 3\n";

/// The same in bytes.
pub(crate) fn binary_ply() -> Vec<u8> {
    let (header, body) = PLY.split_once("end_header\n").unwrap();
    let header = header.replace("ascii", "binary_little_endian");
    let mut bytes = [header.as_bytes(), b"end_header\n"].concat();
    for (row, line) in body.lines().enumerate() {
        for (k, word) in line.split(' ').enumerate() {
            let number: f64 = word.parse().unwrap();
            match (row, k) {
                (0..=3, 2) => bytes.extend(number.to_le_bytes()),
                (0..=3, 3) | (5, 0) => bytes.push(number as u8),
                (0..=3, _) => bytes.extend((number as f32).to_le_bytes()),
                _ => bytes.extend((number as i32).to_le_bytes()),
            }
        }
    }
    bytes
}

/// The corners of the triangles of a mesh, as single-precision numbers.
pub(crate) fn corners(mesh: &LoadedMesh) -> Vec<[[f32; 3]; 3]> {
    let corner = |i: u32| mesh.positions[i as usize].to_array().map(|x| x as f32);
    mesh.triangles.iter().map(|triangle| triangle.map(corner)).collect()
}

/// A binary STL of a mesh, written by another library.
pub(crate) fn binary_stl(mesh: &LoadedMesh) -> Vec<u8> {
    let triangles: Vec<stl_io::Triangle> = corners(mesh)
        .into_iter()
        .map(|corners| stl_io::Triangle {
            normal: stl_io::Normal::new([0.0; 3]),
            vertices: corners.map(stl_io::Vertex::new),
        })
        .collect();
    let mut bytes = Vec::new();
    stl_io::write_stl(&mut bytes, triangles.iter()).unwrap();
    bytes
}

/// A glTF document under construction.
#[derive(Default)]
pub(crate) struct Gltf {
    pub(crate) bytes: Vec<u8>,
    pub(crate) views: Vec<String>,
    pub(crate) accessors: Vec<String>,
    /// The rest of the document: further members, each followed by a comma.
    pub(crate) members: String,
}

impl Gltf {
    /// Adds bytes; returns the number of their view.
    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        let (offset, length) = (self.bytes.len(), bytes.len());
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let view = format!(r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{length}}}"#);
        self.views.push(view);
        self.views.len() - 1
    }

    /// Adds an accessor with further members; returns its number.
    pub(crate) fn accessor(&mut self, kind: u32, shape: &str, count: usize, more: &str) -> usize {
        self.accessors
            .push(format!(r#"{{"componentType":{kind},"type":"{shape}","count":{count}{more}}}"#));
        self.accessors.len() - 1
    }

    /// Adds single-precision vectors; returns the number of their accessor.
    pub(crate) fn floats<const N: usize>(&mut self, values: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let shape = format!("VEC{N}");
        let bounds = if N == 3 { r#","min":[0,0,0],"max":[1,1,1]"# } else { "" };
        self.accessor(5126, &shape, values.len(), &format!(r#","bufferView":{view}{bounds}"#))
    }

    /// Adds 16-bit indices; returns the number of their accessor.
    pub(crate) fn indices(&mut self, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes);
        self.accessor(5123, "SCALAR", values.len(), &format!(r#","bufferView":{view}"#))
    }

    /// The document; its buffer is at `uri`, or in the binary chunk.
    pub(crate) fn json(&self, uri: Option<&str>) -> String {
        let uri = uri.map(|uri| format!(r#","uri":"{uri}""#)).unwrap_or_default();
        format!(
            r#"{{"asset":{{"version":"2.0"}},{}"accessors":[{}],"bufferViews":[{}],"buffers":[{{"byteLength":{}{uri}}}]}}"#,
            self.members,
            self.accessors.join(","),
            self.views.join(","),
            self.bytes.len()
        )
    }

    pub(crate) fn glb(&self) -> Vec<u8> {
        glb(&self.json(None), &self.bytes)
    }
}

/// A GLB of a document and a binary chunk.
pub(crate) fn glb(json: &str, bytes: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = 12 + 8 + json.len() + 8 + bytes.len();
    let word = |n: usize| u32::try_from(n).unwrap().to_le_bytes();
    let mut file = [&b"glTF"[..], &word(2), &word(length)].concat();
    file.extend([&word(json.len())[..], b"JSON", &json].concat());
    file.extend([&word(bytes.len())[..], b"BIN\0", bytes].concat());
    file
}

/// A unit square with all attributes and a named material, in a node with these members.
pub(crate) fn square_gltf(node: &str) -> Gltf {
    let mut gltf = Gltf::default();
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let p = gltf.floats(&positions);
    let n = gltf.floats(&[[0.0, 0.0, 1.0]; 4]);
    let t = gltf.floats(&[[1.0, 0.0, 0.0, 1.0]; 4]);
    // The top of the picture is at v = 0.
    let uv = gltf.floats(&[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
    let i = gltf.indices(&[0, 1, 2, 0, 2, 3]);
    gltf.members = format!(
        r#""scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0{node}}}],
        "materials":[{{"name":"oak"}}],"meshes":[{{"primitives":[{{"indices":{i},"material":0,
        "attributes":{{"POSITION":{p},"NORMAL":{n},"TANGENT":{t},"TEXCOORD_0":{uv}}}}}]}}],"#
    );
    gltf
}

/// A copy with some bytes changed, put in or taken out.
pub(crate) fn mutated(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    const TELLING: [u8; 12] = [0, 1, 0x7f, 0x80, 0xff, b'-', b'9', b' ', b'/', b'\n', b'e', b'.'];
    let mut bytes = bytes.to_vec();
    for _ in 0..=rng.index(6) {
        let at = rng.index(bytes.len().max(1)).min(bytes.len());
        let byte = if rng.chance(0.5) { TELLING[rng.index(12)] } else { rng.next_u64() as u8 };
        match rng.index(5) {
            0 if at < bytes.len() => drop(bytes.remove(at)),
            1 => bytes.insert(at, byte),
            2 if rng.chance(0.2) => bytes.truncate(at),
            3 => {
                let (end, to) =
                    ((at + 1 + rng.index(20)).min(bytes.len()), rng.index(bytes.len().max(1)));
                let piece = bytes[at..end].to_vec();
                let to = to.min(bytes.len());
                bytes.splice(to..to, piece);
            }
            _ if at < bytes.len() => bytes[at] = byte,
            _ => {}
        }
    }
    bytes
}
