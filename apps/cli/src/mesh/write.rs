//! Meshes as files. Both kinds hold numbers of single precision.

use super::net::Net;

/// Wavefront OBJ, metres.
pub(crate) fn obj(mesh: &Net) -> Vec<u8> {
    let mut text = String::from("# metres; u and v too\n");
    for p in &mesh.positions {
        let p = p.as_vec3();
        text += &format!("v {} {} {}\n", p.x, p.y, p.z);
    }
    for uv in &mesh.uvs {
        let uv = uv.as_vec2();
        text += &format!("vt {} {}\n", uv.x, uv.y);
    }
    for n in &mesh.normals {
        let n = n.as_vec3();
        text += &format!("vn {} {} {}\n", n.x, n.y, n.z);
    }
    for [a, b, c] in mesh.triangles.iter().map(|t| t.map(|c| c + 1)) {
        text += &format!("f {a}/{a}/{a} {b}/{b}/{b} {c}/{c}/{c}\n");
    }
    text.into_bytes()
}

/// glTF 2.0 in one file: header, JSON and numbers. Its v runs down, from 1.
pub(crate) fn glb(mesh: &Net) -> Vec<u8> {
    let count = mesh.positions.len();
    let positions: Vec<[f32; 3]> = mesh.positions.iter().map(|p| p.as_vec3().to_array()).collect();
    let limit = |pick: fn(f32, f32) -> f32| {
        let both = |a: [f32; 3], b: &[f32; 3]| [0, 1, 2].map(|k| pick(a[k], b[k]));
        positions.iter().skip(1).fold(positions.first().copied().unwrap_or_default(), both)
    };
    let floats = |list: Vec<f32>| list.into_iter().flat_map(f32::to_le_bytes).collect::<Vec<u8>>();
    let normals = mesh.normals.iter().flat_map(|n| n.as_vec3().to_array()).collect();
    let uvs = mesh.uvs.iter().flat_map(|uv| [uv.x as f32, (1.0 - uv.y) as f32]).collect();
    let indices: Vec<u8> = mesh.triangles.iter().flatten().flat_map(|i| i.to_le_bytes()).collect();
    let parts = [floats(positions.concat()), floats(normals), floats(uvs), indices];
    let mut start = 0;
    let views: Vec<_> = parts
        .iter()
        .enumerate()
        .map(|(k, part)| {
            // 34962: of vertices; 34963: of indices.
            let target = if k == 3 { 34963 } else { 34962 };
            let view = serde_json::json!({ "buffer": 0, "byteOffset": start, "byteLength": part.len(), "target": target });
            start += part.len();
            view
        })
        .collect();
    // 5126: f32; 5125: u32.
    let json = serde_json::json!({
        "asset": { "version": "2.0", "generator": "asperity mesh" },
        "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2 }, "indices": 3
        }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3", "min": limit(f32::min), "max": limit(f32::max) },
            { "bufferView": 1, "componentType": 5126, "count": count, "type": "VEC3" },
            { "bufferView": 2, "componentType": 5126, "count": count, "type": "VEC2" },
            { "bufferView": 3, "componentType": 5125, "count": 3 * mesh.triangles.len(), "type": "SCALAR" },
        ],
        "bufferViews": views, "buffers": [{ "byteLength": start }],
    });
    let mut json = json.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let numbers = parts.concat();
    let word = |n: usize| (n as u32).to_le_bytes();
    let total = 12 + 8 + json.len() + 8 + numbers.len();
    [
        &b"glTF"[..],
        &word(2),
        &word(total),
        &word(json.len()),
        b"JSON",
        &json,
        &word(numbers.len()),
        b"BIN\0",
        &numbers,
    ]
    .concat()
}
