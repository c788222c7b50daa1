//! Rough surfaces in scenes: normal and height textures, and masks.

use std::collections::BTreeMap;

use asperity_friction::FrictionError;
use asperity_friction::surface::generate::{self, Grid, Thread};
use asperity_friction::surface::{Mask, Relief, SlopeMap, Wrap};
use glamx::DVec2;

use super::assets::{self, Assets};
use super::material::named_texture;
use super::reader::Fields;
use super::texture::{KINDS, SOURCES, Source, Texture, TextureKind, WRAPS};
use crate::asset::tmd::HeightMap;

/// Reads the slopes of a texture of kind "normal" or "height".
pub(crate) fn slopes(
    texture: &Fields,
    kind: TextureKind,
    size: DVec2,
    wrap: Wrap,
    assets: &dyn Assets,
) -> Option<SlopeMap> {
    let (key, source) = (texture.alternative()?, texture.way(&SOURCES)?);
    let refuse = |e: String| texture.complain(key, format!("{}: {e}", texture.label));
    if kind != TextureKind::Height && texture.has("depth") {
        let label = &texture.label;
        texture
            .complain("depth", format!("\"depth\" in {label} is for height textures; remove it"));
    }
    let made = match source {
        Source::Generate if kind == TextureKind::Height => {
            refuse("a height texture comes from a file; generate one of kind \"normal\"".into());
            None
        }
        Source::Generate => generated(&texture.table("generate")?, size)
            .and_then(|made| made.map_err(|e| refuse(e.to_string())).ok()),
        Source::Mesh if kind == TextureKind::Height => {
            refuse("a mesh brings normals, not heights; the kind is \"normal\"".into());
            None
        }
        Source::Mesh => assets::normal_texture(&texture.node("mesh")?, assets, size),
        Source::File => {
            let mut picture = assets::image(&texture.node("file")?, assets)?;
            let made = if kind == TextureKind::Height {
                let depth = texture.number("depth");
                if depth.is_none() {
                    refuse("a height texture needs \"depth\", metres from black to white".into());
                }
                let depth = depth?;
                let map = picture.into_texture(size, wrap);
                map.and_then(|map| SlopeMap::from_height_map(&map, depth))
            } else {
                if texture.flag("flip_green").unwrap_or(false) {
                    picture.flip_green();
                }
                picture.into_slopes(size, wrap)
            };
            made.map_err(|e| refuse(e.to_string())).ok()
        }
    };
    if texture.flag("level").unwrap_or(false) {
        return made?.levelled().map_err(|e| refuse(e.to_string())).ok();
    }
    made
}

/// A texture from a measured height map, which knows its heights and what it covers. Another `size`
/// makes all of it larger or smaller: slopes stay where both sides grow alike.
pub(crate) fn measured(texture: &Fields, found: Option<HeightMap>) -> Option<Texture> {
    let kind = texture.pick("kind", &KINDS)?;
    let label = &texture.label;
    if kind != TextureKind::Height {
        let name = kind.name();
        let message = format!(
            "{label}: the file holds measured heights, but the kind is \"{name}\"; expected kind = \"height\""
        );
        return texture.refuse("kind", message);
    }
    for key in ["depth", "flip_green"] {
        if texture.has(key) {
            let message = format!(
                "\"{key}\" in {label} is for pictures, and the file holds measured heights; remove it"
            );
            texture.complain(key, message);
        }
    }
    let wrap = texture.pick("wrap", &WRAPS).unwrap_or(Wrap::Repeat);
    let refuse = |e: FrictionError| texture.complain("file", format!("{label}: {e}"));
    let mut map = found?.into_slopes(wrap).map_err(refuse).ok()?;
    if texture.has("size") {
        map = map.with_size(texture.pair("size")?).map_err(refuse).ok()?;
    }
    if texture.flag("level").unwrap_or(false) {
        map = map.levelled().map_err(refuse).ok()?;
    }
    Some(Texture { kind, map: None, slopes: Some(map) })
}

/// A normal texture made from numbers.
fn generated(fields: &Fields, size: DVec2) -> Option<Result<SlopeMap, FrictionError>> {
    let [width, height] = fields.wholes("texels").unwrap_or([64, 64]);
    let seed = fields.whole("seed").unwrap_or(1) as u64;
    // Generators have square texels; the texture is then laid over its size.
    let grid = Grid { width, height, texel: size.x / width as f64 };
    let kind = fields.alternative()?;
    let made = match kind {
        "rough" => {
            let ra = fields.table(kind)?.number("ra")?;
            generate::gaussian_roughness(grid, ra, seed)
        }
        "slopes" => generate::gaussian_slopes(grid, fields.pair(kind)?, seed),
        "sawtooth" => {
            let teeth = fields.table(kind)?;
            let (slopes, widths) = (teeth.pair("slopes")?, teeth.wholes("widths")?);
            generate::sawtooth(grid, slopes.to_array(), widths)
        }
        "ridges" => {
            let ridges = fields.table(kind)?;
            generate::ridges(grid, ridges.whole("count")?, ridges.number("slope")?)
        }
        "threads" => {
            let thread = fields.table(kind)?;
            let right_handed = !thread.flag("left_handed").unwrap_or(false);
            let turns = thread.whole("turns").unwrap_or(1);
            let flanks = thread.pair("flanks")?.to_array();
            let (pitch, radius) = (thread.number("pitch")?, thread.number("radius")?);
            let thread = Thread { pitch, radius, flanks, right_handed };
            return Some(generate::threads(thread, turns, width, height));
        }
        "brushed" => {
            let brushed = fields.table(kind)?;
            generate::brushed(grid, brushed.number("ra")?, brushed.number("length")?, seed)
        }
        "wood" => {
            let wood = fields.table(kind)?;
            generate::wood(grid, wood.number("ra")?, wood.number("ring")?, seed)
        }
        _ => {
            return fields.refuse(kind, format!("{} makes no normals with \"{kind}\"; expected \"rough\", \"slopes\", \"sawtooth\", \"ridges\", \"threads\", \"brushed\" or \"wood\"", fields.label));
        }
    };
    Some(made.and_then(|map| map.with_size(size)))
}

/// Reads `normal` and `mask` of a material.
pub(crate) fn relief(fields: &Fields, textures: &BTreeMap<String, Texture>) -> Option<Relief> {
    let Some(node) = fields.node("normal") else {
        if fields.has("mask") {
            let label = &fields.label;
            fields.complain("mask", format!("\"mask\" in {label} needs a \"normal\" beside it"));
        }
        return None;
    };
    let map = named_texture(&node, textures, &[TextureKind::Normal, TextureKind::Height])?
        .slopes
        .clone()?;
    let mask = match fields.node("mask") {
        None => Mask::Constant(1.0),
        Some(node) if node.is_text() => {
            let texture = named_texture(&node, textures, &[TextureKind::Mask])?.map.as_ref()?;
            Mask::from_texture(texture, &map, 1.0)
        }
        Some(node) if node.is_table() => {
            let table = fields.table("mask")?;
            let gain = table.number("gain")?;
            match table.node("texture") {
                Some(name) => {
                    let texture =
                        named_texture(&name, textures, &[TextureKind::Mask])?.map.as_ref()?;
                    Mask::from_texture(texture, &map, gain)
                }
                None => Mask::from_edges(&map, table.number("floor").unwrap_or(0.0), gain),
            }
        }
        Some(_) => Mask::Constant(fields.number("mask")?),
    };
    let made = Relief::new(map, mask);
    made.map_err(|e| fields.complain("mask", format!("{}: {e}", fields.label))).ok()
}
