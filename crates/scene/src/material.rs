//! `material.<name>`: what bodies are made of.

use std::collections::BTreeMap;
use std::sync::Arc;

use asperity_friction::FrictionError;
use asperity_friction::surface::{Structure, Surface, SurfaceTensor};
use glamx::{DMat2, DVec3};

use super::finish::Finish;
use super::format::material::ABOUT;
use super::format::way;
use super::node::Node;
use super::reader::Fields;
use super::relief::relief;
use super::spec::{Form, Way};
use super::suggest::hint;
use super::texture::{Texture, TextureKind};
use super::vertex_grain::{OfVertices, of_material};
use crate::asset::field;
use asperity::geometry::structure::StructureField;

/// A material, as bodies use it.
#[derive(Debug, Clone)]
pub(crate) struct Material {
    pub(crate) surface: Surface,
    /// The grain in body axes, where it does not come from a texture.
    pub(crate) structure: StructureField,
    /// kg/m³.
    pub(crate) density: f64,
    pub(crate) restitution: f64,
    pub(crate) linear_damping: f64,
    pub(crate) angular_damping: f64,
    pub(crate) finish: Finish,
}

/// All materials, by number.
#[derive(Debug)]
pub(crate) struct Materials {
    pub(crate) list: Vec<Material>,
}

/// Name of the material of a body that names none.
const DEFAULT: &str = "default";

impl Material {
    fn plain(name: &str) -> Material {
        Material {
            surface: Surface::new(name),
            structure: StructureField::None,
            density: 1000.0,
            restitution: 0.0,
            linear_damping: 0.0,
            angular_damping: 0.0,
            finish: Finish::default(),
        }
    }
}

impl Materials {
    /// Reads all materials.
    pub(crate) fn read(scene: &Fields, textures: &BTreeMap<String, Texture>) -> Materials {
        let list = scene.named("material").into_iter().map(|(name, m)| one(name, &m, textures));
        Materials { list: list.collect() }
    }

    /// Number of a material by its name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.list.iter().position(|m| m.surface.name == name)
    }

    /// All names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|m| m.surface.name.as_str())
    }

    /// The material that a table names with `material`, or the default one.
    pub(crate) fn of(&mut self, fields: &Fields) -> usize {
        let default = |materials: &mut Materials| {
            materials.find(DEFAULT).unwrap_or_else(|| {
                materials.list.push(Material::plain(DEFAULT));
                materials.list.len() - 1
            })
        };
        let Some(name) = fields.text("material") else { return default(self) };
        self.find(name).unwrap_or_else(|| {
            let hint = if self.list.is_empty() {
                format!("; add material.{name}")
            } else {
                hint(name, self.names())
            };
            fields.complain(
                "material",
                format!("{}: there is no material \"{name}\"{hint}", fields.label),
            );
            default(self)
        })
    }
}

fn one(name: &str, fields: &Fields, textures: &BTreeMap<String, Texture>) -> Material {
    let mut material = Material::plain(name);
    let number = |key: &str, default: f64| fields.number(key).unwrap_or(default);
    material.density = number("density", material.density);
    material.restitution = number("restitution", 0.0);
    material.linear_damping = number("linear_damping", 0.0);
    material.angular_damping = number("angular_damping", 0.0);
    material.finish = Finish::read(fields);
    material.surface.mu = fields.number("mu");
    if let Some(node) = fields.node("structure") {
        if node.is_text() {
            let map = named_texture(&node, textures, &[TextureKind::Structure])
                .and_then(|t| t.map.clone());
            material.surface.structure = map.map_or(Structure::None, Structure::Texture);
        } else {
            material.structure = structure(&node, &of_material).unwrap_or_default();
        }
    }
    material.surface.tensor =
        fields.node("tensor").and_then(|node| tensor(fields, &node, textures));
    material.surface.relief = relief(fields, textures).map(Arc::new);
    if let Some(node) = fields.node("pressure") {
        let map = named_texture(&node, textures, &[TextureKind::Mask]).and_then(|t| t.map.clone());
        material.surface.pressure = map.map(Arc::new);
    }
    if let Some(wear) = fields.number("wear") {
        if !fields.has("normal") {
            let label = &fields.label;
            fields.complain("wear", format!("\"wear\" in {label} needs a \"normal\" beside it"));
        }
        material.surface.wear = wear;
    }
    material
}

/// The texture that a value names, which must be of one of these kinds.
pub(crate) fn named_texture<'a>(
    node: &Node,
    textures: &'a BTreeMap<String, Texture>,
    kinds: &[TextureKind],
) -> Option<&'a Texture> {
    let name = node.text()?;
    match textures.get(name) {
        Some(texture) if kinds.contains(&texture.kind) => Some(texture),
        Some(_) => {
            let names: Vec<String> = kinds.iter().map(|k| format!("\"{}\"", k.name())).collect();
            node.refuse(format!(
                "{}: texture \"{name}\" is of another kind; expected a texture of kind {}",
                node.what,
                names.join(" or ")
            ))
        }
        None => {
            let hint = if textures.is_empty() {
                format!("; add texture.{name}")
            } else {
                hint(name, textures.keys().map(String::as_str))
            };
            node.refuse(format!("{}: there is no texture \"{name}\"{hint}", node.what))
        }
    }
}

