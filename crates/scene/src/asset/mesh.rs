//! Triangle meshes from glTF, GLB, OBJ, PLY and STL files.
//!
//! ```
//! use asperity_scene::asset::mesh;
//!
//! let obj = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
//! let square = mesh::load("square.obj", obj, &|_| unreachable!("an OBJ stands alone"))?;
//! assert_eq!(square.triangles.len(), 2);
//! assert_eq!(square.normals[0].z, 1.0);
//! # Ok::<(), asperity_scene::asset::AssetError>(())
//! ```

mod draft;
mod gltf;
mod normals;
mod obj;
mod ply;
mod polygon;
mod stl;
mod tangents;

use asperity_friction::surface::{SlopeMap, Wrap};
use glamx::{DVec2, DVec3};

use super::{AssetError, Resolve, image};
use asperity::geometry::shape::MeshData;

/// Most vertices of a mesh: more is taken for a broken or hostile file.
pub const MAX_VERTICES: usize = 1 << 25;

/// Most triangles of a mesh.
pub const MAX_TRIANGLES: usize = 1 << 26;

/// Largest coordinate of a mesh, of either sign: products of a few stay finite.
pub const MAX_COORDINATE: f64 = 1e30;

/// A mesh as a file gives it, in the file's units and axes.
///
/// All lists of vertices have the same length, except that `uvs` and `tangents` may be empty. A
/// vertex is unique in position, normal, texture coordinates and tangent together; one point of
/// the surface can have several. Every number is finite, every index in range, and no triangle
/// repeats a vertex (those that do in the file cover nothing and are left out).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LoadedMesh {
    /// Positions of the vertices.
    pub positions: Vec<DVec3>,
    /// Three vertices each, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Unit normals. Where the file has none, the mean of those of the triangles around the
    /// point, weighted with their areas.
    pub normals: Vec<DVec3>,
    /// Texture coordinates, v growing upwards in the picture (a glTF's v is turned round); empty
    /// when no vertex has any, zero for single vertices without.
    pub uvs: Vec<DVec2>,
    /// Unit tangents, perpendicular to the normals, along growing u; the fourth number is the sign
    /// of the bitangent, along growing v: sign · normal × tangent. Where the file has none,
    /// computed from the texture coordinates with MikkTSpace. Empty when there is neither.
    pub tangents: Vec<[f64; 4]>,
    /// Names of the materials; `default` for what has none.
    pub materials: Vec<String>,
    /// For each triangle, which of the materials it has.
    pub triangle_material: Vec<u32>,
    /// Structure directions (the grain, Erleben 2020), unit length, zero where a vertex has none; empty when the file
    /// says nothing of it. A glTF has them as the attribute `_GRAIN`, a PLY as the properties `gx`, `gy` and `gz`.
    pub grains: Vec<DVec3>,
    /// For each vertex, its number among those of the file, counted from 0: the `v` lines of an OBJ, the vertices of a
    /// PLY, the corners of an STL in the order in which places appear, the POSITION elements of a glTF primitive after
    /// primitive.
    pub sources: Vec<usize>,
    /// How many vertices the file has, used or not.
    pub source_count: usize,
}

/// Reads a mesh. The extension of the name decides how: `glb`, `gltf`, `obj`, `ply` or `stl`.
///
/// A glTF's meshes are those of its default scene (the first if it names none), placed by their
/// nodes; skins and morph targets are not applied. An OBJ's polygons are cut into triangles. An
/// STL's corners at the same point become one vertex.
pub fn load(name: &str, bytes: &[u8], resolve: Resolve) -> Result<LoadedMesh, AssetError> {
    let extension = name.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
    let draft = match extension.as_deref() {
        Some("glb" | "gltf") => gltf::read(name, bytes, resolve)?,
        Some("obj") => obj::read(name, bytes)?,
        Some("ply") => ply::read(name, bytes)?,
        Some("stl") => stl::read(name, bytes)?,
        _ => {
            return Err(AssetError::Kind {
                file: name.to_owned(),
                expected: "the extension glb, gltf, obj, ply or stl",
            });
        }
    };
    draft.complete(name)
}

/// A normal map that a mesh file brings along.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalTexture {
    /// File and material, for messages.
    pub label: String,
    /// Name of the material, as in [`LoadedMesh::materials`].
    pub material: String,
    /// A PNG or JPEG, not decoded.
    pub bytes: Vec<u8>,
    /// Factor on its slopes.
    pub scale: f64,
    /// What lies beyond its edges. Mirrored repetition is taken as plain repetition.
    pub wrap: Wrap,
}

impl NormalTexture {
    /// The slopes, over `size` metres.
    pub fn slopes(&self, size: DVec2) -> Result<SlopeMap, AssetError> {
        let map = image::load(&self.label, &self.bytes)?.into_slopes(size, self.wrap);
        map.and_then(|map| map.scaled(self.scale))
            .map_err(|e| AssetError::content(&self.label, e.to_string()))
    }
}

/// The normal textures of a glTF's materials; a mesh of another kind has none.
pub fn normal_textures(
    name: &str,
    bytes: &[u8],
    resolve: Resolve,
) -> Result<Vec<NormalTexture>, AssetError> {
    let extension = name.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
    match extension.as_deref() {
        Some("glb" | "gltf") => gltf::normal_textures(name, bytes, resolve),
        _ => Ok(Vec::new()),
    }
}

/// Materials and grain are left out.
impl From<LoadedMesh> for MeshData {
    fn from(mesh: LoadedMesh) -> MeshData {
        MeshData {
            positions: mesh.positions,
            triangles: mesh.triangles,
            normals: mesh.normals,
            uvs: mesh.uvs,
            tangents: mesh.tangents,
        }
    }
}
