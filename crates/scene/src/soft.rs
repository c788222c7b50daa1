//! `cloth` and `solid` of a body: cloth and soft solids.

use asperity_soft::{Elastic, SoftBody, SoftError, SolidMaterial, SurfaceMesh, TetMesh, mesh};
use glamx::{DPose3, DVec3};

use super::assets::{self, Assets};
use super::body;
use super::fabric::fabric;
use super::format::soft::{TUBE, TWO};
use super::format::{POSITIVE, SIZES, way};
use super::material::{self, Materials};
use super::place;
use super::reader::Fields;
use super::spec::{Form, Range, Way};
use super::vertex_grain;
use asperity::soft::{RestStructure, SoftDesc};

/// A soft body that is not in a world yet.
#[derive(Debug)]
pub(crate) struct SoftDraft {
    pub(crate) desc: SoftDesc,
    /// Where in the text.
    pub(crate) at: usize,
}

/// Models of elasticity.
pub(crate) const ELASTICS: [(&str, Elastic); 2] =
    [("neo_hookean", Elastic::NeoHookean), ("corotational", Elastic::Corotational)];

/// Whether a table of `body` is a soft one.
pub(crate) fn is_soft(fields: &Fields) -> bool {
    fields.has("cloth") || fields.has("solid")
}

/// Reads a body with `cloth` or `solid`.
pub(crate) fn read(
    fields: &Fields,
    materials: &mut Materials,
    assets: &dyn Assets,
) -> Option<SoftDraft> {
    refuse_rigid(fields);
    let surface = materials.of(fields);
    let is_cloth = fields.has("cloth");
    let table = fields.table(if is_cloth { "cloth" } else { "solid" })?;
    let mut body = if is_cloth { cloth(&table, assets)? } else { solid(&table, assets)? };
    for pin in table.tables("pins") {
        hold(&pin, &mut body);
    }
    body.options.newton = table.whole("newton").unwrap_or(1);
    if let Some(tolerance) = table.number("tolerance") {
        body.options.linear.tolerance = tolerance;
    }
    let vertices = |structure: &Fields| {
        vertex_grain::of_soft(structure, fields, (&body.positions, &body.triangles), assets)
    };
    let field = match fields.node("structure") {
        Some(node) => material::structure(&node, &vertices).unwrap_or_default(),
        None => materials.list[surface].structure.clone(),
    };
    let pose = place::pose(fields, DPose3::IDENTITY);
    let velocity = fields.vector("velocity").unwrap_or(DVec3::ZERO);
    for i in 0..body.positions.len() {
        body.positions[i] = pose.transform_point(body.positions[i]);
        if !body.pinned[i] {
            body.velocities[i] = velocity;
        }
    }
    let desc = SoftDesc {
        structure: RestStructure { field, placed: pose },
        name: fields.text("name").unwrap_or("").to_owned(),
        body,
        surface,
        thickness: table.number("thickness"),
        self_contact: table.flag("self_contact").unwrap_or(is_cloth),
        group: body::group(fields),
    };
    Some(SoftDraft { desc, at: fields.at })
}

/// Keys of rigid bodies that mean nothing here.
fn refuse_rigid(fields: &Fields) {
    const RIGID: &[&str] = &[
        "kind",
        "shape",
        "spin",
        "mass",
        "density",
        "centre",
        "inertia",
        "keyframes",
        "gravity_scale",
    ];
    for key in RIGID.iter().filter(|key| fields.has(key)) {
        let message =
            format!("{} is cloth or a soft solid and takes no \"{key}\"; remove it", fields.label);
        fields.complain(key, message);
    }
    if fields.has("cloth") && fields.has("solid") {
        let message =
            format!("{} has \"cloth\" and \"solid\"; expected only one of them", fields.label);
        fields.complain("solid", message);
    }
}

fn made<T>(table: &Fields, result: Result<T, SoftError>) -> Option<T> {
    result.map_err(|e| table.log.add(table.at, format!("{}: {e}", table.label))).ok()
}

fn cloth(table: &Fields, assets: &dyn Assets) -> Option<SoftBody> {
    let read = table.way(&CLOTHS)?;
    let (unwanted, of) =
        if table.has("file") { ("cells", "rectangles and tubes") } else { ("uv_scale", "files") };
    if table.has(unwanted) {
        let message = format!("\"{unwanted}\" in {} is for {of}; remove it", table.label);
        table.complain(unwanted, message);
    }
    let fabric = fabric(table);
    let sheet = read(table, assets)?;
    made(table, SoftBody::cloth(&sheet, &fabric?))
}

/// What reads cloth.
pub(crate) type ReadCloth = fn(&Fields, &dyn Assets) -> Option<SurfaceMesh>;

/// All sheets of cloth by name.
pub(crate) static CLOTHS: [Way<ReadCloth>; 3] = [
    way("size", TWO, "Of a rectangle, along warp and weft, metres.", |table, _| {
        let (size, cells) = (table.pair("size"), cells(table));
        made(table, mesh::cloth_rectangle(size?, cells?))
    }),
    way("tube", Form::Table(&TUBE), "A tube about body y, sewn from flat cloth.", |table, _| {
        let (tube, cells) = (table.table("tube")?, cells(table));
        let radius = tube.node("radius")?;
        let radii = if radius.is_number() {
            [radius.number(Range::Positive)?; 2]
        } else {
            radius.numbers(Range::Positive)?
        };
        made(table, mesh::cloth_tube(radii, tube.number("length")?, cells?))
    }),
    way(
        "file",
        Form::Text,
        "A glTF, GLB, OBJ or PLY file with texture coordinates: its flat cloth. Vertices at the same place are sewn together.",
        sheet_from,
    ),
];

