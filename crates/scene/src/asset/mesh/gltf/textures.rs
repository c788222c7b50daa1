//! Normal textures of a glTF document.

use ::gltf::texture::WrappingMode;
use asperity_friction::surface::Wrap;

use super::{buffers, parse};
use crate::asset::mesh::NormalTexture;
use crate::asset::mesh::draft::DEFAULT_MATERIAL;
use crate::asset::{AssetError, Resolve};

/// The normal textures of all materials that have one.
pub(in crate::asset::mesh) fn normal_textures(
    file: &str,
    bytes: &[u8],
    resolve: Resolve,
) -> Result<Vec<NormalTexture>, AssetError> {
    let whole = |problem: String| AssetError::content(file, problem);
    let (document, blob) = parse(bytes).map_err(whole)?;
    if document.materials().all(|m| m.normal_texture().is_none()) {
        return Ok(Vec::new());
    }
    let buffers = buffers::load(file, &document, blob.as_deref(), resolve)?;
    let mut found = Vec::new();
    for material in document.materials() {
        let Some(normal) = material.normal_texture() else { continue };
        let name = match (material.index(), material.name()) {
            (None, _) => DEFAULT_MATERIAL.to_owned(),
            (Some(_), Some(name)) => name.to_owned(),
            (Some(i), None) => format!("material {i}"),
        };
        let what = format!("normalTexture of material \"{name}\"");
        let problem = |text: &str| whole(format!("{what}: {text}"));
        if normal.tex_coord() != 0 {
            return Err(problem("it uses TEXCOORD_1 or later; expected TEXCOORD_0"));
        }
        let scale = f64::from(normal.scale());
        if !scale.is_finite() {
            return Err(problem("its scale is not a finite number"));
        }
        // The crate's own accessor insists on a kind, which files leave out.
        let index = normal.texture().source().index();
        let image = document.as_json().images.get(index);
        let image = image.ok_or_else(|| problem("its image does not exist"))?;
        let content = match (&image.buffer_view, &image.uri) {
            (Some(view), _) => {
                let view = document.views().nth(view.value());
                let view = view.ok_or_else(|| problem("its buffer view does not exist"))?;
                let range = view.offset()..view.offset().saturating_add(view.length());
                let content = buffers.get(view.buffer().index()).and_then(|b| b.get(range));
                content.ok_or_else(|| problem("its buffer view ends beyond its buffer"))?.to_vec()
            }
            (None, Some(uri)) => buffers::fetch(file, &format!("images[{index}]"), uri, resolve)?,
            (None, None) => return Err(problem("its image has neither a buffer view nor a uri")),
        };
        let sampler = normal.texture().sampler();
        let clamps = [sampler.wrap_s(), sampler.wrap_t()].contains(&WrappingMode::ClampToEdge);
        found.push(NormalTexture {
            label: format!("{file}: {what}"),
            material: name,
            bytes: content,
            scale,
            wrap: if clamps { Wrap::Clamp } else { Wrap::Repeat },
        });
    }
    Ok(found)
}
