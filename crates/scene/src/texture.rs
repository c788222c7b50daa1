//! `texture.<name>`: images and generated fields over a surface.

use std::collections::BTreeMap;

use asperity_friction::surface::{SlopeMap, TextureMap, Wrap};
use glamx::DVec2;

use super::assets::{self, Assets};
use super::format::material::GENERATE;
use super::format::way;
use super::reader::Fields;
use super::relief;
use super::spec::{Form, Range, Way};
use crate::asset::image::Picture;

/// A texture and what its channels mean.
#[derive(Debug, Clone)]
pub(crate) struct Texture {
    pub(crate) kind: TextureKind,
    /// `None` where it could not be made; the reason is in the log.
    pub(crate) map: Option<TextureMap>,
    /// Of normal and height textures, instead of the map.
    pub(crate) slopes: Option<SlopeMap>,
}

/// What the channels of a texture mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextureKind {
    /// Red and green: the grain.
    Structure,
    /// Factors on the entries of a friction tensor.
    Tensor,
    /// The normals of a rough surface.
    Normal,
    /// Its heights, in red.
    Height,
    /// Red: how much of a rough surface counts.
    Mask,
}

/// All kinds by name.
pub(crate) const KINDS: [(&str, TextureKind); 5] = [
    ("structure", TextureKind::Structure),
    ("tensor", TextureKind::Tensor),
    ("normal", TextureKind::Normal),
    ("height", TextureKind::Height),
    ("mask", TextureKind::Mask),
];

/// What lies beyond the edge of a texture.
pub(crate) const WRAPS: [(&str, Wrap); 2] = [("repeat", Wrap::Repeat), ("clamp", Wrap::Clamp)];

/// Where a texture comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source {
    /// An image, or a measured height map.
    File,
    /// A mesh that brings it along.
    Mesh,
    /// Numbers.
    Generate,
}

/// All sources by their keys.
pub(crate) static SOURCES: [Way<Source>; 3] = [
    way(
        "file",
        Form::Text,
        "An image, or a measured height map (.tmd); relative to the scene file.",
        Source::File,
    ),
    way(
        "mesh",
        Form::Text,
        "A glTF file whose own normal texture this is (normal textures only).",
        Source::Mesh,
    ),
    way(
        "generate",
        Form::Table(&GENERATE),
        "Made from numbers instead of a file.",
        Source::Generate,
    ),
];