/// Cells along warp, and rows of them.
fn cells(table: &Fields) -> Option<[u32; 2]> {
    if !table.has("cells") {
        let message = format!(
            "{} has no \"cells\"; expected two whole numbers: cells along warp, and rows of them",
            table.label
        );
        table.complain("cells", message);
    }
    table.wholes("cells").map(|n: [usize; 2]| n.map(|k| k as u32))
}

/// Cloth from a mesh file, sewn where it lies side by side.
fn sheet_from(table: &Fields, assets: &dyn Assets) -> Option<SurfaceMesh> {
    let node = table.node("file")?;
    let scale = table.number("uv_scale").unwrap_or(1.0);
    let data = assets::mesh(&node, assets)?;
    if data.uvs.is_empty() {
        let message = format!(
            "{}: the mesh has no texture coordinates; expected them to tell the flat cloth",
            node.what
        );
        return node.refuse(message);
    }
    let uvs = data.uvs.iter().map(|uv| *uv * scale).collect();
    let (positions, triangles) = (data.positions, data.triangles);
    let split = SurfaceMesh { positions, uvs, triangles, ..SurfaceMesh::default() };
    let checked = split.check().map_err(|e| node.complain(format!("{}: {e}", node.what)));
    checked.ok().map(|()| split.sewn())
}

fn solid(table: &Fields, assets: &dyn Assets) -> Option<SoftBody> {
    let read = table.way(&SOLIDS)?;
    for (key, of) in [("cells", "box"), ("halvings", "sphere")] {
        if table.has(key) && !table.has(of) {
            let message = format!("\"{key}\" in {} is for a {of}; remove it", table.label);
            table.complain(key, message);
        }
    }
    let tets = read(table, assets)?;
    made(table, SoftBody::solid(&tets, &elastic(table)?))
}

/// What reads a soft solid.
pub(crate) type ReadSolid = fn(&Fields, &dyn Assets) -> Option<TetMesh>;

/// All soft solids by name.
pub(crate) static SOLIDS: [Way<ReadSolid>; 4] = [
    way("box", SIZES, "Full sizes along x, y and z, metres.", |table, _| {
        let cells = table.wholes("cells").unwrap_or([4; 3]).map(|n| n as u32);
        made(table, mesh::brick(table.vector("box")?, cells))
    }),
    way("sphere", POSITIVE, "Radius, metres.", |table, _| {
        let halvings = table.whole("halvings").unwrap_or(2) as u32;
        let [shells, _] = layers(table).unwrap_or([3, 1]);
        made(table, mesh::sphere(table.number("sphere")?, halvings, shells))
    }),
    way("cylinder", TWO, "Radius and height, along y.", |table, _| {
        let [radius, height] = table.pair("cylinder")?.to_array();
        let [rings, along] = layers(table).unwrap_or([3, 6]);
        made(table, mesh::cylinder(radius, height, rings, along))
    }),
    way("file", Form::Text, "A Gmsh (.msh, version 4, ASCII) or legacy VTK (.vtk) file.", file),
];

fn layers(table: &Fields) -> Option<[u32; 2]> {
    table.wholes("layers").map(|n: [usize; 2]| n.map(|k| k as u32))
}

fn file(table: &Fields, assets: &dyn Assets) -> Option<TetMesh> {
    let node = table.node("file")?;
    let path = node.text()?;
    let text = assets::text(&node, assets)?;
    let is = |end: &str| path.to_ascii_lowercase().ends_with(end);
    let mesh = if is(".msh") {
        mesh::read_msh(&text)
    } else if is(".vtk") {
        mesh::read_vtk(&text)
    } else {
        return node.refuse(format!("{}: \"{path}\" is neither .msh nor .vtk", node.what));
    };
    mesh.map_err(|e| node.complain(format!("{}: {path}: {e}", node.what))).ok()
}

fn elastic(table: &Fields) -> Option<SolidMaterial> {
    let Some(node) = table.node("elastic") else { return Some(SolidMaterial::gel()) };
    if !node.is_table() {
        return SolidMaterial::named(table.choice("elastic")?);
    }
    let own = table.table("elastic")?;
    let (young, poisson, density) =
        (own.number("young"), own.number("poisson"), own.number("density"));
    let mut material = SolidMaterial::new(density?, young?, poisson?);
    material.damping = own.number("damping").unwrap_or(material.damping);
    material.model = own.pick("model", &ELASTICS).unwrap_or(material.model);
    Some(material)
}

/// Pins the vertices in a box.
fn hold(pin: &Fields, body: &mut SoftBody) {
    let (Some(min), Some(max)) = (pin.vector("min"), pin.vector("max")) else { return };
    let velocity = pin.vector("velocity").unwrap_or(DVec3::ZERO);
    let slack = DVec3::splat(1e-9);
    let mut any = false;
    for i in 0..body.positions.len() {
        let x = body.positions[i];
        if x.cmpge(min - slack).all() && x.cmple(max + slack).all() {
            body.pinned[i] = true;
            body.velocities[i] = velocity;
            any = true;
        }
    }
    if !any {
        pin.log.add(pin.at, format!("{} holds no vertex; expected a box around some", pin.label));
    }
}
