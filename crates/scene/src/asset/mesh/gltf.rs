//! The only module that knows the `gltf` crate.
//!
//! That crate checks indices between the parts of a document (but for one, on which it panics),
//! not that nodes form a tree, nor anything about the bytes of buffers. All that is checked here.

mod accessor;
mod attributes;
mod buffers;
mod nodes;
mod textures;

pub(super) use textures::normal_textures;

use std::collections::HashMap;

use ::gltf::json::validation::Checked;
use ::gltf::mesh::Mode;
use ::gltf::{Document, Gltf, Primitive, Semantic};

use self::accessor::Elements;
use self::attributes::{Attributes, Place};
use self::nodes::Placed;
use super::draft::{DEFAULT_MATERIAL, Draft};
use crate::asset::{AssetError, Resolve};

/// Reads a glTF or GLB: all meshes of the default scene, placed by their nodes.
pub(super) fn read(file: &str, bytes: &[u8], resolve: Resolve) -> Result<Draft, AssetError> {
    let whole = |problem: String| AssetError::content(file, problem);
    let (document, blob) = parse(bytes).map_err(whole)?;
    let buffers = buffers::load(file, &document, blob.as_deref(), resolve)?;
    let mut draft = Draft::default();
    for placed in nodes::placed_meshes(&document).map_err(whole)? {
        for primitive in placed.mesh.primitives() {
            let at = |problem: String| {
                let (mesh, number) = (placed.mesh.index(), primitive.index());
                whole(format!("meshes[{mesh}].primitives[{number}]: {problem}"))
            };
            add(&mut draft, &primitive, &placed, &buffers).map_err(at)?;
            draft.check_size(file)?;
        }
    }
    Ok(draft)
}

/// The document and the binary chunk, if there is one.
fn parse(bytes: &[u8]) -> Result<(Document, Option<Vec<u8>>), String> {
    check_header(bytes)?;
    let gltf = Gltf::from_slice_without_validation(bytes).map_err(|error| describe(&error))?;
    let json = gltf.document.into_json();
    // The crate's validation takes this index for valid.
    for (m, mesh) in json.meshes.iter().enumerate() {
        for (p, primitive) in mesh.primitives.iter().enumerate() {
            let position = primitive.attributes.get(&Checked::Valid(Semantic::Positions));
            if position.is_some_and(|index| index.value() >= json.accessors.len()) {
                return Err(format!(
                    "meshes[{m}].primitives[{p}]: POSITION has an accessor that does not exist"
                ));
            }
        }
    }
    let document = Document::from_json(json).map_err(|error| describe(&error))?;
    Ok((document, gltf.blob))
}

/// A GLB that promises fewer bytes than its header has is not caught by the crate.
fn check_header(bytes: &[u8]) -> Result<(), String> {
    let is_binary = bytes.starts_with(b"glTF");
    let length = bytes.get(8..12).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    match length {
        _ if !is_binary => Ok(()),
        Some(length) if length >= 12 && length as usize <= bytes.len() => Ok(()),
        _ => Err(format!(
            "the header promises {} bytes; the file has {}",
            length.unwrap_or(0),
            bytes.len()
        )),
    }
}

/// The crate's message, cut after a few problems.
fn describe(error: &::gltf::Error) -> String {
    let ::gltf::Error::Validation(problems) = error else {
        return format!("not a glTF: {error}");
    };
    let first: Vec<String> =
        problems.iter().take(3).map(|(path, problem)| format!("{path}: {problem}")).collect();
    let more = if problems.len() > 3 { "; and more" } else { "" };
    format!("not a valid glTF: {}{more}", first.join("; "))
}

/// Adds the triangles of a primitive; points and lines have none.
fn add(
    draft: &mut Draft,
    primitive: &Primitive,
    placed: &Placed,
    buffers: &[Vec<u8>],
) -> Result<(), String> {
    if !matches!(primitive.mode(), Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
        return Ok(());
    }
    let attributes = Attributes::read(primitive, buffers)?;
    let place = Place::new(placed);
    let before = draft.sources;
    draft.sources += attributes.count();
    let vertex = |i: usize| attributes.vertex(i, &place, before + i);

    let indices = primitive.indices().map(|a| Elements::indices(&a, buffers)).transpose()?;
    let count = indices.as_ref().map_or(attributes.count(), Elements::count);
    let index = |k: usize| -> Result<usize, String> {
        let Some(indices) = &indices else { return Ok(k) };
        let [index] = indices.get(k)?;
        if index < attributes.count() as f64 {
            return Ok(index as usize);
        }
        Err(format!("index {index} at {k}; expected less than {}", attributes.count()))
    };

    let material = primitive.material();
    let material = match (material.index(), material.name()) {
        (None, _) => draft.material(DEFAULT_MATERIAL),
        (Some(_), Some(name)) => draft.material(name),
        (Some(i), None) => draft.material(&format!("material {i}")),
    };
    let mut known: HashMap<usize, u32> = HashMap::new();
    for corners in corners(primitive.mode(), count)? {
        let mut triangle = [0; 3];
        for (corner, number) in corners.into_iter().zip(&mut triangle) {
            let i = index(corner)?;
            *number = match known.get(&i) {
                Some(number) => *number,
                None => {
                    let number = draft.vertices.len() as u32;
                    draft.vertices.push(vertex(i)?);
                    known.insert(i, number);
                    number
                }
            };
        }
        if place.is_mirrored {
            triangle.swap(1, 2);
        }
        draft.triangles.push(triangle);
        draft.triangle_material.push(material);
    }
    Ok(())
}

/// Places of the corners of each triangle among `count` indices.
fn corners(mode: Mode, count: usize) -> Result<impl Iterator<Item = [usize; 3]>, String> {
    let of_triangle = move |k: usize| match mode {
        Mode::TriangleStrip => [k, k + 1 + k % 2, k + 2 - k % 2],
        Mode::TriangleFan => [k + 1, k + 2, 0],
        _ => [3 * k, 3 * k + 1, 3 * k + 2],
    };
    match mode {
        Mode::Triangles if !count.is_multiple_of(3) => {
            Err(format!("{count} indices; expected three for each triangle"))
        }
        Mode::Triangles => Ok((0..count / 3).map(of_triangle)),
        _ => Ok((0..count.saturating_sub(2)).map(of_triangle)),
    }
}