/// A grain in body axes: a direction or a field; `vertices` reads one that is told at vertices.
pub(crate) fn structure(node: &Node, vertices: OfVertices) -> Option<StructureField> {
    if node.is_list() {
        return node.direction().map(StructureField::Constant);
    }
    if node.is_text() {
        return node.expected("a direction or a field; a texture belongs to a material");
    }
    let fields = node.table(&super::format::material::STRUCTURE, &node.what)?;
    fields.way(&FIELDS)?(&fields, vertices)
}

/// What reads a field.
pub(crate) type ReadField = fn(&Fields, OfVertices) -> Option<StructureField>;

/// Fields of directions by name.
pub(crate) static FIELDS: [Way<ReadField>; 5] = [
    way("radial", Form::Table(&ABOUT), "Away from an axis.", |fields, _| {
        about(fields, "radial", |centre, axis, _| field::radial(centre, axis))
    }),
    way("concentric", Form::Table(&ABOUT), "Round an axis.", |fields, _| {
        about(fields, "concentric", |at, axis, _| field::concentric(at, axis))
    }),
    way("spiral", Form::Table(&ABOUT), "Between the two, at an angle.", |fields, _| {
        about(fields, "spiral", field::spiral)
    }),
    way(
        "expression",
        Form::List(&Form::Text),
        "Three formulas in x, y, z and the time t: the components of the direction.",
        |fields, _| {
            let texts = fields.list("expression");
            if texts.len() != 3 {
                return fields
                    .node("expression")?
                    .expected("an array of 3 formulas in x, y, z and t");
            }
            expression(&texts)
        },
    ),
    way(
        "vertices",
        Form::Text,
        "One direction for each vertex: \"mesh\", those of the body's mesh file, or a file of directions.",
        |fields, vertices| vertices(fields),
    ),
];

/// A field about an axis, from a point of it, its direction and an angle (radians).
fn about(
    fields: &Fields,
    kind: &str,
    make: impl Fn(DVec3, DVec3, f64) -> Result<StructureField, FrictionError>,
) -> Option<StructureField> {
    let about = fields.table(kind)?;
    let centre = about.vector("centre").unwrap_or(DVec3::ZERO);
    let axis = if about.has("axis") { about.direction("axis")? } else { DVec3::Y };
    if kind != "spiral" && about.has("deg") {
        about.complain("deg", format!("\"deg\" in {} is for \"spiral\"; remove it", about.label));
    }
    let angle = about.number("deg").unwrap_or(45.0).to_radians();
    let made = make(centre, axis, angle);
    made.map_err(|e| about.log.add(about.at, format!("{}: {e}", about.label))).ok()
}

/// Three formulas.
fn expression(texts: &[Node]) -> Option<StructureField> {
    let [Some(x), Some(y), Some(z)] = [0, 1, 2].map(|i| texts.get(i).and_then(Node::text)) else {
        return None;
    };
    match field::parse([x, y, z]) {
        Ok(field) => Some(field),
        Err(e) => {
            let which =
                e.component.map_or(0, |c| usize::from(c == 'y') + 2 * usize::from(c == 'z'));
            texts[which].complain(format!("{}: {e}", texts[which].what));
            None
        }
    }
}

fn tensor(
    fields: &Fields,
    node: &Node,
    textures: &BTreeMap<String, Texture>,
) -> Option<SurfaceTensor> {
    let refuse = |e: FrictionError| node.complain(format!("{}: {e}", node.what));
    if !node.is_table() {
        return SurfaceTensor::full(matrix(node)?).map_err(refuse).ok();
    }
    let table = fields.table("tensor")?;
    let positive = table.node("positive").and_then(|n| matrix(&n))?;
    let tensor = match table.node("negative") {
        Some(negative) => SurfaceTensor::asymmetric(positive, matrix(&negative)?),
        None => SurfaceTensor::full(positive),
    };
    let tensor = tensor.map_err(refuse).ok()?;
    match table.node("map") {
        None => Some(tensor),
        Some(map) => {
            let map = named_texture(&map, textures, &[TextureKind::Tensor])?.map.clone()?;
            tensor.with_map(map).map_err(refuse).ok()
        }
    }
}

/// Two rows of two numbers.
fn matrix(node: &Node) -> Option<DMat2> {
    node.matrix().map(|rows| DMat2::from_cols_array_2d(&rows).transpose())
}
