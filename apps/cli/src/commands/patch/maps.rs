//! Normal and height maps from files.

use std::path::Path;

use asperity::friction::surface::{Mask, Relief, SlopeMap};
use asperity_scene::asset::{AssetError, Resolve, mesh, tmd};
use asperity_verify::pressed::Reading;
use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::Args;
use crate::error::CliError;

/// The slopes of a normal map, a height map, or the first normal texture of a glTF. `flag` is what says its width.
fn load(path: &Path, reading: Reading, flag: &str) -> Result<SlopeMap, CliError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(CliError::at(path))?;
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let asset = |e: AssetError| CliError::Input(e.to_string());
    let (bytes, scale) = match extension.as_deref() {
        Some("glb" | "gltf") => {
            // Files that a glTF names must lie in its folder.
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
            let folder =
                Dir::open_ambient_dir(folder.unwrap_or(Path::new(".")), ambient_authority());
            let beside: Resolve = &|file| {
                let read = folder.as_ref().map_err(ToString::to_string);
                let read = read.and_then(|dir| dir.read(file).map_err(|e| e.to_string()));
                read.map_err(|problem| AssetError::Unavailable { file: file.to_owned(), problem })
            };
            let mut found = mesh::normal_textures(&name, &bytes, beside).map_err(asset)?;
            if found.is_empty() {
                let message = format!("{name}: none of its materials has a normal texture");
                return Err(CliError::Input(message));
            }
            let first = found.swap_remove(0);
            (first.bytes, first.scale)
        }
        _ => (bytes, 1.0),
    };
    if reading.width.is_none() && !tmd::is_height_map(&bytes) {
        eprintln!("warning: {flag} is missing; {name} is taken to cover 1 m");
    }
    Ok(reading.slopes(&name, &bytes, scale)?)
}

/// The surface of side 0 or 1, as the arguments describe it.
pub(super) fn relief(args: &Args, side: usize) -> Result<Relief, CliError> {
    let (path, size, heights, flip_green, mask, flag) = if side == 0 {
        (&args.a, args.size_a, args.heights_a, args.flip_green_a, args.mask_a, "--size-a")
    } else {
        (&args.b, args.size_b, args.heights_b, args.flip_green_b, args.mask_b, "--size-b")
    };
    let mut map = load(path, Reading { width: size, heights, flip_green }, flag)?;
    if args.level {
        map = map.levelled()?;
    }
    if map.clipped() > 0 {
        eprintln!(
            "warning: {}: {} texels are steeper than 84.3 degrees and count as that",
            path.display(),
            map.clipped()
        );
    }
    Ok(Relief::new(map, Mask::Constant(mask))?)
}