impl TextureKind {
    /// As scene files have it.
    pub(crate) fn name(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// Reads all textures.
pub(crate) fn read(scene: &Fields, assets: &dyn Assets) -> BTreeMap<String, Texture> {
    scene
        .named("texture")
        .into_iter()
        .filter_map(|(name, t)| Some((name.to_owned(), one(&t, assets)?)))
        .collect()
}

fn one(texture: &Fields, assets: &dyn Assets) -> Option<Texture> {
    let source = texture.way(&SOURCES);
    if let Some(node) = texture.node("file")
        && let Some(bytes) = assets::measured(&node, assets)
    {
        return relief::measured(texture, assets::height_map(&node, &bytes));
    }
    let size = if texture.has("size") {
        texture.pair("size")
    } else {
        let message = format!(
            "{} has no \"size\"; one copy is taken to cover 1 m x 1 m. Write size = [1, 1] if \
             that is meant",
            texture.label
        );
        texture.log.warn(texture.at, message);
        Some(DVec2::ONE)
    };
    let wrap = texture.pick("wrap", &WRAPS).unwrap_or(Wrap::Repeat);
    let flip = texture.flag("flip_green").unwrap_or(false);
    let kind = texture.pick("kind", &KINDS)?;
    if flip && !matches!(kind, TextureKind::Structure | TextureKind::Normal) {
        texture.complain(
            "flip_green",
            format!(
                "\"flip_green\" in {} is for structure and normal textures; remove it",
                texture.label
            ),
        );
    }
    if matches!(kind, TextureKind::Normal | TextureKind::Height) {
        let slopes = relief::slopes(texture, kind, size?, wrap, assets);
        return Some(Texture { kind, map: None, slopes });
    }
    for key in ["mesh", "depth", "level"] {
        if texture.has(key) {
            let message = format!(
                "\"{key}\" in {} is for normal and height textures; remove it",
                texture.label
            );
            texture.complain(key, message);
        }
    }
    let picture = match source {
        Some(Source::File) => texture.node("file").and_then(|node| assets::image(&node, assets)),
        Some(Source::Generate) => texture.table("generate").and_then(|g| generate(&g, kind)),
        // Meshes bring normals only, which is told above.
        Some(Source::Mesh) | None => None,
    };
    let map = picture.zip(size).and_then(|(mut picture, size)| {
        if flip {
            picture.flip_green();
        }
        picture
            .into_texture(size, wrap)
            .map_err(|e| texture.complain("file", format!("{}: {e}", texture.label)))
            .ok()
    });
    Some(Texture { kind, map, slopes: None })
}

fn generate(fields: &Fields, kind: TextureKind) -> Option<Picture> {
    let [width, height] = fields.wholes("texels").unwrap_or([64, 64]);
    let columns: Vec<[f32; 4]> = match fields.alternative()? {
        "constant" => {
            let value = value(&fields.node("constant")?, kind)?;
            vec![value; width]
        }
        "stripes" => {
            let stripes = fields.table("stripes")?;
            let count = stripes.whole("count");
            let values = stripes.list("values");
            if values.len() != 2 {
                return stripes.node("values")?.expected("an array of 2 values");
            }
            let values = [value(&values[0], kind), value(&values[1], kind)];
            let (count, [Some(first), Some(second)]) = (count?, values) else { return None };
            if 2 * count > width {
                let message = format!(
                    "{count} pairs of stripes do not fit into {width} texels; expected at least two texels a pair: raise `texels` or lower `count`"
                );
                return stripes.refuse("count", message);
            }
            (0..width)
                .map(|i| if (2 * i * count / width).is_multiple_of(2) { first } else { second })
                .collect()
        }
        "rotate" => {
            let rotate = fields.table("rotate")?;
            if kind != TextureKind::Structure {
                return fields.refuse("rotate", format!("{} turns directions, but the texture is of kind \"{}\"; use \"constant\" or \"stripes\"", fields.label, kind.name()));
            }
            let start = rotate.number("start").unwrap_or(0.0).to_radians();
            let turns = rotate.number("turns")?;
            let at = |i: usize| {
                let angle = start + std::f64::consts::TAU * turns * (i as f64 + 0.5) / width as f64;
                encode(DVec2::from_angle(angle))
            };
            (0..width).map(at).collect()
        }
        other => {
            return fields.refuse(other, format!("{} makes normals with \"{other}\", but the texture is of kind \"{}\"; use \"constant\", \"stripes\" or \"rotate\"", fields.label, kind.name()));
        }
    };
    let texels = (0..height).flat_map(|_| columns.iter().copied()).collect();
    Some(Picture { width, height, texels })
}

/// One value of a texture: a direction, or four factors.
fn value(node: &super::node::Node, kind: TextureKind) -> Option<[f32; 4]> {
    match kind {
        TextureKind::Structure => {
            let direction = DVec2::from_array(node.numbers(Range::Any)?);
            // Zero is a valid value here: no grain.
            Some(encode(direction.normalize_or_zero()))
        }
        TextureKind::Tensor | TextureKind::Normal | TextureKind::Height | TextureKind::Mask => {
            node.numbers::<4>(Range::Any).map(|n| n.map(|x| x as f32))
        }
    }
}

/// A direction as red and green.
fn encode(direction: DVec2) -> [f32; 4] {
    [(0.5 * (direction.x + 1.0)) as f32, (0.5 * (direction.y + 1.0)) as f32, 0.5, 1.0]
}
