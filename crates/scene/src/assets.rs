//! Files that a scene names. The library opens none: it asks an [`Assets`].

use asperity_friction::surface::SlopeMap;
use glamx::DVec2;

use super::node::Node;
use crate::asset::mesh::LoadedMesh;
use crate::asset::tmd::HeightMap;
use crate::asset::{self, AssetError};

/// Hands over the bytes of files: those that a scene names, or those of a recording.
///
/// Paths of a scene are relative to the scene file, with `/` between their parts. Absolute paths and paths
/// with `..` are refused before they get here.
pub trait Assets {
    /// The bytes of a file, or why they cannot be had.
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;
}

/// No files at all.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoAssets;

impl Assets for NoAssets {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Err("there are no files here".to_owned())
    }
}

/// The image that a value names.
pub(crate) fn image(node: &Node, assets: &dyn Assets) -> Option<asset::image::Picture> {
    let path = node.text()?;
    let bytes =
        fetch(path, assets).map_err(|e| node.complain(format!("{}: {e}", node.what))).ok()?;
    let loaded = asset::image::load(path, &bytes);
    loaded.map_err(|e| node.complain(format!("{}: {e}", node.what))).ok()
}

/// The file that a value names, where it is a measured height map; nothing where it is something else or cannot be
/// had, which [`image`] tells.
pub(crate) fn measured(node: &Node, assets: &dyn Assets) -> Option<Vec<u8>> {
    let path = node.is_text().then(|| node.text())??;
    fetch(path, assets).ok().filter(|bytes| asset::tmd::is_height_map(bytes))
}

/// The height map in such a file.
pub(crate) fn height_map(node: &Node, bytes: &[u8]) -> Option<HeightMap> {
    let loaded = asset::tmd::load(node.text()?, bytes);
    loaded.map_err(|e| node.complain(format!("{}: {e}", node.what))).ok()
}

/// What a mesh file refers to is relative to that file.
fn beside(path: &str, name: &str, assets: &dyn Assets) -> Result<Vec<u8>, AssetError> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    let refused = |problem| AssetError::Unavailable { file: name.to_owned(), problem };
    check(name).and_then(|()| fetch(&path, assets)).map_err(refused)
}

/// The first normal texture of the glTF file that a value names, over `size` metres.
pub(crate) fn normal_texture(node: &Node, assets: &dyn Assets, size: DVec2) -> Option<SlopeMap> {
    let path = node.text()?;
    let refuse = |e: String| node.complain(format!("{}: {e}", node.what));
    let bytes = fetch(path, assets).map_err(refuse).ok()?;
    let resolve = |name: &str| beside(path, name, assets);
    let textures = asset::mesh::normal_textures(path, &bytes, &resolve);
    let textures = textures.map_err(|e| refuse(e.to_string())).ok()?;
    let Some(first) = textures.first() else {
        refuse(format!("\"{path}\" brings no normal texture; expected a glTF file with one"));
        return None;
    };
    first.slopes(size).map_err(|e| refuse(e.to_string())).ok()
}

/// The mesh that a value names.
pub(crate) fn mesh(node: &Node, assets: &dyn Assets) -> Option<LoadedMesh> {
    let path = node.text()?;
    let bytes =
        fetch(path, assets).map_err(|e| node.complain(format!("{}: {e}", node.what))).ok()?;
    let resolve = |name: &str| beside(path, name, assets);
    let loaded = asset::mesh::load(path, &bytes, &resolve);
    loaded.map_err(|e| node.complain(format!("{}: {e}", node.what))).ok()
}

/// The text of the file that a value names.
pub(crate) fn text(node: &Node, assets: &dyn Assets) -> Option<String> {
    let path = node.text()?;
    let refuse = |e: String| node.complain(format!("{}: {e}", node.what));
    let bytes = fetch(path, assets).map_err(refuse).ok()?;
    String::from_utf8(bytes).map_err(|_| refuse(format!("\"{path}\" is not a text file"))).ok()
}

fn fetch(path: &str, assets: &dyn Assets) -> Result<Vec<u8>, String> {
    check(path)?;
    assets.read(path).map_err(|e| format!("cannot read \"{path}\": {e}"))
}

/// Refuses every path that could leave the folder of the scene.
fn check(path: &str) -> Result<(), String> {
    let advice = "expected a path relative to the scene file, inside its folder";
    if path.is_empty() || path.contains('\0') {
        return Err(format!("{path:?} is not a path; {advice}"));
    }
    if path.contains('\\') {
        return Err(format!("the path {path:?} has a backslash; write / between its parts"));
    }
    // A colon is a drive letter, or the scheme of an address.
    if path.starts_with(['/', '~']) || path.contains(':') {
        return Err(format!("the path {path:?} is absolute; {advice}"));
    }
    if path.split('/').any(|part| part == "..") {
        return Err(format!("the path {path:?} has \"..\"; {advice}"));
    }
    Ok(())
}
