//! Meshes as files. Both kinds hold numbers of single precision.

use asperity::glamx::{DPose3, DVec3};
use asperity_scene::record::glb::Glb;

use super::net::Net;
use crate::error::CliError;

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

/// glTF 2.0 in one file.
pub(crate) fn glb(mesh: &Net) -> Result<Vec<u8>, CliError> {
    let mut file = Glb::default();
    let surface = file.add_mesh(&mesh.positions, &mesh.normals, &mesh.uvs, &mesh.triangles);
    file.add_still("mesh", surface, &DPose3::IDENTITY);
    file.finish(DVec3::Y).map_err(|e| CliError::Input(e.to_string()))
}
